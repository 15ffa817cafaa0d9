"""The pre-tokenizers of tokenizer.json: how each cuts, drops or rewrites a stretch of text.

A stretch is a list of parts; a part that was dropped stays in the list, so that nothing of the text
is lost from sight, and no later step looks at it. Each step does what the component of that name in
``tokenizers`` does; the tests compare all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple, Protocol

from engine import component_data
from engine.normalizers import BLANKS
from engine.patterns import NamedPattern
from engine.pretokenization import NamedSplitter
from engine.standins import to_standins
from engine.uploaded_pattern import Deadline, Spans, UploadedPattern

Behavior = Literal["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]
PrependScheme = Literal["always", "first", "never"]


class Part(NamedTuple):
    """A stretch of text; ``kept`` is False where the tokenizer drops it."""

    text: str
    kept: bool = True


class PreTokenizer(Protocol):
    """One step. ``only_cuts`` says that its parts join to the text and none is dropped."""

    @property
    def only_cuts(self) -> bool:
        """Whether the step neither drops nor rewrites."""
        ...

    def apply(self, parts: list[Part], *, first: bool) -> list[Part]:
        """The parts after this step; ``first`` if the first part begins the text."""
        ...


def run(steps: Iterable[PreTokenizer], text: str, *, first: bool) -> list[Part]:
    """The parts of ``text`` after all steps; none is empty."""
    parts = [Part(text)] if text else []
    for step in steps:
        parts = [part for part in step.apply(parts, first=first) if part.text]
    return parts


class Finder(Protocol):
    """Finds what a split splits at."""

    def find(self, text: str, deadline: Deadline) -> Spans:
        """The matches in order."""
        ...


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Finds the occurrences of a text, of an empty one at every place."""

    content: str

    def find(self, text: str, deadline: Deadline) -> Spans:
        """The occurrences."""
        return [match.span() for match in re.finditer(re.escape(self.content), text)]


@dataclass(frozen=True, slots=True)
class OneOf:
    """Finds each character of a class."""

    expression: re.Pattern[str]

    def find(self, text: str, deadline: Deadline) -> Spans:
        """Each by itself."""
        return [match.span() for match in self.expression.finditer(text)]


@cache
def one_of_table(ranges: str) -> OneOf:
    """Finds the characters of a table of ``component_data``."""
    inside = []
    for item in ranges.split():
        first, _, last = item.partition("-")
        inside.append(f"{_escaped(first)}-{_escaped(last or first)}")
    return OneOf(re.compile(f"[{''.join(inside)}]"))


def _escaped(code: str) -> str:
    return f"\\U{int(code, 16):08x}"


def one_of(characters: str) -> OneOf:
    """Finds some characters."""
    return OneOf(re.compile(f"[{re.escape(characters)}]"))


class _Stretch(NamedTuple):
    start: int
    end: int
    matched: bool


def _stretches(text: str, spans: Spans, *, invert: bool) -> list[_Stretch]:
    """Matches and what lies between them, in order; empty matches too."""
    stretches, position = [], 0
    for start, end in spans:
        if start > position:
            stretches.append(_Stretch(position, start, invert))
        stretches.append(_Stretch(start, end, not invert))
        position = end
    if position < len(text):
        stretches.append(_Stretch(position, len(text), invert))
    return stretches


def _contiguous(stretches: list[_Stretch]) -> Iterator[_Stretch]:
    """Neighbours that both match, or both do not, become one."""
    held: _Stretch | None = None
    for stretch in stretches:
        if held is not None and held.matched == stretch.matched:
            held = held._replace(end=stretch.end)
            continue
        if held is not None:
            yield held
        held = stretch
    if held is not None:
        yield held


def _merged_with_previous(stretches: list[_Stretch]) -> list[_Stretch]:
    """A match joins what stands before it, unless that is a match."""
    merged: list[_Stretch] = []
    matched = False
    for stretch in stretches:
        if stretch.matched and not matched and merged:
            merged[-1] = merged[-1]._replace(end=stretch.end)
        else:
            merged.append(stretch)
        matched = stretch.matched
    return merged


def _merged_with_next(stretches: list[_Stretch]) -> list[_Stretch]:
    """A match joins what stands after it, unless that is a match."""
    merged: list[_Stretch] = []
    matched = False
    for stretch in reversed(stretches):
        if stretch.matched and not matched and merged:
            merged[-1] = merged[-1]._replace(start=stretch.start)
        else:
            merged.append(stretch)
        matched = stretch.matched
    return merged[::-1]


