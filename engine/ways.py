"""Cuts that need no training: bytes, characters, words. For comparison with BPE."""

from __future__ import annotations

from typing import NamedTuple

import regex

_GRAPHEME = regex.compile(r"\X")
_WORD = regex.compile(r"\w+|[^\w\s]+|\s+")


class Way(NamedTuple):
    """One way to cut: how many different units there are, how long the text is in them.

    ``vocabulary`` is a number or a word about it.
    """

    name: str
    vocabulary: str
    length: int


def ways_to_cut(text: str) -> list[Way]:
    """By byte (256 values), by code point, by character (grapheme) and by word.

    The vocabulary of characters and words is what this very text needs; a real one would have to
    hold all that could come.
    """
    graphemes, words = _GRAPHEME.findall(text), _WORD.findall(text)
    return [
        Way("by byte", "256", len(text.encode())),
        Way("by code point", _needed(set(text)), len(text)),
        Way("by character (grapheme)", _needed(set(graphemes)), len(graphemes)),
        Way("by word (letters, signs, blanks)", _needed(set(words)), len(words)),
    ]


def _needed(units: set[str]) -> str:
    return f"{len(units):,} in this text"
