"""Tokenizers that somebody brought: uploaded, fetched by name, or in the server's own folder.

A file stays in its session. The table read from it is shared by all sessions that have the file,
up to a bound; what was dropped is read again from the file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

import streamlit as st

import engine
from engine.errors import FormatError, TooLong, UnknownTokenizer
from engine.formats import Kind
from engine.limits import LARGEST_ID, TOKENIZER_FILE_BYTES
from pages.reference.answers import NoReference, Reference, ReferenceRefused
from pages.reference.apart import ApartReference, ForeignFile
from pages.ui import state
from pages.ui.cache import file_store, foreign_references, own_tables
from pages.ui.file_store import StoredFile
from pages.ui.foreign import Ready
from pages.ui.own_names import LONGEST_LABEL, OwnName, Source
from pages.ui.turns import Turns

MODELS: Final = "TOKENARIUM_MODELS"
"""The environment variable (or secret) that names the server's folder of models."""
MOST_FILES: Final = 4
_KEPT: Final = "own files"
# A table takes so many times the bytes of its file (measured: 6 to 12, for 33 to 9 MB).
_TABLE_BYTES: Final = 10
# One at a time: each takes seconds of the interpreter that all users share.
_READING: Final = Turns(1)
# Folders in folders: `OWNER/MODEL/tokenizer.json` is the usual arrangement.
_DEPTHS: Final = ("tokenizer.json", "*/tokenizer.json", "*/*/tokenizer.json")
_MOST_MODELS: Final = 200


