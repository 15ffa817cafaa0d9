"""A text box that answers while somebody types, and that keeps every character.

>>> from pages.ui.text_box import TextEdit, text_box

Streamlit's own text area waits for a blur, loses its connection on a lone surrogate and
drops a paste that is too long without a word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import streamlit as st

from pages.ui.palette import css_variables

__all__ = ["TextEdit", "take_edits", "text_box"]

HERE = Path(__file__).parent
PAUSE_MS: Final = 250
# An edit is kept in the browser's state and comes with every message; a long one would be sent
# again and again, so it is an event, which comes once.
LONG_CHARACTERS: Final = 10_000
_WAYS: Final = ("edit", "event")

_component = st.components.v2.component(
    "tokenarium_text_box",
    css=css_variables() + (HERE / "box.css").read_text(encoding="utf-8"),
    js=(HERE / "box.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextEdit:
    """What was typed or pasted.

    ``version`` is that of the text the person began from. ``had_cr`` says that pasted
    text had carriage returns, which the browser has turned into line feeds.
    ``lone_surrogates`` were replaced by U+FFFD, since no UTF-8 exists for them.
    """

    text: str
    version: int
    had_cr: bool
    lone_surrogates: int


@dataclass(slots=True, kw_only=True)
class _Sent:
    """What this session last put into the box under a key, and which edit it last took from it."""

    version: int
    text: str | None
    serial: int
    taken: int = 0
    on_edit: Callable[[TextEdit], None]


def _boxes() -> dict[str, _Sent]:
    """The boxes of this session, by key."""
    boxes: dict[str, _Sent] = st.session_state.setdefault("_text_boxes", {})
    return boxes


def take_edits() -> None:
    """Hand over what was typed or pasted since the last run; every run calls this first.

    Streamlit may give up a run for a newer message before it has called back. Each message has
    the last edit, so the run of the newer one still finds it, whatever that run is about.
    """
    for key in _boxes():
        _take(key)


def _take(key: str) -> None:
    """Hand over the newest edit of a box, once."""
    sent, state = _boxes()[key], st.session_state.get(key)
    if state is None:
        return
    found = [_read(state.get(way), sent.version) for way in _WAYS]
    number, edit = max(filter(None, found), key=lambda one: one[0], default=(0, None))
    if edit is not None and number > sent.taken:
        sent.on_edit(edit)
        sent.taken = number


def _read(value: Any, version: int) -> tuple[int, TextEdit] | None:
    """Read an edit and its number from what the browser says; None for none, or a stale one."""
    try:
        number = int(value["number"])
        text, lone = _whole(str(value["text"]))
        edit = TextEdit(
            text=text,
            version=int(value["version"]),
            had_cr=bool(value["had_cr"]),
            lone_surrogates=int(value["lone_surrogates"]) + lone,
        )
    except (KeyError, TypeError, ValueError):
        return None
    return (number, edit) if edit.version == version else None


def _whole(text: str) -> tuple[str, int]:
    """The text with U+FFFD for each half of a surrogate pair, and how many there were.

    The box has done so already; but what comes is JSON, which can say them, and nothing after
    this place could.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        # Two halves that belong together become their character.
        whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return whole, whole.count("\ufffd") - text.count("\ufffd")
    return text, 0


def _settle_text(
    key: str, text: str | None, version: int, on_edit: Callable[[TextEdit], None]
) -> _Sent:
    """Decide what text the browser gets: the same as before unless the version changed.

    A page passes back what was typed; sending that would upload and draw it again while
    the person types on. Only a box that is new in the page (``key`` has no state: the
    person was on another page) is filled afresh.
    """
    sent = _boxes().get(key)
    if sent is None:
        sent = _Sent(version=version, text=text, serial=0, on_edit=on_edit)
    elif sent.version != version or key not in st.session_state:
        sent = replace(sent, version=version, text=text, serial=sent.serial + 1)
    sent.on_edit = on_edit
    _boxes()[key] = sent
    return sent


def text_box(
    *,
    key: str,
    text: str | None,
    version: int,
    label: str,
    placeholder: str = "Paste any text",
    max_bytes: int = 5_000_000,
    help: str = "",  # noqa: A002  # the name that Streamlit uses
    autofocus: bool = False,
    projector: bool = False,
    height: int = 168,
    on_edit: Callable[[TextEdit], None],
) -> None:
    """Show the box; ``on_edit`` is called with each edit before the run that it starts.

    The server sets the text only when ``version`` changes (a sample, a permalink, an
    upload); None leaves the box empty. ``max_bytes`` of UTF-8 is the most that is sent;
    above it the box says so and keeps everything. ``height`` is in pixels.

    Nothing is returned: the next click may cut a run short before it comes to the box, or lead to
    where there is no box, and an edit read from a result would be lost.
    """
    sent = _settle_text(key, text, version, on_edit)
    data = {
        "box": key,
        "text": sent.text,
        "version": sent.version,
        "serial": sent.serial,
        "label": label,
        "placeholder": placeholder,
        "maxBytes": max_bytes,
        "help": help,
        "autofocus": autofocus,
        "projector": projector,
        "height": height,
        "pauseMs": PAUSE_MS,
        "eventFrom": LONG_CHARACTERS,
    }

    def edited() -> None:
        _take(key)

    _component(key=key, data=data, on_edit_change=edited, on_event_change=edited)
