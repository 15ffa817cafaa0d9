"""Tables of texts (CSV, TSV): delimiter, names of columns, and texts row by row.

Python's own reader of such files does the parsing; here is only what it must be told.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from engine.limits import UPLOAD_BYTES
from pages.ui.cost.names import known_language

DELIMITERS: Final = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
MOST_COLUMNS: Final = 1_000
_LOOKED_AT: Final = 200
_LONGEST_NAME: Final = 40
# The reader's own limit is for tables of short cells.
csv.field_size_limit(UPLOAD_BYTES)


class TableError(ValueError):
    """A file is no table of texts; the message is a sentence for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The columns of a table, equally long; a cell that a row does not have is empty."""

    names: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    delimiter: str
    header: bool
    uneven: int

    @property
    def filled(self) -> list[int]:
        """The places of the columns that have a text."""
        return [i for i, cells in enumerate(self.columns) if any(map(str.strip, cells))]


def read_table(text: str, *, delimiter: str | None = None, header: bool | None = None) -> Table:
    """The table that a text holds.

    Args:
        text: the file, decoded.
        delimiter: what parts the cells; None to find out.
        header: whether the first row has the names of the columns; None to find out.

    Raises:
        TableError: if the reader cannot read it, or it has no rows, or a thousand columns.
    """
    mark = delimiter or found_delimiter(text)
    rows = _rows(text, mark)
    if not rows:
        raise TableError("The table is empty.")
    width = max(map(len, rows))
    if width > MOST_COLUMNS:
        raise TableError(f"The table has {width:,} columns; up to {MOST_COLUMNS:,} are read.")
    usual = Counter(map(len, rows)).most_common(1)[0][0]
    uneven = sum(len(row) != usual for row in rows)
    named = has_header(rows) if header is None else header
    first, body = (rows[0], rows[1:]) if named else ([], rows)
    names = [(first[i].strip() if i < len(first) else "") for i in range(width)]
    return Table(
        names=_apart([name[:_LONGEST_NAME] or f"Column {i + 1}" for i, name in enumerate(names)]),
        columns=tuple(tuple(row[i] if i < len(row) else "" for row in body) for i in range(width)),
        delimiter=mark,
        header=named,
        uneven=uneven,
    )


def _apart(names: Sequence[str]) -> tuple[str, ...]:
    """Names of columns, those that were there before with a number."""
    met: Counter[str] = Counter()
    found = []
    for name in names:
        met[name] += 1
        found.append(f"{name} ({met[name]})" if met[name] > 1 else name)
    return tuple(found)


def _rows(text: str, delimiter: str) -> list[list[str]]:
    """All rows that are not blank; quotes must be closed."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        return [row for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise TableError(
            f"Line {reader.line_num:,} of the table cannot be read: {error}. Is a quotation mark "
            'not closed, or one inside a cell not doubled ("")?'
        ) from None


def found_delimiter(text: str) -> str:
    """The delimiter by which most rows come out equally wide; a comma if none parts anything.

    >>> found_delimiter("en;vi\\nYes, please;Vâng\\nNo;Không, cảm ơn\\n") == ";"
    True
    """
    scores = {mark: _evenness(text, mark) for mark in DELIMITERS}
    best = max(scores, key=lambda mark: scores[mark])
    return best if scores[best] > (0.0, 0) else ","


def _evenness(text: str, delimiter: str) -> tuple[float, int]:
    """The part of the first rows that has the usual width, and that width."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    widths = []
    try:
        widths += [len(row) for row in islice(reader, _LOOKED_AT) if row]
    except csv.Error:
        return 0.0, 0
    if not widths:
        return 0.0, 0
    usual, rows = Counter(widths).most_common(1)[0]
    return (rows / len(widths), usual) if usual > 1 else (0.0, 0)


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row reads like names: short, all different, a language or no sentence.

    Languages alone are names however often they come.
    """
    first = [cell.strip() for cell in rows[0]]
    names = [cell for cell in first if cell]
    if len(rows) < 2 or not names:
        return False
    if all(known_language(name) for name in names):
        return True
    if len(set(names)) != len(names):
        return False
    if any(len(name) > _LONGEST_NAME for name in names):
        return False
    if any(known_language(name) for name in names):
        return True
    others = [len(cell) for row in rows[1:_LOOKED_AT] for cell in row if cell.strip()]
    mean = sum(others) / len(others) if others else 0
    return mean > 2 * sum(map(len, names)) / len(names)


def aligned_columns(table: Table, chosen: Sequence[int]) -> tuple[list[tuple[str, ...]], int]:
    """The texts of some columns, row by row, and how many rows were left out.

    A row in which one of the cells is empty says nothing about what the same content costs.
    """
    rows = list(zip(*(table.columns[i] for i in chosen), strict=True))
    whole = [row for row in rows if all(map(str.strip, row))]
    return [tuple(column) for column in zip(*whole, strict=True)], len(rows) - len(whole)
