"""From a text and settings to a training run, and from a run to a tokenizer.

    run = train(text, PRESETS["lesson C"])
    run.tokenizer.encode("lowest").ids
    run.at(3)                       # the tokenizer as it stood after three merges
    for step in train_steps(text, settings): ...

A run keeps its merges as columns; what the corpus looked like after k merges is what encoding it
with the first k merges gives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from engine.chunks import chunks
from engine.garbage import no_collection
from engine.normalization import KeepText
from engine.patterns import NAMED
from engine.special_tokens import AddedTokens
from engine.standins import BYTES_IN_STANDIN_ORDER
from engine.tokenizer import Unit, check_encodable
from engine.train import MergeStep, StopReason
from engine.train_fast import train_fast
from engine.training_run import Corpus, TrainingRun, added_tokens
from engine.training_settings import TrainingError, TrainingSettings, splitter_of


def prepare(text: str, settings: TrainingSettings) -> Corpus:
    """Cut ``text`` into weighted pieces.

    Raises:
        LoneSurrogate: if the text cannot be written in UTF-8.
        TrainingError: if the settings name an unknown pattern.
        PatternError: if one's own pattern cannot be used, or takes too long.
    """
    check_encodable(text)
    splitter = splitter_of(settings)
    added = AddedTokens(added_tokens(settings, 0), KeepText())
    pieces: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    special: Counter[str] = Counter()
    for section in added.sections(text, "parse"):
        if section.token is not None:
            special[section.token.content] += 1
            continue
        if splitter.lossless:
            for stretch in _stretches(section.text, settings):
                pieces.update(splitter.pieces(stretch))
            continue
        for piece, kept in splitter.parts(section.text):
            if kept:
                pieces[piece] += 1
            else:
                dropped.update(piece)
    unit: Unit = "characters" if settings.base == "characters" else "bytes"
    return Corpus(text, pieces, _base(settings, pieces), unit, dropped, special)


def _stretches(text: str, settings: TrainingSettings) -> Iterable[str]:
    """``text`` in short stretches, if the pattern is known to find the same pieces in them.

    Their pieces are counted before they leave the processor's cache, and one list at a time.
    """
    return chunks(text) if settings.pattern in NAMED else (text,)


def _base(settings: TrainingSettings, pieces: Iterable[str]) -> tuple[bytes, ...]:
    if settings.base == "characters":
        return tuple(dict.fromkeys(character.encode() for word in pieces for character in word))
    order = BYTES_IN_STANDIN_ORDER if settings.base == "stand-in bytes" else bytes(range(256))
    return tuple(bytes([byte]) for byte in order)


def train_steps(text: str, settings: TrainingSettings) -> Iterator[MergeStep]:
    """The merges one by one, for progress and for stopping early. Raises as ``prepare``."""
    return steps_of(prepare(text, settings), settings)


def steps_of(corpus: Corpus, settings: TrainingSettings) -> Iterator[MergeStep]:
    """The merges of a corpus that is made ready, one by one."""
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
        LoneSurrogate, TrainingError, PatternError: as ``prepare``.
    """
    corpus = prepare(text, settings)
    with no_collection():
        return finished_run(corpus, settings, list(steps_of(corpus, settings)))


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


def merges_for(vocabulary_size: int, corpus: Corpus, settings: TrainingSettings) -> int:
    """How many merges give a vocabulary of that size: base + merges + special tokens.

    Raises:
        TrainingError: if base and special tokens alone are more.
    """
    base, special = len(corpus.base), len(settings.special_tokens)
    if vocabulary_size < base + special:
        raise TrainingError(
            f"A vocabulary of {vocabulary_size:,} is too small: the base has {base:,} "
            f"{corpus.unit} and there are {special:,} special tokens, {base + special:,} in all."
        )
    return vocabulary_size - base - special
