"""The size of a vocabulary, and what its table takes of a model."""

from __future__ import annotations

import streamlit as st

import engine
from engine.vocabulary_size import (
    embedding_parameters,
    embedding_share,
    largest_power_of_two,
    vocabulary_size,
)
from pages.ui import state
from pages.ui.formatting import escaped, percent
from pages.ui.tokens import settings


def show_size(tokenizer: engine.Tokenizer, title: str) -> None:
    """One large number, and the sum that makes it."""
    size = vocabulary_size(tokenizer)
    sum_of = f"{size.table:,} in the table + {size.added:,} added = {size.tokens:,} tokens"
    if size.rows is not None and size.unused_rows:
        sum_of += f"; {size.rows:,} rows in the model's table, {size.unused_rows:,} never used"
        power = largest_power_of_two(size.rows)
        if power >= 8:
            sum_of += f" ({size.rows:,} = {size.rows // power:,} × {power})"
    elif size.rows is not None:
        sum_of += "; the model's table has as many rows"
    with st.container(key="vocabulary_size"):
        st.markdown(f"### {escaped(title)}: {size.tokens:,} tokens")
        st.caption(escaped(f"{sum_of}."))


def show_share(tokenizer: engine.Tokenizer, *, expanded: bool = False) -> None:
    """A calculator: which part of a model's parameters is the table of its vocabulary."""
    box = st.expander(
        "Share of a model's parameters", expanded=expanded, key="share", on_change="rerun"
    )
    if not box.open:
        return
    size = vocabulary_size(tokenizer)
    with box:
        known = size.rows or size.tokens
        with st.container(horizontal=True, vertical_alignment="bottom", key="share_inputs"):
            st.number_input(
                "Rows",
                min_value=1,
                max_value=100_000_000,
                width=160,
                help="Rows of the model's table: its tokens, and often some more as padding.",
                **state.bound(settings.ROWS, to_widget=lambda rows: rows or known),
            )
            st.number_input(
                "Width",
                min_value=1,
                max_value=1_000_000,
                width=160,
                help="Numbers in a row (hidden size).",
                **state.bound(settings.WIDTH),
            )
            st.number_input(
                "Parameters in millions",
                min_value=1,
                max_value=10_000_000,
                width=190,
                **state.bound(settings.MILLIONS),
            )
            st.toggle(
                "own table for the output",
                help="Without: input and output share one table (tied). With: two tables.",
                **state.bound(settings.UNTIED),
            )
        st.markdown(_sentence(state.get(settings.ROWS) or known))


def _sentence(rows: int) -> str:
    width, tied = state.get(settings.WIDTH), not state.get(settings.UNTIED)
    parameters = state.get(settings.MILLIONS) * 1_000_000
    count = embedding_parameters(rows=rows, width=width, tied=tied)
    product = f"{rows:,} × {width:,}" + ("" if tied else " × 2") + f" = {count:,} parameters"
    if count > parameters:
        return escaped(f"{product}: more than the model has, so one of the numbers is not right.")
    share = embedding_share(rows=rows, width=width, tied=tied, parameters=parameters)
    large = (
        f"{round(count / 1_000_000):,} M of {parameters // 1_000_000:,} M ({percent(float(share))})"
    )
    return f"**{escaped(large)}**: {escaped(product)}"
