"""How fast the engine and the libraries are on the texts of the page, measured when asked."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from typing import Any, Final

import streamlit as st

from engine.errors import EngineError
from pages.reference.answers import NoReference, Reference
from pages.reference.speed import Speed, libraries, measured
from pages.ui import cache, state, tokenizers
from pages.ui.cost.files import offer_table
from pages.ui.formatting import escaped, size
from pages.ui.notices import notice
from pages.ui.own_names import own_of
from pages.ui.settings import TOKENIZERS
from pages.ui.turns import Turns, said_in

MOST_BYTES: Final = 1_000_000
_RESULT: Final = "cost speed"
_WANTED: Final = "cost speed wanted"
# Two at a time would slow each other down, and measure that.
_TURNS: Final = Turns(1)


def show_speed(texts: Sequence[str]) -> None:
    """The button, and what it found for these texts."""
    st.markdown("#### Speed on these texts")
    text = measured_text(texts)
    st.text(
        f"The time from the text to its ids, for {size(len(text.encode()))} of the texts above: "
        "each does the same work in this server's process, one after the other, on one thread of "
        f"this machine ({platform.machine()}, {os.cpu_count()} processors); the median of several "
        "runs. Whoever else uses the server now slows all of them."
    )
    st.button(
        "Measure now",
        icon=":material/speed:",
        on_click=lambda: state.remember(_WANTED, True),
        disabled=not text,
        key="measure_speed",
    )
    mark = (cache.fingerprint(text), state.get(TOKENIZERS))
    if state.recall(_WANTED):
        state.remember(_RESULT, (mark, _measure(text)))
        state.remember(_WANTED, None)
    kept, rows = state.recall(_RESULT) or (None, [])
    if kept == mark and rows:
        st.table(
            [{key: escaped(_shown(value)) for key, value in row.items()} for row in rows],
            hide_index=True,
        )
        offer_table("speed", rows, {"bytes": len(text.encode()), "machine": platform.machine()})


def measured_text(texts: Sequence[str]) -> str:
    """All texts, up to a megabyte, cut at a whole character."""
    whole = "\n\n".join(texts)[:MOST_BYTES].encode()
    return whole[:MOST_BYTES].decode("utf-8", "ignore")


def _measure(text: str) -> list[dict[str, Any]]:
    """All chosen tokenizers, with a bar; a newer run of the page ends it."""
    rows: list[dict[str, Any]] = []
    bar = st.progress(0.0, "Others are measuring.")
    names = state.get(TOKENIZERS)
    with _TURNS.turn(said_in(bar, "Others are measuring.")):
        for place, name in enumerate(names):
            title = tokenizers.title(name)
            bar.progress(place / len(names), f"{escaped(title)}: making the libraries ready")
            try:
                tokenizer = tokenizers.tokenizer(name)
                known = _library(name)
                for number, found in enumerate(
                    measured(tokenizer, libraries(tokenizer, known), text)
                ):
                    rows.append(row(title, found, len(text.encode())))
                    part = (place + min(number + 1, 4) / 4) / len(names)
                    bar.progress(part, f"{escaped(title)}: {found.title} measured")
            except EngineError as error:
                notice(f"{title}: {error}", kind="warning", key=f"speed_{place}")
    bar.empty()
    return rows


def _library(name: str) -> Reference | NoReference:
    """What is measured beside ours. Somebody's own file is read in another process, whose pipe
    would be measured too."""
    if own_of(name) is not None:
        return NoReference("A library reads this file in a process of its own.")
    return tokenizers.waited_reference(name)


def row(title: str, found: Speed, volume: int) -> dict[str, Any]:
    """A speed as a row of the table."""
    seconds = found.seconds
    return {
        "tokenizer": title,
        "by": found.title,
        "milliseconds": None if seconds is None else seconds * 1_000,
        "MB per second": volume / seconds / 1e6 if seconds else None,
        "runs": found.runs,
        "ids": _ids(found),
    }


def _ids(found: Speed) -> str:
    if found.refused:
        return f"refused: {found.refused}"
    if found.equal is None:
        return "ours"
    return "✓ equal to ours" if found.equal else "✗ differ from ours"


def _shown(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:,.3g}" if isinstance(value, float) else str(value)
