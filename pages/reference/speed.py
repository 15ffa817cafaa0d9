"""Speed of our engine and of the libraries on one text, measured on this machine at this moment."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine import BUNDLED, EngineError, Tokenizer, write_tokenizer_json
from engine.tokenizer import LosslessEncoder
from pages.reference import tiktoken_reference
from pages.reference.answers import NoReference, Reference, ReferenceRefused
from pages.reference.hf_reference import HuggingFaceReference
from pages.reference.tiktoken_reference import TiktokenReference

FIRST: Final = "this app, a text never met"
AGAIN: Final = "this app, the same text again"
_LONG_CHARACTERS: Final = 100_000
_FEW_RUNS, _MANY_RUNS = 5, 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """The median of ``runs`` runs; ``seconds`` is None, and ``refused`` says why, if it failed.

    ``equal`` says whether the ids are those of our engine.
    """

    title: str
    seconds: float | None
    runs: int
    equal: bool | None = None
    refused: str = ""


def libraries(tokenizer: Tokenizer, known: Reference | NoReference) -> list[Reference]:
    """The libraries that can work with this tokenizer's table, the one it is checked with first."""
    if isinstance(known, NoReference):
        return []
    other = _other(tokenizer, known)
    return [known] if other is None else [known, other]


def _other(tokenizer: Tokenizer, known: Reference) -> Reference | None:
    """The same table in the other library; None where that cannot express it."""
    try:
        if isinstance(known, TiktokenReference):
            document = write_tokenizer_json(tokenizer).decode()
            return HuggingFaceReference(lambda: document)
        entry = BUNDLED.get(tokenizer.name)
        if entry is None or len(entry.pattern.steps) != 1:
            return None
        ranks = {data: i for i, data in tokenizer.vocabulary.bytes_of.items()}
        return tiktoken_reference.of_table(tokenizer.name, ranks, entry.pattern.steps[0])
    except (EngineError, ReferenceRefused):
        return None


def measured(tokenizer: Tokenizer, others: list[Reference], text: str) -> Iterator[Speed]:
    """The speeds, one after the other: each does the same, from the text to a list of ids.

    The text is normalized before the clock runs, since not every library can do it. Ours has a
    memory of its own meanwhile: what others' texts left in the shared one is neither used nor lost.
    """
    if isinstance(tokenizer.encoder, LosslessEncoder):
        tokenizer = replace(tokenizer, encoder=tokenizer.encoder.anew())
    runs = _FEW_RUNS if len(text) > _LONG_CHARACTERS else _MANY_RUNS
    text = tokenizer.encode(text).text
    ours = tokenizer.encode(text).ids
    encoder = tokenizer.encoder
    if isinstance(encoder, LosslessEncoder):
        forget = encoder.forget
        yield Speed(
            title=FIRST,
            seconds=_median(lambda: tokenizer.encode(text).ids, runs, forget),
            runs=runs,
        )
    again = _median(lambda: tokenizer.encode(text).ids, runs)
    yield Speed(title=AGAIN, seconds=again, runs=runs)
    for library in others:
        try:
            # The first time a library is asked, it may still have to make itself ready.
            equal = library.ids(text, "text") == ours
            took = _median(lambda library=library: library.ids(text, "text"), runs)  # type: ignore[misc]
            yield Speed(title=library.title, seconds=took, runs=runs, equal=equal)
        except ReferenceRefused as reason:
            yield Speed(title=library.title, seconds=None, runs=0, refused=str(reason))


def _median(
    call: Callable[[], object], runs: int, before: Callable[[], None] | None = None
) -> float:
    """Seconds of a call, the median of some; ``before`` is done outside of the clock."""
    took = []
    for _ in range(runs):
        if before is not None:
            before()
        started = time.perf_counter()
        call()
        took.append(time.perf_counter() - started)
    return statistics.median(took)
