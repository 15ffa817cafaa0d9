"""Widgets and what is set: which of two late messages is a choice."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from pages.ui import state
from pages.ui.settings import LinkError, whole_number
from pages.ui.state import Binding


class Page:
    """A page with one widget, and a browser that says what it shows there."""

    def __init__(self, session: dict[str, Any]) -> None:
        self.session = session
        self.chosen: list[object] = []

    def draws(self, value: object) -> Binding:
        """A run of the page."""
        return state.widget("name", value, self.chosen.append)

    def browser_says(self, value: object, drawn: Binding) -> None:
        """A message that comes from a screen on which ``drawn`` is."""
        self.session[drawn["key"]] = value
        drawn["on_change"]()


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Page:
    session: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", session)
    return Page(session)


def test_a_choice_is_told_and_the_widget_stays(page: Page) -> None:
    first = page.draws("a")
    page.browser_says("b", first)
    assert page.chosen == ["b"]
    second = page.draws("b")
    assert second["key"] == first["key"]
    assert page.session[second["key"]] == "b"


def test_the_old_value_from_an_old_screen_is_no_choice(page: Page) -> None:
    first = page.draws("a")
    second = page.draws("set by the page")
    assert second["key"] != first["key"]
    page.browser_says("a", first)
    assert page.chosen == []
    assert page.session[second["key"]] == "set by the page"


def test_another_value_from_an_old_screen_is_a_choice(page: Page) -> None:
    first = page.draws("a")
    page.draws("set by the page")
    page.browser_says("b", first)
    assert page.chosen == ["b"]


def test_the_value_before_can_be_chosen_again(page: Page) -> None:
    page.draws("a")
    second = page.draws(None)
    page.browser_says("a", second)
    assert page.chosen == ["a"]


def test_no_choice_keeps_what_was_chosen(page: Page) -> None:
    first = page.draws("a")
    page.browser_says(None, first)
    assert page.chosen == []
    second = page.draws("a")
    assert second["key"] == first["key"]
    assert page.session[second["key"]] == "a"


def test_a_whole_number_of_a_link() -> None:
    setting = whole_number("n", 3, least=1, most=5)
    assert [setting.read(text) for text in ("1", "5", "05")] == [1, 5, 5]
    for text in ("", "0", "6", "-1", "5.0", "٣", "1e3", "0" * 30 + "3"):
        with pytest.raises(LinkError, match="there is 1 to 5"):
            setting.read(text)
