"""The Training page, put together."""

from __future__ import annotations

import time

import streamlit as st

import engine
from engine.errors import EngineError
from pages.reference.answers import ReferenceRefused
from pages.ui import state, tokenizers
from pages.ui.corpora import DEFAULT
from pages.ui.notices import notice
from pages.ui.runs import as_made, own_texts, run_of
from pages.ui.settings import PROJECTOR
from pages.ui.trained_names import Recipe
from pages.ui.training import settings, words, work
from pages.ui.training.charts import are_made, show_charts
from pages.ui.training.controls import show_controls, show_notes
from pages.ui.training.keep import show_keep
from pages.ui.training.stage import PLAY, show_stage
from pages.ui.training.try_it import ask, show_comparison
from pages.ui.turns import Urgency

_SHOWN = "training shown"
Trained = list[tuple[Recipe, engine.TrainingRun]]


def show() -> None:
    """The whole page; in projector mode only the stage."""
    for place, problem in enumerate(settings.leave_out_missing()):
        notice(problem, kind="warning", key=f"missing_{place}")
    projector = state.get(PROJECTOR) != "off"
    pressed = False if projector else show_controls()
    if pressed:
        state.put(settings.STEP, 0)
        state.remember(PLAY, time.time_ns() // 1_000_000)
    trained = _trained(pressed=pressed)
    if not trained:
        return
    if not projector:
        _notes(trained)
    with work.in_turn(work.OTHERS, Urgency.DRAWING):
        result = show_stage(trained)
    state.put(settings.STEP, result.step)
    recipe, run = trained[0]
    if projector:
        return
    if len(trained) == 1:
        ask()
        tokenizers.offer(as_made(recipe, run))
    # The stage can be played meanwhile.
    urgency = Urgency.DRAWING if are_made(trained) else Urgency.EXTRAS
    with work.in_turn("The charts follow: others are training.", urgency):
        if len(trained) == 1:
            show_comparison(recipe, run, result.step)
        show_charts(trained)
        if len(trained) == 1:
            show_keep(recipe, run)


def _trained(*, pressed: bool) -> Trained:
    """The runs to show: those that the settings ask for, or the last ones until these are made."""
    recipes = settings.recipes()
    if not recipes:
        notice("Choose two or three corpora to race.", kind="note", key="racers")
        return []
    made: Trained = []
    try:
        for recipe in recipes:
            run = work.trained(recipe, pressed=pressed)
            if run is None:
                notice(words.not_trained(recipe.settings), kind="note", key="train")
                break
            made.append((recipe, run))
        else:
            work.done()
            state.remember(_SHOWN, made)
            return made
    except (EngineError, ReferenceRefused) as error:
        work.done()
        notice(str(error), kind="problem", key="training")
    last: Trained | None = state.recall(_SHOWN)
    if last is None:
        start = Recipe(corpus=DEFAULT, settings=settings.fitting(DEFAULT))
        notice("Below are the four words of the first lesson until then.", kind="note", key="start")
        return [(start, run_of(start))]
    notice("Below is what was trained before.", kind="note", key="before")
    return last


def _notes(trained: Trained) -> None:
    own = own_texts().get(trained[0][0].corpus)
    for place, sentence in enumerate(own.notes if own else ()):
        notice(sentence, kind="note", key=f"own_{place}")
    if state.recall(work.STOPPED) == trained[0][0].name:
        st.text(f"Stopped. The {len(trained[0][1].steps):,} merges made so far are shown.")
    show_notes([run for _, run in trained])
