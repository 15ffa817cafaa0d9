"""From tokenizations to what the token view draws, kept between runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import engine
from engine.special_tokens import SpecialPolicy
from pages.ui.cache import results, tokenizer
from pages.ui.token_view import Column, Figure, Headline

ORDINARY, CONTROL, ADDED, UNKNOWN = range(4)
# What a token costs in memory as columns and in the parts of the view, measured.
BYTES_PER_TOKEN = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A tokenization with what drawing needs of it."""

    tokenization: engine.Tokenization
    counts: engine.Counts
    closes: bytes
    kinds: bytes
    ranks: Mapping[int, int | None]


def fingerprint(text: str) -> bytes:
    """A short key for a text of any length."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def cut(name: str, text: str, special: SpecialPolicy) -> Cut:
    """The cut of ``text`` by the tokenizer ``name``. Raises as ``Tokenizer.encode``."""

    def make() -> tuple[Cut, int]:
        tokenization = tokenizer(name).encode(text, special=special)
        made = Cut(
            tokenization=tokenization,
            counts=engine.counts(tokenization),
            closes=engine.closes(tokenization),
            kinds=_kinds(tokenization),
            ranks=_ranks(tokenization),
        )
        return made, len(tokenization) * BYTES_PER_TOKEN + 6 * len(text)

    return results().get(("cut", name, special, fingerprint(text)), make)


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
    """Several cuts of one text.

    ``differences`` lists, for each group of tokenizers that cut the same (normalized) text, the
    names of the group and the spans that they cut differently.
    """

    cuts: tuple[Cut, ...]
    columns: tuple[Column, ...]
    differences: tuple[tuple[tuple[str, ...], tuple[engine.Difference, ...]], ...]


def side_by_side(names: Sequence[str], text: str, special: SpecialPolicy) -> SideBySide:
    """All cuts of ``text``, compared. Raises as ``Tokenizer.encode``."""

    def make() -> tuple[SideBySide, int]:
        cuts = tuple(cut(name, text, special) for name in names)
        groups = _groups(cuts)
        compared = tuple(
            (
                tuple(names[place] for place in places),
                tuple(engine.differences([cuts[p].tokenization.ends_byte for p in places])),
            )
            for places in groups
        )
        spans: dict[str, list[tuple[int, int]]] = {
            name: [(d.start_byte, d.end_byte) for d in found]
            for group, found in compared
            for name in group
        }
        columns = tuple(
            _column(name, one, spans[name]) for name, one in zip(names, cuts, strict=True)
        )
        size = sum(len(one.tokenization) * 4 for one in cuts) + 100 * sum(map(len, spans.values()))
        return SideBySide(cuts=cuts, columns=columns, differences=compared), size

    return results().get(("side", tuple(names), special, fingerprint(text)), make)


def _groups(cuts: Sequence[Cut]) -> list[list[int]]:
    """Places of the cuts that cover the same text (normalizing tokenizers may cover another)."""
    groups: dict[bytes, list[int]] = {}
    for place, one in enumerate(cuts):
        groups.setdefault(fingerprint(one.tokenization.text), []).append(place)
    return list(groups.values())


def _column(name: str, one: Cut, differs: Sequence[tuple[int, int]]) -> Column:
    return Column(
        name=engine.BUNDLED[name].title if name in engine.BUNDLED else name,
        text=one.tokenization.text,
        ids=one.tokenization.ids,
        ends_byte=one.tokenization.ends_byte,
        closes=one.closes,
        kinds=one.kinds,
        ranks=one.ranks,
        differs=differs,
        headline=_headline(one.counts),
    )


def _headline(counts: engine.Counts) -> Headline:
    figures = [
        Figure(label="bytes per token", value=round(counts.bytes_per_token, 2)),
        Figure(label="characters per token", value=round(counts.characters_per_token, 2)),
    ]
    if counts.words:
        per_word = round(counts.tokens / counts.words, 2)
        figures.append(Figure(label="tokens per word", value=per_word))
    return Headline(value=counts.tokens, unit="tokens", figures=figures)
