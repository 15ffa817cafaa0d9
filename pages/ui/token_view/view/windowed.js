// Keeps only the chunks near the visible part of a scroll box in the page. The others
// are empty blocks of an estimated height, which becomes the measured one once drawn.

const AHEAD = "900px 0px";

class Windowed {
  // `draw(i, host)` fills a chunk and returns its token elements; `onDraw(i)` follows it.
  constructor({ box, starts, estimate, draw, onDraw, keep }) {
    Object.assign(this, { box, starts, estimate, draw, onDraw, keep });
    this.drawn = new Map(); // chunk index -> token elements
    this.hosts = starts.slice(0, -1).map((_, i) => {
      const host = make("div", "chunk");
      host.dataset.chunk = i;
      return host;
    });
    this.observer = new IntersectionObserver((entries) => this.onSeen(entries), {
      root: box,
      rootMargin: AHEAD,
    });
  }

  // First paint: draw what fits now, do not wait for the observer's next frame.
  start(scrollTop = 0) {
    this.box.replaceChildren(...this.hosts);
    this.setHeights();
    if (!scrollTop) this.fill(0);
    else {
      this.box.scrollTop = scrollTop;
      const top = this.box.scrollTop;
      let sum = 0;
      let i = 0;
      while (i < this.hosts.length - 1 && sum + this.height(i) <= top) sum += this.height(i++);
      for (let k = Math.max(0, i - 1); k <= Math.min(i + 2, this.hosts.length - 1); k++) this.fill(k);
      this.box.scrollTop = scrollTop;
    }
    for (const host of this.hosts) this.observer.observe(host);
  }

  height(i) {
    return this.measured?.[i] ?? this.estimate(i);
  }

  setHeights() {
    this.hosts.forEach((host, i) => {
      if (!this.drawn.has(i)) host.style.height = `${this.height(i)}px`;
    });
  }

  onSeen(entries) {
    for (const { target, isIntersecting } of entries) {
      const i = Number(target.dataset.chunk);
      if (isIntersecting) this.fill(i);
      else if (this.drawn.has(i) && !this.keep(i)) this.clear(i);
    }
  }

  fill(i) {
    if (this.drawn.has(i)) return;
    const host = this.hosts[i];
    host.style.height = "";
    this.drawn.set(i, this.draw(i, host));
    this.onDraw(i);
  }

  clear(i) {
    const host = this.hosts[i];
    this.measured ??= [];
    this.measured[i] = host.offsetHeight;
    host.style.height = `${this.measured[i]}px`;
    host.replaceChildren();
    this.drawn.delete(i);
  }

  // Draws again what is drawn, with the same token at the top.
  redraw() {
    const top = this.firstSeen();
    this.measured = undefined;
    const shown = [...this.drawn.keys()];
    for (const i of shown) {
      this.hosts[i].replaceChildren();
      this.drawn.delete(i);
      this.fill(i);
    }
    this.setHeights();
    if (top) this.reveal(top, "start");
  }

  firstSeen() {
    if (!this.box.scrollTop) return 0;
    const edge = this.box.getBoundingClientRect().top;
    for (const [i, elements] of [...this.drawn].sort((a, b) => a[0] - b[0])) {
      if (this.hosts[i].getBoundingClientRect().bottom <= edge) continue;
      const k = elements.findIndex((element) => element.getBoundingClientRect().bottom > edge);
      if (k >= 0) return this.starts[i] + k;
    }
    return 0;
  }

  chunkOf(token) {
    let low = 0;
    let high = this.starts.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= token) low = middle;
      else high = middle;
    }
    return low;
  }

  // The token's element if its chunk is drawn.
  element(token) {
    const i = this.chunkOf(token);
    return this.drawn.get(i)?.[token - this.starts[i]];
  }

  // Draws the token's chunk if needed and scrolls this box only, not the page.
  reveal(token, where = "nearest") {
    this.fill(this.chunkOf(token));
    const element = this.element(token);
    const box = this.box.getBoundingClientRect();
    const at = element.getBoundingClientRect();
    if (where === "start") this.box.scrollTop += at.top - box.top;
    else if (at.top < box.top + 8) this.box.scrollTop += at.top - box.top - 24;
    else if (at.bottom > box.bottom - 8) this.box.scrollTop += at.bottom - box.bottom + 24;
    return element;
  }

  stop() {
    this.observer.disconnect();
  }
}
