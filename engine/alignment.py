"""Tokens beside bytes, code points and graphemes: what a screen can draw.

A token need not end where a character ends. A *segment* is the smallest group of tokens that makes
whole graphemes (user-perceived characters, UAX #29, as the ``regex`` package finds them).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate, compress
from typing import NamedTuple

from engine.tokenizer import Tokenization

# 1 for a byte that begins a code point, 0 for one that continues it.
_LEADS = bytes(byte & 0xC0 != 0x80 for byte in range(256))


def ends_char(tokenization: Tokenization) -> list[int]:
    """The number of code points begun by the end of each token.

    For a token that ends between two characters this is the code point offset of its end.
    """
    begun_before = array("I", accumulate(tokenization.data.translate(_LEADS), initial=0))
    return [begun_before[end] for end in tokenization.ends_byte]


def closes(tokenization: Tokenization, ends_byte: Sequence[int] | None = None) -> bytes:
    """One byte per token: 1 where a segment is complete after it, else 0.

    ``ends_byte`` are other places in its bytes to ask about.
    """
    # boundary[i] says whether a grapheme begins at byte i; the end of the text counts as one.
    boundary = bytearray(tokenization.data.translate(_LEADS) + b"\1")
    if tokenization.interiors:
        offset_of = array("I", compress(range(len(boundary)), boundary))
        for position in tokenization.interiors:
            boundary[offset_of[position]] = 0
    places = tokenization.ends_byte if ends_byte is None else ends_byte
    return bytes(map(boundary.__getitem__, places))


_INSIDE = frozenset(bytes([byte]) for byte in range(0x80, 0xC0))


class Rewritten(NamedTuple):
    """A stretch that the tokenizer's normalizer rewrote: bytes of its text, and what was given."""

    start_byte: int
    end_byte: int
    original: str


def rewritten(tokenization: Tokenization) -> list[Rewritten]:
    """The stretches that normalization rewrote, in order, as bytes of the normalized text."""
    if not tokenization.changes:
        return []
    leads = tokenization.data.translate(_LEADS) + b"\1"
    offset_of = array("I", compress(range(len(leads)), leads))
    return [
        Rewritten(
            offset_of[change.normalized_start],
            offset_of[change.normalized_end],
            tokenization.original[change.original_start : change.original_end],
        )
        for change in tokenization.changes
    ]


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
    rows = zip(tokenization.starts_byte, tokenization.ends_byte, closes(tokenization), strict=True)
    for place, (start, end, closed) in enumerate(rows):
        # A tokenizer of some bytes only may drop part of a character; that is no segment.
        if first == place and start > position and data[start : start + 1] not in _INSIDE:
            yield Segment(data[position:start].decode(), place, place)
            position = start
        if closed:
            yield Segment(data[position:end].decode(), first, place + 1)
            position, first = end, place + 1
    if position < len(data) or first < len(tokenization):
        yield Segment(data[position:].decode(), first, len(tokenization))
