"""Tokens of every paragraph, counted once for all users; long counting shows how far it is."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

import engine
from pages.ui import cache, parallel, tokenizers
from pages.ui.cost.settings import ALL_KINDS

# Counting that is over by then needs no bar.
_QUIET_SECONDS: Final = 0.3
# A tuple of small numbers, with its key.
_BYTES_A_COUNT: Final = 40

Paragraphs = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One tokenizer: its tokens of each paragraph, by language.

    ``problem`` says why it cannot count these texts; there are no tokens then.
    """

    name: str
    title: str
    tokens: Mapping[str, tuple[int, ...]]
    problem: str = ""


def texts(kind: str) -> dict[str, Paragraphs]:
    """The parallel paragraphs of a kind (or of all kinds), by language."""
    wanted = None if kind == ALL_KINDS else kind
    return {tag: parallel.paragraphs(tag, wanted) for tag in parallel.languages()}


def columns(
    names: Sequence[str], form: engine.Form, wanted: Mapping[str, Paragraphs]
) -> list[Column]:
    """What each tokenizer makes of all languages, with a bar while that takes time."""
    place, started = st.empty(), time.monotonic()
    jobs, done = len(names) * len(wanted), 0
    made = []
    for name in names:
        title, tokens, problem = tokenizers.title(name), {}, ""
        try:
            for tag, counts in _languages(name, form, wanted):
                tokens[tag] = counts
                done += 1
                if time.monotonic() - started > _QUIET_SECONDS:
                    place.progress(done / jobs, f"Counting with {title}")
        except engine.EngineError as error:
            tokens, problem = {}, str(error)
        made.append(Column(name=name, title=title, tokens=tokens, problem=problem))
    place.empty()
    return made


def _languages(
    name: str, form: engine.Form, wanted: Mapping[str, Paragraphs]
) -> Iterator[tuple[str, tuple[int, ...]]]:
    for tag, paragraphs in wanted.items():
        yield tag, paragraph_tokens(name, form, paragraphs)


def paragraph_tokens(name: str, form: engine.Form, paragraphs: Paragraphs) -> tuple[int, ...]:
    """The tokens of each paragraph in a form.

    Raises:
        EngineError: if the tokenizer or the form cannot take one of them.
    """

    def make() -> tuple[tuple[int, ...], int]:
        tokenizer = tokenizers.tokenizer(name)
        counts = tuple(tokenizer.count(engine.normalize(one, form)) for one in paragraphs)
        return counts, 500 + _BYTES_A_COUNT * len(counts)

    return cache.results().get(("paragraph tokens", name, form, _mark(paragraphs)), make)


def lengths(form: engine.Form, paragraphs: Paragraphs) -> engine.TextCounts:
    """How long all paragraphs together are in a form; line ends between them are not counted."""

    def make() -> tuple[engine.TextCounts, int]:
        found = [engine.text_counts(engine.normalize(one, form)) for one in paragraphs]
        words = [one.words for one in found if one.words is not None]
        total = engine.TextCounts(
            bytes=sum(one.bytes for one in found),
            code_points=sum(one.code_points for one in found),
            graphemes=sum(one.graphemes for one in found),
            words=sum(words) if len(words) == len(found) else None,
        )
        return total, 500

    return cache.results().get(("paragraph lengths", form, _mark(paragraphs)), make)


def _mark(paragraphs: Paragraphs) -> bytes:
    return cache.fingerprint("\0".join(paragraphs))
