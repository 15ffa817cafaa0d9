// A table from pairs of ids to numbers. Typed arrays with open addressing: tens of thousands
// of pairs are counted in every frame of a fast play, and a Map of such keys is ten times slower.

class PairTable {
  constructor(most) {
    let size = 64;
    while (size < most * 2) size *= 2;
    this.mask = size - 1;
    this.slots = new Int32Array(size).fill(-1);
    this.lefts = new Int32Array(size >> 1);
    this.rights = new Int32Array(size >> 1);
    this.values = new Float64Array(size >> 1);
    this.size = 0;
  }

  clear() {
    this.slots.fill(-1);
    this.size = 0;
  }

  slotOf(left, right) {
    let slot = (Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & this.mask;
    for (;;) {
      const entry = this.slots[slot];
      if (entry < 0 || (this.lefts[entry] === left && this.rights[entry] === right)) return slot;
      slot = (slot + 1) & this.mask;
    }
  }

  // The entries stand in the order in which their pairs were first met.
  add(left, right, amount) {
    const slot = this.slotOf(left, right);
    const entry = this.slots[slot];
    if (entry >= 0) {
      this.values[entry] += amount;
      return;
    }
    this.slots[slot] = this.size;
    this.lefts[this.size] = left;
    this.rights[this.size] = right;
    this.values[this.size++] = amount;
  }

  get(left, right, otherwise) {
    const entry = this.slots[this.slotOf(left, right)];
    return entry < 0 ? otherwise : this.values[entry];
  }
}
