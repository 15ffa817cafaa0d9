"""Training fast: the same steps as ``train.train_plain``, touching only what a merge changes.

The distinct words lie one after the other in one row of places, a free place between two. A
*boundary* is the place where a token begins that has another one before it in its word; it knows
the pair that meets there. Since the length of each token is known by its id, the neighbouring
boundaries are found by adding and subtracting: no links, no search. Each pair knows its boundaries
in order; some may be out of date, which shows when one looks.

A pair's count only falls once its newer half has been made, so pairs are kept by count, and the
highest count is walked downwards.
"""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from heapq import heapify, heappop, heappush
from itertools import pairwise

from engine.train import MergeStep, Ties, Words

_SHIFT = 32
_LOW = (1 << _SHIFT) - 1
_NOTHING = -1


class Corpus:
    """The words of a corpus while it is merged."""

    def __init__(self, words: Words) -> None:
        # pair_at[b]: the pair that meets at boundary b, packed; weight[b]: how often its word is.
        self.pair_at: list[int] = []
        self.weight: list[int] = []
        self.places: dict[int, list[int]] = defaultdict(list)
        self.counts: dict[int, int] = defaultdict(int)
        self.tokens = 0
        for word, frequency in words.items():
            if word:
                self._lay(word, frequency)
        self.pair_at.append(_NOTHING)
        for boundary, pair in enumerate(self.pair_at):
            if pair != _NOTHING:
                self.places[pair].append(boundary)
                self.counts[pair] += self.weight[boundary]

    def _lay(self, word: tuple[int, ...], frequency: int) -> None:
        self.pair_at.append(_NOTHING)
        self.pair_at += [left << _SHIFT | right for left, right in pairwise(word)]
        # The free place after a word: the boundary to its right, where no pair meets.
        self.pair_at.append(_NOTHING)
        self.weight += [frequency] * (len(word) + 1)
        self.tokens += len(word) * frequency

    def merge(self, pair: int, new_id: int, left_size: int, right_size: int) -> dict[int, int]:
        """Merge every live occurrence of ``pair``; returns how the counts of pairs changed."""
        pair_at, weight, places = self.pair_at, self.weight, self.places
        change: dict[int, int] = defaultdict(int)
        as_left, merged = new_id << _SHIFT, 0
        for boundary in places.pop(pair):
            if pair_at[boundary] != pair:
                continue
            frequency = weight[boundary]
            merged += frequency
            pair_at[boundary] = _NOTHING
            before = boundary - left_size
            old = pair_at[before]
            if old >= 0:
                new = old & ~_LOW | new_id
                pair_at[before] = new
                places[new].append(before)
                change[old] -= frequency
                change[new] += frequency
            after = boundary + right_size
            old = pair_at[after]
            if old >= 0:
                new = as_left | old & _LOW
                pair_at[after] = new
                places[new].append(after)
                change[old] -= frequency
                change[new] += frequency
        self.tokens -= merged
        change.pop(pair, None)
        return change

    def first_live(self, pair: int) -> int:
        """The first boundary at which ``pair`` still meets; forgets the dead ones before it."""
        places = self.places[pair]
        for index, boundary in enumerate(places):
            if self.pair_at[boundary] == pair:
                if index:
                    del places[:index]
                return boundary
        return _NOTHING


class Ranking:
    """Pairs by count, and within a count by the tie rule.

    A heap per count. Entries may be out of date: a pair whose count fell is put where it belongs
    when it comes up, and for ``first-seen`` so is one whose first occurrence has gone.
    """

    def __init__(self, corpus: Corpus, ties: Ties) -> None:
        self._corpus = corpus
        self._ties = ties
        self._heaps: dict[int, list[tuple[int, int] | int]] = defaultdict(list)
        self._having: dict[int, int] = defaultdict(int)
        for pair, count in corpus.counts.items():
            self._heaps[count].append(self._entry(pair))
            self._having[count] += 1
        for heap in self._heaps.values():
            heapify(heap)
        self._highest = max(self._heaps, default=0)

    def _entry(self, pair: int) -> tuple[int, int] | int:
        if self._ties == "first-seen":
            return self._corpus.first_live(pair), pair
        return -pair if self._ties == "largest-pair" else pair

    def take(self) -> tuple[int, int] | None:
        """The best pair and its count, taken out; None if no pair is left."""
        counts = self._corpus.counts
        while self._highest > 0:
            heap = self._heaps[self._highest]
            while heap:
                entry = heappop(heap)
                pair = entry[1] if isinstance(entry, tuple) else abs(entry)
                count = counts.get(pair, 0)
                if count != self._highest:
                    if count > 0:
                        heappush(self._heaps[count], self._entry(pair))
                elif isinstance(entry, tuple) and (now := self._entry(pair)) != entry:
                    heappush(heap, now)
                else:
                    return pair, count
            del self._heaps[self._highest]
            self._highest -= 1
            self._skip_empty()
        return None

    def _skip_empty(self) -> None:
        """Go down to the next count that some entry has."""
        if self._highest and self._highest not in self._heaps:
            self._highest = max(self._heaps, default=0)

    def tied(self, count: int) -> int:
        """How many pairs have this count now."""
        return self._having[count]

    def forget(self, pair: int) -> None:
        """A pair was merged: it counts no more."""
        self._having[self._corpus.counts.pop(pair)] -= 1

    def apply(self, change: dict[int, int], new_id: int) -> None:
        """Take over changed counts; pairs with the new token are ranked for the first time."""
        counts, having = self._corpus.counts, self._having
        for pair, difference in change.items():
            before = counts.get(pair, 0)
            after = before + difference
            if before:
                having[before] -= 1
            if after:
                having[after] += 1
                counts[pair] = after
                if pair >> _SHIFT == new_id or pair & _LOW == new_id:
                    heappush(self._heaps[after], self._entry(pair))
            else:
                counts.pop(pair, None)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Without the cyclic collector, which would walk millions of list entries again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def train_fast(
    words: Words, *, merges: int, ties: Ties, first_new_id: int, min_frequency: int = 1
) -> Iterator[MergeStep]:
    """The steps of ``train.train_plain`` for the same arguments, fast."""
    corpus = Corpus(words)
    ranking = Ranking(corpus, ties)
    sizes: dict[int, int] = defaultdict(lambda: 1)
    for rank in range(merges):
        best = ranking.take()
        if best is None or best[1] < min_frequency:
            return
        pair, count = best
        tied = ranking.tied(count)
        left, right, new_id = pair >> _SHIFT, pair & _LOW, first_new_id + rank
        before = corpus.tokens
        ranking.forget(pair)
        change = corpus.merge(pair, new_id, sizes[left], sizes[right])
        sizes[new_id] = sizes[left] + sizes[right]
        ranking.apply(change, new_id)
        merged = before - corpus.tokens
        yield MergeStep(rank, left, right, new_id, count, merged, tied, corpus.tokens)
