"""Which branch takes what: every sentence about a branch is held against what the branch takes."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from engine.formats import read
from engine.pattern_branches import _PUBLISHED, branches_of, split_branches
from engine.pattern_words import in_words
from engine.patterns import CL100K, DEEPSEEK, GPT2, NAMED, O200K, QWEN
from engine.pre_tokenizers import Split
from engine.pretokenization import split_plain
from engine.replay_splits import (
    FastPatternStep,
    SplitStep,
    UploadedPatternStep,
    split_traced,
)
from engine.training_settings import LESSON_PATTERNS
from engine.uploaded_pattern import LLAMA3, UploadedPattern, published
from tests import random_text
from tests.engine.test_replay import tokenizer_json
from tests.strategies import texts

LESSONS = {name: lesson.expression for name, lesson in LESSON_PATTERNS.items()}
# pattern -> texts with the branch (from 0) that takes each piece; None: no branch does.
EXAMPLES: dict[str, list[list[tuple[str, int | None]]]] = {
    GPT2.steps[0]: [
        [("it", 1), ("'s", 0), (" we", 1), ("'ll", 0), (" I", 1), ("'m", 0)],
        [("IT", 1), ("'", 3), ("S", 1)],
        [(" Việt", 1), (" Привет中文", 1)],
        [("1234567", 2), (" 42", 2), (" ½", 2)],
        [(" !?", 3), ("a", 1), ("\u0301_", 3), ("a", 1)],
        [("a", 1), ("  \n ", 4)],
        [("a", 1), ("  ", 5), (" b", 1)],
        [("a", 1), ("\n", 6), ("b", 1), ("\t", 6), ("1", 2)],
    ],
    CL100K.steps[0]: [
        [("IT", 1), ("'S", 0), (" we", 1), ("'ve", 0)],
        [(" word", 1), ("(word中文", 1), ("\tx", 1)],
        [("123", 2), ("456", 2), ("7", 2), (" ", 7), ("12", 2)],
        [(" !?\n\n", 3), ("a", 1), ("\u0301", 3)],
        [("a", 1), (" \n \n", 4)],
        [("a", 1), (" \n \n", 5), ("  ", 6), (" b", 1)],
        [("a", 1), ("  ", 6), (" b", 1)],
        [("a", 1), (" ", 7), ("1", 2)],
    ],
    O200K.steps[0]: [
        [("Hello", 0), (" Mc", 0), ("Donald", 0), (" don't", 0), (" 中文", 0), ("(it", 0)],
        [("HELLO", 1), (" USA's", 1), (" IT", 1)],
        [("123", 2), ("4", 2)],
        [(" !?//\n", 3), ("1", 2)],
        [("1", 2), (" \n\n", 4), ("  ", 5), (" a", 0)],
        [("1", 2), ("   ", 5)],
        [("1", 2), (" ", 6), ("2", 2)],
    ],
    QWEN.steps[0]: [
        [("DON", 1), ("'T", 0), (" he", 1), ("'d", 0)],
        [(" word", 1), ("_word想学", 1)],
        [("1", 2), ("2", 2), ("½", 2)],
        [(" !?\r\n", 3), ("1", 2)],
        [("1", 2), (" \n\n", 4), ("  ", 5), (" a", 1)],
        [("1", 2), ("   ", 5)],
        [("1", 2), (" ", 6), ("2", 2)],
    ],
    LLAMA3.steps[0]: [
        [("DON", 1), ("'T", 0)],
        [(" word", 1), ("_word", 1)],
        [("123", 2), ("4", 2)],
        [(" !?\r\n", 3), ("1", 2)],
        [("1", 2), (" \n\n", 4), ("  ", 5), (" a", 1)],
        [("1", 2), ("   ", 5)],
        [("1", 2), (" ", 6), ("2", 2)],
    ],
    DEEPSEEK.steps[0]: [[("a ", None), ("123", 0), ("4", 0), ("x", None)]],
    DEEPSEEK.steps[1]: [[("hi ", None), ("你好", 0), (" ", None), ("ひらカタ", 0), ("한국", None)]],
    DEEPSEEK.steps[2]: [
        [("rock", 1), ("'n", 0), ("'roll", 0), (".com", 0)],
        [(" việt", 1), (" e\u0301t", 1), ("\tx", 1), ("«", 2), ("x", 1)],
        [(" !?\n", 2), ("x", 1), (" +", 2)],
        [("x", 1), (" \n", 3), ("  ", 4), (" a", 1)],
        [("x", 1), ("  ", 4)],
        [("x", 1), ("  ", 4), (" +", 2), ("\t", 5), ("+", 2)],
        [("x", 1), ("\x0012", None)],
    ],
    LESSONS["lesson A"]: [
        [("low", 0), (" việt", 0), (" 中文", 0)],
        [("123", 1), ("4", 1), (" 56", 1)],
        [(" !?", 2), ("a", 0), ("_", None), ("b", 0)],
        [("  ", 3), ("a", 0)],
    ],
    LESSONS["lesson B"]: [[("a_1½", 0), (" b", 0), (" !?", 1), ("\n\n", 2)]],
    LESSONS["lesson C"]: [
        [("a", 7), ("'s", 0), ("'t", 1), ("'re", 2), ("'ve", 3), ("'m", 4), ("'ll", 5), ("'d", 6)],
        [("Low", 7), (" er", 7), ("10", 8), (" 2", 8), (" !", 9), ("vi", 7), ("ệ", 9)],
        [("a", 7), ("  ", 10), (" b", 7), ("\n", 11), ("c", 7)],
    ],
    LESSONS["words"]: [[("it's", 0), (" ", None), ("1!", 0), ("\n", None)]],
}


def step_of(pattern: str) -> SplitStep:
    if pattern in LESSONS.values():
        return FastPatternStep(pattern, pinned=False, drops=True)
    return FastPatternStep(pattern)


def test_every_published_pattern_has_a_sentence_and_an_example_for_each_branch() -> None:
    assert EXAMPLES.keys() == _PUBLISHED.keys()
    for pattern, examples in EXAMPLES.items():
        branches = branches_of(pattern)
        assert len(_PUBLISHED[pattern]) == len(branches)
        taken = {branch for example in examples for _, branch in example if branch is not None}
        assert taken == set(range(len(branches)))


@pytest.mark.parametrize("pattern", EXAMPLES)
def test_a_branch_takes_what_its_sentence_says(pattern: str) -> None:
    for example in EXAMPLES[pattern]:
        text = "".join(piece for piece, _ in example)
        found = split_traced([step_of(pattern)], text, first=True)
        assert [(piece.text, piece.taken[0]) for piece in found] == example


@pytest.mark.parametrize("pattern", EXAMPLES)
def test_branches_join_to_their_pattern(pattern: str) -> None:
    assert "|".join(split_branches(pattern)) == pattern


@pytest.mark.parametrize("name", NAMED)
@given(text=texts)
@settings(max_examples=100)
def test_traced_pieces_are_those_of_the_definition(name: str, text: str) -> None:
    """And the branch that took a piece, run alone, takes just that much."""
    from engine.patterns import compiled
    from engine.unicode_classes import without_astral

    steps = [FastPatternStep(step) for step in NAMED[name].steps]
    found = list(split_traced(steps, text, first=True))
    assert [piece.text for piece in found] == split_plain(NAMED[name], text)
    if len(steps) > 1:
        return
    start = 0
    for piece in found:
        (branch,) = piece.taken
        assert branch is not None, "these patterns take everything"
        match = compiled(steps[0].branches[branch].source).match(without_astral(text), start)
        assert match is not None
        start += len(piece.text)
        assert match.end() == start


def test_a_pattern_from_outside_is_traced_alike() -> None:
    """The same pattern run as an uploaded one finds the same branches."""
    source = random.Random("branches")
    uploaded = UploadedPattern(QWEN.steps[0], "rust")
    step = UploadedPatternStep(Split(uploaded, "Isolated"), uploaded)
    for _ in range(300):
        text = random_text.text(source)
        fast = split_traced([FastPatternStep(QWEN.steps[0])], text, first=True)
        assert list(split_traced([step], text, first=True)) == list(fast)


@pytest.mark.parametrize("invert", [False, True])
@pytest.mark.parametrize(
    "behavior", ["Isolated", "Removed", "MergedWithPrevious", "MergedWithNext", "Contiguous"]
)
def test_pieces_of_a_file_are_those_that_are_merged(behavior: str, invert: bool) -> None:
    """Whatever becomes of the matches, in a file that also rewrites blanks."""
    split = {
        "type": "Split",
        "pattern": {"Regex": "[0-9]+|-"},
        "behavior": behavior,
        "invert": invert,
    }
    blanks = {
        "type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": True
    }  # fmt: skip
    steps = {"type": "Sequence", "pretokenizers": [split, blanks]}
    vocabulary = {sign: place for place, sign in enumerate("?ab1-▁")}
    own = read(
        tokenizer_json(vocab=vocabulary, merges=[], unk_token="?", pre_tokenizer=steps),
        kind="tokenizer.json",
    )
    from engine import replay

    for text in ("a 12-b", "-", "1 1", "", " a-- 11b "):
        kept = [piece.text for piece in replay(own, text).pieces() if piece.kept]
        assert kept == own.encoder.pieces(text, first=True)


def test_old_spellings_are_explained_as_what_they_are() -> None:
    assert published((GPT2.steps[0],), "rust") is GPT2


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r" ?\p{L}+", "at most one blank, then one or more of: letter"),
        (r"[^\s\p{L}]{2,}", "2 or more of: anything but white space, letter"),
        (r"\d{1,3}(?!\d)", "1 to 3 of: digit, if not followed by digit"),
        (r"(?i:ab|c)?", "at most one (“ab” or “c”, in either case)"),
        (r"\s*[\r\n]", "any number of: white space, then one of: carriage return, line feed"),
        (r"a\.b|[a-f0-9]", "“a.b” or one of: “a” to “f”, “0” to “9”"),
        (r"\u4e2d+$", "one or more of: “中”, at the end"),
        (r"(?<=x)\P{Lu}", "if after “x”, then no capital letter"),
        (r"[\w&&[^\d]]+", r"one or more of: one of [\w&&[^\d]]"),
        (r"\p{Egyptian}", "Egyptian"),
        (r"\G", r"\G"),
        ("", "nothing"),
    ],
)
def test_any_pattern_in_words(pattern: str, words: str) -> None:
    assert in_words(pattern) == words


@pytest.mark.parametrize("pattern", [r"(?i)a|b", r"(a)\1|b", "[a[bc]]|d"])
def test_what_cannot_be_taken_apart_stays_whole(pattern: str) -> None:
    assert split_branches(pattern) == [pattern]


@given(text=texts)
@settings(max_examples=300)
def test_reading_a_pattern_never_fails(text: str) -> None:
    in_words(text)
    in_words(f"[{text}")
    in_words(f"(?:{text}")
    assert "|".join(split_branches(text)) == text
