"""Training fast: the same steps as ``train.train_plain``, touching only what a merge changes.

The distinct words lie one after the other in one row of places, a free place between two. A
*boundary* is the place where a token begins that has another one before it in its word; it knows
the pair that meets there. Since the length of each token is known by its id, the neighbouring
boundaries are found by adding and subtracting: no links, no search. Each pair knows its boundaries
in order; some may be out of date, which shows when one looks.

A long corpus is slow by what it makes the processor fetch from memory, hence two things: boundaries
are kept as bare numbers of four bytes, and words that occur once have no weight to look up.

A pair's count only falls once its newer half has been made, so pairs are kept by count, and the
highest count (the *level*) is walked downwards.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush
from itertools import chain, islice, pairwise, repeat
from operator import itemgetter
from typing import Any, Final

from engine.garbage import no_collection
from engine.train import MergeStep, Ties, Words

_NOTHING: Final = -1

# What is known of a pair: its count, its left and its right token, and its boundaries, an array. A
# bare list because the innermost loop does little else than change these.
Pair = list[Any]
_COUNT, _LEFT, _RIGHT, _PLACES = 0, 1, 2, 3

# A pair that stood at so many places is worth gathering its neighbours before they are changed.
_MANY: Final = 32


class _Pairs(dict[tuple[int, int], Pair]):
    """Pairs by their two tokens, each made when it is first asked for; ``free`` at an edge."""

    def __init__(self, free: Pair) -> None:
        self.free = free

    def __missing__(self, tokens: tuple[int, int]) -> Pair:
        pair = self.free if _NOTHING in tokens else [0, *tokens, array("I")]
        self[tokens] = pair
        return pair


class Row:
    """The words of a corpus in one row of places, and the pairs that meet in it.

    ``pair_at[b]`` is the pair that meets at boundary b, ``free`` where none does. ``weight[b]`` is
    how often its word occurs, for the places before ``single``; from there on it is once.
    ``pairs`` are those that meet at the beginning.
    """

    def __init__(self, words: Sequence[tuple[tuple[int, ...], int]]) -> None:
        self.free: Pair = [0, _NOTHING, _NOTHING, array("I")]
        known = _Pairs(self.free)
        edge = (_NOTHING,)
        row = chain(edge, chain.from_iterable(chain(word, edge) for word, _ in words))
        self.pair_at = list(map(known.__getitem__, pairwise(row)))
        self.weight = _weights(words)
        self.single = len(self.weight)
        self.tokens = sum(len(word) * frequency for word, frequency in words)
        places = map(itemgetter(_PLACES), self.pair_at)
        deque(map(array.append, places, range(len(self.pair_at))), maxlen=0)
        self.pairs = [pair for pair in known.values() if pair is not self.free]
        for pair in self.pairs:
            pair[_COUNT] = self._frequency(pair[_PLACES])

    def _frequency(self, places: Sequence[int]) -> int:
        """How often all these places together occur."""
        weighted = bisect_left(places, self.single)
        weights = map(self.weight.__getitem__, islice(places, weighted))
        return sum(weights) + len(places) - weighted

    def first_live(self, pair: Pair) -> int:
        """The first boundary at which ``pair`` still meets; forgets the dead ones before it."""
        places = pair[_PLACES]
        for index, boundary in enumerate(places):
            if self.pair_at[boundary] is pair:
                del places[:index]
                return int(boundary)
        return _NOTHING

    def merge(
        self, pair: Pair, new_id: int, sizes: list[int], level: int
    ) -> tuple[list[Pair], int]:
        """Make every live occurrence of ``pair`` one token.

        Returns:
            the pairs that the new token now forms (some may have died again), and how many pairs
            besides ``pair`` had the count ``level`` and lost it.
        """
        # Occurrences of a pair of equal tokens may overlap, and so are taken one by one.
        if len(pair[_PLACES]) < _MANY or pair[_LEFT] == pair[_RIGHT]:
            merged = self._merge_each(pair, new_id, sizes, level)
        else:
            merged = self._merge_all(pair, new_id, sizes, level)
        # No boundary has it any more, so nobody asks where it was.
        pair[_COUNT], pair[_PLACES] = 0, array("I")
        return merged

    def _merge_each(
        self, pair: Pair, new_id: int, sizes: list[int], level: int
    ) -> tuple[list[Pair], int]:
        """``merge``, one occurrence after the other."""
        pair_at, weight, single, free = self.pair_at, self.weight, self.single, self.free
        left_size, right_size = sizes[pair[_LEFT]], sizes[pair[_RIGHT]]
        fallen, merged = 0, 0
        # The pairs of the new token, by the token before it and by the token after it.
        before: dict[int, Pair] = {}
        after: dict[int, Pair] = {}
        pair[_COUNT] = 0  # so that overlapping occurrences of the pair itself count as no fall
        for boundary in pair[_PLACES]:
            if pair_at[boundary] is not pair:
                continue
            frequency = weight[boundary] if boundary < single else 1
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
                    new[3].append(place)
                else:
                    pair_at[place] = before[left] = [frequency, left, new_id, array("I", (place,))]
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
                    new[3].append(place)
                else:
                    pair_at[place] = after[right] = [frequency, new_id, right, array("I", (place,))]
        self.tokens -= merged
        return [*before.values(), *after.values()], fallen

    def _merge_all(
        self, pair: Pair, new_id: int, sizes: list[int], level: int
    ) -> tuple[list[Pair], int]:
        """``merge`` for a pair of different tokens: first all pairs before it, then all after it.

        The places of each neighbouring pair are gathered, and then changed together.
        """
        pair_at = self.pair_at
        count, left, right, places = pair
        left_size, right_size = sizes[left], sizes[right]
        before: defaultdict[int, list[int]] = defaultdict(list)
        after: defaultdict[int, list[int]] = defaultdict(list)
        for boundary in places:
            if pair_at[boundary] is pair:
                place = boundary - left_size
                before[pair_at[place][1]].append(place)
                place = boundary + right_size
                after[pair_at[place][2]].append(place)
        self.tokens -= count
        made, fallen = self._renewed(before, level, new_id, comes_after=True)
        # Where the pair stands twice in a row, what came after the first has just been changed.
        for place in after.pop(left, ()):
            after[pair_at[place][2]].append(place)
        made_after, fallen_after = self._renewed(after, level, new_id, comes_after=False)
        return made + made_after, fallen + fallen_after

    def _renewed(
        self, gathered: dict[int, list[int]], level: int, new_id: int, *, comes_after: bool
    ) -> tuple[list[Pair], int]:
        """New pairs at the places gathered by the other token, which the new one follows or not.

        Returns:
            as ``merge``.
        """
        gathered.pop(_NOTHING, None)
        pair_at, single = self.pair_at, self.single
        made, fallen = [], 0
        for other, places in gathered.items():
            first = places[0]
            frequency = self._frequency(places) if first < single else len(places)
            old = pair_at[first]
            count = old[0]
            # A pair of the new token has no place in its level yet.
            if count == level and other != new_id:
                fallen += 1
            old[0] = count - frequency
            tokens = (other, new_id) if comes_after else (new_id, other)
            new = [frequency, *tokens, array("I", places)]
            for place in places:
                pair_at[place] = new
            made.append(new)
        return made, fallen


def _weights(words: Sequence[tuple[tuple[int, ...], int]]) -> list[int]:
    """How often the word at each place occurs, up to the last word that occurs more than once."""
    last = len(words)
    while last and words[last - 1][1] == 1:
        last -= 1
    return list(
        chain.from_iterable(
            repeat(frequency, len(word) + 1) for word, frequency in islice(words, last)
        )
    )


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


def _arranged(words: Words, ties: Ties) -> list[tuple[tuple[int, ...], int]]:
    """The words in order of frequency, or of appearance where the tie rule asks for it."""
    if ties == "first-seen":
        return list(words.items())
    return sorted(words.items(), key=itemgetter(1), reverse=True)


def train_fast(
    words: Words, *, merges: int, ties: Ties, first_new_id: int, min_frequency: int = 1
) -> Iterator[MergeStep]:
    """The steps of ``train.train_plain`` for the same arguments, fast."""
    with no_collection():
        row = Row(_arranged(words, ties))
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
