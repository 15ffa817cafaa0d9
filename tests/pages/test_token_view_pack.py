"""What is packed for the browser can be read back exactly."""

from __future__ import annotations

import json
from array import array
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.token_view.pack import (
    ESCAPE,
    NO_ID,
    Column,
    code_point_names,
    pack,
    pack_lengths,
)


def column(text: str, **changes: Any) -> Column:
    """One token a code point, ids counted from 0."""
    ends, end = [], 0
    for char in text:
        end += len(char.encode())
        ends.append(end)
    fields: dict[str, Any] = {
        "name": "test",
        "text": text,
        "ids": list(range(len(ends))),
        "ends_byte": ends,
        "closes": b"\1" * len(ends),
        "kinds": b"\0" * len(ends),
        "ranks": {i: i or None for i in range(len(ends))},
        "headline": {"value": len(ends), "unit": "tokens"},
    }
    return Column(**fields | changes)


class Reader:
    """An independent reader of the layout described in ``pages.ui.packing``."""

    def __init__(self, block: bytes) -> None:
        assert block[:4] == b"TKV1"
        length = int.from_bytes(block[4:8], "little")
        assert length % 4 == 0, "sections must be aligned for typed arrays"
        self.header = json.loads(block[8 : 8 + length])
        self.body = block[8 + length :]

    def section(self, place: list[int]) -> bytes:
        at, length = place
        assert at % 4 == 0
        return self.body[at : at + length]

    def words(self, place: list[int]) -> list[int]:
        return array("I", self.section(place)).tolist()

    def ends(self, number: int) -> list[int]:
        header = self.header["columns"][number]
        escapes = iter(self.words(header["escapes"]))
        ends, end = [], 0
        for length in self.section(header["lengths"]):
            end += next(escapes) if length == ESCAPE else length
            ends.append(end)
        assert next(escapes, None) is None
        return ends


@given(st.lists(st.integers(0, 1000), max_size=50))
def test_lengths_come_back(lengths: list[int]) -> None:
    ends = [sum(lengths[: i + 1]) for i in range(len(lengths))]
    short, escapes = pack_lengths(ends)
    assert len(short) == len(lengths)
    long = iter(array("I", escapes))
    assert [next(long) if n == ESCAPE else n for n in short] == lengths


def test_lengths_around_the_escape() -> None:
    short, escapes = pack_lengths([254, 254 + 255, 254 + 255 + 256])
    assert short == bytes([254, ESCAPE, ESCAPE])
    assert array("I", escapes).tolist() == [255, 256]


def test_ends_that_go_backwards_are_refused() -> None:
    with pytest.raises(ValueError, match="backwards"):
        pack_lengths([3, 2])


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_a_column_comes_back(text: str) -> None:
    packed = column(text)
    reader = Reader(pack([packed]))
    header = reader.header["columns"][0]
    assert reader.section(reader.header["texts"][0]["place"]).decode() == text
    assert reader.ends(0) == list(packed.ends_byte)
    assert reader.words(header["ids"]) == list(packed.ids)
    assert header["count"] == len(packed.ids)
    assert reader.section(header["flags"]) == packed.closes
    ranks = dict(zip(reader.words(header["rankIds"]), reader.words(header["ranks"]), strict=True))
    expected = {i: NO_ID if r is None else r for i, r in packed.ranks.items()}
    assert ranks == expected


def test_a_token_of_a_hundred_thousand_bytes() -> None:
    text = "x" * 100_000 + "y"
    one = column(
        text, ids=[7, 8], ends_byte=[100_000, 100_001], closes=b"\1\1", kinds=b"\0\0", ranks={}
    )
    assert Reader(pack([one])).ends(0) == [100_000, 100_001]


def test_kinds_share_a_byte_with_closes() -> None:
    one = column("abcd", closes=b"\0\1\1\1", kinds=b"\0\1\2\3")
    reader = Reader(pack([one]))
    assert list(reader.section(reader.header["columns"][0]["flags"])) == [0, 3, 5, 7]


def test_a_token_without_id() -> None:
    reader = Reader(pack([column("ab", ids=[5, None])]))
    assert reader.words(reader.header["columns"][0]["ids"]) == [5, NO_ID]


def test_bytes_that_the_text_only_spells() -> None:
    text = "‹98› ‹e4bd›"
    one = column(
        text,
        ids=[1, 2],
        ends_byte=[len("‹98›".encode()), len(text.encode())],
        closes=b"\1\1",
        kinds=b"\0\0",
        ranks={},
        own_bytes={0: b"\x98", 1: b" \xe4\xbd"},
    )
    reader = Reader(pack([one]))
    header = reader.header["columns"][0]
    assert reader.words(header["ownPlaces"]) == [0, 1]
    assert reader.words(header["ownLengths"]) == [1, 3]
    assert reader.section(header["ownBytes"]) == b"\x98 \xe4\xbd"


def test_equal_texts_are_sent_once() -> None:
    reader = Reader(pack([column("same"), column("same", name="b"), column("other")]))
    assert len(reader.header["texts"]) == 2
    assert [c["text"] for c in reader.header["columns"]] == [0, 0, 1]


def test_differing_spans_and_names_of_tokenizers() -> None:
    name = '</script><img src=x onerror="alert(1)">'
    reader = Reader(pack([column("abc", name=name, differs=[(0, 1), (2, 3)])]))
    assert reader.words(reader.header["columns"][0]["differs"]) == [0, 1, 2, 3]
    assert reader.header["columns"][0]["name"] == name


def test_equal_input_gives_equal_bytes_and_any_change_a_new_serial() -> None:
    settings = {"showAs": "text"}
    block = pack([column("ab")], settings=settings)
    assert block == pack([column("ab")], settings=settings)
    serials = {
        Reader(other).header["serial"]
        for other in (
            block,
            pack([column("ab")], settings={"showAs": "ids"}),
            pack([column("ac")], settings=settings),
            pack([column("ab", ids=[0, 9])], settings=settings),
            pack([column("ab", headline={"value": 3})], settings=settings),
        )
    }
    assert len(serials) == 5


def test_tokens_that_do_not_cover_the_text_are_refused() -> None:
    with pytest.raises(ValueError, match="tokens end at byte 2, the text at 3"):
        pack([column("abc", ids=[0, 1], ends_byte=[1, 2], closes=b"\1\1", kinds=b"\0\0")])


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="one entry a token"):
        column("abc", kinds=b"\0")


def test_an_empty_text() -> None:
    reader = Reader(pack([column("")]))
    assert reader.header["columns"][0]["count"] == 0
    assert reader.ends(0) == []


def test_names_only_where_they_cannot_be_derived() -> None:
    names = code_point_names(["a\u1ec7龘한\u200d\x00\U0001f600"])
    assert names == {
        "61": "LATIN SMALL LETTER A",
        "200d": "ZERO WIDTH JOINER",
        "1ec7": "LATIN SMALL LETTER E WITH CIRCUMFLEX AND DOT BELOW",
        "1f600": "GRINNING FACE",
    }


def test_names_are_bounded() -> None:
    everything = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x30000)]))
    assert len(code_point_names([everything])) == 4_000
