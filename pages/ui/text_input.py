"""How a text gets onto a page: typed, pasted, uploaded, or one of the samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

import engine
from engine.errors import EngineError
from engine.text_files import OFFERED, decode_text
from pages.ui import state
from pages.ui.notices import notice
from pages.ui.samples import samples
from pages.ui.settings import PROJECTOR
from pages.ui.text_box import TextEdit, text_box

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

_AUTOMATIC = "recognise"


def text_input(*, beside: Callable[[], None], autofocus: bool = True) -> state.GivenText:
    """The text box with samples and upload above it; returns the text to work on.

    ``beside`` draws further controls in the row of samples and upload; ``autofocus`` puts the
    cursor into the box, where no other part of the page wants the keys.
    """
    projector = state.get(PROJECTOR) != "off"
    if not projector:
        with st.container(horizontal=True, vertical_alignment="bottom", key="text_sources"):
            _samples()
            _upload()
            beside()
    given = state.given_text()
    text_box(
        key="tokens_text",
        text=given.text if _fits_box(given) else None,
        version=given.version,
        label="Text",
        placeholder="Paste any text",
        max_bytes=engine.limits.PASTE_BYTES,
        autofocus=autofocus,
        projector=projector,
        height=200 if projector else 124,
        on_edit=_take,
    )
    for place, sentence in enumerate(_notes(given)):
        notice(sentence, kind="note", key=f"text_{place}")
    return given


def _fits_box(given: state.GivenText) -> bool:
    return len(given.text.encode("utf-8", "surrogatepass")) <= engine.limits.PASTE_BYTES


def _take(edit: TextEdit) -> None:
    notes = []
    if edit.had_cr:
        notes.append(
            "The pasted text had carriage returns, which the browser has turned into line feeds. "
            "Upload it as a file to keep them."
        )
    if edit.lone_surrogates:
        notes.append(
            f"Halves of surrogate pairs ({edit.lone_surrogates:,} in all) were replaced by U+FFFD: "
            "no tokenizer can encode them."
        )
    state.set_typed(edit.text, notes)


def _notes(given: state.GivenText) -> list[str]:
    notes = list(given.notes)
    if given.source == "file" and not _fits_box(given):
        notes.append("The file is too long for the text box; its tokens are shown all the same.")
    elif given.source in ("file", "sample") and "\r" in given.text:
        notes.append(
            "This text has carriage returns. They are kept here and counted; the text box shows "
            "line feeds, and typing in it loses them."
        )
    return notes


def _samples() -> None:
    known = {sample.id: sample for sample in samples()}
    given = state.given_text()
    shown = given.name if given.source == "sample" else None
    st.selectbox(
        "Sample",
        list(known),
        index=None,
        format_func=lambda sample_id: f"{known[sample_id].group}: {known[sample_id].title}",
        placeholder="Choose a sample",
        help=known[given.name].purpose if given.source == "sample" else None,
        width=300,
        **state.widget("sample", shown, state.set_sample),
    )


def _upload() -> None:
    with st.popover("Upload a file", icon=":material/upload_file:"):
        encoding = st.selectbox(
            "Encoding",
            (_AUTOMATIC, "utf-8", *OFFERED),
            help="A byte order mark and UTF-8 are recognised; other files need to be told.",
            key="widget:encoding",
        )
        file = st.file_uploader(
            "A text file, kept byte for byte (up to 20 MB)",
            key="widget:file",
            max_upload_size=engine.limits.UPLOAD_BYTES // 1_000_000,
        )
        _read_file(file, None if encoding == _AUTOMATIC else encoding)


def _read_file(file: UploadedFile | None, encoding: str | None) -> None:
    """Take over a file once: when it or the encoding is new."""
    mark = (file.file_id, encoding) if file is not None else None
    if state.recall("file taken") != mark:
        state.remember("file taken", mark)
        state.remember("file problem", None)
        if file is not None and _decode(file, encoding):
            st.rerun()
    problem = state.recall("file problem")
    if problem:
        notice(problem, kind="problem", key="file")


def _decode(file: UploadedFile, encoding: str | None) -> bool:
    """Put the file's text on the page; False, and the problem kept, if it cannot be read."""
    try:
        decoded = decode_text(file.getvalue(), encoding)
    except EngineError as error:
        state.remember("file problem", str(error))
        return False
    if not decoded.text:
        state.remember("file problem", f"{file.name} is empty; the text is as it was.")
        return False
    mark = ", with a byte order mark, which is not part of the text" if decoded.bom else ""
    note = f"{file.name}: read as {decoded.encoding}{mark}."
    state.set_file(decoded.text, file.name, [note])
    return True
