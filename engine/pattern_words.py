"""A split pattern in plain words, as far as its notation is understood.

    in_words(r" ?\\p{L}+")      # 'at most one blank, then one or more of: letter'

This reads any pattern; the published ones have sentences of their own in ``pattern_branches``. What
is not understood is quoted as it stands, so that nothing is said wrongly.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_CLASSES: Final = {
    "L": "letter", "Lu": "capital letter", "Ll": "small letter", "Lt": "title-case letter",
    "Lm": "modifier letter", "Lo": "letter without case", "M": "combining mark",
    "Mn": "nonspacing mark", "Mc": "spacing mark", "Me": "enclosing mark", "N": "number",
    "Nd": "digit", "Nl": "letter-like number", "No": "other number", "P": "punctuation",
    "S": "symbol", "Z": "separator", "C": "control or unassigned character", "Letter": "letter",
    "Mark": "combining mark", "Number": "number", "Punctuation": "punctuation",
    "Symbol": "symbol", "Han": "Chinese character", "Hiragana": "hiragana sign",
    "Katakana": "katakana sign", "Hangul": "Korean syllable", "Alphabetic": "letter",
}  # fmt: skip
_LETTERS: Final = {
    "s": "white space", "S": "anything but white space", "d": "digit", "D": "anything but a digit",
    "w": "letter or digit or underscore", "W": "anything but a letter or digit or underscore",
}  # fmt: skip
_SIGNS: Final = {
    " ": "blank", "\n": "line feed", "\r": "carriage return", "\t": "tab", "\xa0": "no-break space"
}  # fmt: skip
_ESCAPED: Final = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a"}
_PLACES: Final = {
    "^": "at the start", "$": "at the end", r"\z": "at the end of the text",
    r"\Z": "at the end of the text", r"\A": "at the start of the text",
    r"\b": "at the edge of a word", r"\B": "not at the edge of a word",
}  # fmt: skip
_LOOKS: Final = {
    "?=": "if followed by", "?!": "if not followed by", "?<=": "if after", "?<!": "if not after",
}  # fmt: skip
_PROPERTY: Final = re.compile(r"\\([pP])(?:\{(\^?)(\w+)\}|([A-Z]))")
# Of a set that lists many characters; the rest is counted.
_MOST_MEMBERS: Final = 8
_TIMES: Final = re.compile(r"([?*+]|\{\d*,?\d*\})([?+]?)")
_CODE: Final = re.compile(r"\\(?:u|x)\{?([0-9A-Fa-f]{2,6})\}?")
_GROUP: Final = re.compile(r"\?(<[=!]|[=!:]|[a-z]+:)")


@dataclass(slots=True)
class _Reader:
    """Walks over a pattern; each method takes what it reads."""

    source: str
    position: int = 0

    def peek(self, text: str) -> bool:
        return self.source.startswith(text, self.position)

    def take(self, expression: re.Pattern[str]) -> re.Match[str] | None:
        match = expression.match(self.source, self.position)
        if match is not None:
            self.position = match.end()
        return match

    @property
    def ended(self) -> bool:
        return self.position >= len(self.source)


def in_words(pattern: str) -> str:
    """What ``pattern`` takes, in words."""
    reader = _Reader(pattern)
    said = _alternatives(reader)
    rest = pattern[reader.position :]
    return f"{said}, then {rest!r}" if rest else said


def _alternatives(reader: _Reader) -> str:
    """Up to the end, or the parenthesis that closes this group."""
    options = [_sequence(reader)]
    while reader.peek("|"):
        reader.position += 1
        options.append(_sequence(reader))
    return " or ".join(options)


def _sequence(reader: _Reader) -> str:
    """Up to the end of this alternative: its items, neighbouring characters as one text."""
    said: list[str] = []
    literal = ""
    while not reader.ended and not reader.peek("|") and not reader.peek(")"):
        character = _character(reader)
        words = _quoted(character) if character is not None else _item(reader)
        times = reader.take(_TIMES)
        if character is not None and times is None:
            literal += character
            continue
        if literal:
            said.append(_quoted(literal))
            literal = ""
        said.append(_repeated(words, times))
    if literal:
        said.append(_quoted(literal))
    joined = ", then ".join(said) or "nothing"
    return joined.replace(", then if ", ", if ").replace(", then at the ", ", at the ")


def _character(reader: _Reader) -> str | None:
    """A character that stands for itself, escaped or not."""
    source, position = reader.source, reader.position
    if source[position] != "\\":
        if source[position] in "[(.^$":
            return None
        reader.position += 1
        return source[position]
    if (code := reader.take(_CODE)) is not None:
        return chr(min(int(code[1], 16), 0x10FFFF))
    escaped = source[position + 1 : position + 2]
    if escaped.isalnum() and escaped not in _ESCAPED:
        return None
    reader.position += 2
    return _ESCAPED.get(escaped, escaped)


def _item(reader: _Reader) -> str:
    """A class, a set, a group, or a place in the text."""
    for sign, words in _PLACES.items():
        if reader.peek(sign):
            reader.position += len(sign)
            return words
    if reader.peek("["):
        return _set(reader)
    if reader.peek("("):
        return _group(reader)
    if reader.peek("."):
        reader.position += 1
        return "any character"
    return _class(reader)


def _class(reader: _Reader) -> str:
    """``\\p{L}``, ``\\s`` and their like; anything else is quoted."""
    match = reader.take(_PROPERTY)
    if match is not None:
        name = match[3] or match[4]
        negated = (match[1] == "P") != bool(match[2])
        return ("no " if negated else "") + _CLASSES.get(name, name)
    letter = reader.source[reader.position + 1 : reader.position + 2]
    reader.position += 2
    return _LETTERS.get(letter, f"\\{letter}")


def _set(reader: _Reader) -> str:
    """Everything up to the bracket that closes; sets inside of sets are quoted."""
    start = reader.position = reader.position + 1
    negated = reader.peek("^")
    reader.position += negated
    members: list[str] = []
    while not reader.ended and not (reader.peek("]") and members):
        if reader.peek("[") or reader.peek("&&") or reader.peek("--"):
            reader.position = start
            return _quoted_set(reader)
        members.append(_member(reader))
    reader.position += 1
    distinct = list(dict.fromkeys(members))
    listed = ", ".join(distinct[:_MOST_MEMBERS])
    if len(distinct) > _MOST_MEMBERS:
        listed += f" and {len(distinct) - _MOST_MEMBERS} more"
    return f"anything but {listed}" if negated else listed


def _quoted_set(reader: _Reader) -> str:
    """A set with sets inside, as it stands."""
    start, depth = reader.position, 1
    while not reader.ended and depth:
        if reader.peek("\\"):
            reader.position += 1
        elif reader.peek("["):
            depth += 1
        elif reader.peek("]"):
            depth -= 1
        reader.position += 1
    return f"one of [{reader.source[start : reader.position]}"


def _member(reader: _Reader) -> str:
    """A character, a range or a class inside a set."""
    if reader.source[reader.position] in "[(.^$|)":
        reader.position += 1
        return _quoted(reader.source[reader.position - 1])
    first = _character(reader)
    if first is None:
        return _class(reader)
    if reader.peek("-") and not reader.peek("-]"):
        reader.position += 1
        last = _character(reader)
        if last is not None:
            return f"{_quoted(first)} to {_quoted(last)}"
    return _quoted(first)


def _group(reader: _Reader) -> str:
    reader.position += 1
    kind = reader.take(_GROUP)
    inside = _alternatives(reader)
    reader.position += 1
    flags = kind[0] if kind else ""
    if flags in _LOOKS:
        return f"{_LOOKS[flags]} {inside}"
    return f"({inside}, in either case)" if "i" in flags else f"({inside})"


def _quoted(text: str) -> str:
    return _SIGNS.get(text) or f"“{text}”"


def _repeated(words: str, times: re.Match[str] | None) -> str:
    if times is None:
        several = ", " in words and not words.startswith(("(", "if ", "anything", "one of"))
        return f"one of: {words}" if several else words
    if times[1] == "?":
        return f"at most one {words}"
    if times[1] == "*":
        return f"any number of: {words}"
    if times[1] == "+":
        return f"one or more of: {words}"
    least, _, most = times[1].strip("{}").partition(",")
    if "," not in times[1]:
        return f"{least} of: {words}"
    return f"{least or 0} to {most} of: {words}" if most else f"{least} or more of: {words}"
