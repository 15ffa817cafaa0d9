// One tokenizer's column: numbers, tokens, id list and tools.

class ColumnView {
  constructor(view, data, index) {
    Object.assign(this, { view, data, index, active: 0, starts: chunkStarts(data) });
    this.element = make("section", "column");
    this.element.dataset.column = index;
    this.element.setAttribute("aria-label", data.name);
    this.box = make("div", "tokens");
    this.box.setAttribute("role", "listbox");
    this.box.setAttribute("aria-label", `Tokens of ${data.name}`);
    const body = make("div", "body");
    body.append(this.box);
    if (!data.count) this.box.replaceWith(make("p", "empty", view.model.empty));
    else if (!view.model.projector) body.append(this.idList(), toolButtons(data, view.root, (text) => view.say(text)));
    this.element.append(headlineOf(data), body);
    this.tokens = this.windowed(this.box, (from, to, host) => drawChunk(data, from, to, view.look, host), (i) => this.guess(i));
    this.lists = [this.tokens];
  }

  windowed(box, draw, estimate) {
    const list = new Windowed({
      box,
      starts: this.starts,
      estimate,
      draw: (i, host) => draw(this.starts[i], this.starts[i + 1], host),
      onDraw: (i) => this.onDraw(list, i),
      keep: (i) => list === this.tokens && this.view.focused === this && list.chunkOf(this.active) === i,
    });
    return list;
  }

  onDraw(list, i) {
    this.view.light.chunk(this, list, i);
    if (list === this.tokens && list.chunkOf(this.active) === i) list.element(this.active).tabIndex = 0;
  }

  // Height of a chunk that was not drawn yet, from its characters and line ends.
  guess(i) {
    const { data, starts } = this;
    const from = startOf(data, starts[i]);
    const to = data.ends[starts[i + 1] - 1];
    const count = starts[i + 1] - starts[i];
    const [width, line] = this.measures();
    if (this.view.look.showAs !== "text") return Math.ceil(((to - from) * 14 + count * 12) / width) * line;
    let lines = 1;
    let pixels = 0;
    for (let at = from; at < to; at++) {
      const byte = data.text[at];
      if (byte === 10) {
        lines += Math.ceil(pixels / width) || 1;
        pixels = 0;
      } else if ((byte & 0xc0) !== 0x80) pixels += byte > 0xe2 ? 19 : 8.5;
    }
    return (lines + Math.ceil((pixels + count) / width)) * line;
  }

  // Read once a drawing: reading sizes between writes makes the browser lay out again.
  measures() {
    this.size ??= [Math.max(200, this.box.clientWidth - 24), this.view.model.projector ? 56 : 35];
    return this.size;
  }

  idList() {
    const details = make("details", "ids");
    const box = make("div", "id-box");
    box.tabIndex = 0; // so that the keyboard can scroll it
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", `Ids of ${this.data.name}`);
    details.append(make("summary", "", "Ids"), box);
    details.addEventListener("toggle", () => {
      if (!details.open || this.ids) return;
      const lines = (count) => Math.ceil((count * 58) / this.measures()[0]);
      const height = (i) => lines(this.starts[i + 1] - this.starts[i]) * 25;
      this.ids = this.windowed(box, (from, to, host) => this.drawIds(from, to, host), height);
      this.lists.push(this.ids);
      this.ids.start();
    });
    return details;
  }

  drawIds(from, to, host) {
    return Array.from({ length: to - from }, (_, k) => {
      const none = isDropped(this.data, from + k) ? "dropped" : "no id";
      const id = make("span", "id", String(idOf(this.data, from + k) ?? none));
      id.dataset.idOf = from + k;
      host.append(id, from + k + 1 < this.data.count ? ", " : "");
      return id;
    });
  }

  redraw() {
    this.size = undefined;
    this.tokens.redraw();
  }

  // Makes a token the one that Tab reaches, and focuses it.
  focus(token) {
    this.tokens.element(this.active)?.removeAttribute("tabindex");
    this.active = token;
    const element = this.tokens.reveal(token);
    element.tabIndex = 0;
    element.setAttribute("aria-posinset", token + 1);
    element.setAttribute("aria-setsize", this.data.count);
    element.focus({ preventScroll: true });
    return element;
  }

  stop() {
    for (const list of this.lists) list.stop();
  }
}
