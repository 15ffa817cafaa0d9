// The player: lanes on a stage; and the function that Streamlit calls.

const KEYS = [
  ...STEP_KEYS,
  ["↑ ↓ in the list", "token before, token after"],
  ["Enter in the list", "go to its merge"],
  ["T in the list", "its tree"],
];

class Player extends Stepper {
  constructor(root) {
    super(root, { title: "Play the training", keys: KEYS });
    this.lanes = [];
    this.tree = new TreeDialog((step) => this.jump(step));
    this.charts = new ChartMarks();
    this.stage = make("div", "stage");
    root.replaceChildren(this.stage, this.transport.element, this.tree.element, this.keys, this.live);
    this.resizing = new ResizeObserver(() => this.onResize());
    this.resizing.observe(root);
  }

  get predicting() {
    return this.model.predict;
  }

  get waits() {
    return this.predicting;
  }

  update(model) {
    const before = this.model;
    this.model = model;
    this.charts.keys = model.chartKeys;
    this.takeOver(before, model);
    this.playAsked();
  }

  takeOver(before, model) {
    if (before?.speedVersion !== model.speedVersion) this.clock.speed = model.speed;
    if (before?.serial !== model.serial) return this.build(before ? null : placeOf(model));
    if (before.tried !== model.tried) this.tryAgain(model);
    if (before.projector !== model.projector) this.relay();
    if (before.predict !== model.predict) this.lanes.forEach((lane) => lane.restart());
    this.afterStep();
    if (before.version !== model.version) this.jumpTo(model.step);
    this.showTransport();
    return undefined;
  }

  // Once for each time that the page asked for it, also if the stage is built anew later.
  playAsked() {
    const { key, play } = this.model;
    if (!play || this.granted === play || played(key) === String(play)) return;
    this.granted = play;
    remember(`played:${key}`, String(play));
    this.jumpTo(0);
    if (!this.predicting) this.toggle();
    // Space must pause, not press the button that asked.
    this.root.focus({ preventScroll: true });
  }

  // `kept` is where the person left the page, if that is newer than what Python knows.
  build(kept) {
    this.clock.stop();
    const { runs, read, names } = this.model;
    this.lanes = runs.map((run) => new Lane(this, new Run(run, read), names));
    this.count = Math.max(...this.lanes.map(({ run }) => run.count));
    this.stage.replaceChildren(...this.lanes.map(({ element }) => element));
    this.relay();
    this.begin(kept);
  }

  tryAgain({ runs, read }) {
    this.lanes.forEach((lane, i) => {
      lane.run.setTrial(runs[i], read);
      lane.trial.renew();
      lane.trial.show(lane.step);
    });
  }

  // The size of the stage, or of its type, is another: cards are measured again.
  relay() {
    const { projector } = this.model;
    this.root.classList.toggle("projector", projector);
    this.root.dataset.lanes = this.lanes.length;
    this.narrow = this.root.clientWidth < 560;
    this.width = this.root.clientWidth;
    const many = this.lanes.length > 1;
    const most = many ? (projector || this.narrow ? 8 : 20) : this.narrow ? 24 : projector ? 40 : 60;
    for (const lane of this.lanes) lane.layOut(most);
  }

  onResize() {
    if (!this.lanes.length || Math.abs(this.root.clientWidth - this.width) < 2) return;
    clearTimeout(this.resized);
    this.resized = setTimeout(() => {
      this.relay();
      this.afterStep();
    }, 150);
  }

  draw(step, how) {
    for (const lane of this.lanes) lane.show(step, how);
  }

  glow() {
    for (const lane of this.lanes) lane.glow(true);
  }

  afterStep() {
    super.afterStep();
    this.root.dataset.predict = this.predicting ? (this.lanes[0].hidden ? "hidden" : "revealed") : "off";
    this.charts.mark(this.step);
  }

  // A hidden pair is shown before it is merged.
  openHidden() {
    const lane = this.lanes[0];
    if (!lane?.hidden) return false;
    lane.predict.open();
    return true;
  }

  revealed() {
    this.root.dataset.predict = "revealed";
  }

  // While the slider is pulled back and forth the cards stand still at their widest.
  beginPull() {
    this.lanes.forEach((lane) => lane.refit(0));
  }

  endPull() {
    this.lanes.forEach((lane) => lane.refit(lane.step));
  }

  said() {
    return this.lanes.map((lane) => (this.lanes.length > 1 ? `${lane.run.title}: ` : "") + lane.said()).join(" ");
  }

  stop() {
    super.stop();
    this.charts.stop();
    this.resizing.disconnect();
    clearTimeout(this.resized);
  }
}

export default mounted("player", Player, unpack);
