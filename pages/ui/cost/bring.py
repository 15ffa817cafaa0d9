"""Own texts from files: one a language, or one table with a column a language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import streamlit as st

import engine
from engine.errors import EngineError
from engine.text_files import DecodedText, UnknownEncoding, WrongEncoding, decode_text
from pages.ui import state
from pages.ui.cost import own_texts
from pages.ui.cost.names import known_language, name_of_file
from pages.ui.cost.own_texts import OwnText
from pages.ui.cost.table_files import (
    DELIMITERS,
    Table,
    TableError,
    aligned_columns,
    read_table,
)
from pages.ui.formatting import counted, escaped, size
from pages.ui.notices import notice
from pages.ui.settings import shortened

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

_TURN: Final = "cost files turn"
_NOTES: Final = "cost files notes"
_RECOGNISE: Final = "recognise"
_TABLES: Final = (".csv", ".tsv", ".tab")
_PREVIEW_CHARACTERS: Final = 60
_MOST_BYTES: Final = engine.limits.UPLOAD_BYTES
# How files begin that are no text, whatever they are called.
_OTHERS: Final = (
    (b"PK\x03\x04", "a ZIP archive or a workbook; save its sheet as CSV"),
    (b"\x1f\x8b", "a gzip archive; unpack it first"),
    (b"%PDF", "a PDF; copy its text, or save it as text"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\xd0\xcf\x11\xe0", "an old Office document; save it as text or CSV"),
)


class NotText(ValueError):
    """A file is none of texts; the message is a sentence for the user."""


def show_bring() -> None:
    """The panel with the files, and what was said when they were taken over."""
    with st.expander("From files: one a language, or a table (CSV, TSV)", icon=":material/upload:"):
        st.caption(
            "A file named vi.txt or contract_en.txt says its language; names can be changed below. "
            "A table has a column a language and a row a paragraph. UTF-8 and UTF-16 are "
            f"recognised. Up to {own_texts.MOST} texts, {_MOST_BYTES // 1_000_000} MB together."
        )
        turn = state.recall(_TURN) or 0
        files = st.file_uploader(
            "Files",
            accept_multiple_files=True,
            max_upload_size=_MOST_BYTES // 1_000_000,
            key=f"widget:cost_files:{turn}",
        )
        # Emptied at once, not at the end of a run that may count for a while.
        place = st.empty()
        if files:
            with place.container():
                _offer(files)
        else:
            place.empty()
    notes = state.recall(_NOTES)
    if notes:
        notice("\n".join(notes), kind="note", key="own_file")


def _offer(files: Sequence[UploadedFile]) -> None:
    """Ask what cannot be known, show how it reads, and take it over on a click."""
    try:
        _check_sizes(files)
        decoded = [_decoded(place, file) for place, file in enumerate(files)]
        if None in decoded:
            return
        found = [one for one in decoded if one is not None]
        if len(files) == 1 and files[0].name.lower().endswith(_TABLES):
            texts, notes = _table(found[0], files[0].name)
        else:
            texts, notes = _texts(files, found)
    except (NotText, TableError) as error:
        notice(str(error), kind="problem", key="own_files")
        return
    for sentence in notes:
        st.text(sentence)
    _preview(texts)
    st.button(
        f"Compare these {len(texts)} texts" if len(texts) > 1 else "Use this text",
        type="primary",
        icon=":material/check:",
        on_click=_use,
        args=(texts, notes, list(files)),
        key="use_files",
    )


def _check_sizes(files: Sequence[UploadedFile]) -> None:
    if len(files) > own_texts.MOST:
        raise NotText(f"{len(files)} files; up to {own_texts.MOST} are compared. Take some away.")
    whole = sum(file.size for file in files)
    if whole > _MOST_BYTES:
        raise NotText(
            f"The files have {size(whole)} together; up to {size(_MOST_BYTES)} are compared. "
            "Take one away, or shorten them."
        )


def _decoded(place: int, file: UploadedFile) -> DecodedText | None:
    """The text of a file; None while a person has to say how it is written.

    Raises:
        NotText: if it is empty or no text.
    """
    data = file.getvalue()
    refuse_other_files(file.name, data)
    try:
        found = decode_text(data)
    except UnknownEncoding as unknown:
        asked = _ask(place, file.name, data, unknown.offered)
        if asked is None:
            return None
        found = asked
    except EngineError as error:
        raise NotText(f"{file.name}: {error}") from None
    if "\0" in found.text:
        raise NotText(f"{file.name} holds NUL characters, as programs and pictures do: no text.")
    if not found.text.strip():
        raise NotText(f"{file.name} is empty.")
    return found


def refuse_other_files(name: str, data: bytes) -> None:
    """Raise ``NotText`` if a file begins as those that are no text."""
    for beginning, what in _OTHERS:
        if data.startswith(beginning):
            raise NotText(f"{name} is {what}.")


def readings(data: bytes, offered: Sequence[str]) -> dict[str, str]:
    """How the first line with a letter beyond ASCII reads in each encoding that fits the file."""
    found = {}
    for encoding in offered:
        try:
            text = decode_text(data, encoding).text
        except (WrongEncoding, EngineError):
            continue
        if "\0" in text:
            continue
        lines = [line for line in text[:200_000].splitlines() if line.strip()]
        telling = [line for line in lines if not line.isascii()] or lines or [""]
        found[encoding] = shortened(telling[0].strip(), _PREVIEW_CHARACTERS)
    return found


def _ask(place: int, name: str, data: bytes, offered: Sequence[str]) -> DecodedText | None:
    found = readings(data, offered)
    if not found:
        raise NotText(f"{name} is no text in any encoding that is known here.")
    st.text(f"{name} is not UTF-8. How it reads in each encoding that fits; choose the right one:")
    st.dataframe(
        [{"encoding": encoding, "reads": text} for encoding, text in found.items()],
        hide_index=True,
        key=f"readings_{place}",
    )
    chosen = st.selectbox(
        f"Encoding of file {place + 1}",
        list(found),
        index=None,
        placeholder="Choose the one that reads right",
        key=f"widget:own_encoding:{place}:{len(data)}",
        width=320,
    )
    return None if chosen is None else decode_text(data, chosen)


def _texts(
    files: Sequence[UploadedFile], decoded: Sequence[DecodedText]
) -> tuple[list[OwnText], list[str]]:
    """A text a file."""
    texts = [
        OwnText(name=name_of_file(file.name), text=one.text, brought=True)
        for file, one in zip(files, decoded, strict=True)
    ]
    notes = [
        f"{file.name}: {one.encoding}{' with a mark' if one.bom else ''}, {size(file.size)}, "
        f"{counted(len(text.paragraphs), 'paragraph')}."
        for file, one, text in zip(files, decoded, texts, strict=True)
    ]
    return texts, notes


def _table(decoded: DecodedText, name: str) -> tuple[list[OwnText], list[str]]:
    """A text a column, with what was recognised and can be changed."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="table_reading"):
        delimiter = st.selectbox(
            "Cells are parted by",
            (_RECOGNISE, *DELIMITERS),
            format_func=lambda mark: DELIMITERS.get(mark, mark),
            key="widget:own_delimiter",
            width=190,
        )
        header = st.selectbox(
            "The first row has",
            (_RECOGNISE, "names", "texts"),
            key="widget:own_header",
            width=190,
        )
    table = read_table(
        decoded.text,
        delimiter=None if delimiter == _RECOGNISE else delimiter,
        header=None if header == _RECOGNISE else header == "names",
    )
    chosen = _columns(table)
    columns, left_out = aligned_columns(table, chosen)
    if not columns or not columns[0]:
        raise TableError("No row has a text in every chosen column; choose fewer columns.")
    texts = [
        OwnText(
            name=known_language(table.names[i]) or table.names[i],
            text="\n\n".join(cells),
            parts=cells,
            brought=True,
        )
        for i, cells in zip(chosen, columns, strict=True)
    ]
    said = [f"{decoded.encoding}.", *said_of(table, len(columns[0]), left_out)]
    return texts, [f"{name}: {' '.join(said)}"]


