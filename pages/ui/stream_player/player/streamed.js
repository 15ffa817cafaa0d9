// The tokens of a text, and what each way shows after each of them. The last step is the end.

class Streamed {
  constructor({ read, ids, lengths, bytes, ways, names }) {
    this.names = names;
    this.ids = read.u32(ids);
    this.tokens = sliced(read.u8(bytes), read.u32(lengths));
    this.arrived = summed(this.tokens.map(({ length }) => length));
    this.ways = ways.map((header) => new StreamWay(this, header, read));
  }

  get count() {
    return this.ids.length;
  }

  // Held bytes are the last that arrived: as pieces of their tokens, the earliest first.
  tail(step, size) {
    const pieces = [];
    for (let at = Math.min(step, this.count) - 1; at >= 0 && size > 0; at--) {
      const token = this.tokens[at];
      const part = token.subarray(Math.max(0, token.length - size));
      pieces.unshift({ at, part });
      size -= part.length;
    }
    return pieces;
  }
}

class StreamWay {
  constructor(streamed, header, read) {
    const { name, title, short, about } = header;
    Object.assign(this, { streamed, name, title, short, about });
    this.shown = sliced(read.u8(header.shown), read.u32(header.lengths)).map((data) => plainDecoder.decode(data));
    this.pending = read.u32(header.pending);
    this.work = read.u32(header.work);
    this.calls = read.u32(header.calls);
    this.marks = this.spread(read.u8(header.wrong));
    this.count();
  }

  // For each moment, whether each U+FFFD in it is wrong.
  spread(wrong) {
    let at = 0;
    return this.shown.map((text) => {
      const signs = text.split("\ufffd").length - 1;
      return wrong.subarray(at, (at += signs));
    });
  }

  // Tokens waited for so far: in this stretch, in the longest, and in all; and wrong signs.
  count() {
    const size = this.shown.length;
    for (const name of ["waits", "longest", "waited", "wrong"]) this[name] = new Uint32Array(size + 1);
    for (let i = 0; i < size; i++) {
      const waiting = this.isWaiting(i);
      this.waits[i + 1] = waiting ? this.waits[i] + 1 : 0;
      this.longest[i + 1] = Math.max(this.longest[i], this.waits[i + 1]);
      this.waited[i + 1] = this.waited[i] + waiting;
      this.wrong[i + 1] = this.wrong[i] + this.marks[i].reduce((sum, mark) => sum + mark, 0);
    }
  }

  // Whether token i showed nothing, with bytes held. The end waits for nothing.
  isWaiting(i) {
    return i < this.streamed.count && !this.shown[i] && this.pending[i] > 0;
  }

  held(step) {
    return step ? this.pending[step - 1] : 0;
  }
}

function sliced(data, lengths) {
  let at = 0;
  return Array.from(lengths, (length) => data.subarray(at, (at += length)));
}

function summed(lengths) {
  let sum = 0;
  return [0, ...lengths.map((length) => (sum += length))];
}
