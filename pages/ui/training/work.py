"""Training while somebody waits: small corpora at once, large ones with progress and Stop.

Those that are in the line behind others see that they are (``pages.ui.turns``).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import streamlit as st

import engine
from engine.training import finished_run, prepare, steps_of
from engine.training_run import Corpus
from pages.reference import trainer
from pages.ui import state
from pages.ui.formatting import size
from pages.ui.runs import keep_run, kept_run, run_of, stopped_run, text_of
from pages.ui.trained_names import Recipe
from pages.ui.training import settings
from pages.ui.turns import Turns, Urgency, in_line, said_in

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

OTHERS: Final = "Others are training."
STOPPED: Final = "training stopped"
_WANTED: Final = "training wanted"
_SO_FAR: Final = "training so far"

# Below this, training takes less than half a second, and the page trains as one types.
LIVE_BYTES: Final = 150_000
LIVE_MERGES: Final = 5_000
# Long trainings never stand in the way of short ones. One short one at a time: two that take turns
# at the interpreter take a third longer than one after the other.
SHORT_TURNS: Final = Turns(1)
_LONG_TURNS: Final = Turns(2)
_LOOK_SECONDS: Final = 0.2
_SAY_SECONDS: Final = 0.8
_STEPS_A_LOOK: Final = 64


@contextmanager
def in_turn(words: str, urgency: Urgency) -> Iterator[None]:
    """A turn for something short; while others have theirs, it says ``words`` and how many."""
    place = st.empty()
    said = -1
    at = 0.0

    def waiting(before: int) -> None:
        nonlocal said, at
        now = time.monotonic()
        if before != said and now - at > _SAY_SECONDS:
            said, at = before, now
            place.caption(f"{words} {in_line(before)}")
        else:
            # Looking at the state is enough to see whether this run is wanted any more.
            state.recall(_WANTED)

    with SHORT_TURNS.turn(waiting, urgency):
        place.empty()
        yield


def live(recipe: Recipe) -> bool:
    """Whether a recipe is so quick that it needs no button."""
    if recipe.settings.pattern == "own" or recipe.settings.merges > LIVE_MERGES:
        return False
    return len(text_of(recipe.corpus).encode("utf-8", "surrogatepass")) <= LIVE_BYTES


def trained(recipe: Recipe, *, pressed: bool) -> engine.TrainingRun | None:
    """The run of a recipe; None if it is large and nobody has asked for it yet.

    Raises:
        EngineError: as ``engine.train``.
    """
    run = kept_run(recipe)
    if run is not None:
        return run
    if live(recipe):
        with in_turn(OTHERS, Urgency.COMPUTING):
            return run_of(recipe)
    if pressed:
        state.remember(_WANTED, True)
    return _long(recipe) if state.recall(_WANTED) else None


def done() -> None:
    """Whatever was asked for has been trained, or failed."""
    state.remember(_WANTED, None)
    state.remember(_SO_FAR, None)


def _long(recipe: Recipe) -> engine.TrainingRun:
    """Train with progress; Stop keeps the merges made so far."""
    place = st.empty()
    with place.container(border=True, key="training_progress"):
        bar = st.progress(0.0, OTHERS)
        st.button("Stop training", icon=":material/stop:", on_click=_stop)
    text = text_of(recipe.corpus)
    with _LONG_TURNS.turn(said_in(bar, OTHERS)):
        bar.progress(0.0, f"Counting the pieces of {size(len(text.encode()))}")
        prepared = prepare(text, recipe.settings)
        if trainer.preferred(text, recipe.settings):
            run = _by_library(prepared, recipe, bar)
        else:
            run = _by_engine(prepared, recipe, bar)
    keep_run(recipe, run)
    place.empty()
    return run


def _by_library(prepared: Corpus, recipe: Recipe, bar: DeltaGenerator) -> engine.TrainingRun:
    """With the Rust trainer, which says nothing while it works."""
    started = time.monotonic()

    def waiting() -> None:
        seconds = time.monotonic() - started
        bar.progress(0.5, f"Training with tokenizers (a large corpus): {seconds:.0f} s")

    return trainer.train(prepared, recipe.settings, waiting)


def _by_engine(prepared: Corpus, recipe: Recipe, bar: DeltaGenerator) -> engine.TrainingRun:
    """Merge by merge; what is done so far is there for Stop."""
    steps: list[engine.MergeStep] = []
    state.remember(_SO_FAR, (recipe, prepared, steps))
    bar.progress(0.0, "Counting pairs")
    looked, asked = time.monotonic(), recipe.settings.merges
    for step in steps_of(prepared, recipe.settings):
        steps.append(step)
        if len(steps) % _STEPS_A_LOOK == 0 and time.monotonic() - looked > _LOOK_SECONDS:
            looked = time.monotonic()
            bar.progress(len(steps) / asked, f"{len(steps):,} of {asked:,} merges")
    return finished_run(prepared, recipe.settings, steps)


def _stop() -> None:
    """End the training; the merges made so far are the whole run of fewer merges."""
    so_far = state.recall(_SO_FAR)
    done()
    if so_far is not None:
        recipe, run = stopped_run(*so_far)
        keep_run(recipe, run)
        state.put(settings.MERGES, recipe.settings.merges)
        state.remember(STOPPED, recipe.name)
