"""A button that puts a text on the clipboard of the reader and tells Python that it was pressed.

>>> from pages.ui.copy_button import copy_button

Only the browser can reach the clipboard, and only within a click.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pages.ui.palette import css_variables

__all__ = ["copy_button"]

HERE = Path(__file__).parent

_component = st.components.v2.component(
    "tokenarium_copy_button",
    css=css_variables() + (HERE / "button.css").read_text(encoding="utf-8"),
    js=(HERE / "button.js").read_text(encoding="utf-8"),
)


def copy_button(label: str, text: str, *, key: str, on_copy: Callable[[], None]) -> None:
    """Show the button; ``on_copy`` is called before the run that a press starts."""
    _component(key=key, data={"label": label, "text": text}, on_pressed_change=on_copy)
