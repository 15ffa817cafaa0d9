// The next pair stays hidden until somebody has guessed: by two neighbouring tiles, or by
// one of the candidates, which stand in the order in which they appear in the corpus.

const CANDIDATES = 8;

class Predict {
  constructor(run, tiles, reveal) {
    Object.assign(this, { run, tiles, reveal });
    this.reset();
    this.element = make("section", "predict");
    this.element.setAttribute("aria-label", "Predict the next pair");
    this.ask = make("p", "predict-ask");
    this.choices = make("div", "candidates");
    this.verdict = make("p", "verdict");
    this.verdict.setAttribute("aria-live", "polite");
    this.score = make("p", "score");
    this.element.append(this.ask, this.choices, this.verdict, this.score);
    this.choices.addEventListener("click", (event) => this.onChoice(event));
  }

  reset() {
    Object.assign(this, { guesses: 0, right: 0, hidden: false, picked: null });
  }

  // A new step: hidden if there is a pair to guess.
  hide(state) {
    this.state = state;
    this.hidden = state.next !== null;
    this.picked = null;
    this.element.hidden = !this.hidden;
    this.verdict.textContent = "";
    this.ask.textContent = "Which pair is merged next? Click two neighbouring tiles, or one of these:";
    if (this.hidden) this.offer(state);
    this.showScore();
  }

  offer(state) {
    const pairs = state.leading.slice(0, CANDIDATES).map((pair, place) => ({ ...pair, place }));
    // Their order must not tell their counts: by the ids, which says nothing of frequency.
    pairs.sort((a, b) => a.left - b.left || a.right - b.right);
    const buttons = pairs.map((pair) => {
      const button = make("button", "candidate");
      button.type = "button";
      button.dataset.candidate = `${pair.left},${pair.right}`;
      button.append(this.tiles.tile(pair.left), this.tiles.tile(pair.right));
      button.setAttribute("aria-label", `${this.tiles.said(pair.left)} and ${this.tiles.said(pair.right)}`);
      return button;
    });
    const show = make("button", "tool show-answer", "Show it");
    show.type = "button";
    show.addEventListener("click", () => this.open());
    this.choices.replaceChildren(...buttons, show);
  }

  onChoice(event) {
    const button = event.target.closest("[data-candidate]");
    if (!button || !this.hidden) return;
    const [left, right] = button.dataset.candidate.split(",").map(Number);
    this.guess(left, right);
  }

  // A click on a tile: the second of two neighbours completes the guess.
  pick(card, place) {
    if (!this.hidden) return;
    const before = this.picked;
    this.unpick();
    if (before && before.card === card && Math.abs(before.place - place) === 1) {
      const first = Math.min(before.place, place);
      this.guess(card.ids[first], card.ids[first + 1]);
    } else if (!before || before.card !== card || before.place !== place) {
      this.picked = { card, place, element: card.elements[place] };
      this.picked.element.classList.add("picked");
      this.verdict.textContent = "Now one of its neighbours.";
    }
  }

  unpick() {
    this.picked?.element.classList.remove("picked");
    this.picked = null;
  }

  guess(left, right) {
    const { next, best, tied } = this.state;
    const count = this.run.pairs.get(left, right, 0);
    const exact = left === next.left && right === next.right;
    const right_ = exact || count === best;
    this.guesses++;
    if (right_) this.right++;
    const pair = `${this.tiles.said(left)} + ${this.tiles.said(right)}`;
    const times = `${count.toLocaleString("en")} ${count === 1 ? "time" : "times"}`;
    let words;
    if (exact && tied > 1) words = `Right: ${pair} occurs ${times}. ${tied - 1} other pairs do too; of equals, ${this.run.ties}.`;
    else if (exact) words = `Right: ${pair} occurs ${times}, more than any other pair.`;
    else if (right_) words = `Right by count: ${pair} occurs ${times}, as often as the pair that is merged. Of equals, ${this.run.ties}.`;
    else words = `Your pair ${pair} occurs ${times}; the best ${best.toLocaleString("en")}.`;
    this.open(words, right_ ? "right" : "wrong");
  }

  // Shows the answer; without a guess it does not count.
  open(words = "", kind = "") {
    if (!this.hidden) return;
    this.hidden = false;
    this.unpick();
    this.choices.replaceChildren();
    this.ask.textContent = "";
    this.verdict.textContent = words;
    this.verdict.dataset.guess = kind;
    this.showScore();
    this.reveal();
  }

  showScore() {
    this.score.textContent = this.guesses ? `${this.right} of ${this.guesses} right` : "";
    this.score.dataset.score = `${this.right}/${this.guesses}`;
  }
}
