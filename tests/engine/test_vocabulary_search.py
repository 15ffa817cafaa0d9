"""Searches in a vocabulary against slow, independent answers."""

from __future__ import annotations

import time
import unicodedata
from functools import cache

import pytest

from engine import vocabulary_search as search
from engine.vocabulary_search import Entries, QueryError, entries_of
from engine.vocabulary_size import (
    embedding_parameters,
    embedding_share,
    largest_power_of_two,
    vocabulary_size,
)
from tests.shared import NAMES, tokenizer


@cache
def entries(name: str) -> Entries:
    return entries_of(tokenizer(name))


@pytest.mark.parametrize("name", NAMES)
def test_entries_are_all_tokens_in_order(name: str) -> None:
    subject = tokenizer(name)
    assert list(entries(name).ids) == [i for i in range(300_000) if subject.bytes_of(i) is not None]
    assert all(
        subject.bytes_of(i) == d for i, d in zip(entries(name).ids, entries(name).data, strict=True)
    )


@pytest.mark.parametrize("query", ["the", " the", "Việt", "你", "\n", "", "zzzzz", "é", "\u0301"])
def test_text(query: str) -> None:
    subject = tokenizer("o200k_base")
    needle = query.encode()
    found = search.by_text(entries("o200k_base"), query)
    expected = {i for i in range(200_019) if needle in (subject.bytes_of(i) or b"\xff")}
    if needle:
        assert set(found) == expected
    assert len(found) == len(set(found))


def test_text_shows_the_token_itself_first() -> None:
    subject = tokenizer("o200k_base")
    found = [subject.bytes_of(i) for i in search.by_text(entries("o200k_base"), "the")]
    assert set(found[:2]) == {b"the", b" the"}
    begins = [data.startswith((b"the", b" the")) for data in found if data]
    assert begins == sorted(begins, reverse=True)


def test_a_leading_blank_counts() -> None:
    subject = tokenizer("cl100k_base")
    found = search.by_text(entries("cl100k_base"), " the")
    assert found
    assert all(b" the" in (subject.bytes_of(i) or b"") for i in found)


def test_standins() -> None:
    assert search.by_standins(entries("gpt2"), "Ġthe") == search.by_text(entries("gpt2"), " the")
    with pytest.raises(QueryError, match="no stand-in"):
        search.by_standins(entries("gpt2"), "你")


@pytest.mark.parametrize("written", ["e4 bd", "E4BD", "0xe4, 0xbd", " e4  bd "])
def test_bytes(written: str) -> None:
    subject = tokenizer("qwen3")
    found = search.by_bytes(entries("qwen3"), written)
    assert set(found) == {i for i in range(151_669) if b"\xe4\xbd" in (subject.bytes_of(i) or b"")}


@pytest.mark.parametrize("written", ["xyz", "e4 b", "é4", "0x"])
def test_bytes_that_are_none(written: str) -> None:
    with pytest.raises(QueryError):
        search.by_bytes(entries("gpt2"), written)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("100", [100]),
        ("100-103", [100, 101, 102, 103]),
        ("5, 3; 4-5", [3, 4, 5]),
        ("100254-100258", [100254, 100255, 100257, 100258]),
        ("100256", []),
        ("99999999999999999999", []),
    ],
)
def test_ids(written: str, expected: list[int]) -> None:
    assert search.by_id(entries("cl100k_base"), written) == expected


@pytest.mark.parametrize("written", ["-1", "1-", "five", "9-1", "1.5", "١"])
def test_ids_that_are_none(written: str) -> None:
    with pytest.raises(QueryError):
        search.by_id(entries("gpt2"), written)


def test_pattern() -> None:
    found = search.by_pattern(entries("cl100k_base"), r"^ ?[0-9]+$")
    subject = tokenizer("cl100k_base")
    digits = b"0123456789"
    expected = [
        i
        for i in range(100_277)
        if (data := subject.bytes_of(i)) is not None
        and (bare := data[1:] if data[:1] == b" " else data)
        and all(byte in digits for byte in bare)
    ]
    assert found == expected
    assert len(found) >= 1_110


