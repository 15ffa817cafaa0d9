"""Counting long texts: with a bar, one person after the other, and an end when it is not wanted."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import streamlit as st

import engine
from pages.ui import cache, state, tokenizers
from pages.ui.cost import counting
from pages.ui.cost.counting import Paragraphs
from pages.ui.formatting import escaped, size
from pages.ui.notices import notice
from pages.ui.turns import Turns, said_in

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

# Less takes under half a second, and is counted as one types.
LIVE_BYTES: Final = 300_000
_STOPPED: Final = "cost count stopped"
# One long count at a time: two would take as long together, and leave other pages less.
_TURNS: Final = Turns(1)
_LOOK_SECONDS: Final = 0.2
# The counting of one person must leave the interpreter to the others now and then: a thread that
# sleeps gives it away at once, one that works only after its time is over.
_REST_SECONDS: Final = 0.002


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """A part of the work: what it is called, how many bytes it goes over, and how it is done.

    ``key`` is what its result is kept under.
    """

    key: tuple[object, ...]
    words: str
    bytes: int
    run: Callable[[Callable[[int], None]], object]


def ready(
    names: Sequence[str], cut: Mapping[str, Paragraphs], composed: Mapping[str, Paragraphs]
) -> bool:
    """Count what is long and not counted yet; False, and a way to go on, if that was stopped.

    To be called once a run: it has one bar.

    Args:
        names: the tokenizers.
        cut: the paragraphs of each text, to be compared.
        composed: the texts, each as a whole, that are counted in NFC too.
    """
    # A text that is cut nowhere is in both; it is counted once.
    jobs = list({job.key: job for job in _jobs(names, cut, composed)}.values())
    whole = sum(job.bytes for job in jobs)
    if whole <= LIVE_BYTES:
        return True
    shape = [(place, len(parts), sum(map(len, parts))) for place, parts in cut.items()]
    mark = repr((names, shape, sorted(composed)))
    if state.recall(_STOPPED) == mark:
        _offer(whole)
        return False
    _run(jobs, whole, mark)
    return True


def _jobs(
    names: Sequence[str], cut: Mapping[str, Paragraphs], composed: Mapping[str, Paragraphs]
) -> Iterator[_Job]:
    """What is not in the cache."""
    for place, parts in cut.items():
        key = counting.lengths_key("none", parts)
        if cache.results().found(key) is None:
            yield _Job(
                key=key,
                words=f"Characters of text {int(place) + 1}",
                bytes=_volume(parts) // 4,
                run=lambda _, parts=parts: counting.lengths("none", parts),  # type: ignore[misc]
            )
        yield from _counts(names, place, parts, "none")
    for place, parts in composed.items():
        yield from _counts(names, place, parts, "none")
        yield from _counts(names, place, parts, "NFC")


def _counts(
    names: Sequence[str], place: str, parts: Paragraphs, form: engine.Form
) -> Iterator[_Job]:
    """The counts of a text in a form that are not in the cache."""
    for name in names:
        key = counting.tokens_key(name, form, parts)
        if cache.results().found(key) is None:
            yield _Job(
                key=key,
                words=f"{escaped(tokenizers.title(name))}: text {int(place) + 1}"
                + (" after NFC" if form == "NFC" else ""),
                bytes=_volume(parts),
                run=lambda told, name=name: _tokens(name, form, parts, told),  # type: ignore[misc]
            )


def _volume(parts: Paragraphs) -> int:
    return sum(len(part.encode()) for part in parts)


def _tokens(name: str, form: engine.Form, parts: Paragraphs, told: Callable[[int], None]) -> None:
    """Count; what cannot be counted is said by the page, which asks again."""
    try:
        counting.paragraph_tokens(name, form, parts, told)
    except engine.EngineError:
        return


def _run(jobs: Sequence[_Job], whole: int, mark: str) -> None:
    place = st.empty()
    with place.container(border=True, key="own_progress"):
        bar = st.progress(0.0, "Others are counting.")
        st.button("Stop counting", icon=":material/stop:", on_click=_stop, args=(mark,))
    # Each word in the bar ends this run if a newer one is asked for.
    with _TURNS.turn(said_in(bar, "Others are counting.")):
        progress = _Progress(bar, whole)
        for job in jobs:
            progress.begin(job)
            job.run(progress.told)
    place.empty()


class _Progress:
    """The bar: what is being done, and how much of the whole is done."""

    def __init__(self, bar: DeltaGenerator, whole: int) -> None:
        self._bar, self._whole = bar, whole
        self._job: _Job | None = None
        self._before = 0
        self._looked = 0.0

    def begin(self, job: _Job) -> None:
        """The next job; the one before it is done."""
        self._before += self._job.bytes if self._job else 0
        self._job, self._looked = job, 0.0
        self.told(0)

    def told(self, inside: int) -> None:
        """So many bytes of this job are done."""
        time.sleep(_REST_SECONDS)
        if self._job and time.monotonic() - self._looked >= _LOOK_SECONDS:
            self._looked = time.monotonic()
            part = min(1.0, (self._before + min(inside, self._job.bytes)) / self._whole)
            self._bar.progress(part, f"{self._job.words} ({part:.0%} of {size(self._whole)})")


def _stop(mark: str) -> None:
    state.acted()
    state.remember(_STOPPED, mark)


def _offer(whole: int) -> None:
    """The way to go on; what was counted is kept."""
    notice(
        f"Counting was stopped; {size(whole)} are left to go over.", kind="note", key="own_stopped"
    )
    st.button(
        "Go on counting",
        icon=":material/play_arrow:",
        on_click=lambda: state.remember(_STOPPED, None),
    )
