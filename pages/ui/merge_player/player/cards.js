// The words of the corpus: a card for each of the most frequent ones, cut into tiles.

class Card {
  // `index` is the word's place in the corpus, `most` how many of its units are drawn.
  constructor(run, tiles, index, most) {
    Object.assign(this, { run, tiles, index, most, elements: [], starts: [], ids: [], moving: [] });
    this.first = run.corpus.starts[index];
    this.size = run.corpus.starts[index + 1] - this.first;
    this.element = make("div", "word");
    this.element.setAttribute("role", "listitem");
    this.element.dataset.word = index;
    this.row = make("div", "tiles");
    this.rest = make("span", "rest");
    this.element.append(this.head(), this.row);
  }

  head() {
    const head = make("div", "word-head");
    const text = make("bdi", "word-text");
    const shown = this.run.corpus.units.subarray(this.first, this.first + Math.min(this.size, this.most));
    const bytes = [...shown].flatMap((unit) => [...this.run.tokens[unit]]);
    drawBytes(text, Uint8Array.from(bytes), this.tiles.names);
    const times = make("span", "times", `×${this.run.frequencies[this.index].toLocaleString("en")}`);
    if (RIGHT_TO_LEFT.test(plainDecoder.decode(Uint8Array.from(bytes)))) this.element.dir = "rtl";
    times.dir = this.rest.dir = "ltr";
    head.append(text, times);
    return head;
  }

  // Draws the word as it is cut; tiles that stay are kept. True if anything changed.
  show(cut) {
    const from = cut.pieces[this.index];
    const to = cut.pieces[this.index + 1];
    const starts = [];
    const ids = [];
    let token = from;
    for (; token < to && cut.from[token] - this.first < this.most; token++) {
      starts.push(cut.from[token]);
      ids.push(cut.ids[token]);
    }
    const left = to - token;
    const same = left === this.left && starts.length === this.starts.length &&
      ids.every((id, i) => id === this.ids[i] && starts[i] === this.starts[i]);
    if (same) return false;
    this.replaceTiles(starts, ids, left);
    return true;
  }

  replaceTiles(starts, ids, left) {
    const kept = new Map(this.starts.map((start, i) => [start, i]));
    this.elements = starts.map((start, i) => {
      const old = kept.get(start);
      const element = old !== undefined && this.ids[old] === ids[i] ? this.elements[old] : this.tiles.tile(ids[i]);
      element.dataset.tile = i;
      return element;
    });
    Object.assign(this, { starts, ids, left });
    this.row.replaceChildren(...this.elements);
    if (left) {
      this.rest.textContent = `… ${left.toLocaleString("en")} more`;
      this.row.append(this.rest);
    }
  }

  // Marks the places where this pair will be merged, from the left without overlap.
  glow(pair) {
    let after = -1;
    this.elements.forEach((element, i) => {
      const opens = pair !== null && i > after && this.ids[i] === pair.left && this.ids[i + 1] === pair.right;
      if (opens) after = i + 1;
      const hot = i <= after;
      if (element.classList.contains("hot") !== hot) element.classList.toggle("hot", hot);
    });
  }

  holds(pair) {
    return this.ids.some((id, i) => id === pair.left && this.ids[i + 1] === pair.right);
  }
}

class Words {
  constructor(run, tiles, most) {
    this.element = make("div", "words");
    this.element.setAttribute("role", "list");
    this.element.setAttribute("aria-label", `Words of the corpus: ${run.title}`);
    const order = Array.from(run.frequencies.keys()).sort((a, b) => run.frequencies[b] - run.frequencies[a] || a - b);
    const shown = order.slice(0, most);
    // A corpus that is not split is one long word: it may fill the stage.
    const units = Math.round(Math.min(600, Math.max(32, 900 / Math.max(1, shown.length))));
    this.cards = shown.map((index) => new Card(run, tiles, index, units));
    this.element.append(...this.cards.map(({ element }) => element));
    const more = order.length - shown.length;
    if (more > 0) this.element.append(make("p", "more-words", `and ${more.toLocaleString("en")} more words, counted`));
    if (!order.length) this.element.append(make("p", "more-words", "The corpus has no words."));
  }

  // Merging only makes words narrower: with the size that they have now, the cards stand
  // still while their tiles move, and a merge is a layout of the touched cards only.
  fit(cut) {
    this.show(cut);
    this.settle(this.cards);
  }

  // One merge back: only the cards that it had changed may have become too small.
  widen(cut) {
    this.settle(this.show(cut));
  }

  settle(cards) {
    for (const { element } of cards) element.classList.remove("settled");
    const em = parseFloat(getComputedStyle(this.element).fontSize);
    const sizes = cards.map(({ element }) => [element.offsetWidth / em, element.offsetHeight / em]);
    cards.forEach(({ element }, i) => {
      element.style.setProperty("--wide", `${(sizes[i][0] + 0.05).toFixed(2)}em`);
      element.style.setProperty("--high", `${sizes[i][1].toFixed(2)}em`);
      element.classList.add("settled");
    });
  }

  // The cards that had to be drawn anew.
  show(cut) {
    return this.cards.filter((card) => {
      still(card);
      return card.show(cut);
    });
  }

  glow(pair) {
    for (const card of this.cards) card.glow(pair);
  }
}
