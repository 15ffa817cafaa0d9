// Time while playing: glow, fuse, rest, and again; and how many frames a second there were.

const GLOW = 250; // ms at speed 1
const FUSE = 300;
const REST = 200;
const FRAMES_OVER = 500; // ms between two measurements

class Clock {
  // `glow()`, `fuse(ms)` and `step()` act; `fuse` and `step` return false at the end.
  constructor(actions) {
    this.actions = actions;
    this.speed = "1";
  }

  start() {
    Object.assign(this, { phase: "glow", due: 0, frames: 0, since: performance.now() });
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }

  get running() {
    return Boolean(this.frame);
  }

  tick(now) {
    this.frame = requestAnimationFrame((next) => this.tick(next));
    this.measure(now);
    if (this.speed === "max") this.goOn(this.actions.step());
    else if (now >= this.due) this.turn(now);
  }

  turn(now) {
    const speed = Number(this.speed);
    // From when it was due, not from now: a late frame must not slow the beat.
    const from = now - this.due > GLOW ? now : this.due;
    if (this.phase === "glow") {
      this.actions.glow();
      this.phase = "fuse";
      this.due = from + GLOW / speed;
    } else {
      this.phase = "glow";
      this.due = from + (FUSE + REST) / speed;
      this.goOn(this.actions.fuse(FUSE / speed));
    }
  }

  goOn(more) {
    if (!more) this.actions.end();
  }

  measure(now) {
    this.frames++;
    const passed = now - this.since;
    if (passed < FRAMES_OVER) return;
    this.actions.measured(Math.round((this.frames * 1000) / passed));
    this.frames = 0;
    this.since = now;
  }
}