class MissingFile(UnknownTokenizer):
    """The file of a tokenizer is not in this session; the message says how to get it here."""

    def __init__(self, own: OwnName) -> None:
        super().__init__(
            {
                "file": f"The tokenizer {own.label} was read from somebody's file, which is in no "
                "link: upload it again in the sidebar, under Bring your own.",
                "hub": f"The tokenizer {own.label} was fetched from Hugging Face: load it by its "
                "name in the sidebar, under Bring your own.",
                "server": f"The tokenizer {own.label} is a model in the folder of another server; "
                "it is not in the folder of this one.",
            }[own.source]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file as it came, with what a ``.tiktoken`` file does not say itself."""

    kind: Kind
    data: bytes
    pattern: str = ""
    special: Mapping[str, int]

    @property
    def digest(self) -> str:
        """The same for the same tokenizer, whatever the file is called."""
        found = blake2b(digest_size=16)
        for part in (self.kind, self.pattern, repr(sorted(self.special.items()))):
            found.update(part.encode("utf-8", "backslashreplace") + b"\0")
        found.update(self.data)
        return found.hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFile:
    """A file that a session keeps, and what was found in it."""

    own: OwnName
    kind: Kind
    pattern: str
    special: Mapping[str, int]
    stored: StoredFile
    size: int
    notes: tuple[str, ...]

    @property
    def upload(self) -> Upload:
        """The file as it came."""
        return Upload(
            kind=self.kind,
            data=self.stored.data(),
            pattern=self.pattern,
            special=self.special,
        )


def kept() -> dict[str, OwnFile]:
    """The files of this session by the names of their tokenizers, the newest last."""
    return state.recall(_KEPT) or {}


def bring(upload: Upload, label: str, source: Source) -> str:
    """Read a file and keep it for this session; returns the name of its tokenizer.

    Raises:
        EngineError: if it cannot be read, or there is no room for it.
    """
    digest = upload.digest
    known = next((name for name, file in kept().items() if file.own.digest == digest), None)
    if known is not None:
        return known
    own = OwnName(source=source, digest=digest, label=_label(label))
    if len(kept()) >= MOST_FILES:
        raise TooLong(f"A session keeps {MOST_FILES} tokenizers of its own; remove one first.")
    read = _table(digest, own.label, lambda: upload)
    file = OwnFile(
        own=own,
        kind=upload.kind,
        pattern=upload.pattern,
        special=upload.special,
        stored=file_store().put(digest, upload.data),
        size=read.size,
        notes=read.notes,
    )
    state.remember(_KEPT, {**kept(), own.name: file})
    return own.name


def remove(name: str) -> None:
    """Forget a file; nothing happens if it is not there."""
    state.remember(_KEPT, {key: one for key, one in kept().items() if key != name})


def rename(name: str, label: str) -> str:
    """Call a file otherwise; returns the new name of its tokenizer."""
    file = kept()[name]
    renamed = replace(file, own=replace(file.own, label=_label(label)))
    pairs = (
        (key, one) if key != name else (renamed.own.name, renamed) for key, one in kept().items()
    )
    state.remember(_KEPT, dict(pairs))
    return renamed.own.name


def _label(name: str) -> str:
    """A file's name as it can be shown and linked."""
    text = name.encode("utf-8", "replace").decode()
    shown = "".join(c if c.isprintable() else "\ufffd" for c in text).strip() or "tokenizer"
    return shown if len(shown) <= LONGEST_LABEL else shown[: LONGEST_LABEL - 1] + "…"


def title(own: OwnName) -> str:
    """What people call it: its label, numbered where this session has several of that label."""
    alike = [name for name, file in kept().items() if file.own.label == own.label]
    if len(alike) > 1 and own.name in alike:
        return f"{own.label} ({alike.index(own.name) + 1})"
    return own.label


def tokenizer(own: OwnName) -> engine.Tokenizer:
    """The tokenizer of that name, read again if it was dropped.

    Raises:
        MissingFile: if this session does not have its file.
        EngineError: if the file in the server's folder cannot be read.
    """
    if own.source == "server":
        path = _model(own)
        table = _table(own.name, own.label, lambda: _of_server(path))
    else:
        file = _kept(own)
        table = _table(own.digest, own.label, lambda: file.upload)
    return replace(table, name=own.label)


def notes(own: OwnName) -> tuple[str, ...]:
    """What was left aside when it was read."""
    if own.source == "server":
        return tokenizer(own).notes
    return _kept(own).notes


def _kept(own: OwnName) -> OwnFile:
    file = kept().get(own.name)
    if file is None:
        raise MissingFile(own)
    return file


def _table(key: str, label: str, upload: Callable[[], Upload]) -> engine.Tokenizer:
    """The table of a file, shared by all who have it."""
    tables = own_tables()

    def read() -> tuple[engine.Tokenizer, int]:
        file = upload()
        made = engine.read(
            file.data,
            kind=file.kind,
            name=label,
            pattern=file.pattern if file.kind == "tiktoken" else None,
            special=file.special,
        )
        return made, _TABLE_BYTES * len(file.data)

    known: engine.Tokenizer | None = tables.found(key)
    if known is not None:
        return known
    # Looking at the state is enough to see whether this run is wanted any more.
    with st.spinner("Reading the file"), _READING.turn(lambda _: state.recall(_KEPT)):
        return tables.get(key, read)


def reference(own: OwnName) -> Ready:
    """What a library says about it, or why none can: ask ``done`` first.

    Raises:
        EngineError: as ``tokenizer``.
    """
    if own.source == "server":
        path = _model(own)
        return foreign_references().get(own.name, lambda: _library(lambda: _of_server(path)))
    file = _kept(own)
    return foreign_references().get(own.digest, lambda: _library(lambda: file.upload))


def _library(upload: Callable[[], Upload]) -> Reference | NoReference:
    """A library that has read a file; runs in a thread."""
    try:
        file = upload()
    except engine.EngineError as error:
        return NoReference(str(error))
    library = ApartReference(
        ForeignFile(kind=file.kind, data=file.data, pattern=file.pattern, special=file.special)
    )
    try:
        library.start()
    except ReferenceRefused as reason:
        return NoReference(f"{library.title} cannot read this file: {reason}.")
    return library


def server_models() -> list[OwnName]:
    """The models in the folder that the server's owner named; none if no folder is named."""
    return [OwnName(source="server", label=label) for label in _models(os.environ.get(MODELS, ""))]


@cache
def _models(folder: str) -> dict[str, Path]:
    """Each model's file by the name of its folder; looked for once per process."""
    root = Path(folder)
    if not folder or not root.is_dir():
        return {}
    found = sorted(path for places in _DEPTHS for path in root.glob(places) if path.is_file())
    labels = {(path.parent.relative_to(root).as_posix(), path) for path in found[:_MOST_MODELS]}
    return {root.name if label == "." else label: path for label, path in sorted(labels)}


def _model(own: OwnName) -> Path:
    path = _models(os.environ.get(MODELS, "")).get(own.label)
    if path is None:
        raise MissingFile(own)
    return path


def _of_server(path: Path) -> Upload:
    """A file of the server's folder, unless it is too large to be one."""
    try:
        if path.stat().st_size > TOKENIZER_FILE_BYTES:
            raise TooLong(f"The file of this model is larger than {TOKENIZER_FILE_BYTES:,} bytes.")
        return Upload(kind="tokenizer.json", data=path.read_bytes(), special={})
    except OSError as error:
        raise FormatError(
            f"The server cannot read the file of this model ({error.strerror})."
        ) from None


def special_tokens(text: str) -> dict[str, int]:
    """Special tokens as somebody typed them: one a line, the token, a blank, its id.

    Raises:
        FormatError: if a line is not of that form; the message names the line.
    """
    found: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        content, _, token_id = line.strip().rpartition(" ")
        good = token_id.isascii() and token_id.isdigit() and len(token_id) <= len(str(LARGEST_ID))
        if not content or not good:
            raise FormatError(
                f"Line {number} of the special tokens must be a token, a blank, and its id."
            )
        if found.setdefault(content.strip(), int(token_id)) != int(token_id):
            raise FormatError(f"Line {number}: that special token has two ids.")
    return found
