"""From the tokens of a SentencePiece-style tokenizer back to text, as its file says.

Byte-level tokenizers need none of this: their bytes, joined, are the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from engine.json_document import Field


@dataclass(frozen=True, slots=True, kw_only=True)
class SentencePieceDecoder:
    """How tokens become text.

    Attributes:
        byte_ids: the ids that stand for one byte each.
        strip_left: how many blanks are taken off the start of the text.
        strip_right: how many off its end.
        bare_first: whether the first token loses its blanks.
    """

    byte_ids: frozenset[int]
    strip_left: int = 0
    strip_right: int = 0
    bare_first: bool = False

    def text(self, ids: Sequence[int], tokens: Sequence[bytes], errors: str) -> str:
        """The text of ``ids``, whose bytes are ``tokens``."""
        parts: list[str] = []
        pairs = zip(ids, tokens, strict=True)
        for is_byte, group in groupby(pairs, lambda pair: pair[0] in self.byte_ids):
            data = [token for _, token in group]
            if is_byte:
                parts.append(_text_of_bytes(b"".join(data), errors))
                continue
            texts = [token.decode("utf-8", errors) for token in data]
            if self.bare_first and not parts:
                texts[0] = texts[0].replace(" ", "")
            parts += texts
        return self._stripped("".join(parts))

    def _stripped(self, text: str) -> str:
        for _ in range(self.strip_left):
            text = text.removeprefix(" ")
        for _ in range(self.strip_right):
            text = text.removesuffix(" ")
        return text


def _text_of_bytes(data: bytes, errors: str) -> str:
    """A run of byte tokens; if it is no UTF-8, the library gives one U+FFFD for each of them."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        if errors == "replace":
            return "\ufffd" * len(data)
        return data.decode("utf-8", errors)


def sentencepiece_decoder(steps: list[Field], byte_ids: frozenset[int]) -> SentencePieceDecoder:
    """The decoder for the steps that a file lists.

    Byte tokens are bytes even where the file does not say so; the library would show their names.
    """
    strip_left = strip_right = 0
    bare_first = False
    for step in steps:
        kind = step.need("type").value
        if kind == "Strip" and step.need("content").value == " ":
            strip_left += int(step.need("start").number())
            strip_right += int(step.need("stop").number())
        elif kind == "Metaspace":
            bare_first = step.get("prepend_scheme").value != "never"
        elif kind == "BPEDecoder":
            strip_right += 1
    return SentencePieceDecoder(
        byte_ids=byte_ids,
        strip_left=min(strip_left, 1_000),
        strip_right=min(strip_right, 1_000),
        bare_first=bare_first,
    )
