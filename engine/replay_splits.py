"""From text to pieces once more, slowly: which step and which branch of a pattern took each piece.

    for piece in split_traced(split_steps(tokenizer), " hello 42", first=True): ...

The pieces equal those of ``SectionEncoder.pieces``; what a tokenizer drops is among them too,
marked. They come one by one, so that the beginning of a long text is there at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

from engine import pre_tokenizers
from engine.dropping_encoder import DroppingEncoder
from engine.errors import PatternError
from engine.general_encoder import GeneralEncoder
from engine.pattern_branches import Branch, branches_of
from engine.patterns import NamedPattern, compiled
from engine.pre_tokenizers import CutSplitter, NamedSplit, Part, PreTokenizer, Split
from engine.pretokenization import NamedSplitter, Splitter
from engine.tokenizer import LosslessEncoder, Tokenizer
from engine.trained_encoder import GapSplitter, TrainedEncoder
from engine.unicode_classes import without_astral
from engine.uploaded_pattern import Deadline, PatternSplitter, UploadedPattern


class SplitPiece(NamedTuple):
    """A piece, or a stretch that the tokenizer drops.

    ``text`` is as the model sees it. ``taken`` has an entry for each split step: the number of the
    branch that took the piece, or None where it is what no branch took.
    """

    text: str
    kept: bool = True
    taken: tuple[int | None, ...] = ()


class SplitStep(Protocol):
    """One step of the splitting: a pattern with branches, or something simpler."""

    @property
    def source(self) -> str:
        """The pattern, or the name of the step."""
        ...

    @property
    def words(self) -> str:
        """What the step does, in a sentence."""
        ...

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The branches of the pattern, if it is one."""
        ...

    def cut(self, text: str, *, first: bool) -> Iterator[tuple[Part, int | None]]:
        """The parts of ``text`` and which branch took each; ``first`` if it begins the text."""
        ...


_KEEPS = "Cuts the text at every match; what no branch takes is a piece of its own."
_DROPS = "Keeps what a branch takes; the rest is dropped."


@dataclass(frozen=True)
class FastPatternStep:
    """A published pattern, run by ``re``; ``drops`` says that it keeps its matches only.

    ``pinned`` says that its classes are those of Unicode 16, spelled out, and not Python's.
    """

    source: str
    pinned: bool = True
    drops: bool = False

    @property
    def words(self) -> str:
        """Whether the rest is kept."""
        return _DROPS if self.drops else _KEEPS

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The branches, in the order in which they are tried."""
        return branches_of(self.source)

    @cached_property
    def _expressions(self) -> tuple[re.Pattern[str], ...]:
        """The whole pattern, then its branches."""
        make = compiled if self.pinned else re.compile
        return tuple(make(source) for source in (self.source, *(b.source for b in self.branches)))

    def cut(self, text: str, *, first: bool) -> Iterator[tuple[Part, int | None]]:
        """Matches and what lies between them."""
        whole, *branches = self._expressions
        pinned = without_astral(text) if self.pinned else text
        position = 0
        for match in whole.finditer(pinned):
            start, end = match.span()
            if start > position:
                yield Part(text[position:start], not self.drops), None
            if end > start:
                taker = (n for n, branch in enumerate(branches) if branch.match(pinned, start))
                yield Part(text[start:end]), next(taker, None)
            position = end
        if position < len(text):
            yield Part(text[position:], not self.drops), None


@dataclass(frozen=True)
class UploadedPatternStep:
    """A pattern from outside, with what becomes of its matches."""

    split: Split
    pattern: UploadedPattern

    @property
    def source(self) -> str:
        """The pattern as it was given."""
        return self.pattern.source

    @property
    def words(self) -> str:
        """What becomes of the matches."""
        if self.split.behavior == "Isolated":
            return _KEEPS
        if self.split.behavior == "Removed":
            return _DROPS if self.split.invert else "Drops what a branch takes and keeps the rest."
        found = "what no branch takes" if self.split.invert else "what a branch takes"
        return {
            "MergedWithPrevious": f"Cuts after {found}, which joins the piece before.",
            "MergedWithNext": f"Cuts before {found}, which joins the piece after.",
            "Contiguous": f"Cuts around {found}; neighbouring matches are one piece.",
        }[self.split.behavior]

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The branches, in the order in which they are tried."""
        return branches_of(self.source)

    @cached_property
    def _expressions(self) -> tuple[UploadedPattern, ...]:
        """The branches, ready to run; none where they cannot be run apart from each other."""
        try:
            return tuple(UploadedPattern(b.source, self.pattern.dialect) for b in self.branches)
        except PatternError:
            return ()

    def cut(self, text: str, *, first: bool) -> Iterator[tuple[Part, int | None]]:
        """The parts; one that holds several matches has the branch of the first."""
        deadline = Deadline(2 * len(text))
        spans = [span for span in self.pattern.find(text, deadline) if span[0] < span[1]]
        takers = self._takers(text, [start for start, _ in spans], deadline)
        position = place = 0
        for part in self.split.apply([Part(text)], first=first):
            end = position + len(part.text)
            while place < len(spans) and spans[place][1] <= position:
                place += 1
            here = place < len(spans) and spans[place][0] < end
            yield part, takers[place] if here else None
            position = end

    def _takers(self, text: str, starts: Sequence[int], deadline: Deadline) -> list[int | None]:
        """The branch of the match that begins at each place: the first that matches there."""
        takers: list[int | None] = [None] * len(starts)
        left = list(range(len(starts)))
        for number, branch in enumerate(self._expressions):
            ends = branch.ends_at(text, [starts[place] for place in left], deadline)
            found = zip(left, ends, strict=True)
            left = []
            for place, end in found:
                if end is None:
                    left.append(place)
                else:
                    takers[place] = number
        return takers


