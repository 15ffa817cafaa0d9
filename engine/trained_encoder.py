"""The encoder of a tokenizer that was trained here: any pattern, bytes or characters.

A lesson's pattern may take some characters nowhere: they are dropped, and lie between tokens. In a
tokenizer of characters a character that the corpus did not hold has no id: it is a token all the
same, with None for its id, because that is what the lesson shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import groupby
from typing import cast

from engine.encode_fast import Pairs, merge_by_pair
from engine.piece_encoder import Ids, PieceEncoder
from engine.pretokenization import Splitter
from engine.tokenizer import Span, Unit


class GapSplitter:
    """Cuts text into pieces that are kept and stretches that no branch of a pattern takes.

    Args:
        how: a splitter that keeps everything, or a lesson's pattern.
        lossless: whether nothing is ever dropped.
    """

    def __init__(self, how: re.Pattern[str] | Splitter, *, lossless: bool) -> None:
        self.how = how
        self.lossless = lossless

    @property
    def splitter(self) -> Splitter:
        """Itself, or the splitter inside that is known by its kind."""
        return self if isinstance(self.how, re.Pattern) else self.how

    def pieces(self, text: str) -> list[str]:
        """The pieces that are kept."""
        if isinstance(self.how, re.Pattern):
            return [match[0] for match in self.how.finditer(text) if match[0]]
        return self.how.pieces(text)

    def parts(self, text: str) -> Iterator[tuple[str, bool]]:
        """Pieces (True) and dropped stretches (False), in order; they join to ``text``."""
        if isinstance(self.how, re.Pattern):
            yield from _with_gaps(self.how, text)
        else:
            yield from ((piece, True) for piece in self.how.pieces(text))


def _with_gaps(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, bool]]:
    position = 0
    for match in pattern.finditer(text):
        if match.start() > position:
            yield text[position : match.start()], False
        if match[0]:
            yield match[0], True
        position = match.end()
    if position < len(text):
        yield text[position:], False


def units_of(piece: str, unit: Unit) -> list[bytes]:
    """A piece taken apart into its bytes or characters, in UTF-8."""
    if unit == "characters":
        return [character.encode() for character in piece]
    data = piece.encode()
    return [data[place : place + 1] for place in range(len(data))]


class TrainedEncoder:
    """Splits with gaps and merges by a list of pairs.

    Attributes:
        splitter: cuts the text into pieces.
        id_of: the ids of the units.
        pairs: the merges.
        unit: what is merged.
    """

    def __init__(
        self, splitter: GapSplitter, id_of: Mapping[bytes, int], pairs: Pairs, unit: Unit
    ) -> None:
        self.splitter = splitter
        self.id_of = id_of
        self.pairs = pairs
        self.unit = unit

    @cached_property
    def encoder(self) -> PieceEncoder:
        """Remembers pieces it has met; None stands (typed as an id) where there is none."""
        return PieceEncoder(_Model(self))

    def ids(self, text: str, *, first: bool) -> list[int]:
        """The ids of ``text``; None (typed as an id) for a character without one."""
        return self.encoder.ids(self.splitter.pieces(text))

    def count(self, text: str, *, first: bool) -> int:
        """The number of tokens of ``text``."""
        return self.encoder.count(self.splitter.pieces(text))

    def pieces(self, text: str, *, first: bool) -> list[str]:
        """The pieces that are merged."""
        return self.splitter.pieces(text)

    def span(self, text: str, *, first: bool) -> Span | None:
        """Where the tokens lie; None where nothing can be dropped or unknown."""
        if self.splitter.lossless and self.unit == "bytes":
            return None
        ids: list[int | None] = []
        starts: list[int] = []
        ends: list[int] = []
        offset = 0
        for part, kept in self.splitter.parts(text):
            if kept:
                for token_id, size in self.tokens(part):
                    ids.append(token_id)
                    starts.append(offset)
                    offset += size
                    ends.append(offset)
            else:
                offset += len(part.encode())
        return Span(text, ids, starts, ends)

    def tokens(self, piece: str) -> Iterator[tuple[int | None, int]]:
        """Ids and sizes in bytes; unknown characters part what can merge."""
        units = units_of(piece, self.unit)
        for known, group in groupby(units, key=self.id_of.__contains__):
            run = list(group)
            if known:
                yield from self._merged_run(run)
            else:
                yield from ((None, len(unit)) for unit in run)

    def _merged_run(self, run: list[bytes]) -> Iterator[tuple[int, int]]:
        for token_id in merge_by_pair([self.id_of[unit] for unit in run], self.pairs):
            yield token_id, self._size_of[token_id]

    @cached_property
    def _size_of(self) -> dict[int, int]:
        """The number of bytes of each id, found along the merges."""
        sizes = {token_id: len(unit) for unit, token_id in self.id_of.items()}
        for key, value in self.pairs.items():
            sizes[value & 0xFFFFFFFF] = sizes[key >> 32] + sizes[key & 0xFFFFFFFF]
        return sizes


class _Model:
    """The encoder as a model of pieces."""

    def __init__(self, encoder: TrainedEncoder) -> None:
        self._encoder = encoder

    def ids(self, piece: str) -> Ids:
        """The ids of ``piece``."""
        return tuple(cast("int", token_id) for token_id, _ in self._encoder.tokens(piece))
