"""The look of all charts: Plotly figures that read in both themes, with labels instead of legends.

Plotly reads its labels as HTML, so whatever comes from a text goes through ``label``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from pages.ui import state
from pages.ui.palette import DARK, LIGHT, Theme, tokenizer_hue
from pages.ui.settings import PROJECTOR
from pages.ui.token_rows import visible

if TYPE_CHECKING:
    import plotly.graph_objects as go

# Fonts with Latin, Vietnamese, Chinese and more, whatever the machine has of them.
_FONTS: Final = "Source Sans, Noto Sans, Noto Sans CJK SC, Segoe UI, sans-serif"
_LONGEST: Final = 24
# Of a name at the end of a line, as a part of the chart's height.
_NAME_HEIGHT: Final = 0.09


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a chart: its name stands at its end.

    ``hover`` is what is said at each point, ready for Plotly; ``hue`` a place in the palette.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    hue: int
    hover: Sequence[str] = field(default_factory=tuple)
    points: bool = False


def label(data: bytes) -> str:
    """A token for a label of Plotly: everything visible, nothing read as HTML.

    >>> label(b" <s>")
    '␣&lt;s&gt;'
    """
    return escape(shown(data), quote=False)


def shown(data: bytes) -> str:
    """A token in a sentence, its beginning if it is long."""
    text = visible(data)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def is_dark() -> bool:
    """Whether the page is dark in this browser: the projector has a shade of its own."""
    shade = state.get(PROJECTOR)
    return (st.context.theme.type if shade == "off" else shade) == "dark"


def line_chart(
    lines: Sequence[Line], *, x_title: str, y_title: str, logarithmic: bool = False
) -> go.Figure:
    """Lines with their names at their ends."""
    dark = is_dark()
    traces = [_trace(line, tokenizer_hue(line.hue, dark=dark)) for line in lines]
    names = _names_at_ends(lines, dark=dark, in_order=logarithmic)
    axes = _axes(lines, x_title=x_title, y_title=y_title, logarithmic=logarithmic)
    return _figure(traces, names, axes)


def bar_chart(lines: Sequence[Line], *, x_title: str, y_title: str) -> go.Figure:
    """Bars beside each other, with the names of their kinds."""
    dark = is_dark()
    traces = [_bar_trace(line, tokenizer_hue(line.hue, dark=dark)) for line in lines]
    names = _names_at_ends(lines, dark=dark, in_order=True)
    axes = _axes(lines, x_title=x_title, y_title=y_title, logarithmic=False)
    return _figure(traces, names, axes)


def _figure(
    traces: list[dict[str, Any]], names: list[dict[str, Any]], axes: dict[str, Any]
) -> go.Figure:
    """All at once: Plotly checks the whole figure at each change of it."""
    import plotly.graph_objects as go

    theme = DARK if is_dark() else LIGHT
    common = layout(theme, room=150 if len(traces) > 1 else 24)
    return go.Figure(data=traces, layout={**common, **axes, "annotations": names})


def _names_at_ends(lines: Sequence[Line], *, dark: bool, in_order: bool) -> list[dict[str, Any]]:
    """Annotations with the names of the lines; one line needs none."""
    if len(lines) < 2:
        return []
    return [
        {
            "x": 1, "xref": "paper", "xanchor": "left", "xshift": 6,
            "y": place, "yref": "paper", "yanchor": "middle", "showarrow": False,
            "text": escape(line.name, quote=False),
            "font": {"color": tokenizer_hue(line.hue, dark=dark), "size": 14},
        }
        for line, place in zip(lines, _apart(lines, in_order=in_order), strict=True)
    ]  # fmt: skip


def _axes(
    lines: Sequence[Line], *, x_title: str, y_title: str, logarithmic: bool
) -> dict[str, Any]:
    """Both axes of a figure's layout."""
    theme = DARK if is_dark() else LIGHT
    axis: dict[str, Any] = {
        "gridcolor": grid_colour(theme),
        "zeroline": False,
        "color": theme.muted,
        "type": "log" if logarithmic else "linear",
    }
    # Whole ticks where the numbers are small and whole.
    furthest = max((value for line in lines for value in line.x), default=1)
    step: dict[str, Any] = {"dtick": 1} if furthest <= 12 and not logarithmic else {}
    span: dict[str, Any] = {} if logarithmic else {"range": [0, _top(lines)]}
    return {
        "xaxis": {**axis, **step, "title": {"text": x_title}},
        "yaxis": {**axis, **span, "title": {"text": y_title}},
    }


def _top(lines: Sequence[Line]) -> float:
    return max((value for line in lines for value in line.y), default=1) * 1.08 or 1


def _trace(line: Line, colour: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": list(line.x),
        "y": list(line.y),
        "name": escape(line.name, quote=False),
        "mode": "markers" if line.points else "lines",
        "line": {"color": colour, "width": 2.5},
        "marker": {"color": colour, "size": 5, "opacity": 0.75},
        "customdata": list(line.hover),
        "hovertemplate": "%{customdata}<extra></extra>" if line.hover else None,
    }


def _bar_trace(line: Line, colour: str) -> dict[str, Any]:
    trace = _trace(line, colour)
    of_bars = {key: trace[key] for key in ("x", "y", "name", "customdata", "hovertemplate")}
    return {**of_bars, "type": "bar", "marker": {"color": colour}}


def _apart(lines: Sequence[Line], *, in_order: bool) -> list[float]:
    """Where the names stand, from 0 to 1: at the ends of the lines, moved until none overlap.

    ``in_order`` puts one under the other instead, where the ends say nothing.
    """
    if in_order:
        return [1 - 0.1 * place for place in range(len(lines))]
    ends = [line.y[-1] / _top(lines) for line in lines]
    order = sorted(range(len(lines)), key=ends.__getitem__)
    for below, above in pairwise(order):
        ends[above] = max(ends[above], ends[below] + _NAME_HEIGHT)
    return ends


def grid_colour(theme: Theme) -> str:
    """The colour of lines that only help the eye."""
    return "#dfdfd8" if theme is LIGHT else "#33373d"


def layout(theme: Theme, *, room: int) -> dict[str, Any]:
    """What all charts have in common; ``room`` is left at the right."""
    return {
        "height": 320,
        "margin": {"l": 60, "r": room, "t": 16, "b": 48},
        "showlegend": False,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": _FONTS, "color": theme.ink, "size": 14},
        "hoverlabel": {"font": {"family": _FONTS, "size": 15}, "align": "left"},
        "hovermode": "closest",
    }


def show_chart(figure: go.Figure, sentence: str, *, key: str) -> None:
    """A chart below the sentence that says what to see in it."""
    st.text(sentence)
    st.plotly_chart(figure, key=key, theme=None, width="stretch", config={"displaylogo": False})
