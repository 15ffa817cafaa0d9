"""The encoder for every uploaded tokenizer that is not plainly lossless.

Such a tokenizer may drop text, write blanks where there were none, or have no token for a
character. What it shows is the text as its tokens read: with the blanks it wrote, and with what it
dropped, which then lies between tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from engine.piece_encoder import PieceEncoder
from engine.pre_tokenizers import Part, PreTokenizer, run
from engine.sentencepiece_bpe import CharacterModel, Unit
from engine.standins import from_standins
from engine.tokenizer import Span

Show = Callable[[str], bytes]
"""What is shown of a character, in UTF-8."""


@dataclass(frozen=True, kw_only=True)
class GeneralEncoder:
    """Steps that may drop and rewrite, and a model over characters.

    Attributes:
        steps: the pre-tokenizers.
        model: merges each part that was kept.
        written_in: ``"standins"`` if parts are written one stand-in per byte.
        blank_sign: the character that is shown as a blank, if there is one.
    """

    steps: tuple[PreTokenizer, ...]
    model: CharacterModel
    written_in: Literal["text", "standins"] = "text"
    blank_sign: str = ""

    @cached_property
    def _encoder(self) -> PieceEncoder:
        return PieceEncoder(self.model)

    def ids(self, text: str, *, first: bool) -> list[int]:
        """The ids of ``text``."""
        return self._encoder.ids(self.pieces(text, first=first))

    def count(self, text: str, *, first: bool) -> int:
        """The number of ids of ``text``."""
        return self._encoder.count(self.pieces(text, first=first))

    def pieces(self, text: str, *, first: bool) -> list[str]:
        """The parts that are merged, as the model sees them."""
        return [part.text for part in run(self.steps, text, first=first) if part.kept]

    def span(self, text: str, *, first: bool) -> Span:
        """The tokens of ``text`` and where they lie in what is shown of it."""
        parts = run(self.steps, text, first=first)
        try:
            return self._span(parts, self._shown_character)
        except UnicodeDecodeError:
            # Later steps may write between stand-ins what is none; then they are shown as they are.
            return self._span(parts, str.encode)

    def _span(self, parts: list[Part], show: Show) -> Span:
        shown: list[bytes] = []
        ids: list[int | None] = []
        starts: list[int] = []
        ends: list[int] = []
        offset = 0
        known: dict[Part, tuple[bytes, list[Unit]]] = {}
        for part in parts:
            data, units = known.get(part) or known.setdefault(part, self._placed(part, show))
            for unit in units:
                ids.append(unit.id)
                starts.append(offset + unit.start)
                ends.append(offset + unit.end)
            shown.append(data)
            offset += len(data)
        return Span(b"".join(shown).decode(), ids, starts, ends)

    def _placed(self, part: Part, show: Show) -> tuple[bytes, list[Unit]]:
        """What is shown of a part, and its tokens with their bytes of that."""
        data, place_of = self._shown(part.text, show)
        tokens = self.model.tokens(part.text) if part.kept else []
        return data, [Unit(unit.id, place_of[unit.start], place_of[unit.end]) for unit in tokens]

    @staticmethod
    def _shown(text: str, show: Show) -> tuple[bytes, list[int]]:
        """What is shown of a part, and for each byte offset of the part that of what is shown."""
        sizes: list[bytes] = []
        place_of = [0]
        offset = 0
        for character in text:
            data = show(character)
            sizes.append(data)
            width = len(character.encode())
            # A character that is shown as itself may be split between tokens; others are not.
            same = len(data) == width
            place_of += [offset + place if same else offset for place in range(1, width)]
            offset += len(data)
            place_of.append(offset)
        return b"".join(sizes), place_of

    def _shown_character(self, character: str) -> bytes:
        if self.written_in == "standins":
            data = from_standins(character)
            return character.encode() if data is None else data
        return b" " if character == self.blank_sign else character.encode()
