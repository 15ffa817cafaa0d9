// One way: the text shown so far, the bytes it holds, and its work.

const GHOSTS = 300; // tokens up to which the room of the whole text is kept free from the start
const GROUP = 64; // what came so many tokens ago is drawn as one: fewer elements to lay out

class WayPanel {
  constructor(way) {
    this.way = way;
    Object.assign(this, { chunks: [], groups: [], at: 0, settled: 0 });
    this.element = make("section", "way");
    this.element.dataset.way = way.name;
    this.element.setAttribute("aria-label", way.title);
    const head = make("div", "way-head");
    head.append(make("h3", "way-title", way.title), make("p", "way-about", way.about));
    this.text = make("div", "streamed");
    this.text.dir = "auto";
    this.screen = make("div", "screen");
    this.screen.tabIndex = 0;
    this.screen.setAttribute("role", "group");
    this.screen.setAttribute("aria-label", `${way.title}: text shown so far`);
    this.screen.append(this.ghost(), this.text);
    this.held = make("p", "held");
    this.numbers = make("dl", "way-numbers");
    this.values = ["work", "calls", "waited", "longest"].map((name) => this.number(name));
    this.element.append(head, this.screen, this.held, this.numbers);
  }

  number(name) {
    const words = { work: "bytes decoded", calls: "calls", waited: "silent tokens", longest: "longest wait" };
    const value = make("dd", "number");
    value.dataset.count = name;
    const box = make("div", "way-number");
    box.append(make("dt", "", words[name]), value);
    this.numbers.append(box);
    return value;
  }

  // Takes the room of the whole text, so that nothing moves while it comes.
  ghost() {
    const ghost = make("div", "streamed ghost");
    ghost.setAttribute("aria-hidden", "true");
    ghost.dir = "auto";
    const { way } = this;
    if (way.shown.length > GHOSTS) ghost.classList.add("full");
    else ghost.append(this.drawn(0, way.shown.length));
    return ghost;
  }

  // What was shown from one token to another.
  drawn(from, to) {
    const chunk = make("span", "chunk");
    const marks = this.way.marks.slice(from, to).flatMap((each) => Array.from(each));
    drawStreamed(chunk, this.way.shown.slice(from, to).join(""), marks, this.way.streamed.names);
    return chunk;
  }

  chunk(i) {
    return (this.chunks[i] ??= this.drawn(i, i + 1));
  }

  group(g) {
    return (this.groups[g] ??= this.drawn(g * GROUP, (g + 1) * GROUP));
  }

  show(step, speed) {
    this.showText(step);
    this.showHeld(step);
    this.showNumbers(step, speed);
  }

  showText(step) {
    const settled = Math.max(0, Math.floor((step - 1) / GROUP));
    const from = settled === this.settled && step >= this.at ? this.at : settled * GROUP;
    this.latest?.classList.remove("new");
    const chunks = Array.from({ length: step - from }, (_, i) => this.chunk(from + i));
    if (from === this.at && settled === this.settled) this.text.append(...chunks);
    else this.text.replaceChildren(...Array.from({ length: settled }, (_, g) => this.group(g)), ...chunks);
    Object.assign(this, { at: step, settled });
    this.latest = step && this.way.shown[step - 1] ? this.chunk(step - 1) : null;
    this.latest?.classList.add("new");
    this.element.dataset.waiting = step > 0 && this.way.isWaiting(step - 1);
  }

  // How far the text must be scrolled for its end to be seen.
  get end() {
    return Math.max(0, this.text.offsetTop + this.text.offsetHeight + 5 - this.screen.offsetHeight);
  }

  showHeld(step) {
    const { way } = this;
    const size = way.held(step);
    const end = step > way.streamed.count;
    this.held.classList.toggle("lost", end && size > 0);
    this.held.dataset.bytes = size;
    this.held.replaceChildren();
    if (size) drawHeld(this.held, way.streamed.tail(step, size), way.streamed.names);
    this.held.append(make("span", "held-words", this.heldWords(step, size, end)));
  }

  heldWords(step, size, end) {
    const { way } = this;
    if (end && size) return `lost: ${count(size, "byte")} never shown`;
    if (end) return `at the end: ${way.shown[step - 1] ? `what was held (${count(way.held(step - 1), "byte")}) is shown` : "nothing was held"}`;
    if (!size) return "nothing held";
    return `${count(size, "byte")} held`;
  }

  showNumbers(step, speed) {
    const { way } = this;
    const [work, calls, waited, longest] = this.values;
    const turned = step ? way.work[step - 1] : 0;
    const arrived = way.streamed.arrived[Math.min(step, way.streamed.count)];
    const times = arrived ? ` (${(turned / arrived).toFixed(1)}×)` : "";
    set(work, turned.toLocaleString("en") + times);
    set(calls, (step ? way.calls[step - 1] : 0).toLocaleString("en"));
    set(waited, way.waited[step].toLocaleString("en"));
    const most = way.longest[step];
    set(longest, most ? `${count(most, "token")} (${seconds(most, speed)})` : "none");
  }

  // What it did with the last token, for reading aloud.
  said(step) {
    const { way } = this;
    const wrong = way.marks[step - 1].some(Boolean);
    const size = way.held(step);
    if (step > way.streamed.count && size) return `${way.title} loses ${count(size, "byte")}`;
    if (!way.shown[step - 1]) return size ? `${way.title} waits with ${count(size, "byte")}` : `${way.title} shows nothing`;
    return `${way.title} shows ${wrong ? "a wrong sign" : `'${saidText(shorten(way.shown[step - 1], 40))}'`}`;
  }
}
