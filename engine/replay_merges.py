"""One piece, merge by merge, and what the fast algorithm has in its hands after each merge.

    played = PieceReplay(rules_of(tokenizer), " hello")
    for merge in played.merges: ...         # rank, position, pair, result
    played.parts(2)                         # the tokens after two merges
    played.candidates(2)                    # every pair of neighbours then, with its rank
    played.heap(2), played.links(2)         # the fast algorithm at that moment

Only what changes is kept, in columns of numbers: a piece of 8,000 letters takes half a megabyte.
Everything else is rebuilt when it is asked for.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import NamedTuple, TypeVar, cast

from engine.limits import WORK_CURVE_UNITS
from engine.merge_rules import Found, MergeRules, Part

LookUp = Callable[[int | None, int | None], Found | None]


class MergeDelta(NamedTuple):
    """One merge: the pair that begins at the unit ``position`` becomes ``new_id``."""

    rank: int
    position: int
    left: int
    right: int
    new_id: int


class Candidate(NamedTuple):
    """Two neighbours at one moment; ``found`` is None if they do not merge.

    ``position`` is the unit at which the left one begins; ``wins`` marks the pair merged next.
    """

    position: int
    left: Part
    right: Part
    found: Found | None
    wins: bool


class HeapEntry(NamedTuple):
    """What lies in the heap: a pair's rank and position. Stale: that pair is no more there."""

    rank: int
    position: int
    new_id: int
    stale: bool


class Link(NamedTuple):
    """A node of the linked list: a part, and the positions of its neighbours (None at an end)."""

    position: int
    before: int | None
    after: int | None
    part: Part


class Work(NamedTuple):
    """What an algorithm did: pairs looked up in the table, and ranks compared with each other."""

    look_ups: int
    comparisons: int

    @property
    def total(self) -> int:
        """Both together."""
        return self.look_ups + self.comparisons


@dataclass(frozen=True, slots=True)
class Entries:
    """Everything that was ever in the heap, one row an entry, in order of being pushed.

    The times are numbers of merges. An entry is in the heap from ``born`` until it is taken out
    for the merge ``removed``, and stands for a pair that is there until ``died``. One with
    ``died < removed`` is stale in between. ``NEVER`` where neither happens.
    """

    ranks: array[int] = field(default_factory=lambda: array("I"))
    positions: array[int] = field(default_factory=lambda: array("I"))
    new_ids: array[int] = field(default_factory=lambda: array("I"))
    born: array[int] = field(default_factory=lambda: array("I"))
    died: array[int] = field(default_factory=lambda: array("I"))
    removed: array[int] = field(default_factory=lambda: array("I"))

    def __len__(self) -> int:
        return len(self.ranks)

    def add(self, found: Found, position: int, born: int) -> int:
        """A new entry; returns its number."""
        self.ranks.append(found.rank)
        self.positions.append(position)
        self.new_ids.append(found.id)
        self.born.append(born)
        self.died.append(NEVER)
        self.removed.append(NEVER)
        return len(self.ranks) - 1

    def alive(self, after: int) -> Iterator[int]:
        """The entries that stand for a pair which is there after so many merges."""
        for number in range(bisect_right(self.born, after)):
            if after < self.died[number]:
                yield number


NEVER = 0xFFFF_FFFF


@dataclass(slots=True)
class _Tally:
    comparisons: int = 0


Key = tuple[int, int, int]
"""What lies in the heap: rank, position, and the number of the entry."""
Queued = TypeVar("Queued", Key, "_Counted")


class _Counted:
    """A key on its way through the heap, which counts how often it is compared."""

    __slots__ = ("key", "tally")

    def __init__(self, key: Key, tally: _Tally) -> None:
        self.key = key
        self.tally = tally

    def __lt__(self, other: _Counted) -> bool:
        self.tally.comparisons += 1
        return self.key < other.key


