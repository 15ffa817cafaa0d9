// Windows over tokens as a table: a column for each place, two rows for each window.

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

class WindowTable {
  constructor({ tokens, windows, shared, label, names }) {
    Object.assign(this, { tokens, shared: new Set(shared), names });
    this.element = make("table", "windows");
    this.element.append(make("caption", "offscreen", label), this.head());
    for (const one of windows) this.element.append(this.body(one));
  }

  head() {
    const row = make("tr");
    row.append(make("th", "", "place"));
    for (const { place } of this.tokens) {
      const cell = make("th", this.shared.has(place) ? "place shared" : "place", (place + 1).toLocaleString("en"));
      cell.scope = "col";
      if (this.shared.has(place)) cell.append(make("small", "both", "in both"));
      row.append(cell);
    }
    const head = make("thead");
    head.append(row);
    return head;
  }

  body({ number, start, length, part }) {
    const body = make("tbody", part);
    body.dataset.window = number;
    if (part) body.dataset.part = part;
    const name = part ? `${part} ${number}` : `window ${number}`;
    body.append(this.row(`${name} reads`, "inputs", start, length), this.row("should say", "targets", start + 1, length));
    return body;
  }

  row(name, kind, start, length) {
    const row = make("tr", kind);
    const head = make("th", "", name);
    head.scope = "row";
    row.append(head);
    for (const token of this.tokens) row.append(token.place >= start && token.place < start + length ? this.cell(token) : make("td"));
    return row;
  }

  cell({ place, id, data }) {
    const cell = make("td", this.shared.has(place) ? "token shared" : "token");
    cell.dataset.id = id;
    const tile = make("span", `tile hue-${place % 6}`);
    const bytes = bytesOf(data);
    drawBytes(tile, bytes, this.names);
    if (RIGHT_TO_LEFT.test(plainDecoder.decode(bytes))) tile.dir = "rtl";
    cell.append(tile, make("small", "id", id));
    return cell;
  }
}

export default function ({ data, parentElement }) {
  let root = parentElement.querySelector(".window-view");
  if (!root) {
    root = make("div", "window-view");
    root.tabIndex = 0;
    root.setAttribute("role", "group");
    parentElement.append(root);
  }
  root.setAttribute("aria-label", data.label);
  root.classList.toggle("projector", data.projector);
  root.replaceChildren(new WindowTable(data).element);
}
