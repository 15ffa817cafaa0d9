"""What writing the same text in another Unicode form does to its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

import engine
from pages.ui import state
from pages.ui.cost import charts, counting, settings
from pages.ui.cost.controls import language_titles, select
from pages.ui.cost.files import offer_charts, offer_table


def show_forms(columns: Sequence[counting.Column]) -> None:
    """One language in all forms: a heat map of tokens against the text as it is written."""
    st.markdown("#### The same text in another form")
    titles = language_titles()
    select("Language", settings.LANGUAGE, titles, width=210)
    tag = state.get(settings.LANGUAGE)
    paragraphs = counting.texts(state.get(settings.KIND))[tag]
    tokens = form_tokens(columns, tag, paragraphs)
    st.text(
        f"{titles[tag]}: tokens against those of the text as it is written. The letters that the "
        "reader sees stay the same, but in the K forms and without marks."
    )
    picture = charts.heat_map(_grid(columns, tokens))
    charts.show(picture, key="cost_forms")
    offer_charts({"Forms": picture}, with_picture=False)
    offer_table("forms", rows(columns, tokens, titles[tag]), {"language": titles[tag]})


def form_tokens(
    columns: Sequence[counting.Column], tag: str, paragraphs: counting.Paragraphs
) -> dict[engine.Form, list[int]]:
    """For each form the tokens of the language with each tokenizer."""
    names = [column.name for column in columns]
    return {
        form: [
            sum(column.tokens[tag]) for column in counting.columns(names, form, {tag: paragraphs})
        ]
        for form in engine.FORMS
    }


def rows(
    columns: Sequence[counting.Column], tokens: dict[engine.Form, list[int]], language: str
) -> list[dict[str, Any]]:
    """One row a form and tokenizer."""
    return [
        {
            "language": language,
            "form": form,
            "tokenizer": column.title,
            "tokens": count,
            "tokens as written": written,
            "times as written": count / written if written else None,
        }
        for form, counts in tokens.items()
        for column, count, written in zip(columns, counts, tokens["none"], strict=True)
    ]


def _grid(columns: Sequence[counting.Column], tokens: dict[engine.Form, list[int]]) -> charts.Grid:
    written = tokens["none"]
    forms = [form for form in engine.FORMS if form != "none"]
    ratios = {
        form: [
            count / base if base else None
            for count, base in zip(tokens[form], written, strict=True)
        ]
        for form in forms
    }
    return charts.Grid(
        rows=[settings.FORM_TITLES[form].partition(":")[0] for form in forms],
        columns=[column.title for column in columns],
        values=[ratios[form] for form in forms],
        texts=[
            ["–" if ratio is None else f"{ratio:.2f}" for ratio in ratios[form]] for form in forms
        ],
        hovers=[
            [
                f"{settings.FORM_TITLES[form]}<br>{count:,} tokens, as written {base:,}"
                for count, base in zip(tokens[form], written, strict=True)
            ]
            for form in forms
        ],
    )
