"""Files of the Cost page: each table and chart is saved as it is shown."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from math import isnan
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.pages.test_cost_page import figure, page

Files = dict[str, Callable[[], bytes]]


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> Files:
    """What each download button of the page would give, by its key."""
    found: Files = {}

    def button(_label: str, data: Callable[[], bytes], **options: Any) -> None:
        found[options.get("key") or ""] = data

    monkeypatch.setattr(st, "download_button", button)
    return found


def saved(files: Files, name: str) -> tuple[list[dict[str, str]], list[dict[str, Any]]]:
    """The rows of a table as its CSV and its JSON have them."""
    text = files[f"{name}_csv"]().decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text))), json.loads(files[f"{name}_json"]())["rows"]


def in_csv(value: object) -> str:
    return "" if value is None else str(value)


def drawn(document: bytes) -> tuple[Any, Any]:
    """Data and layout of the chart in a page that was saved."""
    text = document.decode()
    place = text.index("[", text.rindex("Plotly.newPlot("))
    data, end = json.JSONDecoder().raw_decode(text, place)
    layout, _ = json.JSONDecoder().raw_decode(text, text.index("{", end))
    return data, layout


def same(shown: object, kept: object) -> bool:
    """Equal; a table on the screen has NaN where there is nothing."""
    nothing = shown is None or (isinstance(shown, float) and isnan(shown))
    return kept is None if nothing else shown == kept


@pytest.mark.parametrize(
    ("view", "name"), [("texts", "cost"), ("money", "bill"), ("own", "own_texts")]
)
def test_a_table_is_saved_as_it_is_shown(files: Files, view: str, name: str) -> None:
    app = page(view=view, only="1")
    shown = app.dataframe[0].value.to_dict("records")
    as_csv, as_json = saved(files, name)
    assert len(shown) == len(as_csv) == len(as_json) > 1
    for row, line, record in zip(shown, as_csv, as_json, strict=True):
        assert list(row) == list(line) == list(record)
        assert all(same(row[column], record[column]) for column in row)
        assert list(line.values()) == [in_csv(value) for value in record.values()]


def plain(app: AppTest, place: int) -> list[list[str]]:
    """The cells of a small table without what sets them apart or escapes them."""
    table = app.table[place].value.astype(str)
    cells = [list(map(str, table.columns)), *table.to_numpy().tolist()]
    signs = str.maketrans(dict.fromkeys("\\\u2068\u2069", ""))
    return [[cell.translate(signs) for cell in row] for row in cells]


@pytest.mark.parametrize(("place", "name"), [(0, "digits"), (1, "letters")])
def test_a_small_table_is_saved_as_it_is_shown(files: Files, place: int, name: str) -> None:
    head, *rows = plain(page(view="numbers"), place)
    as_csv, as_json = saved(files, name)
    assert [column.removeprefix("'") for column in as_csv[0]] == head == list(as_json[0])
    for row, line, record in zip(rows, as_csv, as_json, strict=True):
        for cell, written, value in zip(row, line.values(), record.values(), strict=True):
            assert written.removeprefix("'") == in_csv(value)
            number = f"{value:.2f}" if isinstance(value, float) else str(value)
            assert cell == ("–" if value is None else number)


def test_sentences_and_forms_are_saved_as_they_are_drawn(files: Files) -> None:
    heat = figure(page(view="numbers"), 0)["data"][0]
    as_csv, as_json = saved(files, "sentences")
    shown = [cell for row in heat["text"] for cell in row]
    assert shown == [row["tokens"] for row in as_csv] == [str(row["tokens"]) for row in as_json]
    heat = figure(page(view="texts"), 2)["data"][0]
    as_csv, as_json = saved(files, "forms")
    shown = [cell for row in heat["text"] for cell in row]
    kept = [row for row in as_json if row["form"] != "none"]
    assert shown == [f"{row['times as written']:.2f}" for row in kept]
    assert [list(row.values()) for row in as_csv] == [
        [in_csv(value) for value in row.values()] for row in as_json
    ]


@pytest.mark.parametrize(
    ("view", "charts"), [("texts", 3), ("money", 1), ("numbers", 1), ("own", 1)]
)
def test_a_chart_is_saved_as_it_is_drawn(files: Files, view: str, charts: int) -> None:
    app = page(view=view, only="1")
    documents = [data() for key, data in files.items() if key.startswith("chart_")]
    assert len(documents) == charts == len(app.get("plotly_chart"))
    for place, document in enumerate(documents):
        data, layout = drawn(document)
        shown = figure(app, place)
        assert data == shown["data"]
        assert layout["yaxis"]["ticktext"] == shown["layout"]["yaxis"]["ticktext"]
        assert b"<script src=" not in document
