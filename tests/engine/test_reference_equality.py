"""Equal to tiktoken and Hugging Face tokenizers, on any text, id for id."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SpecialPolicy
from engine.normalization import FORMS, normalize
from engine.standins import from_standins
from pages.reference.answers import Reference
from pages.reference.hf_reference import NAMES as HUGGING_FACE
from pages.reference.hf_reference import HuggingFaceReference
from tests import random_text
from tests.shared import NAMES, ROOT, reference, tokenizer
from tests.strategies import texts

POLICIES: tuple[SpecialPolicy, ...] = ("text", "parse")
SAMPLES = sorted((ROOT / "sample_texts").glob("**/*.txt"))


def hugging_face(name: str) -> HuggingFaceReference:
    library: Reference = reference(name)
    assert isinstance(library, HuggingFaceReference)
    return library


@pytest.mark.parametrize("special", POLICIES)
@pytest.mark.parametrize("name", NAMES)
@given(text=texts)
def test_ids_of_any_text(name: str, special: SpecialPolicy, text: str) -> None:
    assert tokenizer(name).encode(text, special=special).ids == reference(name).ids(text, special)


@pytest.mark.parametrize("special", POLICIES)
@pytest.mark.parametrize("name", NAMES)
def test_ids_of_long_random_texts(name: str, special: SpecialPolicy) -> None:
    random = Random(f"{name} {special}")
    for _ in range(5):
        text = "".join(random_text.text(random) for _ in range(100))
        ids = tokenizer(name).encode(text, special=special).ids
        assert ids == reference(name).ids(text, special)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_ids_of_the_sample_texts(name: str, path: object) -> None:
    text = path.read_text("utf-8")  # type: ignore[attr-defined]
    for special in POLICIES:
        ids = tokenizer(name).encode(text, special=special).ids
        assert ids == reference(name).ids(text, special)


@pytest.mark.parametrize("name", NAMES)
def test_ids_of_every_code_point(name: str) -> None:
    """Each alone between letters, in stretches; the whole range is under ``slow``."""
    points = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    some = Random(name).sample(points, 5_000) + points[:0x3000]
    check_code_points(name, some)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("context", ["{}", "a{}b", " {}1", "\n{} ", "'{}s", "é{}\u0301"])
@pytest.mark.parametrize("name", NAMES)
def test_ids_of_every_code_point_in_context(name: str, context: str) -> None:
    points = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    check_code_points(name, points, context)


def check_code_points(name: str, points: list[int], context: str = "a{} {}1") -> None:
    for start in range(0, len(points), 2_000):
        text = "\u2028".join(context.replace("{}", chr(c)) for c in points[start : start + 2_000])
        assert tokenizer(name).encode(text).ids == reference(name).ids(text, "text")


@pytest.mark.parametrize("name", HUGGING_FACE)
@given(text=texts)
def test_pieces_and_normalized_text(name: str, text: str) -> None:
    library = hugging_face(name).plain
    result = tokenizer(name).encode(text)
    if library.normalizer is not None:
        assert result.text == library.normalizer.normalize_str(text)
    assert library.pre_tokenizer is not None
    theirs = [
        from_standins(piece) for piece, _ in library.pre_tokenizer.pre_tokenize_str(result.text)
    ]
    ours = [piece.encode() for piece in tokenizer(name).encoder.pieces(result.text, first=True)]
    assert ours == theirs


@pytest.mark.parametrize("name", NAMES)
@given(text=texts)
def test_decoded_text(name: str, text: str) -> None:
    it = tokenizer(name)
    ids = [i for i in it.encode(text, special="parse").ids if i is not None]
    assert it.decode_bytes(ids) == it.encode(text, special="parse").data
    assert it.decode(ids) == reference(name).decode(ids)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_decoded_broken_characters(name: str, data: st.DataObject) -> None:
    """Any ids in any order: the same replacement characters as the library."""
    it = tokenizer(name)
    ids = data.draw(
        st.lists(st.integers(min(it.vocabulary.ids), max(it.vocabulary.ids)), max_size=8)
    )
    assert it.decode(ids) == reference(name).decode(ids)


@given(text=texts)
@settings(max_examples=400)
def test_normalization_forms(text: str) -> None:
    from tokenizers import normalizers

    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert normalize(text, form) == getattr(normalizers, form)().normalize_str(text)
    assert normalize(text, "none") == text
    assert normalize(text, "no-marks").translate({0x111: "d", 0x110: "D"}) == normalize(
        text, "no-marks"
    )
    assert set(FORMS) == {"none", "NFC", "NFD", "NFKC", "NFKD", "no-marks", "mixed"}


def test_transformers_gives_the_same_ids() -> None:
    from transformers import PreTrainedTokenizerFast

    for name in HUGGING_FACE:
        wrapped = PreTrainedTokenizerFast(tokenizer_object=hugging_face(name).parsing)
        for text in ("Tiếng Việt <think>e\u0301", "hello <|im_end|> \n\n x", "中文 ½ '\u017f"):
            ids = wrapped.encode(text, add_special_tokens=False)
            assert tokenizer(name).encode(text, special="parse").ids == ids
