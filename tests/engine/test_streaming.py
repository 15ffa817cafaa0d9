"""Streams of ids: the right way against decoding as a whole, the others against their libraries."""

from __future__ import annotations

import json
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers.decoders import DecodeStream
from transformers import TextStreamer

import engine
from engine import streaming
from engine.streaming import (
    WAYS,
    AloneDecoder,
    NotStreamable,
    PrefixDecoder,
    StreamDecoder,
    WordDecoder,
    stream,
)
from pages.reference.hf_reference import HuggingFaceReference
from tests.shared import NAMES, records, reference, tokenizer
from tests.strategies import texts

CASES = {case["id"]: case for case in records("cases.json") if case["area"] == "stream"}
HUGGING_FACE = ("qwen3", "deepseek-v3")


def ids_of(name: str, text: str) -> list[int]:
    return cast("list[int]", tokenizer(name).encode(text, special="parse").ids)


def deltas(decoder: streaming.Streamed, ids: list[int]) -> list[str]:
    return [decoder.feed(token_id) for token_id in ids]


any_ids = st.lists(st.integers(0, 50_000), max_size=30)


@pytest.mark.parametrize("name", NAMES)
@given(text=texts)
@settings(max_examples=120)
def test_joined_it_is_the_text(name: str, text: str) -> None:
    it = tokenizer(name)
    ids = ids_of(name, text)
    decoder = StreamDecoder(it)
    shown = ""
    for token_id in ids:
        shown += decoder.feed(token_id)
        assert len(decoder.pending) <= 3
        done = it.decode_bytes(ids)
        assert done.startswith(shown.encode() + decoder.pending)
    assert shown + decoder.flush() == it.decode(ids) == it.normalizer.apply(text)


@pytest.mark.parametrize("name", NAMES)
@given(ids=any_ids, cut=st.integers(0, 30))
@settings(max_examples=120)
def test_ids_that_spell_no_text(name: str, ids: list[int], cut: int) -> None:
    """Any ids, in which characters may be broken for good; and a prompt before them."""
    it = tokenizer(name)
    ids = [token_id for token_id in ids if token_id in it.vocabulary]
    decoder = StreamDecoder(it)
    assert "".join(deltas(decoder, ids)) + decoder.flush() == it.decode(ids)
    prompt, rest = ids[:cut], ids[cut:]
    before, after = StreamDecoder(it), StreamDecoder(it, prompt)
    shown_before = "".join(deltas(before, prompt))
    assert after.pending == before.pending
    assert shown_before + "".join(deltas(after, rest)) + after.flush() == it.decode(ids)


@pytest.mark.parametrize("case_id", sorted(CASES))
def test_cases(case_id: str) -> None:
    case = CASES[case_id]
    name, expected = case["tokenizer"], case["expected"]
    prompt: list[int] = []
    if case_id == "C351":
        given_ids = json.loads(case["input"])
        prompt, ids = given_ids["prompt"], given_ids["stream"]
    else:
        ids = ids_of(name, case["input"])
        assert ids == expected["ids"]
    decoder = StreamDecoder(tokenizer(name), prompt)
    found = deltas(decoder, ids)
    if "deltas" in expected:
        assert found == expected["deltas"]
        assert decoder.flush() == expected.get("flush", "")
    if "naive_wrong" in expected:
        assert deltas(AloneDecoder(tokenizer(name)), ids) == expected["naive_wrong"]
    if "full_text" in expected:
        assert "".join(found) + decoder.flush() == expected["full_text"]
        assert "".join(m.shown for m in stream(tokenizer(name), ids, _PREFIX)) == ""


_PREFIX = "decoded again from a prefix"


def library(name: str) -> Any:
    """The library's own tokenizer, which its streamers need."""
    found = reference(name)
    assert isinstance(found, HuggingFaceReference)
    return found.parsing


class Streamer(TextStreamer):
    """The library's streamer with what it prints kept."""

    def __init__(self, it: Any) -> None:
        super().__init__(it)
        self.parts: list[str] = []

    def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
        self.parts.append(text)


