"""The trainer: its two ways agree, its cases hold, and a run is what it says at every step."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import PRESETS, PatternError, PatternTimeout, TrainingSettings
from engine.patterns import NAMED
from engine.train import TIES, Ties, Words, train_plain
from engine.train_columns import steps_of_merges
from engine.train_curve import curve
from engine.train_fast import train_fast
from engine.training import merges_for, prepare
from engine.training_settings import LESSON_PATTERNS, PATTERNS, TrainingError, splitter_of
from pages.ui.corpora import corpora
from tests.engine.test_cases import CASES, Case
from tests.random_text import text as random_text
from tests.shared import ROOT

# Few letters, so that pairs tie and overlap.
words = st.dictionaries(
    st.lists(st.integers(0, 3), max_size=9).map(tuple), st.integers(1, 4), max_size=12
)
# Bytes of which the smallest pair is packed to nought, and long runs.
wild_words = st.dictionaries(
    st.lists(st.sampled_from([0, 1, 255]), max_size=40).map(tuple), st.integers(1, 3), max_size=6
)
texts = st.one_of(
    st.text("ab ", max_size=60),
    st.text("aé中🙂_ \n1", max_size=40),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
)
rules = st.builds(
    TrainingSettings,
    merges=st.integers(0, 30),
    pattern=st.sampled_from([name for name in PATTERNS if name != "own"]),
    ties=st.sampled_from(TIES),
    base=st.sampled_from(["bytes", "stand-in bytes", "characters"]),
    min_frequency=st.integers(1, 3),
    special_tokens=st.sampled_from([(), ("a",), ("aa", "é")]),
)


@pytest.mark.parametrize("ties", TIES)
@settings(max_examples=300)
@given(
    corpus=st.one_of(words, wild_words),
    merges=st.integers(0, 60),
    least=st.integers(1, 4),
)
def test_fast_equals_plain(ties: Ties, corpus: Words, merges: int, least: int) -> None:
    given: dict[str, Any] = {
        "merges": merges, "ties": ties, "first_new_id": 256, "min_frequency": least,
    }  # fmt: skip
    assert list(train_fast(corpus, **given)) == list(train_plain(corpus, **given))


@pytest.mark.parametrize("many", [0, 4, 32])
@pytest.mark.parametrize("ties", TIES)
def test_fast_equals_plain_on_three_thousand_corpora(
    ties: Ties, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a pair is merged place by place, all at once, or now so and now so."""
    monkeypatch.setattr("engine.train_fast._MANY", many)
    source = random.Random(ties)
    for _ in range(3_000):
        letters = source.randint(1, 6)
        corpus = {
            tuple(source.randrange(letters) for _ in range(source.randint(0, 10))): source.choice(
                (1, 1, 2, 5)
            )
            for _ in range(source.randint(0, 10))
        }
        given: dict[str, Any] = {"merges": 25, "ties": ties, "first_new_id": letters}
        assert list(train_fast(corpus, **given)) == list(train_plain(corpus, **given))


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("corpus", ["vi", "zh", "code"])
def test_fast_equals_plain_on_a_text(ties: Ties, corpus: str) -> None:
    text = corpora()[corpus].text[:3_000]
    prepared = prepare(text, TrainingSettings(ties=ties))
    given: dict[str, Any] = {"merges": 120, "ties": ties, "first_new_id": 256}
    assert list(train_fast(prepared.words, **given)) == list(train_plain(prepared.words, **given))


