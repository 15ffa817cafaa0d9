// What is watched step by step: transport, keys, clock, the slider, and what Python is told of it.
// A player says how a step is drawn (`draw`, `glow`), what is said of it (`said`), how many steps
// there are (`count`), and where they are no merges what they are (`words`, `speeds`, `makeClock`).

const SAY_EVERY = 1500; // ms between two spoken sentences while playing

class Stepper {
  constructor(root, { title, keys }) {
    this.root = root;
    root.tabIndex = -1;
    this.step = this.count = 0;
    this.title = title;
    this.keys = keysDialog(keys);
    this.live = make("p", "offscreen live");
    this.live.setAttribute("aria-live", "polite");
    this.transport = new Transport(this);
    this.keyboard = new Keyboard(this);
    this.clock = this.makeClock({
      glow: () => this.glow(),
      fuse: (ms) => this.advance({ fuse: ms, moves: true }),
      step: () => this.advance({}),
      end: () => this.pause(),
      measured: (fps) => (root.dataset.fps = fps),
    });
  }

  get words() {
    return { one: "merge", made: "Merges made" };
  }

  // Beside the slider.
  placeInWords(step, count) {
    return `step ${step.toLocaleString("en")} of ${count.toLocaleString("en")}`;
  }

  get speeds() {
    return SPEEDS;
  }

  makeClock(actions) {
    return new Clock(actions);
  }

  get playing() {
    return this.clock.running;
  }

  // Whether each step waits for the person, so that nothing plays on by itself.
  get waits() {
    return false;
  }

  // Shows what is hidden before the next step; false if nothing is.
  openHidden() {
    return false;
  }

  beginPull() {}

  endPull() {}

  // The first step to show: where the person left the page, or what Python asks for.
  begin(kept) {
    if (kept) this.clock.speed = kept.speed;
    this.jumpTo(kept?.step ?? this.model.step);
    if (kept && kept.step !== this.model.step) this.reportSoon();
  }

  jumpTo(step) {
    this.clock.stop();
    this.goTo(step, { fit: true });
  }

  goTo(step, how) {
    this.step = Math.max(0, Math.min(this.count, step));
    this.root.classList.toggle("swift", !how.moves);
    this.draw(this.step, how);
    this.afterStep();
  }

  afterStep() {
    if (!this.playing) this.glow();
    this.root.dataset.step = this.step;
    this.showTransport();
    this.say();
  }

  // The next merge while playing; false at the end, or where a guess is waited for.
  advance(how) {
    if (!this.root.isConnected) return this.clock.stop() ?? true;
    this.goTo(this.step + 1, how);
    return this.step < this.count && !this.waits;
  }

  stepOn() {
    if (this.openHidden()) return;
    this.pause();
    if (this.step < this.count) this.goTo(this.step + 1, { fuse: FUSE, moves: true });
    this.reportSoon();
  }

  jump(step) {
    this.pause();
    this.goTo(step, { fit: Math.abs(step - this.step) > 1 });
    this.reportSoon();
  }

  // The slider: one drawing a frame, however fast it is pulled.
  scrub(step) {
    if (this.playing) this.clock.stop();
    if (!this.pulling) this.beginPull();
    this.pulling = true;
    this.wanted = step;
    this.scrubbing ||= requestAnimationFrame(() => {
      this.scrubbing = 0;
      this.goTo(this.wanted, {});
    });
  }

  letGo() {
    this.pulling = false;
    this.endPull();
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
    const { speeds } = this;
    const at = speeds.findIndex(([value]) => value === this.clock.speed);
    this.setSpeed(speeds[Math.max(0, Math.min(speeds.length - 1, at + way))][0]);
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
      this.live.textContent = this.said();
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
    if (!this.model) return;
    const { key, serial, version } = this.model;
    const place = { serial, version, step: this.step, speed: this.clock.speed };
    remember(`player:${key}`, JSON.stringify(place));
  }

  stop() {
    this.clock.stop();
    this.keyboard.stop();
    for (const timer of [this.saying, this.reporting]) clearTimeout(timer);
  }
}

// The function that Streamlit calls: one player for each element, updated with what comes.
function mounted(name, Kind, unpack) {
  const players = new WeakMap();
  return function ({ data, parentElement, setStateValue, setTriggerValue }) {
    let player = players.get(parentElement);
    if (!player) {
      const root = make("div", name);
      parentElement.append(root);
      player = new Kind(root);
      players.set(parentElement, player);
    }
    player.tell = setStateValue;
    player.trigger = setTriggerValue;
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
  };
}
