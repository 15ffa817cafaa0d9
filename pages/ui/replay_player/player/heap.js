// The heap as it lies in memory: pushed and popped as the engine does it.

class MinHeap {
  constructor(before) {
    this.before = before; // whether one entry goes before another
    this.items = [];
  }

  heapify(items) {
    this.items = items;
    for (let at = (items.length >> 1) - 1; at >= 0; at--) this.sink(at);
  }

  push(item) {
    this.items.push(item);
    this.rise(this.items.length - 1, 0);
  }

  pop() {
    const last = this.items.pop();
    if (!this.items.length) return last;
    const first = this.items[0];
    this.items[0] = last;
    this.sink(0);
    return first;
  }

  // Down to a leaf along the smaller children, then up to where it belongs.
  sink(start) {
    const { items, before } = this;
    const item = items[start];
    let at = start;
    for (let child = 2 * at + 1; child < items.length; child = 2 * at + 1) {
      if (child + 1 < items.length && !before(items[child], items[child + 1])) child++;
      items[at] = items[child];
      at = child;
    }
    items[at] = item;
    this.rise(at, start);
  }

  rise(from, top) {
    const { items, before } = this;
    const item = items[from];
    let at = from;
    while (at > top && before(item, items[(at - 1) >> 1])) {
      items[at] = items[(at - 1) >> 1];
      at = (at - 1) >> 1;
    }
    items[at] = item;
  }
}

// The heap after so many merges; entries whose pair is gone are stale.
function heapAt(played, step) {
  const { born, died, removed } = played.entries;
  const { order } = played;
  const heap = new MinHeap((a, b) => order[a] < order[b]);
  const removals = new Uint32Array(played.count + 2);
  for (const time of removed) removals[time]++;
  let next = 0;
  const first = [];
  while (next < born.length && born[next] === 0) first.push(next++);
  heap.heapify(first);
  for (let time = 1; time <= step; time++) {
    for (let i = 0; i < removals[time]; i++) heap.pop();
    while (next < born.length && born[next] === time) heap.push(next++);
  }
  return heap.items.map((number) => ({ ...played.entry(number), stale: died[number] <= step }));
}
