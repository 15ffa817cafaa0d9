// The view: columns, choices, card; and the function that Streamlit calls.

const FORMS = [["text", "Text"], ["ids", "Ids"], ["bytes", "Bytes"], ["stand-ins", "Stand-ins"]];
const COLOURINGS = [
  ["neighbour", "neighbour"], ["token", "token"], ["rank", "rank"], ["length", "length"], ["script", "script"],
];

class TokenView {
  constructor(root, send) {
    Object.assign(this, { root, send, columns: [], light: new Light([]), pinned: false, focused: null });
    this.cards = make("div", "card");
    this.cards.setAttribute("popover", "manual");
    this.live = make("p", "offscreen live");
    this.live.setAttribute("aria-live", "polite");
    this.keys = keysDialog();
    this.bar = make("div", "bar");
    this.stage = make("div", "stage");
    root.replaceChildren(this.bar, this.stage, this.cards, this.keys, this.live);
    this.listen();
  }

  update(model) {
    const before = this.columns;
    const scrolls = before.map(({ box }) => box.scrollTop);
    if (this.choiceVersion !== model.choiceVersion || !this.look) {
      this.look = { showAs: model.showAs, colourBy: model.colourBy };
      this.choiceVersion = model.choiceVersion;
    }
    this.model = model;
    this.look.names = model.names;
    this.hide();
    before.forEach((column) => column.stop());
    const open = before.map(({ element }) => element.querySelector("details")?.open);
    const layout = model.layout === "auto" ? (model.columns.length > 2 ? "side" : "stack") : model.layout;
    this.root.dataset.layout = layout;
    this.root.dataset.columns = model.columns.length;
    this.root.classList.toggle("projector", model.projector);
    this.root.classList.toggle("earlier", model.earlier);
    this.light = new Light([]);
    this.columns = model.columns.map((data, i) => new ColumnView(this, data, i));
    this.light.columns = this.columns;
    this.stage.replaceChildren(...this.columns.map(({ element }) => element));
    this.drawBar();
    this.columns.forEach((column, i) => {
      if (!column.data.count) return;
      const same = before[i] && startsAlike(before[i].data.text, column.data.text);
      if (same) column.active = Math.min(before[i].active, column.data.count - 1);
      column.tokens.start(same ? scrolls[i] : 0);
      if (open[i]) column.element.querySelector("details")?.setAttribute("open", "");
    });
  }

  drawBar() {
    this.bar.hidden = this.model.projector;
    const forms = make("div", "forms");
    forms.setAttribute("role", "group");
    forms.setAttribute("aria-label", "Show as");
    for (const [value, words] of FORMS) {
      const button = make("button", "form-choice", words);
      button.type = "button";
      button.dataset.form = value;
      button.setAttribute("aria-pressed", value === this.look.showAs);
      button.addEventListener("click", () => this.choose({ showAs: value }));
      forms.append(button);
    }
    const label = make("label", "colouring", "Colour by ");
    const select = make("select");
    for (const [value, words] of COLOURINGS) select.append(new Option(words, value, false, value === this.look.colourBy));
    select.addEventListener("change", () => this.choose({ colourBy: select.value }));
    label.append(select);
    const help = make("button", "tool help", "Keys");
    help.type = "button";
    help.addEventListener("click", () => this.keys.showModal());
    this.legend = make("ul", "legend");
    this.drawLegend();
    this.bar.replaceChildren(forms, label, help, this.legend);
  }

  drawLegend() {
    const entries = legendOf(this.look.colourBy).map(([tint, words]) => make("li", tint, words));
    this.legend.replaceChildren(...entries);
    this.legend.hidden = !entries.length;
  }

  choose(change) {
    Object.assign(this.look, change);
    for (const button of this.bar.querySelectorAll("[data-form]")) {
      button.setAttribute("aria-pressed", button.dataset.form === this.look.showAs);
    }
    this.drawLegend();
    this.hide();
    this.columns.forEach((column) => column.data.count && column.redraw());
    this.send.state("view", { show_as: this.look.showAs, colour_by: this.look.colourBy });
  }

  listen() {
    const at = (event) => this.tokenAt(event.target);
    this.stage.addEventListener("pointerover", (event) => {
      if (event.pointerType === "touch" || this.pinned) return;
      const place = at(event);
      clearTimeout(this.leaving);
      if (place) this.show(place);
      else this.leave();
    });
    this.stage.addEventListener("pointerleave", () => this.leave());
    this.stage.addEventListener("click", (event) => {
      const place = at(event);
      if (place) this.pin(place);
      else if (this.pinned) this.hide();
    });
    this.stage.addEventListener("focusin", (event) => {
      const place = at(event);
      this.focused = place?.column ?? null;
      if (place && event.target.matches(":focus-visible")) this.show(place);
    });
    this.stage.addEventListener("focusout", () => (this.focused = null));
    this.root.addEventListener("keydown", (event) => this.onKey(event));
  }

