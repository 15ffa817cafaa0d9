"""The Streaming page, put together: a text comes token by token, in four ways."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

import streamlit as st

import engine
from engine.ids import parse_ids
from engine.special_tokens import SpecialPolicy
from engine.stream_ends import unfinished_end
from pages.ui import state
from pages.ui.columns import cut, side_by_side
from pages.ui.formatting import counted
from pages.ui.notices import notice
from pages.ui.settings import PROJECTOR
from pages.ui.stream_player import PlayedStream, stream_player
from pages.ui.streaming import settings
from pages.ui.streaming.check import show_stream_check
from pages.ui.streaming.files import show_table
from pages.ui.streaming.played import (
    characters_per_token,
    first_tokens,
    opening_step,
    played,
    summary,
)
from pages.ui.text_input import text_input
from pages.ui.tokenizers import title, tokenizer
from pages.ui.tokens.chosen import chosen_tokenizer
from pages.ui.tokens.ids import given_ids, ids_box
from pages.ui.tokens.self_check import show_self_check
from pages.ui.tokens.settings import SPECIAL
from pages.ui.tokens.text import policy_control

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

_SHOWN: Final = "stream shown"
# From here on cutting the whole text takes long enough to say so.
_SLOW_CHARACTERS: Final = 300_000
_SAMPLES: Final = {
    "stream-ideographs": "龘龘你好",
    "stream-name": "Nguyễn Văn A sẽ đến",
    "stream-emoji": "Emoji families",
    "stream-replacement": "A real U+FFFD",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The ids to stream: ``whole`` is how many the text has, ``dropped`` those without an id."""

    ids: tuple[int, ...]
    whole: int
    dropped: int = 0


def show() -> None:
    """The whole page; in projector mode the player alone."""
    projector = state.get(PROJECTOR) != "off"
    from_text = state.get(settings.SOURCE) == "text"
    if not projector:
        _source()
    given = state.given_text()
    if from_text and not projector:
        given = text_input(beside=policy_control, autofocus=False)
    place = st.container(horizontal=True, vertical_alignment="bottom", key="stream_controls")
    with place:
        name = chosen_tokenizer()
    if name is None:
        return
    try:
        if from_text:
            found = _of_text(name, given.text)
        else:
            found = _of_ids(name, _ids(name, projector=projector))
        _stream(name, found, place)
    except engine.EngineError as error:
        notice(str(error), kind="problem", key="stream")
        return
    if from_text and not projector and found.whole:
        special = cast("SpecialPolicy", state.get(SPECIAL))
        with st.container(key="self_check_ids"), _said_if_slow(given.text):
            show_self_check(side_by_side((name,), given.text, special))


