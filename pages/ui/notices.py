"""Sentences for the person, shown exactly as they are.

Streamlit's own boxes read Markdown, and these sentences quote what people typed: they are plain
text in a styled container instead.
"""

from __future__ import annotations

from typing import Literal

import streamlit as st

Kind = Literal["problem", "warning", "note"]


def notice(sentence: str, *, kind: Kind, key: str) -> None:
    """One sentence in place: a problem (red), a warning (amber) or a note (grey)."""
    with st.container(key=f"{kind}_{key}"):
        st.text(sentence)
