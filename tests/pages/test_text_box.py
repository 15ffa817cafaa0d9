"""The text box without a browser: which edits are handed over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st

from pages.ui import text_box
from pages.ui.text_box import TextEdit
from tests.shared import records

Send = Callable[[object], None]


@pytest.fixture
def taken() -> list[TextEdit]:
    """The edits that the page was given."""
    return []


@pytest.fixture
def send(monkeypatch: pytest.MonkeyPatch, taken: list[TextEdit]) -> Send:
    """Draws a box with a text of version 3; sends what the browser would, before the next run."""
    session: dict[str, Any] = {}
    drawn: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", session)
    monkeypatch.setattr(text_box, "_component", lambda **arguments: drawn.update(arguments))
    text_box.text_box(key="box", text="before", version=3, label="Text", on_edit=taken.append)

    def sent(edit: object) -> None:
        session["box"] = {"edit": edit}
        drawn["on_edit_change"]()

    return sent


def edit(**changed: object) -> dict[str, object]:
    return {"text": "a\u0301 你", "version": 3, "had_cr": True, "lone_surrogates": 2} | changed


def test_an_edit_is_handed_over_before_the_run(send: Send, taken: list[TextEdit]) -> None:
    send(edit())
    assert taken == [TextEdit(text="a\u0301 你", version=3, had_cr=True, lone_surrogates=2)]


def test_the_same_edit_twice_is_two_edits(send: Send, taken: list[TextEdit]) -> None:
    send(edit(text="again"))
    send(edit(text="again"))
    assert [one.text for one in taken] == ["again", "again"]


@pytest.mark.parametrize(
    ("case", "text", "lone"),
    [
        ("C183", "\ufffd", 1),
        ("C185", "😀", 0),
        ("C186", "x\ufffdy", 1),
    ],
)
def test_half_surrogate_pairs_do_not_come_in(
    send: Send, taken: list[TextEdit], case: str, text: str, lone: int
) -> None:
    given = next(one["input"] for one in records("cases.json") if one["id"] == case)
    # The file's reader joins two halves; here they come apart.
    halves = given.encode("utf-16-le", "surrogatepass")
    apart = "".join(
        chr(int.from_bytes(halves[i : i + 2], "little")) for i in range(0, len(halves), 2)
    )
    send(edit(text=apart, lone_surrogates=0))
    assert [(one.text, one.lone_surrogates) for one in taken] == [(text, lone)]


@pytest.mark.parametrize(
    "value",
    [None, "text", {}, {"text": "a"}, edit(version=2), edit(version="x"), edit(version=None)],
    ids=["none", "no record", "empty", "parts missing", "stale", "no number", "no version"],
)
def test_what_is_no_edit_of_this_text_is_not(
    send: Send, taken: list[TextEdit], value: object
) -> None:
    send(value)
    assert taken == []
