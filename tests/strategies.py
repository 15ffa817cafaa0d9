"""Hypothesis strategies for text that reaches what tokenizers stumble over.

The kinds are those of ``tests.random_text``; here each is built so that a failure shrinks.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

from engine.unicode_classes import ranges_of
from tests import random_text as pools

Item = TypeVar("Item")


def _one_of(pool: Sequence[Item]) -> st.SearchStrategy[Item]:
    """As ``st.sampled_from``, without the whole pool in every message."""
    return st.integers(0, len(pool) - 1).map(lambda place: pool[place])


def _of_category(name: str) -> st.SearchStrategy[str]:
    return _one_of(ranges_of(name)).flatmap(lambda ends: st.integers(*ends)).map(chr)


# One character: of any general category (equally likely), of any code point, or near the start.
characters = st.one_of(
    _one_of(pools.CATEGORIES).flatmap(_of_category),
    st.characters(exclude_categories=["Cs"]),
    st.characters(max_codepoint=0x24F),
)
blanks = st.one_of(_one_of(pools.PLAIN_BLANKS), _one_of(pools.BLANKS))
contractions = st.tuples(
    st.sampled_from(["it", "ROCK", "n", "", "é", "1", "中", " "]),
    _one_of(pools.APOSTROPHES),
    _one_of(pools.CONTRACTED),
).map("".join)
digits = st.text(
    st.one_of(st.sampled_from("0123456789"), *map(_of_category, ("Nd", "Nl", "No"))),
    min_size=1,
    max_size=8,
)
marks = st.tuples(
    st.sampled_from(["a", "", " ", "1", "!", "\u1100", "中"]),
    st.text(st.one_of(*map(_of_category, ("Mn", "Mc", "Me"))), min_size=1, max_size=5),
).map("".join)
ideographs = st.text(
    st.one_of(
        st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF),
        st.characters(min_codepoint=0x3040, max_codepoint=0x30FF),
        st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3),
        st.characters(min_codepoint=0x0E01, max_codepoint=0x0E5B),
    ),
    min_size=1,
    max_size=12,
)
known = _one_of(
    [
        *pools.CLUSTERS,
        *pools.NORMALIZED,
        *pools.NONCHARACTERS,
        *pools.CODE,
        "\0",
        "\ufeff",
        "\ufffd",
    ]
)
specials = st.tuples(_one_of(pools.SPECIAL), st.one_of(st.none(), st.integers(1, 12))).map(
    lambda pair: pair[0][: pair[1]]
)
words = st.integers(0, 2**32).map(lambda seed: pools.words(Random(seed)))
fragments = st.one_of(
    st.text(characters, min_size=1, max_size=6),
    blanks,
    contractions,
    digits,
    marks,
    ideographs,
    known,
    specials,
    words,
)
# Repeated, at times beyond the length from which other algorithms are used.
runs = st.tuples(fragments.map(lambda text: text[:3]), st.integers(2, 300)).map(
    lambda pair: pair[0] * pair[1]
)
_parts = st.lists(st.one_of(fragments, fragments, fragments, runs), max_size=6)


@st.composite
def some_text(draw: st.DrawFn) -> str:
    """A text of several kinds of fragments."""
    return "".join(draw(_parts))


texts = some_text()
