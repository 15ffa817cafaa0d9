"""Bytes of a text file to text: the mark decides, then UTF-8, then a person."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text_files import UnknownEncoding, WrongEncoding, decode_text

MARKED = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_mark_decides(text: str) -> None:
    for encoding, mark in MARKED.items():
        # The text UTF-16 "NUL first" has the mark of UTF-32; no rule can tell the two.
        if encoding == "utf-16-le" and text.startswith("\0"):
            continue
        found = decode_text(mark + text.encode(encoding))
        assert (found.text, found.encoding, found.bom) == (text, encoding, True)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_utf_8_without_a_mark(text: str) -> None:
    if text.startswith(("\ufeff", "\xff", "\xfe")):
        return
    found = decode_text(text.encode())
    assert (found.text, found.encoding, found.bom) == (text, "utf-8", False)


@given(st.binary())
def test_any_bytes_give_text_or_a_named_error(data: bytes) -> None:
    for encoding in (None, "cp1252", "utf-16", "utf-8", "shift_jis"):
        try:
            decode_text(data, encoding).text.encode()
        except (UnknownEncoding, WrongEncoding):
            continue


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text", ["Hi", "Tiếng Việt có dấu\r\n", "a;b\n中文;日本\n", "Привет, мир " * 3]
)
def test_utf_16_without_a_mark_is_known_by_its_nuls(text: str, encoding: str) -> None:
    found = decode_text(text.encode(encoding))
    assert (found.text, found.encoding, found.bom) == (text, encoding, False)


@pytest.mark.parametrize("data", [b"a\0b", b"\0" * 8, b"one\0two\0three\0four", b"abcdefgh\0" * 4])
def test_utf_8_may_hold_some_nuls(data: bytes) -> None:
    assert decode_text(data).text == data.decode()


def test_what_is_chosen() -> None:
    assert decode_text(b"caf\xe9", "cp1252").text == "café"
    assert decode_text("Tiếng".encode("cp1258", "replace"), "windows-1258").encoding == "cp1258"
    assert decode_text("漢字".encode("shift_jis"), "shift_jis").text == "漢字"
    assert decode_text("a".encode("utf-16-le"), "utf-16").text == "a"
    found = decode_text("é".encode("utf-16"), "utf-16")
    assert (found.text, found.bom) == ("é", True)


@pytest.mark.parametrize("encoding", ["ascii", "nonsense", "base64", "rot13", "utf-16"])
def test_a_wrong_choice_is_named(encoding: str) -> None:
    with pytest.raises(WrongEncoding):
        decode_text(b"caf\xe9!", encoding)
