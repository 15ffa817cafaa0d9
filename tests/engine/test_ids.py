"""Ids as people paste them."""

from __future__ import annotations

import pytest

from engine.ids import IdsError, parse_ids


@pytest.mark.parametrize("text", ["[1, 2, -3]", "1 2 -3", "1;2;-3\n", " 1,\t2, -3 "])
def test_lists_and_separated_numbers(text: str) -> None:
    assert parse_ids(text) == [1, 2, -3]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1, two", "Entry 2, 'two', is no whole number."),
        ("1.5", "Entry 1, '1.5', is no whole number."),
        ("7 " + "9" * 25, f"Entry 2, {'9' * 20}…, is larger than ids go."),
        ("x" * 5_000, f"Entry 1, '{'x' * 20}…', is no whole number."),
    ],
)
def test_what_is_no_id_is_named(text: str, sentence: str) -> None:
    with pytest.raises(IdsError) as caught:
        parse_ids(text)
    assert str(caught.value) == sentence
