// What becomes of pieces under a list of merges, found once so that every step can be had at
// once. A token that exists after k merges began at some unit and was made by a merge before
// k: for each unit the tokens that ever began there are kept, the newest first, and a walk
// over the units gives the cut at any k. Nothing is replayed when somebody scrubs.

const GONE = -2; // the unit is inside a token that began earlier

class History {
  // `units` are ids, `starts` where each piece begins (one more at the end); -1 merges with nothing.
  constructor(units, starts, merges, rankOf) {
    Object.assign(this, { units, starts, merges, rankOf });
    const count = units.length;
    this.newest = new Int32Array(count).fill(-1); // the last event at each unit
    this.rank = new Int32Array(count);
    this.end = new Int32Array(count); // last unit of the token that the event made
    this.before = new Int32Array(count); // the event before it at the same unit
    this.events = 0;
    this.replay();
  }

  replay() {
    const count = this.units.length;
    const work = {
      id: Int32Array.from(this.units),
      last: Int32Array.from({ length: count }, (_, i) => i),
      first: Int32Array.from({ length: count }, (_, i) => i),
      opens: new Uint8Array(count + 1),
      queue: new Queues(this.merges.count, count * 3),
    };
    for (const start of this.starts) work.opens[start] = 1;
    for (let p = 0; p + 1 < count; p++) if (!work.opens[p + 1]) this.offer(work, p, p + 1);
    for (let rank = 0; rank < this.merges.count; rank++) this.mergeAll(work, rank);
  }

  // The pair that meets before unit `q`, put where its merge will look for it.
  offer({ id, queue }, p, q) {
    const rank = this.rankOf.get(id[p], id[q], -1);
    if (rank >= 0) queue.push(rank, p);
  }

  // Places were offered from the left, so overlapping ones are settled as in training.
  mergeAll(work, rank) {
    const { id, last, first, opens, queue } = work;
    const left = this.merges.lefts[rank];
    const right = this.merges.rights[rank];
    for (let node = queue.head[rank]; node >= 0; node = queue.next[node]) {
      const p = queue.at[node];
      const q = last[p] + 1;
      if (id[p] !== left || opens[q] || id[q] !== right) continue;
      const end = last[q];
      this.note(p, rank, end);
      id[p] = this.merges.newIds[rank];
      id[q] = GONE;
      last[p] = end;
      first[end] = p;
      if (!opens[p]) this.offer(work, first[p - 1], p);
      if (!opens[end + 1]) this.offer(work, p, end + 1);
    }
  }

  note(p, rank, end) {
    const event = this.events++;
    this.rank[event] = rank;
    this.end[event] = end;
    this.before[event] = this.newest[p];
    this.newest[p] = event;
  }

  // Fills `cut` with the tokens after `step` merges: ids, first units, first token of each piece.
  at(step, cut) {
    const { newest, rank, end, before, units, starts } = this;
    const newIds = this.merges.newIds;
    let token = 0;
    for (let piece = 0; piece + 1 < starts.length; piece++) {
      cut.pieces[piece] = token;
      for (let p = starts[piece]; p < starts[piece + 1]; token++) {
        let event = newest[p];
        while (event >= 0 && rank[event] >= step) event = before[event];
        cut.from[token] = p;
        cut.ids[token] = event < 0 ? units[p] : newIds[rank[event]];
        p = event < 0 ? p + 1 : end[event] + 1;
      }
    }
    cut.pieces[starts.length - 1] = token;
    return cut;
  }

  emptyCut() {
    const count = this.units.length;
    return { ids: new Int32Array(count), from: new Int32Array(count), pieces: new Int32Array(this.starts.length) };
  }
}

// One list of places for each merge, in the order in which they were offered.
class Queues {
  constructor(count, most) {
    this.head = new Int32Array(count).fill(-1);
    this.tail = new Int32Array(count).fill(-1);
    this.at = new Int32Array(most);
    this.next = new Int32Array(most).fill(-1);
    this.size = 0;
  }

  push(list, place) {
    const node = this.size++;
    this.at[node] = place;
    if (this.tail[list] < 0) this.head[list] = node;
    else this.next[this.tail[list]] = node;
    this.tail[list] = node;
  }
}
