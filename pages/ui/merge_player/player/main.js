// The player: lanes, transport, keys, clock; and the function that Streamlit calls.

const SAY_EVERY = 1500; // ms between two spoken sentences while playing

class Player {
  constructor(root) {
    this.root = root;
    root.tabIndex = -1;
    this.lanes = [];
    this.tree = new TreeDialog((step) => this.jump(step));
    this.keys = keysDialog();
    this.live = make("p", "offscreen live");
    this.live.setAttribute("aria-live", "polite");
    this.stage = make("div", "stage");
    this.transport = new Transport(this);
    this.keyboard = new Keyboard(this);
    this.charts = new ChartMarks();
    this.clock = new Clock({
      glow: () => this.lanes.forEach((lane) => lane.glow(true)),
      fuse: (ms) => this.advance({ fuse: ms, moves: true }),
      step: () => this.advance({}),
      end: () => this.pause(),
      measured: (fps) => (root.dataset.fps = fps),
    });
    root.replaceChildren(this.stage, this.transport.element, this.tree.element, this.keys, this.live);
    this.resizing = new ResizeObserver(() => this.onResize());
    this.resizing.observe(root);
  }

  get playing() {
    return this.clock.running;
  }

  get predicting() {
    return this.model.predict;
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
    if (kept) this.clock.speed = kept.speed;
    this.jumpTo(kept?.step ?? this.model.step);
    if (kept && kept.step !== this.model.step) this.reportSoon();
  }

  jumpTo(step) {
    this.clock.stop();
    this.goTo(step, { fit: true });
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
    const most = many ? (projector || this.narrow ? 8 : 20) : projector || this.narrow ? 24 : 60;
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

  goTo(step, how) {
    const to = Math.max(0, Math.min(this.count, step));
    this.step = to;
    this.root.classList.toggle("swift", !how.moves);
    for (const lane of this.lanes) lane.show(to, how);
    this.afterStep();
  }

  afterStep() {
    if (!this.playing) this.lanes.forEach((lane) => lane.glow(true));
    this.root.dataset.step = this.step;
    this.root.dataset.predict = this.predicting ? (this.lanes[0].hidden ? "hidden" : "revealed") : "off";
    this.showTransport();
    this.charts.mark(this.step);
    this.say();
  }

  // The next merge while playing; false at the end, or where a guess is waited for.
  advance(how) {
    if (!this.root.isConnected) return this.clock.stop() ?? true;
    this.goTo(this.step + 1, how);
    return this.step < this.count && !this.predicting;
  }

  stepOn() {
    if (this.openHidden()) return;
    this.pause();
    if (this.step < this.count) this.goTo(this.step + 1, { fuse: FUSE, moves: true });
    this.reportSoon();
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

  jump(step) {
    this.pause();
    this.goTo(step, { fit: Math.abs(step - this.step) > 1 });
    this.reportSoon();
  }

  // The slider: one drawing a frame, however fast it is pulled.
  scrub(step) {
    if (this.playing) this.clock.stop();
    // While the slider is pulled back and forth the cards stand still at their widest.
    if (!this.pulling) this.lanes.forEach((lane) => lane.refit(0));
    this.pulling = true;
    this.wanted = step;
    this.scrubbing ||= requestAnimationFrame(() => {
      this.scrubbing = 0;
      const began = performance.now();
      this.goTo(this.wanted, {});
      this.root.dataset.scrubMs = (performance.now() - began).toFixed(1);
    });
  }

  letGo() {
    this.pulling = false;
    this.lanes.forEach((lane) => lane.refit(lane.step));
    this.afterStep();
    this.report();
  }

  toggle() {
    if (this.playing) return this.pause();
    if (this.openHidden()) return undefined;
    if (this.step >= this.count) this.jumpTo(0);
    this.clock.start();
    return this.showTransport();
  }

  pause() {
    const was = this.playing;
    this.clock.stop();
    if (!was) return;
    this.afterStep();
    this.report();
  }

  setSpeed(speed) {
    this.clock.speed = speed;
    this.showTransport();
    this.report();
  }

  changeSpeed(way) {
    const at = SPEEDS.findIndex(([value]) => value === this.clock.speed);
    this.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + way))][0]);
  }

  showTransport() {
    this.root.dataset.playing = this.playing;
    this.transport.show({ step: this.step, count: this.count, playing: this.playing, speed: this.clock.speed });
  }

  say() {
    const now = performance.now();
    clearTimeout(this.saying);
    const wait = this.playing ? Math.max(0, (this.saidAt ?? 0) + SAY_EVERY - now) : 150;
    this.saying = setTimeout(() => {
      this.saidAt = performance.now();
      this.live.textContent = this.lanes.map((lane) => (this.lanes.length > 1 ? `${lane.run.title}: ` : "") + lane.said()).join(" ");
    }, wait);
  }

  reportSoon() {
    clearTimeout(this.reporting);
    this.reporting = setTimeout(() => this.report(), 300);
  }

  report() {
    clearTimeout(this.reporting);
    if (this.scrubbing) return this.reportSoon();
    const place = { step: this.step, playing: this.playing, speed: this.clock.speed, version: this.model.version };
    const words = JSON.stringify(place);
    if (words === this.reported) return undefined;
    this.reported = words;
    this.keepPlace();
    return this.tell("place", place);
  }

  keepPlace() {
    if (!this.lanes.length) return;
    const { key, serial, version } = this.model;
    const place = { serial, version, step: this.step, speed: this.clock.speed };
    remember(`player:${key}`, JSON.stringify(place));
  }

  stop() {
    this.clock.stop();
    this.charts.stop();
    this.keyboard.stop();
    this.resizing.disconnect();
    for (const timer of [this.saying, this.reporting, this.resized]) clearTimeout(timer);
  }
}

const players = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  let player = players.get(parentElement);
  if (!player) {
    const root = make("div", "player");
    parentElement.append(root);
    player = new Player(root);
    players.set(parentElement, player);
  }
  player.tell = setStateValue;
  const began = performance.now();
  player.update(unpack(data));
  player.root.dataset.updateMs = Math.round(performance.now() - began);
  return () => {
    player.keepPlace();
    // Streamlit also calls this before it runs the function again on the same element.
    setTimeout(() => {
      if (player.root.isConnected) return;
      player.stop();
      players.delete(parentElement);
    });
  };
}