def _source() -> None:
    """A text or ids; and texts that show what this page is about, at one click."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="stream_source"):
        st.segmented_control(
            "What is streamed",
            settings.SOURCES,
            format_func={"text": "a text", "ids": "a list of ids"}.__getitem__,
            required=True,
            **state.bound(settings.SOURCE),
        )
        for sample_id, label in _SAMPLES.items():
            st.button(label, on_click=_take_sample, args=(sample_id,), key=f"widget:{sample_id}")


def _ids(name: str, *, projector: bool) -> str:
    """The list of ids; on the projector what was given before."""
    return given_ids(name) if projector else ids_box(name, projector=False, autofocus=False)


def _take_sample(sample_id: str) -> None:
    state.acted()
    state.set_sample(sample_id)
    state.put(settings.SOURCE, "text")
    state.put(settings.LEFT_OUT, 0)
    state.put(settings.AT, settings.AUTOMATIC)


def _of_text(name: str, text: str) -> Given:
    special = cast("SpecialPolicy", state.get(SPECIAL))
    with _said_if_slow(text):
        ids = cut(name, text, special).tokenization.ids
    known = tuple(token_id for token_id in ids if token_id is not None)
    return Given(ids=known, whole=len(known), dropped=len(ids) - len(known))


def _of_ids(name: str, written: str) -> Given:
    ids = tuple(parse_ids(written))
    tokenizer(name).decode_bytes(ids)  # names what stands for no token
    return Given(ids=ids, whole=len(ids))


def _said_if_slow(text: str) -> AbstractContextManager[None]:
    return st.spinner("Cutting the whole text") if len(text) > _SLOW_CHARACTERS else nullcontext()


def _stream(name: str, given: Given, place: DeltaGenerator) -> None:
    """The controls of the end, the sentence, the player, and what goes with it."""
    if not given.ids:
        notice("Nothing to stream yet. Type, paste, or choose a sample.", kind="note", key="empty")
        return
    projector = state.get(PROJECTOR) != "off"
    first = tuple(first_tokens(name, given.ids))
    if not projector:
        with place:
            _end_controls(name, first)
    left_out = min(state.get(settings.LEFT_OUT), len(first) - 1)
    ids = first[: len(first) - left_out]
    stream = played(name, ids, characters_per_token(name))
    if not projector:
        _notes(given, first, left_out)
        st.text(summary(stream))
    _play(stream, projector=projector)
    if not projector:
        with st.container(key="self_check"):
            show_stream_check(name, stream)
        show_table(stream, title(name))


def _end_controls(name: str, first: tuple[int, ...]) -> None:
    """Where the stream stops: at the end, or before it, inside a character if one wants."""
    stop = unfinished_end(tokenizer(name), first)
    most = len(first) - 1
    st.number_input(
        "Tokens left out at the end",
        min_value=0,
        max_value=max(most, 0),
        width=230,
        help="What if the stream breaks off? Without its last tokens it may end inside a "
        "character.",
        **state.bound(settings.LEFT_OUT, to_widget=lambda out: min(out, most)),
    )
    st.button(
        "Stop inside a character",
        on_click=_stop_inside,
        args=(stop, len(first)),
        disabled=stop is None,
        help="No token of this text ends inside a character."
        if stop is None
        else "Leave out so many tokens that the last one holds part of a character, and look "
        "at the end.",
        key="widget:stop_inside",
    )


def _stop_inside(left_out: int, tokens: int) -> None:
    """Leave them out, and show the end."""
    state.acted()
    state.put(settings.LEFT_OUT, left_out)
    state.put(settings.AT, tokens - left_out + 1)
    state.remember(_SHOWN, None)


def _notes(given: Given, first: tuple[int, ...], left_out: int) -> None:
    if len(first) < given.whole:
        notice(
            f"The first {len(first):,} of {given.whole:,} tokens are played.",
            kind="note",
            key="stream_part",
        )
    if given.dropped:
        notice(
            f"{counted(given.dropped, 'character')} of the text "
            f"{'has' if given.dropped == 1 else 'have'} no id in this tokenizer: not streamed.",
            kind="warning",
            key="stream_dropped",
        )
    if left_out:
        tokens = "the last token is" if left_out == 1 else f"the last {left_out:,} tokens are"
        notice(f"The stream breaks off: {tokens} left out.", kind="note", key="stream_end_note")


def _play(stream: PlayedStream, *, projector: bool) -> None:
    """The player, from the step that the settings name."""
    _begin_anew(stream)
    opening, asked = opening_step(stream), state.get(settings.AT)
    place = stream_player(
        stream,
        key="stream_player",
        step=opening if asked == settings.AUTOMATIC else asked,
        rate=state.get(settings.RATE),
        projector=projector,
    )
    if asked != settings.AUTOMATIC or place.step != opening:
        state.put(settings.AT, place.step)
    state.put(settings.RATE, place.rate)
    state.remember(_SHOWN, (stream.ids, state.get(settings.AT)))


def _begin_anew(stream: PlayedStream) -> None:
    """Other tokens are shown from where it pays; a link, and a button, say their own step."""
    ids, step = state.recall(_SHOWN) or (stream.ids, None)
    if ids != stream.ids and state.get(settings.AT) == step:
        state.put(settings.AT, settings.AUTOMATIC)
