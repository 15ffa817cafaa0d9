"""The parts of the Tokens page: ids to text, vocabulary, ways to cut."""

from __future__ import annotations

import csv
import io

import pytest
from streamlit.testing.v1 import AppTest

from engine import count_graphemes
from pages.ui.settings import pack_text
from pages.ui.token_rows import as_csv, rows, safe_cell, visible
from pages.ui.way_columns import SHOWN_CHARACTERS, beginning, way_columns
from tests.pages.running import said, settled
from tests.shared import ROOT, tokenizer


def page(**words: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for word, value in words.items():
        app.query_params[word] = value
    return settled(app)


def test_ids_open_on_a_greeting() -> None:
    app = page(part="ids")
    assert "Xin chào!" in app.code[0].value
    assert "✓ Text equal to that of tiktoken" in said(app)
    assert "✓ Encoding this text gives these ids again." in said(app)


def test_ids_of_the_link_are_shown() -> None:
    app = page(part="ids", t="qwen3", ids="[9707, 151669]")
    assert app.code[0].value == "Hello"
    assert "No. 2 of 2 stands for no token: 151669 is a row of the model's table" in said(app)


def test_several_unknown_ids_are_listed() -> None:
    app = page(part="ids", t="cl100k_base", ids="100256 -1 4294967296 57668")
    assert "3 of 4 numbers stand for no token of cl100k_base" in said(app)
    assert list(app.dataframe[0].value["id"]) == ["100256", "-1", "4294967296"]


def test_stray_bytes_are_said() -> None:
    app = page(part="ids", t="cl100k_base", ids="246 15960")
    assert "One token has bytes that make no character" in said(app)
    assert app.code[0].value == "\ufffd hi"
    assert app.dataframe[0].value["bytes of the token"][0] == "98"


def test_other_ids_of_the_same_text() -> None:
    app = page(part="ids", t="cl100k_base", ids="71 72")
    assert "Encoding this text gives other ids" in said(app)


@pytest.mark.parametrize("ids", ["1, two", "0x10", "1.5"])
def test_what_is_no_id_is_one_sentence(ids: str) -> None:
    assert "is no whole number." in said(page(part="ids", ids=ids))


def test_vocabulary_opens_on_an_example() -> None:
    app = page(part="vocabulary", t="qwen3")
    words = said(app).replace("\\", "")
    assert "151,643 in the table + 26 added = 151,669 tokens" in words
    assert "151,936 rows in the model's table, 267 never used (151,936 = 1,187 × 128)" in words
    assert "This is an example." in words
    assert set(app.dataframe[0].value["text"][:2]) == {"token", "␣token"}


@pytest.mark.parametrize(
    ("by", "query", "first"),
    [
        ("text", " the", 262),
        ("bytes", "20 74 68 65", 262),
        ("id", "262-270", 262),
        ("pattern", "^ the$", 262),
        ("special", "", 50_256),
    ],
)
def test_searches(by: str, query: str, first: int) -> None:
    app = page(part="vocabulary", t="gpt2", by=by, q=query)
    assert app.dataframe[0].value["id"][0] == first


def test_script_and_longest() -> None:
    app = page(part="vocabulary", t="gpt2", by="script", q="Cyrillic")
    assert app.dataframe[0].value["text"].str.contains("а|о|е").any()
    app = page(part="vocabulary", t="gpt2", by="longest")
    assert len(app.dataframe[0].value) == 1_000
    assert app.dataframe[0].value["bytes"][0] == 128


@pytest.mark.parametrize(
    ("by", "query", "sentence"),
    [
        ("pattern", "[", "The pattern cannot be read"),
        ("bytes", "xyz", "is no hexadecimal"),
        ("script", "Klingon", "There is no script"),
        ("id", "50257", "past the end of gpt2"),
    ],
)
def test_a_question_without_an_answer_says_why(by: str, query: str, sentence: str) -> None:
    assert sentence in said(page(part="vocabulary", t="gpt2", by=by, q=query))


def test_another_kind_of_question_begins_empty() -> None:
    app = page(part="vocabulary", t="gpt2", q="the")
    assert app.text_input[0].value == "the"
    app.button_group(key="widget:by").set_value("bytes").run()
    assert not app.exception
    assert app.text_input[0].value == ""


def test_invisible_characters_can_be_seen() -> None:
    assert visible("a\u200b\u00a0\t\x00\u202e".encode()) == "a[ZWSP][NBSP]⇥␀[RLO]"
    assert visible("\u0301x".encode()) == "◌\u0301x"
    assert visible(b" \xe4\xbdok\xff") == "␣‹e4bd›ok‹ff›"
    assert visible("\U000e0041".encode()) == "[U+E0041]"


def test_csv_runs_no_formula() -> None:
    for text in ("=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "＝1"):
        assert safe_cell(text) == f"'{text}"
    subject = tokenizer("cl100k_base")
    table = list(csv.reader(io.StringIO(as_csv(rows(subject, range(100_256))).decode("utf-8-sig"))))
    assert len(table) == 100_257
    assert not [cell for row in table for cell in row if cell[:1] in tuple("=+-@\t\r\n")]


def test_ways_cover_the_same_text() -> None:
    text = "Việt Nam, e\u0301 👩‍💻 你好\r\n"
    columns = way_columns(text)
    for column in columns:
        assert column.ends_byte[-1] == len(text.encode())
        assert sum(column.closes) <= count_graphemes(text)
    assert sum(columns[0].closes) == sum(columns[1].closes) == count_graphemes(text)


def test_the_beginning_ends_between_graphemes() -> None:
    assert beginning("abc") == "abc"
    assert len(beginning("a" * 1_000)) == SHOWN_CHARACTERS
    text = "a" * (SHOWN_CHARACTERS - 1) + "e\u0301" * 50
    assert beginning(text) == "a" * (SHOWN_CHARACTERS - 1)


def test_an_empty_file_changes_nothing() -> None:
    app = page(x=pack_text("kept") or "")
    uploader = next(one for one in app.file_uploader if one.key == "widget:file")
    uploader.set_value(("none.txt", b"", "text/plain")).run()
    assert not app.exception
    assert "none.txt is empty" in said(app)
    assert app.query_params["x"] == pack_text("kept")
