"""The byte-level alphabet: one visible stand-in character for each of the 256 bytes.

Printable Latin-1 characters stand for themselves, the other 68 bytes for U+0100 and up, in order,
so that a blank is written Ġ. Source of the rule: GPT-2's ``bytes_to_unicode``.
"""

from __future__ import annotations

_PRINTABLE = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
_HIDDEN = tuple(byte for byte in range(256) if byte not in _PRINTABLE)

STANDIN_OF_BYTE: dict[int, str] = {
    **{byte: chr(byte) for byte in _PRINTABLE},
    **{byte: chr(0x100 + place) for place, byte in enumerate(_HIDDEN)},
}
BYTE_OF_STANDIN: dict[str, int] = {sign: byte for byte, sign in STANDIN_OF_BYTE.items()}

# The order in which Hugging Face trainers number the bytes: that of their stand-ins.
BYTES_IN_STANDIN_ORDER = bytes(BYTE_OF_STANDIN[sign] for sign in sorted(BYTE_OF_STANDIN))

_TO_STANDINS = {byte: sign for byte, sign in STANDIN_OF_BYTE.items() if chr(byte) != sign}


def to_standins(data: bytes) -> str:
    """``data`` written in stand-in characters, one per byte."""
    return data.decode("latin-1").translate(_TO_STANDINS)


def from_standins(text: str) -> bytes | None:
    """The bytes that ``text`` stands for, or None if a character is no stand-in."""
    try:
        return bytes(BYTE_OF_STANDIN[character] for character in text)
    except KeyError:
        return None
