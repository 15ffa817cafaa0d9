"""Differences where a tokenizer drops a part of the text."""

from __future__ import annotations

import json

import pytest

import engine
from engine import Difference, Tokenizer
from tests.shared import tokenizer


def of_letters(letters: str, normalizer: object = None) -> Tokenizer:
    """A tokenizer that has one token for each letter, and drops all others."""
    vocabulary = {letter: place for place, letter in enumerate(letters)}
    document = {
        "normalizer": normalizer,
        "model": {"type": "BPE", "vocab": vocabulary, "merges": []},
    }
    return engine.read(json.dumps(document).encode(), kind="tokenizer.json")


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        # GPT-2 has "low" and " low" as tokens.
        ("low", [((0, 3), (1, 3)), ((3, 7), (1, 3))]),
        # The end of the text is a boundary although nothing ends there that was kept.
        ("lo", [((0, 7), (2, 4))]),
        ("o", [((0, 7), (2, 2))]),
        # Ends decide: where nothing is kept, none is disputed but the one between.
        ("x", [((0, 7), (2, 0))]),
    ],
)
@pytest.mark.parametrize("normalizer", [None, {"type": "Lowercase"}])
def test_the_end_is_shared_by_those_that_drop_it(
    kept: str, normalizer: object, expected: list[tuple[tuple[int, int], tuple[int, int]]]
) -> None:
    text = "low low" if normalizer is None else "Low Low"
    cuts = [tokenizer("gpt2").encode(text), of_letters(kept, normalizer).encode(text)]
    found = engine.differences(cuts)
    assert list(found) == [Difference((span, span), tokens) for span, tokens in expected]
    for which in (0, 1):
        assert found.spans(which) == [span for span, _ in expected]


def test_two_that_keep_nothing_do_not_differ() -> None:
    cuts = [of_letters("x").encode("abc"), of_letters("y").encode("abc")]
    assert list(engine.differences(cuts)) == []
