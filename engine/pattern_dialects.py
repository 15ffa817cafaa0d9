"""Rewriting a split pattern of Oniguruma or Rust for the ``regex`` package.

The three agree on most of what split patterns use. Where one of them means something else by the
same signs, the pattern is rewritten; what cannot be rewritten exactly is refused with its position,
never run as something else. What each engine means was read off the engines (see the tests).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, NoReturn

from engine.errors import PatternError
from engine.unicode_classes import Ranges

Dialect = Literal["oniguruma", "rust"]

# Sets inside of sets; one or two are in use.
SET_DEPTH = 20

_GENERAL = frozenset(
    "C Cc Cf Cn Co L LC Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So "
    "Z Zl Zp Zs Letter Mark Number Punctuation Symbol Separator Other".split()
)
_SCRIPTS = frozenset(
    "Han Hiragana Katakana Hangul Bopomofo Latin Greek Cyrillic Armenian Arabic Hebrew Thai Lao "
    "Khmer Myanmar Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam "
    "Sinhala Tibetan Georgian Ethiopic Mongolian".split()
)
_PROPERTIES = _GENERAL | _SCRIPTS | {"Alphabetic"}
_PROPERTY = re.compile(r"\{(\^?)(\w+)\}")
_BRACES = re.compile(r"\{(\d*)(,?)(\d*)\}")
_CODE = re.compile(
    r"x\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}"
)
_GROUP = re.compile(r"\?(?:[:=!>]|<[=!])")
_FLAGS = re.compile(r"\?([a-zA-Z]*)(-?[a-zA-Z]*)([:)])")

# Oniguruma's `\w` is without two joiners; by itself, not in a set, it is with these numbers.
_ONIGURUMA_WORD_IN_SET = r"[\w--[\u200c\u200d]]"
_ONIGURUMA_WORD = r"[\w\u00b2\u00b3\u00b9\u00bc-\u00be--[\u200c\u200d]]"
_POSIX: dict[Dialect, dict[str, str]] = {
    "oniguruma": {
        "alpha": r"\p{Alphabetic}",
        "digit": r"\d",
        "alnum": r"\p{Alphabetic}\d",
        "space": r"\s",
        "punct": r"\p{P}\p{S}",
    },
    "rust": {
        "alpha": "A-Za-z",
        "digit": "0-9",
        "alnum": "0-9A-Za-z",
        "space": r"\t-\r ",
        "punct": r"!-/:-@\[-`\{-\~",
        "word": "0-9A-Za-z_",
        "upper": "A-Z",
        "lower": "a-z",
    },
}
# Two letters that Oniguruma's folding of case also finds in one character (ligatures, sharp s).
_FOLDED_PAIRS = frozenset("ss ff fi fl st".split())
_KEPT: dict[Dialect, frozenset[str]] = {
    "oniguruma": frozenset("nrtfvasSdD"),
    "rust": frozenset("nrtfvasSdDwW"),
}
_REWRITTEN = {"e": r"\x1b", "h": "[0-9A-Fa-f]"}


@dataclass(frozen=True, slots=True)
class Translation:
    """A pattern for ``regex``.

    ``set_operations`` says that it needs the package's version 1; ``ignores_case`` that some of it
    does; ``literal`` are the ranges of characters beyond ASCII that it names one by one.
    """

    pattern: str
    set_operations: bool
    ignores_case: bool
    literal: Ranges


def translate(source: str, dialect: Dialect) -> Translation:
    """``source`` for the ``regex`` package.

    Raises:
        PatternError: if it says something that would mean something else there.
    """
    return _Translator(source, dialect).result()


@dataclass
class _Translator:
    source: str
    dialect: Dialect
    output: list[str] = field(default_factory=list)
    literal: list[tuple[int, int]] = field(default_factory=list)
    position: int = 0
    set_operations: bool = False
    ignores_case: bool = False
    depth: int = 0
    closing: str = ""
    last: str = ""

    def result(self) -> Translation:
        while self.position < len(self.source):
            self._step()
        if self.ignores_case and self.set_operations:
            # Version 1 folds one letter to several; version 0 has no operations.
            self._refuse("both ignores case and combines sets")
        pattern = "".join(self.output) + self.closing
        return Translation(pattern, self.set_operations, self.ignores_case, tuple(self.literal))

    def _refuse(self, what: str) -> NoReturn:
        shown = self.source if len(self.source) <= 80 else f"{self.source[:80]}..."
        raise PatternError(
            f"The split pattern {shown!r} {what} at position {self.position}, "
            "which cannot be run here exactly as the library runs it."
        )

    def _put(self, text: str, taken: int) -> None:
        self.output.append(text)
        self.position += taken
        self.last = ""

    def _step(self) -> None:
        character = self.source[self.position]
        if character == "\\":
            self._escape()
        elif character == "[":
            self._set()
        elif character == "(":
            self._group()
        elif character in "{}":
            self._braces()
        elif character == "^":
            self._put(r"\A" if self.dialect == "rust" else r"(?:\A|(?<=\n)(?!\Z))", 1)
        elif character == "$":
            self._put(r"\Z" if self.dialect == "rust" else r"(?=\n|\Z)", 1)
        elif character in "*+?|.)":
            self._put(character, 1)
        else:
            self._character(character, 1)

    def _character(self, character: str, taken: int) -> None:
        """A literal character outside of sets."""
        before = self.last
        self._put(re.escape(character), taken)
        self._name(character)
        if self.ignores_case and character in "\u0130\u0131":
            self._refuse(f"ignores the case of {character!r}")
        if self.dialect == "oniguruma" and self.ignores_case:
            folded = (before + character).lower()
            if folded in _FOLDED_PAIRS or (character > "\x7f" and character.isalpha()):
                self._refuse(f"ignores the case of {folded!r}")
        self.last = character

    def _name(self, first: str, last: str | None = None) -> None:
        if (last or first) > "\x7f":
            self.literal.append((ord(first), ord(last or first)))

    def _braces(self) -> None:
        match = _BRACES.match(self.source, self.position)
        if match is None or not (match[1] or match[3]):
            self._character(self.source[self.position], 1)
            return
        following = self.source[match.end() : match.end() + 1]
        if self.dialect == "oniguruma" and following == "+":
            self._repeated_braces(match)
        elif self.dialect == "oniguruma" and following == "?" and not match[2]:
            self._refuse(f"has {match[0]}?")
        else:
            self._put(match[0], len(match[0]))

    def _repeated_braces(self, match: re.Match[str]) -> None:
        """``x{n,m}+`` is possessive in Rust and ``(?:x{n,m})+`` in Oniguruma."""
        least = int(match[1] or 0)
        most = int(match[3]) if match[3] else None if match[2] else least
        if most is not None and most < 2 * least - 1:
            self._refuse(f"has {match[0]}+")
        self._put(f"{{{least},}}", len(match[0]) + 1)

    def _group(self) -> None:
        following = self.source[self.position + 1 : self.position + 2]
        if following != "?":
            if following == "*":
                self._refuse("has (*")
            # What a group captured is never used, and groups that capture are slower.
            self._put("(?:", 1)
            return
        plain = _GROUP.match(self.source, self.position + 1)
        if plain is not None:
            self._put("(" + plain[0], 1 + len(plain[0]))
            return
        flags = _FLAGS.match(self.source, self.position + 1)
        if flags is None:
            self._refuse(f"has {self.source[self.position : self.position + 3]}")
        self._flags(flags)

    def _flags(self, match: re.Match[str]) -> None:
        on, off, end = match[1], match[2].removeprefix("-"), match[3]
        dot = "m" if self.dialect == "oniguruma" else "s"
        if set(on + off) - {"i", dot} or (end == ")" and (self.position or off)):
            self._refuse(f"has (?{match[0][1:]}")
        self.ignores_case = self.ignores_case or "i" in on
        opened = f"(?{on}{'-' + off if off else ''}:".replace(dot, "s")
        if end == ")":
            self.closing = ")"
        self._put(opened, 1 + len(match[0]))

    def _escape(self) -> None:
        letter = self.source[self.position + 1 : self.position + 2]
        special = self._anchors().get(letter)
        if special is not None:
            self._put(special, 2)
            return
        if letter in ("w", "W") and self.dialect == "oniguruma":
            self.set_operations = True
            self._put(_ONIGURUMA_WORD if letter == "w" else f"[^{_ONIGURUMA_WORD}]", 2)
            return
        code = _CODE.match(self.source, self.position + 1)
        if code is not None:
            self._character(self._code(code), 1 + len(code[0]))
            return
        text, taken = self._class()
        if taken:
            self._put(text, taken)
        else:
            self._character(letter, 2)

    def _anchors(self) -> dict[str, str]:
        if self.dialect == "rust":
            return {"A": r"\A", "z": r"\Z", "b": r"\b", "B": r"\B"}
        word = _ONIGURUMA_WORD
        if "\\b" in self.source or "\\B" in self.source:
            self.set_operations = True
        edge = f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"
        return {"A": r"\A", "z": r"\Z", "Z": r"(?=\n?\Z)", "b": edge, "B": f"(?!{edge})"}

    def _code(self, match: re.Match[str]) -> str:
        code = int(match[1] or match[2] or match[3] or match[4], 16)
        raw_byte = self.dialect == "oniguruma" and match[2] is not None and code > 0x7F
        if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF or raw_byte:
            self._refuse(f"has \\{match[0]}")
        if self.dialect == "oniguruma" and match[4] is not None:
            self._refuse(f"has \\{match[0]}")
        return chr(code)

    def _class(self) -> tuple[str, int]:
        """The class or sign that an escape stands for, and its length; 0 for a plain character."""
        letter = self.source[self.position + 1 : self.position + 2]
        if letter in _KEPT[self.dialect]:
            return f"\\{letter}", 2
        if letter in _REWRITTEN:
            return _REWRITTEN[letter], 2
        if letter in ("p", "P"):
            return self._property(letter)
        if not letter or letter.isalnum():
            self._refuse(f"has \\{letter}")
        return "", 0

    def _property(self, letter: str) -> tuple[str, int]:
        match = _PROPERTY.match(self.source, self.position + 2)
        if match is None:
            short = self.source[self.position + 2 : self.position + 3]
            if self.dialect == "oniguruma" or short not in "CLMNPSZ" or not short:
                self._refuse(f"has \\{letter}{short}")
            return f"\\{letter}{{{short}}}", 3
        if match[2] not in _PROPERTIES:
            self._refuse(f"has the class \\{letter}{match[0]}")
        negated = (letter == "P") != bool(match[1])
        return rf"\{'P' if negated else 'p'}{{{match[2]}}}", 2 + len(match[0])

    def _set(self) -> None:
        """A set, from ``[`` to its ``]``; sets may hold sets."""
        self.depth += 1
        if self.depth > SET_DEPTH:
            self._refuse("nests too many sets")
        self._put("[", 1)
        if self.source[self.position : self.position + 1] == "^":
            self._put("^", 1)
        if self.source[self.position : self.position + 1] == "]":
            self._refuse("has a set that begins with ]")
        while self.position < len(self.source):
            character = self.source[self.position]
            if character == "]":
                self._put("]", 1)
                self.depth -= 1
                return
            if character == "[":
                self._inner_set()
            elif self.source[self.position : self.position + 2] in self._operators():
                self.set_operations = True
                self._put(self.source[self.position : self.position + 2], 2)
            else:
                self._range()
        self._refuse("has a set without its ]")

    def _operators(self) -> tuple[str, ...]:
        return ("&&",) if self.dialect == "oniguruma" else ("&&", "--", "~~")

    def _inner_set(self) -> None:
        posix = re.compile(r"\[:(\^?)(\w+):\]").match(self.source, self.position)
        if posix is None:
            self.set_operations = True
            self._set()
            return
        inside = _POSIX[self.dialect].get(posix[2])
        if inside is None or posix[1]:
            self._refuse(f"has {posix[0]}")
        self._put(inside, len(posix[0]))

    def _range(self) -> None:
        """One member of a set: a class, a character, or two with a ``-`` between."""
        first, text, taken = self._member(self.position)
        end = self.position + taken
        following = self.source[end + 1 : end + 2]
        dashed = self.source[end : end + 1] == "-" and following not in ("]", "[", "")
        if dashed and following == "-" and self.dialect == "rust":
            dashed = False
        if not dashed:
            if first is not None:
                self._name(first)
            self._put(text, taken)
            return
        if first is None:
            self._refuse("has a range that begins with a class")
        last, last_text, last_taken = self._member(end + 1)
        if last is None or last < first:
            self._refuse("has a range without a right end")
        self._name(first, last)
        self._put(f"{text}-{last_text}", taken + 1 + last_taken)

    def _member(self, position: int) -> tuple[str | None, str, int]:
        """The character at ``position`` (None for a class), how it is written, and its length."""
        here, self.position = self.position, position
        character = self.source[position]
        try:
            if character != "\\":
                return character, _in_set(character), 1
            code = _CODE.match(self.source, position + 1)
            if code is not None:
                sign = self._code(code)
                return sign, _in_set(sign), 1 + len(code[0])
            return self._escaped_member()
        finally:
            self.position = here

    def _escaped_member(self) -> tuple[str | None, str, int]:
        letter = self.source[self.position + 1 : self.position + 2]
        if letter in ("w", "W") and self.dialect == "oniguruma":
            self.set_operations = True
            word = _ONIGURUMA_WORD_IN_SET
            return None, word if letter == "w" else f"[^{word}]", 2
        if letter == "h":
            return None, "0-9A-Fa-f", 2
        text, taken = self._class()
        if not taken:
            return letter, _in_set(letter), 2
        signs = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}
        return signs.get(letter), text, taken


def _in_set(character: str) -> str:
    """A character as a member of a set, with no meaning beside its neighbours."""
    return character if character.isalnum() or character > "\x7f" else f"\\x{ord(character):02x}"
