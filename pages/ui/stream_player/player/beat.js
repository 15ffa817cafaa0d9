// Time while playing: so many tokens a second, in real time, however many frames there are.

const LATE = 1000; // ms without a frame: a hidden tab does not catch up with what it missed
const MEASURED = 500; // ms between two measurements

class Beat {
  // `advance(n)` shows n more tokens and returns false at the end.
  constructor(actions) {
    this.actions = actions;
    this.rate = "5";
    this.frame = 0;
  }

  get speed() {
    return this.rate;
  }

  set speed(rate) {
    this.rate = rate;
    this.rebase(performance.now());
  }

  get running() {
    return Boolean(this.frame);
  }

  start() {
    this.rebase(performance.now());
    Object.assign(this, { frames: 0, since: this.begun });
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }

  rebase(now) {
    Object.assign(this, { begun: now, last: now, done: 0 });
  }

  tick(now) {
    this.frame = requestAnimationFrame((next) => this.tick(next));
    this.measure(now);
    if (now - this.last > LATE) this.rebase(now);
    this.last = now;
    const due = Math.floor(((now - this.begun) / 1000) * Number(this.rate)) - this.done;
    if (due < 1) return;
    this.done += due;
    if (!this.actions.advance(due)) this.actions.end();
  }

  measure(now) {
    this.frames++;
    const passed = now - this.since;
    if (passed < MEASURED) return;
    this.actions.measured(Math.round((this.frames * 1000) / passed));
    Object.assign(this, { frames: 0, since: now });
  }
}
