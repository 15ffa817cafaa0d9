"""Files that people brought, held once however many sessions have them, and up to a bound."""

from __future__ import annotations

import threading
import zlib
from weakref import WeakValueDictionary

from engine.errors import TooLong


class StoredFile:
    """A file, compressed. It lives as long as a session holds it."""

    __slots__ = ("__weakref__", "_packed", "size")

    def __init__(self, data: bytes) -> None:
        self.size = len(data)
        # The lowest level: a published file becomes a fifth, in a quarter of a second.
        self._packed = zlib.compress(data, 1)

    @property
    def held(self) -> int:
        """The bytes that it takes up."""
        return len(self._packed)

    def data(self) -> bytes:
        """The bytes of the file."""
        return zlib.decompress(self._packed)


class FileStore:
    """The files of all sessions, by digest. Safe under threads."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._files: WeakValueDictionary[str, StoredFile] = WeakValueDictionary()
        self._lock = threading.Lock()

    def put(self, digest: str, data: bytes) -> StoredFile:
        """The stored file of that digest.

        Raises:
            TooLong: if the server holds as much as it may.
        """
        with self._lock:
            known = self._files.get(digest)
        if known is not None:
            return known
        made = StoredFile(data)
        with self._lock:
            held = sum(file.held for file in self._files.values())
            if held + made.held > self._most_bytes:
                raise TooLong(
                    "This server holds as many files of its users as it may; remove one of "
                    "yours, or try again when others have left."
                )
            return self._files.setdefault(digest, made)
