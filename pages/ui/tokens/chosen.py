"""The one tokenizer that a part of the page is about."""

from __future__ import annotations

import streamlit as st

from pages.ui import state
from pages.ui.formatting import escaped
from pages.ui.notices import notice
from pages.ui.own_names import own_of
from pages.ui.settings import PROJECTOR, TOKENIZERS
from pages.ui.tokenizers import title
from pages.ui.tokens import settings


def chosen_tokenizer() -> str | None:
    """The name of one of the chosen tokenizers, with a switch where there are several."""
    names = state.get(TOKENIZERS)
    if not names:
        notice("Choose one to four tokenizers in the sidebar.", kind="note", key="none")
        return None
    asked = state.get(settings.OF)
    if state.as_linked() and asked and asked not in names and own_of(asked) is None:
        sentence = f"The link asks for {title(asked)}, which is not among its tokenizers."
        state.take_back(settings.OF, settings.OF.default, sentence)
    chosen = asked if asked in names else names[0]
    if len(names) > 1 and state.get(PROJECTOR) == "off":
        st.segmented_control(
            "Tokenizer",
            names,
            format_func=lambda name: escaped(title(name)),
            required=True,
            **state.bound(settings.OF, to_widget=lambda _: chosen),
        )
    return chosen