  tokenAt(target) {
    const element = target.closest?.("[data-token], [data-id-of]");
    if (!element) return null;
    const column = this.columns[Number(element.closest("[data-column]").dataset.column)];
    return { column, token: Number(element.dataset.token ?? element.dataset.idOf), element };
  }

  show({ column, token, element }) {
    this.light.on(column, token);
    this.root.classList.add("lit");
    this.at = { column, token, element };
    fillCard(this.cards, column.data, token, this.look, {
      pinned: this.pinned,
      canOpen: this.model.canOpen,
      onOpen: () => this.send.trigger("open", { column: column.index, token }),
      onClose: () => this.close(),
    });
    this.cards.classList.toggle("pinned", this.pinned);
    this.cards.showPopover?.();
    this.placed?.abort();
    this.placed = keepPlaced(this.cards, element);
  }

  // Not at once: between two tokens there is a gap, and the picture would flash.
  leave() {
    clearTimeout(this.leaving);
    this.leaving = setTimeout(() => this.pinned || this.hide(), 100);
  }

  hide() {
    clearTimeout(this.leaving);
    this.pinned = false;
    this.at = null;
    this.light.off();
    this.root.classList.remove("lit");
    this.placed?.abort();
    if (this.cards.matches(":popover-open")) this.cards.hidePopover();
  }

  close() {
    const { column, token } = this.at ?? {};
    this.hide();
    column?.focus(token);
    this.hide();
  }

  pin({ column, token, element }) {
    const again = this.pinned && this.at?.column === column && this.at.token === token;
    this.hide();
    if (again) return;
    this.pinned = true;
    const shown = element.dataset.token ? element : column.tokens.reveal(token);
    if (element.dataset.token) column.focus(token);
    for (const other of this.columns) {
      if (other !== column && other.data.digest === column.data.digest && other.data.count) {
        other.tokens.reveal(tokenAtByte(other.data, startOf(column.data, token)));
      }
    }
    this.pinned = true;
    this.show({ column, token, element: element.dataset.token ? element : shown });
  }

  onKey(event) {
    // Streamlit has one-letter keys of its own; Escape with nothing to close leaves the projector.
    const leaves = event.key === "Escape" && this.model.projector && !this.at && !this.keys.open;
    if (!leaves) event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "?") this.keys.showModal();
    else if (event.key === "Escape") this.at ? this.close() : undefined;
    else if (this.focused) this.onTokenKey(event);
  }

  onTokenKey(event) {
    const column = this.focused;
    if (event.key === "Enter" || event.key === " ") {
      this.pin({ column, token: column.active, element: column.tokens.element(column.active) });
      event.preventDefault();
      return;
    }
    const next = tokenForKey(event.key, column.tokens, column.active, column.data.count);
    if (next === null) return;
    event.preventDefault();
    this.pinned = false;
    const element = column.focus(next);
    this.show({ column, token: next, element });
    clearTimeout(this.saying);
    this.saying = setTimeout(() => this.say(sayToken(column.data, next)), 200);
  }

  say(text) {
    this.live.textContent = text;
  }

  stop() {
    this.hide();
    this.columns.forEach((column) => column.stop());
  }
}

// While somebody types, the text begins as before and the scroll position stays good.
function startsAlike(one, other) {
  const most = Math.min(64, one.length, other.length);
  for (let i = 0; i < most; i++) if (one[i] !== other[i]) return false;
  return most > 0;
}

const views = new WeakMap();

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  let view = views.get(parentElement);
  if (!view) {
    const root = make("div", "token-view");
    parentElement.append(root);
    view = new TokenView(root, {});
    views.set(parentElement, view);
  }
  view.send.state = setStateValue;
  view.send.trigger = setTriggerValue;
  const began = performance.now();
  const model = unpack(data);
  if (view.serial !== model.serial) {
    view.serial = model.serial;
    view.update(model);
    // Two frames on, the new picture is on the screen: benchmarks wait for this mark.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const host = parentElement.host ?? parentElement;
        host.dataset.painted = view.root.dataset.painted = model.serial;
        view.root.dataset.paintMs = Math.round(performance.now() - began);
      }),
    );
  }
  return () => {
    // Streamlit also calls this before it runs the function again on the same element.
    setTimeout(() => {
      if (view.root.isConnected) return;
      view.stop();
      views.delete(parentElement);
    });
  };
}
