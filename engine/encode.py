"""Byte pair encoding of one piece, the plain way: look for the best pair, merge it, repeat.

This is the definition that ``encode_fast`` must agree with. Reading ``merge_plain`` is reading BPE.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TypeVar

Part = TypeVar("Part")


def merge_plain(
    parts: Sequence[Part],
    rank_of: Callable[[Part, Part], int | None],
    join: Callable[[Part, Part], Part],
) -> list[Part]:
    """Merge neighbours until no pair has a rank.

    Each round takes the pair with the lowest rank, of equals the leftmost, and merges that one
    occurrence.

    Args:
        parts: the units to begin with (bytes or characters, or their ids).
        rank_of: the rank of a pair, None where the pair may not merge.
        join: what a pair becomes.

    Returns:
        the parts that are left. ``merge_plain("abc", {("a", "b"): 0}...)`` gives ``["ab", "c"]``.
    """
    merged = list(parts)
    while True:
        ranked = [
            (rank, position)
            for position, (left, right) in enumerate(itertools.pairwise(merged))
            if (rank := rank_of(left, right)) is not None
        ]
        if not ranked:
            return merged
        _, position = min(ranked)
        merged[position : position + 2] = [join(merged[position], merged[position + 1])]
