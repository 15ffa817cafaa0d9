"""The small mark: are all counts shown those of a reference library?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

import engine
from pages.reference.answers import NoReference, Reference, ReferenceRefused
from pages.ui import cache
from pages.ui.cost.counting import Column, Paragraphs
from pages.ui.tokens.self_check import CHECKING, Library, with_libraries


@dataclass(frozen=True, slots=True)
class Verdict:
    """``equal`` is None where no library could say."""

    equal: bool | None
    words: str


def show_check(columns: Sequence[Column], form: engine.Form, texts: dict[str, Paragraphs]) -> None:
    """One line a tokenizer, red where a count differs."""

    def draw(libraries: Sequence[Library]) -> None:
        for place, (column, library) in enumerate(zip(columns, libraries, strict=True)):
            verdict = _verdict(column, form, texts, library)
            kind = "failed" if verdict.equal is False else "passed"
            with st.container(key=f"check_{place}_{kind}"):
                st.text(f"{column.title}: {verdict.words}")

    with st.container(key="self_check"):
        with_libraries([column.name for column in columns], draw)


def _verdict(
    column: Column, form: engine.Form, texts: dict[str, Paragraphs], library: Library
) -> Verdict:
    if library is None:
        return Verdict(None, f"… counts {CHECKING}")
    if isinstance(library, NoReference):
        return Verdict(None, f"– {library}")
    mark = cache.fingerprint(repr(sorted(texts.items())))
    return cache.results().get(
        ("counts equal", column.name, form, mark),
        lambda: (compared(column, form, texts, library), 500),
    )


def compared(
    column: Column, form: engine.Form, texts: dict[str, Paragraphs], library: Reference
) -> Verdict:
    """The counts of a column against those of a library, paragraph by paragraph."""
    wrong, paragraphs = [], 0
    try:
        for tag, tokens in column.tokens.items():
            for text, ours in zip(texts[tag], tokens, strict=True):
                paragraphs += 1
                if len(library.ids(engine.normalize(text, form), "text")) != ours:
                    wrong.append(tag)
    except ReferenceRefused as reason:
        return Verdict(None, f"– {library.title} refuses a text: {reason}")
    if wrong:
        return Verdict(
            False, f"✗ {len(wrong):,} of {paragraphs:,} counts differ from {library.title}"
        )
    return Verdict(True, f"✓ all {paragraphs:,} counts equal to {library.title}")
