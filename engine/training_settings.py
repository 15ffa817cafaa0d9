"""What can be set for a training run, and the rules of published lessons and libraries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from engine.errors import EngineError
from engine.patterns import NAMED
from engine.pretokenization import NamedSplitter, WholeText
from engine.train import Ties
from engine.trained_encoder import GapSplitter
from engine.uploaded_pattern import PatternSplitter, UploadedPattern

Base = Literal["bytes", "stand-in bytes", "characters"]
"""What is merged: bytes numbered by value, bytes in the order of their stand-ins (as Hugging Face
trainers do), or the characters of the corpus in order of first appearance."""
BASES: tuple[Base, ...] = get_args(Base)


class TrainingError(EngineError):
    """The settings make no training."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonPattern:
    """A split pattern of a published lesson, run by Python's own ``re`` as the lesson does.

    ``drops`` says in words what no branch takes, "" if it takes everything.
    """

    name: str
    expression: str
    drops: str = ""


LESSON_PATTERNS: Mapping[str, LessonPattern] = {
    pattern.name: pattern
    for pattern in (
        LessonPattern(
            name="lesson A",
            expression=r" ?[^\W\d_]+| ?\d{1,3}| ?[^\s\w]+|\s+",
            drops="the underscore _",
        ),
        LessonPattern(name="lesson B", expression=r" ?\w+| ?[^\w\s]+|\s+"),
        LessonPattern(
            name="lesson C",
            expression=(
                r"'s|'t|'re|'ve|'m|'ll|'d| ?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\s+(?!\S)|\s+"
            ),
        ),
        LessonPattern(
            name="words", expression=r"\S+", drops="white space, which only separates words"
        ),
    )
}

NO_PATTERN = "none"
OWN_PATTERN = "own"
PATTERNS = (*NAMED, *LESSON_PATTERNS, NO_PATTERN, OWN_PATTERN)
"""What ``TrainingSettings.pattern`` may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSettings:
    """How to train.

    Attributes:
        merges: at most so many merges.
        pattern: one of ``PATTERNS``; ``"none"`` leaves the text whole.
        expression: the split pattern in Rust's notation, where ``pattern`` is ``"own"``: the text
            is cut at its matches, and what lies between them is kept too.
        ties: which of equally frequent pairs goes first.
        base: what is merged.
        min_frequency: rarer pairs are not merged.
        special_tokens: cut out of the corpus before counting; ids after the last merge.
    """

    merges: int = 300
    pattern: str = "gpt2"
    expression: str = ""
    ties: Ties = "smallest-ids"
    base: Base = "bytes"
    min_frequency: int = 1
    special_tokens: tuple[str, ...] = ()


PRESETS: Mapping[str, TrainingSettings] = {
    "plain": TrainingSettings(),
    "lesson A": TrainingSettings(merges=150, pattern="lesson A"),
    "lesson B": TrainingSettings(merges=500, pattern="lesson B", ties="first-seen"),
    "lesson C": TrainingSettings(merges=8, pattern="lesson C", ties="first-seen"),
    "lesson D": TrainingSettings(merges=60, pattern="gpt2", ties="largest-pair"),
    "minbpe": TrainingSettings(pattern="cl100k", ties="first-seen"),
    "minbpe basic": TrainingSettings(pattern=NO_PATTERN, ties="first-seen"),
    "hugging-face": TrainingSettings(pattern="gpt2", base="stand-in bytes"),
    "characters": TrainingSettings(
        merges=20, pattern="words", ties="first-seen", base="characters"
    ),
}
"""The training rules of published lessons and libraries, by name."""


def splitter_of(settings: TrainingSettings) -> GapSplitter:
    """The splitter that the settings name.

    Raises:
        TrainingError: if there is no such pattern.
        PatternError: if one's own pattern cannot be used.
    """
    name = settings.pattern
    if name in LESSON_PATTERNS:
        lesson = LESSON_PATTERNS[name]
        return GapSplitter(re.compile(lesson.expression), lossless=not lesson.drops)
    if name in NAMED:
        return GapSplitter(NamedSplitter(NAMED[name]), lossless=True)
    if name == NO_PATTERN:
        return GapSplitter(WholeText(), lossless=True)
    if name == OWN_PATTERN:
        if not settings.expression:
            raise TrainingError("The split pattern of one's own is empty; write one.")
        return GapSplitter(
            PatternSplitter(UploadedPattern(settings.expression, "rust")), lossless=True
        )
    raise TrainingError(f"There is no split pattern {name!r}; there are {', '.join(PATTERNS)}.")
