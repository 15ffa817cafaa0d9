"""From the bytes of an uploaded text file to its text, and how it was read.

A byte-order mark decides; else the file is UTF-16 if its NULs stand as no other text has them; else
it is UTF-8, strictly; else the caller must ask the person, because no rule can tell one old
encoding from another.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from engine.errors import TextError

# UTF-32 before UTF-16: the mark of UTF-16 LE begins that of UTF-32 LE.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

OFFERED = (
    "cp1252", "windows-1258", "gb18030", "shift_jis", "euc_kr", "big5", "cp1251", "utf-16-le",
    "utf-16-be",
)  # fmt: skip
"""Encodings to offer a person: western, Vietnamese, Chinese, Japanese, Korean, Cyrillic, UTF-16."""

# Of the bytes at odd, or at even, places: in UTF-16 without a mark more are NUL than of the first,
# wherever blanks, digits or Latin letters are among the text, and fewer than of the second.
_MANY_NULS = 0.15
_FEW_NULS = 0.01
# So many of them are below 0x20 in the scripts up to U+1FFF. Fields parted by NUL have fewer.
_MANY_LOW = 0.6
_LOW = bytes(range(0x20))


class UnknownEncoding(TextError):
    """The bytes are not UTF-8 and nothing says what they are; ``offered`` are encodings to try."""

    def __init__(self, position: int) -> None:
        self.position = position
        self.offered = OFFERED
        super().__init__(
            f"The file is not UTF-8 (byte {position} cannot be read); choose its encoding, for "
            f"example {', '.join(OFFERED[:4])}."
        )


class WrongEncoding(TextError):
    """The file cannot be read in the encoding that was chosen or marked."""


@dataclass(frozen=True, slots=True)
class DecodedText:
    """The text of a file, how it was encoded, and whether a byte-order mark was removed."""

    text: str
    encoding: str
    bom: bool


def decode_text(data: bytes, encoding: str | None = None) -> DecodedText:
    """The text of a file.

    Args:
        data: its bytes.
        encoding: what a person chose; None to find out. A byte-order mark is removed either way.

    Raises:
        UnknownEncoding: if there is no mark and the bytes are not UTF-8.
        WrongEncoding: if the bytes are not in the encoding that was chosen or marked.
    """
    mark, marked = next(((m, name) for m, name in _MARKS if data.startswith(m)), (b"", None))
    if encoding is not None:
        return _decoded_as_chosen(data, encoding, mark, marked)
    if marked is not None:
        return DecodedText(_strict(data[len(mark) :], marked), marked, bom=True)
    unmarked = _utf_16_by_its_nuls(data)
    if unmarked is not None:
        return unmarked
    try:
        return DecodedText(data.decode(), "utf-8", bom=False)
    except UnicodeDecodeError as error:
        raise UnknownEncoding(error.start) from None


def _utf_16_by_its_nuls(data: bytes) -> DecodedText | None:
    """The text, if the bytes are UTF-16 without a mark by where their NULs stand."""
    if not data or len(data) % 2:
        return None
    first, second = (data[start::2].count(0) / (len(data) // 2) for start in (0, 1))
    if second >= _MANY_NULS and first <= _FEW_NULS:
        encoding = "utf-16-le"
    elif first >= _MANY_NULS and second <= _FEW_NULS:
        encoding = "utf-16-be"
    else:
        return None
    upper = data[encoding == "utf-16-le" :: 2]
    low = len(upper) - len(upper.translate(None, _LOW))
    if low < _MANY_LOW * len(upper) and _is_utf_8(data):
        return None
    try:
        return DecodedText(_strict(data, encoding), encoding, bom=False)
    except WrongEncoding:
        return None


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _decoded_as_chosen(data: bytes, encoding: str, mark: bytes, marked: str | None) -> DecodedText:
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        raise WrongEncoding(f"There is no encoding {encoding!r}.") from None
    # "utf-16" means: as the mark says, and little-endian without one, as on Windows.
    plain = {"utf-16": "utf-16-le", "utf-32": "utf-32-le", "utf-8-sig": "utf-8"}.get(name, name)
    if marked is not None and marked.startswith(name.removesuffix("-sig")):
        return DecodedText(_strict(data[len(mark) :], marked), marked, bom=True)
    return DecodedText(_strict(data, plain), plain, bom=False)


def _strict(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise WrongEncoding(
            f"The file is not {encoding}: byte {error.start} cannot be read."
        ) from None
    except (LookupError, ValueError):
        # `codecs` also lists transformations of bytes, such as base64, which give no text.
        raise WrongEncoding(f"{encoding!r} is no encoding of text.") from None
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise WrongEncoding(f"The file is not {encoding}: it holds half of a surrogate pair.")
    return text
