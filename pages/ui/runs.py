"""Training runs: texts of one's own, runs kept, and runs made where they are missing.

Runs of our own corpora are shared by all users; a text of one's own, and what was trained on it,
stays in its session.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import engine
from engine.training import finished_run, train
from engine.training_run import Corpus as Prepared
from pages.ui import state
from pages.ui.cache import fingerprint, results
from pages.ui.corpora import corpora
from pages.ui.trained_names import OWN, Recipe, recipe_of

_OWN_TEXTS: Final = "own corpora"
_RUNS: Final = "runs"
# What a session keeps: a class of forty then holds no more than the shared cache does.
MOST_OWN_TEXTS: Final = 4
MOST_RUNS: Final = 6


class MissingText(Exception):
    """A recipe names a text that is not in this session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnText:
    """A text of one's own; `notes` say what happened on the way in."""

    id: str
    title: str
    text: str
    notes: tuple[str, ...] = ()


def own_texts() -> dict[str, OwnText]:
    """The texts of this session, the newest last."""
    return state.recall(_OWN_TEXTS) or {}


def add_own_text(title: str, text: str, notes: Sequence[str] = ()) -> str:
    """Keep a text for this session; returns its id."""
    own_id = OWN + fingerprint(text).hex()
    kept = {key: one for key, one in own_texts().items() if key != own_id and one.title != title}
    kept[own_id] = OwnText(id=own_id, title=title, text=text, notes=tuple(notes))
    state.remember(_OWN_TEXTS, dict(list(kept.items())[-MOST_OWN_TEXTS:]))
    return own_id


def text_of(corpus: str) -> str:
    """The text that a recipe's corpus stands for.

    Raises:
        MissingText: if it is a text of one's own that this session does not have.
    """
    if corpus in corpora():
        return corpora()[corpus].text
    if corpus in own_texts():
        return own_texts()[corpus].text
    raise MissingText(corpus)


def corpus_title(corpus: str) -> str:
    """What people call a corpus."""
    if corpus in corpora():
        return corpora()[corpus].title
    return own_texts()[corpus].title if corpus in own_texts() else "a text of one's own"


def kept_run(recipe: Recipe) -> engine.TrainingRun | None:
    """The run of a recipe, if this session made it, or one with other merges that contains it."""
    kept: dict[str, engine.TrainingRun] = state.recall(_RUNS) or {}
    if recipe.name in kept:
        return kept[recipe.name]
    for name, run in kept.items():
        other = recipe_of(name)
        if other is None or other.corpus != recipe.corpus:
            continue
        if replace(run.settings, merges=recipe.settings.merges) == recipe.settings:
            contained = _contained(run, recipe.settings)
            if contained is not None:
                return contained
    return None


def _contained(
    run: engine.TrainingRun, settings: engine.TrainingSettings
) -> engine.TrainingRun | None:
    """The run with another number of merges, if ``run`` says what it is."""
    if settings.merges <= len(run.steps):
        return engine.TrainingRun(settings, run.corpus, run.steps[: settings.merges], "merges")
    return replace(run, settings=settings) if run.stopped != "merges" else None


def keep_run(recipe: Recipe, run: engine.TrainingRun) -> None:
    """Keep a run for this session."""
    kept: dict[str, engine.TrainingRun] = dict(state.recall(_RUNS) or {})
    kept.pop(recipe.name, None)
    kept[recipe.name] = run
    state.remember(_RUNS, dict(list(kept.items())[-MOST_RUNS:]))


def run_of(recipe: Recipe) -> engine.TrainingRun:
    """The run of a recipe, trained now if it was not before.

    Raises:
        MissingText: as ``text_of``.
        EngineError: as ``engine.train``.
    """
    run = kept_run(recipe)
    if run is None:
        text = text_of(recipe.corpus)
        run = results().get(("run", recipe.name), lambda: _made(text, recipe))
        keep_run(recipe, run)
    return run


def _made(text: str, recipe: Recipe) -> tuple[engine.TrainingRun, int]:
    run = train(text, recipe.settings)
    return run, size_of(run)


def as_made(recipe: Recipe, run: engine.TrainingRun) -> Recipe:
    """The recipe with the merges that were made, where fewer were found than asked for.

    Both train the same tokenizer; this one's name says how large it is.
    """
    return replace(recipe, settings=replace(recipe.settings, merges=len(run.steps)))


def size_of(run: engine.TrainingRun) -> int:
    """About how many bytes a run keeps."""
    return 4 * len(run.corpus.text) + 300 * len(run.corpus.pieces) + 400 * len(run.steps)


def stopped_run(
    recipe: Recipe, prepared: Prepared, steps: Sequence[engine.MergeStep]
) -> tuple[Recipe, engine.TrainingRun]:
    """What there is of a run that was stopped: the whole run of a recipe with fewer merges."""
    # A copy: the training may go on for a moment in the thread that is being ended.
    steps = list(steps)
    settings = replace(recipe.settings, merges=len(steps))
    shorter = Recipe(corpus=recipe.corpus, settings=settings)
    return shorter, finished_run(prepared, settings, steps)
