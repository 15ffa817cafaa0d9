"""The beginning of a text cut by byte, code point and word, as columns of the token view."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

import regex

from engine.graphemes import grapheme_interiors
from pages.ui.token_view import Column, Headline

SHOWN_CHARACTERS: Final = 300
_WORD: Final = regex.compile(r"\w+|[^\w\s]+|\s+")


def beginning(text: str) -> str:
    """The first characters of ``text``, whole graphemes."""
    if len(text) <= SHOWN_CHARACTERS:
        return text
    end = SHOWN_CHARACTERS
    # One more, so that a grapheme that goes on after the end is seen to.
    inside = set(grapheme_interiors(text[: 2 * SHOWN_CHARACTERS]))
    while end in inside and end > 1:
        end -= 1
    return text[:end]


def way_columns(text: str) -> list[Column]:
    """``text`` by byte, by code point and by word.

    A byte's id is its value, a code point's its number; words have none.
    """
    data = text.encode()
    words = _WORD.findall(text)
    return [
        _column("by byte", "bytes", text, list(data), [1] * len(data)),
        _column(
            "by code point", "code points", text, list(map(ord, text)), [_size(c) for c in text]
        ),
        _column(
            "by word", "words, signs, blanks", text, [None] * len(words), list(map(_size, words))
        ),
    ]


def _size(text: str) -> int:
    return len(text.encode())


def _column(
    name: str, unit: str, text: str, ids: Sequence[int | None], sizes: Sequence[int]
) -> Column:
    ends = list(accumulate(sizes))
    whole = _grapheme_ends(text)
    return Column(
        name=name,
        text=text,
        ids=ids,
        ends_byte=ends,
        closes=bytes(end in whole for end in ends),
        kinds=bytes(len(ids)),
        ranks={},
        headline=Headline(value=len(ids), unit=unit),
    )


def _grapheme_ends(text: str) -> set[int]:
    """Byte offsets at which a grapheme ends."""
    inside = set(grapheme_interiors(text))
    ends = accumulate(map(_size, text))
    return {end for place, end in enumerate(ends, 1) if place not in inside}
