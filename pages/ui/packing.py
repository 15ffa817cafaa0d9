"""The binary block in which what a component draws travels to the browser.

One ``bytes`` value, because that is what Streamlit hands over without a copy through JSON: a 1 MB
text with 300,000 tokens is about 3 MB here and would be 12 MB as lists.

Layout, all integers little-endian::

    mark (4 bytes)  header length (u32)  header (JSON, UTF-8)  padding to 4  sections

The header names each section as ``[offset, byte length]`` counted from the start of the sections;
each starts at a multiple of four, so that the browser can lay typed arrays over it without copying.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterable, Mapping
from typing import Any


def u32(values: Iterable[int]) -> bytes:
    """The values as little-endian u32."""
    numbers = array("I", values)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


class Sections:
    """Collects sections and remembers where each one lies."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0

    def add(self, data: bytes) -> list[int]:
        """Put a section at the end; returns its offset and length, as a header names it."""
        place = [self._length, len(data)]
        padding = -len(data) % 4
        self._parts += (data, b"\0" * padding)
        self._length += len(data) + padding
        return place

    def joined(self) -> bytes:
        """All sections so far, each at its offset."""
        return b"".join(self._parts)


def block(mark: bytes, header: Mapping[str, Any], body: bytes) -> bytes:
    """The whole: ``mark`` says the kind, ``body`` is what ``Sections.joined`` gave.

    Raises:
        ValueError: for a number that JSON does not have.
    """
    encoded = json.dumps(header, allow_nan=False).encode()
    encoded += b" " * (-len(encoded) % 4)
    return b"".join((mark, len(encoded).to_bytes(4, "little"), encoded, body))
