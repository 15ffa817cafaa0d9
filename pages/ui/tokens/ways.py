"""The ways to cut a text beside each other: by byte, by character, by word, by BPE."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import pandas as pd
import streamlit as st

import engine
from engine.ways import ways_to_cut
from pages.ui.cache import tokenizer
from pages.ui.columns import cut


def show_ways(names: Sequence[str], text: str) -> None:
    """A table: vocabulary and length of each way, and the beginning of the cut."""
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
        rows = [
            {
                "way": way.name,
                "vocabulary": way.vocabulary,
                "length": way.length,
                "beginning": " │ ".join(way.beginning),
            }
            for way in ways_to_cut(text)
        ]
        for name in names:
            tokenization = cut(name, text, "text").tokenization
            rows.append(
                {
                    "way": f"BPE: {engine.BUNDLED[name].title}",
                    "vocabulary": f"{tokenizer(name).size:,}",
                    "length": len(tokenization),
                    "beginning": " │ ".join(
                        segment.text for segment in islice(engine.segments(tokenization), 24)
                    ),
                }
            )
        st.dataframe(pd.DataFrame(rows), hide_index=True, key="ways_table")
