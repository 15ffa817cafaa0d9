"""Training with the Rust trainer of ``tokenizers``, for corpora too large for pure Python.

Its rules are those of the preset ``hugging-face``, and so are its merges. What the corpus was like
at each merge is found from the merges.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import engine
from engine.normalization import KeepText
from engine.special_tokens import AddedTokens
from engine.standins import from_standins
from engine.train_columns import steps_of_merges
from engine.training import finished_run
from engine.training_run import Corpus, added_tokens
from pages.reference.answers import ReferenceRefused, guarded

PREFERRED_BYTES: Final = 10_000_000
_LOOK_SECONDS: Final = 0.2


def preferred(text: str, settings: engine.TrainingSettings) -> bool:
    """Whether a corpus is large, and the library trains by these rules."""
    return len(text.encode()) > PREFERRED_BYTES and follows(settings)


def follows(settings: engine.TrainingSettings) -> bool:
    """Whether the library's trainer has these rules."""
    preset = engine.PRESETS["hugging-face"]
    return (
        replace(
            preset,
            merges=settings.merges,
            min_frequency=settings.min_frequency,
            special_tokens=settings.special_tokens,
        )
        == settings
    )


def train(
    corpus: Corpus, settings: engine.TrainingSettings, waiting: Callable[[], None]
) -> engine.TrainingRun:
    """The run that the library's trainer makes of a corpus.

    Args:
        corpus: made ready with the same settings.
        settings: rules for which ``follows`` is true.
        waiting: called a few times a second; what it raises ends the waiting.

    Raises:
        ReferenceRefused: if the library fails.
    """
    found: list[list[tuple[bytes, bytes]]] = []
    failed: list[ReferenceRefused] = []

    def work() -> None:
        try:
            found.append(guarded(lambda: _merges(corpus.text, settings)))
        except ReferenceRefused as reason:
            failed.append(reason)

    # It cannot be interrupted: when nobody waits any more, it ends by itself.
    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    while worker.is_alive():
        worker.join(_LOOK_SECONDS)
        waiting()
    if failed:
        raise failed[0]
    return finished_run(corpus, settings, steps_of_merges(corpus, found[0]))


def _merges(text: str, settings: engine.TrainingSettings) -> list[tuple[bytes, bytes]]:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=len(alphabet) + settings.merges,
        min_frequency=settings.min_frequency,
        show_progress=False,
        initial_alphabet=alphabet,
    )
    tokenizer.train_from_iterator(_sections(text, settings), trainer)
    written = json.loads(tokenizer.to_str())["model"]["merges"]
    return [(_bytes(left), _bytes(right)) for left, right in written]


def _sections(text: str, settings: engine.TrainingSettings) -> Iterator[str]:
    """The text with its special tokens cut out."""
    added = AddedTokens(added_tokens(settings, 0), KeepText())
    for section in added.sections(text, "parse"):
        if section.token is None:
            yield section.text


def _bytes(standins: str) -> bytes:
    data = from_standins(standins)
    if data is None:
        raise ValueError(f"{standins!r} is not written in stand-ins")
    return data