def said_of(table: Table, rows: int, left_out: int) -> list[str]:
    """What was recognised, and what was left out and why."""
    names = "names in the first row" if table.header else "no names in the first row"
    said = [
        f"{counted(len(table.columns), 'column')} parted by {DELIMITERS[table.delimiter]}, "
        f"{names}, {counted(rows, 'row')} compared."
    ]
    empty = len(table.columns) - len(table.filled)
    if empty:
        said.append(f"{counted(empty, 'column')} without a text left out.")
    if left_out:
        said.append(
            f"{counted(left_out, 'row')} left out: a cell of a chosen column is empty, so there is "
            "nothing to compare."
        )
    if table.uneven:
        said.append(
            f"{counted(table.uneven, 'row')} with more or fewer cells than the others: cells that "
            "are missing count as empty."
        )
    return said


def _columns(table: Table) -> list[int]:
    """The columns to compare: those with a text, as many as may be."""
    filled = table.filled
    if len(filled) < own_texts.LEAST:
        raise TableError(
            f"The table has {counted(len(filled), 'column')} with texts; a column a language makes "
            "at least two. If the cells are parted by another sign, choose it above."
        )
    return st.multiselect(
        f"Columns to compare, up to {own_texts.MOST}",
        filled,
        default=filled[: own_texts.MOST],
        format_func=lambda i: escaped(table.names[i]),
        max_selections=own_texts.MOST,
        key=f"widget:own_columns:{hash((table.names, table.delimiter))}",
    )


def _preview(texts: Sequence[OwnText]) -> None:
    """How each text begins."""
    st.dataframe(
        [
            {
                "name": own.name,
                "paragraphs": len(own.paragraphs),
                "begins": shortened(" ".join(own.text[:200].split()), _PREVIEW_CHARACTERS),
            }
            for own in texts
        ],
        hide_index=True,
        key="files_preview",
    )


def _use(texts: Sequence[OwnText], notes: Sequence[str], files: Sequence[UploadedFile]) -> None:
    """Compare these; the files themselves are kept no longer."""
    own_texts.bring(texts)
    state.remember(_NOTES, tuple(notes))
    state.remember(_TURN, (state.recall(_TURN) or 0) + 1)
    for file in files:
        state.forget_upload(file)
