"""Training byte pair encoding, the plain way: count all pairs, merge the best, repeat.

This is the definition. ``train_fast`` gives the same steps without counting everything again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, get_args

Ties = Literal["smallest-ids", "first-seen", "largest-pair"]
"""Which of several pairs with the same count is merged.

``smallest-ids``: the smaller left id, then the smaller right id. ``first-seen``: the one met first,
reading the distinct words in order of first appearance. ``largest-pair``: the larger left id, then
the larger right id.
"""
TIES: tuple[Ties, ...] = get_args(Ties)

StopReason = Literal["merges", "no pair left", "minimum frequency"]

Pair = tuple[int, int]
Words = Mapping[tuple[int, ...], int]
"""Distinct pieces as ids of base units, with how often each occurs, in order of appearance."""


class MergeStep(NamedTuple):
    """One merge of a training run.

    ``pair_count`` is how often the pair stands in the corpus before the merge (``aaa`` has two of
    ``aa``), ``merged`` how many places really became one token (``aaa`` one), ``tied`` how many
    pairs had that count, this one included, ``tokens_left`` the length of the corpus afterwards.
    All are weighted by the frequency of words.
    """

    rank: int
    left: int
    right: int
    new_id: int
    pair_count: int
    merged: int
    tied: int
    tokens_left: int


def count_pairs(words: Words) -> dict[Pair, int]:
    """How often each pair of neighbours occurs, in order of first appearance.

    >>> count_pairs({(1, 1, 1): 2, (1, 2): 1})
    {(1, 1): 4, (1, 2): 1}
    """
    counts: dict[Pair, int] = {}
    for word, frequency in words.items():
        for pair in pairwise(word):
            counts[pair] = counts.get(pair, 0) + frequency
    return counts


def merge_word(word: Sequence[int], pair: Pair, new_id: int) -> tuple[int, ...]:
    """``word`` with each occurrence of ``pair``, from the left, replaced by ``new_id``.

    >>> merge_word((1, 1, 1), (1, 1), 9)
    (9, 1)
    """
    merged, place = [], 0
    while place < len(word):
        if tuple(word[place : place + 2]) == pair:
            merged.append(new_id)
            place += 2
        else:
            merged.append(word[place])
            place += 1
    return tuple(merged)


def best_pair(counts: Mapping[Pair, int], ties: Ties) -> Pair:
    """The pair with the highest count; among equals as ``ties`` says."""
    if ties == "first-seen":
        # `max` keeps the first of equals, and the counts are in order of first appearance.
        return max(counts, key=counts.__getitem__)
    if ties == "largest-pair":
        return max(counts, key=lambda pair: (counts[pair], pair))
    return min(counts, key=lambda pair: (-counts[pair], pair))


def train_plain(
    words: Words, *, merges: int, ties: Ties, first_new_id: int, min_frequency: int = 1
) -> Iterator[MergeStep]:
    """The merges that a corpus of words teaches, one after the other.

    Args:
        words: distinct pieces as base ids, with frequencies.
        merges: at most so many.
        ties: which of equally frequent pairs goes first.
        first_new_id: the id of the first merge; the next ones follow.
        min_frequency: pairs that are rarer are not merged.
    """
    # Two words never become equal by merging, so they may stay apart.
    current = list(words.items())
    for rank in range(merges):
        counts = _counts_of(current)
        if not counts:
            return
        pair = best_pair(counts, ties)
        count = counts[pair]
        if count < min_frequency:
            return
        new_id = first_new_id + rank
        before = sum(len(word) * frequency for word, frequency in current)
        current = [(merge_word(word, pair, new_id), n) for word, n in current]
        after = sum(len(word) * frequency for word, frequency in current)
        tied = Counter(counts.values())[count]
        yield MergeStep(rank, *pair, new_id, count, before - after, tied, after)


def _counts_of(words: Sequence[tuple[tuple[int, ...], int]]) -> dict[Pair, int]:
    return count_pairs(dict(words))
