"""References for people's own files: made ready in a thread, the ones used last kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from pages.reference.answers import NoReference, Reference

Ready = Future[Reference | NoReference]


class ForeignReferences:
    """References by key, made one at a time. Safe under threads.

    What is being made is never dropped: whoever waits asks again and again, and must not start it
    anew each time.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._pending: dict[str, Ready] = {}
        self._ready: OrderedDict[str, Ready] = OrderedDict()
        # Entered again where the making is done before its end is asked for.
        self._lock = threading.RLock()
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="foreign")

    def get(self, key: str, make: Callable[[], Reference | NoReference]) -> Ready:
        """What ``make`` gives, in a moment: ask ``done`` first."""
        with self._lock:
            if key in self._ready:
                self._ready.move_to_end(key)
                return self._ready[key]
            if key not in self._pending:
                self._pending[key] = future = self._executor.submit(make)
                future.add_done_callback(lambda made: self._finish(key, made))
                return future
            return self._pending[key]

    def _finish(self, key: str, made: Ready) -> None:
        with self._lock:
            self._pending.pop(key, None)
            self._ready[key] = made
            while len(self._ready) > self._most:
                self._ready.popitem(last=False)
