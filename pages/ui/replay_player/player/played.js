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

  // The entry of the pair that begins at each position, -1 where it is not in the table.
  live(step) {
    const { born, died, positions } = this.entries;
    const found = new Int32Array(this.size).fill(-1);
    for (let i = 0; i < born.length && born[i] <= step; i++) if (step < died[i]) found[positions[i]] = i;
    return found;
  }

  // All pairs of neighbours; an object is made only of those that are asked for.
  candidates(step, parts) {
    return new Pairs(this, parts, this.live(step), this.merge(step)?.number);
  }

  // The place of every entry in the order of ranks and positions.
  get order() {
    if (!this.ordered) {
      const { ranks, positions } = this.entries;
      const sorted = Array.from(ranks.keys()).sort((a, b) => ranks[a] - ranks[b] || positions[a] - positions[b] || a - b);
      this.ordered = new Uint32Array(ranks.length);
      sorted.forEach((number, place) => (this.ordered[number] = place));
    }
    return this.ordered;
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

// The pairs of neighbours at one step.
class Pairs {
  constructor(played, parts, live, winner) {
    Object.assign(this, { played, parts, live, winner });
    this.length = Math.max(0, parts.length - 1);
    this.ranked = 0;
    for (let i = 0; i < this.length; i++) if (this.number(i) >= 0) this.ranked++;
    this.winnerAt = winner === undefined ? -1 : parts.findIndex((part) => live[part.start] === winner);
  }

  number(i) {
    return this.live[this.parts[i].start];
  }

  at(i) {
    if (i < 0 || i >= this.length) return null;
    const number = this.number(i);
    const entry = number < 0 ? null : this.played.entry(number);
    return { left: this.parts[i], right: this.parts[i + 1], entry, wins: number >= 0 && number === this.winner };
  }

  get next() {
    return this.at(this.winnerAt);
  }

  // Those from one place to another.
  slice(first, end) {
    const found = [];
    for (let i = first; i < Math.min(end, this.length); i++) found.push(this.at(i));
    return found;
  }

  // The so many that go first.
  best(most) {
    const { order } = this.played;
    const top = [];
    for (let i = 0; i < this.length; i++) {
      if (this.number(i) < 0) continue;
      const place = order[this.number(i)];
      if (top.length === most && place > order[this.number(top[most - 1])]) continue;
      let at = top.length;
      while (at && place < order[this.number(top[at - 1])]) at--;
      top.splice(at, 0, i);
      if (top.length > most) top.pop();
    }
    return top.map((i) => this.at(i));
  }
}
