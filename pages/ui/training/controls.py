"""The controls above the stage: corpus, rules, number of merges, and what they mean in words."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

import engine
from engine.errors import EngineError
from engine.training import prepare
from engine.training_settings import BASES, OWN_PATTERN, PATTERNS
from pages.ui import state
from pages.ui.cache import results
from pages.ui.corpora import corpora
from pages.ui.notices import notice
from pages.ui.runs import text_of
from pages.ui.trained_names import LONGEST_EXPRESSION, MOST_FREQUENCY, MOST_MERGES
from pages.ui.training import settings, words
from pages.ui.training.corpus import choose_corpus

_OWN_RULES = "own rules"


def show_controls() -> bool:
    """All controls; returns whether Train was pressed."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="training_controls"):
        choose_corpus()
        _preset()
        _number()
        _rules()
        pressed = st.button(
            "Train",
            type="primary",
            icon=":material/play_arrow:",
            help="Trains where that is still to be done, and plays it from the first merge.",
        )
        st.toggle(
            "Predict",
            help="Hide the next pair until the class has guessed it.",
            **state.bound(settings.PREDICT),
        )
        _race()
    known = corpora().get(state.get(settings.CORPUS))
    purpose = f"{known.purpose} " if known and not state.get(settings.RACE) else ""
    with st.container(key="training_rules"):
        st.text(f"{purpose}{words.rules(settings.chosen())}")
    return pressed


def _race() -> None:
    binding = state.bound(settings.RACE)

    def changed() -> None:
        binding["on_change"]()
        settings.fit_race()

    st.toggle(
        "Race",
        help="Two or three corpora side by side, the same number of merges for each.",
        key=binding["key"],
        on_change=changed,
    )


def _preset() -> None:
    """The published rules, by name; the number of merges is not part of a name."""
    now = settings.preset_of(settings.chosen(), engine.PRESETS) or _OWN_RULES
    options = [*words.PRESETS, *([_OWN_RULES] if now == _OWN_RULES else [])]

    def choose(name: str) -> None:
        if name in engine.PRESETS:
            preset = engine.PRESETS[name]
            settings.choose(replace(preset, merges=state.get(settings.MERGES)))
            state.put(settings.STEP, 0)

    st.selectbox(
        "Rules",
        options,
        format_func=lambda name: words.PRESETS.get(name, "One's own"),
        width=230,
        help="Rules of published lessons and libraries; their figures come out exactly.",
        **state.widget("preset", now, choose),
    )


def _number() -> None:
    """Merges, or the size of the vocabulary that they make."""
    if state.get(settings.COUNTED_AS) == "merges":
        st.number_input(
            "Merges",
            min_value=0,
            max_value=MOST_MERGES,
            step=10 if state.get(settings.MERGES) >= 50 else 1,
            width=140,
            **state.bound(settings.MERGES),
        )
        return
    rules = settings.chosen()
    fixed = _base_size(rules) + len(rules.special_tokens)

    def choose(size: int) -> None:
        state.put(settings.MERGES, max(0, size - fixed))

    st.number_input(
        "Vocabulary size",
        min_value=fixed,
        max_value=fixed + MOST_MERGES,
        width=140,
        help=f"Vocabulary = {_base_size(rules):,} base units + merges + "
        f"{len(rules.special_tokens)} special tokens; it cannot be smaller than {fixed:,}.",
        **state.widget("vocabulary", fixed + rules.merges, choose),
    )


def _base_size(rules: engine.TrainingSettings) -> int:
    """How many ids there are before the first merge."""
    if rules.base != "characters":
        return 256
    recipe = settings.recipes()[0]

    def make() -> tuple[int, int]:
        return len(prepare(text_of(recipe.corpus), replace(rules, merges=0)).base), 100

    try:
        return results().get(("base size", recipe.corpus, rules.pattern, rules.expression), make)
    except EngineError:
        return 0


def _rules() -> None:
    with st.popover("All rules", icon=":material/tune:"):
        st.segmented_control(
            "Count by",
            ("merges", "vocabulary"),
            format_func={"merges": "merges", "vocabulary": "vocabulary size"}.__getitem__,
            required=True,
            **state.bound(settings.COUNTED_AS),
        )
        st.selectbox(
            "Base: what is merged",
            BASES,
            format_func=words.BASES.__getitem__,
            **state.bound(settings.BASE),
        )
        st.selectbox(
            "Split pattern: merges never cross the boundary of a piece",
            PATTERNS,
            format_func=words.PATTERNS.__getitem__,
            **state.bound(settings.PATTERN),
        )
        if state.get(settings.PATTERN) == OWN_PATTERN:
            _expression()
        st.selectbox(
            "Of several pairs with the same count, first comes",
            tuple(words.TIES),
            format_func=words.TIES.__getitem__,
            **state.bound(settings.TIES_RULE),
        )
        st.number_input(
            "Minimum frequency: rarer pairs stay apart",
            min_value=1,
            max_value=MOST_FREQUENCY,
            **state.bound(settings.MIN_FREQUENCY),
        )
        st.text_input(
            "Special tokens, with blanks between them",
            placeholder="<|endoftext|>",
            help="Cut out of the corpus before counting; their ids come after the last merge.",
            **state.bound(settings.SPECIAL),
        )


def _expression() -> None:
    st.text_input(
        "Pattern",
        placeholder=r"\p{L}+|\p{N}",
        max_chars=LONGEST_EXPRESSION,
        help="A regular expression. The text is cut at its matches; what lies between is kept. "
        "It is stopped if it takes too long.",
        **state.bound(settings.EXPRESSION),
    )


def show_notes(runs: list[engine.TrainingRun]) -> None:
    """What happened: why training ended, what was dropped, what was cut out."""
    for place, run in enumerate(runs):
        if run.stopped != "merges":
            notice(words.stop_reason(run), kind="note", key=f"ended_{place}")
        if run.steps and not run.steps[0].tied:
            notice(words.BY_LIBRARY, kind="note", key=f"library_{place}")
        if (sentence := words.dropped(run)) is not None:
            notice(sentence, kind="warning", key=f"dropped_{place}")
        if (sentence := words.special_found(run)) is not None:
            notice(sentence, kind="note", key=f"special_found_{place}")
