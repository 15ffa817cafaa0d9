"""A text box that answers while somebody types, and that keeps every character.

>>> from pages.ui.text_box import TextEdit, text_box

Streamlit's own text area waits for a blur, loses its connection on a lone surrogate and
drops a paste that is too long without a word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import streamlit as st

from pages.ui.palette import css_variables

__all__ = ["TextEdit", "text_box"]

HERE = Path(__file__).parent
PAUSE_MS: Final = 250

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


@dataclass(slots=True)
class _Sent:
    """What this session last put into the box under a key."""

    version: int
    text: str | None
    serial: int


def _read(value: Any, version: int) -> TextEdit | None:
    """Read an edit from what the browser says; None when there is none, or a stale one."""
    try:
        text, lone = _whole(str(value["text"]))
        edit = TextEdit(
            text=text,
            version=int(value["version"]),
            had_cr=bool(value["had_cr"]),
            lone_surrogates=int(value["lone_surrogates"]) + lone,
        )
    except (KeyError, TypeError, ValueError):
        return None
    return edit if edit.version == version else None


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


def _settle_text(key: str, text: str | None, version: int) -> _Sent:
    """Decide what text the browser gets: the same as before unless the version changed.

    A page passes back what was typed; sending that would upload and draw it again while
    the person types on. Only a box that is new in the page (``key`` has no state: the
    person was on another page) is filled afresh.
    """
    slot = f"_text_box:{key}"
    sent: _Sent | None = st.session_state.get(slot)
    if sent is None:
        sent = _Sent(version=version, text=text, serial=0)
    elif sent.version != version or key not in st.session_state:
        sent = _Sent(version=version, text=text, serial=sent.serial + 1)
    st.session_state[slot] = sent
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
    sent = _settle_text(key, text, version)
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
    }

    def edited() -> None:
        state = st.session_state.get(key)
        edit = _read(state.get("edit"), version) if state is not None else None
        if edit is not None:
            on_edit(edit)

    _component(key=key, data=data, on_edit_change=edited)
