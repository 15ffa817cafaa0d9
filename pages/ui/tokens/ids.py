"""Ids to text: the tokens that ids stand for, their text, and what stands for nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import streamlit as st

import engine
from engine.errors import EngineError
from engine.id_text import IdText, tokens_of_ids, why_unknown
from engine.ids import parse_ids
from pages.reference.answers import NoReference, Reference, ReferenceRefused
from pages.ui import state
from pages.ui.cache import fingerprint, results
from pages.ui.columns import BYTES_PER_TOKEN
from pages.ui.downloads import offer_file
from pages.ui.formatting import counted
from pages.ui.id_column import column_of
from pages.ui.notices import notice
from pages.ui.settings import PROJECTOR
from pages.ui.text_box import TextEdit, text_box
from pages.ui.token_rows import visible
from pages.ui.token_view import Column
from pages.ui.tokenizers import title, tokenizer
from pages.ui.tokens import settings
from pages.ui.tokens.chosen import chosen_tokenizer
from pages.ui.tokens.picture import show_earlier_picture, show_picture
from pages.ui.tokens.self_check import CHECKING, Library, with_libraries

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

SAMPLE: Final = "Xin chào! 你好！ Hello! 👋🏽"
# Longer lists are kept on the server only: an address has no room for them.
_LINK_CHARACTERS: Final = 1_500
_ROWS: Final = 1_000
_TEXT_SHOWN: Final = 20_000
_SLOW_CHARACTERS: Final = 500_000
_VIEW: Final = "ids_view"


def show_ids() -> None:
    """The whole part; in projector mode only the box and the tokens."""
    projector = state.get(PROJECTOR) != "off"
    with st.container(horizontal=True, vertical_alignment="bottom", key="ids_sources"):
        name = chosen_tokenizer()
        if name is not None and not projector:
            _sample_button()
            _upload()
    if name is None:
        return
    written = ids_box(name, projector=projector)
    try:
        column, found = _found(name, written)
    except EngineError as error:
        notice(str(error), kind="problem", key="ids")
        show_earlier_picture(key=_VIEW)
        return
    _unknown(name, found)
    checks = st.container(key="self_check")
    show_picture([column], key=_VIEW, empty="No ids yet. Paste a list; its tokens appear here.")
    if projector:
        return
    _stray(found)
    _text(found)
    with checks:
        with_libraries([name], lambda libraries: _check(name, written, found, libraries[0]))


def ids_box(name: str, *, projector: bool, autofocus: bool = True) -> str:
    """The text box; returns what is in it, at first the ids of a sample in that tokenizer."""
    given = given_ids(name)
    version = state.recall("ids version") or 0
    if state.recall("ids in the box") != given:
        # A link, the sample or a file set it: the box follows.
        version += 1
        state.remember("ids version", version)
        state.remember("ids in the box", given)
    text_box(
        key="ids_text",
        text=given if len(given) <= engine.limits.PASTE_BYTES else None,
        version=version,
        label="Ids",
        placeholder="Paste ids: [101, 7592] or 101 7592",
        max_bytes=engine.limits.PASTE_BYTES,
        autofocus=autofocus,
        projector=projector,
        height=96,
        on_edit=_take,
    )
    if len(given) > _LINK_CHARACTERS:
        notice(
            "The list is too long for an address: a link to this page shows the sample instead.",
            kind="note",
            key="ids_link",
        )
    return given


def _take(edit: TextEdit) -> None:
    """Keep what was typed or pasted; the box shows it already."""
    state.acted()
    _keep(edit.text)
    state.remember("ids in the box", edit.text)


def given_ids(name: str) -> str:
    """The list of this session; at first the sample's, in the ids of the tokenizer."""
    linked: str = state.get(settings.IDS)
    if linked:
        return linked
    kept: str | None = state.recall("ids kept")
    if kept is not None:
        return kept
    return str(tokenizer(name).encode(SAMPLE).ids)


def _keep(written: str) -> None:
    """Remember what was written: in the address if it fits, else on the server."""
    short = len(written) <= _LINK_CHARACTERS
    state.put(settings.IDS, written if short else "")
    state.remember("ids kept", None if short and written else written)


def _sample_button() -> None:
    def sample() -> None:
        state.acted()
        state.put(settings.IDS, "")
        state.remember("ids kept", None)

    st.button("Sample", icon=":material/waving_hand:", on_click=sample, help=SAMPLE)


def _upload() -> None:
    with st.popover("Upload a file", icon=":material/upload_file:"):
        file = st.file_uploader(
            f"A list of ids as text or JSON (up to {engine.limits.PASTED_IDS:,} ids)",
            key="widget:ids_file",
            max_upload_size=engine.limits.UPLOAD_BYTES // 1_000_000,
        )
        _take_file(file)


def _take_file(file: UploadedFile | None) -> None:
    """Take over a file once."""
    mark = file.file_id if file is not None else None
    if state.recall("ids file") == mark:
        return
    state.remember("ids file", mark)
    if file is not None:
        # What is no number is named where the list is read; other bytes are no number either.
        _keep(file.getvalue().decode("utf-8-sig", "replace"))


