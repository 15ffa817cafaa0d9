// One training: its corpus after any number of merges, counted afresh each time.

const LEADING = 10;

class Run {
  constructor(header, read) {
    Object.assign(this, {
      title: header.title, ties: header.ties, stopped: header.stopped,
      bytesTotal: header.bytesTotal, tokensAtStart: header.tokensAtStart,
    });
    this.merges = unpackMerges(header.columns, read);
    this.tokens = unpackTokens(header, this.merges, read);
    this.baseSize = header.baseLengths[1] / 4;
    this.frequencies = read.i32(header.frequencies);
    this.rankOf = new PairTable(this.merges.count + 1);
    this.rankOfId = new Map();
    for (let rank = 0; rank < this.merges.count; rank++) {
      this.rankOf.add(this.merges.lefts[rank], this.merges.rights[rank], rank);
      this.rankOfId.set(this.merges.newIds[rank], rank);
    }
    this.corpus = this.historyOf(header.words, read);
    this.cut = this.corpus.emptyCut();
    this.pairs = new PairTable(this.corpus.units.length + 1);
    this.setTrial(header, read);
  }

  get count() {
    return this.merges.count;
  }

  historyOf(pieces, read) {
    const { units, starts } = unpackPieces(pieces, read);
    return new History(units, starts, this.merges, this.rankOf);
  }

  setTrial(header, read) {
    this.trial = this.historyOf(header.tried, read);
    this.trialCut = this.trial.emptyCut();
  }

  // The pair that the next merge joins, null after the last.
  next(step) {
    if (step >= this.count) return null;
    return { left: this.merges.lefts[step], right: this.merges.rights[step], id: this.merges.newIds[step] };
  }

  // Everything that is shown of a step. The arrays in it are reused for the next one.
  at(step) {
    const cut = this.corpus.at(step, this.cut);
    const state = { step, cut, next: this.next(step), tokens: this.countTokens(cut) };
    this.countPairs(cut);
    Object.assign(state, this.leading(state.next));
    state.vocabulary = this.baseSize + step;
    state.bytesPerToken = state.tokens ? this.bytesTotal / state.tokens : 0;
    state.faults = this.check(state);
    return state;
  }

  countTokens({ pieces }) {
    let tokens = 0;
    for (let w = 0; w < this.frequencies.length; w++) tokens += (pieces[w + 1] - pieces[w]) * this.frequencies[w];
    return tokens;
  }

  // Overlapping neighbours count: `aaa` has two of (a, a).
  countPairs({ ids, pieces }) {
    this.pairs.clear();
    for (let w = 0; w < this.frequencies.length; w++) {
      const frequency = this.frequencies[w];
      for (let t = pieces[w] + 1; t < pieces[w + 1]; t++) this.pairs.add(ids[t - 1], ids[t], frequency);
    }
  }

  // The most frequent pairs; among equals the one that will be merged, then as first met.
  leading(next) {
    const { lefts, rights, values, size } = this.pairs;
    const isNext = (e) => next !== null && lefts[e] === next.left && rights[e] === next.right;
    const goesBefore = (a, b) => values[a] > values[b] || (values[a] === values[b] && isNext(a));
    const top = [];
    for (let entry = 0; entry < size; entry++) {
      if (top.length === LEADING && !goesBefore(entry, top[LEADING - 1])) continue;
      let place = top.length;
      while (place > 0 && goesBefore(entry, top[place - 1])) place--;
      top.splice(place, 0, entry);
      if (top.length > LEADING) top.pop();
    }
    const best = top.length ? values[top[0]] : 0;
    let tied = 0;
    for (let entry = 0; entry < size; entry++) if (values[entry] === best) tied++;
    const leading = top.map((e) => ({ left: lefts[e], right: rights[e], count: values[e], next: isNext(e) }));
    return { leading, best, tied, distinct: size };
  }

  // What the trainer said against what was counted here; sentences for what differs.
  check({ step, tokens, best, tied, next }) {
    const { merges } = this;
    const said = [];
    const differ = (what, told, counted) => {
      if (told !== counted) said.push(`${what}: the trainer says ${told.toLocaleString("en")}, a recount ${counted.toLocaleString("en")}.`);
    };
    differ("tokens in the corpus", step ? merges.tokensLeft[step - 1] : this.tokensAtStart, tokens);
    if (step) {
      const before = step > 1 ? merges.tokensLeft[step - 2] : this.tokensAtStart;
      differ("tokens saved by the merge", merges.merged[step - 1], before - tokens);
    }
    if (next) {
      differ("count of the next pair", merges.pairCounts[step], this.pairs.get(next.left, next.right, 0));
      differ("count of the best pair", merges.pairCounts[step], best);
      if (merges.tied[step]) differ("pairs with that count", merges.tied[step], tied);
    }
    return said;
  }
}
