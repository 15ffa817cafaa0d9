"""Pieces: the fast splitter equals the definition, and the pinned classes equal the libraries."""

from __future__ import annotations

from itertools import accumulate, pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings

from engine import patterns, unicode_data
from engine.patterns import NAMED
from engine.pretokenization import NamedSplitter, split_plain
from engine.unicode_classes import (
    CODE_POINTS,
    category,
    complement,
    has_astral,
    intersect,
    ranges_of,
    subtract,
    union,
    without_astral,
)
from tests import random_text
from tests.random_text import CATEGORIES
from tests.strategies import texts
from tests.tools import make_unicode_tables as tables


@pytest.mark.parametrize("name", NAMED)
@given(text=texts)
@settings(max_examples=300)
def test_fast_splitter_equals_the_definition(name: str, text: str) -> None:
    pieces = NamedSplitter(NAMED[name]).pieces(text)
    assert pieces == split_plain(NAMED[name], text)
    assert "".join(pieces) == text
    assert "" not in pieces


@pytest.mark.parametrize("name", NAMED)
def test_fast_splitter_on_every_code_point(name: str) -> None:
    """Each in contexts where branches of a pattern meet."""
    contexts = ("{}", " {}a", "1{}中", "{}{}\n", "!{} ", "'{}s", "a{}\u0301")
    points = [chr(c) for c in range(0, 0x110000, 1) if not 0xD800 <= c < 0xE000]
    for character in Random(name).sample(points, 4_000) + points[:0x500]:
        for context in contexts:
            text = context.replace("{}", character)
            assert NamedSplitter(NAMED[name]).pieces(text) == split_plain(NAMED[name], text)


def test_splits_follow_another_engine() -> None:
    """GPT-2's pattern as first published, run by `regex`, on characters that it knows alike."""
    import regex

    published = regex.compile(
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
    )
    random = Random(16)
    for _ in range(2_000):
        text = "".join(c for c in random_text.text(random) if category(c) != "Cn")
        if all(regex.match(rf"\p{{{category(c)}}}", c) for c in text):
            assert NamedSplitter(patterns.GPT2).pieces(text) == published.findall(text)


def test_runs_cover_every_code_point_once() -> None:
    seen = sorted(pair for name in {*CATEGORIES, "Cs"} for pair in ranges_of(name))
    assert seen[0][0] == 0
    assert seen[-1][1] == CODE_POINTS - 1
    assert all(after == last + 1 for (_, last), (after, _) in pairwise(seen))


def test_category_agrees_with_its_ranges() -> None:
    for name in CATEGORIES:
        for first, last in ranges_of(name):
            for code in {first, last, (first + last) // 2}:
                assert category(chr(code)) == name


def borders() -> str:
    """Both sides of each border between categories, and some within."""
    ends = accumulate(int(run[2:]) for run in unicode_data.CATEGORY_RUNS.split())
    near = {end + step for end in ends for step in (-1, 0)}
    near |= set(Random(16).sample(range(CODE_POINTS), 5_000))
    return "".join(chr(c) for c in sorted(near) if c < CODE_POINTS and not 0xD800 <= c < 0xE000)


@pytest.mark.parametrize("name", [*CATEGORIES, "L", "N", "P", "S", "M", "White_Space"])
def test_classes_equal_those_of_the_libraries(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "EVERYTHING", borders())
    ours = {c for c in borders() if any(a <= ord(c) <= b for a, b in ranges_of(name))}
    pattern = r"\s" if name == "White_Space" else rf"\p{{{name}}}"
    assert tables.matched_by_tiktoken(pattern) == ours
    assert tables.matched_by_tokenizers(pattern) == ours


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("name", [*CATEGORIES, "White_Space"])
def test_classes_equal_on_all_code_points(name: str) -> None:
    ours = {chr(c) for a, b in ranges_of(name) for c in range(a, b + 1) if not 0xD800 <= c < 0xE000}
    pattern = r"\s" if name == "White_Space" else rf"\p{{{name}}}"
    assert tables.matched_by_tiktoken(pattern) == ours
    assert tables.matched_by_tokenizers(pattern) == ours


def test_range_arithmetic() -> None:
    a, b = ((1, 3), (7, 9)), ((3, 7),)
    assert union([a, b]) == ((1, 9),)
    assert intersect(a, b) == ((3, 3), (7, 7))
    assert subtract(a, b) == ((1, 2), (8, 9))
    assert complement(complement(a)) == a
    assert complement(()) == ((0, CODE_POINTS - 1),)
    with pytest.raises(KeyError):
        ranges_of("Xx")


@given(text=texts)
def test_stand_ins_keep_length_and_category(text: str) -> None:
    plain = without_astral(text)
    assert [category(c) for c in plain] == [category(c) for c in text]
    assert not has_astral(plain)
    assert has_astral(text) == any(ord(c) > 0xFFFF for c in text)
    assert [a for a, b in zip(text, plain, strict=True) if a != b and ord(a) <= 0xFFFF] == []


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_tables_are_made_again_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "TARGET", tmp_path / "unicode_data.py")
    tables.main()
    made: dict[str, str] = {}
    exec((tmp_path / "unicode_data.py").read_text("utf-8"), made)
    assert made["CATEGORY_RUNS"] == unicode_data.CATEGORY_RUNS
    assert made["NORMALIZATION_INERT"] == unicode_data.NORMALIZATION_INERT
