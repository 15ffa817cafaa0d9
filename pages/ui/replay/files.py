"""The merges of a piece as files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import streamlit as st

from pages.ui.downloads import offer_file
from pages.ui.replay.tree_picture import MOST_UNITS, tree_svg
from pages.ui.replay.way import Chosen
from pages.ui.replay_player import Lane
from pages.ui.token_rows import as_csv, visible


def merge_rows(lane: Lane) -> Iterator[dict[str, Any]]:
    """One row a merge: its rank, where it was, the pair, and what it made."""
    for number, merge in enumerate(lane.played.merges, 1):
        yield {
            "merge": number,
            "rank": merge.rank,
            "position": merge.position,
            "left id": merge.left,
            "left": visible(lane.token_bytes[merge.left]),
            "right id": merge.right,
            "right": visible(lane.token_bytes[merge.right]),
            "new id": merge.new_id,
            "new": visible(lane.token_bytes[merge.new_id]),
        }


def as_json(lane: Lane, tokenizer: str) -> bytes:
    """The whole way of a piece: what it began as, every merge, and its ids."""
    document = {
        "tokenizer": tokenizer,
        "piece": lane.played.piece,
        "bytes": lane.shown.hex(" "),
        "units": [unit.id for unit in lane.played.units],
        "merges": list(merge_rows(lane)),
        "ids": list(lane.played.ids),
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def offer_files(chosen: Chosen) -> None:
    """Buttons for the merges as a table, as data, and as a picture."""
    lane = chosen.lane
    if lane is None or not len(lane.played):
        return
    with st.container(horizontal=True):
        offer_file("Merges as CSV", lambda: as_csv(merge_rows(lane)), "merges.csv")
        offer_file("Replay as JSON", lambda: as_json(lane, chosen.name), "replay.json")
        offer_file(
            "Tree as SVG",
            lambda: tree_svg(lane),
            "merges.svg",
            help=f"All merges in one picture; of a longer piece the first {MOST_UNITS} units.",
        )
