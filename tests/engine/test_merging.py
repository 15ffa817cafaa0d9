"""Fast merging equals plain merging, and the memory of pieces changes no result."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Never

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SpecialPolicy, encode_fast, piece_encoder
from engine.encode import merge_plain
from engine.encode_fast import merge_by_pair, merge_by_rank, pair_key, pair_value
from engine.piece_encoder import Boundaries, PieceEncoder, RankModel
from tests import random_text
from tests.shared import NAMES, tokenizer
from tests.strategies import texts

Ranks = dict[bytes, int]
Pairs = dict[int, int]
LETTERS = b"abc"


def plain_by_rank(data: bytes, ranks: Mapping[bytes, int]) -> list[int]:
    parts = merge_plain(
        [data[i : i + 1] for i in range(len(data))], lambda a, b: ranks.get(a + b), bytes.__add__
    )
    return [ranks[part] for part in parts]


def plain_by_pair(ids: list[int], pairs: Mapping[int, int]) -> list[int]:
    def rank(left: int, right: int) -> int | None:
        value = pairs.get(pair_key(left, right))
        return None if value is None else value >> 32

    def join(left: int, right: int) -> int:
        return pairs[pair_key(left, right)] & 0xFFFF_FFFF

    return merge_plain(ids, rank, join)


@st.composite
def rank_tables(draw: st.DrawFn) -> Ranks:
    """Any byte strings in any order of rank: not what training gives, but what a file may hold."""
    tokens = draw(
        st.lists(
            st.lists(st.sampled_from(LETTERS), min_size=2, max_size=6).map(bytes),
            unique=True,
            max_size=14,
        )
    )
    order = draw(st.permutations([*tokens, *(bytes([letter]) for letter in LETTERS)]))
    return {token: rank for rank, token in enumerate(order)}


@st.composite
def pair_tables(draw: st.DrawFn) -> Pairs:
    """Any pairs of ids; one id may be made by two pairs, and a pair may make a smaller id."""
    ids = st.integers(0, 9)
    keys = draw(st.lists(st.tuples(ids, ids), unique=True, max_size=16))
    return {pair_key(a, b): pair_value(rank, draw(ids)) for rank, (a, b) in enumerate(keys)}


short_data = st.lists(st.sampled_from(LETTERS), max_size=24).map(bytes)
repeated_units = st.lists(st.sampled_from(LETTERS), min_size=1, max_size=5).map(bytes)
run_data = st.builds(lambda unit, count: unit * count, repeated_units, st.integers(1, 40))


@given(data=st.one_of(short_data, run_data), ranks=rank_tables())
@settings(max_examples=800)
def test_all_ways_to_merge_by_rank(data: bytes, ranks: Ranks) -> None:
    plain = plain_by_rank(data, ranks)
    assert encode_fast._rank_rescan(data, ranks) == plain
    assert encode_fast._rank_heap(data, ranks) == plain
    if data:
        assert encode_fast._repeated(data, ranks) in (plain, None)
    assert merge_by_rank(data, ranks) == plain
    assert list(RankModel(ranks).ids(data.decode())) in (plain, [ranks.get(data)])


@given(ids=st.lists(st.integers(0, 3), max_size=24), pairs=pair_tables())
@settings(max_examples=800)
def test_all_ways_to_merge_by_pair(ids: list[int], pairs: Pairs) -> None:
    plain, given_ids = plain_by_pair(ids, pairs), list(ids)
    assert encode_fast._pair_rescan(list(ids), pairs.get) == plain
    assert encode_fast._pair_heap(list(ids), pairs.get) == plain
    assert merge_by_pair(ids, pairs) == plain
    assert ids == given_ids, "what was given is not changed"


@given(run=run_data)
@settings(max_examples=300)
def test_runs_on_doubling_tables(run: bytes) -> None:
    """Tables with some powers of a unit, ranks as published and reversed."""
    for sizes in ((2, 4, 8, 16), (2, 4, 16), (2, 3, 5, 8), (3, 2, 6, 4), (8, 4, 2), (4, 3, 2, 7)):
        unit = run[: (run + run).find(run, 1)]
        tokens = [unit * size for size in sizes]
        # The unit itself, beginning by beginning, comes before its powers or after.
        for first in (99, -99):
            ranks = {unit[:size]: first + size for size in range(1, len(unit) + 1)}
            ranks |= {bytes([byte]): 200 + byte for byte in unit[1:]}
            ranks |= {token: rank for rank, token in enumerate(tokens)}
            plain = plain_by_rank(run, ranks)
            assert merge_by_rank(run, ranks) == plain
            assert encode_fast._repeated(run, ranks) in (plain, None)


@pytest.mark.parametrize("name", NAMES)
def test_all_ways_on_published_tables(name: str) -> None:
    ranks = tokenizer(name).vocabulary.id_of
    random = Random(name)
    for _ in range(150):
        data = random_text.text(random).encode()[:120]
        plain = plain_by_rank(data, ranks)
        assert encode_fast._rank_rescan(data, ranks) == plain
        assert encode_fast._rank_heap(data, ranks) == plain


@pytest.mark.parametrize("name", ["gpt2", "deepseek-v3"])
@pytest.mark.parametrize("size", [248, 249, 250, 251, 252, 1000])
def test_lengths_around_the_change_of_algorithm(name: str, size: int) -> None:
    ranks = tokenizer(name).vocabulary.id_of
    for data in (b"a" * size, b"ab" * size, b" " * size + b"x", "中".encode() * size):
        piece = data[:size]
        assert merge_by_rank(piece, ranks) == plain_by_rank(piece, ranks)


def test_a_long_run_is_merged_at_all() -> None:
    """Where time grew as the square of the length, this would not end within the tests' limit."""
    ranks = tokenizer("cl100k_base").vocabulary.id_of
    random = Random(1)
    data = bytes(random.choice(b"abcdefgh") for _ in range(200_000))
    assert (
        b"".join(
            tokenizer("cl100k_base").vocabulary.bytes_of[i] for i in merge_by_rank(data, ranks)
        )
        == data
    )


