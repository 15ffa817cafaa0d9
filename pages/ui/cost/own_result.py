"""What own texts cost against each other: heat map, table, files, and the check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

import engine
from pages.ui import parallel, state, tokenizers
from pages.ui.cost import charts, counting, settings
from pages.ui.cost.check import show_check
from pages.ui.cost.comparison import VALUE_OF, Cell, compared, table
from pages.ui.cost.controls import say, select
from pages.ui.cost.counting import Column, Paragraphs
from pages.ui.cost.files import number_formats, offer_charts, offer_table
from pages.ui.cost.own_texts import OwnText
from pages.ui.cost.words import hover, number, said_of_normalizers
from pages.ui.notices import notice
from pages.ui.parallel import BASELINE as ENGLISH
from pages.ui.settings import PROJECTOR, TOKENIZERS

_BASELINE: Final = "own baseline"
# A library takes as long again; longer texts are counted without asking it.
_CHECKED_BYTES: Final = 1_000_000


def show_result(texts: Sequence[OwnText], cut: Mapping[str, Paragraphs]) -> None:
    """The numbers; in projector mode the heat map alone."""
    projector = state.get(PROJECTOR) != "off"
    titles = {place: texts[int(place)].name for place in cut}
    chosen = _baseline(titles, asked=not projector)
    columns, cells = _cells(cut, titles, chosen)
    if not cells:
        return
    baseline = titles[chosen]
    say(
        f"The texts against {baseline}. Words are {engine.WORD_SEGMENTER}. Own texts stay in this "
        "session and are in no link.",
        key="own",
    )
    picture = charts.heat_map(_grid(cells, baseline))
    charts.show(picture, key="own_heat_map")
    if projector:
        return
    normalizers = {c.title: tokenizers.tokenizer(c.name).normalizer for c in columns}
    st.text(" ".join(said_of_normalizers(normalizers)))
    offer_charts({"Own texts": picture})
    rows = list(table([cell for row in cells for cell in row], baseline))
    st.dataframe(rows, hide_index=True, key="own_table", column_config=number_formats(rows))
    offer_table("own_texts", rows, {"baseline": baseline, "words": engine.WORD_SEGMENTER})
    if sum(len(part) for parts in cut.values() for part in parts) <= _CHECKED_BYTES:
        show_check(columns, "none", dict(cut))
    else:
        st.caption("Texts this long are counted without asking a library as well.")


def _baseline(titles: Mapping[str, str], *, asked: bool) -> str:
    """The text that the others are compared with: until one is chosen, English or the first."""
    kept, english = state.recall(_BASELINE), parallel.languages()[ENGLISH].title
    usual = next((place for place, title in titles.items() if title == english), next(iter(titles)))
    chosen = kept if kept in titles else usual
    if asked:
        with st.container(horizontal=True, vertical_alignment="bottom", key="own_controls"):
            select("Shown", settings.MEASURE, settings.MEASURES, width=300)
            st.selectbox(
                "Baseline",
                list(titles),
                format_func=titles.__getitem__,
                width=220,
                **state.widget(_BASELINE, chosen, lambda new: state.remember(_BASELINE, new)),
            )
    return chosen


def _cells(
    cut: Mapping[str, Paragraphs], titles: Mapping[str, str], baseline: str
) -> tuple[list[Column], list[list[Cell]]]:
    """The tokenizers that could count, and a row a text; what cannot be counted is said."""
    lengths = {place: counting.lengths("none", parts) for place, parts in cut.items()}
    good, found = [], []
    names = state.get(TOKENIZERS)
    for place, column in enumerate(counting.columns(names, "none", cut)):
        try:
            if column.problem:
                raise ValueError(column.problem)
            found.append(compared(column, titles, lengths, baseline))
            good.append(column)
        except ValueError as error:
            notice(f"{column.title}: {error}", kind="warning", key=f"own_column_{place}")
    return good, [list(row) for row in zip(*found, strict=True)]


def _grid(cells: Sequence[Sequence[Cell]], baseline: str) -> charts.Grid:
    measure = state.get(settings.MEASURE)
    value = VALUE_OF[measure]
    return charts.Grid(
        rows=[row[0].language for row in cells],
        columns=[cell.tokenizer for cell in cells[0]],
        values=[[value(cell) for cell in row] for row in cells],
        texts=[[number(value(cell), measure) for cell in row] for row in cells],
        hovers=[[hover(cell, baseline, cell.language, "") for cell in row] for row in cells],
        high_is_dear=measure in settings.DEAR_WHEN_HIGH,
    )
