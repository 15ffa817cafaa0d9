// The numbers of a step: one large, the others beside it.

class Counters {
  constructor(tiles) {
    this.tiles = tiles;
    this.element = make("div", "counters");
    this.tokens = this.number("tokens", "tokens in the corpus", "large");
    const small = make("dl", "small-numbers");
    this.small = small;
    this.element.append(small);
    this.bytes = this.number("bytes-per-token", "bytes per token");
    this.vocabulary = this.number("vocabulary", "vocabulary size");
    this.step = this.number("step", "merges made");
    this.next = make("dd", "number next-pair");
    small.append(wrapped(make("dt", "", "next pair"), this.next));
  }

  number(name, words, large) {
    const value = make(large ? "span" : "dd", "number");
    value.dataset.counter = name;
    if (large) {
      const line = make("p", "large-number");
      line.append(value, " ", make("span", "unit", words));
      this.element.append(line);
    } else this.small.append(wrapped(make("dt", "", words), value));
    return value;
  }

  show(state, count, hidden) {
    set(this.tokens, state.tokens.toLocaleString("en"));
    set(this.bytes, state.bytesPerToken.toFixed(2));
    set(this.vocabulary, state.vocabulary.toLocaleString("en"));
    set(this.step, `${state.step.toLocaleString("en")} of ${count.toLocaleString("en")}`);
    this.showNext(state.next, hidden);
  }

  showNext(next, hidden) {
    if (!next) set(this.next, "none");
    else if (hidden) set(this.next, "?");
    else this.next.replaceChildren(this.tiles.tile(next.left), this.tiles.tile(next.right));
  }
}

function wrapped(...nodes) {
  const box = make("div", "small-number");
  box.append(...nodes);
  return box;
}
