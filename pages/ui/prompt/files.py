"""The prompt as files: its text, its ids, its conversation, its table."""

from __future__ import annotations

import json
from typing import Final

import streamlit as st

from pages.ui.downloads import offer_file
from pages.ui.prompt.building import Prompt
from pages.ui.prompt.drawing import rows
from pages.ui.prompt.editor import export
from pages.ui.prompt.keep import conversation
from pages.ui.token_rows import as_csv

_SHOWN_CHARACTERS: Final = 20_000
_SHOWN_IDS: Final = 3_000
_SHOWN_ROWS: Final = 1_000


def ids_json(prompt: Prompt) -> str:
    """The ids as a JSON list."""
    return json.dumps(list(prompt.ids))


def show_files(prompt: Prompt) -> None:
    """The rendered text and the ids to copy, the table, and all of it to download."""
    with st.container(horizontal=True, key="prompt_files"):
        turns = conversation().turns
        offer_file("Rendered text", prompt.text.encode, "prompt.txt")
        offer_file("Ids as JSON", lambda: ids_json(prompt).encode(), "ids.json")
        offer_file("Conversation as JSON", lambda: export(turns), "conversation.json")
        offer_file("Tokens as CSV", lambda: as_csv(rows(prompt)), "prompt.csv")
    with st.expander("Rendered text, ids and table, to copy", key="prompt_copy"):
        text = prompt.text
        st.code(text[:_SHOWN_CHARACTERS], language=None, wrap_lines=True)
        if len(text) > _SHOWN_CHARACTERS:
            st.text(f"The first {_SHOWN_CHARACTERS:,} of {len(text):,} characters; download all.")
        if len(prompt.ids) <= _SHOWN_IDS:
            st.code(ids_json(prompt), language=None, wrap_lines=True)
        else:
            st.text(f"{len(prompt.ids):,} ids: download them.")
        st.dataframe(list(rows(prompt, _SHOWN_ROWS)), hide_index=True, key="prompt_table")
        if len(prompt.ids) > _SHOWN_ROWS:
            st.text(f"The first {_SHOWN_ROWS:,} tokens are listed; the CSV has all.")
