"""Tokens as rows of a table, on the screen and in a file.

Every character of a token can be seen: blanks and control characters have signs, other invisible
ones their names, and bytes that make no character are spelled.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any, Final

import regex

import engine
from engine.id_text import spell
from engine.standins import to_standins

_SIGNS: Final = {
    " ": "␣", "\t": "⇥", "\n": "↵", "\x7f": "␡", "\xa0": "[NBSP]", "\xad": "[SHY]",
    "\u200b": "[ZWSP]", "\u200c": "[ZWNJ]", "\u200d": "[ZWJ]", "\u200e": "[LRM]",
    "\u200f": "[RLM]", "\u202a": "[LRE]", "\u202b": "[RLE]", "\u202c": "[PDF]",
    "\u202d": "[LRO]", "\u202e": "[RLO]", "\u2028": "[LS]", "\u2029": "[PS]", "\u2060": "[WJ]",
    "\u2066": "[LRI]", "\u2067": "[RLI]", "\u2068": "[FSI]", "\u2069": "[PDI]",
    "\u3000": "[IDSP]", "\ufeff": "[BOM]",
}  # fmt: skip
_STRAY = regex.compile("[\udc80-\udcff]+")
_UNSEEN = regex.compile(r"[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]")
_MARK_FIRST = regex.compile(r"\p{M}")
# What a spreadsheet takes for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def visible(data: bytes) -> str:
    """The bytes of a token as text in which everything can be seen.

    >>> visible(b" hi"), visible(b"\\xe4\\xbd"), visible(b"a\\r\\n")
    ('␣hi', '‹e4bd›', 'a␍↵')
    """
    loose = data.decode("utf-8", "surrogateescape")
    if loose.isascii() and loose.isalnum():
        return loose
    parts: list[str] = []
    position = 0
    for run in _STRAY.finditer(loose):
        parts += (_seen(loose[position : run.start()]), spell(_bytes(run[0])))
        position = run.end()
    parts.append(_seen(loose[position:]))
    return "".join(parts)


def _bytes(escaped: str) -> bytes:
    return escaped.encode("utf-8", "surrogateescape")


def _seen(text: str) -> str:
    shown = _UNSEEN.sub(lambda match: _sign(match[0]), text)
    return f"◌{shown}" if _MARK_FIRST.match(shown) else shown


def _sign(character: str) -> str:
    if character in _SIGNS:
        return _SIGNS[character]
    code = ord(character)
    return chr(0x2400 + code) if code < 0x20 else f"[U+{code:04X}]"


def rows(tokenizer: engine.Tokenizer, ids: Iterable[int]) -> Iterator[dict[str, Any]]:
    """One row a token, as ordinary values."""
    for token_id in ids:
        data = tokenizer.bytes_of(token_id) or b""
        yield {
            "id": token_id,
            "rank": tokenizer.rank_of(token_id),
            "text": visible(data),
            "bytes (hex)": data.hex(" "),
            "stand-ins": to_standins(data),
            "bytes": len(data),
            "code points": len(data.decode("utf-8", "ignore")),
        }


def added_rows(tokenizer: engine.Tokenizer, ids: Iterable[int]) -> Iterator[dict[str, Any]]:
    """One row an added token, with its flags.

    ``normalized``: looked for after normalization; ``blanks before``: takes them with it.
    """
    for row in rows(tokenizer, ids):
        token = tokenizer.added.by_id[row["id"]]
        yield {
            "id": token.id,
            "text": row["text"],
            "control": token.special,
            "normalized": token.normalized,
            "whole word": token.single_word,
            "blanks before": token.lstrip,
            "blanks after": token.rstrip,
            "bytes": row["bytes"],
        }


def as_csv(table: Iterable[dict[str, Any]]) -> bytes:
    """A table as a file for spreadsheets, in which no token becomes a formula."""
    output = io.StringIO()
    writer = csv.writer(output)
    for place, row in enumerate(table):
        if not place:
            writer.writerow(map(safe_cell, row))
        writer.writerow(map(safe_cell, row.values()))
    # The mark tells a spreadsheet that this is UTF-8.
    return b"\xef\xbb\xbf" + output.getvalue().encode()


def safe_cell(value: object) -> object:
    """A value that a spreadsheet shows and does not run.

    >>> safe_cell("=1+1"), safe_cell("a"), safe_cell(-1)
    ("'=1+1", 'a', -1)
    """
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value
