"""A prompt as one sequence of tokens, each with the mark and colour of where it came from.

>>> from pages.ui.origin_view import Legend, OriginToken, OriginItem, origin_view

Pointing and stepping from token to token happen in the browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import streamlit as st

from pages.ui.merge_player import drawn_style
from pages.ui.token_view.pack import code_point_names

__all__ = ["Legend", "OriginItem", "OriginToken", "origin_view"]

HERE = Path(__file__).parent
DRAWING: Final = HERE.parent / "token_view" / "view"
# One module in the browser, several files here: joined in this order, main last.
_SCRIPTS: Final = (
    DRAWING / "names.js", DRAWING / "draw.js", DRAWING / "bidi.js", HERE / "view.js",
)  # fmt: skip


_component = st.components.v2.component(
    "tokenarium_origin_view",
    css=drawn_style() + (HERE / "view.css").read_text(encoding="utf-8"),
    js="\n".join(file.read_text(encoding="utf-8") for file in _SCRIPTS),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginToken:
    """One token.

    ``origin`` is a word that the style knows; ``who`` says it in full; ``what`` what kind of token
    it is; ``place`` counts from 1; ``forged`` marks a control token that a message spells.
    """

    place: int
    id: int | None
    data: str
    origin: str
    who: str
    what: str
    control: bool = False
    forged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginItem:
    """Whole characters and the tokens that make them; none where they were dropped.

    ``who`` begins a stretch where it is new.
    """

    text: str
    who: str
    tokens: tuple[OriginToken, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Legend:
    """An origin, what it is called, and how many tokens are of it."""

    origin: str
    words: str
    count: int


def origin_view(
    items: Sequence[OriginItem],
    *,
    key: str,
    total: int,
    unit: str = "tokens",
    detail: str = "",
    legend: Sequence[Legend] = (),
    left_out: int = 0,
    gap_after: int = -1,
    label: str = "The prompt, token by token",
    projector: bool = False,
) -> None:
    """Draw the tokens.

    ``total`` is the large number, ``detail`` a few words beside it. ``left_out`` tokens after item
    ``gap_after`` are not drawn. ``label`` is what a screen reader says.
    """
    data = {
        "items": [asdict(item) for item in items],
        "total": total,
        "unit": unit,
        "detail": detail,
        "legend": [asdict(entry) for entry in legend],
        "leftOut": left_out,
        "gapAfter": gap_after,
        "label": label,
        "projector": projector,
        "names": code_point_names([item.text for item in items]),
    }
    _component(key=key, data=data, height="content")
