"""Normalization equals that of the tokenizers library, in time that does not explode."""

from __future__ import annotations

import time
import unicodedata
from random import Random
from typing import Any

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import normalizers

import engine
from engine import Form, normalize
from engine.normalization import FORMS, KeepText, UnicodeNormalizer, _clusters
from engine.unicode_classes import category, ranges_of
from tests import random_text
from tests.strategies import texts

UNICODE_FORMS: tuple[Form, ...] = ("NFC", "NFD", "NFKC", "NFKD")
EVERYTHING = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]


def library(form: str) -> Any:
    return getattr(normalizers, form)()


@pytest.mark.parametrize("form", UNICODE_FORMS)
def test_every_code_point(form: Form) -> None:
    """Separated by a character that takes part in nothing, and once more with marks around."""
    theirs = library(form)
    for start in range(0, len(EVERYTHING), 100_000):
        text = "\n".join(EVERYTHING[start : start + 100_000])
        assert normalize(text, form) == theirs.normalize_str(text)


@pytest.mark.parametrize("form", UNICODE_FORMS)
def test_every_character_that_moves_with_marks_around(form: Form) -> None:
    theirs = library(form)
    moving = [
        chr(c)
        for name in ("Mn", "Mc", "Me", "Lo", "Lm", "Sk", "No", "So", "Lu", "Ll")
        for first, last in ranges_of(name)
        for c in range(first, min(last, first + 600) + 1)
    ]
    text = "\n".join(f"a{c}\u0334{c}\u0301\u0345{c}" for c in moving)
    assert normalize(text, form) == theirs.normalize_str(text)


@pytest.mark.parametrize("form", UNICODE_FORMS)
def test_random_sequences(form: Form) -> None:
    theirs, random = library(form), Random(form)
    kinds = (random_text.marks, random_text.normalized, random_text.any_plane, random_text.low)
    for _ in range(4_000):
        text = "".join(random.choice(kinds)(random) for _ in range(random.randint(1, 6)))
        assert normalize(text, form) == theirs.normalize_str(text), ascii(text)


@given(
    text=st.text(st.sampled_from("a\u0301\u0316\u0323\u0334\u0345\u05b0\u3099\u1161\u11a8\u0f73"))
)
@settings(max_examples=500)
def test_long_runs_of_marks(text: str) -> None:
    run = text * 12
    for form in UNICODE_FORMS:
        assert normalize(run, form) == library(form).normalize_str(run)


@pytest.mark.parametrize("form", FORMS)
def test_time_of_alternating_marks_grows_gently(form: Form) -> None:
    def seconds(count: int) -> float:
        text = "a" + "\u0301\u0316" * count
        started = time.process_time()
        normalize(text, form)
        return time.process_time() - started

    assert seconds(40_000) < 20 * (seconds(5_000) + 0.02)


@given(text=texts)
def test_without_marks(text: str) -> None:
    plain = normalize(text, "no-marks")
    assert plain == normalize(plain, "no-marks")
    assert not any(category(c) == "Mn" for c in normalize(plain, "NFD"))
    assert not {"đ", "Đ"} & set(plain)


def test_without_marks_says_what_it_promises() -> None:
    assert normalize("Đường tiếng Việt", "no-marks") == "Duong tieng Viet"
    assert normalize("naïve café", "no-marks") == "naive cafe"


def test_unknown_form_is_refused() -> None:
    with pytest.raises(ValueError, match="NFX"):
        normalize("é", "NFX")  # type: ignore[arg-type]


@pytest.mark.parametrize("form", FORMS)
@given(text=texts)
def test_changes_say_what_was_rewritten(form: Form, text: str) -> None:
    it = UnicodeNormalizer(form)
    output = it.apply(text)
    before = after = 0
    for change in it.changes(text):
        between = text[before : change.original_start]
        assert between == output[after : change.normalized_start], "what is between is untouched"
        old = text[change.original_start : change.original_end]
        new = output[change.normalized_start : change.normalized_end]
        assert old != new
        assert it.apply(old) == new
        before, after = change.original_end, change.normalized_end
    assert text[before:] == output[after:]


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("NFC", "a\u0f74\u0f73b"),
        ("NFD", "\u0f74\u0f81"),
        ("NFKC", "ﾊﾟ"),
        ("NFKC", "\u3131\u314f\u3133"),
    ],
)
def test_characters_that_decompose_into_marks_belong_to_the_one_before(
    form: Form, text: str
) -> None:
    it = UnicodeNormalizer(form)
    (change,) = it.changes(text)
    written = it.apply(text)
    rest = len(text) - change.original_end
    assert change.normalized_end == len(written) - rest
    old = text[change.original_start : change.original_end]
    assert it.apply(old) == written[change.normalized_start : change.normalized_end]


def test_what_joins_is_complete() -> None:
    """By definition: what is no mark and may join nothing, but decomposes into such a beginning."""
    joins = regex.compile(r"[\P{ccc=0}\p{NFC_QC=Maybe}]")
    forms: tuple[tuple[Form, str], ...] = (("NFC", "NFD"), ("NFKC", "NFKD"))
    for form, decomposed in forms:
        for c in EVERYTHING:
            first = unicodedata.normalize(decomposed, c)[0]  # type: ignore[arg-type]
            if first != c and joins.match(first):
                assert len(_clusters(form).match("a" + c)[0]) == 2, ascii(c)


def test_no_normalizer_changes_nothing() -> None:
    assert KeepText().apply("e\u0301") == "e\u0301"
    assert KeepText().changes("e\u0301") == []
    assert engine.normalize("e\u0301", "none") == "e\u0301"
