"""A button that saves a file: one look, and nothing runs again when it is pressed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import streamlit as st

_KINDS: Final = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "svg": "image/svg+xml",
    "txt": "text/plain",
}


def offer_file(
    label: str,
    data: bytes | Callable[[], bytes],
    name: str,
    *,
    help: str | None = None,  # noqa: A002 -- as Streamlit calls it
    key: str | None = None,
) -> None:
    """Show the button.

    Args:
        label: what it says, in Markdown.
        data: the file, or what makes it. That is called when the file is asked for, outside of
            the session, so it must not look at the session's state.
        name: the file's name; its ending says of what kind it is.
        help: what is said when somebody points at the button.
        key: as for any element, where the label is there twice.
    """
    st.download_button(
        label,
        data,
        file_name=name,
        mime=_KINDS.get(name.rpartition(".")[2], "application/octet-stream"),
        icon=":material/download:",
        on_click="ignore",
        help=help,
        key=key,
    )
