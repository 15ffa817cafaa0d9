// The tree of merges over the units of the piece: it grows upwards, and nothing in it moves.

const MOST_UNITS = 64; // in one picture

class MergeTree {
  constructor(lane) {
    this.lane = lane;
    this.element = make("section", "merge-tree");
    this.title = make("h3", "panel-title", "The tree of merges");
    this.note = make("p", "pair-note");
    this.scroll = make("div", "tree-scroll");
    this.scroll.tabIndex = 0;
    this.scroll.setAttribute("role", "group");
    this.scroll.setAttribute("aria-label", "The tree of merges, from bytes at the bottom to tokens at the top");
    this.grid = make("div", "tree-grid");
    this.scroll.append(this.grid);
    this.element.append(this.title, this.scroll, this.note);
    this.from = -1;
  }

  show({ step, around, made }) {
    const { played } = this.lane;
    const [from, to] = this.window(around, made);
    if (from !== this.from || to !== this.to) this.build(from, to);
    set(this.note, to - from < played.size ? `Units ${from + 1} to ${to} of ${played.size.toLocaleString("en")} are drawn.` : "");
    for (const { node, drawn } of this.drawn) {
      for (const element of drawn) element.hidden = node.step > step;
      drawn[0].classList.toggle("below", node.into !== null && played.nodes[node.into].step <= step);
      drawn[0].classList.toggle("made-now", node === made);
    }
    for (const { parent, element } of this.stems) element.hidden = parent.step > step;
    this.follow(around);
  }

  // Where the picture is wider than its place, the next merge is kept in sight.
  follow(unit) {
    const { scrollWidth, clientWidth, scrollLeft } = this.scroll;
    if (scrollWidth <= clientWidth) return;
    const at = ((unit - this.from + 1) / (this.to - this.from)) * scrollWidth;
    if (at < scrollLeft + clientWidth * 0.15 || at > scrollLeft + clientWidth * 0.85) this.scroll.scrollLeft = at - clientWidth / 2;
  }

  window(around, made) {
    const { size } = this.lane.played;
    if (size <= MOST_UNITS) return [0, size];
    const start = made ? made.start : around;
    // Whole windows, so that the picture stays while merges go on inside it.
    const from = Math.min(Math.floor(start / (MOST_UNITS / 2)) * (MOST_UNITS / 2), size - MOST_UNITS);
    return [from, from + MOST_UNITS];
  }

  build(from, to) {
    Object.assign(this, { from, to, drawn: [], stems: [] });
    const inside = this.lane.played.nodes.filter((node) => node.start >= from && node.end <= to);
    this.high = Math.max(0, ...inside.map((node) => node.level));
    this.grid.style.setProperty("--units", to - from);
    for (const node of inside) {
      this.drawn.push({ node, drawn: this.draw(node) });
      for (const child of node.parents ?? []) if (child.level + 1 < node.level) this.stems.push({ parent: node, element: this.stem(child, node) });
    }
    this.grid.replaceChildren(...this.drawn.flatMap(({ drawn }) => drawn), ...this.stems.map(({ element }) => element));
  }

  place(element, node, row) {
    element.style.gridColumn = `${node.start - this.from + 1} / ${node.end - this.from + 1}`;
    element.style.gridRow = row;
    return element;
  }

  draw(node) {
    const tile = this.place(partTile(this.lane, node), node, this.high - node.level + 1);
    tile.classList.add("tree-tile");
    if (node.parents) {
      tile.title = `rank ${node.rank.toLocaleString("en")}, merge ${node.step}, id ${node.id}`;
      tile.dataset.merge = node.step;
      tile.append(make("small", "tree-rank", node.rank.toLocaleString("en")));
      return [tile];
    }
    const bytes = this.lane.played.bytes(node);
    const below = [this.place(make("code", "unit-hex", hexBytes(bytes)), node, this.high + 2)];
    if (this.lane.played.ofBytes) below.push(this.place(make("code", "unit-sign", standInsOf(bytes)), node, this.high + 3));
    return [tile, ...below];
  }

  stem(child, parent) {
    const rows = `${this.high - parent.level + 2} / ${this.high - child.level + 1}`;
    return this.place(make("i", "stem"), child, rows);
  }
}
