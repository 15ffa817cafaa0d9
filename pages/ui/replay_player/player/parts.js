// The tokens of the piece at one step, in a row: each with its id, and between them the ranks.

const MOST_PARTS = 60; // drawn at a time; a longer piece shows the part around the next merge

// A token: base units grey, merged ones in the hue that the same id has everywhere.
function partTile(lane, node) {
  const known = node.id !== NO_ID;
  const tile = make("span", known ? `tile ${node.parents ? `hue-${node.id % 6}` : "base"}` : "tile unknown");
  drawBytes(tile, lane.played.bytes(node), lane.names);
  tile.dataset.start = node.start;
  if (known) tile.dataset.id = node.id;
  else tile.title = "The tokenizer never saw this character: it has no id.";
  return tile;
}

const idWords = (node) => (node.id === NO_ID ? "no id" : String(node.id));
const count = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

// From which part to which: all, or those around a place.
function windowOf(parts, around) {
  if (parts.length <= MOST_PARTS) return [0, parts.length];
  const at = Math.max(0, parts.findIndex((part) => part.end > around));
  const first = Math.max(0, Math.min(at - MOST_PARTS / 3, parts.length - MOST_PARTS));
  return [Math.floor(first), Math.floor(first) + MOST_PARTS];
}

class PartsRow {
  constructor(lane) {
    this.lane = lane;
    this.boxes = new WeakMap();
    this.element = make("div", "parts");
    this.element.setAttribute("role", "list");
    this.element.setAttribute("aria-label", "Tokens of the piece now");
  }

  show({ parts, pairs, around, made }) {
    const [first, end] = windowOf(parts, around);
    const row = [];
    if (first) row.push(make("span", "rest", `${count(first, "token")} before`));
    for (let i = first; i < end; i++) {
      row.push(this.part(parts[i], pairs.at(i - 1), pairs.at(i), made));
      if (i + 1 < end) row.push(this.between(pairs.at(i)));
    }
    if (end < parts.length) row.push(make("span", "rest", `${count(parts.length - end, "token")} after`));
    this.element.replaceChildren(...row);
  }

  part(node, pairBefore, pairAfter, made) {
    const box = this.boxes.get(node) ?? this.box(node);
    const tile = box.firstChild;
    tile.toggleAttribute("data-wins", Boolean(pairBefore?.wins || pairAfter?.wins));
    tile.classList.remove("hot");
    tile.classList.toggle("made-now", node === made);
    return box;
  }

  // Drawn once: from one merge to the next nearly all tokens stay what they are.
  box(node) {
    const box = make("span", "part");
    box.setAttribute("role", "listitem");
    box.append(partTile(this.lane, node), make("small", "part-id", idWords(node)));
    this.boxes.set(node, box);
    return box;
  }

  between({ entry, wins }) {
    const rank = make("span", wins ? "between wins" : "between", entry ? entry.rank.toLocaleString("en") : "–");
    rank.title = entry ? `rank ${entry.rank.toLocaleString("en")}${wins ? ", the lowest: merged next" : ""}` : "not in the table";
    return rank;
  }

  glow(on) {
    for (const tile of this.element.querySelectorAll("[data-wins]")) tile.classList.toggle("hot", on);
  }
}
