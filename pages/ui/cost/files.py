"""Tables and charts as files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.ui import state
from pages.ui.cost import settings
from pages.ui.cost.charts import as_html
from pages.ui.downloads import offer_file
from pages.ui.token_rows import as_csv

if TYPE_CHECKING:
    import plotly.graph_objects as go


def as_json(rows: Sequence[Mapping[str, Any]], about: Mapping[str, Any]) -> bytes:
    """A table with what it is about."""
    return json.dumps({**about, "rows": list(rows)}, ensure_ascii=False, indent=1).encode()


def number_formats(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Whole numbers with separators, ratios with two decimals."""
    formats: dict[str, Any] = {}
    for name in rows[0] if rows else ():
        values = [row[name] for row in rows if row[name] is not None]
        if values and isinstance(values[0], int):
            formats[name] = st.column_config.NumberColumn(format="localized")
        elif values and isinstance(values[0], float):
            formats[name] = st.column_config.NumberColumn(format="%.2f")
    return formats


def offer_table(name: str, rows: Sequence[dict[str, Any]], about: Mapping[str, Any]) -> None:
    """Buttons for a table as CSV and as JSON."""
    with st.container(horizontal=True, key=f"{name}_files"):
        offer_file("Table as CSV", lambda: as_csv(rows), f"{name}.csv", key=f"{name}_csv")
        offer_file(
            "Table as JSON", lambda: as_json(rows, about), f"{name}.json", key=f"{name}_json"
        )


def offer_charts(figures: Mapping[str, go.Figure], *, with_picture: bool = True) -> None:
    """Buttons for charts as pages of their own, and what the camera on a chart saves.

    ``with_picture`` is False for the second ones on a page: the choice is there once.
    """
    key = "chart_" + "_".join(figures).lower().replace(" ", "_")
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"{key}_files"):
        for title, figure in figures.items():
            offer_file(
                f"{title} as HTML",
                lambda figure=figure: as_html(figure),  # type: ignore[misc]
                f"{title.lower().replace(' ', '_')}.html",
                help="With all that it needs: opens without a network (5 MB).",
                key=f"{key}_{title}",
            )
        if with_picture:
            st.segmented_control(
                "The camera on a chart saves",
                ("png", "svg"),
                format_func=str.upper,
                required=True,
                **state.bound(settings.PICTURE),
            )
