"""Turns to work: a class that asks for much at once is served one after the other.

All pages of all users share one interpreter. If forty of them compute together, nobody sees
anything until all are done; in turns the first are done at once, and the others see how many are
before them. What is urgent (the picture) goes before what is not (the charts below it), and of two
as urgent the one that came first.
"""

from __future__ import annotations

import threading
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

LOOK_SECONDS: Final = 0.25


class Urgency(IntEnum):
    """What goes first; the lower, the sooner."""

    DRAWING = 0
    COMPUTING = 1
    EXTRAS = 2


@dataclass(order=True, frozen=True, slots=True)
class _Ticket:
    """A place in the line: by urgency, then by arrival. ``moved`` wakes who holds it."""

    urgency: Urgency
    arrival: int
    moved: threading.Condition = field(compare=False)


class Turns:
    """At most so many at a time; the urgent ones first. Safe under threads."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._line: list[_Ticket] = []
        self._arrivals = count()
        self._lock = threading.Lock()

    @contextmanager
    def turn(
        self, waiting: Callable[[int], object], urgency: Urgency = Urgency.COMPUTING
    ) -> Iterator[None]:
        """Wait for a turn and hold it.

        Args:
            waiting: called a few times a second until it comes, with the number of those in the
                line before this one; what it raises ends the waiting.
            urgency: those that wait for something more urgent go first.
        """
        with self._lock:
            ticket = _Ticket(urgency, next(self._arrivals), threading.Condition(self._lock))
            insort(self._line, ticket)
        try:
            while not self._take(ticket):
                waiting(self._before(ticket))
        finally:
            with self._lock:
                self._line.remove(ticket)
                self._wake_first()
        try:
            yield
        finally:
            with self._lock:
                self._free += 1
                self._wake_first()

    def _take(self, ticket: _Ticket) -> bool:
        """Whether the turn came within a moment."""
        with self._lock:
            came = ticket.moved.wait_for(
                lambda: self._free > 0 and self._line[0] is ticket, LOOK_SECONDS
            )
            self._free -= came
            return came

    def _wake_first(self) -> None:
        """Only the first: to wake forty for one turn would cost as much as the turn."""
        if self._line:
            self._line[0].moved.notify()

    def _before(self, ticket: _Ticket) -> int:
        """How many stand before this one."""
        with self._lock:
            return bisect_left(self._line, ticket)


def in_line(before: int) -> str:
    """How many are in the line before somebody, in words.

    >>> in_line(0), in_line(1), in_line(12)
    ('You are next.', '1 is before you.', '12 are before you.')
    """
    if not before:
        return "You are next."
    return f"{before} {'is' if before == 1 else 'are'} before you."


def said_in(bar: DeltaGenerator, words: str) -> Callable[[int], object]:
    """A ``waiting`` that says in a progress bar how many are before somebody."""
    return lambda before: bar.progress(0.0, f"{words} {in_line(before)}")
