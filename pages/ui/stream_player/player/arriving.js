// The token that comes now, and how it stands to characters.

class Arriving {
  constructor(streamed) {
    this.streamed = streamed;
    this.kept = streamed.ways.find(({ name }) => name === "bytes kept back");
    this.element = make("div", "arriving");
    this.place = make("p", "large-number");
    this.number = make("span", "number");
    this.number.style.setProperty("--digits", streamed.count.toLocaleString("en").length);
    this.unit = make("span", "unit");
    this.place.append(this.number, " ", this.unit);
    this.token = make("p", "arriving-token");
    this.sentence = make("p", "arriving-words");
    this.element.append(this.place, this.token, this.sentence);
  }

  show(step) {
    const { streamed } = this;
    const at = Math.min(step, streamed.count);
    set(this.number, at.toLocaleString("en"));
    set(this.unit, `of ${count(streamed.count, "token")}`);
    this.token.replaceChildren();
    if (step > 0 && step <= streamed.count) {
      const bytes = streamed.tokens[step - 1];
      this.token.append(tokenTile(step - 1, bytes, streamed.names), make("span", "arriving-id", `id ${streamed.ids[step - 1]}`));
      const hex = hexBytes(bytes.subarray(0, 12)) + (bytes.length > 12 ? " …" : "");
      this.token.append(make("code", "arriving-bytes", hex));
    }
    set(this.sentence, this.words(step));
  }

  words(step) {
    if (!step) return "Nothing has come yet: play, or one step.";
    const [before, after] = [this.kept.held(step - 1), this.kept.held(step)];
    if (step > this.streamed.count) {
      return before ? `No more tokens come, and ${count(before, "byte")} of a character wait for the rest.` : "No more tokens come: every character is whole.";
    }
    if (after && before && !this.kept.shown[step - 1]) return `Still inside the character: ${count(after, "byte")} of it are here.`;
    if (after) return `The token ends inside a character: ${count(after, "byte")} of it ${after === 1 ? "is" : "are"} here.`;
    return before ? "The token makes the character whole." : "Whole characters.";
  }
}