class _Tracer:
    """Runs the fast algorithm, as ``encode_fast`` does, and writes down what it does."""

    def __init__(self, units: Sequence[Part], look_up: LookUp) -> None:
        size = len(units)
        self.look_up = look_up
        self.ids = [unit.id for unit in units]
        self.following = list(range(1, size + 1))
        self.before = list(range(-1, size - 1))
        self.current: list[int | None] = [None] * size
        self.entries = Entries()
        self.merged = array("I")  # the numbers of the entries that won, in order
        self.lefts, self.rights = array("I"), array("I")
        self.heap: list[Key] = []
        self.look_ups = self.alive = 0
        self.plain_look_ups = self.plain_comparisons = 0
        for position in range(size - 1):
            self._renew(position)
        heapify(self.heap)
        self._run()

    def _run(self) -> None:
        self._count_plain_round()
        while self.heap:
            _, position, number = heappop(self.heap)
            self.entries.removed[number] = len(self.merged) + 1
            if self.current[position] == number:
                self._merge(position, number)
                self._count_plain_round()

    def _count_plain_round(self) -> None:
        """What rescanning does at this point: ask for every pair, and find the best of those."""
        self.plain_look_ups += max(len(self.ids) - len(self.merged) - 1, 0)
        self.plain_comparisons += max(self.alive - 1, 0)

    def _merge(self, position: int, number: int) -> None:
        middle = self.following[position]
        end = self.following[middle]
        self.merged.append(number)
        # What has no id never merges.
        self.lefts.append(cast("int", self.ids[position]))
        self.rights.append(cast("int", self.ids[middle]))
        self._end(position)
        self._end(middle)
        self.ids[position] = self.entries.new_ids[number]
        self.following[position] = end
        if end < len(self.ids):
            self.before[end] = position
            self._renew(position)
        if position:
            self._renew(self.before[position])

    def _renew(self, position: int) -> None:
        """Ask the table about the pair that now begins at ``position``."""
        found = self.look_up(self.ids[position], self.ids[self.following[position]])
        self.look_ups += 1
        known = self.current[position]
        if known is not None:
            if found == (self.entries.ranks[known], self.entries.new_ids[known]):
                return
            self._end(position)
        if found is None:
            return
        number = self.entries.add(found, position, len(self.merged))
        self.current[position] = number
        self.alive += 1
        key = (found.rank, position, number)
        if self.merged:
            heappush(self.heap, key)
        else:
            self.heap.append(key)

    def _end(self, position: int) -> None:
        """The pair that began at ``position`` is no more."""
        number = self.current[position]
        if number is not None:
            self.entries.died[number] = len(self.merged)
            self.current[position] = None
            self.alive -= 1


