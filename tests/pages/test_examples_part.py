"""From ids to training examples and vectors: what is drawn, said, and written to files."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from engine.vocabulary_size import vocabulary_size
from engine.windows import one_hot_product, rows_of, split_after, split_before, windows
from pages.ui.prompt import examples, vectors
from pages.ui.settings import LinkError
from pages.ui.token_rows import as_csv
from tests.pages.running import said
from tests.shared import records, tokenizer

FIGURES = {record["id"]: record for record in records("figures.json")}
TEXT = "the cat and the dog and the cat"


def part(name: str = "qwen3", text: str = TEXT, **asked: str) -> AppTest:
    """A page that has this part alone."""

    def script(name: str, text: str) -> None:
        from pages.ui import state
        from pages.ui.prompt.examples import SETTINGS, show_examples
        from pages.ui.tokenizers import tokenizer as own

        state.read_link(SETTINGS)
        show_examples(name, own(name).encode(text).ids)  # type: ignore[arg-type]
        state.write_link(SETTINGS, with_text=False)

    app = AppTest.from_function(script, default_timeout=60, args=(name, text))
    for word, value in asked.items():
        app.query_params[word] = value
    app.run()
    assert not app.exception
    return app


def views(app: AppTest) -> list[dict[str, Any]]:
    """What the pictures get, in the order of the page."""
    return [
        json.loads(e.proto.json)
        for e in app.get("bidi_component")
        if "window_view" in e.proto.component_name
    ]


def ids_of(view: dict[str, Any]) -> list[list[list[int]]]:
    """Inputs and targets of the drawn windows, in ids."""
    at = {token["place"]: token["id"] for token in view["tokens"]}
    return [
        [[at[one["start"] + k + shift] for k in range(one["length"])] for shift in (0, 1)]
        for one in view["windows"]
    ]


@pytest.mark.parametrize(("figure", "stride"), [("C-window", "2"), ("C-window-disjoint", "4")])
def test_the_published_windows(figure: str, stride: str) -> None:
    app = part(over="10-19", context="4", stride=stride)
    assert ids_of(views(app)[0]) == FIGURES[figure]["value"]
    found = windows(range(10, 20), context=4, stride=int(stride))
    pairs = [[one["inputs"], one["targets"]] for one in json.loads(examples.windows_as_json(found))]
    assert pairs == FIGURES[figure]["value"]


def test_windows_of_real_tokens() -> None:
    ids = tokenizer("qwen3").encode(TEXT).ids
    app = part(context="3", stride="3")
    assert ids_of(views(app)[0]) == [[ids[0:3], ids[1:4]], [ids[3:6], ids[4:7]]]
    assert views(app)[0]["tokens"][1] == {"place": 1, "id": ids[1], "data": b" cat".hex()}
    assert "8 tokens give 2 windows of 3 with targets. No token is read twice." in said(app)
    assert "At the end 1 token is left over." in said(app)


def test_the_right_split_and_the_wrong_one() -> None:
    app = part(context="2", stride="1", training="50")
    _, right, wrong = views(app)
    assert right["shared"] == []
    # Windows over places 0..2, 1..3, 2..4 and 3..5, 4..6, 5..7: 3 and 4 are in both.
    assert wrong["shared"] == [3, 4]
    assert [one["part"] for one in right["windows"]] == ["training", "training", "test", "test"]
    assert "Right: the tokens are split first" in said(app)
    assert "2 tokens stand in both parts" in said(app)


def test_the_shared_places_are_as_many_as_the_engine_counts() -> None:
    for context, stride in ((4, 2), (4, 4), (3, 5), (8, 1)):
        for cut in (split_before, split_after):
            split = cut(range(60), 0.7, context=context, stride=stride)
            assert len(examples.shared_places(split)) == split.shared


def test_a_part_that_is_too_short_is_said() -> None:
    assert "The test part is too short for a window" in said(part(over="10-19"))
    app = part(text="hi", context="4")
    assert "needs" not in said(app)
    assert "A window of 4 tokens and its targets need 5 tokens; here there is one." in said(app)
    assert views(app) == []


def test_looking_up_is_multiplying() -> None:
    """Against numpy, on the ids of the text."""
    ids = tokenizer("qwen3").encode(TEXT).ids
    table = vectors.small_table(ids)  # type: ignore[arg-type]
    order, rows = list(table), list(table.values())
    places = [order.index(token_id) for token_id in ids if token_id in table]
    array = np.array(rows)
    by_numpy = np.eye(len(rows))[places] @ array
    assert np.array_equal(by_numpy, array[places])
    assert [list(row) for row in one_hot_product(rows, places)] == by_numpy.tolist()
    assert rows_of(rows, places) == one_hot_product(rows, places)
    app = part()
    one_hot, small, product = (app.dataframe[place].value for place in range(3))
    multiplied = one_hot.to_numpy()[:, 1:].astype(float) @ small.to_numpy()[:, 1:].astype(float)
    assert np.allclose(multiplied, product.to_numpy()[:, 1:].astype(float))
    assert "✓ The product is the rows looked up" in said(app)


def test_the_same_token_twice_is_the_same_row() -> None:
    app = part()
    assert "␣and at places 3 and 6 gives the same row twice" in said(app)
    twice = app.dataframe[3].value
    assert twice["row of the token"].nunique() == 1
    assert twice["row of the place"].nunique() == 2
    assert twice["sum"].nunique() == 2
    assert "No token stands here twice" in said(part(over="10-19"))
    assert vectors.first_twice([1, 2, 3]) is None


def test_the_size_of_the_table() -> None:
    """156 M of 600 M, as published."""
    rows, width = json.loads(FIGURES["C-emb-size"]["input"])
    app = part()
    assert f"{rows:,} rows × {width:,} numbers = 155,582,464 numbers" in said(app)
    assert "267 rows are never used" in said(app)
    assert "156 M of 600 M" in said(app).replace("\\", "")
    tokens = vocabulary_size(tokenizer("cl100k_base")).tokens
    assert f"a row for each token of X: {tokens:,} rows × 2" in vectors.size_words(
        tokenizer("cl100k_base"), "X", 0, 2
    )
    assert vectors.size_words(tokenizer("gpt2"), "X", 10, 2).startswith("The whole table: 10 rows")


def test_settings_are_in_the_link() -> None:
    app = part(context="3", stride="5", training="60", over="10-19")
    for word, value in (("context", "3"), ("stride", "5"), ("training", "60"), ("over", "10-19")):
        assert app.query_params[word] == value
    assert part().query_params == {}
    with pytest.raises(LinkError):
        examples.CONTEXT.read("0")


def test_windows_as_a_table() -> None:
    found = windows(range(10, 20), context=2, stride=4)
    table = list(
        csv.DictReader(
            io.StringIO(as_csv(examples.window_rows(tokenizer("qwen3"), found)).decode("utf-8-sig"))
        )
    )
    assert [(row["inputs"], row["targets"]) for row in table] == [
        ("10 11", "11 12"),
        ("14 15", "15 16"),
    ]
    assert table[1]["input tokens"] == "/|0"


def test_words_about_windows() -> None:
    found = windows(range(20), context=3, stride=5)
    assert "Between them 2 tokens are read by none" in examples.window_words(20, found, 3, 5)


def test_many_ids_are_bounded() -> None:
    app = part(text="a b " * 3_000, name="gpt2", context="256", stride="1")
    assert "The first 4,000 of 6,001 tokens are used." in said(app)
    assert len(views(app)[0]["tokens"]) == examples.PLACES
