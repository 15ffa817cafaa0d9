// The ways in step: a column for each token, a row for each way. A part of a long text is drawn.

const COLUMNS = 60;
const LONGEST_CELL = 24; // characters

class Score {
  constructor(streamed, jump) {
    Object.assign(this, { streamed, jump, from: -1, columns: [] });
    this.element = make("section", "score");
    this.element.setAttribute("aria-label", "What each way shows at each token");
    this.element.append(make("h3", "panel-title", "In step: what each way shows when a token comes"));
    const row = make("div", "score-row");
    const heads = make("div", "score-heads");
    heads.append(make("span", "", "token"), ...streamed.ways.map(({ short }) => make("span", "", short)));
    this.scroll = make("div", "score-scroll");
    this.scroll.tabIndex = 0;
    this.scroll.setAttribute("role", "group");
    this.scroll.setAttribute("aria-label", "Columns of tokens");
    this.grid = make("div", "score-grid");
    this.scroll.append(this.grid);
    this.grid.addEventListener("click", (event) => {
      const column = event.target.closest("[data-column]");
      if (column) this.jump(Number(column.dataset.column));
    });
    row.append(heads, this.scroll);
    this.note = make("p", "score-note");
    this.element.append(row, this.note);
  }

  show(step) {
    const last = this.streamed.count + 1;
    const from = last <= COLUMNS ? 0 : Math.max(0, Math.min(Math.floor(step / 30) * 30 - 15, last - COLUMNS));
    if (from !== this.from) this.build(from, Math.min(last, from + COLUMNS));
    this.columns.forEach((column, i) => {
      const at = from + i + 1;
      column.classList.toggle("to-come", at > step);
      column.classList.toggle("current", at === step);
    });
  }

  // How far the columns must be scrolled for the one of this step to be seen.
  place(step) {
    const column = this.columns[step - 1 - this.from];
    if (!column) return 0;
    const { offsetLeft, offsetWidth } = column;
    const { scrollLeft, clientWidth } = this.scroll;
    const seen = offsetLeft >= scrollLeft && offsetLeft + offsetWidth <= scrollLeft + clientWidth;
    return seen ? scrollLeft : offsetLeft - clientWidth / 2;
  }

  follow(place) {
    if (this.scroll.scrollLeft !== place) this.scroll.scrollLeft = place;
  }

  build(from, to) {
    this.from = from;
    this.columns = Array.from({ length: to - from }, (_, i) => this.column(from + i));
    this.grid.replaceChildren(...this.columns);
    const part = to - from <= this.streamed.count ? `Columns ${from + 1} to ${to} of ${(this.streamed.count + 1).toLocaleString("en")} are drawn. ` : "";
    set(this.note, `${part}Hatched: nothing is shown, and so many bytes wait.`);
  }

  column(at) {
    const { streamed } = this;
    const column = make("div", "score-column");
    column.dataset.column = at + 1;
    column.title = at < streamed.count ? `token ${at + 1}, id ${streamed.ids[at]}` : "the end";
    const head = make("div", "cell");
    head.append(at < streamed.count ? tokenTile(at, streamed.tokens[at], streamed.names) : make("span", "end-word", "end"));
    column.append(head, ...streamed.ways.map((way) => this.cell(way, at)));
    return column;
  }

  cell(way, at) {
    const cell = make("div", "cell");
    const text = way.shown[at];
    const end = at >= way.streamed.count;
    if (text) {
      const shown = make("bdi", "cell-text");
      this.exactly(shown, text, way.marks[at]);
      cell.append(shown);
    } else if (way.pending[at]) {
      cell.classList.add(end ? "lost" : "wait");
      cell.append(make("small", "", end ? `lost ${way.pending[at]}` : String(way.pending[at])));
    } else cell.append(make("small", "", "–"));
    return cell;
  }

  // Everything that is shown can be seen, blanks too.
  exactly(host, text, marks) {
    const chars = Array.from(text);
    let sign = 0;
    const parts = chars.slice(0, LONGEST_CELL).join("").split("\ufffd");
    parts.forEach((part, i) => {
      if (i) host.append(replacement(marks[sign++]));
      if (part) drawText(host, part, this.streamed.names);
    });
    if (chars.length > LONGEST_CELL) host.append("…");
  }
}
