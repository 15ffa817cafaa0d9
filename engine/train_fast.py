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

from collections import deque
from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from itertools import chain, islice, pairwise, repeat
from operator import add, mul
from typing import Final

from engine.garbage import no_collection
from engine.train import MergeStep, Ties, Words

_NOTHING: Final = -1

# What is known of a pair: its count, its left and its right token, then its boundaries. A bare list
# because the innermost loop does little else than change these.
Pair = list[int]
_COUNT, _LEFT, _RIGHT, _PLACES = 0, 1, 2, 3


class _Pairs(dict[tuple[int, int], Pair]):
    """Pairs by their two tokens, each made when it is first asked for."""

    def __missing__(self, tokens: tuple[int, int]) -> Pair:
        pair = self[tokens] = [0, *tokens]
        return pair


class Row:
    """The words of a corpus in one row of places, and the pairs that meet in it.

    ``pair_at[b]`` is the pair that meets at boundary b, ``free`` where none does; ``weight[b]`` how
    often its word occurs. ``pairs`` are those that meet at the beginning.
    """

    def __init__(self, words: Words) -> None:
        lengths, frequencies = list(map(len, words)), words.values()
        edge = (_NOTHING,)
        row = chain(edge, chain.from_iterable(map(add, words, repeat(edge))))
        known = _Pairs()
        self.free: Pair = []
        self.pair_at = list(map(known.__getitem__, pairwise(row)))
        spread = map(repeat, frequencies, [length + 1 for length in lengths])
        self.weight = list(chain.from_iterable(spread))
        self.tokens = sum(map(mul, frequencies, lengths))
        self.pairs = self._gathered(known)

    def _gathered(self, known: _Pairs) -> list[Pair]:
        """How often and where each pair meets; what meets an edge is no pair."""
        deque(map(list.append, self.pair_at, range(len(self.pair_at))), maxlen=0)
        pairs = []
        for pair in known.values():
            if pair[_LEFT] == _NOTHING or pair[_RIGHT] == _NOTHING:
                for place in islice(pair, _PLACES, None):
                    self.pair_at[place] = self.free
            else:
                pair[_COUNT] = sum(map(self.weight.__getitem__, islice(pair, _PLACES, None)))
                pairs.append(pair)
        return pairs

    def first_live(self, pair: Pair) -> int:
        """The first boundary at which ``pair`` still meets; forgets the dead ones before it."""
        for index in range(_PLACES, len(pair)):
            boundary = pair[index]
            if self.pair_at[boundary] is pair:
                del pair[_PLACES:index]
                return boundary
        return _NOTHING

    def merge(
        self, pair: Pair, new_id: int, sizes: list[int], level: int
    ) -> tuple[list[Pair], int]:
        """Make every live occurrence of ``pair`` one token.

        Returns:
            the pairs that the new token now forms (some may have died again), and how many pairs
            besides ``pair`` had the count ``level`` and lost it.
        """
        pair_at, weight, free = self.pair_at, self.weight, self.free
        left_size, right_size = sizes[pair[_LEFT]], sizes[pair[_RIGHT]]
        fallen, merged = 0, 0
        # The pairs of the new token, by the token before it and by the token after it.
        before: dict[int, Pair] = {}
        after: dict[int, Pair] = {}
        pair[_COUNT] = 0  # so that overlapping occurrences of the pair itself count as no fall
        for boundary in islice(pair, _PLACES, None):
            if pair_at[boundary] is not pair:
                continue
            frequency = weight[boundary]
            merged += frequency
            pair_at[boundary] = free
            place = boundary - left_size
            old = pair_at[place]
            if old is not free:
                left = old[1]
                count = old[0]
                # A pair of the new token has no place in its level yet.
                if count == level and left != new_id:
                    fallen += 1
                old[0] = count - frequency
                if left in before:
                    new = pair_at[place] = before[left]
                    new[0] += frequency
                    new.append(place)
                else:
                    pair_at[place] = before[left] = [frequency, left, new_id, place]
            place = boundary + right_size
            old = pair_at[place]
            if old is not free:
                count = old[0]
                if count == level:
                    fallen += 1
                old[0] = count - frequency
                right = old[2]
                if right in after:
                    new = pair_at[place] = after[right]
                    new[0] += frequency
                    new.append(place)
                else:
                    pair_at[place] = after[right] = [frequency, new_id, right, place]
        # No boundary has it any more, so nobody asks where it was.
        del pair[_PLACES:]
        self.tokens -= merged
        return [*before.values(), *after.values()], fallen


class Levels:
    """Pairs by count, and within a count by the tie rule.

    A level is sorted when it is reached. Entries may be out of date: a pair whose count fell is put
    where it belongs when it comes up, and so is, for ``first-seen``, one whose first occurrence has
    gone. ``tied`` is how many pairs have the count of the present level.
    """

    def __init__(self, row: Row, ties: Ties) -> None:
        self._row = row
        self._ties = ties
        self._waiting: dict[int, list[Pair]] = {}
        for pair in row.pairs:
            self._waiting.setdefault(pair[_COUNT], []).append(pair)
        self._heap: list[tuple[int, int, Pair]] = []
        self.level = 0
        self.tied = 0

    def _entry(self, pair: Pair) -> tuple[int, int, Pair]:
        """What the tie rule sorts by, before the pair; no two pairs of a level have the same."""
        if self._ties == "first-seen":
            return self._row.first_live(pair), 0, pair
        if self._ties == "largest-pair":
            return -pair[_LEFT], -pair[_RIGHT], pair
        return pair[_LEFT], pair[_RIGHT], pair

    def take(self) -> Pair | None:
        """The best pair, taken out; ``level`` is its count. None if no pair is left."""
        first_seen = self._ties == "first-seen"
        while True:
            heap, level = self._heap, self.level
            while heap:
                entry = heappop(heap)
                pair = entry[-1]
                count = pair[_COUNT]
                if count != level:
                    if count:
                        self._waiting.setdefault(count, []).append(pair)
                elif first_seen and (now := self._row.first_live(pair)) != entry[0]:
                    heappush(heap, (now, 0, pair))
                else:
                    return pair
            if not self._descend():
                return None

    def _descend(self) -> bool:
        """Go down to the next level that some pair has."""
        waiting = self._waiting
        while waiting:
            level = max(waiting)
            here = []
            for pair in waiting.pop(level):
                count = pair[_COUNT]
                if count == level:
                    here.append(self._entry(pair))
                elif count:
                    waiting.setdefault(count, []).append(pair)
            if here:
                heapify(here)
                self._heap, self.level, self.tied = here, level, len(here)
                return True
        return False

    def add(self, fresh: list[Pair]) -> None:
        """Rank pairs that were made just now, none of which is above the present level."""
        level, waiting = self.level, self._waiting
        for pair in fresh:
            count = pair[_COUNT]
            if count == level:
                heappush(self._heap, self._entry(pair))
                self.tied += 1
            elif count:
                waiting.setdefault(count, []).append(pair)


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
        left, right, new_id = pair[_LEFT], pair[_RIGHT], first_new_id + rank
        before, tied = row.tokens, levels.tied
        fresh, fallen = row.merge(pair, new_id, sizes, levels.level)
        sizes.append(sizes[left] + sizes[right])
        levels.tied -= fallen + 1
        levels.add(fresh)
        merged = before - row.tokens
        yield MergeStep(rank, left, right, new_id, levels.level, merged, tied, row.tokens)