def _found(name: str, written: str) -> tuple[Column, IdText]:
    """The tokens of the list, as the view draws them. Raises IdsError."""

    def make() -> tuple[tuple[Column, IdText], int]:
        found = tokens_of_ids(tokenizer(name), parse_ids(written))
        size = len(found.tokenization) * 2 * BYTES_PER_TOKEN + 3 * len(found.data)
        return (column_of(title(name), found), found), size

    key = ("ids", name, fingerprint(written))
    if len(written) < _SLOW_CHARACTERS:
        return results().get(key, make)
    with st.spinner("Looking up the ids", show_time=True):
        return results().get(key, make)


def _unknown(name: str, found: IdText) -> None:
    """Numbers that stand for nothing, each with its place and the reason."""
    if not found.unknown:
        return
    count, total = len(found.unknown), len(found.tokenization)
    reasons = [why_unknown(tokenizer(name), here.token_id) for here in found.unknown[:_ROWS]]
    if count == 1:
        sentence = (
            f"No. {found.unknown[0].place + 1} of {total:,} stands for no token: {reasons[0]}"
        )
        notice(sentence, kind="warning", key="ids_unknown")
        return
    notice(
        f"{count:,} of {total:,} numbers stand for no token of {name}; "
        "they are left empty in the picture.",
        kind="warning",
        key="ids_unknown",
    )
    table: dict[str, Sequence[object]] = {
        "no.": [here.place + 1 for here in found.unknown[:_ROWS]],
        "id": [str(here.token_id) for here in found.unknown[:_ROWS]],
        "why": reasons,
    }
    _table(table, count, key="ids_unknown_table")


def _stray(found: IdText) -> None:
    """Tokens whose bytes make no character."""
    if not found.stray:
        return
    count = len(found.stray)
    begin = f"{count:,} tokens have" if count > 1 else "One token has"
    notice(
        f"{begin} bytes that make no character: the rest of the character is not in the list. In "
        "the picture such bytes stand in ‹ ›, in hexadecimal; the table has each token's own.",
        kind="note",
        key="ids_stray",
    )
    shown = found.stray[:_ROWS]
    table: dict[str, Sequence[object]] = {
        "no.": [token.place + 1 for token in shown],
        "id": [found.tokenization.ids[token.place] for token in shown],
        "token": [visible(token.data) for token in shown],
        "bytes of the token": [token.data.hex(" ") for token in shown],
        "of these make no character": [token.stray.hex(" ") for token in shown],
    }
    _table(table, count, key="ids_stray_table")


def _table(table: Mapping[str, Sequence[object]], total: int, *, key: str) -> None:
    config = {
        "no.": st.column_config.Column(width=60),
        "id": st.column_config.Column(width=100),
        "why": st.column_config.Column(width="large"),
    }
    st.dataframe(table, hide_index=True, key=key, column_config=config)
    shown = len(table["no."])
    if total > shown:
        st.caption(f"The first {shown:,} of {total:,}.")


def _text(found: IdText) -> None:
    """The decoded text to copy, and its exact bytes as a file."""
    if not found.data:
        return
    st.markdown("**The text**")
    text = found.text
    st.code(text[:_TEXT_SHOWN], language=None, wrap_lines=True, height="content")
    remarks = []
    if len(text) > _TEXT_SHOWN:
        remarks.append(f"The first {_TEXT_SHOWN:,} of {len(text):,} code points.")
    if found.stray:
        remarks.append(
            "Bytes that make no character are U+FFFD (�) here, as libraries give them; "
            "the file has the bytes themselves."
        )
    if remarks:
        st.caption(" ".join(remarks))
    offer_file(f"Download the text ({counted(len(found.data), 'byte')})", found.data, "decoded.txt")


def _check(name: str, written: str, found: IdText, library: Library) -> None:
    """Whether a library gives the same text, and whether the text gives the same ids."""
    ids = [i for i in found.tokenization.ids if i is not None]
    if not ids:
        return
    key = (name, fingerprint(written))
    failed, sentence = False, f"… Text {CHECKING}"
    if library is not None:
        failed, sentence = results().get(
            ("text equal", *key), lambda: (_decoded_equal(library, found, ids), 300)
        )
    with st.container(key=f"check_ids_0_{'failed' if failed else 'passed'}"):
        st.text(sentence)
    if not found.stray and not found.unknown and len(ids) < _SLOW_CHARACTERS:
        with st.container(key="check_ids_1_passed"):
            st.text(results().get(("same ids", *key), lambda: (_same_ids(name, found, ids), 300)))


def _same_ids(name: str, found: IdText, ids: Sequence[int]) -> str:
    again = tokenizer(name).encode(found.text, special="parse").ids
    if again == ids:
        return "✓ Encoding this text gives these ids again."
    return (
        f"– Encoding this text gives other ids ({counted(len(again), 'token')}): several lists "
        "can stand for one text, and the tokenizer writes only one of them."
    )


def _decoded_equal(
    library: Reference | NoReference, found: IdText, ids: Sequence[int]
) -> tuple[bool, str]:
    if isinstance(library, NoReference):
        return False, f"– Text not compared: {library}"
    try:
        equal = library.decode(ids) == found.text
    except ReferenceRefused as reason:
        return False, f"– Text not compared: {library.title} refused ({reason})"
    sign = "✓ Text equal to" if equal else "✗ Text differs from"
    return not equal, f"{sign} that of {library.title}"
