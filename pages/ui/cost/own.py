"""Own texts against each other, and what a form other than NFC costs them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

import engine
from engine.errors import EngineError
from pages.ui import cache, state, tokenizers
from pages.ui.copy_button import copy_button
from pages.ui.cost import counting, own_texts
from pages.ui.cost.bring import show_bring
from pages.ui.cost.long_count import ready
from pages.ui.cost.own_result import show_result
from pages.ui.cost.own_texts import OwnText
from pages.ui.cost.speed import show_speed
from pages.ui.downloads import offer_file
from pages.ui.formatting import counted, size
from pages.ui.notices import notice
from pages.ui.settings import PROJECTOR, TOKENIZERS, shortened
from pages.ui.text_box import text_box

_FORMS: Final[tuple[engine.Form, engine.Form]] = ("none", "NFC")
# Shorter ones take a tenth of a second.
_LONG_CHARACTERS: Final = 1_000_000
_WRITTEN: Final = {
    "NFD": "in NFD, taken apart",
    "mixed": "in the mixed form: tone marks stand apart",
    "other": "not in NFC: some letters are composed, others are not",
}


def show_own() -> None:
    """A box for each text, and below what they cost; in projector mode the numbers alone."""
    texts = own_texts.kept()
    projector = state.get(PROJECTOR) != "off"
    if not projector:
        show_bring()
    names = state.get(TOKENIZERS)
    written = _all_written(texts)
    cut, whole = own_texts.aligned(texts)
    wholes = {place: (texts[int(place)].text,) for place in cut if written[int(place)] != "NFC"}
    done = ready(names, cut, wholes)
    if not projector:
        _boxes(texts, written, costs=done)
    if not done:
        return
    if len(cut) < own_texts.LEAST:
        notice("Paste at least two texts to compare.", kind="note", key="own_few")
        return
    if whole:
        notice(whole, kind="note", key="own_whole")
    if not names:
        notice("Choose one to four tokenizers in the sidebar.", kind="note", key="none")
        return
    show_result(texts, cut)
    if not projector:
        show_speed([own.text for own in texts])


def _boxes(
    texts: Sequence[OwnText], written: Sequence[engine.WrittenForm | None], *, costs: bool
) -> None:
    """Names and boxes, two beside each other."""
    st.text("Paste the same content in several languages, paragraphs parted by blank lines.")
    if own_texts.is_sample():
        st.caption("A sample to begin with: its Vietnamese is in NFD on purpose, which costs more.")
    for start in range(0, len(texts), 2):
        for column, place in zip(st.columns(2), range(start, start + 2), strict=True):
            if place < len(texts):
                with column:
                    _box(place, texts[place], written[place], costs=costs)
    with st.container(horizontal=True, key="own_buttons"):
        st.button(
            "Another text", icon=":material/add:", on_click=own_texts.add,
            disabled=len(texts) >= own_texts.MOST,
        )  # fmt: skip
        st.button(
            "One text fewer", icon=":material/remove:", on_click=own_texts.drop_last,
            disabled=len(texts) <= own_texts.LEAST,
        )  # fmt: skip


def _box(place: int, own: OwnText, written: engine.WrittenForm | None, *, costs: bool) -> None:
    st.text_input(
        "Language or name",
        max_chars=40,
        **state.widget(f"own name {place}", own.name, partial(own_texts.rename, place)),
    )
    if own.in_box:
        text_box(
            key=f"own_text_{place}",
            text=own.text,
            version=own.version,
            label=f"Text {place + 1}",
            max_bytes=engine.limits.PASTE_BYTES,
            height=170,
            on_edit=partial(own_texts.take, place),
        )
    else:
        st.text(
            f"{size(own.bytes)}, {counted(len(own.paragraphs), 'paragraph')}: too long for a box. "
            f"It begins: {shortened(' '.join(own.text[:300].split()), 120)}"
        )
        st.button(
            "Empty it", icon=":material/delete:", key=f"empty_{place}",
            on_click=own_texts.empty, args=(place,),
        )  # fmt: skip
    if written is None:
        notice(
            "This text becomes too long when its letters are taken apart; it is counted as it is.",
            kind="note",
            key=f"own_{place}",
        )
    elif written != "NFC":
        _offer_nfc(place, own, written, costs=costs)


def _all_written(texts: Sequence[OwnText]) -> list[engine.WrittenForm | None]:
    """The form of each text, with a bar where that takes a while: the first thing to be seen."""
    if sum(len(own.text) for own in texts) < _LONG_CHARACTERS:
        return [_written(own) for own in texts]
    place, found = st.empty(), []
    for done, own in enumerate(texts):
        place.progress(done / len(texts), f"Looking at how the letters of text {done + 1} stand")
        found.append(_written(own))
    place.empty()
    return found


def _written(own: OwnText) -> engine.WrittenForm | None:
    """The form of a text; None if it cannot be told."""

    def make() -> tuple[engine.WrittenForm | None, int]:
        try:
            return engine.written_form(own.text), 200
        except EngineError:
            return None, 200

    return cache.results().get(("written form", cache.fingerprint(own.text)), make)


def _offer_nfc(place: int, own: OwnText, written: engine.WrittenForm, *, costs: bool) -> None:
    """What the form of the text costs, and the way out."""
    sentences = [f"This text is {_WRITTEN[written]}."]
    for name in state.get(TOKENIZERS) if costs else ():
        try:
            now, then = (sum(counting.paragraph_tokens(name, form, (own.text,))) for form in _FORMS)
        except EngineError as error:
            sentences.append(f"{tokenizers.title(name)}: {error}")
            continue
        sentences.append(cost_of_form(tokenizers.title(name), now, then))
    notice(" ".join(sentences), kind="warning", key=f"own_{place}")
    if own.in_box:
        copy_button(
            "Convert to NFC and copy",
            engine.normalize(own.text, "NFC"),
            key=f"compose_{place}",
            on_copy=partial(own_texts.compose, place),
        )
        return
    composed = engine.normalize(own.text, "NFC").encode()
    with st.container(horizontal=True, key=f"compose_long_{place}"):
        st.button(
            "Convert to NFC", icon=":material/compress:", key=f"compose_button_{place}",
            on_click=own_texts.compose, args=(place,),
        )  # fmt: skip
        offer_file(
            "Save it in NFC",
            lambda: composed,
            f"text_{place + 1}_nfc.txt",
            key=f"compose_file_{place}",
        )


def cost_of_form(title: str, now: int, then: int) -> str:
    """What a text costs now and after NFC, in a sentence.

    >>> cost_of_form("X", 42, 20)
    'X: 42 tokens now, 20 after NFC: it costs 2.10 times what it would.'
    """
    if now == then:
        return f"{title}: {now:,} tokens, the same after NFC."
    times = f": it costs {now / then:.2f} times what it would" if then else ""
    return f"{title}: {now:,} tokens now, {then:,} after NFC{times}."
