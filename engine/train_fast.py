"""Training fast: the same steps as ``train.train_plain``, touching only what a merge changes.

The distinct words lie one after the other in one row of places, a free place between two. A
*boundary* is the place where a token begins that has another one before it in its word; it knows
the pair that meets there. Since the length of each token is known by its id, the neighbouring
boundaries are found by adding and subtracting: no links, no search. Each pair knows its boundaries
in order; some may be out of date, which shows when one looks.

A pair's count only falls once its newer half has been made, so pairs are kept by count, and the
highest count (the *level*) is walked downwards.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from heapq import heapify, heappop, heappush
from itertools import pairwise

from engine.train import MergeStep, Ties, Words

_SHIFT = 32
_LOW = (1 << _SHIFT) - 1
_LEFT = ~_LOW
_NOTHING = -1

_PAIR = (1 << 2 * _SHIFT) - 1

class Row:
    """The words of a corpus in one row of places, and the pairs that meet in it."""

    def __init__(self, words: Words) -> None:
        # pair_at[b]: the pair that meets at boundary b, packed; weight[b]: how often its word is.
        self.pair_at: list[int] = []
        self.weight: list[int] = []
        self.places: dict[int, list[int]] = {}
        self.counts: dict[int, int] = {}
        self.tokens = 0
        for word, frequency in words.items():
            self.pair_at.append(_NOTHING)
            self.pair_at += [left << _SHIFT | right for left, right in pairwise(word)]
            # Beside a word is a free place, a boundary where no pair meets.
            self.pair_at.append(_NOTHING)
            self.weight += [frequency] * (len(self.pair_at) - len(self.weight))
            self.tokens += len(word) * frequency
        self._gather()

    def _gather(self) -> None:
        """Note for each pair where it meets and how often."""
        places, counts = self.places, self.counts
        for boundary, (pair, frequency) in enumerate(zip(self.pair_at, self.weight, strict=True)):
            if pair in places:
                places[pair].append(boundary)
                counts[pair] += frequency
            else:
                places[pair] = [boundary]
                counts[pair] = frequency
        places.pop(_NOTHING, None)
        counts.pop(_NOTHING, None)

    def first_live(self, pair: int) -> int:
        """The first boundary at which ``pair`` still meets; forgets the dead ones before it."""
        places = self.places[pair]
        for index, boundary in enumerate(places):
            if self.pair_at[boundary] == pair:
                del places[:index]
                return boundary
        return _NOTHING

    def merge(self, pair: int, new_id: int, sizes: list[int], level: int) -> tuple[list[int], int]:
        """Make every live occurrence of ``pair`` one token.

        Returns:
            the pairs that the new token now forms (some may have died again), and how many pairs
            besides ``pair`` had the count ``level`` and lost it.
        """
        pair_at, weight, places, counts = self.pair_at, self.weight, self.places, self.counts
        left_size, right_size = sizes[pair >> _SHIFT], sizes[pair & _LOW]
        as_left, fresh, fallen, merged = new_id << _SHIFT, list[int](), 0, 0
        counts[pair] = 0
        for boundary in places.pop(pair):
            if pair_at[boundary] != pair:
                continue
            frequency = weight[boundary]
            merged += frequency
            pair_at[boundary] = _NOTHING
            before, after = boundary - left_size, boundary + right_size
            old = pair_at[before]
            if old >= 0:
                count = counts[old]
                # A pair of the new token has no place in its level yet.
                if count == level and old >> _SHIFT != new_id:
                    fallen += 1
                counts[old] = count - frequency
                new = pair_at[before] = old & _LEFT | new_id
                if new in places:
                    places[new].append(before)
                    counts[new] += frequency
                else:
                    places[new] = [before]
                    counts[new] = frequency
                    fresh.append(new)
            old = pair_at[after]
            if old >= 0:
                count = counts[old]
                if count == level:
                    fallen += 1
                counts[old] = count - frequency
                new = pair_at[after] = as_left | old & _LOW
                if new in places:
                    places[new].append(after)
                    counts[new] += frequency
                else:
                    places[new] = [after]
                    counts[new] = frequency
                    fresh.append(new)
        del counts[pair]
        self.tokens -= merged
        return fresh, fallen


class Levels:
    """Pairs by count, and within a count by the tie rule.

    A level is sorted when it is reached. Entries may be out of date: a pair whose count fell is put
    where it belongs when it comes up, and so is, for ``first-seen``, one whose first occurrence has
    gone. ``tied`` is how many pairs have the count of the present level.
    """

    def __init__(self, row: Row, ties: Ties) -> None:
        self._row = row
        self._ties = ties
        self._waiting: dict[int, list[int]] = {}
        for pair, count in row.counts.items():
            self._waiting.setdefault(count, []).append(pair)
        self._heap: list[int] = []
        self.level = 0
        self.tied = 0

    def _entry(self, pair: int) -> int:
        """What the tie rule sorts by, with the pair in the lowest bits of its absolute value."""
        if self._ties == "first-seen":
            return self._row.first_live(pair) << 2 * _SHIFT | pair
        return -pair if self._ties == "largest-pair" else pair

    def take(self) -> int | None:
        """The best pair, taken out; ``level`` is its count. None if no pair is left."""
        counts, first_seen = self._row.counts, self._ties == "first-seen"
        while True:
            heap, level = self._heap, self.level
            while heap:
                entry = heappop(heap)
                pair = abs(entry) & _PAIR
                count = counts[pair]
                if count != level:
                    if count:
                        self._waiting.setdefault(count, []).append(pair)
                elif first_seen and (now := self._entry(pair)) != entry:
                    heappush(heap, now)
                else:
                    return pair
            if not self._descend():
                return None

    def _descend(self) -> bool:
        """Go down to the next level that some pair has."""
        counts, waiting = self._row.counts, self._waiting
        while waiting:
            level = max(waiting)
            here = []
            for pair in waiting.pop(level):
                count = counts[pair]
                if count == level:
                    here.append(self._entry(pair))
                elif count:
                    waiting.setdefault(count, []).append(pair)
            if here:
                heapify(here)
                self._heap, self.level, self.tied = here, level, len(here)
                return True
        return False

    def add(self, fresh: list[int]) -> None:
        """Rank pairs that were made just now, none of which is above the present level."""
        counts, level, waiting = self._row.counts, self.level, self._waiting
        for pair in fresh:
            count = counts[pair]
            if count == level:
                heappush(self._heap, self._entry(pair))
                self.tied += 1
            elif count:
                waiting.setdefault(count, []).append(pair)


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
    with _no_collection():
        row = Row(words)
        levels = Levels(row, ties)
    sizes = [1] * first_new_id
    for rank in range(merges):
        pair = levels.take()
        if pair is None or levels.level < min_frequency:
            return
        left, right, new_id = pair >> _SHIFT, pair & _LOW, first_new_id + rank
        before, tied = row.tokens, levels.tied
        fresh, fallen = row.merge(pair, new_id, sizes, levels.level)
        sizes.append(sizes[left] + sizes[right])
        levels.tied -= fallen + 1
        levels.add(fresh)
        merged = before - row.tokens
        yield MergeStep(rank, left, right, new_id, levels.level, merged, tied, row.tokens)
