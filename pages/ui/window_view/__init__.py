"""Windows over the tokens of a text: what is read, and one place on what should be said.

>>> from pages.ui.window_view import ViewToken, ViewWindow, window_view

A column is a place of the text, so windows that share tokens stand one below the other there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import streamlit as st

from pages.ui.merge_player import drawn_style
from pages.ui.token_view.pack import code_point_names

__all__ = ["ViewToken", "ViewWindow", "window_view"]

HERE = Path(__file__).parent
DRAWING: Final = HERE.parent / "token_view" / "view"
TOKENS: Final = HERE.parent / "merge_player" / "player"
# One module in the browser, several files here: joined in this order, main last.
_SCRIPTS: Final = (
    DRAWING / "names.js",
    DRAWING / "draw.js",
    TOKENS / "block.js",
    TOKENS / "tokens.js",
    HERE / "view.js",
)

_component = st.components.v2.component(
    "tokenarium_window_view",
    css=drawn_style() + (HERE / "view.css").read_text(encoding="utf-8"),
    js="\n".join(file.read_text(encoding="utf-8") for file in _SCRIPTS),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewToken:
    """A token at a place of the text, counted from 0."""

    place: int
    id: int
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewWindow:
    """A window: ``number`` from 1, the place where it begins, how many tokens it reads.

    ``part`` is ``"training"``, ``"test"``, or empty where nothing is divided.
    """

    number: int
    start: int
    length: int
    part: str = ""


def window_view(
    tokens: Sequence[ViewToken],
    windows: Sequence[ViewWindow],
    *,
    key: str,
    label: str,
    shared: Collection[int] = (),
    projector: bool = False,
) -> None:
    """Draw the windows over those tokens; what lies outside of them is left out.

    ``label`` says what the picture shows, for reading aloud; ``shared`` are places to be marked as
    standing in windows of both parts.
    """
    data = {
        "tokens": [
            {"place": token.place, "id": token.id, "data": token.data.hex()} for token in tokens
        ],
        "windows": [
            {"number": one.number, "start": one.start, "length": one.length, "part": one.part}
            for one in windows
        ],
        "shared": sorted(shared),
        "label": label,
        "projector": projector,
        "names": code_point_names([token.data.decode(errors="ignore") for token in tokens]),
    }
    _component(key=key, data=data)
