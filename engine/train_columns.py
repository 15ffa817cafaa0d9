"""The columns of a run that another trainer made, from its merges alone.

What a corpus looks like after all merges says how often each merge was made: a token at the end is
the top of a tree of merges. Only a pair of equal tokens stands more often than it is merged
(``aaa`` holds ``aa`` twice), so there the words are taken apart again and looked at.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from engine.encode_fast import merge_by_pair, pair_key, pair_value
from engine.train import MergeStep
from engine.training_run import Corpus

_Merge = tuple[int, int]


def steps_of_merges(corpus: Corpus, merges: Iterable[tuple[bytes, bytes]]) -> list[MergeStep]:
    """Each merge as a step of ``corpus``; ``tied`` is 0, since merges do not say it.

    Args:
        corpus: what was trained on.
        merges: left and right token of each, in order.
    """
    id_of = dict(corpus.id_of)
    pairs: list[_Merge] = []
    for first, second in merges:
        pairs.append((id_of[first], id_of[second]))
        id_of[first + second] = len(id_of)
    base = len(corpus.base)
    table = {pair_key(*pair): pair_value(rank, base + rank) for rank, pair in enumerate(pairs)}
    words = [(merge_by_pair(list(word), table), count) for word, count in corpus.words.items()]
    merged = _times_merged(words, pairs, base)
    standing = _doubles(words, pairs, base)
    left_over = sum(len(word) * count for word, count in corpus.words.items())
    steps = []
    for rank, (left, right) in enumerate(pairs):
        new_id = base + rank
        left_over -= merged[new_id]
        count = standing.get(new_id, merged[new_id])
        steps.append(MergeStep(rank, left, right, new_id, count, merged[new_id], 0, left_over))
    return steps


_Words = Sequence[tuple[list[int], int]]


def _times_merged(words: _Words, pairs: Sequence[_Merge], base: int) -> Counter[int]:
    """How often each token was made, those inside other tokens included."""
    times: Counter[int] = Counter()
    for word, count in words:
        for token in word:
            times[token] += count
    for rank in reversed(range(len(pairs))):
        for part in pairs[rank]:
            times[part] += times[base + rank]
    return times


def _doubles(words: _Words, pairs: Sequence[_Merge], base: int) -> dict[int, int]:
    """How often each pair of equal tokens stood in the corpus before it was merged."""
    inside: dict[int, frozenset[int]] = defaultdict(frozenset)
    for new_id, (left, right) in enumerate(pairs, base):
        own = frozenset({new_id}) if left == right else frozenset()
        if own or left in inside or right in inside:
            inside[new_id] = own | inside[left] | inside[right]
    standing: Counter[int] = Counter()
    for word, count in words:
        for double in {double for token in word if token in inside for double in inside[token]}:
            before = list(_taken_apart(word, double, pairs, base))
            pair = pairs[double - base]
            standing[double] += count * sum(here == pair for here in pairwise(before))
    return standing


def _taken_apart(
    word: Iterable[int], limit: int, pairs: Sequence[_Merge], base: int
) -> Iterator[int]:
    """``word`` as it stood before the token ``limit`` was made."""
    for token in word:
        if token < limit:
            yield token
        else:
            yield from _taken_apart(pairs[token - base], limit, pairs, base)
