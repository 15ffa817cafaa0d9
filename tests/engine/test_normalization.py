"""Normalization equals that of the tokenizers library, in time that does not explode."""

from __future__ import annotations

import unicodedata
from random import Random
from typing import Any

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import normalizers

import engine
from engine import Form, TooLong, normalize, written_form
from engine import normalization as module
from engine.normalization import FORMS, KeepText, UnicodeNormalizer, _clusters
from engine.unicode_classes import category, ranges_of
from pages.ui.parallel import languages, paragraphs
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
    text=st.text(
        st.sampled_from("a\u0301\u0316\u0323\u0334\u0345\u05b0\u3099\u1161\u11a8\u0f73\uff9e\uff9f")
    )
)
@settings(max_examples=500)
def test_long_runs_of_marks(text: str) -> None:
    run = text * 12
    for form in UNICODE_FORMS:
        assert normalize(run, form) == library(form).normalize_str(run)


@pytest.mark.parametrize("marks", ["\u0301\u0316", "\u0301\uff9e", "\u0301\U0001d165"])
@pytest.mark.parametrize("form", FORMS)
def test_many_alternating_marks(form: Form, marks: str) -> None:
    """Sorted by insertion, as ``unicodedata`` does, these would take minutes."""
    text = "a" + marks * 150_000
    if form in UNICODE_FORMS:
        assert normalize(text, form) == library(form).normalize_str(text)
    else:
        assert normalize(normalize(text, form), form) == normalize(text, form)


@given(text=texts)
def test_without_marks(text: str) -> None:
    plain = normalize(text, "no-marks")
    assert plain == normalize(plain, "no-marks")
    assert not any(category(c) == "Mn" for c in normalize(plain, "NFD"))
    assert not {"đ", "Đ"} & set(plain)


def test_without_marks_says_what_it_promises() -> None:
    assert normalize("Đường tiếng Việt", "no-marks") == "Duong tieng Viet"
    assert normalize("naïve café", "no-marks") == "naive cafe"


def test_what_becomes_a_mark_is_complete() -> None:
    """By definition: no mark itself, but all of its compatibility decomposition are marks."""
    becomes_marks = {
        c
        for c in EVERYTHING
        if category(c)[0] != "M"
        and all(map(unicodedata.combining, unicodedata.normalize("NFKD", c)))
    }
    assert becomes_marks == set(module._COMPATIBLE_MARKS)


def test_no_character_grows_more_than_stated() -> None:
    for form, most in module._MOST_FROM_ONE.items():
        longest = max(len(library(form).normalize_str(c)) for c in EVERYTHING)
        assert longest == most


def test_size_is_checked_after_expansion() -> None:
    text = "\ufdfa" * 2_300_000  # 6.9 MB of UTF-8, far below the limit of an upload
    with pytest.raises(TooLong, match="2,300,000 characters apart into more than 40,000,000"):
        normalize(text, "NFKC")
    assert normalize(text, "NFC") == text


