"""Split patterns that come from outside: run with a time limit, as the reference would run them.

A tokenizer.json is run by Oniguruma, a .tiktoken file by Rust's ``fancy-regex``; here both are run
by the ``regex`` package, which has a time limit. ``engine.pattern_dialects`` rewrites what the two
mean differently. The classes (``\\p{L}`` and so on) of the installed ``regex`` may be those of a
newer Unicode; spelling them out would be fifteen times slower, so the text is changed instead: a
character of another category than in Unicode 16 is replaced by one that has that category.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property

import regex

from engine import patterns
from engine.errors import PatternError, PatternTimeout
from engine.limits import (
    PATTERN_CHARACTERS,
    PATTERN_CHARACTERS_PER_SECOND,
    PATTERN_SECONDS,
)
from engine.pattern_dialects import Dialect, Translation, translate
from engine.patterns import NAMED, NamedPattern
from engine.pretokenization import NamedSplitter, Splitter, WholeText
from engine.unicode_classes import Ranges, category, intersect, ranges_of, subtract, union

Spans = list[tuple[int, int]]

_CATEGORIES = (
    "Cc Cf Cn Co Ll Lm Lo Lt Lu Mc Me Mn Nd Nl No Pc Pd Pe Pf Pi Po Ps Sc Sk Sm So Zl Zp Zs".split()
)


# `regex` takes a dotted capital I for an i where case is ignored; neither library does. It has no
# other case to them, like this capital letter.
DOTTED_I, CASELESS = "\u0130", "\u03d2"


@cache
def changed_characters() -> frozenset[str]:
    """The characters whose category in ``regex`` is not that of Unicode 16."""
    changed: set[str] = set()
    for name in _CATEGORIES:
        members = "".join("".join(map(chr, range(a, b + 1))) for a, b in ranges_of(name))
        changed.update(regex.findall(rf"\P{{{name}}}", members))
    return frozenset(changed)


@cache
def _changed_ranges() -> Ranges:
    return union([tuple((ord(c), ord(c)) for c in changed_characters())])


@cache
def _unchanged(name: str) -> Ranges:
    """A category without the changed characters.

    Nor ASCII, which patterns also name, nor the signs up to U+00BF, some of which are letters of
    no script: the one letter among the changed characters is Latin.
    """
    return subtract(ranges_of(name), union([_changed_ranges(), ((0, 0xBF),)]))


class _StandIns(dict[str, str]):
    """changed character -> one of its category, inside the same ranges that a pattern names.

    Filled as asked. Characters of one category inside the same ranges share theirs.
    """

    def __init__(self, literal: Ranges) -> None:
        super().__init__()
        self._literal = literal
        self._shared: dict[tuple[str, tuple[bool, ...]], str | None] = {}

    def __missing__(self, character: str) -> str:
        kind = category(character), self._inside(character)
        if character == DOTTED_I:
            same = self._inside(CASELESS) == kind[1]
            return self.setdefault(character, CASELESS if same else character)
        if kind not in self._shared:
            self._shared[kind] = self._found(*kind)
        # Where a pattern leaves no other of that category, the character stays itself.
        answer = self[character] = self._shared[kind] or character
        return answer

    def _inside(self, character: str) -> tuple[bool, ...]:
        """Which of the ranges that the pattern names have the character."""
        return tuple(first <= ord(character) <= last for first, last in self._literal)

    def _found(self, name: str, inside: tuple[bool, ...]) -> str | None:
        candidates = _unchanged(name)
        for named, within in zip(self._literal, inside, strict=True):
            candidates = (intersect if within else subtract)(candidates, (named,))
        return chr(candidates[0][0]) if candidates else None


class Deadline:
    """The moment by which an operation with a pattern on some text must be done."""

    def __init__(self, characters: int) -> None:
        self.seconds = PATTERN_SECONDS + characters / PATTERN_CHARACTERS_PER_SECOND
        self._end = time.monotonic() + self.seconds

    def left(self) -> float:
        """Seconds that are left, at least a little, since the limit must be positive."""
        return max(self._end - time.monotonic(), 0.001)


@dataclass(frozen=True)
class UploadedPattern:
    """A pattern from a file, ready to run.

    Raises:
        PatternError: when it is made, if it cannot be run as its dialect would run it.
    """

    source: str
    dialect: Dialect

    def __post_init__(self) -> None:
        _ = self._expression

    @cached_property
    def _translation(self) -> Translation:
        if len(self.source) > PATTERN_CHARACTERS:
            raise PatternError(
                f"The split pattern has {len(self.source):,} characters; "
                f"patterns are run up to {PATTERN_CHARACTERS:,}."
            )
        return translate(self.source, self.dialect)

    @cached_property
    def _stand_ins(self) -> _StandIns:
        return _StandIns(self._translation.literal)

    @cached_property
    def _expression(self) -> regex.Pattern[str]:
        version = regex.V1 if self._translation.set_operations else regex.V0
        try:
            return regex.compile(self._translation.pattern, flags=version)
        except (regex.error, RecursionError, OverflowError, ValueError, IndexError) as error:
            reason = getattr(error, "msg", None) or str(error) or type(error).__name__
            raise PatternError(
                f"The split pattern {shortened(self.source)} cannot be used: {reason}."
            ) from None

    def for_oniguruma(self) -> str:
        """The pattern as a tokenizer.json says it.

        Raises:
            PatternError: if Oniguruma would read it otherwise.
        """
        if self.dialect == "rust" and translate(self.source, "oniguruma") != self._translation:
            raise PatternError(
                f"The split pattern {shortened(self.source)} means something else in a "
                "tokenizer.json."
            )
        return self.source

    def find(self, text: str, deadline: Deadline) -> Spans:
        """All matches in order, as the libraries walk them.

        Empty ones are included, but none that touches the end of the match before it.

        Raises:
            PatternTimeout: if it takes longer than ``deadline``.
        """
        pinned = self._pinned(text)
        try:
            found = [
                match.span() for match in self._expression.finditer(pinned, timeout=deadline.left())
            ]
            if any(start == end for start, end in found):
                found = self._with_empty_matches(pinned, deadline)
        except (TimeoutError, MemoryError):
            raise self._stopped(deadline) from None
        return found

    def ends_at(self, text: str, places: Iterable[int], deadline: Deadline) -> list[int | None]:
        """Where the match ends that begins at each of ``places``, None where none does.

        Raises:
            PatternTimeout: if it takes longer than ``deadline``.
        """
        pinned = self._pinned(text)
        try:
            found = [
                self._expression.match(pinned, place, timeout=deadline.left()) for place in places
            ]
        except (TimeoutError, MemoryError):
            raise self._stopped(deadline) from None
        return [match.end() if match else None for match in found]

    def _stopped(self, deadline: Deadline) -> PatternTimeout:
        return PatternTimeout(
            f"The split pattern {shortened(self.source)} took more than "
            f"{deadline.seconds:.0f} seconds on this text and was stopped."
        )

    def _with_empty_matches(self, text: str, deadline: Deadline) -> Spans:
        """After an empty match that is not taken, both engines go on one character later."""
        found: Spans = []
        position, last_end = 0, -1
        while position <= len(text):
            match = self._expression.search(text, position, timeout=deadline.left())
            if match is None:
                break
            start, end = match.span()
            if start == end == last_end:
                position = end + 1
                continue
            found.append((start, end))
            last_end = end
            position = end if end > start else end + 1
        return found

    def _pinned(self, text: str) -> str:
        """``text`` with stand-ins for the characters whose category has changed."""
        if text.isascii():
            return text
        changed = changed_characters().intersection(text)
        if self._translation.ignores_case and DOTTED_I in text:
            changed |= {DOTTED_I}
        if not changed:
            return text
        return text.translate({ord(c): self._stand_ins[c] for c in changed})


def shortened(pattern: str) -> str:
    """``pattern`` for a message, its beginning if it is long."""
    return repr(pattern) if len(pattern) <= 80 else f"{pattern[:80]!r}..."


@dataclass(frozen=True)
class PatternSplitter:
    """Cuts at every match of one uploaded pattern and keeps what lies between."""

    pattern: UploadedPattern

    def pieces(self, text: str) -> list[str]:
        """The pieces of ``text``; they join to it."""
        pieces, position = [], 0
        for start, end in self.pattern.find(text, Deadline(len(text))):
            if start > position:
                pieces.append(text[position:start])
            if end > start:
                pieces.append(text[start:end])
            position = end
        if position < len(text):
            pieces.append(text[position:])
        return pieces


# Older spellings of published patterns that cut the same pieces, and one that the bundled
# tokenizers do not use. Each is run fast and compared with its library in the tests.
LLAMA3 = NamedPattern(
    "llama3",
    (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|"
        r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "Llama 3, tokenizer.json, pre_tokenizer; also cl100k_base before tiktoken 0.8",
)
GPT2_OLD = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
GPT2_SHORT = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def published(steps: tuple[str, ...], dialect: Dialect) -> NamedPattern | None:
    """The published pattern that is spelled by ``steps``, if one is."""
    if steps in ((GPT2_OLD,), (GPT2_SHORT,)):
        return patterns.GPT2
    for pattern in (*NAMED.values(), LLAMA3):
        if pattern.steps == steps and not (dialect == "oniguruma" and _reads_otherwise(steps)):
            return pattern
        if dialect == "oniguruma" and steps == oniguruma_steps(pattern):
            return pattern
    return None


_POSSESSIVE_BRACES = re.compile(r"(\{\d+,?\d*\})\+")
# An escape, a set, or any other character: a `$` in a set is no end of the text.
_UNITS = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|.", re.DOTALL)


def _reads_otherwise(steps: tuple[str, ...]) -> bool:
    """Whether a pattern has what Oniguruma reads in its own way."""
    return any(_for_oniguruma(step) != step for step in steps)


def oniguruma_steps(pattern: NamedPattern) -> tuple[str, ...]:
    """A published pattern for Oniguruma, where ``{1,3}+`` repeats and ``$`` ends a line.

    Giving up the possessiveness of ``{1,3}+`` changes nothing where no branch continues after it.
    """
    return tuple(map(_for_oniguruma, pattern.steps))


def _for_oniguruma(step: str) -> str:
    step = _POSSESSIVE_BRACES.sub(r"\1", step)
    return _UNITS.sub(lambda unit: r"\z" if unit[0] == "$" else unit[0], step)


def rust_splitter(pattern: str | None) -> Splitter:
    """The splitter for the pattern of a .tiktoken file, given by name or typed.

    Raises:
        PatternError: if there is none, or it cannot be used.
    """
    if pattern is None:
        raise PatternError(
            "A .tiktoken file has no split pattern; choose one by name "
            f"({', '.join(NAMED)}) or type the one it was trained with."
        )
    named = NAMED.get(pattern) or published((pattern,), "rust")
    if named is not None:
        return NamedSplitter(named)
    return PatternSplitter(UploadedPattern(pattern, "rust")) if pattern else WholeText()


def pattern_shown(splitter: Splitter) -> str:
    """The pattern of a splitter as published, one step a line; nothing if it has none."""
    if isinstance(splitter, NamedSplitter):
        return "\n".join(splitter.pattern.steps)
    return splitter.pattern.source if isinstance(splitter, PatternSplitter) else ""
