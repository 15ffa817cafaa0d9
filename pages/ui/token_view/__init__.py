"""Draws one to four tokenizers' cut of the same text, windowed, in the browser.

>>> from pages.ui.token_view import Column, token_view

The text and the tokens go to the browser once; hovering, searching for equal tokens,
changing what is shown and how it is coloured happen there, without the server.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import streamlit as st

from pages.ui.palette import css_variables

from .pack import Check, Column, Figure, Headline, pack

__all__ = [
    "COLOURINGS",
    "FORMS",
    "Check",
    "ColourBy",
    "Column",
    "Figure",
    "Headline",
    "Layout",
    "OpenRequest",
    "ShowAs",
    "ViewChoice",
    "ViewResult",
    "last_columns",
    "token_view",
]

ShowAs = Literal["text", "ids", "bytes", "stand-ins"]
ColourBy = Literal["neighbour", "token", "rank", "length", "script"]
Layout = Literal["auto", "side", "stack"]
FORMS: Final[tuple[ShowAs, ...]] = ("text", "ids", "bytes", "stand-ins")
COLOURINGS: Final[tuple[ColourBy, ...]] = ("neighbour", "token", "rank", "length", "script")
MOST_COLUMNS: Final = 4

HERE = Path(__file__).parent
# One module in the browser, several files here: joined in this order, main last.
SCRIPTS: Final = (
    "unpack", "names", "draw", "bidi", "colour", "chunks", "windowed", "card", "light",
    "export", "headline", "keys", "column", "main",
)  # fmt: skip

_component = st.components.v2.component(
    "tokenarium_token_view",
    css=css_variables() + (HERE / "view.css").read_text(encoding="utf-8"),
    js="\n".join((HERE / "view" / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewChoice:
    """What is shown and how it is coloured."""

    show_as: ShowAs
    colour_by: ColourBy


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRequest:
    """Somebody asked why the text was cut here: a column and a token of it, from 0."""

    column: int
    token: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewResult:
    """What came back from the browser.

    ``choice`` is what the person sees now; ``opened`` is set in one run only, the one
    after "why this cut?" was chosen.
    """

    choice: ViewChoice
    opened: OpenRequest | None


@dataclass(slots=True)
class _Sent:
    """What this session last sent under a key, and from what it was made."""

    asked: ViewChoice
    choice: ViewChoice
    version: int
    shown: ViewChoice | None = None
    columns: tuple[Column, ...] = ()
    settings: dict[str, Any] | None = None
    blob: bytes = b""


def _choice(value: Any) -> ViewChoice | None:
    """Read a choice from what the browser says; None when it is not one."""
    try:
        show_as, colour_by = value["show_as"], value["colour_by"]
    except (KeyError, TypeError):
        return None
    if show_as not in FORMS or colour_by not in COLOURINGS:
        return None
    return ViewChoice(show_as=show_as, colour_by=colour_by)


def _open_request(value: Any, columns: Sequence[Column]) -> OpenRequest | None:
    """Read a request from what the browser says; None when it names no token."""
    try:
        column, token = int(value["column"]), int(value["token"])
    except (KeyError, TypeError, ValueError):
        return None
    if not 0 <= column < len(columns) or not 0 <= token < len(columns[column].ids):
        return None
    return OpenRequest(column=column, token=token)


def _state(key: str, field: str) -> Any:
    """Return a field of the component's state, None while it has none."""
    state = st.session_state.get(key)
    return None if state is None else state.get(field)


def _slot(key: str) -> str:
    return f"_token_view:{key}"


def _settle_choice(key: str, asked: ViewChoice) -> _Sent:
    """Decide which choice to send, without resending all data when the page echoes one.

    The browser's own switch is reported as state, and a page will pass that back to us.
    Sending it would change the data and send the text again, so what was sent stays
    until the page asks for something that is neither its last wish nor the browser's.
    """
    slot = _slot(key)
    sent: _Sent | None = st.session_state.get(slot)
    shown = _choice(_state(key, "view"))
    if sent is None:
        sent = _Sent(asked=asked, choice=asked, version=0)
    elif shown is None:  # the view is new in the page: it knows only what we send
        sent.choice = asked
    elif asked not in (sent.asked, shown, sent.shown):  # an echo may be one run late
        sent.choice, sent.version = asked, sent.version + 1
    sent.asked, sent.shown = asked, shown
    st.session_state[slot] = sent
    return sent


def _blob(sent: _Sent, columns: tuple[Column, ...], settings: dict[str, Any]) -> bytes:
    """Pack, or take what was packed in the last run when the same objects come again."""
    same = len(columns) == len(sent.columns) and all(
        one is other for one, other in zip(columns, sent.columns, strict=True)
    )
    if not (same and settings == sent.settings):
        sent.blob = pack(columns, settings=settings)
        sent.columns, sent.settings = columns, settings
    return sent.blob


def last_columns(key: str) -> tuple[Column, ...]:
    """What this session last drew under ``key``; nothing if it drew nothing yet."""
    sent: _Sent | None = st.session_state.get(_slot(key))
    return sent.columns if sent is not None else ()


def token_view(
    columns: Sequence[Column],
    *,
    key: str,
    show_as: ShowAs = "text",
    colour_by: ColourBy = "neighbour",
    projector: bool = False,
    layout: Layout = "auto",
    on_open: Callable[[OpenRequest], None] | None = None,
    can_open: bool = False,
    empty: str = "No text yet: its tokens appear here.",
    earlier: bool = False,
) -> ViewResult:
    """Draw the columns and return what the person chose in the browser.

    ``layout`` is "side" (columns side by side, one under the other on a narrow screen),
    "stack" (always one above the other) or "auto" (stack up to two, side for more).
    ``can_open`` offers "why this cut?" on a pinned token; ``on_open`` is called with it
    before the run in which it also is in the result. ``empty`` stands in place of an
    empty text. ``earlier`` draws without colours, as what is no longer so. Pass the same
    :class:`Column` objects again to spare the packing.
    """
    if not 1 <= len(columns) <= MOST_COLUMNS:
        raise ValueError(f"one to {MOST_COLUMNS} columns can be drawn, not {len(columns)}")
    frozen = tuple(columns)
    sent = _settle_choice(key, ViewChoice(show_as=show_as, colour_by=colour_by))
    settings = {
        "showAs": sent.choice.show_as,
        "colourBy": sent.choice.colour_by,
        "choiceVersion": sent.version,
        "projector": projector,
        "layout": layout,
        "canOpen": can_open,
        "empty": empty,
        "earlier": earlier,
    }

    def opened() -> None:
        request = _open_request(_state(key, "open"), frozen)
        if on_open is not None and request is not None:
            on_open(request)

    result = _component(
        key=key,
        data=_blob(sent, frozen, settings),
        on_view_change=lambda: None,
        on_open_change=opened,
    )
    return ViewResult(
        choice=_choice(result.get("view")) or sent.choice,
        opened=_open_request(result.get("open"), frozen),
    )
