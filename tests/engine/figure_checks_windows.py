"""Published figures about training windows and embeddings."""

from __future__ import annotations

import json
import re

from engine.windows import one_hot_product, rows_of, table_size, windows
from tests.engine.figure_checks import Figure, for_ids


@for_ids("C-window C-window-disjoint")
def windows_of_a_range(f: Figure) -> None:
    first, last, context, stride = map(int, re.findall(r"\d+", f["input"]))
    found = windows(range(first, last + 1), context=context, stride=stride)
    assert [[list(one.inputs), list(one.targets)] for one in found] == f["value"]


@for_ids("C-emb")
def looked_up_and_multiplied(f: Figure) -> None:
    table, places = [[1, 0], [0, 1], [1, 1]], [2, 0]
    assert f["input"] == "table [[1,0],[0,1],[1,1]], ids [[2,0]]"
    for way in (rows_of, one_hot_product):
        assert [[list(row) for row in way(table, places)]] == f["value"]


@for_ids("C-emb-size")
def table_of_a_model(f: Figure) -> None:
    rows, width = json.loads(f["input"])
    assert f"{table_size(rows, width) / 1e6:.0f}M of 600M" == f["value"]
