// One tokenizer's way through the piece.

const BESIDE_PAIRS = 12; // units: up to here the tree stands beside the pairs

class Lane {
  constructor(player, played, names) {
    Object.assign(this, { player, played, names });
    this.element = make("section", "lane");
    this.element.setAttribute("aria-label", played.title);
    this.row = new PartsRow(this);
    this.candidates = new Candidates(this);
    this.tree = new MergeTree(this);
    this.hood = new Hood(this);
    this.sentence = make("p", "sentence");
    this.counters = make("div", "counters");
    this.number = make("b", "number");
    this.unit = make("span", "unit");
    const large = make("div", "large-number");
    large.append(this.number, " ", this.unit);
    this.counters.append(large);
    const head = make("div", "replay-head");
    head.append(this.counters, this.sentence);
    const picture = make("div", played.size > BESIDE_PAIRS ? "replay-row" : "replay-row narrow");
    picture.append(this.tree.element, this.candidates.element);
    this.element.append(make("h2", "lane-title", played.title), head, this.row.element, picture, this.hood.element);
  }

  // How high the row of tokens gets, since nothing below it may jump: at first it has the most
  // tokens; of a long piece, which is drawn in part, the last ones are the widest.
  // `rows` are kept free for pairs, as many in all lanes. Returns the height of the row of tokens.
  layOut(rows) {
    const at = this.step ?? 0;
    this.row.element.style.minHeight = "";
    this.show(0);
    this.candidates.reserve(rows);
    let high = this.row.element.offsetHeight;
    if (this.played.size > MOST_PARTS) {
      this.show(this.played.count);
      high = Math.max(high, this.row.element.offsetHeight);
    }
    this.show(at);
    return high;
  }

  show(wanted) {
    const { played } = this;
    const step = Math.min(wanted, played.count);
    this.step = step;
    const parts = played.parts(step);
    const pairs = played.candidates(step, parts);
    const next = played.merge(step);
    const made = step ? played.nodes[played.size + step - 1] : null;
    const state = { step, parts, pairs, next, made, around: next?.position ?? made?.start ?? 0, ended: step >= played.count };
    this.state = state;
    this.row.show(state);
    this.candidates.show(pairs);
    this.tree.show(state);
    this.hood.element.hidden = !this.player.model.hood;
    if (this.player.model.hood) this.hood.show(state);
    set(this.number, parts.length.toLocaleString("en"));
    set(this.unit, `${parts.length === 1 ? "token" : "tokens"} after ${count(step, "merge")} of ${played.count.toLocaleString("en")}`);
    this.element.dataset.ids = parts.slice(0, 200).map(idWords).join(" ");
    this.showSentence(state);
  }

  glow(on) {
    this.row.glow(on);
  }

  showSentence({ next, pairs, parts }) {
    const pair = pairs.next;
    if (!pair) {
      this.sentence.replaceChildren(this.endWords(parts));
      return;
    }
    const made = make("span", `tile hue-${next.id % 6}`);
    drawBytes(made, this.played.joined(pair.left, pair.right), this.names);
    this.sentence.replaceChildren("Next: ", partTile(this, pair.left), " + ", partTile(this, pair.right), " → ", made, ` by rank ${next.rank.toLocaleString("en")}, id ${next.id}`);
  }

  endWords(parts) {
    const { whole, count: merges } = this.played;
    if (whole !== null) return `The whole piece is token ${whole}: it is looked up first, and no merge is applied. By merges alone it would be ${count(parts.length, "token")}.`;
    const ids = parts.slice(0, 12).map(idWords).join(", ") + (parts.length > 12 ? ", …" : "");
    const why = merges ? "No pair of neighbours is left in the table" : parts.length > 1 ? "No pair of neighbours is in the table" : "There is nothing to merge";
    return `${why}: the ids are ${ids}.`;
  }

  said() {
    const { made, parts, next } = this.state;
    const before = made ? `Merged ${made.parents.map((node) => saidToken(this.played.bytes(node))).join(" and ")} to ${saidToken(this.played.bytes(made))}, rank ${made.rank}. ` : "";
    const then = next ? `Next is rank ${next.rank}.` : this.endWords(parts);
    return `${before}${count(parts.length, "token")}. ${then}`;
  }
}
