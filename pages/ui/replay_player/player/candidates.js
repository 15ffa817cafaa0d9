// The pairs of neighbours at one step: the winner first, then the losers by rank.

const MOST_PAIRS = 10;

class Candidates {
  constructor(lane) {
    this.lane = lane;
    this.element = make("section", "candidates-panel");
    this.title = make("h3", "panel-title", "Pairs now, lowest rank first");
    this.list = make("ol", "pair-list");
    this.note = make("p", "pair-note");
    this.element.append(this.title, this.list, this.note);
  }

  // As many rows are kept free from the beginning as there will ever be.
  reserve(pairs) {
    this.element.style.setProperty("--rows", Math.max(1, Math.min(pairs, MOST_PAIRS)));
  }

  show(pairs) {
    const { ranked } = pairs;
    const none = pairs.length - ranked;
    this.list.replaceChildren(...pairs.best(MOST_PAIRS).map((pair) => this.row(pair)));
    const said = [];
    if (ranked > MOST_PAIRS) said.push(`${count(ranked - MOST_PAIRS, "more pair")} in the table`);
    if (none) said.push(`${count(none, "pair")} not in the table`);
    if (!pairs.length) said.push("one token, so no pair");
    set(this.note, said.join(" · "));
  }

  row({ left, right, entry, wins }) {
    const row = make("li", wins ? "pair-row wins" : "pair-row");
    row.dataset.rank = entry.rank;
    const made = make("span", "pair-made");
    const tile = make("span", `tile hue-${entry.id % 6}`);
    drawBytes(tile, this.lane.played.joined(left, right), this.lane.names);
    made.append("→ ", tile, make("small", "", ` id ${entry.id}`));
    const pair = make("span", "pair-two");
    pair.append(partTile(this.lane, left), partTile(this.lane, right));
    row.append(make("span", "pair-rank", entry.rank.toLocaleString("en")), pair, made, make("b", "pair-wins", wins ? "merged next" : ""));
    return row;
  }
}