# Few characters, so that tokens reach across them often; tokens may begin and end inside one.
WIDE = "一丁七中国\ud7ff\uffff\ufffd가ก"


@st.composite
def wide_tables(draw: st.DrawFn) -> Ranks:
    pieces = st.tuples(st.text(WIDE, min_size=1, max_size=3), st.integers(0, 2), st.integers(0, 2))
    tokens = draw(st.lists(pieces, max_size=12))
    cut = {text.encode()[a : len(text.encode()) - b] for text, a, b in tokens}
    order = draw(st.permutations(sorted(token for token in cut if len(token) > 1)))
    table = [bytes([byte]) for byte in range(256)] + list(order)
    return {token: rank for rank, token in enumerate(table)}


@given(ranks=wide_tables(), text=st.text(WIDE + "a é", max_size=16))
@settings(max_examples=800)
def test_cutting_a_piece_changes_nothing(ranks: Ranks, text: str) -> None:
    boundaries, model = Boundaries(ranks), RankModel(ranks)
    parts = boundaries.cut(text)
    assert "".join(parts) == text
    whole = plain_by_rank(text.encode(), ranks)
    assert [i for part in parts for i in plain_by_rank(part.encode(), ranks)] == whole
    with_cut = PieceEncoder(model, boundaries).ids([text] if text else [])
    assert with_cut == PieceEncoder(model).ids([text] if text else [])


@pytest.mark.parametrize("name", NAMES)
@given(text=texts)
def test_cutting_changes_nothing_on_published_tables(name: str, text: str) -> None:
    it = tokenizer(name)
    pieces = it.encoder.pieces(it.normalizer.apply(text), first=True)
    plain = PieceEncoder(it.encoder.encoder.model)  # type: ignore[attr-defined]
    assert it.encode(text).ids == plain.ids(pieces)


@pytest.mark.parametrize("limit", [1, 7, 100])
def test_memory_is_bounded_and_changes_nothing(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model = RankModel(tokenizer("gpt2").vocabulary.id_of)
    random = Random(limit)
    batches = [
        [random_text.words(random)[:12] or "x" for _ in range(random.randint(0, 40))]
        for _ in range(60)
    ]
    expected = [PieceEncoder(model).per_piece(batch) for batch in batches]
    monkeypatch.setattr(piece_encoder, "CACHED_PIECES", limit)
    monkeypatch.setattr(piece_encoder, "CACHED_PIECE_LENGTH", 6)
    small = PieceEncoder(model)
    for batch, ids in zip(batches, expected, strict=True):
        assert small.per_piece(batch) == ids
        assert len(small._known) <= limit
        assert all(len(piece) <= 6 for piece in small._known)


def test_memory_is_safe_under_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(piece_encoder, "CACHED_PIECES", 50)
    it = tokenizer("qwen3")
    encoder = PieceEncoder(it.encoder.encoder.model)  # type: ignore[attr-defined]
    random = Random(3)
    batches = [[random_text.words(random) for _ in range(20)] for _ in range(300)]
    expected = [PieceEncoder(encoder.model).ids(batch) for batch in batches]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(encoder.ids, batches)) == expected


def test_two_policies_in_threads_never_mix() -> None:
    it, random = tokenizer("qwen3"), Random(4)
    given_texts = [random_text.text(random) + "<|im_start|>" for _ in range(300)]
    policies: tuple[SpecialPolicy, ...] = ("text", "parse")
    tasks = [(text, policy) for text in given_texts for policy in policies]
    expected = [it.encode(text, special=policy).ids for text, policy in tasks]
    it.encoder.forget()  # type: ignore[attr-defined]
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda task: it.encode(task[0], special=task[1]).ids, tasks)
        assert list(found) == expected


class _NotWalked(piece_encoder._Memory):
    """A memory in which one may look up but not go from piece to piece."""

    def _walked(self) -> Never:
        raise AssertionError("a new piece cost a walk over all that is remembered")

    __iter__ = keys = values = items = copy = _walked


@pytest.mark.parametrize("text", ["x{}y", "中文字{}汉语"])
def test_a_new_piece_costs_the_same_whatever_is_remembered(text: str) -> None:
    inner = tokenizer("deepseek-v3").encoder.encoder  # type: ignore[attr-defined]
    encoder = PieceEncoder(inner.model, inner._boundaries)
    encoder._known = _NotWalked(encoder._resolve)
    pieces = [text.format(chr(0x4E00 + i)) for i in range(40)]
    assert encoder.ids(pieces) == [i for piece in pieces for i in inner.model.ids(piece)]