@pytest.mark.parametrize("form", ["NFC", "NFD", "no-marks", "mixed"])
def test_size_is_counted_exactly(form: Form, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Hangul syllable with a final letter is three letters taken apart."""
    monkeypatch.setattr(module, "NORMALIZED_CHARACTERS", 180)
    monkeypatch.setattr(module, "_BLOCK", 7)
    assert normalize("각" * 60, form) == unicodedata.normalize(
        "NFD" if form == "NFD" else "NFC", "각" * 60
    )
    with pytest.raises(TooLong, match="more than 180"):
        normalize("각" * 61, form)


SHAPES = "\u0302\u0306\u031b"
TONES = "\u0300\u0301\u0303\u0309\u0323"
# The alphabet: the twelve vowels, alone and with each of the five tone marks, and đ.
VIETNAMESE = [
    unicodedata.normalize("NFC", vowel + tone)
    for vowel in "aăâeêioôơuưyAĂÂEÊIOÔƠUƯY"
    for tone in ("", *TONES)
] + ["đ", "Đ"]
VIETNAMESE_TEXT = "\n".join(paragraphs("vi"))


def mixed_by_definition(text: str) -> str:
    """Vietnamese in NFD; of each letter's marks only circumflex, breve and horn are composed."""
    written = []
    for letter, marks in regex.findall(r"(\P{M})(\p{M}*)", unicodedata.normalize("NFD", text)):
        shape = "".join(mark for mark in marks if mark in SHAPES)
        tone = "".join(mark for mark in marks if mark not in SHAPES)
        written.append(unicodedata.normalize("NFC", letter + shape) + tone)
    return "".join(written)


def test_the_mixed_form_of_every_vietnamese_letter() -> None:
    assert len(set(VIETNAMESE)) == 146
    for letter in VIETNAMESE:
        for form in ("NFC", "NFD"):
            written = unicodedata.normalize(form, letter)
            assert normalize(written, "mixed") == mixed_by_definition(letter)


@given(text=st.text(st.sampled_from([*VIETNAMESE, *"bg 1.,中"])))
def test_the_mixed_form_of_vietnamese(text: str) -> None:
    assert normalize(text, "mixed") == mixed_by_definition(text)


def test_the_mixed_form_is_spelled_out() -> None:
    assert normalize("Tiếng Việt", "mixed") == "Tiê\u0301ng Viê\u0323t"
    assert normalize("Đường ướt", "mixed") == "Đươ\u0300ng ươ\u0301t"


def test_code_page_1258_holds_the_mixed_form_and_no_other() -> None:
    mixed = normalize(VIETNAMESE_TEXT, "mixed")
    assert mixed.encode("cp1258").decode("cp1258") == mixed
    for form in ("NFC", "NFD"):
        with pytest.raises(UnicodeEncodeError):
            normalize(VIETNAMESE_TEXT, form).encode("cp1258")  # type: ignore[arg-type]


@given(text=texts)
def test_the_mixed_form_is_equivalent(text: str) -> None:
    mixed = normalize(text, "mixed")
    for form in UNICODE_FORMS:
        theirs = library(form)
        assert theirs.normalize_str(mixed) == theirs.normalize_str(text)
    assert normalize(mixed, "mixed") == mixed


@pytest.mark.parametrize("tag", [tag for tag in languages() if tag not in ("vi", "es", "fr")])
def test_the_mixed_form_leaves_other_scripts_composed(tag: str) -> None:
    text = "".join(paragraphs(tag)).replace("í", "i")  # Valparaíso
    assert normalize(text, "mixed") == text


@pytest.mark.parametrize("form", ["NFC", "NFD", "mixed"])
def test_the_way_a_text_is_written_is_recognised(form: Form) -> None:
    assert written_form(normalize(VIETNAMESE_TEXT, form)) == form
    assert written_form(normalize("ấm áp", form)) == form


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", "NFC"),
        ("plain", "NFC"),
        ("中文", "NFC"),
        ("a\u0331", "NFC"),
        ("cafe\u0301", "NFD"),
        ("\u1112\u1161\u11ab", "NFD"),
        # From a converter that keeps the letters which code page 1258 has in one piece.
        ("Tiê\u0301ng có dấu".replace("ấ", "â\u0301"), "mixed"),
        ("ê\u0301 e\u0301", "mixed"),
        ("ế e\u0302\u0301", "other"),
        ("ê\u0301 e\u0302\u0301", "other"),
        ("ê\u0301 한\u1100\u1161", "other"),
        ("\u212b", "other"),
    ],
)
def test_other_ways_of_writing(text: str, written: str) -> None:
    assert written_form(text) == written


@given(text=texts)
def test_nfc_is_recognised_as_by_the_library(text: str) -> None:
    assert (written_form(text) == "NFC") == (library("NFC").normalize_str(text) == text)


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
