"""What a person can set on the Training page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from engine import PRESETS, TrainingSettings, names
from engine.train import TIES, Ties
from engine.training_settings import BASES, PATTERNS, Base
from pages.ui import state
from pages.ui.corpora import DEFAULT, corpora
from pages.ui.runs import own_texts
from pages.ui.settings import (
    AnySetting,
    LinkError,
    Setting,
    choice,
    free_text,
    shortened,
    switch,
    whole_number,
)
from pages.ui.trained_names import (
    LONGEST_EXPRESSION,
    MOST_FREQUENCY,
    MOST_MERGES,
    MOST_SPECIAL,
    OWN,
    Recipe,
)

RACERS: Final = ("vi", "zh", "en")
MOST_RACERS: Final = 3


def _is_corpus(text: str) -> bool:
    return text in corpora() or (text.startswith(OWN) and text.removeprefix(OWN).isalnum())


def _read_corpus(text: str) -> str:
    if not _is_corpus(text):
        raise LinkError(
            f"The link asks for the corpus {shortened(text)!r}; there is {', '.join(corpora())}."
        )
    return text


def _read_racers(text: str) -> tuple[str, ...]:
    racers = tuple(dict.fromkeys(text.split(",")))
    if not all(map(_is_corpus, racers)) or not 1 <= len(racers) <= MOST_RACERS:
        raise LinkError(
            f"The link asks for a race of {shortened(text)!r}; one to three corpora can race."
        )
    return racers


CORPUS: Final = Setting(word="c", default=DEFAULT, read=_read_corpus)
_START: Final = PRESETS[corpora()[DEFAULT].preset]
MERGES: Final = whole_number("m", corpora()[DEFAULT].merges, least=0, most=MOST_MERGES)
COUNTED_AS: Final = choice("as", ("merges", "vocabulary"))
PATTERN: Final = choice("p", PATTERNS, default=_START.pattern)
EXPRESSION: Final = free_text("px", longest=LONGEST_EXPRESSION)
TIES_RULE: Final = choice("ties", TIES, default=_START.ties)
BASE: Final = choice("base", BASES, default=_START.base)
MIN_FREQUENCY: Final = whole_number("f", 1, least=1, most=MOST_FREQUENCY)
SPECIAL: Final = free_text("sp")
RACE: Final = switch("race")
RACING: Final[Setting[tuple[str, ...]]] = Setting(
    word="racers", default=RACERS, read=_read_racers, write=",".join
)
PREDICT: Final = switch("predict")
STEP: Final = whole_number("k", 0, least=0, most=MOST_MERGES)
TRY: Final = free_text("try")
TRY_BESIDE: Final = choice("beside", names(), default="o200k_base")

ALL: Final[tuple[AnySetting, ...]] = (
    CORPUS, MERGES, COUNTED_AS, PATTERN, EXPRESSION, TIES_RULE, BASE, MIN_FREQUENCY, SPECIAL, RACE,
    RACING, PREDICT, STEP, TRY, TRY_BESIDE,
)  # fmt: skip


def chosen() -> TrainingSettings:
    """The rules that are set."""
    pattern = state.get(PATTERN)
    return TrainingSettings(
        merges=state.get(MERGES),
        pattern=pattern,
        expression=state.get(EXPRESSION) if pattern == "own" else "",
        ties=cast("Ties", state.get(TIES_RULE)),
        base=cast("Base", state.get(BASE)),
        min_frequency=state.get(MIN_FREQUENCY),
        special_tokens=tuple(dict.fromkeys(state.get(SPECIAL).split()))[:MOST_SPECIAL],
    )


def choose(settings: TrainingSettings) -> None:
    """Set all rules."""
    state.put(MERGES, settings.merges)
    state.put(PATTERN, settings.pattern)
    state.put(EXPRESSION, settings.expression)
    state.put(TIES_RULE, settings.ties)
    state.put(BASE, settings.base)
    state.put(MIN_FREQUENCY, settings.min_frequency)
    state.put(SPECIAL, " ".join(settings.special_tokens))


def fitting(corpus: str) -> TrainingSettings:
    """The rules and the number of merges that fit one of our corpora."""
    known = corpora()[corpus]
    return replace(PRESETS[known.preset], merges=known.merges)


def fit_race() -> None:
    """Called when racing begins or ends: rules that nobody changed become those that fit."""
    racer, corpus = (
        next((one for one in state.get(RACING) if one in corpora()), ""),
        state.get(CORPUS),
    )
    if racer not in corpora() or corpus not in corpora():
        return
    before, after = (corpus, racer) if state.get(RACE) else (racer, corpus)
    if chosen() == fitting(before):
        choose(fitting(after))
        state.put(STEP, 0)


def recipes() -> tuple[Recipe, ...]:
    """What is to be trained: one, or the racers."""
    corpus = state.get(RACING) if state.get(RACE) else (state.get(CORPUS),)
    return tuple(Recipe(corpus=one, settings=chosen()) for one in corpus)


def preset_of(settings: TrainingSettings, presets: Mapping[str, TrainingSettings]) -> str | None:
    """The name of the preset with these rules, whatever the number of merges."""
    for name, preset in presets.items():
        if replace(preset, merges=settings.merges) == settings:
            return name
    return None


def leave_out_missing() -> list[str]:
    """Fall back on our own corpora where the link names a text that is not here."""
    missing = [one for one in (*state.get(RACING), state.get(CORPUS)) if not _is_here(one)]
    if not missing:
        return []
    if not _is_here(state.get(CORPUS)):
        state.put(CORPUS, DEFAULT)
    if not all(_is_here(one) for one in state.get(RACING)):
        state.put(RACING, RACERS)
    return [
        "The link was made with a text of somebody's own, which no address can hold: its settings "
        "are set, on one of our texts. Load the text under “Own text” to see the same."
    ]


def _is_here(corpus: str) -> bool:
    return corpus in corpora() or corpus in own_texts()