class PieceReplay:
    """All merges of one piece.

    Attributes:
        piece: what is merged, as the tokenizer's model sees it.
        units: what merging begins with.
        entries: all that was in the heap, by the time of its coming and going.
        winners: the entry of each merge, in order.
        whole: the id of the piece if it is looked up as a whole before any merge.
        plain_work: what looking at every pair again at each merge does.
    """

    def __init__(self, rules: MergeRules, piece: str) -> None:
        self.piece = piece
        self.units: Sequence[Part] = rules.units(piece)
        self.whole = rules.whole(piece)
        traced = _Tracer(self.units, rules.look_up)
        self.entries = traced.entries
        self.winners, self._lefts, self._rights = traced.merged, traced.lefts, traced.rights
        self.plain_work = Work(traced.plain_look_ups, traced.plain_comparisons)
        self._look_ups = traced.look_ups

    def __len__(self) -> int:
        return len(self.winners)

    @property
    def merges(self) -> Iterator[MergeDelta]:
        """All merges, in order."""
        return map(self.merge, range(len(self)))

    def merge(self, number: int) -> MergeDelta:
        """The merge of that number, from 0."""
        entry, known = self.winners[number], self.entries
        left, right = self._lefts[number], self._rights[number]
        return MergeDelta(
            known.ranks[entry], known.positions[entry], left, right, known.new_ids[entry]
        )

    def links(self, after: int) -> list[Link]:
        """The linked list after so many merges."""
        ids = [unit.id for unit in self.units]
        following = list(range(1, len(ids) + 1))
        for number in range(after):
            merge = self.merge(number)
            ids[merge.position] = merge.new_id
            following[merge.position] = following[following[merge.position]]
        links: list[Link] = []
        position, before = 0, None
        while position < len(ids):
            after_it = following[position]
            part = Part(ids[position], self.units[position].start, self.units[after_it - 1].end)
            links.append(Link(position, before, after_it if after_it < len(ids) else None, part))
            position, before = after_it, position
        return links

    def parts(self, after: int) -> list[Part]:
        """The tokens after so many merges."""
        return [link.part for link in self.links(after)]

    def candidates(self, after: int) -> list[Candidate]:
        """All pairs of neighbours after so many merges, and which of them is merged next."""
        known = self.entries
        found = {
            known.positions[number]: Found(known.ranks[number], known.new_ids[number])
            for number in known.alive(after)
        }
        winner = known.positions[self.winners[after]] if after < len(self) else None
        return [
            Candidate(
                left.position,
                left.part,
                right.part,
                found.get(left.position),
                left.position == winner,
            )
            for left, right in pairwise(self.links(after))
        ]

    def heap(self, after: int) -> list[HeapEntry]:
        """The heap after so many merges, as it lies in memory (children of i at 2i+1, 2i+2)."""
        known = self.entries
        return [
            HeapEntry(rank, position, known.new_ids[number], known.died[number] <= after)
            for rank, position, number in self._heap_at(after, lambda key: key)
        ]

    def _heap_at(self, after: int, queued: Callable[[Key], Queued]) -> list[Queued]:
        """The heap after so many merges, of keys as ``queued`` makes them."""
        known, number = self.entries, 0
        heap: list[Queued] = []
        for time in range(after + 1):
            for _ in range(self._removals[time]):
                heappop(heap)
            while number < len(known) and known.born[number] == time:
                item = queued((known.ranks[number], known.positions[number], number))
                heappush(heap, item) if time else heap.append(item)
                number += 1
            if not time:
                heapify(heap)
        return heap

    @cached_property
    def fast_work(self) -> Work:
        """What a heap and a linked list do for the same merges; run once more to be counted."""
        tally = _Tally()
        # One time more than there are merges: then the heap is found to hold nothing but stale.
        self._heap_at(len(self) + 1, lambda key: _Counted(key, tally))
        return Work(self._look_ups, tally.comparisons)

    @cached_property
    def _removals(self) -> list[int]:
        """How many entries are taken out for each merge, by its number from 1."""
        counts = [0] * (len(self) + 2)
        for time in self.entries.removed:
            counts[time] += 1
        return counts

    @property
    def merged_ids(self) -> tuple[int | None, ...]:
        """The ids that merging leaves."""
        return tuple(part.id for part in self.parts(len(self)))

    @property
    def merges_count(self) -> bool:
        """Whether the result is that of the merges, and not of the look-up of the whole piece."""
        return self.whole is None or self.merged_ids == (self.whole,)

    @property
    def ids(self) -> tuple[int | None, ...]:
        """The ids of the piece."""
        return self.merged_ids if self.whole is None else (self.whole,)


# The growing piece begins with so many code points, or fewer where the piece has not as many.
_FIRST_CHARACTERS = 8


class WorkPoint(NamedTuple):
    """The work of both algorithms on a piece of so many units."""

    units: int
    plain: Work
    fast: Work


def work_curve(rules: MergeRules, piece: str) -> list[WorkPoint]:
    """The work of both algorithms on a piece that grows, each time to twice its length.

    It is the beginning of ``piece``, written again and again where that is too short, up to
    ``limits.WORK_CURVE_UNITS`` units.
    """
    points: list[WorkPoint] = []
    size = min(len(piece), _FIRST_CHARACTERS)
    units = 0
    while size and 2 * units <= WORK_CURVE_UNITS:
        played = PieceReplay(rules, (piece * (size // len(piece) + 1))[:size])
        units = max(len(played.units), 1)
        points.append(WorkPoint(units, played.plain_work, played.fast_work))
        size *= 2
    return points