@pytest.mark.parametrize("pattern", NAMED)
def test_pieces_of_stretches_are_those_of_the_whole(
    pattern: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the same order and with the same frequencies, which decide what is merged."""
    monkeypatch.setattr("engine.chunks.CHUNK_CHARACTERS", 40)
    rules = TrainingSettings(pattern=pattern)
    for seed in range(12):
        choose = random.Random(seed)
        text = "".join(
            random_text(choose) + choose.choice((" a", ", b", "\n c")) for _ in range(90)
        )
        whole = Counter(splitter_of(rules).pieces(text))
        assert list(prepare(text, rules).pieces.items()) == list(whole.items())


@given(text=texts, rules=rules)
def test_corpus_after_k_merges_is_its_encoding(text: str, rules: TrainingSettings) -> None:
    run = engine.train(text, rules)
    special = sum(run.corpus.special_found.values())
    left = [run.tokens_at_start, *(step.tokens_left for step in run.steps)]
    for merges, tokens in enumerate(left):
        assert len(run.at(merges).encode(text, special="parse")) == tokens + special


@given(text=texts, other=texts, rules=rules)
def test_curve_is_the_length_at_each_step(text: str, other: str, rules: TrainingSettings) -> None:
    run = engine.train(text, rules)
    for unseen in (text, other):
        found = curve(run, unseen)
        for merges in range(len(run.steps) + 1):
            result = run.at(merges).encode(unseen, special="parse")
            assert found.tokens[merges] == len(result)
        result = run.tokenizer.encode(unseen, special="parse")
        assert found.unknown == result.ids.count(None)
        spans = zip(result.starts_byte, result.ends_byte, strict=True)
        assert found.bytes == sum(end - start for start, end in spans)


@given(text=texts, rules=rules)
def test_counts_are_recounted(text: str, rules: TrainingSettings) -> None:
    """What each step says is what plain counting of the corpus at that step says."""
    run = engine.train(text, rules)
    given: dict[str, Any] = {
        "merges": rules.merges, "ties": rules.ties, "first_new_id": len(run.corpus.base),
        "min_frequency": rules.min_frequency,
    }  # fmt: skip
    assert list(run.steps) == list(train_plain(run.corpus.words, **given))


@given(text=texts, rules=rules)
def test_columns_from_merges_alone(text: str, rules: TrainingSettings) -> None:
    run = engine.train(text, rules)
    known = run.token_bytes
    merges = [(known[step.left], known[step.right]) for step in run.steps]
    assert steps_of_merges(run.corpus, merges) == [step._replace(tied=0) for step in run.steps]


@given(text=texts, rules=rules)
def test_no_two_ids_have_the_same_bytes(text: str, rules: TrainingSettings) -> None:
    known = engine.train(text, rules).token_bytes
    assert len(set(known)) == len(known)


@given(text=texts, rules=rules)
def test_lossless_or_dropped_is_counted(text: str, rules: TrainingSettings) -> None:
    run = engine.train(text, rules)
    result = run.tokenizer.encode(text, special="parse")
    kept = run.tokenizer.decode_bytes(result.ids)
    dropped = sum(len(c.encode()) * n for c, n in run.corpus.dropped.items())
    assert len(kept) + dropped == len(text.encode())
    if rules.pattern not in ("lesson A", "words"):
        assert not dropped
        assert kept == text.encode()


def test_lesson_a_drops_the_underscore() -> None:
    run = engine.train("snake_case __init__", PRESETS["lesson A"])
    assert dict(run.corpus.dropped) == {"_": 5}
    assert "underscore" in LESSON_PATTERNS["lesson A"].drops
    result = run.tokenizer.encode("a_b")
    assert run.tokenizer.decode(result.ids) == "ab"
    assert [(token.start_byte, token.end_byte) for token in result] == [(0, 1), (2, 3)]


def of_area(*ids: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["id"] in ids]


TRAIN = [case["id"] for case in CASES if case["area"] == "train"]
TIED = ("C413", "C414", "C415")
SMALL = ("C416", "C417", "C418", "C419")
SIZES = ("C420", "C421", "C422", "C423", "C424")
RUNS = ("C429", "C430", "C431")


def test_every_case_is_tested() -> None:
    assert sorted(TRAIN) == sorted((*TIED, *SMALL, *SIZES, *RUNS, "C434"))


def library_merges(run: engine.TrainingRun) -> list[list[str]]:
    known = run.token_bytes
    return [[known[s.left].decode(), known[s.right].decode()] for s in run.steps]


def of_size(case: Case, preset: str) -> engine.TrainingRun:
    rules = PRESETS[preset]
    merges = merges_for(case["vocab_size"], prepare(case["input"], rules), rules)
    return engine.train(case["input"], replace(rules, merges=merges))


@pytest.mark.parametrize("case", of_area(*TIED, *RUNS))
def test_ties_and_runs(case: Case) -> None:
    expected = case["expected"]
    run = of_size(case, "hugging-face")
    assert library_merges(run) == expected["hf_reference_merges"]
    if "hf_ids" in expected:
        assert run.tokenizer.encode(case["input"]).ids == expected["hf_ids"]


def test_first_seen_of_the_same_cases() -> None:
    texts = ("aaabdaaabac", "bbbaaaddddcccc", "aaabbbccccdddd")
    runs = [engine.train(text, replace(PRESETS["minbpe basic"], merges=4)) for text in texts]
    learned = [[run.token_bytes[step.new_id].decode() for step in run.steps] for run in runs]
    # In the whole text; after merging, "ad" and "db" are met before what comes later.
    assert learned[0][:3] == ["aa", "aaa", "aaab"]
    assert learned[1][:2] == ["dd", "cc"]
    assert learned[2][:2] == ["cc", "dd"]


def test_minbpe_example() -> None:
    """The worked example of minbpe's tests (and of Wikipedia): 3 merges, ids 258 100 258 97 99."""
    run = engine.train("aaabdaaabac", replace(PRESETS["minbpe basic"], merges=3))
    assert run.tokenizer.encode("aaabdaaabac").ids == [258, 100, 258, 97, 99]


@pytest.mark.parametrize("case", of_area(*SMALL))
def test_nothing_to_learn_is_a_result(case: Case) -> None:
    run = of_size(case, "hugging-face")
    assert len(run.steps) == case["expected"]["merges_max"]
    assert run.tokenizer.size == case["expected"]["hf_vocab_size"]
    assert run.stopped == "no pair left"


@pytest.mark.parametrize("case", of_area(*SIZES))
def test_vocabulary_size(case: Case) -> None:
    if case["vocab_size"] < 256:
        with pytest.raises(TrainingError, match="256 in all"):
            of_size(case, "hugging-face")
        return
    assert of_size(case, "hugging-face").tokenizer.size == case["expected"]["hf_vocab_size"]


@pytest.mark.parametrize("case", of_area("C434"))
def test_special_tokens_are_cut_out(case: Case) -> None:
    rules = replace(PRESETS["plain"], special_tokens=tuple(case["special"]))
    run = engine.train(case["input"], rules)
    assert library_merges(run) == [["h", "i"]]
    assert dict(run.corpus.special_found) == {"<|endoftext|>": 3}
    assert run.tokenizer.encode(case["input"], special="parse").ids == [256, 257] * 3
    assert run.at(0).encode("<|endoftext|>", special="parse").ids == [256]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    "text",
    ["", "a", " ", "   ", "\t\n", "ab", "a\r\nb\r\n", "<|end|>", "aaaa", "\0\0\0\0", "e\u0301" * 9],
)
def test_edges(preset: str, text: str) -> None:
    run = engine.train(text, replace(PRESETS[preset], merges=300, special_tokens=("<|end|>",)))
    assert len(run.steps) < 20
    assert run.stopped == "no pair left"
    assert run.tokenizer.encode(text).ids is not None


