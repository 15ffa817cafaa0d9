"""Try it: a text cut by the tokenizer as it stands at the shown step, beside a real one."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import streamlit as st

import engine
from engine.trained_encoder import units_of
from engine.training_settings import splitter_of
from pages.ui import state
from pages.ui.columns import side_by_side
from pages.ui.notices import notice
from pages.ui.token_view import token_view
from pages.ui.tokenizers import title
from pages.ui.trained_names import Recipe
from pages.ui.training import settings

_SAMPLES: Final = {
    "four-words": "newer lowest slowly",
    "board": "low slow lowest",
    "hug": "hugs bug thug",
    "aaab": "aaaab",
    "nghe": "nghe nghệ nghìn",
    "putao": "葡萄不吐",
    "zh": "今天早上市场里的鱼很新鲜。",
    "en": "The fish at the market was fresh this morning.",
    "code": "def count_pairs(words):\n    return len(words)",
}
_OTHERWISE: Final = "Sáng nay cá ở chợ rất tươi."
UNKNOWN: Final = -1
# The player draws it at every step; longer texts are for the Tokens page.
LONGEST: Final = 200


def text_to_try() -> str:
    """The text of this session; at first one that fits the corpus."""
    return state.get(settings.TRY) or _sample()


def _sample() -> str:
    return _SAMPLES.get(state.get(settings.CORPUS), _OTHERWISE)


def pieces_to_try(run: engine.TrainingRun, text: str) -> list[list[int]]:
    """The pieces of a text in base ids, for replaying; ``UNKNOWN`` for what has none."""
    corpus = run.corpus
    return [
        [corpus.id_of.get(unit, UNKNOWN) for unit in units_of(piece, corpus.unit)]
        for piece in splitter_of(run.settings).pieces(text)
    ]


def ask() -> None:
    """The box for the text, and the tokenizer to compare with."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="try_inputs"):
        st.text_input(
            "Try it: cut a text by what has been learned so far",
            placeholder=_sample(),
            max_chars=LONGEST,
            **state.bound(settings.TRY),
        )
        st.selectbox(
            "beside",
            engine.names(),
            format_func=title,
            width=180,
            **state.bound(settings.TRY_BESIDE),
        )


def show_comparison(recipe: Recipe, run: engine.TrainingRun, step: int) -> None:
    """The text in both cuts, with the trained tokenizer as it stands after ``step`` merges."""
    step = min(step, len(run.steps))
    stood = Recipe(corpus=recipe.corpus, settings=replace(recipe.settings, merges=step))
    names = (stood.name, state.get(settings.TRY_BESIDE))
    try:
        found = side_by_side(names, text_to_try(), "text")
    except engine.EngineError as error:
        notice(str(error), kind="problem", key="try")
        return
    # The row on the stage is drawn by the browser at each step; the page hears of it on a stop.
    st.caption(f"After {step:,} merges, where the stage last stood still:")
    token_view(found.columns, key="try_view", layout="stack", empty="Write a text to try.")
    unknown = found.cuts[0].tokenization.ids.count(None)
    if unknown:
        notice(
            f"{unknown:,} characters were never seen in training, so they have no id. A tokenizer "
            "of bytes has no such characters.",
            kind="note",
            key="try_unknown",
        )
