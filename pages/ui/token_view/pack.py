"""The binary form in which the columns travel to the browser: a block as in ``packing``."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain, islice
from operator import sub
from typing import Any, Final, TypedDict

from pages.ui.packing import Sections, block, u32

__all__ = ["Check", "Column", "Figure", "Headline", "code_point_names", "pack", "pack_lengths"]

MARK: Final = b"TKV1"
NO_ID: Final = 0xFFFF_FFFF
ESCAPE: Final = 255  # a token of this many bytes or more has its length in the escapes
MOST_NAMES: Final = 4_000
MOST_REWRITTEN: Final = 5_000


class Figure(TypedDict, total=False):
    """A small number: ``{"label": "bytes per token", "value": 3.91, "estimate": False}``."""

    label: str
    value: int | float | str
    estimate: bool


class Check(TypedDict, total=False):
    """A self-check: ``ok`` is True (passed), False (failed) or None (could not be done)."""

    label: str
    ok: bool | None
    detail: str


class Headline(TypedDict, total=False):
    """The numbers beside a column: one large, some small, and the self-checks."""

    value: int | float | str
    unit: str
    estimate: bool
    figures: Sequence[Figure]
    checks: Sequence[Check]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One tokenizer's cut of a text.

    Invariants: ``ids``, ``ends_byte``, ``closes`` and ``kinds`` have one entry a token;
    ``ends_byte`` never falls and ends at the text's length in UTF-8.

    ``closes`` is 1 after a token that completes a group of whole graphemes; ``kinds``
    is 0 for an ordinary token, 1 for a special (control) one, 2 for another added one,
    3 for an unknown one, and 4 for what is none: a stretch of the text that was dropped.
    ``ranks`` has the merge rank of each id that occurs, None for base bytes and added tokens.
    ``differs`` are byte spans, in order, where this
    cut is not that of the other columns. ``rewritten`` are byte spans that the tokenizer's
    normalizer rewrote, in order, with the text that was given; the first 5,000 are sent.
    ``own_bytes`` has the bytes of each token, by its place, whose stretch of the text only spells
    them, since they make no character.
    """

    name: str
    text: str
    ids: Sequence[int | None]
    ends_byte: Sequence[int]
    closes: bytes
    kinds: bytes
    ranks: Mapping[int, int | None]
    headline: Headline
    differs: Sequence[tuple[int, int]] = ()
    rewritten: Sequence[tuple[int, int, str]] = ()
    own_bytes: Mapping[int, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        count = len(self.ids)
        if not count == len(self.ends_byte) == len(self.closes) == len(self.kinds):
            raise ValueError(
                f"{self.name}: {count} ids, {len(self.ends_byte)} ends, {len(self.closes)} "
                f"closes and {len(self.kinds)} kinds; each needs one entry a token"
            )


def pack_lengths(ends_byte: Sequence[int]) -> tuple[bytes, bytes]:
    """Return token lengths as one byte each, and the lengths that did not fit as u32.

    >>> pack_lengths([1, 4])
    (b'\\x01\\x03', b'')
    """
    lengths = list(map(sub, ends_byte, chain((0,), ends_byte)))
    if lengths and min(lengths) < 0:
        raise ValueError("the ends of tokens go backwards")
    try:
        short = bytes(lengths)
    except ValueError:
        short = bytes([min(length, ESCAPE) for length in lengths])
    if ESCAPE not in short:
        return short, b""
    return short, u32(length for length in lengths if length >= ESCAPE)


def _name_is_derivable(code: int) -> bool:
    """True for ideographs and Hangul syllables, whose names the browser builds itself."""
    return (
        0x3400 <= code <= 0x4DBF
        or 0x4E00 <= code <= 0x9FFF
        or 0xAC00 <= code <= 0xD7A3
        or 0x20000 <= code <= 0x323AF
    )


def code_point_names(texts: Iterable[str]) -> dict[str, str]:
    """Return the names of the code points that occur, keyed by lower-case hex.

    Names that can be derived are left out, as are those of control characters (Unicode
    gives them none; the browser has the list). At most 4,000, the lowest first.

    >>> code_point_names(["aa龘"])
    {'61': 'LATIN SMALL LETTER A'}
    """
    names: dict[str, str] = {}
    for char in sorted(set().union(*texts)):
        if _name_is_derivable(ord(char)):
            continue
        name = unicodedata.name(char, "")
        if name:
            names[f"{ord(char):x}"] = name
        if len(names) == MOST_NAMES:
            break
    return names


def _flags(column: Column) -> bytes:
    """Return one byte a token: bit 0 is the end of a group, bits 1 to 3 are the kind."""
    if not any(column.kinds):
        return column.closes
    return bytes(
        [close | kind << 1 for close, kind in zip(column.closes, column.kinds, strict=True)]
    )


def _pack_ids(ids: Sequence[int | None]) -> bytes:
    if None in ids:
        return u32(NO_ID if i is None else i for i in ids)
    return u32(ids)  # type: ignore[arg-type]  # no None in it, as just asked


def _column_header(column: Column, text: int, sections: Sections) -> dict[str, Any]:
    lengths, escapes = pack_lengths(column.ends_byte)
    return {
        "name": column.name,
        "text": text,
        "count": len(column.ids),
        "headline": column.headline,
        "ids": sections.add(_pack_ids(column.ids)),
        "lengths": sections.add(lengths),
        "escapes": sections.add(escapes),
        "flags": sections.add(_flags(column)),
        "rankIds": sections.add(u32(column.ranks)),
        "ranks": sections.add(u32(NO_ID if r is None else r for r in column.ranks.values())),
        "rewritten": [list(row) for row in islice(column.rewritten, MOST_REWRITTEN)],
        "differs": sections.add(u32(chain.from_iterable(column.differs))),
        "ownPlaces": sections.add(u32(column.own_bytes)),
        "ownLengths": sections.add(u32(map(len, column.own_bytes.values()))),
        "ownBytes": sections.add(b"".join(column.own_bytes.values())),
    }


def _given_texts(columns: Sequence[Column]) -> Iterable[str]:
    for column in columns:
        yield from (given for _, _, given in islice(column.rewritten, MOST_REWRITTEN))


def pack(columns: Sequence[Column], *, settings: Mapping[str, Any] | None = None) -> bytes:
    """Return the columns and the view's settings as one block of bytes.

    Equal input gives equal bytes, so an unchanged view is not drawn again. A text that
    several columns share is sent once. Lone surrogates have no UTF-8 and are refused.
    """
    sections = Sections()
    texts: dict[str, int] = {}
    places: list[dict[str, Any]] = []
    headers: list[dict[str, Any]] = []
    for column in columns:
        if column.text not in texts:
            data = column.text.encode()
            text_digest = blake2b(data, digest_size=8).hexdigest()
            texts[column.text] = len(texts)
            places.append({"place": sections.add(data), "digest": text_digest})
        index = texts[column.text]
        end = column.ends_byte[-1] if len(column.ends_byte) else 0
        if end != places[index]["place"][1]:
            raise ValueError(
                f"{column.name}: tokens end at byte {end}, the text at {places[index]['place'][1]}"
            )
        headers.append(_column_header(column, index, sections))
    body = sections.joined()
    header: dict[str, Any] = {
        "texts": places,
        "columns": headers,
        "names": code_point_names(chain(texts, _given_texts(columns))),
        **(settings or {}),
    }
    # The serial names the data, so that the browser can say which data it has painted.
    digest = blake2b(body, digest_size=8)
    digest.update(json.dumps(header, sort_keys=True).encode())
    header["serial"] = digest.hexdigest()
    return block(MARK, header, body)
