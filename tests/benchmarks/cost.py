"""Counting one text with five tokenizers in five forms, as the Cost page does it.

The peer is ``tokenizers`` with the same tables and the same forms made by its own normalizers, one
call for all paragraphs that keeps no offsets, on one thread as ours is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import engine
from engine.tokenizer import LosslessEncoder
from pages.reference.check import reference_for
from pages.reference.hf_reference import HuggingFaceReference
from pages.reference.speed import libraries
from pages.ui.cost.counting import count_tokens
from tests.benchmarks.measure import Row, at_least, medians
from tests.benchmarks.texts import mixed

NAMES: Final = ("gpt2", "cl100k_base", "o200k_base", "qwen3", "deepseek-v3")
FORMS: Final[tuple[engine.Form, ...]] = ("none", "NFC", "NFD", "NFKC", "no-marks")
RUNS: Final = 3
_PARAGRAPH: Final = 500
# The library looks at it at every call.
_THREADS: Final = "TOKENIZERS_PARALLELISM"


def paragraphs(text: str) -> tuple[str, ...]:
    """``text`` in parts of about a paragraph."""
    return tuple(text[i : i + _PARAGRAPH] for i in range(0, len(text), _PARAGRAPH))


def _library(tokenizer: engine.Tokenizer) -> HuggingFaceReference:
    """The table of a tokenizer in ``tokenizers``."""
    found = libraries(tokenizer, reference_for(tokenizer))
    return next(one for one in found if isinstance(one, HuggingFaceReference))


def _forms() -> dict[engine.Form, Callable[[str], str]]:
    """The library's own normalizers; đ is replaced as our form without marks replaces it."""
    from tokenizers import normalizers as n

    stroke = [n.Replace("đ", "d"), n.Replace("Đ", "D")]
    bare = n.Sequence([n.NFD(), n.StripAccents(), n.NFC(), *stroke])
    made = {"NFC": n.NFC(), "NFD": n.NFD(), "NFKC": n.NFKC(), "no-marks": bare}
    return {"none": str} | {form: made[form].normalize_str for form in FORMS if form != "none"}


@contextmanager
def _one_thread() -> Iterator[None]:
    """The library without its threads; the other parts measure it as it comes."""
    before = os.environ.get(_THREADS)
    os.environ[_THREADS] = "false"
    try:
        yield
    finally:
        del os.environ[_THREADS]
        if before is not None:
            os.environ[_THREADS] = before


def rows() -> Iterator[Row]:
    """The whole part."""
    with _one_thread():
        yield from _rows()


def _rows() -> Iterator[Row]:
    """A text of one paragraph after the other, and in one piece."""
    tokenizers = {name: engine.load(name) for name in NAMES}
    peers = {name: _library(tokenizer).plain for name, tokenizer in tokenizers.items()}
    forms = _forms()

    def ours(parts: tuple[str, ...]) -> list[list[int]]:
        return [
            list(count_tokens(tokenizer, form, parts))
            for tokenizer in tokenizers.values()
            for form in FORMS
        ]

    def theirs(parts: tuple[str, ...]) -> list[list[int]]:
        found = []
        for peer in peers.values():
            for form in FORMS:
                written = [forms[form](part) for part in parts]
                encoded = peer.encode_batch_fast(written, add_special_tokens=False)
                found.append([len(one.ids) for one in encoded])
        return found

    def forget() -> None:
        for tokenizer in tokenizers.values():
            assert isinstance(tokenizer.encoder, LosslessEncoder)
            tokenizer.encoder.forget()

    text = mixed(1_000_000)
    for title, parts in (("in paragraphs", paragraphs(text)), ("as a whole", (text,))):
        assert ours(parts) == theirs(parts)
        took = medians(
            {"peer": lambda p=parts: theirs(p), "ours": lambda p=parts: ours(p)},  # type: ignore[misc]
            RUNS,
            {"ours": forget},
        )
        yield at_least(
            f"count 1 MB {title}, five tokenizers in five forms, never met / tokenizers",
            took["ours"],
            took["peer"],
            1.0,
        )
