"""Training against the reference trainers, and trained files in the reference libraries."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import PRESETS, TrainingSettings
from engine.patterns import CL100K
from engine.trained_source import tiktoken_pattern
from engine.training import prepare
from pages.reference import trainer
from pages.ui.corpora import corpora, held_out
from tests.benchmarks.texts import mixed
from tests.random_text import text as random_text

HF = PRESETS["hugging-face"]


def assert_equal_to_library(text: str, rules: TrainingSettings) -> None:
    """Every column but the ties, which merges do not say."""
    ours = engine.train(text, rules)
    theirs = trainer.train(prepare(text, rules), rules, lambda: None)
    assert [step._replace(tied=0) for step in ours.steps] == list(theirs.steps)
    assert ours.stopped == theirs.stopped


@settings(max_examples=100)
@given(
    text=st.one_of(st.text("ab ", max_size=80), st.text("aé中 1'", max_size=60)),
    special=st.sampled_from([(), ("a",), (" 1",)]),
    least=st.integers(1, 3),
)
def test_library_on_short_texts(text: str, special: tuple[str, ...], least: int) -> None:
    rules = replace(HF, merges=60, special_tokens=special, min_frequency=least)
    assert_equal_to_library(text, rules)


@pytest.mark.parametrize("name", ["vi", "zh", "en", "mixed", "code", "hug", "four-words"])
def test_library_on_our_corpora(name: str) -> None:
    assert_equal_to_library(corpora()[name].text, replace(HF, merges=3_000))


@pytest.mark.parametrize("seed", range(5))
def test_library_on_random_unicode(seed: int) -> None:
    source = random.Random(seed)
    text = "".join(random_text(source) for _ in range(300))
    assert_equal_to_library(text, replace(HF, merges=400))


@pytest.mark.slow
def test_library_on_a_megabyte() -> None:
    assert_equal_to_library(mixed(1_000_000), replace(HF, merges=8_000))


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_library_on_ten_megabytes() -> None:
    assert_equal_to_library(mixed(10_000_000, seed=2), replace(HF, merges=8_000))


def test_the_library_is_for_large_corpora() -> None:
    assert not trainer.preferred("a" * 1_000, HF)
    assert trainer.preferred("a" * 11_000_000, HF)
    assert not trainer.preferred("a" * 11_000_000, PRESETS["plain"])


def minbpe(chunks: list[list[int]], merges: int) -> list[tuple[int, int]]:
    """minbpe's algorithm (karpathy/minbpe, regex.py): all chunks of the running text, one dict."""
    learned = []
    for new_id in range(256, 256 + merges):
        counts: dict[tuple[int, int], int] = {}
        for chunk in chunks:
            for pair in pairwise(chunk):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.__getitem__)
        learned.append(best)
        chunks = [_merged(chunk, best, new_id) for chunk in chunks]
    return learned


def _merged(ids: list[int], pair: tuple[int, int], new_id: int) -> list[int]:
    output, place = [], 0
    while place < len(ids):
        if place < len(ids) - 1 and (ids[place], ids[place + 1]) == pair:
            output.append(new_id)
            place += 2
        else:
            output.append(ids[place])
            place += 1
    return output


@pytest.mark.parametrize("name", ["en", "vi", "zh", "code"])
def test_minbpe_with_the_pattern_of_gpt4(name: str) -> None:
    text = corpora()[name].text[:4_000]
    chunks = [list(chunk.encode()) for chunk in regex.findall(CL100K.steps[0], text)]
    run = engine.train(text, replace(PRESETS["minbpe"], merges=100))
    assert [(s.left, s.right) for s in run.steps] == minbpe(chunks, 100)


@pytest.mark.parametrize("name", ["en", "vi", "putao", "aaab"])
def test_minbpe_on_the_whole_text(name: str) -> None:
    text = corpora()[name].text[:2_000]
    run = engine.train(text, replace(PRESETS["minbpe basic"], merges=60))
    assert [(s.left, s.right) for s in run.steps] == minbpe([list(text.encode())], 60)


