"""From a text and settings to a training run, and from a run to a tokenizer.

    run = train(text, PRESETS["lesson C"])
    run.tokenizer.encode("lowest").ids
    run.at(3)                       # the tokenizer as it stood after three merges
    for step in train_steps(text, settings): ...

A run keeps its merges as columns; what the corpus looked like after k merges is what encoding it
with the first k merges gives.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from engine.encode_fast import pair_key, pair_value
from engine.errors import EngineError
from engine.normalization import KeepText
from engine.patterns import NAMED
from engine.pretokenization import NamedSplitter
from engine.special_tokens import AddedToken, AddedTokens
from engine.standins import BYTES_IN_STANDIN_ORDER
from engine.tokenizer import RankView, Tokenizer, Unit, check_encodable
from engine.train import MergeStep, StopReason, Ties, Words
from engine.train_fast import no_collection, train_fast
from engine.trained_encoder import GapSplitter, TrainedEncoder, units_of
from engine.vocabulary import Vocabulary

Base = Literal["bytes", "stand-in bytes", "characters"]
"""What is merged: bytes numbered by value, bytes in the order of their stand-ins (as Hugging Face
trainers do), or the characters of the corpus in order of first appearance."""


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
            drops="the underscore, and digits that are no decimal digits",
        ),
        LessonPattern(name="lesson B", expression=r" ?\w+| ?[^\w\s]+|\s+"),
        LessonPattern(
            name="lesson C",
            expression=(
                r"'s|'t|'re|'ve|'m|'ll|'d| ?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\s+(?!\S)|\s+"
            ),
        ),
        LessonPattern(
            name="words", expression=r"\S+", drops="white space: it only separates the words"
        ),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSettings:
    """How to train.

    Attributes:
        merges: at most so many merges.
        pattern: a name in ``patterns.NAMED`` or ``LESSON_PATTERNS``, or ``"none"``.
        ties: which of equally frequent pairs goes first.
        base: what is merged.
        min_frequency: rarer pairs are not merged.
        special_tokens: cut out of the corpus before counting; ids after the last merge.
    """

    merges: int = 300
    pattern: str = "gpt2"
    ties: Ties = "smallest-ids"
    base: Base = "bytes"
    min_frequency: int = 1
    special_tokens: tuple[str, ...] = ()


PRESETS: Mapping[str, TrainingSettings] = {
    "plain": TrainingSettings(),
    "lesson A": TrainingSettings(pattern="lesson A"),
    "lesson B": TrainingSettings(pattern="lesson B", ties="first-seen"),
    "lesson C": TrainingSettings(merges=8, pattern="lesson C", ties="first-seen"),
    "lesson D": TrainingSettings(merges=60, pattern="gpt2", ties="largest-pair"),
    "minbpe": TrainingSettings(pattern="cl100k", ties="first-seen"),
    "minbpe basic": TrainingSettings(pattern="none", ties="first-seen"),
    "hugging-face": TrainingSettings(pattern="gpt2", base="stand-in bytes"),
    "characters": TrainingSettings(
        merges=20, pattern="words", ties="first-seen", base="characters"
    ),
}
"""The training rules of published lessons and libraries, by name."""


@dataclass(frozen=True)
class Corpus:
    """A text made ready for training.

    Attributes:
        text: the whole text.
        pieces: the distinct pieces with their frequencies, in order of first appearance.
        base: the units that the first ids stand for, in UTF-8.
        unit: whether a piece is taken apart into bytes or characters.
        dropped: the characters that the pattern took nowhere, with their numbers.
        special_found: how often each special token was cut out.
    """

    text: str
    pieces: Mapping[str, int]
    base: tuple[bytes, ...]
    unit: Unit
    dropped: Mapping[str, int]
    special_found: Mapping[str, int]

    @cached_property
    def id_of(self) -> dict[bytes, int]:
        """The id of each base unit."""
        return {unit: place for place, unit in enumerate(self.base)}

    @cached_property
    def words(self) -> Words:
        """The pieces as base ids."""
        if self.unit == "bytes":
            id_of_byte = bytes(self.id_of[bytes([byte])] for byte in range(256))
            return {
                tuple(piece.encode().translate(id_of_byte)): count
                for piece, count in self.pieces.items()
            }
        id_of = self.id_of
        return {
            tuple(id_of[unit] for unit in units_of(piece, self.unit)): count
            for piece, count in self.pieces.items()
        }


def splitter_of(pattern: str) -> GapSplitter:
    """The splitter of a pattern name.

    Raises:
        TrainingError: if there is no such pattern.
    """
    if pattern in LESSON_PATTERNS:
        return GapSplitter(re.compile(LESSON_PATTERNS[pattern].expression))
    if pattern == "none":
        return GapSplitter(None)
    if pattern in NAMED:
        return GapSplitter(NamedSplitter(NAMED[pattern]))
    known = ", ".join((*NAMED, *LESSON_PATTERNS, "none"))
    raise TrainingError(f"There is no split pattern {pattern!r}; there are {known}.")


def prepare(text: str, settings: TrainingSettings) -> Corpus:
    """Cut ``text`` into weighted pieces.

    Raises:
        LoneSurrogate: if the text cannot be written in UTF-8.
        TrainingError: if the settings name an unknown pattern.
    """
    check_encodable(text)
    splitter = splitter_of(settings.pattern)
    added = AddedTokens(_added(settings, 0), KeepText())
    pieces: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    special: Counter[str] = Counter()
    for section in added.sections(text, "parse"):
        if section.token is not None:
            special[section.token.content] += 1
            continue
        if splitter.lossless:
            pieces.update(splitter.pieces(section.text))
            continue
        for piece, kept in splitter.parts(section.text):
            if kept:
                pieces[piece] += 1
            else:
                dropped.update(piece)
    unit: Unit = "characters" if settings.base == "characters" else "bytes"
    return Corpus(text, pieces, _base(settings, pieces), unit, dropped, special)


def _base(settings: TrainingSettings, pieces: Iterable[str]) -> tuple[bytes, ...]:
    if settings.base == "characters":
        return tuple(dict.fromkeys(character.encode() for word in pieces for character in word))
    order = BYTES_IN_STANDIN_ORDER if settings.base == "stand-in bytes" else bytes(range(256))
    return tuple(bytes([byte]) for byte in order)


def _added(settings: TrainingSettings, first_id: int) -> tuple[AddedToken, ...]:
    return tuple(
        AddedToken(id=token_id, content=content)
        for token_id, content in enumerate(settings.special_tokens, first_id)
    )


@dataclass(frozen=True)
class TrainingRun:
    """What a corpus taught: its merges, and why they ended."""

    settings: TrainingSettings
    corpus: Corpus
    steps: Sequence[MergeStep]
    stopped: StopReason

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer after all merges."""
        return self.at(len(self.steps))

    @cached_property
    def token_bytes(self) -> tuple[bytes, ...]:
        """The bytes of each id: base units, then the results of merges."""
        known = list(self.corpus.base)
        for step in self.steps:
            known.append(known[step.left] + known[step.right])
        return tuple(known)

    @property
    def tokens_at_start(self) -> int:
        """The length of the corpus in base units."""
        return sum(len(word) * count for word, count in self.corpus.words.items())

    def at(self, merges: int) -> Tokenizer:
        """The tokenizer as it stood after ``merges`` merges.

        Raises:
            TrainingError: if the run has fewer.
        """
        if not 0 <= merges <= len(self.steps):
            raise TrainingError(f"The run has {len(self.steps)} merges; {merges} were asked for.")
        steps, base = self.steps[:merges], len(self.corpus.base)
        size = base + merges
        pairs = {pair_key(s.left, s.right): pair_value(s.rank, s.new_id) for s in steps}
        vocabulary = Vocabulary(dict(enumerate(self.token_bytes[:size])))
        splitter = splitter_of(self.settings.pattern)
        return Tokenizer(
            name="trained",
            vocabulary=vocabulary,
            added=AddedTokens(_added(self.settings, size), KeepText()),
            encoder=TrainedEncoder(splitter, self.corpus.id_of, pairs, self.corpus.unit),
            unit=self.corpus.unit,
            ranks=RankView(base),
            pattern=self.settings.pattern,
            origin="trained here",
        )


