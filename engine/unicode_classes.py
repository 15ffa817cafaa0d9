"""Character classes of Unicode 16, pinned, whatever Python or ``regex`` is installed.

tiktoken and tokenizers both split by Unicode 16. Python's own tables are older or newer, so a
class taken from them gives other pieces for some 17,000 characters. ``engine.unicode_data`` holds
the general category of every code point as read off the two libraries.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cache, lru_cache

from engine import unicode_data

CODE_POINTS = 0x110000
FIRST_ASTRAL = 0x10000

Ranges = tuple[tuple[int, int], ...]
"""Inclusive ranges of code points, sorted, neither overlapping nor touching."""

# What Rust's and Oniguruma's ``\s`` take (White_Space); Python's also takes U+001C to U+001F.
WHITE_SPACE: Ranges = (
    (0x09, 0x0D), (0x20, 0x20), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A),
    (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000),
)  # fmt: skip


@cache
def _runs() -> tuple[list[int], list[str]]:
    """Starts and categories of the runs of equal category, in code point order."""
    starts, names, position = [], [], 0
    for run in unicode_data.CATEGORY_RUNS.split():
        starts.append(position)
        names.append(run[:2])
        position += int(run[2:])
    return starts, names


@lru_cache(maxsize=65_536)
def category(character: str) -> str:
    """The two-letter general category of one character in Unicode 16 (``Cn`` if unassigned)."""
    starts, names = _runs()
    return names[bisect_right(starts, ord(character)) - 1]


@cache
def ranges_of(name: str) -> Ranges:
    """The code points of a property: a category (``Lu``), a group (``L``) or ``White_Space``.

    Raises:
        KeyError: if there is no such category.
    """
    if name == "White_Space":
        return WHITE_SPACE
    starts, names = _runs()
    ends = [*starts[1:], CODE_POINTS]
    found = [
        (start, end - 1)
        for start, end, own in zip(starts, ends, names, strict=True)
        if own.startswith(name)
    ]
    if not found:
        raise KeyError(name)
    return union([tuple(found)])


def union(parts: Iterable[Ranges]) -> Ranges:
    """All code points of several ranges."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(pair for part in parts for pair in part):
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def complement(ranges: Ranges) -> Ranges:
    """All code points that are not in ``ranges``."""
    gaps, start = [], 0
    for first, last in ranges:
        if first > start:
            gaps.append((start, first - 1))
        start = last + 1
    if start < CODE_POINTS:
        gaps.append((start, CODE_POINTS - 1))
    return tuple(gaps)


def subtract(ranges: Ranges, taken: Ranges) -> Ranges:
    """The code points of ``ranges`` that are not in ``taken``."""
    return complement(union([complement(ranges), taken]))


def intersect(ranges: Ranges, other: Ranges) -> Ranges:
    """The code points that are in both."""
    return subtract(ranges, complement(other))


def basic_plane_set(ranges: Ranges) -> str:
    """The inside of a regex set for the part of ``ranges`` below U+10000.

    Only the basic plane, because Python's ``re`` answers such a set from a table, and walks a list
    of ranges as soon as one of them lies above.
    """
    return "".join(
        rf"\u{first:04x}" if first == last else rf"\u{first:04x}-\u{min(last, 0xFFFF):04x}"
        for first, last in ranges
        if first < FIRST_ASTRAL
    )


# One character of the basic plane for each category that also has characters above it. None is
# in a range that a split pattern names literally (ASCII letters, punctuation, ideographs).
_STAND_INS = {
    "Lu": "\u00c0", "Ll": "\u00df", "Lt": "\u01c5", "Lm": "\u02b0", "Lo": "\u00aa",
    "Mn": "\u0300", "Mc": "\u0903", "Me": "\u0488", "Nd": "\u0660", "Nl": "\u16ee",
    "No": "\u00b2", "Pc": "\u203f", "Pd": "\u2010", "Ps": "\u0f3a", "Pe": "\u0f3b",
    "Pi": "\u00ab", "Pf": "\u00bb", "Po": "\u00a1", "Sm": "\u00ac", "Sc": "\u00a2",
    "Sk": "\u00a8", "So": "\u00a9", "Cf": "\u00ad", "Co": "\ue000", "Cn": "\u0378",
}  # fmt: skip
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def has_astral(text: str) -> bool:
    """Whether any character lies above the basic plane."""
    return not text.isascii() and _ASTRAL.search(text) is not None


def without_astral(text: str) -> str:
    """``text`` with each character above the basic plane replaced by one of its category.

    The result has as many code points, and a split pattern cuts both at the same places.
    """
    return _ASTRAL.sub(lambda match: _STAND_INS[category(match[0])], text)
