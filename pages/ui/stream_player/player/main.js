// The player of a stream: four ways in step, as the tokens come.

const RATES = ["1", "2", "5", "10", "20", "50", "100", "200"];
const STREAM_KEYS = [
  ["Space", "play, pause"],
  ["→", "one token"],
  ["←", "one token back"],
  ["Home", "before the first token"],
  ["End", "after the end"],
  ["+ −", "faster, slower"],
  ["?", "this list"],
];

class StreamPlayer extends Stepper {
  constructor(root) {
    super(root, { title: "Play the stream", keys: STREAM_KEYS });
    root.classList.add("stream");
    this.panels = [];
    this.stage = make("div", "stage");
    root.replaceChildren(this.stage, this.transport.element, this.keys, this.live);
  }

  get words() {
    return { one: "token", made: "Tokens that have come" };
  }

  // The step after the last token is the end of the stream.
  placeInWords(step, count) {
    return step < count ? `token ${step.toLocaleString("en")} of ${(count - 1).toLocaleString("en")}` : "the end";
  }

  get speeds() {
    return RATES.map((rate) => [rate, rate === "1" ? "1 token/s" : `${rate} tokens/s`]);
  }

  makeClock({ end, measured }) {
    return new Beat({ advance: (tokens) => this.advanceBy(tokens), end, measured });
  }

  advanceBy(tokens) {
    if (!this.root.isConnected) return this.clock.stop() ?? true;
    this.goTo(this.step + tokens, { moves: true });
    return this.step < this.count;
  }

  update(model) {
    const before = this.model;
    this.model = model;
    this.root.classList.toggle("projector", model.projector);
    if (before?.speedVersion !== model.speedVersion) this.clock.speed = model.speed;
    if (before?.serial !== model.serial) return this.build(before ? null : placeOf(model));
    if (before.version !== model.version) this.jumpTo(model.step);
    return this.showTransport();
  }

  build(kept) {
    this.clock.stop();
    const streamed = new Streamed(this.model);
    this.count = streamed.count + 1;
    this.panels = streamed.ways.map((way) => new WayPanel(way));
    this.arriving = new Arriving(streamed);
    this.score = new Score(streamed, (step) => this.jump(step));
    this.table = new SpeedTable(this.model);
    const ways = make("div", "ways");
    ways.append(...this.panels.map(({ element }) => element));
    this.stage.replaceChildren(this.arriving.element, ways, this.score.element, this.table.element);
    this.begin(kept);
  }

  glow() {}

  draw(step) {
    this.arriving.show(step);
    for (const panel of this.panels) panel.show(step, this.clock.speed);
    this.score.show(step);
    // First all is written, then all is read: one layout and not one for each panel.
    const ends = this.panels.map(({ end }) => end);
    const place = this.score.place(step);
    this.panels.forEach(({ screen }, i) => (screen.scrollTop = ends[i]));
    this.score.follow(place);
  }

  setSpeed(speed) {
    super.setSpeed(speed);
    for (const panel of this.panels) panel.showNumbers(this.step, speed);
  }

  showTransport() {
    super.showTransport();
    this.table?.show(this.clock.speed);
  }

  said() {
    if (!this.step) return this.arriving.words(0);
    const { streamed } = this.arriving;
    const token = this.step > streamed.count ? "The end" : `Token ${this.step} of ${streamed.count}, ${saidToken(streamed.tokens[this.step - 1])}`;
    return `${token}: ${this.panels.map((panel) => panel.said(this.step)).join("; ")}.`;
  }
}

export default mounted("player", StreamPlayer, (block) => readBlock(block, "TKS1"));
