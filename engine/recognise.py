"""Files that are often taken for a tokenizer file: told apart by how they begin."""

from __future__ import annotations

from engine.errors import FormatError, TooLong
from engine.limits import TOKENIZER_FILE_BYTES

_BEGINNINGS = (
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself; download the file it "
     "points to"),
    (b"PK\x03\x04", "a ZIP archive; unpack it first"),
    (b"\x1f\x8b", "a gzip archive; unpack it first"),
    (b"\xfd7zXZ", "an xz archive; unpack it first"),
    (b"GGUF", "a GGUF model file, which this app does not read"),
)  # fmt: skip
_HTML = (b"<!doctype html", b"<html", b"<?xml", b"<head", b"<body")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def refuse_other_files(data: bytes) -> None:
    """Raise if ``data`` is too large, empty, or plainly another kind of file.

    Raises:
        TooLong: if it is larger than ``TOKENIZER_FILE_BYTES``.
        FormatError: if it is something else; the message says what.
    """
    if len(data) > TOKENIZER_FILE_BYTES:
        raise TooLong(
            f"The file has {len(data):,} bytes; tokenizer files are read up to "
            f"{TOKENIZER_FILE_BYTES:,} bytes."
        )
    start = data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start:
        raise FormatError("The file is empty.")
    for beginning, what in _BEGINNINGS:
        if start.startswith(beginning):
            raise FormatError(f"This is {what}.")
    if start.lower().startswith(_HTML):
        raise FormatError("This is a web page (HTML), not a tokenizer; the download went wrong.")
    if data.startswith(_UTF16):
        raise FormatError("This is UTF-16 text; tokenizer files are UTF-8.")
    if _is_sentencepiece(data):
        raise FormatError(
            "This is a SentencePiece model (a binary file); its tokenizer.json can be read."
        )


def _is_sentencepiece(data: bytes) -> bool:
    """A SentencePiece model is a list of records, the first of which is ``<unk>`` or ``<pad>``."""
    if data[:1] != b"\x0a" or len(data) < 4:
        return False
    size, tag, text_size = data[1], data[2], data[3]
    return size < 0x80 and tag == 0x0A and text_size < size and data[4:5] == b"<"
