"""Own texts against each other, and what a form other than NFC costs them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

import engine
from engine.errors import EngineError
from pages.ui import state, tokenizers
from pages.ui.cost import charts, counting, own_texts, settings
from pages.ui.cost.comparison import VALUE_OF, Cell, compared, table
from pages.ui.cost.controls import select
from pages.ui.cost.files import number_formats, offer_table
from pages.ui.cost.own_texts import OwnText
from pages.ui.cost.words import hover, number
from pages.ui.notices import notice
from pages.ui.settings import PROJECTOR, TOKENIZERS
from pages.ui.text_box import text_box

_WRITTEN: Final = {
    "NFD": "in NFD, taken apart",
    "mixed": "in the mixed form: tone marks stand apart",
    "other": "not in NFC: some letters are composed, others are not",
}


def show_own() -> None:
    """A box for each text, and below what they cost; in projector mode the numbers alone."""
    texts = own_texts.kept()
    projector = state.get(PROJECTOR) != "off"
    if not projector:
        _boxes(texts)
        select("Shown", settings.MEASURE, settings.MEASURES, width=300)
    cells = _cells(texts)
    if not cells:
        return
    baseline = cells[0][0].language
    st.text(
        f"The texts against {baseline}, the first. Words are {engine.WORD_SEGMENTER}. Own texts "
        "stay in this session and are in no link."
    )
    charts.show(charts.heat_map(_grid(cells, baseline)), key="own_heat_map")
    if not projector:
        rows = list(table([cell for row in cells for cell in row], baseline))
        st.dataframe(rows, hide_index=True, key="own_table", column_config=number_formats(rows))
        offer_table("own_texts", rows, {"baseline": baseline, "words": engine.WORD_SEGMENTER})


def _boxes(texts: Sequence[OwnText]) -> None:
    """Names and boxes, two beside each other."""
    st.text("Paste the same content in several languages, paragraphs parted by blank lines.")
    for start in range(0, len(texts), 2):
        for column, place in zip(st.columns(2), range(start, start + 2), strict=True):
            if place < len(texts):
                with column:
                    _box(place, texts[place])
    with st.container(horizontal=True, key="own_buttons"):
        st.button(
            "Another text", icon=":material/add:", on_click=own_texts.add,
            disabled=len(texts) >= own_texts.MOST,
        )  # fmt: skip
        st.button(
            "One text fewer", icon=":material/remove:", on_click=own_texts.drop_last,
            disabled=len(texts) <= own_texts.LEAST,
        )  # fmt: skip


def _box(place: int, own: OwnText) -> None:
    st.text_input(
        "Language or name",
        max_chars=40,
        **state.widget(f"own name {place}", own.name, partial(own_texts.rename, place)),
    )
    text_box(
        key=f"own_text_{place}",
        text=own.text,
        version=own.version,
        label=f"Text {place + 1}",
        max_bytes=engine.limits.PASTE_BYTES,
        height=170,
        on_edit=partial(own_texts.take, place),
    )
    try:
        written = engine.written_form(own.text)
        if written != "NFC":
            _offer_nfc(place, own, written)
    except EngineError as error:
        notice(str(error), kind="problem", key=f"own_{place}")


def _offer_nfc(place: int, own: OwnText, written: engine.WrittenForm) -> None:
    """What the form of the text costs, and the way out."""
    sentences = [f"This text is {_WRITTEN[written]}."]
    for name in state.get(TOKENIZERS):
        now, then = (
            sum(counting.paragraph_tokens(name, form, (own.text,))) for form in ("none", "NFC")
        )
        sentences.append(cost_of_form(tokenizers.title(name), now, then))
    notice(" ".join(sentences), kind="warning", key=f"own_{place}")
    st.button(
        "Convert to NFC",
        icon=":material/compress:",
        key=f"compose_{place}",
        help="The box then holds the text in NFC, to be copied from there.",
        on_click=own_texts.compose,
        args=(place,),
    )


def cost_of_form(title: str, now: int, then: int) -> str:
    """What a text costs now and after NFC, in a sentence.

    >>> cost_of_form("X", 42, 20)
    'X: 42 tokens now, 20 after NFC: it costs 2.10 times what it would.'
    """
    if now == then:
        return f"{title}: {now:,} tokens, the same after NFC."
    times = f": it costs {now / then:.2f} times what it would" if then else ""
    return f"{title}: {now:,} tokens now, {then:,} after NFC{times}."


def _cells(texts: Sequence[OwnText]) -> list[list[Cell]]:
    """A row a text and a column a tokenizer; what cannot be counted is said."""
    cut, whole = own_texts.aligned(texts)
    if len(cut) < own_texts.LEAST:
        notice("Paste at least two texts to compare.", kind="note", key="own_few")
        return []
    if whole:
        notice(whole, kind="note", key="own_whole")
    titles = {place: texts[int(place)].name for place in cut}
    lengths = {place: counting.lengths("none", parts) for place, parts in cut.items()}
    found = []
    names = state.get(TOKENIZERS)
    if not names:
        notice("Choose one to four tokenizers in the sidebar.", kind="note", key="none")
    for place, column in enumerate(counting.columns(names, "none", cut)):
        try:
            if column.problem:
                raise ValueError(column.problem)
            found.append(compared(column, titles, lengths, next(iter(cut))))
        except ValueError as error:
            notice(f"{column.title}: {error}", kind="warning", key=f"own_column_{place}")
    return [list(row) for row in zip(*found, strict=True)]


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
