"""From tokenizations to what the token view draws, kept between runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

import engine
from engine.special_tokens import SpecialPolicy
from pages.ui.cache import fingerprint, results
from pages.ui.token_view import Column, Figure, Headline
from pages.ui.tokenizers import title, tokenizer

ORDINARY, CONTROL, ADDED, UNKNOWN, DROPPED = range(5)
# What a token costs in memory as columns and in the parts of the view, measured.
BYTES_PER_TOKEN = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A tokenization with what drawing needs of it.

    The columns ``ids`` to ``kinds`` have an entry a token, and one for each stretch of the text
    that was dropped.
    """

    tokenization: engine.Tokenization
    counts: engine.Counts
    ids: Sequence[int | None]
    ends_byte: Sequence[int]
    closes: bytes
    kinds: bytes
    ranks: Mapping[int, int | None]
    rewritten: Sequence[engine.Rewritten]


def cut(name: str, text: str, special: SpecialPolicy) -> Cut:
    """The cut of ``text`` by the tokenizer ``name``. Raises as ``Tokenizer.encode``."""

    def make() -> tuple[Cut, int]:
        tokenization = tokenizer(name).encode(text, special=special)
        made = Cut(
            tokenization=tokenization,
            counts=engine.counts(tokenization),
            **_entries(tokenization),
            ranks=_ranks(tokenization),
            rewritten=engine.rewritten(tokenization),
        )
        return made, len(tokenization) * BYTES_PER_TOKEN + 6 * len(text)

    return results().get(("cut", name, special, fingerprint(text)), make)


class _Entries(TypedDict):
    """Columns of what is drawn one after the other."""

    ids: Sequence[int | None]
    ends_byte: Sequence[int]
    closes: bytes
    kinds: bytes


def _entries(tokenization: engine.Tokenization) -> _Entries:
    """What is drawn: the tokens, and between them what was dropped."""
    ids, kinds, ends = tokenization.ids, _kinds(tokenization), tokenization.ends_byte
    if not _covers(tokenization):
        ids, kinds, ends = _with_dropped(tokenization, kinds)
    return {
        "ids": ids,
        "ends_byte": ends,
        "closes": engine.closes(tokenization, ends),
        "kinds": kinds,
    }


def _covers(tokenization: engine.Tokenization) -> bool:
    """Whether each token begins where the one before it ends."""
    starts, ends = tokenization.starts_byte, tokenization.ends_byte
    if not starts:
        return not tokenization.data
    whole = starts[0] == 0 and ends[-1] == len(tokenization.data)
    return whole and starts[1:] == ends[:-1]


def _with_dropped(
    tokenization: engine.Tokenization, kinds: bytes
) -> tuple[list[int | None], bytes, list[int]]:
    """Ids, kinds and ends with an entry more for each stretch that no token has."""
    ids: list[int | None] = []
    ends: list[int] = []
    all_kinds = bytearray()

    def add(token_id: int | None, kind: int, end: int) -> None:
        ids.append(token_id)
        all_kinds.append(kind)
        ends.append(end)

    position = 0
    for place, start in enumerate(tokenization.starts_byte):
        if start > position:
            add(None, DROPPED, start)
        position = tokenization.ends_byte[place]
        add(tokenization.ids[place], kinds[place], position)
    if position < len(tokenization.data):
        add(None, DROPPED, len(tokenization.data))
    return ids, bytes(all_kinds), ends


def _kinds(tokenization: engine.Tokenization) -> bytes:
    kinds = bytearray(len(tokenization))
    for place, token in tokenization.special.items():
        kinds[place] = CONTROL if token.special else ADDED
    if None in tokenization.ids:
        for place, token_id in enumerate(tokenization.ids):
            if token_id is None:
                kinds[place] = UNKNOWN
    return bytes(kinds)


def _ranks(tokenization: engine.Tokenization) -> dict[int, int | None]:
    rank_of = tokenization.tokenizer.rank_of
    return {i: rank_of(i) for i in set(tokenization.ids) if i is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBySide:
    """Several cuts of one text, with the stretches that they cut differently.

    ``names`` are those of the tokenizers, one for each cut.
    """

    names: tuple[str, ...]
    given: engine.TextCounts
    cuts: tuple[Cut, ...]
    columns: tuple[Column, ...]
    differences: engine.Differences


def side_by_side(names: Sequence[str], text: str, special: SpecialPolicy) -> SideBySide:
    """All cuts of ``text``, compared. Raises as ``Tokenizer.encode``."""

    def make() -> tuple[SideBySide, int]:
        cuts = tuple(cut(name, text, special) for name in names)
        found = engine.differences([one.tokenization for one in cuts])
        columns = tuple(
            _column(name, one, found.spans(place))
            for place, (name, one) in enumerate(zip(names, cuts, strict=True))
        )
        size = len(found) * (len(names) + 1) * 120
        made = SideBySide(
            names=tuple(names),
            given=_given(cuts[0]),
            cuts=cuts,
            columns=columns,
            differences=found,
        )
        return made, size

    return results().get(("side", tuple(names), special, fingerprint(text)), make)


def _given(one: Cut) -> engine.TextCounts:
    """The counts of the given text, which are those of a cut that did not rewrite it."""
    tokenization = one.tokenization
    if tokenization.original == tokenization.text:
        return one.counts
    return engine.text_counts(tokenization.original)


def _column(name: str, one: Cut, differs: Sequence[tuple[int, int]]) -> Column:
    return Column(
        name=title(name),
        text=one.tokenization.text,
        ids=one.ids,
        ends_byte=one.ends_byte,
        closes=one.closes,
        kinds=one.kinds,
        ranks=one.ranks,
        differs=differs,
        rewritten=one.rewritten,
        headline=_headline(one.counts),
    )


def _headline(counts: engine.Counts) -> Headline:
    figures = [
        Figure(label="bytes per token", value=round(counts.bytes_per_token, 2)),
        Figure(label="characters per token", value=round(counts.characters_per_token, 2)),
    ]
    if counts.tokens_per_word is not None:
        figures.append(Figure(label="tokens per word", value=round(counts.tokens_per_word, 2)))
    return Headline(value=counts.tokens, unit="tokens", figures=figures)
