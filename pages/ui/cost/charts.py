"""The charts of the Cost page: a table coloured by cost, and bars beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import log
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from pages.ui import state
from pages.ui.charts import grid_colour, is_dark, layout
from pages.ui.cost.settings import PICTURE
from pages.ui.palette import DARK, LIGHT, Theme, tokenizer_hue
from pages.ui.settings import PROJECTOR

if TYPE_CHECKING:
    import plotly.graph_objects as go

# Not by colour alone: each tokenizer's bars have a pattern of their own.
_PATTERNS: Final = ("", "/", ".", "x")
_LONGEST_TITLE: Final = 40
_LONGEST_LINE: Final = 22


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Numbers by row and column; None where there is none.

    ``texts`` stand in the cells, ``hovers`` are ready for Plotly; ``high_is_dear`` tells which end
    is coloured strongly. ``natives`` are the names of the rows in their own languages.
    """

    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float | None]]
    texts: Sequence[Sequence[str]]
    hovers: Sequence[Sequence[str]]
    high_is_dear: bool = True
    natives: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """The bars of one tokenizer, one a language; ``whiskers`` are drawn beside, from and to."""

    title: str
    values: Sequence[float | None]
    texts: Sequence[str]
    hovers: Sequence[str]
    whiskers: Sequence[tuple[float, float]] = ()


def heat_map(grid: Grid) -> go.Figure:
    """Every number in its cell; the ground tells the dear ones, equal steps for equal ratios."""
    import plotly.graph_objects as go

    theme, size = _theme(), _font_size()
    shades = theme.scale_grounds if grid.high_is_dear else theme.scale_grounds[::-1]
    logs = [[log(value) if value else None for value in row] for row in grid.values]
    known = [value for row in logs for value in row if value is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    trace: dict[str, Any] = {
        "z": logs,
        "x": list(range(len(grid.columns))),
        "y": list(range(len(grid.rows))),
        "zmin": low,
        "zmax": high if high > low else low + 1,
        "colorscale": [[i / (len(shades) - 1), shade] for i, shade in enumerate(shades)],
        "showscale": False,
        "text": grid.texts,
        "texttemplate": "%{text}",
        "textfont": {"size": size, "color": theme.ink},
        "customdata": grid.hovers,
        "hovertemplate": "%{customdata}<extra></extra>",
        "hoverongaps": False,
        "xgap": 3,
        "ygap": 3,
    }
    figure = go.Figure(go.Heatmap(**trace))
    labels = _labels(grid)
    several = any("<br>" in label for label in labels)
    row, top = (3 if several else 2.3), 6.0
    if _projected():
        # Thirteen languages and the sentence above them fit into 720 points.
        row, top = (2.7 if several else 1.65), 3.5
    height = (len(grid.rows) * row + top + 1) * size
    _finish(figure, theme, height=height, top=round(top * size), bottom=size)
    figure.update_xaxes(
        side="top", tickvals=list(range(len(grid.columns))),
        ticktext=[_two_lines(title) for title in grid.columns], showgrid=False, automargin=True,
    )  # fmt: skip
    _rows(figure, labels)
    figure.update_yaxes(showgrid=False)
    return figure


def bars(rows: Sequence[str], groups: Sequence[Bars], *, x_title: str) -> go.Figure:
    """A group of bars for each row, with the names of the groups above."""
    import plotly.graph_objects as go

    theme, size = _theme(), _font_size()
    places = list(range(len(rows)))
    figure = go.Figure()
    for number, group in enumerate(groups):
        figure.add_trace(go.Bar(**_bar_trace(group, places, number, theme)))
        for trace in _beside(group, places, number, theme):
            figure.add_trace(trace)
    top = 5 * size if len(groups) > 1 or not _projected() else size
    height: float = len(rows) * (len(groups) * (size + 4) + 10) + 5 * size + top
    if _projected():
        height = len(rows) * (len(groups) * size + 10) + 3.5 * size + top
    _finish(figure, theme, height=height, top=top, bottom=3 * size)
    figure.update_layout(
        barmode="group",
        scattermode="group",
        bargap=0.25,
        scattergap=0.25,
        showlegend=len(groups) > 1,
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "font": {"size": size}},
    )
    figure.update_xaxes(title=x_title, gridcolor=grid_colour(theme), rangemode="tozero")
    _rows(figure, [_in_lines(row) for row in rows])
    return figure


