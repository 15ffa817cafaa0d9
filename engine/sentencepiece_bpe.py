"""Byte pair encoding whose unit is the character, as ``tokenizers`` runs it.

Files converted from SentencePiece are of this kind: blanks are written ``▁``, and a character
without an id falls back to its bytes (``<0xE1>``) or to an unknown token. Byte-level files that do
not hold all 256 bytes are run here too, with stand-ins for characters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from engine.encode_fast import Pairs, merge_by_pair, pair_key
from engine.limits import CACHED_PIECES
from engine.piece_encoder import Ids

_SHIFT = 32
_LOW = (1 << _SHIFT) - 1


class Unit(NamedTuple):
    """What merging begins with: an id and the bytes of the piece that it covers."""

    id: int
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class CharacterModel:
    """A merge list over characters.

    Attributes:
        vocabulary: the id of each token, written as in the file.
        pairs: see ``encode_fast.Pairs``.
        unknown: the id for a character without one; None if such a character is dropped.
        fuse_unknown: whether neighbouring unknown characters become one token.
        byte_fallback: whether such a character becomes its bytes, where they all have ids.
        prefix: written before every character of a piece but the first, to look it up.
        suffix: written after the last character of a piece, to look it up.
        whole_first: whether a piece that is a token is that token, without merges.
    """

    vocabulary: Mapping[str, int]
    pairs: Pairs
    unknown: int | None = None
    fuse_unknown: bool = False
    byte_fallback: bool = False
    prefix: str = ""
    suffix: str = ""
    whole_first: bool = False

    def ids(self, piece: str) -> Ids:
        """The ids of ``piece``."""
        whole = self._whole(piece)
        if whole is not None:
            return (whole,)
        if not self._may_cut:
            return self._merged(piece)
        parts = self._cut(piece)
        return self._merged(piece) if len(parts) == 1 else self._joined(parts)

    def _joined(self, parts: list[str]) -> Ids:
        known = self._known
        ids: list[int] = []
        for part in parts:
            found = known.get(part)
            if found is None:
                found = self._merged(part)
                if len(known) < CACHED_PIECES and len(part) < 40:
                    known[part] = found
            ids += found
        return tuple(ids)

    def _merged(self, piece: str) -> Ids:
        return tuple(merge_by_pair([unit.id for unit in self.units(piece)], self.pairs))

    def tokens(self, piece: str) -> list[Unit]:
        """The tokens of ``piece`` with the bytes of it that each covers."""
        whole = self._whole(piece)
        if whole is not None:
            return [Unit(whole, 0, len(piece.encode()))]
        if not self._may_cut:
            return merge_units(self.units(piece), self.pairs)
        tokens: list[Unit] = []
        offset = 0
        known: dict[str, list[Unit]] = {}
        for part in self._cut(piece):
            if (own := known.get(part)) is None:
                own = known[part] = merge_units(self.units(part), self.pairs)
            tokens += [Unit(token.id, offset + token.start, offset + token.end) for token in own]
            offset += len(part.encode())
        return tokens

    def _whole(self, piece: str) -> int | None:
        return self.vocabulary.get(piece) if self.whole_first else None

    def units(self, piece: str) -> list[Unit]:
        """The units of ``piece``, in the order in which the library lists them.

        An unknown character is listed when the next known one is met. The bytes of a fallback do
        not count as that, so it comes after them, and covers nothing there.
        """
        units: list[Unit] = []
        waiting: Unit | None = None
        offset = 0
        for character, text in zip(piece, self._looked_up(piece), strict=True):
            start, offset = offset, offset + len(character.encode())
            found = self.vocabulary.get(text)
            if found is not None:
                if waiting is not None:
                    units.append(waiting)
                    waiting = None
                units.append(Unit(found, start, offset))
            elif (fallback := self._bytes(text)) is not None:
                units += _spread(fallback, start, offset)
                if waiting is not None:
                    waiting = Unit(waiting.id, offset, offset)
            elif self.unknown is not None:
                if waiting is not None and not self.fuse_unknown:
                    units.append(waiting)
                    waiting = None
                begin = start if waiting is None else waiting.start
                waiting = Unit(self.unknown, begin, offset)
        if waiting is not None:
            units.append(waiting)
        return units

    def _looked_up(self, piece: str) -> list[str]:
        """What each character of ``piece`` is looked up as."""
        texts = [piece[0], *(self.prefix + character for character in piece[1:])]
        texts[-1] += self.suffix
        return texts

    def _bytes(self, text: str) -> list[int] | None:
        """The ids of the bytes of ``text``, if fallback is on and every byte has one."""
        if not self.byte_fallback:
            return None
        ids = [self._byte_ids[byte] for byte in text.encode() if byte in self._byte_ids]
        return ids if len(ids) == len(text.encode()) else None

    @cached_property
    def _byte_ids(self) -> dict[int, int]:
        found = ((byte, self.vocabulary.get(f"<0x{byte:02X}>")) for byte in range(256))
        return {byte: token_id for byte, token_id in found if token_id is not None}

    @cached_property
    def _known(self) -> dict[str, Ids]:
        return {}

    @cached_property
    def _may_cut(self) -> bool:
        """Whether what stands on two sides of a place no token reaches across is independent."""
        odd = {self.unknown, *self._byte_ids.values()} if self.byte_fallback else {self.unknown}
        merged = {key >> _SHIFT for key in self.pairs} | {key & _LOW for key in self.pairs}
        return not (self.prefix or self.suffix or odd & merged)

    @cached_property
    def _inside(self) -> frozenset[str]:
        """Every two neighbouring characters inside some token."""
        return frozenset(
            token[place : place + 2] for token in self.vocabulary for place in range(len(token) - 1)
        )

    def _cut(self, piece: str) -> list[str]:
        """``piece`` in parts that are merged independently; both sides of a cut have ids."""
        inside, known = self._inside, self.vocabulary
        parts, start = [], 0
        for place, (a, b) in enumerate(pairwise(piece), 1):
            if a + b not in inside and a in known and b in known:
                parts.append(piece[start:place])
                start = place
        parts.append(piece[start:])
        return parts


def _spread(ids: list[int], start: int, end: int) -> list[Unit]:
    """One byte of the piece for each id; with a prefix or suffix there are more ids than bytes."""
    return [
        Unit(token_id, min(start + place, end), min(start + place + 1, end))
        for place, token_id in enumerate(ids)
    ]


def merge_units(units: list[Unit], pairs: Pairs) -> list[Unit]:
    """What is left of ``units`` after all merges; a merge covers what its parts covered.

    The same merges as ``encode_fast.merge_by_pair``, which gives the ids alone, and faster.
    """
    size = len(units)
    ids = [unit.id for unit in units]
    following, before = list(range(1, size + 2)), list(range(-1, size))
    heap = [
        (value, place)
        for place in range(size - 1)
        if (value := pairs.get(pair_key(ids[place], ids[place + 1]))) is not None
    ]
    heapify(heap)
    gone = [False] * size
    while heap:
        value, place = heappop(heap)
        middle = following[place]
        if gone[place] or middle >= size:
            continue
        if pairs.get(pair_key(ids[place], ids[middle])) != value:
            continue
        ids[place], gone[middle] = value & _LOW, True
        end = following[place] = following[middle]
        if end < size:
            before[end] = place
        for left, right in ((before[place], place), (place, end)):
            if left >= 0 and right < size:
                fresh = pairs.get(pair_key(ids[left], ids[right]))
                if fresh is not None:
                    heappush(heap, (fresh, left))
    kept = [place for place in range(size) if not gone[place]]
    return [Unit(ids[place], units[place].start, units[following[place] - 1].end) for place in kept]
