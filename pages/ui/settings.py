"""What a person can set, how it is written in a permalink, and what a link may say.

A setting knows its word in the address, its default, and how to read and write it. Reading refuses
what it does not understand with one sentence; the default stands then.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import engine
from pages.ui.own_names import own_of
from pages.ui.trained_names import recipe_of

Value = TypeVar("Value")

# Longer addresses are cut by chat programs and refused by some servers.
LINK_TEXT_CHARACTERS: Final = 2_000
MOST_TOKENIZERS: Final = 4
_MOST_DIGITS: Final = 20


class LinkError(ValueError):
    """A part of a link cannot be read; the message is a sentence for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(Generic[Value]):
    """One thing a person can set.

    ``word`` stands in the address; ``read`` raises ``LinkError`` for what is no value; ``write``
    gives None for one that is too long for an address.
    """

    word: str
    default: Value
    read: Callable[[str], Value]
    write: Callable[[Value], str | None] = str


def choice(word: str, options: Sequence[str], *, default: str | None = None) -> Setting[str]:
    """One of a few words; the first is the default if none is named."""

    def read(text: str) -> str:
        if text not in options:
            raise LinkError(
                f"The link asks for {word}={shortened(text)!r}; there is {', '.join(options)}."
            )
        return text

    return Setting(word=word, default=default or options[0], read=read)


def switch(word: str) -> Setting[bool]:
    """On (1) or off (0)."""

    def read(text: str) -> bool:
        if text not in ("0", "1"):
            raise LinkError(f"The link asks for {word}={shortened(text)!r}; there is 0 and 1.")
        return text == "1"

    return Setting(word=word, default=False, read=read, write=lambda on: str(int(on)))


def whole_number(word: str, default: int, *, least: int = 0, most: int) -> Setting[int]:
    """A whole number from ``least`` to ``most``; the default may be another, for none chosen."""

    def read(text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
            number = int(text)
            if least <= number <= most:
                return number
        raise LinkError(
            f"The link asks for {word}={shortened(text)!r}; there is {least:,} to {most:,}."
        )

    return Setting(word=word, default=default, read=read)


def free_text(word: str, *, longest: int = 500) -> Setting[str]:
    """A short text as it stands; longer ones are refused."""

    def read(text: str) -> str:
        if len(text) > longest:
            raise LinkError(f"{word} in the link is longer than {longest} characters.")
        return text

    return Setting(word=word, default="", read=read)


def shortened(text: str, length: int = 40) -> str:
    """``text``, cut with an ellipsis if it is longer than ``length`` code points."""
    return text if len(text) <= length else text[: length - 1] + "…"


def tokenizer_name(word: str) -> Setting[str]:
    """The name of one tokenizer, or none; those of somebody's own are long."""

    def read(text: str) -> str:
        if text:
            _refuse_unknown(text)
        return text

    return Setting(word=word, default="", read=read)


def _refuse_unknown(name: str) -> None:
    if name not in engine.names() and not recipe_of(name) and not own_of(name):
        raise LinkError(
            f"The link asks for the tokenizer {shortened(name)!r}, which is not here; "
            f"there are {', '.join(engine.names())}."
        )


def _read_tokenizers(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name for name in text.split(",") if name))
    for name in names:
        _refuse_unknown(name)
    if not names or len(names) > MOST_TOKENIZERS:
        raise LinkError(f"The link has {len(names)} tokenizers; 1 to {MOST_TOKENIZERS} are shown.")
    return names


TOKENIZERS: Final[Setting[tuple[str, ...]]] = Setting(
    word="t",
    default=("cl100k_base", "o200k_base"),
    read=_read_tokenizers,
    write=",".join,
)
PROJECTOR: Final = choice("projector", ("off", "light", "dark"))


def pack_text(text: str) -> str | None:
    """``text`` compressed for an address, or None if it is too long for one."""
    if len(text) > LINK_TEXT_CHARACTERS * 20:
        return None
    packed = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    return packed if len(packed) <= LINK_TEXT_CHARACTERS else None


def unpack_text(packed: str) -> str:
    """What ``pack_text`` packed.

    Raises:
        LinkError: if it is damaged, or larger than a link may hold once unpacked.
    """
    damaged = LinkError("The text in the link is damaged, so a sample is shown instead.")
    if len(packed) > LINK_TEXT_CHARACTERS:
        raise damaged
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        reader = zlib.decompressobj()
        unpacked = reader.decompress(data, engine.limits.LINK_BYTES)
        if reader.unconsumed_tail or not reader.eof:
            raise damaged
        return unpacked.decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError, ValueError):
        raise damaged from None


AnySetting = Setting[Any]