def test_three_hundred_merges_asked_of_ab() -> None:
    run = engine.train("ab", PRESETS["plain"])
    assert (len(run.steps), run.stopped, run.settings.merges) == (1, "no pair left", 300)


def test_minimum_frequency_ends_a_run() -> None:
    run = engine.train("ab ab ab cd", TrainingSettings(min_frequency=2))
    assert run.stopped == "minimum frequency"
    assert all(step.pair_count >= 2 for step in run.steps)


def test_carriage_returns_are_learned() -> None:
    run = engine.train("a\r\nb\r\nc\r\n", TrainingSettings(merges=1, pattern="none"))
    assert run.token_bytes[256] == b"\r\n"


def test_lone_surrogate_is_named() -> None:
    with pytest.raises(engine.LoneSurrogate, match="code point 1"):
        engine.train("a\ud800", PRESETS["plain"])


def test_unknown_pattern_is_named() -> None:
    with pytest.raises(TrainingError, match="no split pattern 'x'"):
        engine.train("a", TrainingSettings(pattern="x"))


def test_more_merges_than_there_are_steps() -> None:
    run = engine.train("ab", PRESETS["plain"])
    with pytest.raises(TrainingError, match="1 merges; 2 were asked"):
        run.at(2)


def own(expression: str) -> TrainingSettings:
    return TrainingSettings(pattern="own", expression=expression)


def test_a_pattern_of_ones_own_keeps_what_lies_between() -> None:
    run = engine.train("ab12ab", own(r"\p{N}"))
    assert dict(run.corpus.pieces) == {"ab": 2, "1": 1, "2": 1}
    assert run.tokenizer.decode(run.tokenizer.encode("x1y").ids) == "x1y"


def test_a_pattern_of_ones_own_is_stopped_in_time() -> None:
    with pytest.raises(PatternTimeout, match="was stopped"):
        engine.train("a" * 60 + "!", own(r"(a|a|aa)+$"))


@pytest.mark.parametrize("expression", ["(", "[", r"\p{Nope}", "a" * 30_000, ""])
def test_a_pattern_that_is_none(expression: str) -> None:
    with pytest.raises((PatternError, TrainingError)):
        engine.train("a", own(expression))


@pytest.mark.slow
@pytest.mark.parametrize("text", ["a" * 1_000_000, "ab" * 500_000, "abcdefgh" * 125_000])
def test_a_megabyte_without_a_blank(text: str) -> None:
    run = engine.train(text, TrainingSettings(merges=30))
    assert run.tokenizer.decode_bytes(run.tokenizer.encode(text).ids) == text.encode()
    assert run.steps[-1].tokens_left == run.tokenizer.count(text)


_PRINT = """
from dataclasses import replace
import engine
for name, preset in engine.PRESETS.items():
    text = "low lower newest widest 中文 é aaabdaaabac bbbaaaddddcccc " * 3
    print(name, [tuple(s) for s in engine.train(text, replace(preset, merges=60)).steps])
"""


def test_the_same_on_every_hash_seed() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", _PRINT],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "12345")
    }
    assert len(outputs) == 1
