"""What the ids of a tokenizer stand for."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

_CONTINUATION = bytes(range(0x80, 0xC0))


class Merge(NamedTuple):
    """One merge: two tokens (as bytes) become one; lower ranks go first."""

    rank: int
    left: bytes
    right: bytes


class Vocabulary:
    """Ids and their bytes. Ids may have gaps. Not changed after it was made.

    In a tokenizer whose unit is the character the bytes are those that a token stands for in the
    text (``▁`` is a blank, ``<0xE1>`` is the byte E1), so two ids may share them.
    """

    def __init__(self, token_bytes: Mapping[int, bytes]) -> None:
        self.bytes_of: Mapping[int, bytes] = token_bytes

    def __len__(self) -> int:
        return len(self.bytes_of)

    def __contains__(self, token_id: object) -> bool:
        return token_id in self.bytes_of

    @cached_property
    def id_of(self) -> Mapping[bytes, int]:
        """The id of a byte string; of several ids with the same bytes the smallest."""
        return {data: token_id for token_id, data in sorted(self.bytes_of.items(), reverse=True)}

    @cached_property
    def length_of(self) -> Mapping[int, int]:
        """The number of bytes of each id."""
        return dict(zip(self.bytes_of, map(len, self.bytes_of.values()), strict=True))

    @cached_property
    def begun_of(self) -> Mapping[int, int]:
        """The number of code points that begin in each id (its bytes less continuation bytes)."""
        return {
            token_id: len(data.translate(None, _CONTINUATION))
            for token_id, data in self.bytes_of.items()
        }

    @cached_property
    def continues(self) -> frozenset[int]:
        """The ids whose first byte continues a character begun in the token before."""
        return frozenset(i for i, data in self.bytes_of.items() if data and 0x80 <= data[0] < 0xC0)

    @cached_property
    def ids(self) -> array[int]:
        """All ids in order."""
        return array("L", sorted(self.bytes_of))
