// One run on the stage: numbers, words, bars, learned tokens. A race has two or three.

class Lane {
  constructor(player, run, names) {
    Object.assign(this, { player, run, step: -1 });
    this.tiles = new Tiles(run.tokens, run.baseSize, names);
    this.element = make("section", "lane");
    this.element.setAttribute("aria-label", run.title);
    this.heading = make("h2", "lane-title", run.title);
    this.counters = new Counters(this.tiles);
    this.bars = new Bars(this.tiles);
    const jump = (step) => player.jump(step);
    const openTree = (rank) => player.tree.open(run, this.tiles, rank);
    this.learned = new Learned(run, this.tiles, { jump, openTree });
    this.predict = new Predict(run, this.tiles, () => this.reveal());
    this.trial = new Trial(run, this.tiles);
    this.sentence = make("p", "sentence");
    this.faults = make("ul", "faults");
    this.faults.setAttribute("role", "alert");
    this.side = make("div", "side");
    this.side.append(this.predict.element, this.bars.element);
    this.picture = make("div", "picture-row");
    const head = make("div", "lane-head");
    head.append(this.counters.element, this.sentence);
    this.element.append(this.heading, head, this.faults, this.picture, this.trial.element);
  }

  // The cards, as many as there is room for; laid out once the lane is in the page.
  layOut(most) {
    this.words = new Words(this.run, this.tiles, most);
    this.words.element.addEventListener("click", (event) => this.onTile(event));
    this.picture.replaceChildren(this.words.element, this.side, this.learned.element);
    this.learned.restyle();
    this.state ??= this.run.at(0);
    this.refit(this.state.step);
  }

  // Cards of the size that their words have at this step, or had at an earlier one.
  refit(step) {
    const { run, words } = this;
    words.fit(run.corpus.at(step, run.corpus.emptyCut()));
    words.show(this.state.cut);
    this.fitted = step;
  }

  widen(step) {
    this.words.widen(this.state.cut);
    this.fitted = step;
  }

  // Predicting begins or ends at this step.
  restart() {
    this.predict.reset();
    if (this.player.predicting) this.predict.hide(this.state);
    this.showNumbers(false);
  }

  // `fuse` is how long tiles take to slide together, 0 for the state alone; with `fit` the
  // cards are laid out for this step.
  show(wanted, { fuse: duration = 0, moves = false, fit = false }) {
    const step = Math.min(wanted, this.run.count);
    if (step === this.step) return;
    const forward = step === this.step + 1;
    this.step = step;
    this.state = this.run.at(step);
    if (forward && duration) fuse(this.words, this.state.cut, this.run.next(step - 1), duration);
    else if (fit) this.refit(step);
    else if (step < this.fitted) this.widen(step);
    else this.words.show(this.state.cut);
    if (this.player.predicting) this.predict.hide(this.state);
    this.showNumbers(moves);
    this.learned.show(step, moves);
    this.trial.show(step);
    this.glow(false);
  }

  get hidden() {
    return this.player.predicting && this.predict.hidden;
  }

  showNumbers(moves) {
    this.counters.show(this.state, this.run.count, this.hidden);
    this.predict.element.hidden = !this.player.predicting;
    if (this.hidden) this.bars.clear("The counts are hidden until you have guessed.");
    else this.bars.show(this.state, this.run.ties, moves);
    this.faults.replaceChildren(...this.state.faults.map((words) => make("li", "", words)));
    this.sentence.replaceChildren(...this.sentenceNodes());
  }

  reveal() {
    this.showNumbers(true);
    this.glow(true);
    this.player.revealed();
  }

  glow(on) {
    this.words.glow(on && !this.hidden ? this.state.next : null);
  }

  onTile(event) {
    const tile = event.target.closest("[data-tile]");
    if (!tile || !this.hidden) return;
    const index = Number(tile.closest("[data-word]").dataset.word);
    this.predict.pick(this.words.cards.find((card) => card.index === index), Number(tile.dataset.tile));
  }

  // What the last merge did, for reading aloud.
  said() {
    const { step } = this;
    const { lefts, rights, newIds } = this.run.merges;
    if (!step) return this.beginning();
    const [left, right, made] = [lefts, rights, newIds].map((ids) => this.tiles.said(ids[step - 1]));
    return `merge ${step}: ${left} + ${right} → ${made}, ${this.times()}`;
  }

  beginning() {
    const words = this.run.frequencies.length;
    return `Before the first merge: ${words.toLocaleString("en")} different words, each cut into its base units.`;
  }

  times() {
    const { pairCounts, merged, tied } = this.run.merges;
    const rank = this.step - 1;
    const count = pairCounts[rank];
    const parts = [`${count.toLocaleString("en")} ${count === 1 ? "time" : "times"}`];
    if (merged[rank] !== count) parts.push(`merged at ${merged[rank].toLocaleString("en")} places, since they overlap`);
    if (tied[rank] > 1) parts.push(`one of ${tied[rank].toLocaleString("en")} pairs with that count`);
    const end = this.step === this.run.count && this.run.stopped ? ` ${this.run.stopped}` : "";
    return `${parts.join(", ")}.${end}`;
  }

  sentenceNodes() {
    const { step } = this;
    if (!step) return [this.run.count ? this.beginning() : `${this.beginning()} ${this.run.stopped}`];
    const { lefts, rights, newIds } = this.run.merges;
    const [left, right, made] = [lefts, rights, newIds].map((ids) => this.tiles.tile(ids[step - 1]));
    return [`merge ${step.toLocaleString("en")}: `, left, " + ", right, " → ", made, `, ${this.times()}`];
  }
}
