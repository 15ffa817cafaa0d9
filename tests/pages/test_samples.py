"""The samples are exactly what their table of contents says."""

import dataclasses
import json
import unicodedata
from itertools import pairwise

import pytest

from engine.normalization import FORMS
from pages.ui import samples as module
from pages.ui.samples import DEFAULT, FOLDER, Sample, sample, samples

IDS = [s.id for s in samples()]


def entries() -> list[dict[str, object]]:
    contents = json.loads((FOLDER / "contents.json").read_bytes())
    listed: list[dict[str, object]] = contents["samples"]
    return listed


def test_ids_are_unique_and_fit_an_address() -> None:
    assert len(set(IDS)) == len(IDS)
    assert all(id.replace("-", "").isalnum() and id.isascii() and id.islower() for id in IDS)


def test_titles_are_unique() -> None:
    titles = [s.title for s in samples()]
    assert len(set(titles)) == len(titles)


def test_the_default_comes_first() -> None:
    assert samples()[0].id == DEFAULT
    assert sample(DEFAULT) is samples()[0]


def test_the_default_is_a_line_each_of_vietnamese_chinese_and_english() -> None:
    vietnamese, chinese, english = sample(DEFAULT).text.split("\n")
    assert vietnamese.startswith("Xin chào")
    assert chinese.startswith("你好")
    assert english.startswith("Hello")


def test_every_file_is_listed_and_every_listed_file_is_there() -> None:
    listed = {str(entry["file"]) for entry in entries() if "file" in entry}
    there = {f"tokens/{path.name}" for path in (FOLDER / "tokens").iterdir()}
    assert listed == there


def test_every_entry_has_a_text_or_a_file_and_nothing_unknown() -> None:
    known = {f.name for f in dataclasses.fields(Sample)} - {"stored"} | {"text", "file"}
    for entry in entries():
        assert ("text" in entry) != ("file" in entry), entry["id"]
        assert set(entry) <= known, entry["id"]


@pytest.mark.parametrize("id", IDS)
def test_the_stored_text_is_exact_and_nfc(id: str) -> None:
    entry = next(e for e in entries() if e["id"] == id)
    if "file" in entry:
        assert sample(id).stored.encode() == (FOLDER / str(entry["file"])).read_bytes()
    else:
        assert sample(id).stored == entry["text"]
    assert unicodedata.is_normalized("NFC", sample(id).stored)
    assert sample(id).stored.strip()


@pytest.mark.parametrize("id", IDS)
def test_what_is_shown_beside_a_sample_is_filled_in(id: str) -> None:
    s = sample(id)
    assert all([s.title, s.group, s.language])
    assert s.purpose.endswith((".", "?"))
    assert s.form in FORMS


@pytest.mark.parametrize("id", IDS)
def test_only_texts_without_cr_survive_typing(id: str) -> None:
    assert sample(id).survives_typing == ("\r" not in sample(id).text)


def test_groups_are_not_scattered() -> None:
    groups = [s.group for s in samples()]
    changes = sum(a != b for a, b in pairwise(groups))
    assert changes == len(set(groups)) - 1


def test_the_forms_of_the_vietnamese_sentence() -> None:
    nfc, nfd, bare = (sample(f"vietnamese-{form}").text for form in ("nfc", "nfd", "no-marks"))
    assert unicodedata.normalize("NFD", nfc) == nfd != nfc
    assert bare.isascii()
    assert len(bare) == len(nfc)


def test_a_text_without_a_form_is_itself() -> None:
    assert sample("strawberry").text == sample("strawberry").stored == "strawberry"


def test_an_unknown_id_is_refused_by_name() -> None:
    with pytest.raises(KeyError, match="no sample is called 'nothing'"):
        sample("nothing")


def test_the_table_is_read_once() -> None:
    assert module.samples() is module.samples()