@pytest.mark.parametrize("pattern", ["[", "(", "a{2,1}", r"\p{Nonsense}", "*", "(?<=a*"])
def test_patterns_that_cannot_be_read(pattern: str) -> None:
    with pytest.raises(QueryError, match="cannot be read"):
        search.by_pattern(entries("gpt2"), pattern)


@pytest.mark.parametrize("pattern", [r"(?:the){e<=5}$", r"(?e)(?:abcdefgh){e<=8}x"])
def test_hostile_patterns_are_stopped(pattern: str) -> None:
    start = time.thread_time()
    with pytest.raises(QueryError, match=r"longer than 0\.2 seconds"):
        search.by_pattern(entries("o200k_base"), pattern, seconds=0.2)
    assert time.thread_time() - start < 3


def test_a_pattern_stuck_in_one_token_is_stopped() -> None:
    one = Entries([0], [b"a" * 5_000 + b"b"])
    with pytest.raises(QueryError, match="takes longer"):
        search.by_pattern(one, r"(.*.*.*.*.*.*)*\d")


def test_questions_that_are_too_long() -> None:
    for ask in (search.by_text, search.by_pattern, search.by_bytes, search.by_id):
        with pytest.raises(QueryError, match="201 characters"):
            ask(entries("gpt2"), "1" * 201)


@pytest.mark.parametrize(
    ("script", "word"), [("Cyrillic", "CYRILLIC "), ("Thai", "THAI "), ("Hangul", "HANGUL ")]
)
def test_scripts(script: str, word: str) -> None:
    subject = tokenizer("o200k_base")

    def has_letter(data: bytes) -> bool:
        return any(
            unicodedata.category(c)[0] == "L" and unicodedata.name(c, "").startswith(word)
            for c in data.decode("utf-8", "ignore")
        )

    expected = [i for i in range(200_019) if has_letter(subject.bytes_of(i) or b"")]
    found = search.by_script(entries("o200k_base"), script)
    assert found == expected
    assert len(found) > 500


def test_vietnamese_letters() -> None:
    subject = tokenizer("o200k_base")
    letters = set("ăđơưĂĐƠƯ") | {
        c for c in map(chr, range(0x1E00, 0x1F00)) if unicodedata.name(c).startswith("LATIN ")
        and c >= "\u1ea0" and c <= "\u1ef9"
    }  # fmt: skip
    found = search.by_script(entries("o200k_base"), search.VIETNAMESE)
    expected = [
        i
        for i in range(200_019)
        if letters & set((subject.bytes_of(i) or b"").decode("utf-8", "ignore"))
    ]
    assert found == expected


def test_latin_is_found_in_ascii_too() -> None:
    assert search.by_script(Entries([0, 1, 2], [b"a", b"1", "é".encode()]), "Latin") == [0, 2]


def test_unknown_script() -> None:
    with pytest.raises(QueryError, match="no script 'Klingon'"):
        search.by_script(entries("gpt2"), "Klingon")


def test_longest() -> None:
    subject = tokenizer("cl100k_base")
    lengths = [len(subject.bytes_of(i) or b"") for i in search.longest(entries("cl100k_base"))]
    assert lengths == sorted(lengths, reverse=True)
    assert len(lengths) == subject.size


def test_the_published_size_of_qwen3() -> None:
    size = vocabulary_size(tokenizer("qwen3"))
    assert (size.table, size.added, size.tokens) == (151_643, 26, 151_669)
    assert (size.rows, size.unused_rows) == (151_936, 267)
    assert largest_power_of_two(151_936) == 128
    assert 151_936 == 1_187 * 128


def test_sizes_where_the_rows_are_not_known() -> None:
    size = vocabulary_size(tokenizer("o200k_base"))
    assert (size.tokens, size.rows, size.unused_rows) == (200_000, None, None)


def test_share_of_a_model() -> None:
    one = {"rows": 151_936, "width": 1_024}
    assert embedding_parameters(**one, tied=True) == 155_582_464
    assert embedding_parameters(**one, tied=False) == 2 * 155_582_464
    share = embedding_share(**one, tied=True, parameters=600_000_000)
    assert share * 600_000_000 == 155_582_464
