// Tokens per second as characters per second: of this text, and of each language.

class SpeedTable {
  constructor({ characters, tokens, languages }) {
    Object.assign(this, { characters, tokens, languages });
    this.element = make("section", "speeds");
    this.title = make("h3", "panel-title");
    this.sentence = make("p", "speeds-words");
    this.list = make("ul", "speeds-list");
    this.rows = languages.map((language) => this.row(language));
    this.list.append(...this.rows.map(({ element }) => element));
    this.element.append(this.title, this.sentence, this.list);
  }

  row({ title, perToken }) {
    const element = make("li", "speed-row");
    const fill = make("i", "speed-fill");
    const most = Math.max(...this.languages.map((one) => one.perToken));
    fill.style.setProperty("--part", perToken / most);
    const track = make("span", "speed-track");
    track.append(fill);
    const value = make("span", "number");
    element.append(make("span", "speed-name", title), track, value);
    return { element, value, perToken };
  }

  show(speed) {
    if (speed === this.speed) return;
    this.speed = speed;
    const rate = Number(speed);
    set(this.title, `${count(rate, "token")} per second, in characters per second`);
    const own = (this.characters / this.tokens) * rate;
    set(this.sentence, `This text: ${digits(own)} characters per second (${count(this.characters, "grapheme")} in ${count(this.tokens, "token")}). ${this.rows.length ? "Languages: reckoned from our parallel texts with this tokenizer." : ""}`);
    for (const { value, perToken } of this.rows) set(value, `≈ ${digits(perToken * rate)}`);
  }
}

function digits(value) {
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}
