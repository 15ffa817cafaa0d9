"""The encoder of a .tiktoken file with a pattern of one's own, which need not match everything.

tiktoken encodes what its pattern matches and drops what lies between. Published patterns match
every character; a typed one may not, and then its ids do not give the text back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.piece_encoder import PieceEncoder
from engine.tokenizer import Span
from engine.uploaded_pattern import Deadline, Spans, UploadedPattern


@dataclass(frozen=True, slots=True)
class DroppingEncoder:
    """Encodes the matches of a pattern.

    Attributes:
        pattern: what is encoded; the rest is dropped.
        encoder: merges the matches.
        size_of: the number of bytes of each id.
    """

    pattern: UploadedPattern
    encoder: PieceEncoder
    size_of: Mapping[int, int]

    def _matches(self, text: str) -> Spans:
        found = self.pattern.find(text, Deadline(len(text)))
        return [(start, end) for start, end in found if start < end]

    def pieces(self, text: str, *, first: bool) -> list[str]:
        """The matches."""
        return [text[start:end] for start, end in self._matches(text)]

    def ids(self, text: str, *, first: bool) -> list[int]:
        """The ids of the matches."""
        return self.encoder.ids(self.pieces(text, first=first))

    def count(self, text: str, *, first: bool) -> int:
        """The number of ids of the matches."""
        return self.encoder.count(self.pieces(text, first=first))

    def span(self, text: str, *, first: bool) -> Span | None:
        """Where the tokens lie; None where the matches cover the text."""
        matches = self._matches(text)
        if sum(end - start for start, end in matches) == len(text):
            return None
        ids: list[int] = []
        starts: list[int] = []
        ends: list[int] = []
        position = offset = 0
        per_piece = self.encoder.per_piece([text[start:end] for start, end in matches])
        for (start, end), own in zip(matches, per_piece, strict=True):
            offset += len(text[position:start].encode())
            position = end
            for token_id in own:
                starts.append(offset)
                offset += self.size_of[token_id]
                ends.append(offset)
            ids += own
        return Span(text, ids, starts, ends)
