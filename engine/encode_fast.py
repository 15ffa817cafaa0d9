"""The same merges as ``encode.merge_plain``, fast.

Three ways, by the shape of the piece: a short one is rescanned at each merge, with the scan done by
``min`` and ``list.index``; a long one keeps its pairs in a heap and its parts in a linked list, so
that time grows as n log n; a short unit repeated is merged all along the run at a time.

Two kinds of tables are merged: ``ranks`` (joined bytes -> id, the smaller id first; .tiktoken) and
``pairs`` (pair of ids -> rank and new id; tokenizer.json).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from heapq import heapify, heappop, heappush
from itertools import repeat
from operator import add

from engine.limits import LONG_PIECE_BYTES, LONGEST_REPEATED_UNIT

Ranks = Mapping[bytes, int]
"""Joined bytes of a pair -> rank, which is also the id of the result."""
Pairs = Mapping[int, int]
"""``pair_key(left, right)`` -> ``pair_value(rank, new_id)``."""

_NONE = 1 << 80  # above every rank and every packed pair value
_SINGLE = [bytes([byte]) for byte in range(256)]
_SHIFT = 32
_LOW = (1 << _SHIFT) - 1


def pair_key(left: int, right: int) -> int:
    """Two ids packed into one dictionary key."""
    return left << _SHIFT | right


def pair_value(rank: int, new_id: int) -> int:
    """A rank and the id it makes, packed so that the smaller rank is the smaller number."""
    return rank << _SHIFT | new_id


def merge_by_rank(data: bytes, ranks: Ranks) -> list[int]:
    """The ids of one piece under a rank table.

    Args:
        data: the bytes of the piece.
        ranks: a table that holds every single byte of ``data``.

    Raises:
        KeyError: if a byte of ``data`` is not in the table.
    """
    if len(data) < LONG_PIECE_BYTES:
        return _rank_rescan(data, ranks)
    return _repeated(data, ranks) or _rank_heap(data, ranks)


def _rank_rescan(data: bytes, ranks: Ranks) -> list[int]:
    """Short pieces: ``best[i]`` is the rank of ``parts[i]`` and the part after it, joined."""
    get = ranks.get
    parts = [_SINGLE[byte] for byte in data]
    best = list(map(get, map(add, parts, parts[1:]), repeat(_NONE)))
    while best:
        lowest = min(best)
        if lowest == _NONE:
            break
        i = best.index(lowest)
        joined = parts[i] = parts[i] + parts.pop(i + 1)
        del best[i]
        if i < len(best):
            best[i] = get(joined + parts[i + 1], _NONE)
        if i:
            best[i - 1] = get(parts[i - 1] + joined, _NONE)
    return list(map(ranks.__getitem__, parts))


def _rank_heap(data: bytes, ranks: Ranks) -> list[int]:
    """Long pieces: parts are linked by start offset; a heap holds (rank, start) packed.

    An entry is stale when ``current[start]`` is no longer its rank. A rank names one byte string,
    so an entry whose rank is current is right, however old it is.
    """
    size, get = len(data), ranks.get
    following = list(range(1, size + 2))
    before = list(range(-1, size))
    current = [get(data[i : i + 2], _NONE) for i in range(size - 1)]
    current.append(_NONE)
    heap = [rank << _SHIFT | i for i, rank in enumerate(current) if rank != _NONE]
    heapify(heap)
    while heap:
        entry = heappop(heap)
        start = entry & _LOW
        if current[start] != entry >> _SHIFT:
            continue
        middle = following[start]
        end = following[middle]
        following[start] = end
        before[end] = start
        current[middle] = current[start] = _NONE
        if end < size:
            rank = get(data[start : following[end]])
            if rank is not None:
                current[start] = rank
                heappush(heap, rank << _SHIFT | start)
        if start:
            left = before[start]
            rank = get(data[left:end], _NONE)
            if rank != current[left]:
                current[left] = rank
                if rank != _NONE:
                    heappush(heap, rank << _SHIFT | left)
    ids, start = [], 0
    while start < size:
        end = following[start]
        ids.append(ranks[data[start:end]])
        start = end
    return ids


def _repeated(data: bytes, ranks: Ranks) -> list[int] | None:
    """A short unit repeated: equal pairs merge all along the run. None where that is not sure.

    First the unit becomes one part, in every copy at once; then neighbouring copies are joined, so
    that the piece is ``count`` times ``unit`` and a short ``tail``. Such a sweep is what single
    merges would do as long as no pair that arises during it has a lower rank; that is checked.
    """
    # The first place where the piece is found again in itself doubled is its period.
    size = (data + data).find(data, 1)
    if size > LONGEST_REPEATED_UNIT or not _becomes_one_part(data[:size], ranks):
        return None
    unit, get, count, tail = data[:size], ranks.get, len(data) // size, list[bytes]()
    while True:
        run = get(unit + unit, _NONE) if count > 1 else _NONE
        parts = [unit, *tail] if count else tail
        ends = [get(a + b, _NONE) for a, b in itertools.pairwise(parts)]
        lowest = min(ends, default=_NONE)
        if run <= lowest and run != _NONE:
            doubled = unit + unit
            if min(get(doubled + unit, _NONE), get(doubled + doubled, _NONE)) < run:
                return None
            if count % 2:
                tail.insert(0, unit)
            unit, count = doubled, count // 2
        elif lowest != _NONE:
            i = ends.index(lowest)
            parts[i : i + 2] = [parts[i] + parts[i + 1]]
            # The last unit of the run was lent to `parts`; the run is one shorter now.
            count, tail = max(count - 1, 0), parts
        else:
            return [ranks[unit]] * count + [ranks[part] for part in tail]


def _becomes_one_part(unit: bytes, ranks: Ranks) -> bool:
    """Whether a run of ``unit`` surely comes to have each copy as one part, and no other part."""
    get = ranks.get
    parts = [_SINGLE[byte] for byte in unit]
    while len(parts) > 1:
        # The last pair stands across two copies.
        around = [get(a + b, _NONE) for a, b in zip(parts, [*parts[1:], parts[0]], strict=True)]
        lowest = min(around)
        if lowest == _NONE or around.count(lowest) > 1 or around[-1] == lowest:
            return False
        i = around.index(lowest)
        joined = parts[i] + parts[i + 1]
        # While a sweep is under way, copies to the right are not merged yet.
        after = [parts[(i + 2) % len(parts)], joined]
        before = [parts[i - 1], joined]
        arising = [get(joined + part, _NONE) for part in after]
        arising += [get(part + joined, _NONE) for part in before]
        if min(arising) < lowest:
            return False
        parts[i : i + 2] = [joined]
    return True


def merge_by_pair(ids: list[int], pairs: Pairs) -> list[int]:
    """The ids that are left of ``ids`` after all merges of a pair table.

    Args:
        ids: the ids of the units (bytes or characters) of one piece; not changed.
        pairs: see ``Pairs``.
    """
    if len(ids) < LONG_PIECE_BYTES:
        return _pair_rescan(list(ids), pairs.get)
    return _pair_heap(list(ids), pairs.get)


_GetPair = Callable[[int, int], int]


def _pair_rescan(ids: list[int], get: _GetPair) -> list[int]:
    best = [get(a << _SHIFT | b, _NONE) for a, b in itertools.pairwise(ids)]
    while best:
        lowest = min(best)
        if lowest == _NONE:
            break
        i = best.index(lowest)
        ids[i] = lowest & _LOW
        del ids[i + 1], best[i]
        if i < len(best):
            best[i] = get(ids[i] << _SHIFT | ids[i + 1], _NONE)
        if i:
            best[i - 1] = get(ids[i - 1] << _SHIFT | ids[i], _NONE)
    return ids


def _pair_heap(ids: list[int], get: _GetPair) -> list[int]:
    """As ``_rank_heap``, with parts linked by place and ids in place of bytes."""
    size = len(ids)
    following = list(range(1, size + 2))
    before = list(range(-1, size))
    current = [get(a << _SHIFT | b, _NONE) for a, b in itertools.pairwise(ids)]
    current.append(_NONE)
    heap = [(value, place) for place, value in enumerate(current) if value != _NONE]
    heapify(heap)
    while heap:
        value, place = heappop(heap)
        if current[place] != value:
            continue
        middle = following[place]
        end = following[middle]
        following[place] = end
        before[end] = place
        ids[place] = value & _LOW
        current[middle] = current[place] = _NONE
        if end < size:
            fresh = get(ids[place] << _SHIFT | ids[end], _NONE)
            if fresh != _NONE:
                current[place] = fresh
                heappush(heap, (fresh, place))
        if place:
            left = before[place]
            fresh = get(ids[left] << _SHIFT | ids[place], _NONE)
            if fresh != current[left]:
                current[left] = fresh
                if fresh != _NONE:
                    heappush(heap, (fresh, left))
    kept, place = [], 0
    while place < size:
        kept.append(ids[place])
        place = following[place]
    return kept
