"""Text to tokens: the box, the cuts side by side, and what follows from them."""

from __future__ import annotations

from typing import Final, cast

import streamlit as st

import engine
from engine.errors import SpecialTokenFound
from engine.special_tokens import SpecialPolicy
from pages.ui import state
from pages.ui.columns import SideBySide, cut, side_by_side
from pages.ui.formatting import counted, escaped, size
from pages.ui.notices import notice
from pages.ui.settings import PROJECTOR, TOKENIZERS
from pages.ui.text_input import text_input
from pages.ui.tokenizers import title
from pages.ui.tokens import settings
from pages.ui.tokens.differences import show_differences
from pages.ui.tokens.picture import show_earlier_picture, show_picture
from pages.ui.tokens.self_check import show_self_check
from pages.ui.tokens.special import show_special
from pages.ui.tokens.use import show_use
from pages.ui.tokens.ways import show_ways

# From here on a text is long enough to say that it is being worked on.
_SLOW_BYTES = 300_000
_VIEW: Final = "tokens_view"


def show_text() -> None:
    """The whole part; in projector mode only the box and the cuts."""
    given = text_input(beside=policy_control)
    names = state.get(TOKENIZERS)
    if not names:
        notice("Choose one to four tokenizers in the sidebar.", kind="note", key="none")
        return
    projector = state.get(PROJECTOR)
    try:
        found = _cut(names, given.text)
    except engine.EngineError as error:
        notice(_why(error), kind="problem", key="cut")
        if isinstance(error, SpecialTokenFound) and projector == "off":
            show_special(names, given.text)
        show_earlier_picture(key=_VIEW)
        return
    if projector == "off":
        _counts(found)
        _normalized(found)
        show_special(names, given.text)
    checks = st.container(key="self_check")
    opened = show_picture(
        found.columns,
        key=_VIEW,
        empty="No text yet. Type, paste, or choose a sample; its tokens appear here.",
        can_open=True,
    )
    if opened is not None:
        _replay(names[opened.column], given.text, opened.token)
    if projector == "off":
        show_differences(found)
        show_use(names, found)
        show_ways(names, given.text)
    # Last, so that nobody waits for it: the view is on the screen by now.
    with checks:
        show_self_check(found)


def _replay(name: str, text: str, token: int) -> None:
    """Show on the Replay page how a token came about."""
    # That page is built on parts of this one.
    from pages.ui.replay.opening import PAGE, open_token

    open_token(name, text, cast("SpecialPolicy", state.get(settings.SPECIAL)), token)
    st.switch_page(PAGE)


def _why(error: engine.EngineError) -> str:
    """The engine's sentence; for a refusal, what to do on this page instead of in a program."""
    if not isinstance(error, SpecialTokenFound):
        return str(error)
    return (
        f"The text spells the special token {error.content} (after {error.position:,} code "
        "points), and such texts are refused. To see its tokens, let special tokens stay text or "
        "become control tokens."
    )


def policy_control() -> None:
    """What becomes of special tokens that the text spells."""
    st.segmented_control(
        "Special tokens that the text spells",
        ("text", "parse", "error"),
        format_func={
            "text": "stay text",
            "parse": "become control tokens",
            "error": "are refused",
        }.__getitem__,
        required=True,
        help="What an application does with <|im_end|> and the like in what a user typed.",
        **state.bound(settings.SPECIAL),
    )


def _cut(names: tuple[str, ...], text: str) -> SideBySide:
    """All cuts, with progress where it takes a while."""
    special = cast("SpecialPolicy", state.get(settings.SPECIAL))
    length = len(text.encode("utf-8", "replace"))
    if length < _SLOW_BYTES:
        return side_by_side(names, text, special)
    done = st.progress(0.0, f"Cutting {size(length)}")
    try:
        for place, name in enumerate(names):
            shown = escaped(title(name))
            # Each step is a place where Stop, or a newer text, ends this run.
            done.progress(place / len(names), f"Cutting {size(length)}: {shown}")
            cut(name, text, special)
        done.progress(1.0, "Comparing")
        return side_by_side(names, text, special)
    finally:
        done.empty()


def _normalized(found: SideBySide) -> None:
    """Which tokenizers rewrite the text before they cut it, and how much."""
    for place, one in enumerate(found.cuts):
        tokenization = one.tokenization
        if not one.rewritten:
            continue
        before, after = len(tokenization.original), len(tokenization.text)
        notice(
            f"{found.columns[place].name} first normalizes the text "
            f"({tokenization.tokenizer.normalizer.name}): "
            f"{counted(len(one.rewritten), 'place')} rewritten, "
            f"{counted(before, 'code point')} become {after:,}. "
            "Its tokens cover the normalized text.",
            kind="note",
            key=f"normalized_{place}",
        )


def _counts(found: SideBySide) -> None:
    """The given text in every unit; the tokenizers' own numbers stand in the view."""
    counts = found.given
    parts = [
        counted(counts.graphemes, "character (grapheme)", "characters (graphemes)"),
        counted(counts.code_points, "code point"),
        f"{counted(counts.bytes, 'byte')} (UTF-8)",
    ]
    if counts.words is not None:
        parts.append(f"{counted(counts.words, 'word')} ({engine.WORD_SEGMENTER})")
    with st.container(key="text_counts"):
        st.caption(" · ".join(parts))
