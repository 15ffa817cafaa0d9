"""A button that puts a text on the clipboard of the reader and tells Python that it was pressed.

>>> from pages.ui.copy_button import copy_button

Only the browser can reach the clipboard, and only within a click.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pages.ui import state
from pages.ui.palette import css_variables

__all__ = ["copy_button"]

HERE = Path(__file__).parent

_component = st.components.v2.component(
    "tokenarium_copy_button",
    css=css_variables() + (HERE / "button.css").read_text(encoding="utf-8"),
    js=(HERE / "button.js").read_text(encoding="utf-8"),
)


def copy_button(label: str, text: str, *, key: str, on_copy: Callable[[], None]) -> None:
    """Show the button; ``on_copy`` is called before the run that a press starts.

    A press is a growing number in the browser's state, and no event: Streamlit may give up a run
    for a newer message before it has called back, and the event would be lost. The newer message
    still has the number; then the page is run once more after ``on_copy``.
    """
    taken_under = f"presses taken:{key}"

    def take(number: object) -> bool:
        if not isinstance(number, int) or number <= (state.recall(taken_under) or 0):
            return False
        state.remember(taken_under, number)
        on_copy()
        return True

    def pressed() -> None:
        take(state.recall(key).get("pressed"))

    result = _component(key=key, data={"label": label, "text": text}, on_pressed_change=pressed)
    if take(result.get("pressed")):
        st.rerun()
