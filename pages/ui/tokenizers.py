"""Tokenizers by name: the bundled ones, those that were trained here, and those brought here.

A page asks here and need not know which kind it gets. What was trained on a text of one's own is
found only in the session that has the text.
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace

import engine
from pages.reference.answers import NoReference, Reference
from pages.reference.hf_reference import HuggingFaceReference
from pages.ui import cache, own_files, state
from pages.ui.formatting import counted
from pages.ui.own_names import own_of
from pages.ui.runs import MissingText, corpus_title, kept_run, run_of, text_of
from pages.ui.settings import MOST_TOKENIZERS, TOKENIZERS
from pages.ui.trained_names import Recipe, recipe_of

_LATEST = "trained last"


def tokenizer(name: str) -> engine.Tokenizer:
    """The tokenizer of that name; shared between threads, never changed.

    Raises:
        EngineError: if it is one of somebody's own that cannot be had here.
    """
    own = own_of(name)
    if own is not None:
        return own_files.tokenizer(own)
    recipe = recipe_of(name)
    if recipe is None:
        return cache.tokenizer(name)

    def make() -> tuple[engine.Tokenizer, int]:
        run = run_of(recipe)
        return replace(run.tokenizer, name=title(name)), 1_000 * len(run.token_bytes)

    return cache.results().get(("trained", name), make)


def title(name: str) -> str:
    """What people call a tokenizer."""
    own = own_of(name)
    if own is not None:
        return own_files.title(own)
    recipe = recipe_of(name)
    if recipe is not None:
        corpus = corpus_title(recipe.corpus)
        return f"Trained: {corpus} ({counted(recipe.settings.merges, 'merge')})"
    return engine.BUNDLED[name].title if name in engine.BUNDLED else name


def reference(name: str) -> Reference | NoReference | None:
    """A library's answer for it, or why there is none; None while the library is made ready."""
    if recipe_of(name) is None:
        building = _building(name)
        return building.result() if building.done() else None
    return waited_reference(name)


def _building(name: str) -> Future[Reference | NoReference]:
    own = own_of(name)
    return cache.reference(name) if own is None else own_files.reference(own)


def waited_reference(name: str) -> Reference | NoReference:
    """As ``reference``, but it waits until the library is ready."""
    recipe = recipe_of(name)
    if recipe is None:
        return _building(name).result()
    if recipe.settings.base == "characters":
        return NoReference("No library leaves a character that was never seen without an id.")
    trained = tokenizer(name)
    try:
        document = engine.write_tokenizer_json(trained).decode()
    except engine.EngineError as reason:
        return NoReference(str(reason))
    made: Reference = cache.results().get(
        ("trained reference", name), lambda: (HuggingFaceReference(lambda: document), 500_000)
    )
    return made


def offer(recipe: Recipe) -> None:
    """Offer what was trained last beside the bundled tokenizers."""
    state.remember(_LATEST, recipe.name)


def offered() -> list[str]:
    """The names that can be chosen in this session."""
    latest: str | None = state.recall(_LATEST)
    chosen = state.get(TOKENIZERS)
    trained = [name for name in (latest, *chosen) if name is not None and recipe_of(name)]
    brought = [*own_files.kept(), *(own.name for own in own_files.server_models())]
    return [*engine.names(), *dict.fromkeys(trained), *brought]


def choose(name: str) -> None:
    """Show this one too; where there are as many as may be, it takes the last place."""
    chosen = [other for other in state.get(TOKENIZERS) if other != name]
    state.put(TOKENIZERS, (*chosen[: MOST_TOKENIZERS - 1], name))


def rename(name: str, label: str) -> None:
    """Call one of somebody's own otherwise, wherever it is shown."""
    new = own_files.rename(name, label)
    state.put(TOKENIZERS, tuple(new if one == name else one for one in state.get(TOKENIZERS)))


def drop(name: str) -> None:
    """Show this one no more."""
    chosen = tuple(other for other in state.get(TOKENIZERS) if other != name)
    state.put(TOKENIZERS, chosen or TOKENIZERS.default)


def leave_out_missing() -> list[str]:
    """Choose no tokenizer that this session cannot make; a sentence for each."""
    chosen = state.get(TOKENIZERS)
    found = {name: problem for name in chosen if (problem := missing(name)) is not None}
    if found:
        here = tuple(name for name in chosen if name not in found)
        state.put(TOKENIZERS, here or TOKENIZERS.default)
    return list(found.values())


def missing(name: str) -> str | None:
    """Why this session cannot make that tokenizer; None if it can."""
    recipe = recipe_of(name)
    if own_of(name) is not None:
        try:
            tokenizer(name)
        except engine.EngineError as error:
            return str(error)
    elif recipe is not None and not _can_make(recipe):
        return (
            "The link names a tokenizer that was trained on a text of somebody's own. The text "
            "is not in the link: load it on the Training page and train again."
        )
    return None


def _can_make(recipe: Recipe) -> bool:
    if kept_run(recipe) is not None:
        return True
    try:
        text_of(recipe.corpus)
    except MissingText:
        return False
    return True
