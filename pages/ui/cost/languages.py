"""What the same content costs in every language with every tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import streamlit as st

import engine
from pages.ui import parallel, state, tokenizers
from pages.ui.cost import charts, counting, settings
from pages.ui.cost.check import show_check
from pages.ui.cost.comparison import VALUE_OF, Cell, compared, table
from pages.ui.cost.controls import language_titles, say, select, select_texts
from pages.ui.cost.files import number_formats, offer_charts, offer_table
from pages.ui.cost.forms import show_forms
from pages.ui.cost.words import example, hover, number, said_of_normalizers, said_of_premium
from pages.ui.notices import notice
from pages.ui.settings import PROJECTOR, TOKENIZERS

if TYPE_CHECKING:
    import plotly.graph_objects as go


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is shown: the columns that could be counted, and their cells, language by language."""

    texts: dict[str, counting.Paragraphs]
    columns: list[counting.Column]
    cells: list[list[Cell]]
    baseline: str

    @property
    def baseline_title(self) -> str:
        """The name of the language that all others are compared with."""
        return parallel.languages()[self.baseline].title


def show_languages() -> None:
    """Controls, heat map, bars, forms and table; in projector mode the heat map alone."""
    projector = state.get(PROJECTOR) != "off"
    if not projector:
        _controls()
    view = _view()
    if not view.columns:
        notice("Choose one to four tokenizers in the sidebar.", kind="note", key="none")
        return
    flat = [cell for cells in view.cells for cell in cells]
    say(said_of_premium(flat, view.baseline, view.baseline_title), key="premium")
    picture = _heat_map(view)
    charts.show(picture, key="cost_heat_map")
    if projector:
        return
    _form_words(view)
    columns = _bars(view)
    st.markdown("#### The chosen tokenizers beside each other")
    st.text(_whiskers_words())
    charts.show(columns, key="cost_bars")
    offer_charts({"Heat map": picture, "Bars": columns})
    show_forms(view.columns)
    _table(view, flat)
    show_check(view.columns, _form(), view.texts)


def _form() -> engine.Form:
    return cast("engine.Form", state.get(settings.FORM))


def _controls() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="cost_controls"):
        select("Shown", settings.MEASURE, settings.MEASURES, width=300)
        select("Baseline", settings.BASELINE, language_titles(), width=190)
        select_texts()
        st.toggle(
            "Only the chosen tokenizers",
            help="Otherwise the other built-in ones stand beside those chosen in the sidebar.",
            **state.bound(settings.ONLY),
        )


def _names() -> list[str]:
    """The chosen tokenizers, and beside them the other bundled ones."""
    chosen = state.get(TOKENIZERS)
    others = [] if state.get(settings.ONLY) else engine.names()
    return list(dict.fromkeys((*chosen, *others)))


def _view() -> View:
    """All that is counted; a tokenizer that cannot is left out with a sentence."""
    baseline, form = state.get(settings.BASELINE), _form()
    texts = counting.texts(state.get(settings.KIND))
    titles = language_titles()
    lengths = {tag: counting.lengths(form, paragraphs) for tag, paragraphs in texts.items()}
    good, cells = [], []
    for place, column in enumerate(counting.columns(_names(), form, texts)):
        problem = column.problem
        try:
            if not problem:
                cells.append(compared(column, titles, lengths, baseline))
                good.append(column)
        except ValueError as error:
            problem = str(error)
        if problem:
            notice(f"{column.title}: {problem}", kind="warning", key=f"column_{place}")
    rows = [list(row) for row in zip(*cells, strict=True)]
    return View(texts=texts, columns=good, cells=rows, baseline=baseline)


def _heat_map(view: View) -> go.Figure:
    measure = state.get(settings.MEASURE)
    value = VALUE_OF[measure]
    return charts.heat_map(
        charts.Grid(
            rows=[cells[0].language for cells in view.cells],
            columns=[column.title for column in view.columns],
            values=[[value(cell) for cell in cells] for cells in view.cells],
            texts=[[number(value(cell), measure) for cell in cells] for cells in view.cells],
            hovers=[_hovers(view, cells) for cells in view.cells],
            high_is_dear=measure in settings.DEAR_WHEN_HIGH,
            natives=[parallel.languages()[cells[0].tag].name for cells in view.cells],
        )
    )


def _hovers(view: View, cells: Sequence[Cell]) -> list[str]:
    """What is said over each cell of a language, with its first paragraph as the example."""
    return [
        hover(
            cell,
            view.baseline_title,
            parallel.languages()[cell.tag].name,
            example(
                view.texts[cell.tag][0],
                column.tokens[cell.tag][0],
                column.tokens[view.baseline][0],
                view.baseline_title,
            ),
        )
        for cell, column in zip(cells, view.columns, strict=True)
    ]


def _bars(view: View) -> go.Figure:
    measure = state.get(settings.MEASURE)
    value = VALUE_OF[measure]
    chosen = [i for i, c in enumerate(view.columns) if c.name in state.get(TOKENIZERS)]
    groups = []
    for place in chosen or [0]:
        cells = [row[place] for row in view.cells]
        spreads = [cell.premium for cell in cells] if measure == "premium" else []
        groups.append(
            charts.Bars(
                title=view.columns[place].title,
                values=[value(cell) for cell in cells],
                texts=[number(value(cell), measure) for cell in cells],
                hovers=[_hovers(view, row)[place] for row in view.cells],
                whiskers=[(one.first_quartile, one.third_quartile) for one in spreads],
            )
        )
    title = settings.MEASURES[measure].lower()
    return charts.bars([row[0].language for row in view.cells], groups, x_title=title)


def _whiskers_words() -> str:
    if state.get(settings.MEASURE) == "premium":
        return (
            "Bars: all paragraphs together. Thin lines: from the first to the third quartile of "
            "the single paragraphs."
        )
    if state.get(settings.MEASURE) == "words":
        return f"Words are {engine.WORD_SEGMENTER}; languages without blanks have none."
    return "Bars: all paragraphs together."


def _form_words(view: View) -> None:
    """What the form is, and which tokenizers it makes no difference to."""
    st.text(settings.FORM_WORDS[_form()])
    normalizers = {c.title: tokenizers.tokenizer(c.name).normalizer for c in view.columns}
    st.text(" ".join(said_of_normalizers(normalizers)))


def _table(view: View, flat: Sequence[Cell]) -> None:
    st.markdown("#### All numbers")
    rows = list(table(flat, view.baseline_title))
    st.dataframe(rows, hide_index=True, key="cost_table", column_config=number_formats(rows))
    offer_table(
        "cost",
        rows,
        {
            "baseline": view.baseline_title,
            "kind": state.get(settings.KIND),
            "form": _form(),
            "words": engine.WORD_SEGMENTER,
        },
    )
