// Play, pause, step, back, first, last, the slider over all merges, and the speed.

const SPEEDS = [["0.5", "0.5×"], ["1", "1×"], ["2", "2×"], ["4", "4×"], ["8", "8×"], ["max", "max"]];
const ICONS = {
  first: "M5 5h2v14H5zM19 5v14l-10-7z",
  back: "M15 5v14l-9-7zM17 5h2v14h-2z",
  play: "M7 4v16l13-8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  step: "M9 5v14l9-7zM5 5h2v14H5z",
  last: "M17 5h2v14h-2zM5 5v14l10-7z",
};

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

class Transport {
  constructor(player) {
    this.player = player;
    this.element = make("div", "transport");
    this.element.setAttribute("role", "toolbar");
    this.element.setAttribute("aria-label", player.title);
    const buttons = make("div", "buttons");
    this.buttons = {
      first: this.button("first", "First (Home)", () => player.jump(0)),
      back: this.button("back", `One ${player.words.one} back (←)`, () => player.jump(player.step - 1)),
      play: this.button("play", "Play (space)", () => player.toggle()),
      step: this.button("step", `One ${player.words.one} (→)`, () => player.stepOn()),
      last: this.button("last", "Last (End)", () => player.jump(player.count)),
    };
    buttons.append(...Object.values(this.buttons));
    this.element.append(buttons, this.makeSlider(), this.makePlace(), this.makeSpeed(), this.makeHelp());
  }

  button(name, words, act) {
    const button = make("button", `control ${name}`);
    button.type = "button";
    button.dataset.control = name;
    button.title = words;
    button.setAttribute("aria-label", words);
    button.append(icon(name));
    button.addEventListener("click", (event) => {
      act();
      // After a click the keys belong to the stage: space must not press this button again.
      if (event.detail) this.player.root.focus({ preventScroll: true });
    });
    return button;
  }

  makeSlider() {
    this.slider = make("input", "slider");
    this.slider.type = "range";
    this.slider.min = 0;
    this.slider.step = 1;
    this.slider.setAttribute("aria-label", this.player.words.made);
    // A hand pulls it back and forth; a key moves it once, like the keys of the player.
    this.slider.addEventListener("pointerdown", () => (this.pulled = true));
    this.slider.addEventListener("input", () => {
      const step = Number(this.slider.value);
      if (this.pulled) this.player.scrub(step);
      else this.player.jump(step);
    });
    this.slider.addEventListener("change", () => {
      if (this.pulled) this.player.letGo();
      this.pulled = false;
    });
    return this.slider;
  }

  makePlace() {
    this.place = make("output", "place");
    return this.place;
  }

  makeSpeed() {
    const label = make("label", "speed");
    this.speed = make("select");
    this.speed.setAttribute("aria-label", "Speed");
    for (const [value, words] of this.player.speeds) this.speed.append(new Option(words, value));
    this.speed.addEventListener("change", () => this.player.setSpeed(this.speed.value));
    label.append(this.speed);
    return label;
  }

  makeHelp() {
    const help = make("button", "tool help", "Keys");
    help.type = "button";
    help.addEventListener("click", () => this.player.keys.showModal());
    return help;
  }

  show({ step, count, playing, speed }) {
    this.slider.max = count;
    this.slider.value = step;
    const place = this.player.placeInWords(step, count);
    this.slider.setAttribute("aria-valuetext", place);
    this.slider.style.setProperty("--done", count ? step / count : 0);
    set(this.place, place);
    this.speed.value = speed;
    this.enable("first", step > 0);
    this.enable("back", step > 0);
    this.enable("step", step < count);
    this.enable("last", step < count);
    this.enable("play", playing || count > 0);
    if (this.shown !== playing) this.showPlay(playing);
  }

  showPlay(playing) {
    this.shown = playing;
    const words = playing ? "Pause (space)" : "Play (space)";
    this.buttons.play.replaceChildren(icon(playing ? "pause" : "play"));
    this.buttons.play.title = words;
    this.buttons.play.setAttribute("aria-label", words);
  }

  // Not `disabled`: a button that is pressed to the end keeps the focus.
  enable(name, on) {
    const value = String(!on);
    const button = this.buttons[name];
    if (button.getAttribute("aria-disabled") !== value) button.setAttribute("aria-disabled", value);
  }
}
