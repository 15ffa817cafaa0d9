// The ten leading pairs as bars. A pair keeps its row while it leads, so that rows can
// change places instead of being written anew.

// A tile of more signs gives way where a pair is too wide for its place.
const SHORT_TILE = 3;
// Told after each layout, so that nothing has to be measured while pairs change places.
const fading = new ResizeObserver((entries) => {
  for (const { target } of entries) target.classList.toggle("cut", target.scrollWidth > target.clientWidth);
});

class Bars {
  constructor(tiles) {
    this.tiles = tiles;
    this.rows = new Map();
    this.element = make("section", "bars");
    this.element.setAttribute("aria-label", "Leading pairs");
    this.title = make("h3", "panel-title", "Leading pairs");
    this.list = make("ol", "bar-list");
    this.note = make("p", "bar-note");
    this.element.append(this.title, this.list, this.note);
  }

  show(state, rule, moves) {
    const seen = new Set();
    state.leading.forEach((pair, place) => {
      const key = `${pair.left},${pair.right}`;
      seen.add(key);
      this.place(this.rowOf(key, pair, moves), pair, place, state);
    });
    for (const [key, row] of this.rows) if (!seen.has(key)) this.drop(key, row, moves);
    this.list.style.setProperty("--rows", Math.max(1, state.leading.length));
    this.note.textContent = noteOf(state, rule);
  }

  rowOf(key, pair, moves) {
    let row = this.rows.get(key);
    if (row) return row;
    row = { element: make("li", "bar"), fill: make("span", "bar-fill"), count: make("span", "bar-count") };
    const names = make("span", "bar-pair");
    for (const id of [pair.left, pair.right]) names.append(this.tile(id));
    const track = make("span", "bar-track");
    track.append(row.fill);
    row.element.dataset.pair = key;
    row.element.append(names, track, row.count);
    this.rows.set(key, row);
    this.list.append(row.element);
    if (moves && !calm.matches) row.element.animate([{ opacity: 0 }, { opacity: 1 }], 200);
    return row;
  }

  tile(id) {
    const tile = this.tiles.tile(id);
    if (tile.textContent.length > SHORT_TILE) {
      tile.classList.add("long");
      fading.observe(tile);
    }
    return tile;
  }

  place(row, pair, place, { best, tied }) {
    row.element.style.setProperty("--place", place);
    row.fill.style.setProperty("--share", best ? pair.count / best : 0);
    const equal = tied > 1 && pair.count === best;
    row.element.classList.toggle("chosen", pair.next);
    row.element.classList.toggle("tied", equal);
    const words = `${equal ? "= " : ""}${pair.count.toLocaleString("en")}`;
    if (row.count.textContent !== words) row.count.textContent = words;
    row.count.dataset.pairCount = pair.count;
    row.element.setAttribute("aria-posinset", place + 1);
  }

  drop(key, row, moves) {
    this.rows.delete(key);
    if (!moves || calm.matches) row.element.remove();
    else row.element.animate([{ opacity: 1 }, { opacity: 0 }], 150).onfinish = () => row.element.remove();
  }

  clear(words) {
    for (const { element } of this.rows.values()) element.remove();
    this.rows.clear();
    this.list.style.setProperty("--rows", 0);
    this.note.textContent = words;
  }
}

function noteOf({ tied, best, distinct, leading, next }, rule) {
  if (!leading.length) return "No pair is left: every word is one token.";
  const times = `${best.toLocaleString("en")} ${best === 1 ? "time" : "times"}`;
  const rest = distinct > leading.length ? `${(distinct - leading.length).toLocaleString("en")} further pairs are rarer or equal. ` : "";
  if (tied < 2 || !next) return rest.trim();
  return `= ${tied.toLocaleString("en")} pairs stand ${times}. Of equals, ${rule}. ${rest}`.trim();
}