def train_steps(text: str, settings: TrainingSettings) -> Iterator[MergeStep]:
    """The merges one by one, for progress and for stopping early. Raises as ``prepare``."""
    return _steps(prepare(text, settings), settings)


def _steps(corpus: Corpus, settings: TrainingSettings) -> Iterator[MergeStep]:
    return train_fast(
        corpus.words,
        merges=settings.merges,
        ties=settings.ties,
        first_new_id=len(corpus.base),
        min_frequency=settings.min_frequency,
    )


def train(text: str, settings: TrainingSettings) -> TrainingRun:
    """Train on ``text``.

    A text that teaches nothing (empty, one character) gives a run of no merges.

    Raises:
        LoneSurrogate, TrainingError: as ``prepare``.
    """
    corpus = prepare(text, settings)
    with no_collection():
        return finished_run(corpus, settings, list(_steps(corpus, settings)))


def finished_run(
    corpus: Corpus, settings: TrainingSettings, steps: Sequence[MergeStep]
) -> TrainingRun:
    """A run of these steps, with the reason why it ended."""
    if len(steps) >= settings.merges:
        stopped: StopReason = "merges"
    elif settings.min_frequency > 1 and _pairs_left(corpus, steps):
        stopped = "minimum frequency"
    else:
        stopped = "no pair left"
    return TrainingRun(settings, corpus, steps, stopped)


def _pairs_left(corpus: Corpus, steps: Sequence[MergeStep]) -> bool:
    """Whether some piece still has more than one token."""
    left = steps[-1].tokens_left if steps else sum(len(w) * n for w, n in corpus.words.items())
    return left > sum(corpus.words.values())
