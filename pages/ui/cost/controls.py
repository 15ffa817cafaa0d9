"""Choices that several parts of the page share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.ui import parallel, state
from pages.ui.cost import settings
from pages.ui.notices import notice
from pages.ui.settings import PROJECTOR

_EVERY_KIND = "All kinds"


def select(
    label: str,
    setting: settings.Choice,
    titles: Mapping[Any, str],
    *,
    width: int,
    hint: str | None = None,
) -> None:
    """One of a few words, each with its title."""
    st.selectbox(
        label,
        list(titles),
        format_func=titles.__getitem__,
        width=width,
        help=hint,
        **state.bound(setting),
    )


def say(sentence: str, *, key: str) -> None:
    """The sentence above a picture; on the projector it is large."""
    if state.get(PROJECTOR) == "off":
        st.text(sentence)
    else:
        notice(sentence, kind="note", key=key)


def language_titles() -> dict[str, str]:
    """The languages of the parallel texts by tag."""
    return {tag: language.title for tag, language in parallel.languages().items()}


def select_texts() -> None:
    """Which of the parallel texts, in which form."""
    kinds = {kind.id: kind.title for kind in parallel.kinds().values()}
    select("Kind of text", settings.KIND, {settings.ALL_KINDS: _EVERY_KIND} | kinds, width=150)
    select("Form of the texts", settings.FORM, settings.FORM_TITLES, width=250)
