"""Finding tokens in a vocabulary: by text, bytes, id, pattern, script, length, or as added tokens.

Each search takes ``Entries``, the vocabulary laid out for searching, and gives ids.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import Final

import regex

from engine.errors import EngineError
from engine.id_text import used_ids
from engine.limits import PATTERN_SECONDS
from engine.standins import from_standins
from engine.tokenizer import Tokenizer

LONGEST_QUERY: Final = 200
# Tokens are short: one on which a pattern searches this long is one of thousands.
TOKEN_SECONDS: Final = 0.1
# The clock is read once for so many tokens; they can overrun by as many times TOKEN_SECONDS.
_BATCH: Final = 16

VIETNAMESE: Final = "Vietnamese"
# Letters that Vietnamese has and hardly any other language: à, é, ô and others are left out
# because French and Portuguese have them too.
_VIETNAMESE_LETTERS: Final = "[ĂăĐđƠơƯư\u1ea0-\u1ef9]"

SCRIPTS: Final = tuple(
    "Latin Han Cyrillic Arabic Hangul Hiragana Katakana Thai Devanagari Greek Hebrew Armenian "
    "Balinese Bengali Bopomofo Canadian_Aboriginal Cherokee Coptic Ethiopic Georgian Glagolitic "
    "Gothic Gujarati Gurmukhi Javanese Kannada Khmer Lao Malayalam Mongolian Myanmar Nko Ogham "
    "Ol_Chiki Oriya Runic Sinhala Syriac Tamil Telugu Thaana Tibetan Tifinagh Yi".split()
)

_HEX = re.compile(r"(?:0x)?([0-9a-f]+)", re.ASCII | re.IGNORECASE)
_ID_PART = re.compile(r"(\d{1,20})(?:\s*[-–]\s*(\d{1,20}))?", re.ASCII)


class QueryError(EngineError):
    """A question cannot be read, or takes too long; the message says what to write instead."""


@dataclass(frozen=True)
class Entries:
    """A vocabulary as two columns, in order of ids, added tokens included. Not changed."""

    ids: Sequence[int]
    data: Sequence[bytes]

    @cached_property
    def texts(self) -> list[str]:
        """The text of each token; U+FFFD stands for bytes that make no character."""
        return [data.decode("utf-8", "replace") for data in self.data]


def entries_of(tokenizer: Tokenizer) -> Entries:
    """The vocabulary of a tokenizer, laid out for searching."""
    ids = used_ids(tokenizer)
    return Entries(ids, [tokenizer.bytes_of(token_id) or b"" for token_id in ids])


def by_text(entries: Entries, query: str) -> list[int]:
    """Tokens that hold ``query``, blanks in it included.

    First those that are it, then those that begin with it, then the rest; a blank before the token
    does not count for that, so that "the" finds "the" and " the" first.

    Raises:
        QueryError: if ``query`` cannot be written in UTF-8 or is too long.
    """
    _check_length(query)
    try:
        return _holding(entries, query.encode())
    except UnicodeEncodeError:
        raise QueryError("The text has half a surrogate pair, which no token can hold.") from None


def by_standins(entries: Entries, query: str) -> list[int]:
    """Tokens that hold the bytes that ``query`` spells in stand-ins (Ġthe). Raises QueryError."""
    _check_length(query)
    needle = from_standins(query)
    if needle is None:
        wrong = next(c for c in query if from_standins(c) is None)
        raise QueryError(f"{wrong!r} is no stand-in for a byte; a blank is written Ġ.")
    return _holding(entries, needle)


def _holding(entries: Entries, needle: bytes) -> list[int]:
    found = [(i, data) for i, data in zip(entries.ids, entries.data, strict=True) if needle in data]
    spaced = b" " + needle

    def place(row: tuple[int, bytes]) -> int:
        data = row[1]
        if data in (needle, spaced):
            return 0
        return 1 if data.startswith((needle, spaced)) else 2

    return [i for i, _ in sorted(found, key=place)]


def by_bytes(entries: Entries, query: str) -> list[int]:
    """Tokens that hold the bytes that ``query`` writes in hexadecimal: ``e4 bd a0``, ``0xE4BD``.

    Raises:
        QueryError: if it is no hexadecimal.
    """
    _check_length(query)
    return _holding(entries, _bytes_written(query))


def _bytes_written(query: str) -> bytes:
    written = []
    for word in query.replace(",", " ").split():
        match = _HEX.fullmatch(word)
        if match is None:
            raise QueryError(f"{_shown(word)} is no hexadecimal; write bytes as e4 bd a0.")
        digits = match[1]
        if len(digits) % 2:
            raise QueryError(
                f"{_shown(word)} has an odd number of digits; a byte has two, as in e4 bd a0."
            )
        written.append(bytes.fromhex(digits))
    return b"".join(written)


def by_id(entries: Entries, query: str) -> list[int]:
    """The ids that ``query`` names: ``100``, ``100-120``, several with commas.

    Numbers without a token are left out (``engine.id_text.why_unknown`` says why).

    Raises:
        QueryError: if something in it is neither a number nor a range.
    """
    ids = entries.ids
    named = [
        ids[bisect_left(ids, first) : bisect_right(ids, last)] for first, last in id_ranges(query)
    ]
    return sorted(set(chain.from_iterable(named)))


def id_ranges(query: str) -> list[tuple[int, int]]:
    """The ranges that ``query`` names, both ends included. Raises QueryError."""
    _check_length(query)
    ranges = []
    for part in query.replace(";", ",").split(","):
        if not part.strip():
            continue
        match = _ID_PART.fullmatch(part.strip())
        if match is None:
            raise QueryError(f"{_shown(part.strip())} is no id; write 100, or 100-120.")
        first = int(match[1])
        last = int(match[2]) if match[2] else first
        if last < first:
            raise QueryError(f"The range {first}-{last} ends before it begins.")
        ranges.append((first, last))
    return ranges


def by_pattern(entries: Entries, pattern: str, *, seconds: float = PATTERN_SECONDS) -> list[int]:
    """Tokens in whose text ``pattern`` (in the notation of the ``regex`` package) finds something.

    The pattern may come from anyone, so a token may take ``TOKEN_SECONDS`` and all together about
    ``seconds`` of the processor's time.

    Raises:
        QueryError: if the pattern cannot be read or takes longer.
    """
    _check_length(pattern)
    return _matching(entries, _compiled(pattern), seconds)


def _compiled(pattern: str) -> regex.Pattern[str]:
    try:
        return regex.compile(pattern, cache_pattern=False)
    except regex.error as error:
        raise QueryError(f"The pattern cannot be read: {error}.") from None
    except (RecursionError, OverflowError, ValueError):
        raise QueryError("The pattern cannot be read: it is too large.") from None


def _matching(entries: Entries, pattern: regex.Pattern[str], seconds: float) -> list[int]:
    # Time of this thread alone: a busy machine does not make a good pattern fail.
    now, search = time.thread_time, pattern.search
    deadline = now() + seconds
    rows = zip(entries.ids, entries.texts, strict=True)
    found: list[int] = []
    try:
        while batch := list(islice(rows, _BATCH)):
            if now() > deadline:
                raise TimeoutError
            # Others' work goes on meanwhile: the package lets go of the interpreter's lock.
            found += [
                token_id
                for token_id, text in batch
                if search(text, concurrent=True, timeout=TOKEN_SECONDS)
            ]
    except TimeoutError:
        raise QueryError(
            f"The pattern takes longer than {seconds:g} seconds on this vocabulary; write one "
            "without repeats inside repeats, such as (a+)+."
        ) from None
    return found


def by_script(entries: Entries, script: str) -> list[int]:
    """Tokens that hold a letter of a script of ``SCRIPTS``, or one of ``VIETNAMESE``.

    Raises:
        QueryError: if there is no such script here.
    """
    if script == VIETNAMESE:
        expression = _VIETNAMESE_LETTERS
    elif script in SCRIPTS:
        expression = rf"(?V1)[\p{{Script={script}}}&&\p{{L}}]"
    else:
        raise QueryError(
            f"There is no script {_shown(script)} here; there is {', '.join(SCRIPTS)}."
        )
    search = regex.compile(expression).search
    only_ascii = script == "Latin"
    return [
        token_id
        for token_id, text in zip(entries.ids, entries.texts, strict=True)
        if (only_ascii or not text.isascii()) and search(text)
    ]


def longest(entries: Entries) -> list[int]:
    """All tokens, those of most bytes first; equal ones in order of ids."""
    lengths = map(len, entries.data)
    rows = sorted(zip(entries.ids, lengths, strict=True), key=_by_length)
    return [token_id for token_id, _ in rows]


def _by_length(row: tuple[int, int]) -> int:
    return -row[1]


def _check_length(query: str) -> None:
    if len(query) > LONGEST_QUERY:
        raise QueryError(
            f"The question has {len(query):,} characters; at most {LONGEST_QUERY} are looked for."
        )


def _shown(word: str) -> str:
    return repr(word if len(word) <= 30 else word[:29] + "…")
