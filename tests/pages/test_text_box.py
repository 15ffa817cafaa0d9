"""The text box without a browser: which edits are handed over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st

from pages.ui import text_box
from pages.ui.text_box import TextEdit
from tests.shared import records

Say = Callable[..., None]


@pytest.fixture
def taken() -> list[TextEdit]:
    """The edits that the page was given."""
    return []


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch, taken: list[TextEdit]) -> Say:
    """Draws a box with a text of version 3; then a browser says what a run begins with."""
    session: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", session)
    monkeypatch.setattr(text_box, "_component", lambda **_: None)
    text_box.text_box(key="box", text="before", version=3, label="Text", on_edit=taken.append)

    def said(**edits: object) -> None:
        session["box"] = edits
        text_box.take_edits()

    return said


def edit(**changed: object) -> dict[str, object]:
    return {
        "text": "a\u0301 你", "version": 3, "had_cr": True, "lone_surrogates": 2, "number": 7,
    } | changed  # fmt: skip


@pytest.mark.parametrize("way", ["edit", "event"])
def test_an_edit_is_handed_over_once(say: Say, taken: list[TextEdit], way: str) -> None:
    for _ in range(3):
        say(**{way: edit()})
    assert taken == [TextEdit(text="a\u0301 你", version=3, had_cr=True, lone_surrogates=2)]


def test_the_same_text_sent_again_is_another_edit(say: Say, taken: list[TextEdit]) -> None:
    say(edit=edit(text="again", number=8))
    say(edit=edit(text="again", number=9))
    assert [one.text for one in taken] == ["again", "again"]


def test_of_a_short_and_a_long_edit_the_newer_one_counts(say: Say, taken: list[TextEdit]) -> None:
    say(edit=edit(text="short", number=1))
    say(edit=edit(text="short", number=1), event=edit(text="long", number=2))
    say(edit=edit(text="short", number=1))
    say(edit=edit(text="short again", number=3), event=edit(text="long", number=2))
    assert [one.text for one in taken] == ["short", "long", "short again"]


def test_an_edit_of_a_box_that_is_not_there_is_none(say: Say, taken: list[TextEdit]) -> None:
    del st.session_state["_text_boxes"]
    say(edit=edit())
    assert taken == []


def test_a_run_given_up_while_it_takes_an_edit_leaves_it_to_the_next(
    say: Say, taken: list[TextEdit]
) -> None:
    def given_up(_: TextEdit) -> None:
        raise RuntimeError

    boxes = st.session_state["_text_boxes"]
    boxes["box"].on_edit = given_up
    with pytest.raises(RuntimeError):
        say(edit=edit())
    boxes["box"].on_edit = taken.append
    say(edit=edit())
    assert len(taken) == 1


@pytest.mark.parametrize(
    ("case", "text", "lone"),
    [
        ("C183", "\ufffd", 1),
        ("C185", "😀", 0),
        ("C186", "x\ufffdy", 1),
    ],
)
def test_half_surrogate_pairs_do_not_come_in(
    say: Say, taken: list[TextEdit], case: str, text: str, lone: int
) -> None:
    given = next(one["input"] for one in records("cases.json") if one["id"] == case)
    # The file's reader joins two halves; here they come apart.
    halves = given.encode("utf-16-le", "surrogatepass")
    apart = "".join(
        chr(int.from_bytes(halves[i : i + 2], "little")) for i in range(0, len(halves), 2)
    )
    say(edit=edit(text=apart, lone_surrogates=0))
    assert [(one.text, one.lone_surrogates) for one in taken] == [(text, lone)]


@pytest.mark.parametrize(
    "value",
    [
        None,
        "text",
        {},
        {"text": "a"},
        edit(version=2),
        edit(version="x"),
        edit(version=None),
        edit(number="x"),
    ],
    ids=["none", "no record", "empty", "parts missing", "stale", "no version", "none", "no number"],
)
def test_what_is_no_edit_of_this_text_is_not(
    say: Say, taken: list[TextEdit], value: object
) -> None:
    say(edit=value)
    assert taken == []
