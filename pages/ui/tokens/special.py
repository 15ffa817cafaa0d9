"""Special tokens that the text spells: both readings side by side, and what injection means."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import engine
from pages.ui.columns import cut
from pages.ui.notices import notice
from pages.ui.tokenizers import title, tokenizer


def show_special(names: Sequence[str], text: str) -> None:
    """Nothing if no chosen tokenizer has a token that the text spells."""
    if "<" not in text and "|" not in text and "｜" not in text:
        return
    try:
        rows = [row for name in names if (row := _row(name, text))]
    except engine.LoneSurrogate:
        return
    if not rows:
        return
    notice(
        "This text spells special tokens. As text they are only characters; as control tokens they "
        "can end a message or begin a turn of the system, whoever typed them. Text from users "
        "should stay text.",
        kind="warning",
        key="special",
    )
    st.dataframe(rows, hide_index=True, key="special_table")


def _row(name: str, text: str) -> dict[str, object] | None:
    found = tokenizer(name).added.found_in(text)
    if not found:
        return None
    return {
        "tokenizer": title(name),
        # The two results before the list, which may be too long for the screen.
        "tokens as text": len(cut(name, text, "text").tokenization),
        "tokens as control tokens": len(cut(name, text, "parse").tokenization),
        "spelled in the text": " ".join(f"{token.content} ({token.id})" for token in found),
    }
