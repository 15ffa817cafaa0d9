"""Where several tokenizers cut the same text differently."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class Difference(NamedTuple):
    """A byte span between two boundaries that all share, cut differently inside.

    ``tokens`` is the number of tokens that each tokenizer has in it, in the order given.
    """

    start_byte: int
    end_byte: int
    tokens: tuple[int, ...]


def differences(ends_byte: Sequence[Sequence[int]]) -> list[Difference]:
    """The spans that differ among cuts of one text.

    Args:
        ends_byte: for each tokenizer the byte offsets at which its tokens end, ascending; all must
            cut the same bytes.

    Raises:
        ValueError: if the cuts do not end at the same place.
    """
    if len({ends[-1] if ends else 0 for ends in ends_byte}) > 1:
        raise ValueError("The tokenizations are not of the same text.")
    cuts = [set(ends) for ends in ends_byte]
    if not cuts:
        return []
    shared = sorted(set.intersection(*cuts) | {0})
    disputed = set.union(*cuts).difference(shared)
    if not disputed:
        return []
    found = []
    positions = iter(sorted(disputed))
    position = next(positions, None)
    for start, end in pairwise(shared):
        inside = []
        while position is not None and position < end:
            inside.append(position)
            position = next(positions, None)
        if inside:
            own = tuple(1 + sum(place in cut for place in inside) for cut in cuts)
            found.append(Difference(start, end, own))
    return found
