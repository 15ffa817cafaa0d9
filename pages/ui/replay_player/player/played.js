// One piece by one tokenizer: its state after any number of merges, rebuilt from columns.

const NO_ID = 0xffffffff;

class Played {
  constructor(header, read) {
    const { title, tables, ofBytes, whole } = header;
    Object.assign(this, { title, tables, ofBytes, whole });
    this.shown = read.u8(header.shown);
    this.unitIds = read.u32(header.unitIds);
    this.unitStarts = read.u32(header.unitStarts);
    this.unitEnds = read.u32(header.unitEnds);
    this.winners = read.u32(header.winners);
    const column = (name) => read.u32(header.entries[name]);
    this.entries = {
      ranks: column("ranks"), positions: column("positions"), newIds: column("new_ids"),
      born: column("born"), died: column("died"), removed: column("removed"),
    };
    this.bytesOf = new Map();
    const data = read.u8(header.tokenBytes);
    const lengths = read.u32(header.tokenLengths);
    let at = 0;
    read.u32(header.tokenIds).forEach((id, i) => this.bytesOf.set(id, data.subarray(at, (at += lengths[i]))));
    this.makeNodes();
  }

  get count() {
    return this.winners.length;
  }

  get size() {
    return this.unitIds.length;
  }

  // The most pairs that could merge at any one moment.
  get mostCandidates() {
    const { born, died } = this.entries;
    const change = new Int32Array(this.count + 2);
    for (let i = 0; i < born.length; i++) {
      change[born[i]]++;
      if (died[i] <= this.count) change[died[i]]--;
    }
    let now = 0;
    return change.reduce((most, by) => Math.max(most, (now += by)), 0);
  }

  // Where two neighbours begin, and what they become.
  entry(number) {
    const { ranks, positions, newIds } = this.entries;
    return { number, rank: ranks[number], position: positions[number], id: newIds[number] };
  }

  merge(step) {
    return step < this.count ? this.entry(this.winners[step]) : null;
  }

  // Units and merges as nodes of a tree: which units each covers, how high it stands, when it
  // came (`step`) and when it went into another (`into`).
  makeNodes() {
    const { size, count } = this;
    const top = new Int32Array(size);
    const following = new Int32Array(size);
    this.nodes = [];
    for (let i = 0; i < size; i++) {
      top[i] = i;
      following[i] = i + 1;
      this.nodes.push({ start: i, end: i + 1, level: 0, step: 0, id: this.unitIds[i], into: null });
    }
    for (let step = 0; step < count; step++) {
      const { position, id, rank } = this.merge(step);
      const [left, right] = [this.nodes[top[position]], this.nodes[top[following[position]]]];
      const made = this.nodes.length;
      left.into = right.into = made;
      const level = 1 + Math.max(left.level, right.level);
      this.nodes.push({ start: left.start, end: right.end, level, step: step + 1, id, rank, into: null, parents: [left, right] });
      top[position] = made;
      following[position] = following[following[position]];
    }
  }

  // The tokens after so many merges, as nodes.
  parts(step) {
    const last = this.size + step;
    const parts = [];
    const top = new Int32Array(this.size);
    for (let i = 0; i < last; i++) top[this.nodes[i].start] = i;
    for (let unit = 0; unit < this.size; ) {
      const node = this.nodes[top[unit]];
      parts.push(node);
      unit = node.end;
    }
    return parts;
  }

  // The rank of the pair that begins at each position, as far as there is one.
  live(step) {
    const { born, died, positions } = this.entries;
    const found = new Map();
    for (let i = 0; i < born.length && born[i] <= step; i++) if (step < died[i]) found.set(positions[i], i);
    return found;
  }

  // All pairs of neighbours: those that merge first, the lowest rank before.
  candidates(step, parts) {
    const live = this.live(step);
    const winner = this.merge(step)?.number;
    const pairs = [];
    for (let i = 0; i + 1 < parts.length; i++) {
      const number = live.get(parts[i].start);
      const entry = number === undefined ? null : this.entry(number);
      pairs.push({ left: parts[i], right: parts[i + 1], entry, wins: entry !== null && number === winner });
    }
    return pairs;
  }

  bytes(node) {
    if (node.id !== NO_ID) return this.bytesOf.get(node.id);
    return this.shown.subarray(this.unitStarts[node.start], this.unitEnds[node.end - 1]);
  }

  joined(left, right) {
    const [a, b] = [this.bytes(left), this.bytes(right)];
    const joined = new Uint8Array(a.length + b.length);
    joined.set(a);
    joined.set(b, a.length);
    return joined;
  }
}
