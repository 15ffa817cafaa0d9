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
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from heapq import heapify, heappop, heappush
from itertools import chain, islice, pairwise, repeat
from operator import add, mul

from engine.train import MergeStep, Ties, Words

_SHIFT = 32
_LOW = (1 << _SHIFT) - 1
_LEFT = ~_LOW
_NOTHING = -1

_PAIR = (1 << 2 * _SHIFT) - 1


class Row:
    """The words of a corpus in one row of places, and the pairs that meet in it.

    ``pair_at[b]`` is the pair that meets at boundary b, packed; ``weight[b]`` how often its word
    occurs. ``known[pair]`` is a list of numbers: first the pair's count, then its boundaries.
    """

    def __init__(self, words: Words) -> None:
        lengths, frequencies = list(map(len, words)), words.values()
        # Beside a word is a free place: packed with anything it gives a negative number.
        free = (_NOTHING,)
        row = chain(free, chain.from_iterable(map(add, words, repeat(free))))
        self.pair_at = [left << _SHIFT | right for left, right in pairwise(row)]
        spread = map(repeat, frequencies, [length + 1 for length in lengths])
        self.weight = list(chain.from_iterable(spread))
        self.tokens = sum(map(mul, frequencies, lengths))
        self.known = self._gathered()

    def _gathered(self) -> dict[int, list[int]]:
        """How often and where each pair meets."""
        known: dict[int, list[int]] = defaultdict(lambda: [0])
        for boundary, pair in enumerate(self.pair_at):
            if pair >= 0:
                known[pair].append(boundary)
        for own in known.values():
            own[0] = sum(map(self.weight.__getitem__, islice(own, 1, None)))
        return dict(known)

    def first_live(self, pair: int) -> int:
        """The first boundary at which ``pair`` still meets; forgets the dead ones before it."""
        own = self.known[pair]
        for index in range(1, len(own)):
            boundary = own[index]
            if self.pair_at[boundary] == pair:
                del own[1:index]
                return boundary
        return _NOTHING

    def merge(self, pair: int, new_id: int, sizes: list[int], level: int) -> tuple[list[int], int]:
        """Make every live occurrence of ``pair`` one token.

        Returns:
            the pairs that the new token now forms (some may have died again), and how many pairs
            besides ``pair`` had the count ``level`` and lost it.
        """
        pair_at, weight, known = self.pair_at, self.weight, self.known
        left_size, right_size = sizes[pair >> _SHIFT], sizes[pair & _LOW]
        as_left, fallen, merged = new_id << _SHIFT, 0, 0
        fresh: dict[int, list[int]] = {}
        places = known[pair]
        places[0] = 0  # so that overlapping occurrences of the pair itself count as no fall
        for boundary in islice(places, 1, None):
            if pair_at[boundary] != pair:
                continue
            frequency = weight[boundary]
            merged += frequency
            pair_at[boundary] = _NOTHING
            place = boundary - left_size
            old = pair_at[place]
            if old >= 0:
                own = known[old]
                # A pair of the new token has no place in its level yet.
                if own[0] == level and old >> _SHIFT != new_id:
                    fallen += 1
                own[0] -= frequency
                new = pair_at[place] = old & _LEFT | new_id
                if new in fresh:
                    own = fresh[new]
                    own[0] += frequency
                    own.append(place)
                else:
                    fresh[new] = known[new] = [frequency, place]
            place = boundary + right_size
            old = pair_at[place]
            if old >= 0:
                own = known[old]
                if own[0] == level:
                    fallen += 1
                own[0] -= frequency
                new = pair_at[place] = as_left | old & _LOW
                if new in fresh:
                    own = fresh[new]
                    own[0] += frequency
                    own.append(place)
                else:
                    fresh[new] = known[new] = [frequency, place]
        del known[pair]
        self.tokens -= merged
        return list(fresh), fallen


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
        for pair, own in row.known.items():
            self._waiting.setdefault(own[0], []).append(pair)
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
        known, first_seen = self._row.known, self._ties == "first-seen"
        while True:
            heap, level = self._heap, self.level
            while heap:
                entry = heappop(heap)
                pair = abs(entry) & _PAIR
                # A merged pair is known no more.
                count = known[pair][0] if pair in known else 0
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
        known, waiting = self._row.known, self._waiting
        while waiting:
            level = max(waiting)
            here = []
            for pair in waiting.pop(level):
                count = known[pair][0] if pair in known else 0
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
        known, level, waiting = self._row.known, self.level, self._waiting
        for pair in fresh:
            count = known[pair][0]
            if count == level:
                heappush(self._heap, self._entry(pair))
                self.tied += 1
            elif count:
                waiting.setdefault(count, []).append(pair)


@contextmanager
def no_collection() -> Iterator[None]:
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
    with no_collection():
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
