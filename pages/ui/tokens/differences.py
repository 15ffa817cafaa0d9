"""Where the tokenizers cut differently, and how far their counts are apart."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import engine
from pages.ui.columns import SideBySide
from pages.ui.formatting import percent

# More rows than anyone reads; the download has them all.
_ROWS = 500


def show_differences(found: SideBySide) -> None:
    """The spread of counts in one sentence, and a table of the spans."""
    if len(found.cuts) < 2:
        return
    counts = [len(one.tokenization) for one in found.cuts]
    spans = sum(len(differences) for _, differences in found.differences)
    summary = (
        f"Counts from {min(counts):,} to {max(counts):,} tokens: a spread of "
        f"{percent(engine.spread(counts))} over the smallest. {spans:,} spans are cut differently."
    )
    with st.container(key="spread"):
        st.markdown(summary)
    if len(found.differences) > 1:
        groups = "; ".join(
            ", ".join(engine.BUNDLED[name].title for name in names)
            for names, _ in found.differences
        )
        st.caption(
            "Some tokenizers normalize this text and cut another one than the rest, so spans are "
            f"compared within these groups: {groups}."
        )
    if spans:
        with st.expander("Spans that are cut differently", key="differences"):
            _tables(found)


def _tables(found: SideBySide) -> None:
    for place, (names, differences) in enumerate(found.differences):
        if not differences:
            continue
        data = next(
            one.tokenization.data for one in found.cuts if one.tokenization.tokenizer.name in names
        )
        table = pd.DataFrame(
            [
                {
                    "text": data[d.start_byte : d.end_byte].decode("utf-8", "replace"),
                    "from byte": d.start_byte,
                    "to byte": d.end_byte,
                    **{
                        engine.BUNDLED[name].title: count
                        for name, count in zip(names, d.tokens, strict=True)
                    },
                }
                for d in differences[:_ROWS]
            ]
        )
        st.dataframe(table, hide_index=True, key=f"differences_{place}")
        if len(differences) > _ROWS:
            st.caption(f"The first {_ROWS} of {len(differences):,} spans.")
