"""Cuts that need no training: bytes, characters, words. For comparison with BPE."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

import regex

_GRAPHEME = regex.compile(r"\X")
_WORD = regex.compile(r"\w+|[^\w\s]+|\s+")
_SHOWN = 24


class Way(NamedTuple):
    """One way to cut: how many different units there are, how long the text is in them.

    ``vocabulary`` is a number or a word about it; ``beginning`` the first units, as text.
    """

    name: str
    vocabulary: str
    length: int
    beginning: tuple[str, ...]


def ways_to_cut(text: str) -> list[Way]:
    """By byte (256 values), by code point, by character (grapheme) and by word.

    The vocabulary of characters and words is what this very text needs; a real one would have to
    hold all that could come.
    """
    data = text.encode()
    graphemes = _GRAPHEME.findall(text)
    words = _WORD.findall(text)
    return [
        Way("by byte", "256", len(data), tuple(f"{byte:02x}" for byte in data[:_SHOWN])),
        Way("by code point", _needed(set(text)), len(text), tuple(islice(text, _SHOWN))),
        Way(
            "by character (grapheme)",
            _needed(set(graphemes)),
            len(graphemes),
            tuple(graphemes[:_SHOWN]),
        ),
        Way("by word (letters, signs, blanks)", _needed(set(words)), len(words), tuple(words[:8])),
    ]


def _needed(units: set[str]) -> str:
    return f"{len(units):,} in this text"
