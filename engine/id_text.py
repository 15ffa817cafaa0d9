"""From ids to tokens and text, with nothing lost: stray bytes and unknown ids are named.

Ids may stand for bytes that are no UTF-8 (a list cut off inside a character), and a list may hold
numbers that stand for nothing. Libraries put � for the first and fail, or stay silent, on the
second.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from engine.limits import LARGEST_ID
from engine.special_tokens import Section
from engine.tokenizer import Span, Tokenization, Tokenizer

_STRAY = re.compile("[\udc80-\udcff]+")


class StrayBytes(NamedTuple):
    """Bytes of one token that make no character: the token's place, all its bytes, and those."""

    place: int
    data: bytes
    stray: bytes


class UnknownHere(NamedTuple):
    """A number at a place of the list that stands for no token."""

    place: int
    token_id: int


@dataclass(frozen=True, kw_only=True)
class IdText:
    """What a list of ids stands for.

    Attributes:
        data: the bytes of all known ids, joined.
        tokenization: the ids as tokens of a text that can be drawn: that of ``data``, with bytes
            that make no character spelled ``‹e4bd›``. An unknown number is a token without an id
            and without text.
        stray: the tokens that hold bytes that make no character.
        unknown: the numbers that stand for no token.
    """

    data: bytes
    tokenization: Tokenization
    stray: Sequence[StrayBytes]
    unknown: Sequence[UnknownHere]

    @cached_property
    def text(self) -> str:
        """The text as a library gives it: U+FFFD for each run of bytes that makes no character."""
        return self.data.decode("utf-8", "replace") if self.stray else self.tokenization.text


@dataclass(frozen=True, slots=True)
class _Given:
    """A section encoder for tokens that were given, not found."""

    given: Span

    def ids(self, text: str, *, first: bool) -> list[int]:
        """The given ids that are known."""
        return [i for i in self.given.ids if i is not None]

    def count(self, text: str, *, first: bool) -> int:
        """The number of given ids."""
        return len(self.given.ids)

    def span(self, text: str, *, first: bool) -> Span:
        """The tokens and where they lie."""
        return self.given

    def pieces(self, text: str, *, first: bool) -> list[str]:
        """The text as one piece: nothing was split."""
        return [text]


def tokens_of_ids(tokenizer: Tokenizer, ids: Sequence[int]) -> IdText:
    """The tokens and the text of ``ids``; never fails on a number."""
    parts, unknown = _parts(tokenizer, ids)
    data = b"".join(parts)
    ends = array("Q", accumulate(map(len, parts)))
    text, drawn_ends, stray = _spelled(data, parts, ends)
    known: Sequence[int | None] = ids
    if unknown:
        missing = {here.place for here in unknown}
        known = [None if place in missing else i for place, i in enumerate(ids)]
    starts = array("Q", [0]) + drawn_ends[:-1] if drawn_ends else drawn_ends
    given = _Given(Span(text, list(known), starts, drawn_ends))
    sections = [Section(text, None)] if ids else []
    tokenization = Tokenization(replace(tokenizer, encoder=given), text, "parse", sections)
    added = tokenizer.added.by_id
    if not added.keys().isdisjoint(ids):
        tokenization.special.update(
            (place, added[i]) for place, i in enumerate(known) if i is not None and i in added
        )
    return IdText(data=data, tokenization=tokenization, stray=stray, unknown=unknown)


def _parts(tokenizer: Tokenizer, ids: Sequence[int]) -> tuple[list[bytes], list[UnknownHere]]:
    """The bytes of each id, none for an unknown one."""
    found = list(map(tokenizer.vocabulary.bytes_of.get, ids))
    if None not in found:
        return found, []  # type: ignore[return-value]  # no None in it, as just asked
    parts, unknown = [], []
    for place, data in enumerate(found):
        known = tokenizer.bytes_of(ids[place]) if data is None else data
        if known is None:
            unknown.append(UnknownHere(place, ids[place]))
        parts.append(known or b"")
    return parts, unknown


def spell(stray: bytes) -> str:
    """Bytes that make no character, written so that nobody takes them for one.

    >>> spell(b"\\xe4\\xbd")
    '‹e4bd›'
    """
    return f"‹{stray.hex()}›"


def _spelled(
    data: bytes, parts: Sequence[bytes], ends: array[int]
) -> tuple[str, array[int], list[StrayBytes]]:
    """The text with stray bytes spelled token by token, and the ends of the tokens in it."""
    try:
        return data.decode(), ends, []
    except UnicodeDecodeError:
        loose = data.decode("utf-8", "surrogateescape")
    pieces: list[str] = []
    found: list[StrayBytes] = []
    drawn_ends = array("Q", ends)
    # Up to which token the ends are moved, by how much, and where the last run ended.
    moved, shift, char, offset = 0, 0, 0, 0
    for run in _STRAY.finditer(loose):
        between = loose[char : run.start()]
        pieces.append(between)
        offset += len(between.encode())
        char = run.end()
        stop = offset + len(run[0])
        place = bisect_right(ends, offset)
        while offset < stop:
            upto = min(stop, ends[place])
            stray = data[offset:upto]
            pieces.append(spell(stray))
            _move(drawn_ends, moved, place, shift)
            moved = place
            shift += len(spell(stray).encode()) - len(stray)
            found.append(StrayBytes(place, parts[place], stray))
            offset = upto
            place = bisect_right(ends, offset)
    pieces.append(loose[char:])
    _move(drawn_ends, moved, len(drawn_ends), shift)
    return "".join(pieces), drawn_ends, found


def _move(ends: array[int], first: int, last: int, shift: int) -> None:
    """Add ``shift`` to the ends of the tokens from ``first`` up to ``last``."""
    for place in range(first, last) if shift else ():
        ends[place] += shift


def why_unknown(tokenizer: Tokenizer, token_id: int) -> str:
    """Why a number stands for no token of this tokenizer, in one sentence."""
    name, rows = tokenizer.name, tokenizer.model_rows
    if token_id < 0:
        return f"{token_id} is negative; ids begin at 0."
    if token_id > LARGEST_ID:
        return f"{token_id} is above {LARGEST_ID}, the largest number that an id can be."
    used = used_ids(tokenizer)
    place = bisect_left(used, token_id)
    if place == len(used):
        last = used[-1]
        if rows is not None and token_id < rows:
            return (
                f"{token_id} is a row of the model's table that no token uses: the tokens of "
                f"{name} end at {last}, the rows at {rows - 1}."
            )
        end = f", and the model's table at {rows - 1}" if rows is not None else ""
        return f"{token_id} is past the end of {name}: the tokens end at {last}{end}."
    after = _called(tokenizer, used[place])
    if place == 0:
        return f"{token_id} is below the first id of {name}, {after}."
    before = _called(tokenizer, used[place - 1])
    return f"{token_id} is in a gap of {name}: between {before} and {after} there is no token."


def _called(tokenizer: Tokenizer, token_id: int) -> str:
    added = tokenizer.added.by_id.get(token_id)
    if added is None:
        ids = tokenizer.vocabulary.ids
        return f"{token_id}, the end of the table," if token_id == ids[-1] else f"{token_id}"
    return f"the {'special' if added.special else 'added'} token {token_id}"


def used_ids(tokenizer: Tokenizer) -> Sequence[int]:
    """All ids that stand for a token, added tokens included, in order."""
    return sorted({*tokenizer.vocabulary.ids, *tokenizer.added.by_id})
