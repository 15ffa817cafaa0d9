"""A split pattern taken apart into its branches, each in plain words.

    branches_of(QWEN.steps[0])[2]       # Branch(source='\\\\p{N}', words='One digit ...')

A pattern is a list of alternatives: at each place of the text the first that matches is taken. So
the branch that took a piece is the first that matches where the piece begins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from engine.pattern_words import in_words
from engine.patterns import CL100K, DEEPSEEK, GPT2, O200K, QWEN
from engine.training_settings import LESSON_PATTERNS
from engine.uploaded_pattern import LLAMA3


class Branch(NamedTuple):
    """One alternative of a pattern, and what it takes, in a sentence."""

    source: str
    words: str


_ENDINGS = "An English ending after an apostrophe: 's, 't, 'd, 'm, 're, 've or 'll"
_ANY_CASE = f"{_ENDINGS}, in small letters or capitals."
_LETTERS = (
    "A run of letters of any script, with at most one character before it that is no letter, no "
    "number and no line end: mostly the blank, but also a sign."
)
_SIGNS = (
    "A run of signs (no letter, number or white space; combining marks count as signs), with the "
    "blank before it"
)
_TO_LINE_END = "White space up to the last line end in it."
_BUT_LAST = (
    "A run of white space without its last character, which is left to what follows; at the end "
    "of the text the whole run."
)
_LAST = "The white space that is left before something else."
_AT_END = "All the white space at the end of the text."

_PUBLISHED: Final[Mapping[str, tuple[str, ...]]] = {
    GPT2.steps[0]: (
        f"{_ENDINGS}, in small letters only.",
        "A run of letters of any script, with the blank before it.",
        "A run of digits and other numbers, however long, with the blank before it.",
        f"{_SIGNS}.",
        _AT_END,
        _BUT_LAST,
        "One white-space character that is left before something else.",
    ),
    CL100K.steps[0]: (
        _ANY_CASE,
        _LETTERS,
        "One to three digits or other numbers, counted from the left.",
        f"{_SIGNS} and the line ends after it.",
        _AT_END,
        _TO_LINE_END,
        _BUT_LAST,
        "One white-space character that is left before something else.",
    ),
    O200K.steps[0]: (
        "A word with small letters: capitals first, small letters after them (letters without "
        "case and marks count as both), with at most one character before it that is no letter, "
        "no number and no line end, and with an English ending such as 's.",
        "A word of capitals alone, with the same one character before it and ending after it.",
        "One to three digits or other numbers, counted from the left.",
        f"{_SIGNS} and the line ends and slashes after it.",
        _TO_LINE_END,
        _BUT_LAST,
        _LAST,
    ),
    QWEN.steps[0]: (
        _ANY_CASE,
        _LETTERS,
        "One digit or other number, by itself.",
        f"{_SIGNS} and the line ends after it.",
        _TO_LINE_END,
        _BUT_LAST,
        _LAST,
    ),
    LLAMA3.steps[0]: (
        _ANY_CASE,
        _LETTERS,
        "One to three digits or other numbers, counted from the left.",
        f"{_SIGNS} and the line ends after it.",
        _TO_LINE_END,
        _BUT_LAST,
        _LAST,
    ),
    DEEPSEEK.steps[0]: ("One to three digits or other numbers, counted from the left.",),
    DEEPSEEK.steps[1]: ("A run of Chinese characters and Japanese kana.",),
    DEEPSEEK.steps[2]: (
        "One ASCII punctuation sign with the ASCII letters after it.",
        "A run of letters and combining marks of any script, with at most one character before it "
        "that is no letter, punctuation, symbol or line end: mostly the blank.",
        "A run of punctuation and symbols, with the blank before it and the line ends after it.",
        _TO_LINE_END,
        _BUT_LAST,
        _LAST,
    ),
    LESSON_PATTERNS["lesson A"].expression: (
        "A run of letters of any script, with the blank before it.",
        "One to three digits, with the blank before them.",
        "A run of signs, with the blank before it; the underscore is none.",
        "A run of white space.",
    ),
    LESSON_PATTERNS["lesson B"].expression: (
        "A run of letters, numbers and underscores, with the blank before it.",
        "A run of signs, with the blank before it.",
        "A run of white space.",
    ),
    LESSON_PATTERNS["lesson C"].expression: (
        "The English ending 's.",
        "The English ending 't.",
        "The English ending 're.",
        "The English ending 've.",
        "The English ending 'm.",
        "The English ending 'll.",
        "The English ending 'd.",
        "A run of the letters a to z, in either case, with the blank before it.",
        "A run of the digits 0 to 9, with the blank before it.",
        "A run of anything else but white space, with the blank before it: letters of other "
        "scripts are signs here.",
        _BUT_LAST,
        _LAST,
    ),
    LESSON_PATTERNS["words"].expression: ("A run of anything but white space.",),
}
_INLINE_FLAGS: Final = re.compile(r"\(\?[a-zA-Z-]+\)")
# An escape, a set without sets inside, or one character.
_UNITS: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)


def split_branches(pattern: str) -> list[str]:
    """The alternatives of ``pattern``, which join to it with ``|``.

    One alone where it cannot be taken apart without changing what it means: with flags that go on
    to the end, with sets inside of sets, or with groups that are referred to by number.

    >>> split_branches(r"a|(?:b|c)+|[|]")
    ['a', '(?:b|c)+', '[|]']
    """
    if _INLINE_FLAGS.search(pattern) or re.search(r"\[[^\]\\]*\[|\\[1-9]", pattern):
        return [pattern]
    branches, depth = [""], 0
    for unit in _UNITS.findall(pattern):
        depth += {"(": 1, ")": -1}.get(unit, 0)
        if unit == "|" and not depth:
            branches.append("")
        else:
            branches[-1] += unit
    return branches


@cache
def branches_of(pattern: str) -> tuple[Branch, ...]:
    """The branches of a pattern: published ones in sentences of their own, others as read."""
    sources = split_branches(pattern)
    words = _PUBLISHED.get(pattern) or tuple(_sentence(in_words(source)) for source in sources)
    return tuple(map(Branch, sources, words))


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
