// A line at the current step in native charts of the page. `window.Plotly` is there once
// Streamlit has drawn a chart; nobody promises it, so without it there is no line.

const MARK = "step of the player";
const LATER = 500; // ms until a chart that is not there yet is looked for again
const TRIES = 40;
const WAIT = 80; // ms between two rounds while playing: a line costs about ten

class ChartMarks {
  constructor() {
    this.keys = [];
    this.turn = this.tries = 0;
    // Below the stage nobody sees the lines: each is drawn when its chart comes into sight.
    this.scrolled = () => {
      this.done = undefined;
      this.mark(this.step);
    };
    document.addEventListener("scroll", this.scrolled, { capture: true, passive: true });
  }

  mark(step) {
    this.step = step;
    if (!this.keys.length || this.frame) return;
    this.frame = requestAnimationFrame((now) => this.draw(now));
  }

  // One chart a frame, so that no frame is late by four charts.
  draw(now) {
    this.frame = 0;
    if (!window.Plotly?.relayout) return void this.later();
    if (this.turn === 0 && this.done === this.step) return;
    if (this.turn === 0 && now - (this.last ?? 0) < WAIT) return void this.again();
    if (this.turn === 0) Object.assign(this, { last: now, drawing: this.step });
    const chart = chartOf(this.keys[this.turn]);
    if (!chart || (inSight(chart) && !drawMark(chart, this.drawing))) this.later();
    this.turn = (this.turn + 1) % this.keys.length;
    if (this.turn === 0) this.done = this.drawing;
    this.again();
  }

  again() {
    this.frame = requestAnimationFrame((now) => this.draw(now));
  }

  // Charts come after the stage, and Plotly with the first of them.
  later() {
    if (this.waiting || this.tries >= TRIES) return;
    this.tries++;
    this.waiting = setTimeout(() => {
      this.waiting = this.done = undefined;
      this.mark(this.step);
    }, LATER);
  }

  stop() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.waiting);
    document.removeEventListener("scroll", this.scrolled, { capture: true });
    this.frame = 0;
  }
}

function chartOf(key) {
  const chart = document.querySelector(`.st-key-${CSS.escape(key)} .js-plotly-plot`);
  return chart?.layout ? chart : null;
}

function inSight(chart) {
  const { top, bottom } = chart.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

function drawMark(chart, step) {
  const shapes = chart.layout.shapes ?? [];
  if (shapes.some(({ name, x0 }) => name === MARK && x0 === step)) return true;
  const others = shapes.filter(({ name }) => name !== MARK);
  const logarithmic = chart._fullLayout?.xaxis?.type === "log";
  const line = {
    name: MARK, type: "line", xref: "x", yref: "paper", x0: step, x1: step, y0: 0, y1: 1,
    visible: !(logarithmic && step < 1),
    line: { width: 2, dash: "dot", color: getComputedStyle(chart).getPropertyValue("--st-primary-color") || "#1f5fa8" },
  };
  // A chart that is just being replaced may refuse; the next round finds the new one.
  try {
    window.Plotly.relayout(chart, { shapes: [...others, line] })?.catch?.(() => {});
  } catch {
    return false;
  }
  return true;
}
