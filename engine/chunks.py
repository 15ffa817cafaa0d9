"""A memory of long stretches of text, so that a long text met again costs next to nothing.

A text is cut before a single blank that stands between a visible character and an ASCII letter. In
every published pattern a piece begins there, and nothing before it looks ahead so far: what stands
on the two sides is split and merged independently.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain

from engine.limits import CHUNK_CHARACTERS, CHUNKS_KEPT
from engine.unicode_classes import WHITE_SPACE

_BLANKS = "".join(f"{chr(first)}-{chr(last)}" for first, last in WHITE_SPACE)
# The blank comes first, so that it is looked for and nothing else is tried.
_CUT = re.compile(f" (?<=[^{_BLANKS}] )(?=[A-Za-z])")


def chunks(text: str) -> Iterator[str]:
    """``text`` in stretches of about ``CHUNK_CHARACTERS`` code points that join to it."""
    start = 0
    while found := _CUT.search(text, start + CHUNK_CHARACTERS):
        yield text[start : found.start()]
        start = found.start()
    yield text[start:]


class ChunkMemory:
    """The ids of stretches seen before. Safe under threads: it is replaced when it is full."""

    def __init__(self) -> None:
        self._known: dict[str, list[int]] = {}

    def ids(self, text: str, encode: Callable[[str], list[int]]) -> list[int]:
        """The ids of ``text``; ``encode`` gives those of a stretch not seen before."""
        if len(text) < 2 * CHUNK_CHARACTERS:
            return encode(text)
        return list(chain.from_iterable(self._of(chunk, encode) for chunk in chunks(text)))

    def _of(self, chunk: str, encode: Callable[[str], list[int]]) -> list[int]:
        known = self._known
        ids = known.get(chunk)
        if ids is None:
            ids = encode(chunk)
            # A stretch without a place to cut may be as long as the text; it is not kept.
            if len(chunk) < 2 * CHUNK_CHARACTERS:
                if len(known) >= CHUNKS_KEPT:
                    self._known = known = {}
                known[chunk] = ids
        return ids

    def forget(self) -> None:
        """Empty the memory."""
        self._known = {}
