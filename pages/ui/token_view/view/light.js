// Lights up a token, its equals, its id in the list and its bytes in the other columns.
// Only drawn chunks are touched; a chunk drawn later is lit as it comes.

class Light {
  constructor(columns) {
    this.columns = columns;
    this.lit = [];
    this.hot = null;
  }

  on(column, token) {
    this.off();
    this.hot = { column, token };
    for (const other of this.columns) {
      for (const list of other.lists) {
        for (const i of list.drawn.keys()) this.chunk(other, list, i);
      }
    }
  }

  off() {
    for (const [element, name] of this.lit) element.classList.remove(name);
    this.lit = [];
    this.hot = null;
  }

  chunk(other, list, i) {
    if (!this.hot) return;
    const { column, token } = this.hot;
    const from = list.starts[i];
    const elements = list.drawn.get(i);
    if (other === column) this.equals(column.data, token, elements, from);
    else if (other.data.digest === column.data.digest) this.overlaps(other.data, elements, from);
  }

  equals(data, token, elements, from) {
    const id = data.ids[token];
    for (let k = 0; k < elements.length; k++) {
      if (data.ids[from + k] !== id || (id === NO_ID && from + k !== token)) continue;
      this.mark(elements[k], from + k === token ? "hot" : "same");
    }
  }

  overlaps(data, elements, from) {
    const { column, token } = this.hot;
    const start = startOf(column.data, token);
    const end = column.data.ends[token];
    const first = Math.max(tokenAtByte(data, start), from);
    for (let i = first; i < from + elements.length && startOf(data, i) < end; i++) {
      this.mark(elements[i - from], "over");
    }
  }

  mark(element, name) {
    element.classList.add(name);
    this.lit.push([element, name]);
  }
}
