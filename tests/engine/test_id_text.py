"""Ids to text: nothing is lost, stray bytes and unknown ids are named."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.id_text import IdText, spell, tokens_of_ids, used_ids, why_unknown
from tests.shared import NAMES, records, tokenizer

UNKNOWN_CASES = [case for case in records("cases.json") if case["id"] in
                 {f"C{number}" for number in range(174, 183)}]  # fmt: skip


def found(name: str, ids: list[int]) -> IdText:
    return tokens_of_ids(tokenizer(name), ids)


@pytest.mark.parametrize("case", UNKNOWN_CASES, ids=lambda case: case["id"])
def test_ids_that_libraries_fail_on_are_named(case: dict[str, Any]) -> None:
    ids = json.loads(case["input"])
    result = found(case["tokenizer"], ids)
    assert [here.token_id for here in result.unknown] == ids
    assert result.text == ""
    assert str(ids[0]) in why_unknown(tokenizer(case["tokenizer"]), ids[0])


def test_all_cases_are_here() -> None:
    assert len(UNKNOWN_CASES) == 9


@pytest.mark.parametrize(
    ("name", "token_id", "words"),
    [
        ("cl100k_base", 100256, "between 100255, the end of the table, and the special token 1002"),
        ("cl100k_base", 100261, "between the special token 100260 and the special token 100276"),
        ("cl100k_base", -1, "negative"),
        ("cl100k_base", 2**32, "above 4294967295"),
        ("qwen3", 151_669, "a row of the model's table that no token uses"),
        ("qwen3", 151_935, "a row of the model's table that no token uses"),
        ("qwen3", 151_936, "past the end of qwen3"),
        ("deepseek-v3", 128_815, "past the end of deepseek-v3"),
        ("gpt2", 50_257, "past the end of gpt2"),
    ],
)
def test_the_reason_is_said(name: str, token_id: int, words: str) -> None:
    assert words in why_unknown(tokenizer(name), token_id)


@pytest.mark.parametrize("name", NAMES)
def test_every_number_is_known_or_has_a_reason(name: str) -> None:
    used = used_ids(tokenizer(name))
    numbers = range(-2, used[-1] + 3)
    result = found(name, list(numbers))
    assert len(used) == tokenizer(name).size
    assert {here.token_id for here in result.unknown} == set(numbers) - set(used)
    assert all(why_unknown(tokenizer(name), here.token_id) for here in result.unknown)


def test_stray_bytes_are_spelled_and_listed() -> None:
    # 246 is the last byte of 龘, 165 and 122 begin a character that does not come.
    result = found("cl100k_base", [246, 15960, 165, 122])
    assert result.tokenization.text == "‹98› hi‹e9›‹be›"
    assert result.text == "\ufffd hi\ufffd"
    assert [token.place for token in result.stray] == [0, 2, 3]
    assert result.data == b"\x98 hi\xe9\xbe"


def test_a_character_of_several_tokens_stays_whole() -> None:
    ids = tokenizer("cl100k_base").encode("龘").ids
    result = found("cl100k_base", [i for i in ids if i is not None])
    assert len(ids) > 1
    assert result.tokenization.text == "龘"
    assert not result.stray
    assert list(engine.closes(result.tokenization)) == [0] * (len(ids) - 1) + [1]


def test_added_tokens_are_marked() -> None:
    result = found("qwen3", [151_644, 9_707])
    assert list(result.tokenization.special) == [0]
    assert result.text == "<|im_start|>Hello"


def test_no_ids_is_no_text() -> None:
    result = found("gpt2", [])
    assert (result.text, result.data, len(result.tokenization)) == ("", b"", 0)


IDS = st.lists(
    st.one_of(st.integers(0, 300), st.integers(100_240, 100_280), st.integers(-3, 2**33))
)


@given(IDS)
@settings(max_examples=400, deadline=None)
def test_drawn_text_holds_each_token_in_its_place(ids: list[int]) -> None:
    subject = tokenizer("cl100k_base")
    result = tokens_of_ids(subject, ids)
    parts = [subject.bytes_of(i) or b"" for i in ids]
    assert result.data == b"".join(parts)
    assert result.text == result.data.decode("utf-8", "replace")
    assert [here.place for here in result.unknown] == [
        place for place, i in enumerate(ids) if subject.bytes_of(i) is None
    ]
    assert "\ufffd" not in result.tokenization.text or b"\xef\xbf\xbd" in result.data
    drawn = [token.data for token in result.tokenization]
    assert b"".join(drawn) == result.tokenization.data
    stray: dict[int, list[bytes]] = {}
    for token in result.stray:
        assert token.data == parts[token.place]
        stray.setdefault(token.place, []).append(token.stray)
    for place, part in enumerate(parts):
        # Spelled bytes put back give the token's own bytes.
        back = drawn[place]
        for run in stray.get(place, []):
            back = back.replace(spell(run).encode(), run, 1)
        assert back == part
    assert not engine.closes(result.tokenization) or engine.closes(result.tokenization)[-1] == 1
