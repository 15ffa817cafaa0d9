"""From pieces to ids, for all pieces of a text at once, with a bounded memory of pieces seen.

Most pieces of a text were seen before, so the hot path is a dictionary look-up per piece. What is
missed goes through the model. A long piece of a script without blanks is first cut where no token
of the vocabulary reaches across: what stands on the two sides of such a place cannot influence each
other, and the parts are short enough to come again.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, compress, islice, pairwise
from operator import add
from typing import Protocol

from engine.encode_fast import Pairs, Ranks, merge_by_pair, merge_by_rank
from engine.limits import CACHED_PIECE_LENGTH, CACHED_PIECES, NEIGHBOURS_KEPT

Ids = tuple[int, ...]


class PieceModel(Protocol):
    """Merges one piece."""

    def ids(self, piece: str) -> Ids:
        """The ids of one piece, which is not empty."""
        ...


@dataclass(frozen=True, slots=True)
class RankModel:
    """A rank table over bytes (.tiktoken): any neighbours whose joined bytes are in it merge.

    ``all_made`` says that every token of the table is what merging its own bytes gives, so that
    parts of pieces may be looked up too.
    """

    ranks: Ranks
    all_made: bool = False

    def ids(self, piece: str) -> Ids:
        """The ids of ``piece``; one that is in the table as a whole is that token."""
        whole = self.ranks.get(piece.encode())
        return (whole,) if whole is not None else self.merged(piece)

    def merged(self, part: str) -> Ids:
        """The ids of ``part`` by merges alone."""
        return tuple(merge_by_rank(part.encode(), self.ranks))


@dataclass(frozen=True, slots=True, kw_only=True)
class PairModel:
    """A merge list over bytes (tokenizer.json): only the listed pairs merge.

    ``byte_ids`` are the ids of the 256 bytes; ``whole`` holds the pieces that are looked up before
    any merge (``ignore_merges``), else nothing.
    """

    byte_ids: Sequence[int]
    pairs: Pairs
    whole: Ranks

    @property
    def all_made(self) -> bool:
        """Whether a look-up of the whole piece never changes what merging gives."""
        return not self.whole

    def ids(self, piece: str) -> Ids:
        """The ids of ``piece``."""
        whole = self.whole.get(piece.encode())
        return (whole,) if whole is not None else self.merged(piece)

    def merged(self, part: str) -> Ids:
        """The ids of ``part`` by merges alone."""
        return tuple(merge_by_pair([self.byte_ids[byte] for byte in part.encode()], self.pairs))


@dataclass(frozen=True, slots=True)
class _MergesAlone:
    """A model for parts of pieces. Only a whole piece may be looked up before it is merged."""

    model: RankModel | PairModel

    def ids(self, piece: str) -> Ids:
        """The ids of a part."""
        return self.model.merged(piece)


# Characters of three bytes: nearly all scripts that write no blanks between words. U+FFFD is left
# out because the table of neighbours is read from text where it stands for broken bytes.
_WIDE = "\u0800-\ud7ff\ue000-\ufffc\ufffe\uffff"
_WIDE_RUN = re.compile(f"[{_WIDE}]{{2,}}")
_LONG_WIDE_RUN = re.compile(f"[{_WIDE}]{{3}}")
_PARTIAL_START = re.compile(rb"(?<=\xff)([\x80-\xbf]{1,2})([\xe0-\xef][\x80-\xbf]{0,2})")
_PARTIAL_END = re.compile(rb"([\xe0-\xef][\x80-\xbf]{2})([\xe0-\xef][\x80-\xbf]?)(?=\xff)")


class _Separable(dict[str, bool]):
    """Two neighbouring wide characters -> whether no token reaches across; filled as asked."""

    def __init__(self, joined: set[str], partial: list[tuple[bytes, bytes]]) -> None:
        super().__init__(dict.fromkeys(joined, False))
        self._tails = {tail for tail, _ in partial}
        self._heads = {head for _, head in partial}

    def __missing__(self, pair: str) -> bool:
        separable = _WIDE_RUN.fullmatch(pair) is not None and not self._crossed(*pair)
        if len(self) < NEIGHBOURS_KEPT:
            self[pair] = separable
        return separable

    def _crossed(self, a: str, b: str) -> bool:
        """Whether a token that begins or ends inside a character may reach across."""
        left, right = a.encode(), b.encode()
        return any(left[i:] in self._tails for i in range(len(left))) and any(
            right[: i + 1] in self._heads for i in range(len(right))
        )


class Boundaries:
    """Knows between which two wide characters no token of a vocabulary can reach.

    Two characters that stand beside each other inside some token are joined. Tokens that begin or
    end inside a character are few; for them it is enough to know what could stand on the left and
    what on the right of a boundary inside them (a superset, so that nothing is cut wrongly).
    """

    def __init__(self, tokens: Iterable[bytes]) -> None:
        data = b"\xff" + b"\xff".join(tokens) + b"\xff"
        runs = set(_WIDE_RUN.findall(data.decode("utf-8", "replace")))
        joined = {pair for run in runs for pair in map(add, run, run[1:])}
        partial = _PARTIAL_START.findall(data) + _PARTIAL_END.findall(data)
        self._separable = _Separable(joined, partial)

    def cut(self, pieces: Sequence[str]) -> list[list[str]]:
        """Each piece in parts that are encoded independently; they join to the piece."""
        # All pieces in one text, so that the pairs are looked up in one go. The line end between
        # two is not wide: no cut falls beside it.
        text = "\n".join(pieces)
        answers = map(self._separable.__getitem__, map(add, text, text[1:]))
        cuts = list(compress(range(1, len(text)), answers))
        parts, start, first = [], 0, 0
        for piece in pieces:
            end = start + len(piece)
            last = bisect_left(cuts, end, first)
            bounds = [start, *cuts[first:last], end]
            parts.append([text[a:b] for a, b in pairwise(bounds)])
            start, first = end + 1, last
        return parts


class PieceEncoder:
    """A model with a memory of the pieces it has encoded. Safe under threads.

    The memory is a dictionary that only grows and is replaced when it is full, so a thread that
    holds the old one still finds all it put in.
    """

    def __init__(self, model: PieceModel, boundaries: Boundaries | None = None) -> None:
        self.model = model
        self._known: dict[str, Ids] = {}
        self._boundaries = boundaries
        self._parts: PieceEncoder | None = None
        if boundaries is not None and isinstance(model, RankModel | PairModel):
            self._parts = PieceEncoder(model if model.all_made else _MergesAlone(model))

    def per_piece(self, pieces: Sequence[str]) -> list[Ids]:
        """The ids of each piece."""
        known = self._known
        try:
            return list(map(known.__getitem__, pieces))
        except KeyError:
            distinct = set(pieces)
        resolved = self._resolve(distinct.difference(known))
        now = self._remember(known, resolved)
        try:
            return list(map(now.__getitem__, pieces))
        except KeyError:
            # Long pieces are not remembered, and a full memory was begun anew.
            now = {**{piece: known[piece] for piece in distinct if piece in known}, **resolved}
            return list(map(now.__getitem__, pieces))

    def ids(self, pieces: Sequence[str]) -> list[int]:
        """The ids of all pieces, joined."""
        return list(chain.from_iterable(self.per_piece(pieces)))

    def count(self, pieces: Sequence[str]) -> int:
        """The number of ids of all pieces."""
        return sum(map(len, self.per_piece(pieces)))

    def forget(self) -> None:
        """Empty the memory (for measuring what a text costs that was never seen)."""
        self._known = {}
        if self._parts is not None:
            self._parts.forget()

    def _resolve(self, pieces: set[str]) -> dict[str, Ids]:
        """The ids of pieces not seen before."""
        if self._boundaries is None or self._parts is None:
            return {piece: self.model.ids(piece) for piece in pieces}
        wide = [piece for piece in pieces if not piece.isascii() and _LONG_WIDE_RUN.search(piece)]
        resolved = {piece: self.model.ids(piece) for piece in set(pieces).difference(wide)}
        in_parts = self._boundaries.cut(wide)
        ids = iter(self._parts.per_piece(list(chain.from_iterable(in_parts))))
        for piece, parts in zip(wide, in_parts, strict=True):
            joined = tuple(chain.from_iterable(islice(ids, len(parts))))
            # A piece that is not cut may be a token that no merges make.
            resolved[piece] = joined if len(parts) > 1 else self.model.ids(piece)
        return resolved

    def _remember(self, known: dict[str, Ids], resolved: dict[str, Ids]) -> dict[str, Ids]:
        """Add to the memory, or begin a new one where that would pass the limit; returns it."""
        short = resolved
        if max(map(len, resolved), default=0) > CACHED_PIECE_LENGTH:
            short = {p: ids for p, ids in resolved.items() if len(p) <= CACHED_PIECE_LENGTH}
        if len(known) + len(short) > CACHED_PIECES:
            known = {}
        known.update(islice(short.items(), CACHED_PIECES))
        self._known = known
        return known