_COMPONENTS = {
    "PrefixSpace": "Writes a blank before a piece that does not begin with one.",
    "ByteLevel": "Writes each byte of the text as one stand-in character.",
    "Split": "Cuts at certain characters.",
}


@dataclass(frozen=True)
class ComponentStep:
    """A pre-tokenizer of a tokenizer.json that is no pattern."""

    step: PreTokenizer
    branches: tuple[Branch, ...] = ()

    @property
    def source(self) -> str:
        """Its name."""
        return type(self.step).__name__

    @property
    def words(self) -> str:
        """What it does."""
        if isinstance(self.step, pre_tokenizers.Metaspace):
            cut = " and cuts before it" if self.step.split else ""
            return f"Writes every blank as {self.step.sign}{cut}."
        return _COMPONENTS.get(self.source, "Cuts or rewrites the text.")

    def cut(self, text: str, *, first: bool) -> Iterator[tuple[Part, int | None]]:
        """Its parts; no branch took them."""
        for part in self.step.apply([Part(text)], first=first):
            yield part, None


def _named_steps(pattern: NamedPattern) -> list[SplitStep]:
    return [FastPatternStep(step) for step in pattern.steps]


def _steps_of_component(step: PreTokenizer) -> list[SplitStep]:
    match step:
        case NamedSplit(pattern=pattern):
            return _named_steps(pattern)
        case Split(finder=UploadedPattern() as finder):
            return [UploadedPatternStep(step, finder)]
    return [ComponentStep(step)]


def _steps_of_splitter(splitter: Splitter) -> list[SplitStep]:
    match splitter:
        case NamedSplitter(pattern=pattern):
            return _named_steps(pattern)
        case PatternSplitter(pattern=pattern):
            return [UploadedPatternStep(Split(pattern, "Isolated"), pattern)]
        case CutSplitter(steps=steps):
            return [found for step in steps for found in _steps_of_component(step)]
        case GapSplitter(how=re.Pattern() as lesson):
            return [FastPatternStep(lesson.pattern, pinned=False, drops=True)]
        case GapSplitter(how=inner) if not isinstance(inner, re.Pattern):
            return _steps_of_splitter(inner)
    return []


def split_steps(tokenizer: Tokenizer) -> tuple[SplitStep, ...]:
    """The steps by which ``tokenizer`` splits; none if a text is one piece."""
    match tokenizer.encoder:
        case LosslessEncoder(splitter=splitter) | TrainedEncoder(splitter=splitter):
            return tuple(_steps_of_splitter(splitter))
        case DroppingEncoder(pattern=pattern):
            return (UploadedPatternStep(Split(pattern, "Removed", invert=True), pattern),)
        case GeneralEncoder(steps=steps):
            return tuple(found for step in steps for found in _steps_of_component(step))
    return ()


def split_traced(steps: Sequence[SplitStep], text: str, *, first: bool) -> Iterator[SplitPiece]:
    """The pieces of ``text``, one by one, each with the branches that took it.

    Args:
        steps: of ``split_steps``.
        text: a normalized stretch between two added tokens.
        first: whether nothing stands before it.

    Raises:
        PatternTimeout: if a pattern from outside takes too long.
    """
    pieces: Iterator[SplitPiece] = iter([SplitPiece(text)] if text else [])
    for step in steps:
        pieces = _after(step, pieces, first=first)
    return pieces


def _after(step: SplitStep, pieces: Iterator[SplitPiece], *, first: bool) -> Iterator[SplitPiece]:
    for place, piece in enumerate(pieces):
        if not piece.kept:
            yield piece._replace(taken=(*piece.taken, None))
            continue
        for part, branch in step.cut(piece.text, first=first and not place):
            if part.text:
                yield SplitPiece(part.text, part.kept, (*piece.taken, branch))
