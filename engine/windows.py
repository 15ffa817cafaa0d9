"""From ids to training examples, and from ids to vectors.

A language model learns from stretches of equal length: a window of ids is what it reads, and the
same window one token later is what it should have said. Each id then chooses a row of a table.

Source: ordinary practice of training on next tokens; the ranges are those of the lesson that the
tests name (``range(0, len - context, stride)``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.errors import EngineError


class WindowError(EngineError):
    """Windows cannot be cut so."""


class Window(NamedTuple):
    """One example: ``inputs`` begin at place ``start`` of the ids, ``targets`` one place later."""

    start: int
    inputs: tuple[int, ...]
    targets: tuple[int, ...]


def windows(ids: Sequence[int], *, context: int, stride: int) -> list[Window]:
    """All windows of ``context`` ids whose targets are there too, ``stride`` apart.

    Args:
        ids: a text's tokens.
        context: tokens in a window, from 1.
        stride: from the beginning of one window to that of the next, from 1. As long as the
            context, windows do not overlap; shorter, they do; longer, tokens are left out.

    Raises:
        WindowError: if ``context`` or ``stride`` is not positive.
    """
    if context < 1 or stride < 1:
        raise WindowError("A window holds at least one token, and the next begins at least one on.")
    return [
        Window(
            start,
            tuple(ids[start : start + context]),
            tuple(ids[start + 1 : start + context + 1]),
        )
        for start in range(0, len(ids) - context, stride)
    ]


class Split(NamedTuple):
    """Training and test windows, and how many test tokens the training windows hold as well.

    ``shared`` counts places of the ids, targets included, that stand in windows of both parts.
    """

    training: list[Window]
    test: list[Window]
    shared: int


def _places(parts: Sequence[Window]) -> set[int]:
    return {window.start + k for window in parts for k in range(len(window.inputs) + 1)}


def split_before(ids: Sequence[int], share: float, *, context: int, stride: int) -> Split:
    """The right way: the ids are divided first, and each part is cut into windows by itself.

    Args:
        share: how much of the ids is for training, from 0 to 1.
        ids, context, stride: as ``windows``.

    Raises:
        WindowError: as ``windows``, or if ``share`` is not from 0 to 1.
    """
    first_test = _first_test(len(ids), share)
    training = windows(ids[:first_test], context=context, stride=stride)
    test = [
        window._replace(start=window.start + first_test)
        for window in windows(ids[first_test:], context=context, stride=stride)
    ]
    return Split(training, test, len(_places(training) & _places(test)))


def split_after(ids: Sequence[int], share: float, *, context: int, stride: int) -> Split:
    """The wrong way: windows are cut first and then divided, so that both parts share tokens.

    Arguments and errors as ``split_before``.
    """
    cut = windows(ids, context=context, stride=stride)
    first_test = _first_test(len(cut), share)
    training, test = cut[:first_test], cut[first_test:]
    return Split(training, test, len(_places(training) & _places(test)))


def _first_test(count: int, share: float) -> int:
    if not 0 <= share <= 1:
        raise WindowError("The share for training is a number from 0 to 1.")
    return round(count * share)


Vector = tuple[float, ...]


def rows_of(table: Sequence[Sequence[float]], places: Sequence[int]) -> list[Vector]:
    """The rows of an embedding table at ``places``: what looking ids up gives.

    Raises:
        WindowError: if a place is not in the table.
    """
    _check_places(table, places)
    return [tuple(table[place]) for place in places]


def one_hot_product(table: Sequence[Sequence[float]], places: Sequence[int]) -> list[Vector]:
    """The same by multiplying: each place as a row of zeros with a single one, times the table.

    It gives what ``rows_of`` gives, with a multiplication for every number of the table. Errors as
    there.
    """
    _check_places(table, places)
    columns = list(zip(*table, strict=True))
    product = []
    for place in places:
        one_hot = [float(place == row) for row in range(len(table))]
        product.append(
            tuple(sum(a * b for a, b in zip(one_hot, column, strict=True)) for column in columns)
        )
    return product


def _check_places(table: Sequence[Sequence[float]], places: Sequence[int]) -> None:
    for place in places:
        if not 0 <= place < len(table):
            raise WindowError(f"The table has {len(table):,} rows; there is none at {place}.")


def table_size(rows: int, width: int) -> int:
    """How many numbers an embedding table has: a row per id, ``width`` numbers a row."""
    return rows * width
