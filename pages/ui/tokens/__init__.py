"""The parts of the Tokens page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import streamlit as st

from pages.ui import state
from pages.ui.settings import PROJECTOR
from pages.ui.tokens import settings
from pages.ui.tokens.ids import show_ids
from pages.ui.tokens.text import show_text
from pages.ui.tokens.vocabulary import show_vocabulary

_PARTS: Final[dict[str, tuple[str, Callable[[], None]]]] = {
    "text": ("Text to tokens", show_text),
    "ids": ("Ids to text", show_ids),
    "vocabulary": ("Vocabulary", show_vocabulary),
}


def show() -> None:
    """The part that is chosen, below the switch between them."""
    if state.get(PROJECTOR) == "off":
        st.segmented_control(
            "Part",
            list(_PARTS),
            format_func=lambda part: _PARTS[part][0],
            label_visibility="collapsed",
            required=True,
            **state.bound(settings.PART),
        )
    _, draw = _PARTS.get(state.get(settings.PART), _PARTS["text"])
    draw()
