"""Long texts in stretches give what the whole gives; bundled tables hold only what merges make."""

from __future__ import annotations

import random

import pytest

import engine
from engine.chunks import chunks
from engine.encode_fast import merge_by_rank
from engine.tokenizer import LosslessEncoder
from tests.random_text import text as random_text
from tests.shared import NAMES, tokenizer

# Kept small so that a test of a second has many places to cut.
STRETCH = 40


def _long_text(seed: int) -> str:
    """Random texts joined by what stands at places to cut, and beside them."""
    choose = random.Random(seed)
    joints = (" a", "  b", "\n c", ".\u00a0 d", " \u0301e", "x y", "\t z", "1 a", "' s", "\u200d q")
    parts = [random_text(choose) + choose.choice(joints) for _ in range(120)]
    return "".join(parts)


@pytest.mark.parametrize("name", NAMES)
def test_stretches_give_the_ids_of_the_whole(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.chunks.CHUNK_CHARACTERS", STRETCH)
    it = engine.load(name)
    assert isinstance(it.encoder, LosslessEncoder)
    for seed in range(12):
        text = it.normalizer.apply(_long_text(seed))
        whole = it.encoder.encoder.ids(it.encoder.splitter.pieces(text))
        assert len(list(chunks(text))) > 10
        assert "".join(chunks(text)) == text
        assert it.encode(text).ids == whole
        assert it.encode(text).ids == whole, "the second time from memory"


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base", "qwen3", "deepseek-v3"])
def test_every_token_is_what_merging_its_bytes_gives(name: str) -> None:
    ranks = tokenizer(name).vocabulary.id_of
    wrong = [data for data, token_id in ranks.items() if merge_by_rank(data, ranks) != [token_id]]
    assert not wrong
