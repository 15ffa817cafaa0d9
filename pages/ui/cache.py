"""The only caches of the pages, all bounded: tokenizers, and results by their size."""

from __future__ import annotations

import gc
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from hashlib import blake2b
from typing import Any, Final, TypeVar, cast

import streamlit as st

import engine
from pages.reference.answers import NoReference, Reference, ReferenceRefused
from pages.reference.check import reference_for
from pages.ui.file_store import FileStore
from pages.ui.foreign import ForeignReferences

Result = TypeVar("Result")

# Results of texts of all users together. Ten pastes of 1 MB in two tokenizers fit; the server
# stays under a gigabyte with the tokenizers loaded.
RESULT_BYTES: Final = 250_000_000
# Tables read from people's own files, for all users together: ten of usual size.
OWN_TABLE_BYTES: Final = 1_000_000_000
# Their files, compressed: of a hundred users two each.
OWN_FILE_BYTES: Final = 500_000_000
# Processes in which libraries read such files; each takes a few hundred megabytes while in use.
FOREIGN_PROCESSES: Final = 6
# New objects after which the garbage collector looks at the young ones.
COLLECT_AFTER: Final = 50_000


@st.cache_resource(show_spinner=False, max_entries=12)
def tokenizer(name: str) -> engine.Tokenizer:
    """A bundled tokenizer, read once per process and shared by all users: never change it."""
    loaded = engine.load(name)
    # The tables hold 200,000 objects each; frozen, the collector does not walk them again.
    gc.collect()
    gc.freeze()
    # A long text makes a million small objects without a cycle among them: at the usual 700 the
    # collector would run 1,400 times for nothing, a tenth of the time that cutting takes.
    gc.set_threshold(COLLECT_AFTER)
    return loaded


@st.cache_resource(show_spinner=False, max_entries=12)
def reference(name: str) -> Future[Reference | NoReference]:
    """What a library says about a bundled tokenizer, or why none can.

    Made ready once per process, in a thread, since it takes seconds: ask ``done`` first.
    """
    return _builder().submit(_ready, tokenizer(name))


@st.cache_resource(show_spinner=False)
def _builder() -> ThreadPoolExecutor:
    """One at a time: two would take as long, and leave the pages less."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="reference")


def _ready(loaded: engine.Tokenizer) -> Reference | NoReference:
    try:
        library = reference_for(loaded)
        # Some do all their work when they are first asked; what they refuse is said of each text.
        with suppress(ReferenceRefused):
            library.ids("", "text")
    except NoReference as reason:
        return reason
    return library


def fingerprint(text: str) -> bytes:
    """A short key for a text of any length."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class SizedCache:
    """Keeps what was used last, up to a number of bytes. Safe under threads.

    ``dropped`` is told the key of what there is no more room for.
    """

    def __init__(self, most_bytes: int, dropped: Callable[[Hashable], None] | None = None) -> None:
        self._most_bytes = most_bytes
        self._dropped = dropped
        self._bytes = 0
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()

    def found(self, key: Hashable) -> Any:
        """What is kept under ``key``, else None."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def get(self, key: Hashable, make: Callable[[], tuple[Result, int]]) -> Result:
        """What is kept under ``key``, else what ``make`` gives with its size in bytes.

        ``make`` runs outside the lock: two threads may both make the same thing.
        """
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return cast("Result", self._kept[key][0])
        value, size = make()
        gone = []
        with self._lock:
            if key in self._kept:
                self._bytes -= self._kept.pop(key)[1]
            self._kept[key] = (value, size)
            self._bytes += size
            while self._bytes > self._most_bytes and self._kept:
                other, (_, its_size) = self._kept.popitem(last=False)
                self._bytes -= its_size
                gone.append(other)
        for other in gone:
            if self._dropped is not None:
                self._dropped(other)
        return value

    def forget(self, word: str) -> None:
        """Drop all whose key has ``word`` in one of its texts."""
        with self._lock:
            for key in [key for key in self._kept if _mentions(key, word)]:
                self._bytes -= self._kept.pop(key)[1]


def _mentions(key: object, word: str) -> bool:
    if isinstance(key, tuple):
        return any(_mentions(part, word) for part in key)
    return isinstance(key, str) and word in key


@st.cache_resource(show_spinner=False)
def own_tables() -> SizedCache:
    """Tokenizers read from people's own files, by digest: never change them.

    With one go the results of its tokenizer, which would keep it in memory.
    """
    return SizedCache(OWN_TABLE_BYTES, dropped=lambda digest: results().forget(str(digest)))


@st.cache_resource(show_spinner=False)
def file_store() -> FileStore:
    """The files that people brought."""
    return FileStore(OWN_FILE_BYTES)


@st.cache_resource(show_spinner=False)
def foreign_references() -> ForeignReferences:
    """What libraries say about people's own files."""
    return ForeignReferences(FOREIGN_PROCESSES)


@st.cache_resource(show_spinner=False)
def results() -> SizedCache:
    """The cache of results that all users share."""
    return SizedCache(RESULT_BYTES)
