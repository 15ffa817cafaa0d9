"""From pieces to ids, for all pieces of a text at once, with a bounded memory of pieces seen.

Most pieces of a text were seen before, so the hot path is a dictionary look-up per piece. What is
missed goes through the model. A long piece of a script without blanks is first cut where no token
of the vocabulary reaches across: what stands on the two sides of such a place cannot influence each
other, and the parts are short enough to come again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
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
        data = piece.encode()
        whole = self.ranks.get(data)
        return (whole,) if whole is not None else tuple(merge_by_rank(data, self.ranks))

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


# Characters of three bytes: nearly all scripts that write no blanks between words. U+FFFD is left
# out because the table of neighbours is read from text where it stands for broken bytes.
_WIDE = "\u0800-\ud7ff\ue000-\ufffc\ufffe\uffff"
_WIDE_RUN = re.compile(f"[{_WIDE}]{{2,}}")
_LONG_WIDE_RUN = re.compile(f"[{_WIDE}]{{3}}")
_PARTIAL_START = re.compile(rb"(?<=\xff)([\x80-\xbf]{1,2})([\xe0-\xef][\x80-\xbf]{0,2})")
_PARTIAL_END = re.compile(rb"([\xe0-\xef][\x80-\xbf]{2})([\xe0-\xef][\x80-\xbf]?)(?=\xff)")


# Lone surrogates stand in no text that is encoded, so one can mark a place in it.
_CUT = "\ud800"


class _MarkedCuts(dict[str, str]):
    """Two neighbouring characters -> the first, with a mark where the two can be cut apart."""

    def __init__(self, separable: Callable[[str], bool]) -> None:
        super().__init__()
        self._separable = separable

    def __missing__(self, pair: str) -> str:
        marked = pair[0] + _CUT if self._separable(pair) else pair[0]
        if len(self) < NEIGHBOURS_KEPT:
            self[pair] = marked
        return marked


class Boundaries:
    """Knows between which two wide characters no token of a vocabulary can reach.

    Two characters that stand beside each other inside some token are joined. Tokens that begin or
    end inside a character are few; for them it is enough to know what could stand on the left and
    what on the right of a boundary inside them (a superset, so that nothing is cut wrongly).
    """

    def __init__(self, tokens: Iterable[bytes]) -> None:
        data = b"\xff" + b"\xff".join(tokens) + b"\xff"
        runs = set(_WIDE_RUN.findall(data.decode("utf-8", "replace")))
        self._joined = {pair for run in runs for pair in map(add, run, run[1:])}
        partial = _PARTIAL_START.findall(data) + _PARTIAL_END.findall(data)
        self._tails = {tail for tail, _ in partial}
        self._heads = {head for _, head in partial}
        self._mark = _MarkedCuts(self._separable).__getitem__

    def _separable(self, pair: str) -> bool:
        """Whether no token reaches across two neighbouring characters."""
        if pair in self._joined or _WIDE_RUN.fullmatch(pair) is None:
            return False
        left, right = pair[0].encode(), pair[1].encode()
        begun = any(left[i:] in self._tails for i in range(len(left)))
        return not (begun and any(right[: i + 1] in self._heads for i in range(len(right))))

    def cut(self, piece: str) -> list[str]:
        """``piece`` in parts that are encoded independently; they join to it."""
        # The line end is not wide: the last character comes out as it is.
        pairs = map(add, piece, piece[1:] + "\n")
        return "".join(map(self._mark, pairs)).split(_CUT)


class _Memory(dict[str, Ids]):
    """Piece -> its ids, resolved when first asked for. Safe under threads, and bounded.

    Nothing depends on what is in it: a piece that was dropped is resolved again.
    """

    def __init__(self, resolve: Callable[[str], Ids]) -> None:
        super().__init__()
        self._resolve = resolve

    def __missing__(self, piece: str) -> Ids:
        ids = self._resolve(piece)
        if len(piece) <= CACHED_PIECE_LENGTH:
            if len(self) >= CACHED_PIECES:
                self.clear()
            self[piece] = ids
        return ids


class PieceEncoder:
    """A model with a memory of the pieces it has encoded. Safe under threads."""

    def __init__(self, model: PieceModel, boundaries: Boundaries | None = None) -> None:
        self.model = model
        self._known = _Memory(model.ids if boundaries is None else self._resolve)
        self._boundaries = boundaries
        self._parts = _Memory(model.ids)
        if isinstance(model, RankModel | PairModel) and not model.all_made:
            # Only a whole piece may be looked up before it is merged.
            self._parts = _Memory(model.merged)

    def per_piece(self, pieces: Iterable[str]) -> list[Ids]:
        """The ids of each piece."""
        return list(map(self._known.__getitem__, pieces))

    def ids(self, pieces: Iterable[str]) -> list[int]:
        """The ids of all pieces, joined."""
        return list(chain.from_iterable(map(self._known.__getitem__, pieces)))

    def count(self, pieces: Iterable[str]) -> int:
        """The number of ids of all pieces."""
        return sum(map(len, map(self._known.__getitem__, pieces)))

    def forget(self) -> None:
        """Empty the memory (for measuring what a text costs that was never seen)."""
        self._known.clear()
        self._parts.clear()

    def anew(self) -> PieceEncoder:
        """Another with an empty memory, on the same tables."""
        return PieceEncoder(self.model, self._boundaries)

    def _resolve(self, piece: str) -> Ids:
        """The ids of a piece not seen before."""
        if not piece.isascii() and _LONG_WIDE_RUN.search(piece) and self._boundaries is not None:
            parts = self._boundaries.cut(piece)
            # A piece that is not cut may be a token that no merges make.
            if len(parts) > 1:
                return tuple(chain.from_iterable(map(self._parts.__getitem__, parts)))
        return self.model.ids(piece)
