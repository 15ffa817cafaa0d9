"""Where the tokenizers cut differently, and how far their counts are apart."""

from __future__ import annotations

import streamlit as st

import engine
from pages.ui.columns import SideBySide
from pages.ui.formatting import percent

# More rows than anyone reads.
_ROWS = 500


def show_differences(found: SideBySide) -> None:
    """The spread of counts in one sentence, and a table of the spans."""
    if len(found.cuts) < 2:
        return
    counts = [len(one.tokenization) for one in found.cuts]
    with st.container(key="spread"):
        st.text(
            f"Counts from {min(counts):,} to {max(counts):,} tokens: a spread of "
            f"{percent(engine.spread(counts))} over the smallest. "
            f"{len(found.differences):,} spans are cut differently."
        )
    if found.differences:
        box = st.expander("Spans that are cut differently", key="differences", on_change="rerun")
        if box.open:
            with box:
                _table(found)


def _table(found: SideBySide) -> None:
    data = found.cuts[0].tokenization.data
    names = [column.name for column in found.columns]
    rows = []
    for difference in found.differences[:_ROWS]:
        start, end = difference.spans[0]
        text = data[start:end].decode("utf-8", "replace")
        counts = dict(zip(names, difference.tokens, strict=True))
        rows.append({"text": text, "from byte": start, **counts})
    st.dataframe(rows, hide_index=True, key="differences_table")
    if len(found.differences) > _ROWS:
        st.caption(f"The first {_ROWS} of {len(found.differences):,} spans.")
