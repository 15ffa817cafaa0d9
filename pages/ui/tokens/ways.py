"""The ways to cut a text beside each other: by byte, by character, by word, by BPE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import streamlit as st

from engine.ways import ways_to_cut
from pages.ui import state
from pages.ui.columns import cut, side_by_side
from pages.ui.token_view import ColourBy, Headline, ShowAs, token_view
from pages.ui.tokenizers import title, tokenizer
from pages.ui.tokens import settings
from pages.ui.way_columns import SHOWN_CHARACTERS, beginning, way_columns


def show_ways(names: Sequence[str], text: str) -> None:
    """A table with vocabulary and length of each way, and the cuts drawn."""
    if not text:
        return
    box = st.expander(
        "Other ways to cut this text: bytes, characters, words", key="ways", on_change="rerun"
    )
    if not box.open:
        return
    with box:
        st.caption(
            "A larger vocabulary makes shorter sequences. Bytes need the least vocabulary and the "
            "most steps; words the fewest steps, but any new word is unknown."
        )
        _table(names, text)
        _strips(names[0], text)


def _table(names: Sequence[str], text: str) -> None:
    rows = [
        {"way": way.name, "length": way.length, "vocabulary": way.vocabulary}
        for way in ways_to_cut(text)
    ]
    rows += [
        {
            "way": f"BPE: {title(name)}",
            "length": len(cut(name, text, "text").tokenization),
            "vocabulary": f"{tokenizer(name).size:,}",
        }
        for name in names
    ]
    st.dataframe(rows, hide_index=True, key="ways_table", width="content")


def _strips(name: str, text: str) -> None:
    """The beginning of the text by byte, by code point, by word and by one tokenizer."""
    shown = beginning(text)
    if shown != text:
        st.caption(f"The first {SHOWN_CHARACTERS} code points, drawn:")
    # The token view compares objects, so that an unchanged picture is not sent again.
    made = state.recall("ways columns")
    if made is None or made[0] != (name, shown):
        column = side_by_side((name,), shown, "text").columns[0]
        headline = Headline(value=len(column.ids), unit="tokens")
        columns = [*way_columns(shown), replace(column, headline=headline)]
        made = ((name, shown), columns)
        state.remember("ways columns", made)
    token_view(
        made[1],
        key="ways_view",
        layout="stack",
        show_as=cast("ShowAs", state.get(settings.SHOW_AS)),
        colour_by=cast("ColourBy", state.get(settings.COLOUR_BY)),
    )
