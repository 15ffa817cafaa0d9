"""Graphemes: what a person takes for one character (UAX #29, as the ``regex`` package finds them).

Most text needs no search: only marks, joiners and a few scripts make graphemes of several code
points, and for marks alone the rule is one line.
"""

from __future__ import annotations

import re
from functools import cache

import regex

from engine.unicode_classes import FIRST_ASTRAL

_GRAPHEME = regex.compile(r"\X")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_LINE_END = re.compile("\r\n")
_MARKS = r"\p{GCB=Extend}\p{GCB=SpacingMark}"
# Characters that can join what stands after them, or only some neighbours: viramas (which include
# all conjunct linkers), joiners, prepended signs, Hangul letters.
_SPECIAL_JOINERS = r"\p{ccc=9}\p{GCB=ZWJ}\p{GCB=Prepend}\p{GCB=L}\p{GCB=V}\p{GCB=T}\p{GCB=RI}"
_CONTROLS = r"\p{GCB=Control}\p{GCB=CR}\p{GCB=LF}"


@cache
def _basic_plane() -> str:
    return "".join(map(chr, [*range(0xD800), *range(0xE000, FIRST_ASTRAL)]))


def _basic_set(properties: str) -> str:
    """The inside of a set of the characters of the basic plane that have one of the properties."""
    return "".join(rf"\u{ord(c):04x}" for c in regex.findall(f"[{properties}]", _basic_plane()))


@cache
def _marks() -> re.Pattern[str]:
    return re.compile(f"[{_basic_set(_MARKS)}]+")


@cache
def _special_joiners() -> re.Pattern[str]:
    """What makes graphemes more than a character with marks; astral ones come as U+D800."""
    return re.compile(f"[{_basic_set(_SPECIAL_JOINERS)}\ud800]")


@cache
def _controls() -> frozenset[str]:
    return frozenset(regex.findall(f"[{_CONTROLS}]", _basic_plane()))


@cache
def _windows() -> re.Pattern[str]:
    """Stretches in which a grapheme may have several code points; outside them none has.

    A grapheme grows only over a joining character or beside one, so a stretch is joining
    characters with one other character before, between and after. Above the basic plane every
    character counts as joining, which is wider than needed and never wrong.
    """
    joining = f"[{_basic_set(_MARKS + _SPECIAL_JOINERS)}\r\n\ud800]"
    return re.compile(f"(?s)(?:.?{joining}+)+.?")


def grapheme_interiors(text: str) -> list[int]:
    """The code point offsets that lie inside a grapheme, in order.

    ``"a\\u0301b"`` gives ``[1]``. All other offsets are grapheme boundaries.
    """
    if text.isascii():
        return [match.start() + 1 for match in _LINE_END.finditer(text)]
    # A lone surrogate stands in for any astral character, so that the sets stay in one plane.
    plain = _ASTRAL.sub("\ud800", text)
    if not _special_joiners().search(plain):
        return _marked_interiors(plain)
    interiors: list[int] = []
    for window in _windows().finditer(plain):
        for grapheme in _GRAPHEME.finditer(text, *window.span()):
            interiors += range(grapheme.start() + 1, grapheme.end())
    return interiors


def _marked_interiors(text: str) -> list[int]:
    """The simple case: a mark joins whatever is before it but a control; and CR LF is one."""
    interiors = [match.start() + 1 for match in _LINE_END.finditer(text)]
    controls = _controls()
    for match in _marks().finditer(text):
        start = match.start()
        alone = start == 0 or text[start - 1] in controls
        interiors += range(start + alone, match.end())
    interiors.sort()
    return interiors


def count_graphemes(text: str) -> int:
    """The number of graphemes (user-perceived characters) of ``text``."""
    return len(text) - len(grapheme_interiors(text))
