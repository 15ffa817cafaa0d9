// The tokens of a prompt in lines as in its text, with who said them.

const HINT = "Point at a token, or step with ← → Home End.";

class Origins {
  constructor(root) {
    this.root = root;
    this.head = make("p", "head");
    this.legend = make("ul", "legend");
    this.strip = make("div", "strip");
    this.strip.setAttribute("role", "group");
    this.card = make("p", "card");
    this.card.setAttribute("aria-live", "polite");
    root.replaceChildren(this.head, this.legend, this.strip, this.card);
    this.strip.addEventListener("keydown", (event) => this.onKey(event));
    this.strip.addEventListener("focusin", (event) => this.tell(event.target.closest("[data-token]")));
    this.strip.addEventListener("pointerover", (event) => this.tell(event.target.closest("[data-token]")));
    this.strip.addEventListener("pointerleave", () => this.tell(this.focused()));
  }

  focused() {
    return this.strip.getRootNode().activeElement?.closest?.("[data-token]") ?? null;
  }

  update(model) {
    const at = this.focused()?.dataset.token;
    this.model = model;
    this.root.classList.toggle("projector", model.projector);
    this.strip.setAttribute("aria-label", model.label);
    this.head.replaceChildren(
      make("span", "total", model.total.toLocaleString("en")), make("span", "unit", model.unit), make("span", "detail", model.detail),
    );
    this.legend.hidden = !model.legend.length;
    this.legend.replaceChildren(...model.legend.map((entry) => this.entry(entry)));
    this.tokens = new Map();
    this.strip.replaceChildren(...this.lines());
    this.places = [...this.tokens.keys()];
    this.strip.dataset.drawn = this.places.length;
    const first = this.element(at) ?? this.element(this.places[0]);
    if (first) first.tabIndex = 0;
    if (at !== undefined) this.element(at)?.focus({ preventScroll: true });
    this.tell(this.focused());
  }

  element(place) {
    return this.strip.querySelector(`[data-token="${place}"]`);
  }

  entry({ origin, words, count }) {
    const row = make("li");
    row.dataset.origin = origin;
    row.append(make("b", `swatch o-${origin}`, count.toLocaleString("en")), make("span", "", words));
    return row;
  }

  // Lines end where the text has a line end; a stretch of one origin may begin inside a line.
  lines() {
    const lines = [];
    let line = null;
    let stretch = null;
    let said = [];
    let who = null;
    const finish = () => {
      if (said.some(({ text }) => RTL.test(text))) {
        const ordered = make("span", "ordered");
        arrange(ordered, said);
        stretch.append(ordered);
      } else stretch?.append(...said.map(({ node }) => node));
      said = [];
    };
    this.model.items.forEach((item, i) => {
      if (!line) {
        line = make("div", "line");
        lines.push(line);
        stretch = null;
      }
      if (!stretch || item.who !== who) {
        finish();
        stretch = make("span", "stretch");
        if (item.who !== who) stretch.append(make("bdi", "who", item.who));
        who = item.who;
        line.append(stretch);
      }
      said.push({ node: this.item(item), text: item.text });
      if (/[\n\r\u2028\u2029]$/.test(item.text)) {
        finish();
        line = null;
      }
      if (i === this.model.gapAfter) {
        finish();
        lines.push(make("p", "gap", `… ${this.model.leftOut.toLocaleString("en")} more tokens, counted but not drawn …`));
        line = null;
        who = null;
      }
    });
    finish();
    return lines;
  }

  item({ text, tokens }) {
    if (!tokens.length) {
      const lost = make("s", "whole lost");
      lost.title = "The tokenizer drops this.";
      drawText(lost, text, this.model.names);
      return lost;
    }
    if (tokens.length === 1) {
      const box = this.token(tokens[0], "bdi", "");
      if (text) drawText(box, text, this.model.names);
      else box.textContent = tokens[0].data;
      return box;
    }
    const group = make("span", "group");
    const whole = make("bdi", "whole");
    drawText(whole, text, this.model.names);
    const cells = make("span", "cells");
    for (const token of tokens) {
      const cell = this.token(token, "span", "cell");
      cell.textContent = token.data;
      cells.append(cell);
    }
    group.append(whole, cells);
    return group;
  }

  token(token, tag, name) {
    const box = make(tag, `tok o-${token.origin} ${name}`);
    if (token.control) box.classList.add("control");
    if (token.forged) box.classList.add("forged");
    box.dataset.token = token.place;
    box.dataset.id = token.id ?? "";
    box.dataset.origin = token.origin;
    box.tabIndex = -1;
    box.setAttribute("role", "img");
    box.setAttribute("aria-label", this.words(token).join(", "));
    this.tokens.set(token.place, token);
    return box;
  }

  words({ place, id, data, who, what }) {
    return [`token ${place.toLocaleString("en")}`, id === null ? "no id" : `id ${id}`, who, what, `bytes ${data}`];
  }

  tell(box) {
    const token = box && this.tokens.get(Number(box.dataset.token));
    if (!token) {
      this.card.replaceChildren(make("span", "hint", HINT));
      return;
    }
    const [place, id, who, what, data] = this.words(token);
    this.card.replaceChildren(
      make("b", "", `${place[0].toUpperCase()}${place.slice(1)} · ${id}`), ` · ${who} · ${what} · ${data}`,
    );
  }

  onKey(event) {
    const from = event.target.closest("[data-token]");
    if (!from || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "?") {
      this.tell(null);
      return;
    }
    const at = this.places.indexOf(Number(from.dataset.token));
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.places.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = this.element(this.places[Math.max(0, Math.min(this.places.length - 1, to))]);
    from.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}

const views = new WeakMap();

export default function ({ data, parentElement }) {
  let view = views.get(parentElement);
  if (!view) {
    const root = make("div", "origins");
    parentElement.append(root);
    view = new Origins(root);
    views.set(parentElement, view);
  }
  view.update(data);
}
