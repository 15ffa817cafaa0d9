"""Doing without Python's cyclic collector while much is made that has no cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Without the cyclic collector, which would walk all that was made again and again.

    What has no cycles is freed all the same. The switch is that of the process: where two threads
    are in here, it is on again as soon as the first has gone.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
