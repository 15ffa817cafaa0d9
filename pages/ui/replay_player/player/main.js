// The player of one piece: one or two lanes that step together.

class ReplayPlayer extends Stepper {
  constructor(root) {
    super(root, { title: "Play the merges", keys: STEP_KEYS });
    root.classList.add("replay");
    this.lanes = [];
    this.stage = make("div", "stage");
    root.replaceChildren(this.stage, this.transport.element, this.keys, this.live);
    this.resizing = new ResizeObserver(() => this.onResize());
    this.resizing.observe(root);
  }

  update(model) {
    const before = this.model;
    this.model = model;
    this.root.classList.toggle("projector", model.projector);
    if (before?.serial !== model.serial) return this.build(before ? null : placeOf(model));
    if (before.projector !== model.projector || before.hood !== model.hood) this.relay();
    if (before.version !== model.version) this.jumpTo(model.step);
    this.afterStep();
    return undefined;
  }

  build(kept) {
    this.clock.stop();
    const { lanes, read, names } = this.model;
    this.lanes = lanes.map((header) => new Lane(this, new Played(header, read), names));
    this.count = Math.max(...this.lanes.map(({ played }) => played.count));
    this.root.dataset.lanes = this.lanes.length;
    this.stage.replaceChildren(...this.lanes.map(({ element }) => element));
    this.relay();
    this.begin(kept);
  }

  relay() {
    this.width = this.root.clientWidth;
    const rows = Math.max(...this.lanes.map(({ played }) => played.mostCandidates));
    const high = Math.max(...this.lanes.map((lane) => lane.layOut(rows)));
    // The same in all lanes, so that their parts stand side by side.
    for (const { row } of this.lanes) row.element.style.minHeight = `${high}px`;
  }

  onResize() {
    if (!this.lanes.length || Math.abs(this.root.clientWidth - this.width) < 2) return;
    clearTimeout(this.resized);
    this.resized = setTimeout(() => {
      this.relay();
      this.afterStep();
    }, 150);
  }

  draw(step) {
    for (const lane of this.lanes) lane.show(step);
  }

  glow() {
    for (const lane of this.lanes) lane.glow(true);
  }

  said() {
    return this.lanes.map((lane) => (this.lanes.length > 1 ? `${lane.played.title}: ` : "") + lane.said()).join(" ");
  }

  stop() {
    super.stop();
    this.resizing.disconnect();
    clearTimeout(this.resized);
  }
}

export default mounted("player", ReplayPlayer, (block) => readBlock(block, "TKR1"));
