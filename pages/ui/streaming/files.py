"""What happens at each step, as a table on the screen and in files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import streamlit as st

from pages.ui.downloads import offer_file
from pages.ui.stream_player import PlayedStream
from pages.ui.token_rows import as_csv, visible


def step_rows(stream: PlayedStream) -> Iterator[dict[str, Any]]:
    """One row a token and one for the end: the token, and of each way what it did."""
    for place in range(len(stream.ids) + 1):
        end = place == len(stream.ids)
        row: dict[str, Any] = {
            "step": place + 1,
            "id": None if end else stream.ids[place],
            "token": "the end" if end else visible(stream.tokens[place]),
            "bytes": "" if end else stream.tokens[place].hex(" "),
        }
        for way in stream.ways:
            moment = way.moments[place]
            row |= {
                f"{way.short}: shown": visible(moment.shown.encode()),
                f"{way.short}: wrong signs": sum(way.wrong[place]),
                f"{way.short}: held": moment.pending.hex(" "),
                f"{way.short}: bytes decoded": moment.work,
                f"{way.short}: calls": moment.calls,
            }
        yield row


def as_json(stream: PlayedStream, tokenizer: str) -> bytes:
    """The same with the texts exactly as they are shown."""
    document = {
        "tokenizer": tokenizer,
        "ids": list(stream.ids),
        "tokens": [data.hex() for data in stream.tokens],
        "ways": {
            way.name: [
                {
                    "shown": moment.shown,
                    "wrong signs": sum(wrong),
                    "held": moment.pending.hex(),
                    "bytes decoded": moment.work,
                    "calls": moment.calls,
                }
                for moment, wrong in zip(way.moments, way.wrong, strict=True)
            ]
            for way in stream.ways
        },
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def show_table(stream: PlayedStream, tokenizer: str) -> None:
    """The table, folded, and buttons for the files."""
    box = st.expander("Every step as a table", key="stream_table", on_change="rerun")
    if box.open:
        with box:
            st.dataframe(list(step_rows(stream)), hide_index=True, key="stream_steps")
    with st.container(horizontal=True):
        offer_file("Steps as CSV", lambda: as_csv(step_rows(stream)), "stream.csv")
        offer_file("Stream as JSON", lambda: as_json(stream, tokenizer), "stream.json")