def cut(text: str, spans: Spans, behavior: Behavior, *, invert: bool = False) -> list[Part]:
    """``text`` split at ``spans``; ``behavior`` says what becomes of the matches."""
    stretches: Iterable[_Stretch] = _stretches(text, spans, invert=invert)
    if behavior == "Contiguous":
        stretches = _contiguous(list(stretches))
    elif behavior == "MergedWithPrevious":
        stretches = _merged_with_previous(list(stretches))
    elif behavior == "MergedWithNext":
        stretches = _merged_with_next(list(stretches))
    removed = behavior == "Removed"
    return [
        Part(text[stretch.start : stretch.end], not (removed and stretch.matched))
        for stretch in stretches
    ]


@dataclass(frozen=True, slots=True)
class Split:
    """Splits at what a finder finds: ``Split``, ``Digits``, ``Punctuation`` and others."""

    finder: Finder
    behavior: Behavior
    invert: bool = False

    @property
    def only_cuts(self) -> bool:
        """Unless it removes."""
        return self.behavior != "Removed"

    def apply(self, parts: list[Part], *, first: bool) -> list[Part]:
        """Every kept part split."""
        deadline = Deadline(sum(len(part.text) for part in parts))
        output: list[Part] = []
        for part in parts:
            if part.kept:
                spans = self.finder.find(part.text, deadline)
                output += cut(part.text, spans, self.behavior, invert=self.invert)
            else:
                output.append(part)
        return output


@dataclass(frozen=True, slots=True)
class NamedSplit:
    """Splits by a published pattern, fast."""

    pattern: NamedPattern
    only_cuts = True

    def apply(self, parts: list[Part], *, first: bool) -> list[Part]:
        """Every kept part split."""
        splitter = NamedSplitter(self.pattern)
        output: list[Part] = []
        for part in parts:
            output += map(Part, splitter.pieces(part.text)) if part.kept else (part,)
        return output


@dataclass(frozen=True, slots=True)
class PrefixSpace:
    """Writes a blank before every part that does not begin with one: of ``ByteLevel``."""

    only_cuts = False

    def apply(self, parts: list[Part], *, first: bool) -> list[Part]:
        """The parts, each with its blank."""
        return [
            Part(f" {part.text}") if part.kept and not part.text.startswith(" ") else part
            for part in parts
        ]


@dataclass(frozen=True, slots=True)
class ByteLevel:
    """Writes the bytes of every part in stand-in characters."""

    only_cuts = False

    def apply(self, parts: list[Part], *, first: bool) -> list[Part]:
        """The parts in stand-ins; dropped ones too, so that all parts are written alike."""
        return [Part(to_standins(part.text.encode()), part.kept) for part in parts]


@dataclass(frozen=True, slots=True)
class Metaspace:
    """Writes blanks as a visible sign, writes one in front, and splits before each."""

    sign: str
    scheme: PrependScheme
    split: bool
    only_cuts = False

    def apply(self, parts: list[Part], *, first: bool) -> list[Part]:
        """Every kept part so rewritten and split."""
        output: list[Part] = []
        for place, part in enumerate(parts):
            if not part.kept:
                output.append(part)
                continue
            text = part.text.replace(" ", self.sign)
            begins = self.scheme == "always" or (self.scheme == "first" and first and place == 0)
            if begins and not text.startswith(self.sign):
                text = self.sign + text
            if self.split:
                spans = Occurrences(self.sign).find(text, Deadline(len(text)))
                output += cut(text, spans, "MergedWithNext")
            else:
                output.append(Part(text))
        return output


@dataclass(frozen=True, slots=True)
class CutSplitter:
    """Steps that only cut, as a splitter."""

    steps: tuple[PreTokenizer, ...]

    def pieces(self, text: str) -> list[str]:
        """The pieces of ``text``; they join to it."""
        return [part.text for part in run(self.steps, text, first=True)]


def whitespace_split() -> Split:
    """``WhitespaceSplit``: blanks are dropped."""
    return Split(one_of(BLANKS), "Removed")


def whitespace() -> Split:
    """``Whitespace``: words and runs of signs; blanks are dropped."""
    return Split(UploadedPattern(r"\w+|[^\w\s]+", "rust"), "Removed", invert=True)


def digits(*, individual: bool) -> Split:
    """``Digits``: numbers stand by themselves, one by one or in runs."""
    return Split(one_of_table(component_data.NUMBERS), "Isolated" if individual else "Contiguous")


def punctuation(behavior: Behavior) -> Split:
    """``Punctuation``."""
    return Split(one_of_table(component_data.PUNCTUATION), behavior)
