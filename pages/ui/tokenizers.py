"""Tokenizers by name: the bundled ones, and those that were trained here.

A page asks here and need not know which kind it gets. What was trained on a text of one's own is
found only in the session that has the text.
"""

from __future__ import annotations

from dataclasses import replace

import engine
from pages.reference.answers import NoReference, Reference
from pages.reference.hf_reference import HuggingFaceReference
from pages.ui import cache, state
from pages.ui.runs import MissingText, corpus_title, kept_run, run_of, text_of
from pages.ui.settings import TOKENIZERS
from pages.ui.trained_names import Recipe, recipe_of

_LATEST = "trained last"


def tokenizer(name: str) -> engine.Tokenizer:
    """The tokenizer of that name; shared between threads, never changed."""
    recipe = recipe_of(name)
    if recipe is None:
        return cache.tokenizer(name)

    def make() -> tuple[engine.Tokenizer, int]:
        run = run_of(recipe)
        return replace(run.tokenizer, name=name), 1_000 * len(run.token_bytes)

    return cache.results().get(("trained", name), make)


def title(name: str) -> str:
    """What people call a tokenizer."""
    recipe = recipe_of(name)
    if recipe is not None:
        corpus = corpus_title(recipe.corpus)
        return f"Trained: {corpus} ({recipe.settings.merges:,} merges)"
    return engine.BUNDLED[name].title if name in engine.BUNDLED else name


def reference(name: str) -> Reference | NoReference | None:
    """A library's answer for it, or why there is none; None while the library is made ready."""
    recipe = recipe_of(name)
    if recipe is None:
        building = cache.reference(name)
        return building.result() if building.done() else None
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
    return [*engine.names(), *dict.fromkeys(trained)]


def leave_out_missing() -> list[str]:
    """Choose no tokenizer that this session cannot make; a sentence for each."""
    problems, here = [], []
    for name in state.get(TOKENIZERS):
        recipe = recipe_of(name)
        if recipe is None or _can_make(recipe):
            here.append(name)
        else:
            problems.append(
                "The link names a tokenizer that was trained on a text of somebody's own. The text "
                "is not in the link: load it on the Training page and train again."
            )
    if problems:
        state.put(TOKENIZERS, tuple(here) or TOKENIZERS.default)
    return problems


def _can_make(recipe: Recipe) -> bool:
    if kept_run(recipe) is not None:
        return True
    try:
        text_of(recipe.corpus)
    except MissingText:
        return False
    return True
