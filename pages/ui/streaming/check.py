"""The self-check: what was streamed is what decoding as a whole gives, here and in a library."""

from __future__ import annotations

import streamlit as st

from pages.reference.answers import NoReference, ReferenceRefused
from pages.ui.cache import results
from pages.ui.stream_player import PlayedStream
from pages.ui.streaming.played import KEPT, way_of
from pages.ui.tokenizers import tokenizer
from pages.ui.tokens.self_check import CHECKING, Library, with_libraries


def show_stream_check(name: str, stream: PlayedStream) -> None:
    """One line; red, with what differs, if it fails."""
    with_libraries([name], lambda libraries: _line(name, stream, libraries[0]))


def _line(name: str, stream: PlayedStream, library: Library) -> None:
    if library is None:
        ok, sentence = compared(name, stream, NoReference(""))
        sentence = sentence.partition(";")[0] + f"; … text {CHECKING}"
    else:
        key = ("stream check", name, stream.ids)
        ok, sentence = results().get(key, lambda: (compared(name, stream, library), 300))
    with st.container(key=f"check_stream_{'passed' if ok else 'failed'}"):
        st.text(sentence)


def compared(name: str, stream: PlayedStream, library: Library) -> tuple[bool, str]:
    """Whether the bytes kept back, joined, are the decoded text, and a sentence about it."""
    joined = "".join(moment.shown for moment in way_of(stream, KEPT).moments)
    if joined != tokenizer(name).decode(stream.ids):
        return False, "✗ Bytes kept back, joined, differ from the ids decoded as a whole"
    own = "✓ Bytes kept back, joined, are the ids decoded as a whole"
    if library is None or isinstance(library, NoReference):
        return True, f"{own}; – text not compared with a library ({library})"
    try:
        equal = library.decode(stream.ids) == joined
    except ReferenceRefused as reason:
        return True, f"{own}; – {library.title} refused ({reason})"
    if not equal:
        return False, f"✗ Bytes kept back, joined, differ from the text that {library.title} gives"
    return True, f"{own}; ✓ text equal to that of {library.title}"
