// The pieces in a row, and the branches of the pattern below them.

const stripCount = (n, one) => `${n.toLocaleString("en")} ${n === 1 ? one : `${one}s`}`;
const HUES = 6;

class Strip {
  constructor(root) {
    this.root = root;
    this.note = make("p", "strip-note");
    this.row = make("div", "strip");
    this.row.setAttribute("role", "listbox");
    this.row.setAttribute("aria-label", "Pieces of the text");
    this.branches = make("details", "steps");
    // On a phone the sentences would push everything else off the screen.
    this.branches.open = innerWidth >= 640;
    root.replaceChildren(this.note, this.row, this.branches);
    this.row.addEventListener("click", (event) => this.choose(event.target.closest("[data-piece]")));
    this.row.addEventListener("keydown", (event) => this.onKey(event));
  }

  update(model) {
    this.model = model;
    this.root.classList.toggle("projector", model.projector);
    const focused = this.row.contains(this.row.getRootNode().activeElement);
    this.note.textContent = model.total;
    this.row.replaceChildren(...model.pieces.map((piece) => this.piece(piece)));
    this.branches.hidden = !model.steps.length;
    this.branches.replaceChildren(make("summary", "", "The split pattern, branch by branch"), ...model.steps.map((step, i) => this.step(step, i)));
    const chosen = this.row.querySelector("[aria-selected=true]");
    if (focused) chosen?.focus({ preventScroll: true });
    this.row.scrollTop = Math.max(0, (chosen?.offsetTop ?? 0) - this.row.clientHeight / 2);
  }

  piece({ place, text, kind, took, tokens }) {
    const chosen = place === this.model.chosen;
    const box = make("div", `piece ${kind}`);
    box.dataset.piece = place;
    box.setAttribute("role", "option");
    box.setAttribute("aria-selected", chosen);
    box.tabIndex = chosen ? 0 : -1;
    const body = make("bdi", took ? `piece-text hue-${took[1] % HUES}` : "piece-text");
    drawText(body, text, this.model.names);
    const words = { dropped: "dropped", added: "added token" }[kind] ?? (took ? this.label(took) : "no branch");
    box.append(body, make("small", "", kind === "piece" ? `${words} · ${tokens}` : words));
    const branch = took && kind === "piece" ? this.model.steps[took[0]].branches[took[1]][1] : words;
    box.title = kind === "dropped" ? "The tokenizer drops this." : `${branch}\n${stripCount(tokens, "token")}`;
    return box;
  }

  // With several steps the step is said too.
  label([step, branch]) {
    return this.model.steps.length > 1 ? `${step + 1}.${branch + 1}` : String(branch + 1);
  }

  step({ source, words, branches }, number) {
    const box = make("section", "step");
    const title = make("p", "step-title", this.model.steps.length > 1 ? `Step ${number + 1}: ${words}` : words);
    box.append(title);
    if (!branches.length) {
      box.append(make("code", "source", source));
      return box;
    }
    const list = make("ol", "branches");
    branches.forEach(([pattern, sentence, pieces], branch) => {
      const row = make("li", pieces ? "branch" : "branch idle");
      row.dataset.branch = `${number}.${branch}`;
      const mark = make("b", `mark hue-${branch % HUES}`, this.label([number, branch]));
      const said = make("div", "branch-words", sentence);
      said.append(make("code", "source", pattern || "(nothing)"));
      row.append(mark, said, make("small", "taken", pieces ? stripCount(pieces, "piece") : "none here"));
      list.append(row);
    });
    box.append(list);
    return box;
  }

  choose(box) {
    if (box) this.trigger("chosen", Number(box.dataset.piece));
  }

  onKey(event) {
    const boxes = [...this.row.children];
    const at = boxes.indexOf(event.target.closest("[data-piece]"));
    if (at < 0) return;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: boxes.length - 1 }[event.key];
    if (event.key === "Enter" || event.key === " ") this.choose(boxes[at]);
    else if (to !== undefined) boxes[Math.max(0, Math.min(boxes.length - 1, to))].focus();
    else return;
    event.preventDefault();
    event.stopPropagation(); // these keys also step the player
  }
}

const strips = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  let strip = strips.get(parentElement);
  if (!strip) {
    const root = make("div", "pieces");
    parentElement.append(root);
    strip = new Strip(root);
    strips.set(parentElement, strip);
  }
  strip.trigger = setTriggerValue;
  strip.update(data);
}
