"""Encoding against tiktoken and tokenizers, on the same text in the same process."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import engine
from engine.alignment import ends_char
from engine.tokenizer import LosslessEncoder
from pages.reference.answers import ReferenceRefused
from pages.reference.check import reference_for
from pages.reference.hf_reference import HuggingFaceReference
from tests.benchmarks.measure import Row, at_least, at_most, duration, medians
from tests.benchmarks.texts import mixed, random_letters

RUNS = 7


def _forget(tokenizer: engine.Tokenizer) -> Callable[[], None]:
    """What empties the memory of pieces, so that the next text is met for the first time."""
    assert isinstance(tokenizer.encoder, LosslessEncoder)
    return tokenizer.encoder.forget


def _first(tokenizer: engine.Tokenizer, text: str, runs: int) -> float:
    """Seconds to encode a text met for the first time."""
    call = {"ours": lambda: tokenizer.encode(text).ids}
    return medians(call, runs, {"ours": _forget(tokenizer)})["ours"]


def _again_by_pieces(tokenizer: engine.Tokenizer, text: str) -> Callable[[], object]:
    """The text met again with only its pieces in memory: what the target is about."""
    assert isinstance(tokenizer.encoder, LosslessEncoder)
    splitter, encoder = tokenizer.encoder.splitter, tokenizer.encoder.encoder
    return lambda: encoder.ids(splitter.pieces(text))


def against_tiktoken(name: str) -> Iterator[Row]:
    """First time and again, 1 MB of mixed text."""
    tokenizer = engine.load(name)
    reference, text = reference_for(tokenizer), mixed(1_000_000)
    assert tokenizer.encode(text).ids == reference.ids(text, "text")
    took = medians(
        {
            "peer": lambda: reference.ids(text, "text"),
            "first": lambda: tokenizer.encode(text).ids,
            "pieces": _again_by_pieces(tokenizer, text),
            "again": lambda: tokenizer.encode(text).ids,
        },
        RUNS,
        {"first": _forget(tokenizer)},
    )
    yield at_least(f"{name}: 1 MB mixed, first time / tiktoken", took["first"], took["peer"], 0.35)
    yield at_least(
        f"{name}: again, pieces remembered, stretches not / tiktoken",
        took["pieces"],
        took["peer"],
        1.0,
    )
    yield at_least(f"{name}: again, whole stretches remembered", took["again"], took["peer"], 1.0)


def against_tokenizers(name: str) -> Iterator[Row]:
    """First time, again, and with character spans, against ``encode`` of tokenizers."""
    tokenizer = engine.load(name)
    reference, text = reference_for(tokenizer), mixed(1_000_000)
    assert isinstance(reference, HuggingFaceReference)
    assert tokenizer.encode(text).ids == reference.ids(text, "text")
    took = medians(
        {
            "peer": lambda: reference.plain.encode(text, add_special_tokens=False),
            "first": lambda: tokenizer.encode(text).ids,
            "spans": lambda: ends_char(tokenizer.encode(text)),
        },
        RUNS,
        {"first": _forget(tokenizer)},
    )
    yield at_least(f"{name}: 1 MB mixed, first time / tokenizers", took["first"], took["peer"], 3)
    yield at_least(f"{name}: again, with spans / tokenizers", took["spans"], took["peer"], 4)


LONG = {
    "100,000 × a": "a" * 100_000,
    "100,000 × -": "-" * 100_000,
    "100,000 × 中": "中" * 100_000,
    "100,000 × 哈": "哈" * 100_000,
    "50,000 × ab": "ab" * 50_000,
    "100,000 random letters": random_letters(100_000),
}


def long_pieces(name: str) -> Iterator[Row]:
    """One piece of 100,000 characters; and a million blanks."""
    tokenizer = engine.load(name)
    reference = reference_for(tokenizer)
    for title, text in LONG.items():
        assert tokenizer.encode(text).ids == reference.ids(text, "text")
        took = medians(
            {
                "peer": lambda t=text: reference.ids(t, "text"),
                "ours": lambda t=text: tokenizer.encode(t).ids,
            },
            3,
            {"ours": _forget(tokenizer)},
        )
        peer = duration(took["peer"])
        yield at_most(f"{name}: one piece, {title}", took["ours"], 0.6, peer)
    half, whole = (_first(tokenizer, random_letters(size), 5) for size in (50_000, 100_000))
    yield Row(
        work=f"{name}: 100,000 random letters / 50,000",
        ours=f"{whole / half:.2f} times",
        target="about 2.1 (n log n)",
        met=whole / half < 2.6,
    )
    blanks = " " * 1_000_000
    try:
        reference.ids(blanks, "text")
        peer = "answers"
    except ReferenceRefused:
        peer = "refuses"
    yield at_most(f"{name}: a million blanks", _first(tokenizer, blanks, 3), 0.5, peer)


def rows() -> Iterator[Row]:
    """The whole part."""
    for name in ("gpt2", "cl100k_base", "o200k_base"):
        yield from against_tiktoken(name)
    for name in ("qwen3", "deepseek-v3"):
        yield from against_tokenizers(name)
    yield from long_pieces("cl100k_base")
    yield from long_pieces("o200k_base")