class Decoding:
    """As much of a transformers tokenizer as the streamer uses."""

    def __init__(self, name: str) -> None:
        self._library = library(name)

    def decode(self, ids: Any) -> str:
        return str(self._library.decode(np.atleast_1d(ids).tolist(), skip_special_tokens=False))


streamed_texts = st.one_of(texts, st.text("aé中ế\n .,!\U0001f600\ufffd龘", max_size=30))


@pytest.mark.parametrize("name", HUGGING_FACE)
@given(text=streamed_texts)
@settings(max_examples=100)
def test_prefix_is_what_the_library_does(name: str, text: str) -> None:
    ids = ids_of(name, text)
    theirs, ours = DecodeStream(skip_special_tokens=False), PrefixDecoder(tokenizer(name))
    for token_id in ids:
        assert ours.feed(token_id) == (theirs.step(library(name), token_id) or "")
    assert ours.flush() == ""


@pytest.mark.parametrize("name", HUGGING_FACE)
@given(text=streamed_texts)
@settings(max_examples=100)
def test_words_are_what_the_library_does(name: str, text: str) -> None:
    ids = ids_of(name, text)
    theirs, ours = Streamer(Decoding(name)), WordDecoder(tokenizer(name))
    found = []
    for token_id in ids:
        theirs.put(np.array([token_id]))
        found.append(ours.feed(token_id))
    theirs.end()
    assert [*found, ours.flush()] == theirs.parts


@pytest.mark.parametrize("way", WAYS)
@given(text=texts)
@settings(max_examples=60)
def test_held_bytes_are_those_not_shown(way: str, text: str) -> None:
    it = tokenizer("qwen3")
    ids = ids_of("qwen3", text.replace("\ufffd", ""))
    arrived, shown = b"", ""
    for moment in stream(it, ids, way)[:-1]:
        arrived += it.decode_bytes([moment.token_id])
        shown += moment.shown
        if way != "token by token":
            assert shown.encode() + moment.pending == arrived


def test_the_end_of_an_unfinished_character() -> None:
    it = tokenizer("qwen3")
    first = ids_of("qwen3", "龘")[0]
    ends = {way: stream(it, [first], way)[-1] for way in WAYS}
    assert ends["bytes kept back"].shown == ends["word by word"].shown == "\ufffd"
    assert ends[_PREFIX].shown == ""
    assert ends[_PREFIX].pending == it.decode_bytes([first]), "what is lost stays to be seen"


def test_work_is_counted() -> None:
    it, text = tokenizer("cl100k_base"), "one two three"
    ids = ids_of("cl100k_base", text)
    work = {way: stream(it, ids, way)[-1].work for way in WAYS}
    assert work["token by token"] == work["bytes kept back"] == len(text)
    # Three tokens of 3, 4 and 6 bytes: the line again each time, and again at the end.
    assert work["word by word"] == 3 + 7 + 13 + 13
    # Each token with the one before it, then what is kept of it as the new prefix.
    assert work[_PREFIX] == (3 + 3) + (7 + 4) + (10 + 6)
    calls = {way: stream(it, ids, way)[-1].calls for way in WAYS}
    # A call a token, and one at the end; a second one where the prefix moves on.
    assert calls == {
        "token by token": 3, "bytes kept back": 4, _PREFIX: 6, "word by word": 4,
    }  # fmt: skip


def test_unknown_ids_and_tokenizers_are_named() -> None:
    with pytest.raises(engine.EngineError, match="Id 999999"):
        StreamDecoder(tokenizer("gpt2")).feed(999_999)
    with pytest.raises(engine.EngineError, match="Id -1"):
        stream(tokenizer("gpt2"), [-1], "word by word")
    it = engine.load("gpt2")
    object.__setattr__(it, "decoder", object())
    with pytest.raises(NotStreamable, match="cannot be streamed"):
        StreamDecoder(it)