def _bar_trace(group: Bars, places: list[int], number: int, theme: Theme) -> dict[str, Any]:
    pattern = {
        "shape": _PATTERNS[number % len(_PATTERNS)],
        "fillmode": "overlay",
        "fgcolor": theme.page,
        "size": 6,
        "solidity": 0.2,
    }
    return {
        "x": list(group.values),
        "y": places,
        "orientation": "h",
        "name": escape(_short(group.title), quote=False),
        "offsetgroup": str(number),
        "marker": {"color": tokenizer_hue(number, dark=theme is DARK), "pattern": pattern},
        "customdata": list(group.hovers),
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def _beside(group: Bars, places: list[int], number: int, theme: Theme) -> Iterator[go.Scatter]:
    """The lines of a group, which need not end within its bars, and behind them its numbers."""
    import plotly.graph_objects as go

    same: dict[str, Any] = {
        "y": places, "offsetgroup": str(number), "orientation": "h", "showlegend": False,
        "hoverinfo": "skip",
    }  # fmt: skip
    ends = [value or 0 for value in group.values]
    if group.whiskers:
        middles = [(low + high) / 2 for low, high in group.whiskers]
        halves = [(high - low) / 2 for low, high in group.whiskers]
        line = {"array": halves, "color": theme.ink, "thickness": 1.5, "width": 3}
        yield go.Scatter(**same, x=middles, mode="markers", marker={"size": 0.1}, error_x=line)
        ends = [max(end, high) for end, (_, high) in zip(ends, group.whiskers, strict=True)]
    texts = [f" {text}" for text in group.texts]
    font = {"size": _font_size() - 2, "color": theme.ink}
    yield go.Scatter(
        **same, x=ends, mode="text", text=texts, textposition="middle right", textfont=font,
        cliponaxis=False,
    )  # fmt: skip


def show(figure: go.Figure, *, key: str) -> None:
    """A chart whose own button saves it as PNG or SVG."""
    picture = {"format": state.get(PICTURE), "filename": key, "scale": 2}
    st.plotly_chart(
        figure,
        key=key,
        theme=None,
        width="stretch",
        # Axes are fixed and hovering says all: only the camera is of use, and it covers no name.
        config={
            "displaylogo": False,
            "modeBarButtons": [["toImage"]],
            "toImageButtonOptions": picture,
        },
    )


def in_html(text: str) -> str:
    """A text for Plotly, which reads labels as HTML."""
    return escape(text, quote=False)


def as_html(figure: go.Figure) -> bytes:
    """A page of its own with the chart, which needs no network."""
    page: str = figure.to_html(include_plotlyjs=True, full_html=True)
    return page.encode()


def _theme() -> Theme:
    return DARK if is_dark() else LIGHT


def _projected() -> bool:
    return state.get(PROJECTOR) != "off"


def _font_size() -> int:
    return 22 if _projected() else 14


def _labels(grid: Grid) -> list[str]:
    """The names of the rows; those in their own languages below, or on the projector beside."""
    if not grid.natives:
        return [_in_lines(row) for row in grid.rows]
    between = " · " if _projected() else "<br>"
    return [
        in_html(row) + ("" if native == row else between + in_html(native))
        for row, native in zip(grid.rows, grid.natives, strict=True)
    ]


def _in_lines(row: str) -> str:
    return "<br>".join(map(in_html, _parts(row)))


def _rows(figure: go.Figure, labels: Sequence[str]) -> None:
    """Names of rows from the top down, ready for Plotly."""
    figure.update_yaxes(
        tickvals=list(range(len(labels))),
        ticktext=list(labels),
        range=[len(labels) - 0.5, -0.5],
        fixedrange=True,
        automargin=True,
    )


def _finish(figure: go.Figure, theme: Theme, *, height: float, top: int, bottom: int) -> None:
    ground: dict[str, Any] = {}
    if not _projected():
        # A saved picture has the ground that its colours were chosen for.
        ground = {"paper_bgcolor": theme.page, "plot_bgcolor": theme.page}
    figure.update_layout(**(layout(theme, room=24) | ground))
    figure.update_layout(
        height=round(height),
        margin={"l": 8, "r": 36, "t": top, "b": bottom},
        font={"size": _font_size()},
    )
    figure.update_xaxes(zeroline=False, color=theme.ink, fixedrange=True)
    figure.update_yaxes(zeroline=False, color=theme.ink)


def _parts(row: str) -> list[str]:
    """A long name in two lines, so that a phone has room for the cells."""
    if len(row) <= _LONGEST_LINE:
        return [row]
    place = row.rfind(" ", 0, len(row) // 2 + 4)
    return [row[:place], row[place + 1 :]] if place > 0 else [row]


def _short(title: str) -> str:
    return title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1] + "…"


def _two_lines(title: str) -> str:
    """A name broken before its bracket, so that four stand beside each other on a phone."""
    return escape(_short(title), quote=False).replace(" (", "<br>(", 1)
