"""The pieces of a text in a row, each with the branch of the split pattern that took it.

>>> from pages.ui.piece_strip import StripPiece, StripStep, piece_strip

A piece is chosen by a click or by the arrow keys and Enter; Python hears its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import streamlit as st

from pages.ui.merge_player import drawn_style
from pages.ui.token_view.pack import code_point_names

__all__ = ["StripPiece", "StripStep", "piece_strip"]

HERE = Path(__file__).parent
DRAWING: Final = HERE.parent / "token_view" / "view"
# One module in the browser, several files here: joined in this order, main last.
_SCRIPTS: Final = (DRAWING / "names.js", DRAWING / "draw.js", HERE / "strip.js")


_component = st.components.v2.component(
    "tokenarium_piece_strip",
    css=drawn_style() + (HERE / "strip.css").read_text(encoding="utf-8"),
    js="\n".join(file.read_text(encoding="utf-8") for file in _SCRIPTS),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StripPiece:
    """A piece as it is drawn.

    ``place`` is its place in the text; ``kind`` is ``"piece"``, ``"dropped"`` or ``"added"`` (an
    added token); ``took`` are the step and branch (from 0) of the last step in which a branch took
    it, None if none did; ``tokens`` how many tokens it becomes.
    """

    place: int
    text: str
    kind: str
    took: tuple[int, int] | None
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StripStep:
    """A step of the splitting: its pattern or name, what it does, and its branches.

    A branch is its source, its sentence, and how many of the drawn pieces it took.
    """

    source: str
    words: str
    branches: tuple[tuple[str, str, int], ...]


def piece_strip(
    pieces: Sequence[StripPiece],
    steps: Sequence[StripStep],
    *,
    key: str,
    chosen: int,
    total: str,
    projector: bool = False,
    on_choose: Callable[[int], None],
) -> None:
    """Draw the pieces and, below them, the branches; ``on_choose`` hears the place of a piece.

    ``chosen`` is the place of the marked piece; ``total`` says how many pieces there are.
    """

    def heard() -> None:
        state = st.session_state.get(key)
        place: Any = None if state is None else state.get("chosen")
        if isinstance(place, int | float) and place >= 0:
            on_choose(int(place))

    data = {
        "pieces": [asdict(piece) for piece in pieces],
        "steps": [asdict(step) for step in steps],
        "chosen": chosen,
        "total": total,
        "projector": projector,
        "names": code_point_names([piece.text for piece in pieces]),
    }
    _component(key=key, data=data, on_chosen_change=heard)
