"""Where several tokenizers cut the same text differently."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, compress
from operator import gt, lt
from typing import NamedTuple, overload

from engine.normalization import Change
from engine.tokenizer import Tokenization

# Places in the given text are counted in steps of a code point, so that an end inside a character
# (at its byte 1 to 3) has a place of its own; ends inside something that a normalizer rewrote lie
# in the second half of the steps.
_STEPS = 1 << 24
_REWRITTEN = _STEPS // 2


class Difference(NamedTuple):
    """A stretch between two boundaries that all share, cut differently inside.

    ``spans`` are its bytes in the text of each tokenization, ``tokens`` how many tokens each has
    in it, in the order given.
    """

    spans: tuple[tuple[int, int], ...]
    tokens: tuple[int, ...]


class Differences(Sequence[Difference]):
    """All differences in order, as columns; a row is made when it is asked for."""

    def __init__(
        self, tokenizations: Sequence[Tokenization], places: Sequence[Sequence[int]], end: int
    ) -> None:
        self._ends = [one.ends_byte for one in tokenizations]
        self._sizes = [len(one.data) for one in tokenizations]
        self._places = places
        self._end = end
        cuts = list(map(set, places))
        # The beginning and the end of the text are boundaries that all share, also those that
        # drop what stands there.
        shared = set.intersection(*cuts) | {0, end}
        order = sorted(set.union(*cuts, {0, end}))
        agreed = list(map(shared.__contains__, order))
        # A difference is a run of disputed ends, with the shared ones before and after it.
        self._from = list(compress(order, map(gt, agreed, agreed[1:])))
        self._to = list(compress(order[1:], map(lt, agreed, agreed[1:])))

    def __len__(self) -> int:
        return len(self._from)

    @overload
    def __getitem__(self, index: int) -> Difference: ...
    @overload
    def __getitem__(self, index: slice) -> list[Difference]: ...
    def __getitem__(self, index: int | slice) -> Difference | list[Difference]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        spans, tokens = [], []
        for own, ends, size in zip(self._places, self._ends, self._sizes, strict=True):
            first = bisect_right(own, self._from[index])
            last = bisect_right(own, self._to[index])
            stop = size if self._to[index] == self._end else ends[last - 1]
            spans.append((ends[first - 1] if first else 0, stop))
            tokens.append(last - first)
        return Difference(tuple(spans), tuple(tokens))

    def spans(self, which: int) -> list[tuple[int, int]]:
        """The byte spans of all differences in the text of one tokenization."""
        own, ends = self._places[which], self._ends[which]
        if own is ends:
            return list(zip(self._from, self._to, strict=True))
        ends_at = dict(zip(own, ends, strict=True))
        byte_at = {0: 0, **ends_at, self._end: self._sizes[which]}.__getitem__
        return list(zip(map(byte_at, self._from), map(byte_at, self._to), strict=True))


def differences(tokenizations: Sequence[Tokenization]) -> Differences:
    """The stretches that differ among tokenizations of one given text, in order.

    Tokenizers that normalize are compared with others by what was given: an end of a token inside
    something rewritten is an end that no other can share.

    Raises:
        ValueError: if the tokenizations are not of the same given text, or there are none.
    """
    if len({one.original for one in tokenizations}) != 1:
        raise ValueError("The tokenizations are not of the same text.")
    first = tokenizations[0]
    if len({one.text for one in tokenizations}) == 1:
        places = [one.ends_byte for one in tokenizations]
        return Differences(tokenizations, places, len(first.data))
    given = [_places_given(one) for one in tokenizations]
    return Differences(tokenizations, given, len(first.original) * _STEPS)


def _places_given(tokenization: Tokenization) -> list[int]:
    """Where each token ends in the given text, in steps of a code point."""
    data = tokenization.data
    leads = [byte & 0xC0 != 0x80 for byte in data]
    begun = array("I", accumulate(leads, initial=0))
    places = []
    for end in tokenization.ends_byte:
        inside = 0
        while end - inside < len(data) and not leads[end - inside]:
            inside += 1
        places.append(_place_given(tokenization.changes, begun[end - inside], inside))
    return places


def _place_given(changes: Sequence[Change], position: int, inside: int) -> int:
    """The place of an end at a normalized code point, ``inside`` bytes after its beginning."""
    row = bisect_right(changes, position, key=lambda change: change.normalized_start) - 1
    if row < 0:
        return position * _STEPS + inside
    change = changes[row]
    if position >= change.normalized_end:
        return (position - change.normalized_end + change.original_end) * _STEPS + inside
    within = (position - change.normalized_start) * 4 + inside
    return change.original_start * _STEPS + (_REWRITTEN + within if within else 0)
