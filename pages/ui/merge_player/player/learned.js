// The tokens learned so far, the newest on top. Only the rows in sight are in the page.

const SPARE_ROWS = 3;

class Learned {
  // `jump(step)` goes to a merge, `openTree(rank)` shows what a token is made of.
  constructor(run, tiles, { jump, openTree }) {
    Object.assign(this, { run, tiles, jump, openTree, rows: new Map(), step: 0, active: null, scrolled: 0 });
    this.element = make("section", "learned");
    this.title = make("h3", "panel-title", "Learned tokens");
    this.box = make("div", "learned-box");
    this.box.tabIndex = 0;
    this.box.setAttribute("role", "listbox");
    this.box.setAttribute("aria-label", "Learned tokens: Enter jumps to the merge, T shows its tree");
    this.inner = make("div", "learned-rows");
    this.box.append(this.inner);
    this.element.append(this.title, this.box);
    // Kept, because asking for it while drawing would cost a layout.
    const onScroll = () => ((this.scrolled = this.box.scrollTop), this.fill());
    this.box.addEventListener("scroll", onScroll, { passive: true });
    this.box.addEventListener("click", (event) => this.onClick(event));
    this.box.addEventListener("keydown", (event) => this.onKey(event));
  }

  show(step, moves) {
    this.step = step;
    this.title.textContent = `Learned tokens: ${step.toLocaleString("en")}`;
    this.rowHeight ||= parseFloat(getComputedStyle(this.box).fontSize) * 2.125;
    this.inner.style.height = `${step * this.rowHeight}px`;
    if (this.active !== null && this.active >= step) this.active = null;
    this.fill();
    if (moves && !calm.matches) this.drop();
  }

  // The new row drops in and pushes the others down.
  drop() {
    const top = this.rows.get(this.step - 1);
    if (!top || this.scrolled) return;
    const timing = { duration: 250, easing: "ease-out" };
    this.inner.animate([{ top: `${-this.rowHeight}px` }, { top: 0 }], timing);
    top.animate([{ opacity: 0 }, { opacity: 1 }], timing);
  }

  // The size of type has changed: heights are measured and rows placed again.
  restyle() {
    Object.assign(this, { rowHeight: 0, height: 0 });
    this.clear();
    this.show(this.step, false);
  }

  clear() {
    this.inner.replaceChildren();
    this.rows.clear();
  }

  // Rows are placed from the bottom, where the list begins: a new one moves no other.
  fill() {
    const top = this.scrolled;
    this.height ||= this.box.clientHeight || 400;
    const first = Math.max(0, Math.floor(top / this.rowHeight) - SPARE_ROWS);
    const last = Math.min(this.step - 1, Math.ceil((top + this.height) / this.rowHeight) + SPARE_ROWS);
    const [newest, oldest] = [this.step - 1 - first, this.step - 1 - last];
    for (const [rank, row] of this.rows) {
      if (rank >= oldest && rank <= newest) continue;
      row.remove();
      this.rows.delete(rank);
    }
    for (let rank = oldest; rank <= newest; rank++) {
      const row = this.rows.get(rank) ?? this.rowOf(rank);
      row.classList.toggle("active", rank === this.active);
    }
  }

  rowOf(rank) {
    const { lefts, rights, newIds, pairCounts } = this.run.merges;
    const row = make("div", "learned-row");
    row.id = `learned-${rank}`;
    row.dataset.learned = newIds[rank];
    row.dataset.rank = rank;
    row.setAttribute("role", "option");
    row.style.bottom = `${rank * this.rowHeight}px`;
    const parents = make("span", "parents");
    parents.append(this.tiles.tile(lefts[rank]), "+", this.tiles.tile(rights[rank]));
    // No button: an option of a list holds nothing that can be focused. T does the same.
    const tree = make("span", "tree-button", "tree");
    tree.title = "Which merges made this token";
    const name = make("span", "new-token");
    name.append(this.tiles.tile(newIds[rank]));
    row.append(make("span", "new-id", newIds[rank]), name, parents, make("span", "made", `${pairCounts[rank].toLocaleString("en")}×`), tree);
    this.inner.append(row);
    this.rows.set(rank, row);
    return row;
  }

  onClick(event) {
    const row = event.target.closest("[data-rank]");
    if (!row) return;
    const rank = Number(row.dataset.rank);
    this.active = rank;
    if (event.target.closest(".tree-button")) this.openTree(rank);
    else this.jump(rank + 1);
  }

  onKey(event) {
    const way = { ArrowDown: -1, ArrowUp: 1, PageDown: -8, PageUp: 8 }[event.key];
    const at = this.active ?? this.step - 1;
    if (way && this.step) this.move(Math.max(0, Math.min(this.step - 1, this.active === null ? at : at + way)));
    else if (event.key === "Enter" && this.active !== null) this.jump(this.active + 1);
    else if (event.key.toLowerCase() === "t" && this.step) this.openTree(at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  move(rank) {
    this.active = rank;
    const top = (this.step - 1 - rank) * this.rowHeight;
    const room = this.box.clientHeight;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top + this.rowHeight > this.box.scrollTop + room) this.box.scrollTop = top + this.rowHeight - room;
    this.fill();
    this.box.setAttribute("aria-activedescendant", `learned-${rank}`);
  }
}
