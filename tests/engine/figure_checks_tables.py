"""As ``figure_checks``: patterns, vocabularies, ratios, and merges done by hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

import engine
from engine import patterns
from engine.encode import merge_plain
from engine.encode_fast import merge_by_pair, merge_by_rank, pair_key, pair_value
from engine.normalization import KeepText
from engine.patterns import compiled
from engine.piece_encoder import PairModel, PieceEncoder
from engine.pretokenization import WholeText, split_plain
from engine.special_tokens import AddedToken, AddedTokens
from engine.tokenizer import LosslessEncoder, RankView
from engine.vocabulary import Vocabulary
from tests.engine.figure_checks import Figure, for_ids
from tests.shared import ROOT, tokenizer


@for_ids("B-pat-o200k")
def pattern_parts(f: Figure) -> None:
    pattern = tokenizer("o200k_base").pattern
    assert pattern.startswith(f["value"][0])
    assert pattern.endswith(f["value"][1])


@for_ids("B-pat-qwen")
def pattern_part(f: Figure) -> None:
    assert f["value"] in tokenizer("qwen2.5").pattern


@for_ids("D-pattern")
def equivalent_patterns(f: Figure) -> None:
    published = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
    text = (ROOT / "sample_texts/training/heldout_en.txt").read_text("utf-8") + " \n\n  x'll \u00b2"
    pairs = (compiled(published).findall(text), split_plain(patterns.GPT2, text))
    assert (pairs[0] == pairs[1]) is f["value"]


@for_ids("C-classes C-bytelevel")
def claims_about_patterns(f: Figure) -> None:
    used = [tokenizer(name).pattern for name in ("gpt2", "qwen3")]
    assert all(r"\p{L}" in pattern and r"\p{N}" in pattern for pattern in used) is f["value"]
    assert all(tokenizer(name).unit == "bytes" for name in ("gpt2", "qwen3"))


@for_ids("C-production")
def bytes_per_token(f: Figure) -> None:
    assert f["value"] == "about 4 bytes per token"
    text = (ROOT / "sample_texts/training/heldout_en.txt").read_text("utf-8")
    for name in ("gpt2", "cl100k_base", "o200k_base", "qwen2.5", "deepseek-v3"):
        ratio = engine.counts(tokenizer(name).encode(text)).bytes_per_token
        assert 3.5 < ratio < 5.2, name


@for_ids("A-q3-len")
def sizes_of_qwen(f: Figure) -> None:
    it = tokenizer("qwen3")
    assert [it.size, len(it.vocabulary)] == f["value"]


@for_ids("A-q3-special-count")
def added_tokens_of_qwen(f: Figure) -> None:
    assert len(tokenizer("qwen3").added.tokens) == f["value"]


@for_ids("A-q3-think")
def new_in_qwen3(f: Figure) -> None:
    new = set(tokenizer("qwen3").added.by_content) - set(tokenizer("qwen2.5").added.by_content)
    assert set(f["value"]) < new
    assert len(new) == 4


@for_ids("B-vocab-q25 B-vocab-ds")
def sizes(f: Figure) -> None:
    assert (
        tokenizer({"Qwen2.5": "qwen2.5", "DeepSeek-V3": "deepseek-v3"}[f["input"]]).size
        == f["value"]
    )


@for_ids("B-vocab-o200k B-vocab-cl100k")
def sizes_with_gaps(f: Figure) -> None:
    it = tokenizer({"GPT-4o": "o200k_base", "GPT-4": "cl100k_base"}[f["input"]])
    assert max(it.added.by_id) + 1 == f["value"] > it.size
    assert f["note"].startswith(f"{len(it.vocabulary)} regular + {len(it.added.tokens)} special")


@for_ids("A-json-sizes")
def sizes_of_parts(f: Figure) -> None:
    it = tokenizer("qwen3")
    merged = [i for i in it.vocabulary.bytes_of if it.rank_of(i) is not None]
    assert [len(it.vocabulary), len(merged)] == f["value"]


@for_ids("A-rank-id")
def rank_is_id_less_256(f: Figure) -> None:
    it = tokenizer("qwen3")
    ids = [i for i in it.vocabulary.bytes_of if it.rank_of(i) is not None]
    assert all(it.rank_of(i) == i - 256 for i in ids) is f["value"]
    assert f"{len(ids)} merges" in f["input"]


@for_ids("A-model-config A-unused-rows A-pad-128")
def rows_of_the_model(f: Figure) -> None:
    it = tokenizer("qwen3")
    assert it.model_rows is not None
    assert f["value"] in (it.model_rows, it.model_rows - it.size, "multiple of 128 or 256")
    assert it.model_rows % 128 == 0
    assert it.model_rows % 256


@for_ids("V-qwen-same")
def qwen_tables(f: Figure) -> None:
    older, newer = tokenizer("qwen2.5"), tokenizer("qwen3")
    same = older.vocabulary.bytes_of == newer.vocabulary.bytes_of
    ranks = all(older.rank_of(i) == newer.rank_of(i) for i in older.vocabulary.bytes_of)
    assert [same, ranks] == f["value"]


@for_ids("V-gpt4o-o200k")
def merge_list_of_o200k(f: Figure) -> None:
    """A merge list gives the same ids if each token comes apart into two others."""
    rows = tokenizer("o200k_base").vocabulary.bytes_of
    ranks = {data: i for i, data in rows.items()}
    sample = [i for i in rows if len(rows[i]) > 1][::7]
    for i in sample:
        del ranks[rows[i]]
        assert len(merge_by_rank(rows[i], ranks)) == 2
        ranks[rows[i]] = i
    assert f["value"] == [True, True]


@for_ids("B-cost-arith-cl100k_base B-cost-arith-o200k_base B-cost-arith-Qwen2.5 B-bytes-per-char")
def ratios(f: Figure) -> None:
    found = []
    for division in f["input"].split(", "):
        above, below = map(int, division.split("/"))
        found.append(round(engine.premium(above, below), 2))
    assert found[0] == f["value"][0]
    assert f["value"][1] in (found[1], "almost one")


@for_ids("B-third-fewer")
def a_third(f: Figure) -> None:
    assert f["value"] == "a third fewer"
    assert engine.premium(14109, 21040) == pytest.approx(2 / 3, abs=0.01)


# The merges of a lesson done by hand.
HELLO = ((104, 101), (256, 108), (257, 108), (258, 111))


def by_hand() -> engine.Tokenizer:
    """The tokenizer of that lesson: bytes, four merges, one special token."""
    rows = {i: bytes([i]) for i in range(256)}
    pairs = {}
    for rank, (left, right) in enumerate(HELLO):
        rows[256 + rank] = rows[left] + rows[right]
        pairs[pair_key(left, right)] = pair_value(rank, 256 + rank)
    model = PairModel(byte_ids=range(256), pairs=pairs, whole={})
    return engine.Tokenizer(
        name="by hand",
        vocabulary=Vocabulary(rows),
        added=AddedTokens((AddedToken(id=100_000, content="<|endoftext|>"),), KeepText()),
        encoder=LosslessEncoder(WholeText(), PieceEncoder(model)),
        ranks=RankView(256),
    )


@for_ids("D-hello D-special-off")
def hand_merges(f: Figure) -> None:
    assert by_hand().encode(f["input"]).ids == f["value"]


@for_ids("D-special")
def hand_merges_with_special(f: Figure) -> None:
    assert by_hand().encode(f["input"], special="parse").ids == f["value"]


@for_ids("D-abc")
def letters(f: Figure) -> None:
    ranks: dict[tuple[Any, ...], int] = {("A", "B"): 0, ("X", "C"): 1}
    made = {("A", "B"): "X", ("X", "C"): "Y"}
    plain = merge_plain(f["input"], lambda a, b: ranks.get((a, b)), lambda a, b: made[a, b])
    pairs = {pair_key(0, 1): pair_value(0, 3), pair_key(3, 2): pair_value(1, 4)}
    assert plain == [f["value"]]
    assert ["ABCXY"[i] for i in merge_by_pair([0, 1, 2], pairs)] == [f["value"]]


@for_ids("D-pairs")
def neighbours(f: Figure) -> None:
    seen: list[Sequence[str]] = []
    merge_plain(f["input"], lambda a, b: seen.append([a, b]), lambda a, b: a + b)
    assert seen == f["value"] == [list(pair) for pair in pairwise(f["input"])]


@for_ids("D-ab")
def two_bytes(f: Figure) -> None:
    (joined,) = merge_plain([b"a", b"b"], lambda a, b: 0 if a + b == b"ab" else None, bytes.__add__)
    assert [*joined, joined.decode()] == f["value"]
