"""Broken characters are counted as decoding as a whole has them; streams of many random texts."""

from __future__ import annotations

import codecs
from random import Random
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.stream_ends import sign_places, unfinished_end, wrong_signs
from engine.streaming import WAYS, StreamDecoder, stream
from tests import random_text
from tests.shared import NAMES, reference, tokenizer
from tests.strategies import texts

SIGN = "\ufffd"
ALONE = "token by token"
# Bytes that reach every kind of broken UTF-8.
broken = st.lists(
    st.sampled_from(
        [
            b"a",
            b"\xc3",
            b"\xa9",
            b"\xe9\xbe",
            b"\x98",
            b"\xf0\x9f",
            b"\x92",
            b"\xef\xbf",
            b"\xbd",
            b"\xed\xa0\x80",
            b"\xff",
            b"\xc0",
            "é".encode(),
            SIGN.encode(),
        ]
    ),
    max_size=12,
).map(b"".join)


@given(broken)
def test_signs_stand_where_the_codec_puts_them(data: bytes) -> None:
    places: list[int] = []

    def note(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        places.append(error.start)
        return SIGN, error.end

    codecs.register_error("tokenarium.test", note)
    assert data.decode("utf-8", "tokenarium.test") == data.decode("utf-8", "replace")
    real = [at for at in range(len(data)) if data.startswith(SIGN.encode(), at)]
    assert sign_places(data) == sorted(places + real)
    assert len(sign_places(data)) == data.decode("utf-8", "replace").count(SIGN)


any_ids = st.lists(st.integers(0, 255), max_size=12)


@pytest.mark.parametrize("way", WAYS)
@given(text=texts, ids=any_ids)
@settings(max_examples=60)
def test_only_tokens_alone_break_characters(way: str, text: str, ids: list[int]) -> None:
    it = tokenizer("cl100k_base")
    streamed = [*cast("list[int]", it.encode(text).ids), *ids]
    moments = stream(it, streamed, way)
    wrong = wrong_signs(it, streamed, moments)
    assert [len(signs) for signs in wrong] == [moment.shown.count(SIGN) for moment in moments]
    shown_right = sum(not sign for signs in wrong for sign in signs)
    if way == ALONE:
        assert shown_right <= it.decode(streamed).count(SIGN)
    else:
        assert not any(any(signs) for signs in wrong)


def test_signs_of_the_published_texts() -> None:
    for name, text, count in (
        ("cl100k_base", "Nguyễn Văn A sẽ đến", 4),
        ("qwen3", "龘龘你好", 4),
        ("qwen3", "caf\ufffd!", 0),
    ):
        ids = cast("list[int]", tokenizer(name).encode(text).ids)
        wrong = wrong_signs(tokenizer(name), ids, stream(tokenizer(name), ids, ALONE))
        assert sum(map(sum, wrong)) == count


def test_one_real_sign_of_two_tokens_is_broken_once() -> None:
    """The bytes of a real U+FFFD in two tokens: alone they show two, and the text has one."""
    it = tokenizer("gpt2")
    ids = [it.vocabulary.id_of[data] for data in (b"\xef", b"\xbf", b"\xbd")]
    assert it.decode(ids) == SIGN
    wrong = wrong_signs(it, ids, stream(it, ids, ALONE))
    assert wrong == [(False,), (True,), (True,), ()]


@pytest.mark.parametrize("name", NAMES)
def test_leaving_out_the_end_ends_inside_a_character(name: str) -> None:
    it = tokenizer(name)
    ids = cast("list[int]", it.encode("hi 龘 there").ids)
    left_out = unfinished_end(it, ids)
    assert left_out is not None
    kept = ids[:-left_out]
    assert reference(name).decode(kept) == "hi " + SIGN
    assert stream(it, kept, "bytes kept back")[-1].shown == SIGN
    assert unfinished_end(it, cast("list[int]", it.encode("all plain").ids)) is None
    assert unfinished_end(it, []) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_ten_thousand_random_texts(name: str) -> None:
    """Joined it is the text, no sign is shown that the text has not, three bytes wait at most."""
    it, random = tokenizer(name), Random(6)
    for _ in range(10_000):
        ids = cast("list[int]", it.encode(random_text.text(random), special="parse").ids)
        decoder, shown, text = StreamDecoder(it), "", it.decode(ids)
        for token_id in ids:
            shown += decoder.feed(token_id)
            assert len(decoder.pending) <= 3
        assert text.startswith(shown)
        assert shown + decoder.flush() == text
