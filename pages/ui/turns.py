"""Turns to work: a class that asks for much at once is served one after the other.

All pages of all users share one interpreter. If forty of them compute together, nobody sees
anything until all are done; in turns the first are done at once, and the others see that they
wait. What is urgent (the picture) goes before what is not (the charts below it).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

LOOK_SECONDS: Final = 0.25


class Turns:
    """At most so many at a time; the urgent ones first. Safe under threads."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._urgent_waiting = 0
        self._changed = threading.Condition()

    @contextmanager
    def turn(self, waiting: Callable[[], object], *, urgent: bool) -> Iterator[None]:
        """Wait for a turn and hold it.

        Args:
            waiting: called a few times a second until it comes; what it raises ends the waiting.
            urgent: whether to go before those that are not.
        """
        self._note(urgent)
        try:
            while not self._take(urgent=urgent):
                waiting()
        finally:
            self._note(-urgent)
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._changed.notify_all()

    def _note(self, urgent: int) -> None:
        """So many more urgent ones wait."""
        with self._changed:
            self._urgent_waiting += urgent
            self._changed.notify_all()

    def _take(self, *, urgent: bool) -> bool:
        """Whether a turn came within a moment."""
        with self._changed:
            came = self._changed.wait_for(
                lambda: self._free > 0 and (urgent or not self._urgent_waiting), LOOK_SECONDS
            )
            self._free -= came
            return came
