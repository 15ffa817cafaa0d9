"""The Cost page, put together."""

from __future__ import annotations

from typing import Final

import streamlit as st

from pages.ui import state
from pages.ui.cost import settings
from pages.ui.cost.languages import show_languages
from pages.ui.cost.money import show_money
from pages.ui.cost.numbers import show_numbers
from pages.ui.cost.own import show_own
from pages.ui.settings import PROJECTOR

_SHOW: Final = {
    "texts": show_languages, "money": show_money, "numbers": show_numbers, "own": show_own,
}  # fmt: skip


def show() -> None:
    """The chosen part; in projector mode its picture alone."""
    if state.get(PROJECTOR) == "off":
        st.segmented_control(
            "Part of the page",
            tuple(settings.PARTS),
            format_func=settings.PARTS.__getitem__,
            required=True,
            label_visibility="collapsed",
            **state.bound(settings.PART),
        )
    _SHOW[state.get(settings.PART)]()
