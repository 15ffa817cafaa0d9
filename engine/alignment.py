"""Tokens beside bytes, code points and graphemes: what a screen can draw.

A token need not end where a character ends. A *segment* is the smallest group of tokens that makes
whole graphemes (user-perceived characters, UAX #29, as the ``regex`` package finds them).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import NamedTuple

import regex

from engine.tokenizer import Tokenization
from engine.unicode_classes import FIRST_ASTRAL

_JOINERS = (
    r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}\p{GCB=Prepend}"
    r"\p{GCB=L}\p{GCB=V}\p{GCB=T}\p{GCB=RI}\r\n]"
)


@cache
def _windows() -> re.Pattern[str]:
    """Stretches in which a grapheme may have several code points; outside them none has.

    A grapheme grows only over a joining character or beside one, so a stretch is joining
    characters with one other character before, between and after. Above the basic plane every
    character counts as joining, which is wider than needed and never wrong.
    """
    basic_plane = "".join(map(chr, [*range(0xD800), *range(0xE000, FIRST_ASTRAL)]))
    joiners = "".join(rf"\u{ord(c):04x}" for c in regex.findall(_JOINERS, basic_plane))
    joining = f"[{joiners}\ud800-\udfff]"
    return re.compile(f"(?s)(?:.?{joining}+)+.?")


_GRAPHEME = regex.compile(r"\X")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def grapheme_interiors(text: str) -> list[int]:
    """The code point offsets that lie inside a grapheme, in order.

    ``"a\\u0301b"`` gives ``[1]``. All other offsets are grapheme boundaries.
    """
    if text.isascii() and "\r\n" not in text:
        return []
    # A lone surrogate stands in for any astral character, so that the set stays in one plane.
    plain = _ASTRAL.sub("\ud800", text)
    interiors: list[int] = []
    for window in _windows().finditer(plain):
        for grapheme in _GRAPHEME.finditer(text, *window.span()):
            interiors += range(grapheme.start() + 1, grapheme.end())
    return interiors


def count_graphemes(text: str) -> int:
    """The number of graphemes (user-perceived characters) of ``text``."""
    return len(text) - len(grapheme_interiors(text))


def ends_char(tokenization: Tokenization) -> list[int]:
    """The number of code points begun by the end of each token, special tokens included.

    For a token that ends between two characters this is the code point offset of its end.
    """
    begun_before = [0, *accumulate(map(_is_lead, tokenization.data))]
    return [begun_before[end] for end in tokenization.ends_byte]


def _is_lead(byte: int) -> bool:
    return byte & 0xC0 != 0x80


def closes(tokenization: Tokenization) -> bytes:
    """One byte per token: 1 where a segment is complete after it, else 0."""
    data, ends = tokenization.data, tokenization.ends_byte
    # A token ends a character unless the byte after it continues one.
    padded = data + b"\0"
    flags = bytearray(_is_lead(padded[end]) for end in ends)
    interiors = grapheme_interiors(tokenization.text)
    if interiors:
        offsets = _byte_offsets(tokenization.text, interiors)
        for offset in offsets:
            place = bisect_left(ends, offset)
            while place < len(ends) and ends[place] == offset:
                flags[place] = 0
                place += 1
    return bytes(flags)


def _byte_offsets(text: str, positions: list[int]) -> list[int]:
    """UTF-8 byte offsets of ascending code point offsets."""
    offsets, before, offset = [], 0, 0
    for position in positions:
        offset += len(text[before:position].encode())
        before = position
        offsets.append(offset)
    return offsets


class Segment(NamedTuple):
    """Whole graphemes and the tokens that make them.

    ``first_token`` to ``last_token`` (exclusive); equal where the tokenizer dropped the text.
    """

    text: str
    first_token: int
    last_token: int


def segments(tokenization: Tokenization) -> Iterator[Segment]:
    """The segments of a text, in order.

    Their texts join to the normalized text and their token ranges to all tokens.
    """
    data = tokenization.data
    position, first = 0, 0
    rows = zip(
        tokenization.starts_byte, tokenization.ends_byte, closes(tokenization), strict=True
    )
    for place, (start, end, closed) in enumerate(rows):
        if first == place and start > position:
            yield Segment(data[position:start].decode(), place, place)
            position = start
        if closed:
            yield Segment(data[position:end].decode(), first, place + 1)
            position, first = end, place + 1
    if position < len(data) or first < len(tokenization):
        yield Segment(data[position:].decode(), first, len(tokenization))
