// Tiles slide together and become one. All positions are read before anything is written and
// once after, so a merge costs two layouts. Places move, not transforms: whatever has a transform
// or an opacity of its own becomes a layer while it moves, and to sort a hundred layers anew
// costs more than a frame. A card is laid out by itself, so that its tiles may move each frame.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const SHORTEST = 30; // ms; a movement below two frames is not seen
const COOLING = 1.6; // how much longer than the movement a new tile is to be seen in the accent

// The corpus after the merge of `pair`, drawn with its movement.
function fuse(words, cut, pair, duration) {
  if (duration < SHORTEST || calm.matches) return words.show(cut);
  const touched = words.cards.filter((card) => card.holds(pair));
  for (const card of words.cards) still(card);
  const before = touched.map(placesOf);
  const old = touched.map((card) => new Map(card.starts.map((start, i) => [start, card.elements[i]])));
  for (const card of words.cards) card.show(cut);
  const after = touched.map(placesOf);
  touched.forEach((card, i) => moveTiles(card, old[i], before[i], after[i], duration));
  return undefined;
}

// Where each tile stands in its card, by the unit it begins at.
function placesOf(card) {
  const places = new Map();
  card.elements.forEach((element, i) => {
    places.set(card.starts[i], { x: element.offsetLeft, y: element.offsetTop, width: element.offsetWidth });
  });
  return places;
}

function moveTiles(card, old, before, after, duration) {
  card.elements.forEach((element, i) => {
    const start = card.starts[i];
    const [from, to] = [before.get(start), after.get(start)];
    if (!from || !to) return;
    if (old.get(start) !== element) {
      const second = partnerOf(card, i, old);
      join(card, element, old.get(start), old.get(second), [from, before.get(second), to], duration);
    } else if (from.x !== to.x || from.y !== to.y) {
      play(card, element, [at(from.x - to.x, from.y - to.y), at(0, 0)], duration);
    }
  });
}

// The unit at which the right half of a fused tile began.
function partnerOf(card, i, old) {
  const starts = [...old.keys()];
  return starts[starts.indexOf(card.starts[i]) + 1];
}

// The two old tiles move onto the new one, which glows as they do and then takes its own colour.
function join(card, element, left, right, [leftAt, rightAt, to], duration) {
  const ghosts = [[left, leftAt, to.x], [right, rightAt, rightAt && to.x + to.width - rightAt.width]];
  for (const [ghost, from, x] of ghosts) {
    if (!ghost || !from) continue;
    ghost.classList.add("ghost");
    card.row.append(ghost);
    play(card, ghost, [at(from.x, from.y), at(x, to.y)], duration, true);
  }
  const glowing = { backgroundColor: "var(--accent)", color: "var(--accent-ink)" };
  play(card, element, [glowing, { ...glowing, offset: 1 / COOLING }, {}], duration * COOLING);
}

const at = (x, y) => ({ left: `${x}px`, top: `${y}px` });

function play(card, element, frames, duration, ghost = false) {
  const animation = element.animate(frames, { duration, easing: "ease-out", fill: ghost ? "forwards" : "none" });
  card.moving.push([animation, ghost ? element : null]);
  if (ghost) animation.onfinish = () => element.remove();
}

// Ends every movement of a card: the next state is drawn on what really is there.
function still(card) {
  for (const [animation, ghost] of card.moving) {
    animation.cancel();
    ghost?.remove();
  }
  card.moving = [];
}
