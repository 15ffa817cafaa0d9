// Under the hood: the rows of the tables that are looked up, the heap, and the linked list.

const MOST_ENTRIES = 31; // of the heap: five levels
const MOST_ROWS = 12;
const MOST_LINKS = 40;

class Hood {
  constructor(lane) {
    this.lane = lane;
    this.element = make("section", "hood");
    this.tables = make("div", "hood-tables");
    this.heap = make("div", "hood-part heap-view");
    this.list = make("div", "hood-part list-view");
    this.element.append(this.tables, this.heap, this.list);
  }

  show(state) {
    this.tables.replaceChildren(this.merges(state), ...this.vocabularies(state));
    this.showHeap(state);
    this.showList(state);
  }

  tile(node) {
    return partTile(this.lane, node);
  }

  joinedTile(left, right, id) {
    const tile = make("span", id === undefined ? "tile base" : `tile hue-${id % 6}`);
    drawBytes(tile, this.lane.played.joined(left, right), this.lane.names);
    return tile;
  }

  // Every pair that was asked for, and what the table said.
  merges({ pairs, made }) {
    const { tables } = this.lane.played;
    const byRank = tables === "ranks";
    const title = byRank ? "Ranks: joined bytes → rank" : "Merges: pair → rank, id";
    const shown = around(pairs, made);
    const rows = shown.map(({ left, right, entry, wins }) => {
      const asked = byRank ? [this.joinedTile(left, right, entry?.id)] : [this.tile(left), this.tile(right)];
      const fresh = made && (left === made || right === made);
      const said = entry ? `${entry.rank.toLocaleString("en")} → id ${entry.id}` : "no row";
      return { cells: [asked, [said], [fresh ? "asked now" : ""]], wins };
    });
    return table(title, rows, pairs.length - shown.length);
  }

  vocabularies({ next, pairs, parts, ended }) {
    const pair = pairs.next;
    const rows = pair ? [pair.left, pair.right] : ended ? parts : [];
    const names = rows.slice(0, MOST_ROWS).map((node) => ({ cells: [[idWords(node)], [this.tile(node)], [standInsOf(this.lane.played.bytes(node).subarray(0, 12))]] }));
    if (pair) names.push({ cells: [[String(next.id)], [this.joinedTile(pair.left, pair.right, next.id)], [standInsOf(this.lane.played.joined(pair.left, pair.right).subarray(0, 12))]], wins: true });
    const found = pair
      ? [{ cells: [[this.joinedTile(pair.left, pair.right, next.id)], [`id ${next.id}`]], wins: true }]
      : rows.slice(0, MOST_ROWS).map((node) => ({ cells: [[this.tile(node)], [`id ${idWords(node)}`]] }));
    const more = Math.max(0, rows.length - MOST_ROWS);
    return [table("Vocabulary: id → token", names, more), table("Reverse vocabulary: token → id", found, more)];
  }

  showHeap({ step }) {
    const entries = heapAt(this.lane.played, step);
    const stale = entries.filter((entry) => entry.stale).length;
    const title = make("h3", "panel-title", `Min-heap: ${count(entries.length, "entry", "entries")}, ${stale.toLocaleString("en")} stale`);
    const tree = make("ul", "tree-root");
    if (entries.length) tree.append(this.heapNode(entries, 0));
    const box = make("div", "tree");
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "The heap as a tree, the lowest rank on top");
    box.append(tree);
    const more = entries.length - MOST_ENTRIES;
    this.heap.replaceChildren(title, box, make("p", "pair-note", more > 0 ? `${count(more, "more entry", "more entries")} below` : ""));
    this.heap.dataset.heap = entries.map(({ rank, position, stale: old }) => `${rank}@${position}${old ? "!" : ""}`).slice(0, 200).join(" ");
  }

  heapNode(entries, at) {
    const { rank, position, stale } = entries[at];
    const item = make("li");
    const node = make("span", stale ? "node heap-node stale" : "node heap-node");
    node.append(make("b", "", rank.toLocaleString("en")), make("small", "", `at ${position}${stale ? ", stale" : ""}`));
    item.append(node);
    const children = [2 * at + 1, 2 * at + 2].filter((child) => child < Math.min(entries.length, MOST_ENTRIES));
    if (children.length) {
      const list = make("ul");
      list.append(...children.map((child) => this.heapNode(entries, child)));
      item.append(list);
    }
    return item;
  }

  showList({ parts, around: place }) {
    const [first, end] = parts.length > MOST_LINKS ? listWindow(parts, place) : [0, parts.length];
    const row = make("div", "links");
    for (let i = first; i < end; i++) {
      const box = make("span", "link");
      const words = `← ${i ? parts[i - 1].start : "–"} · ${i + 1 < parts.length ? parts[i + 1].start : "–"} →`;
      box.append(make("b", "", String(parts[i].start)), this.tile(parts[i]), make("small", "", words));
      row.append(box);
    }
    const hidden = parts.length - (end - first);
    this.list.replaceChildren(
      make("h3", "panel-title", "Doubly linked list: position, token, positions of its neighbours"),
      row,
      make("p", "pair-note", hidden ? `${count(hidden, "more node")} not drawn` : ""),
    );
  }
}

// The pairs about the one that is merged next, or about the token made last.
function around(pairs, made) {
  const at = Math.max(0, pairs.winnerAt < 0 ? pairs.parts.indexOf(made) : pairs.winnerAt);
  const first = Math.max(0, Math.min(at - MOST_ROWS / 2, pairs.length - MOST_ROWS));
  return pairs.slice(first, first + MOST_ROWS);
}

function listWindow(parts, place) {
  const at = Math.max(0, parts.findIndex((part) => part.end > place));
  const first = Math.max(0, Math.min(at - MOST_LINKS / 2, parts.length - MOST_LINKS));
  return [first, first + MOST_LINKS];
}

function table(title, rows, more) {
  const box = make("div", "hood-part");
  const body = make("table", "hood-table");
  for (const { cells, wins } of rows) {
    const row = make("tr", wins ? "wins" : "");
    for (const cell of cells) {
      const box_ = make("td");
      box_.append(...cell);
      row.append(box_);
    }
    body.append(row);
  }
  box.append(make("h3", "panel-title", title), body);
  if (more > 0) box.append(make("p", "pair-note", `${count(more, "more row")} looked up`));
  return box;
}