# Lessons run by Python's `re`, whose tables may be older than those of the libraries.
KNOWN = "".join(map(chr, (*range(0x250), *range(0x300, 0x370), *range(0x1EA0, 0x1F00))))


def texts_to_compare(*, known_only: bool) -> list[str]:
    source = random.Random(7)
    texts = ["", " ", "_a__b", "  x\x1c y\t\n", "it's I'M", "\r\n\r\n", "a<|end|>b", "\u2028\x85"]
    for one in held_out():
        texts += one.text.split("\n")
    while len(texts) < 1_000:
        text = random_text(source)
        if known_only:
            text = "".join(source.choices(KNOWN, k=source.randint(1, 60)))
        texts.append(text)
    return texts


EXPORTED: dict[str, TrainingSettings] = {
    **{name: replace(preset, merges=700) for name, preset in PRESETS.items()},
    "special": TrainingSettings(merges=300, special_tokens=("<|end|>", "<|start|>")),
    "characters, special": replace(PRESETS["characters"], merges=90, special_tokens=("<|end|>",)),
    "own": TrainingSettings(merges=300, pattern="own", expression=r"\p{L}+|\p{N}"),
    "o200k": TrainingSettings(merges=300, pattern="o200k"),
    "qwen": TrainingSettings(merges=300, pattern="qwen"),
    "deepseek": TrainingSettings(merges=300, pattern="deepseek"),
}


@pytest.mark.parametrize("name", EXPORTED)
def test_exported_json_gives_our_ids(name: str, tmp_path: Path) -> None:
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

    rules = EXPORTED[name]
    tokenizer = engine.train(corpora()["mixed"].text, rules).tokenizer
    data = engine.write_tokenizer_json(tokenizer)
    library = Tokenizer.from_str(data.decode())
    again = engine.read(data, kind="tokenizer.json")
    file = tmp_path / "tokenizer.json"
    file.write_bytes(data)
    transformer = PreTrainedTokenizerFast(tokenizer_file=str(file))
    unknown = library.token_to_id("<unk>")
    for text in texts_to_compare(known_only=rules.pattern in ("lesson A", "lesson B", "words")):
        ours = tokenizer.encode(text, special="parse").ids
        written = [unknown if token_id is None else token_id for token_id in ours]
        assert library.encode(text, add_special_tokens=False).ids == written, text
        assert transformer.encode(text, add_special_tokens=False) == written, text
        assert again.encode(text, special="parse").ids in (ours, written), text


@pytest.mark.parametrize("name", EXPORTED)
def test_exported_tiktoken_gives_our_ids(name: str, tmp_path: Path) -> None:
    import tiktoken
    from tiktoken.load import load_tiktoken_bpe

    rules = EXPORTED[name]
    tokenizer = engine.train(corpora()["mixed"].text, rules).tokenizer
    pattern = tiktoken_pattern(rules)
    if pattern is None and name not in ("deepseek", "own"):
        with pytest.raises(engine.FormatError, match=r"tokenizer\.json"):
            engine.write_tiktoken(tokenizer)
        return
    data = engine.write_tiktoken(tokenizer)
    if pattern is None:  # three patterns in a row, or one that leaves something out
        return
    file = tmp_path / "trained.tiktoken"
    file.write_bytes(data)
    special: dict[str, Any] = {token.content: token.id for token in tokenizer.added.tokens}
    library = tiktoken.Encoding(
        "trained",
        pat_str=pattern,
        mergeable_ranks=load_tiktoken_bpe(str(file)),
        special_tokens=special,
    )
    for text in texts_to_compare(known_only=rules.pattern == "lesson B"):
        ours = tokenizer.encode(text, special="parse").ids
        assert library.encode(text, allowed_special="all") == ours, text
