"""The table of prices that a person edits: ours at first, then what the session makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from pages.ui import state, tokenizers
from pages.ui.downloads import offer_file
from pages.ui.notices import notice
from pages.ui.prices import (
    COLUMNS,
    LONGEST,
    MOST_USD,
    ModelPrice,
    PriceTableError,
    price_table,
    prices,
    read_prices,
    rows_of,
)
from pages.ui.token_rows import as_csv

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

_TABLE: Final = "prices"
_VERSION: Final = "prices version"
_TAKEN: Final = "price file taken"
_PROBLEM: Final = "price file problem"


def current() -> dict[str, ModelPrice]:
    """The prices of this session."""
    kept: dict[str, ModelPrice] | None = state.recall(_TABLE)
    return prices() if kept is None else kept


def show_prices() -> None:
    """The table with its date and source, to be edited, loaded and saved."""
    st.markdown("#### Prices")
    st.text(
        "US dollars per million tokens. List prices age: each has its date and source, and the "
        "table is never fetched. Change any cell, or add a row at the end. Exact: the publisher "
        "says which tokenizer the model uses; otherwise a count is an estimate. The edited table "
        "stays in this session and is in no link; save it as a file."
    )
    _edit()
    # The file is made when it is asked for, outside of this session.
    rows = rows_of(current())
    with st.container(horizontal=True, vertical_alignment="bottom", key="price_files"):
        offer_file("Save as CSV", lambda: as_csv(rows), "prices.csv")
        with st.popover("Load a CSV", icon=":material/upload_file:"):
            st.caption(f"Columns: {', '.join(COLUMNS)}".replace("_", r"\_"))
            _read(st.file_uploader("A table of prices", type="csv", key="widget:price_file"))
        st.button("Our prices again", icon=":material/undo:", on_click=_put, args=(None,))


def _edit() -> None:
    """The editor; a row that is not complete is said and waits."""
    known = rows_of(current())
    edited = st.data_editor(
        known,
        num_rows="dynamic",
        hide_index=True,
        key=f"prices_{state.recall(_VERSION) or 0}",
        column_config=_column_config(),
    )
    try:
        table = price_table(edited)
        if not table:
            raise PriceTableError("The table has no rows.")
    except PriceTableError as error:
        notice(f"Not taken over yet: {error}", kind="warning", key="prices")
        return
    if rows_of(table) != known:
        _put(table)
        st.rerun()


def _column_config() -> dict[str, Any]:
    """Choices and bounds of the cells."""
    amount: dict[str, Any] = {"min_value": 0.0, "max_value": float(MOST_USD), "format": "%g"}
    names = [*tokenizers.offered(), *(price.tokenizer for price in current().values())]
    return {
        "model": st.column_config.TextColumn(
            max_chars=LONGEST["model"], required=True, width="medium"
        ),
        "tokenizer": st.column_config.SelectboxColumn(
            options=list(dict.fromkeys(names)), required=True
        ),
        "tokenizer_match": st.column_config.SelectboxColumn(
            "count", options=["exact", "estimate"], required=True, default="estimate"
        ),
        "input_usd_per_million": st.column_config.NumberColumn("input", required=True, **amount),
        "cached_input_usd_per_million": st.column_config.NumberColumn("cached input", **amount),
        "output_usd_per_million": st.column_config.NumberColumn("output", required=True, **amount),
        "context_tokens": st.column_config.NumberColumn(
            "context (tokens)", min_value=1, step=1, required=True, format="localized"
        ),
        "as_of": st.column_config.TextColumn("date", max_chars=LONGEST["as_of"]),
        "source": st.column_config.TextColumn(max_chars=LONGEST["source"]),
    }


def _put(table: dict[str, ModelPrice] | None) -> None:
    """Use this table from now on, in an editor of its own."""
    state.acted()
    state.remember(_TABLE, table)
    state.remember(_VERSION, (state.recall(_VERSION) or 0) + 1)


def _read(file: UploadedFile | None) -> None:
    """Take over a file once."""
    mark = None if file is None else file.file_id
    if state.recall(_TAKEN) != mark:
        state.remember(_TAKEN, mark)
        state.remember(_PROBLEM, None)
        if file is not None:
            try:
                _put(read_prices(file.getvalue()))
            except PriceTableError as error:
                state.remember(_PROBLEM, f"{file.name}: {error}")
            else:
                st.rerun()
    problem = state.recall(_PROBLEM)
    if problem:
        notice(problem, kind="problem", key="price_file")
