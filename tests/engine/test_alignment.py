"""Segments, offsets, counts and differences, each against its slow definition."""

from __future__ import annotations

from bisect import bisect_right

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import SpecialPolicy, Tokenization
from tests.shared import NAMES, tokenizer
from tests.strategies import texts

POLICIES: tuple[SpecialPolicy, ...] = ("text", "parse")


def grapheme_ends(text: str) -> set[int]:
    """Byte offsets at which a grapheme ends, and 0, by definition."""
    ends, offset = {0}, 0
    for grapheme in regex.findall(r"\X", text):
        offset += len(grapheme.encode())
        ends.add(offset)
    return ends


def check_columns(result: Tokenization) -> None:
    assert result.data == result.text.encode()
    rows = list(result)
    assert len(rows) == len(result) == len(result.ids)
    assert b"".join(row.data for row in rows) == result.data
    assert [row.start_byte for row in rows] == [0, *list(result.ends_byte)[:-1]][: len(rows)]
    for row in rows:
        assert row.id is not None
        assert result.tokenizer.bytes_of(row.id) == row.data


@pytest.mark.parametrize("special", POLICIES)
@pytest.mark.parametrize("name", NAMES)
@given(text=texts)
def test_segments_are_the_smallest_closed_groups(
    name: str, special: SpecialPolicy, text: str
) -> None:
    result = tokenizer(name).encode(text, special=special)
    check_columns(result)
    whole = grapheme_ends(result.text)
    assert list(engine.closes(result)) == [end in whole for end in result.ends_byte]
    first = offset = 0
    for part in engine.segments(result):
        size = len(part.text.encode())
        assert part.first_token == first < part.last_token
        assert list(result.ends_byte)[part.last_token - 1] == offset + size
        assert offset + size in whole, "a segment holds whole graphemes"
        inner = list(result.ends_byte)[first : part.last_token - 1]
        assert not whole & set(inner), "a smaller group would do"
        first, offset = part.last_token, offset + size
    assert (first, offset) == (len(result), len(result.data))


@pytest.mark.parametrize("special", POLICIES)
@pytest.mark.parametrize("name", NAMES)
@given(text=texts)
def test_count_is_the_number_of_ids(name: str, special: SpecialPolicy, text: str) -> None:
    it = tokenizer(name)
    assert it.count(text, special=special) == len(it.encode(text, special=special))


@pytest.mark.parametrize("name", NAMES)
@given(text=texts)
def test_round_trip(name: str, text: str) -> None:
    it = tokenizer(name)
    result = it.encode(text)
    assert it.decode_bytes(result.ids) == it.normalizer.apply(text).encode()
    assert it.decode(result.ids) == result.text
    assert not result.special


@pytest.mark.parametrize("name", NAMES)
@given(text=texts)
def test_parsed_tokens_are_marked(name: str, text: str) -> None:
    it = tokenizer(name)
    result = it.encode(text, special="parse")
    added = {place for place, i in enumerate(result.ids) if i in it.added.by_id}
    assert set(result.special) == added
    assert all(result.ids[place] == token.id for place, token in result.special.items())
    found = [token.id for token in it.added.found_in(text)]
    assert found == list(dict.fromkeys(result.ids[place] for place in sorted(added)))
    if added:
        with pytest.raises(engine.SpecialTokenFound):
            it.encode(text, special="error")
    else:
        assert it.encode(text, special="error").ids == result.ids


@given(text=texts)
def test_graphemes_are_counted(text: str) -> None:
    assert engine.count_graphemes(text) == len(regex.findall(r"\X", text))


@given(text=texts)
def test_counts(text: str) -> None:
    result = tokenizer("o200k_base").encode(text)
    it = engine.counts(result)
    assert (it.bytes, it.code_points, it.tokens) == (len(text.encode()), len(text), len(result))
    assert it.graphemes == engine.count_graphemes(text)
    assert it.words in (None, len(text.split()))


Place = tuple[int, int, int]


def places(result: Tokenization) -> dict[int, Place]:
    """Byte offset in the tokenizer's text -> where that is in the given text, by definition.

    (code point, byte inside it, 0) where nothing was rewritten; inside of what was rewritten
    (its first code point, 0, byte inside the new text), a place that no given text has.
    """
    found: dict[int, Place] = {}
    changed = {change.original_start: change for change in result.changes}
    position = offset = 0
    while position < len(result.original):
        change = changed.get(position)
        if change is None:
            size = len(result.original[position].encode())
            found |= {offset + i: (position, i, 0) for i in range(size)}
            position += 1
        else:
            new = result.text[change.normalized_start : change.normalized_end]
            size = len(new.encode())
            found |= {offset + i: (position, 0, i) for i in range(size)}
            position = change.original_end
        offset += size
    return found | {offset: (position, 0, 0)}


def expected_differences(results: list[Tokenization]) -> list[tuple[int, ...]]:
    """For each stretch that is cut differently, how many tokens each has in it."""
    ends = [[places(one)[end] for end in one.ends_byte] for one in results]
    shared = {(0, 0, 0)}.union(ends[0]).intersection(*({(0, 0, 0), *own} for own in ends))
    counts = []
    for own in ends:
        numbers, number = [], 0
        for end in own:
            number += 1
            if end in shared:
                numbers.append(number)
                number = 0
        counts.append(numbers)
    return [row for row in zip(*counts, strict=True) if set(row) != {1}]


@settings(max_examples=60)
@given(text=texts, chosen=st.lists(st.sampled_from(NAMES), min_size=1, max_size=4))
def test_differences(text: str, chosen: list[str]) -> None:
    results = [tokenizer(name).encode(text) for name in chosen]
    found = engine.differences(results)
    assert [one.tokens for one in found] == expected_differences(results)
    for place, result in enumerate(results):
        before, ends = 0, list(result.ends_byte)
        for difference in found:
            start, end = difference.spans[place]
            assert before <= start < end
            inside = bisect_right(ends, end) - bisect_right(ends, start)
            assert inside == difference.tokens[place]
            before = end
        assert list(found.spans(place)) == [one.spans[place] for one in found]


@given(text=texts)
def test_what_lies_between_differences_is_the_same_text(text: str) -> None:
    results = [tokenizer(name).encode(text) for name in ("gpt2", "qwen3", "o200k_base")]
    found = engine.differences(results)
    plain, normalized = results[0], results[1]
    if not normalized.changes:
        assert all(len(set(one.spans)) == 1 for one in found)
    rewritten = [row.original for row in engine.rewritten(normalized)]
    assert all(part in plain.text for part in rewritten)


@given(text=texts)
def test_rewritten_stretches(text: str) -> None:
    result = tokenizer("qwen3").encode(text)
    data, given_text, position = result.data, "", 0
    for row in engine.rewritten(result):
        given_text += data[position : row.start_byte].decode() + row.original
        position = row.end_byte
    assert given_text + data[position:].decode() == text


def test_differences_of_different_texts_are_refused() -> None:
    one, other = (tokenizer("gpt2").encode(text) for text in ("a", "b"))
    with pytest.raises(ValueError, match="same text"):
        engine.differences([one, other])
    with pytest.raises(ValueError, match="same text"):
        engine.differences([])
    assert list(engine.differences([one, one])) == []
