"""The binary form in which a stream travels to the browser: a block as in ``packing``.

Every state of every way is sent as what it adds; the browser puts the texts together.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from engine.streaming import Moment
from pages.ui.packing import Sections, block, u32
from pages.ui.token_view.pack import code_point_names

__all__ = ["PlayedStream", "PlayedWay", "pack"]

MARK: Final = b"TKS1"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedWay:
    """One way of turning the tokens into text.

    ``name`` is that of ``engine.streaming.WAYS``; ``title``, ``short`` and ``about`` are for the
    reader. ``moments`` has one entry a token and one for the end, ``wrong`` as many tuples.
    """

    name: str
    title: str
    short: str
    about: str
    moments: Sequence[Moment]
    wrong: Sequence[tuple[bool, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedStream:
    """A text's tokens and what each way makes of them.

    ``characters`` is how many the tokens make; ``languages`` are titles with the characters that a
    token makes there on average.
    """

    ids: Sequence[int]
    tokens: Sequence[bytes]
    ways: tuple[PlayedWay, ...]
    characters: int
    languages: tuple[tuple[str, float], ...]


def _way_header(way: PlayedWay, sections: Sections) -> dict[str, Any]:
    shown = [moment.shown.encode() for moment in way.moments]
    return {
        "name": way.name,
        "title": way.title,
        "short": way.short,
        "about": way.about,
        "shown": sections.add(b"".join(shown)),
        "lengths": sections.add(u32(map(len, shown))),
        "pending": sections.add(u32(len(moment.pending) for moment in way.moments)),
        "work": sections.add(u32(moment.work for moment in way.moments)),
        "calls": sections.add(u32(moment.calls for moment in way.moments)),
        "wrong": sections.add(bytes(sign for signs in way.wrong for sign in signs)),
    }


def pack(stream: PlayedStream, *, settings: Mapping[str, Any] | None = None) -> bytes:
    """The stream and the player's settings as one block of bytes.

    Equal input gives equal bytes; ``serial`` in the header names the stream, so that the browser
    sees whether it is new.
    """
    sections = Sections()
    header: dict[str, Any] = {
        "ids": sections.add(u32(stream.ids)),
        "bytes": sections.add(b"".join(stream.tokens)),
        "lengths": sections.add(u32(map(len, stream.tokens))),
        "ways": [_way_header(way, sections) for way in stream.ways],
        "names": code_point_names([b"".join(stream.tokens).decode(errors="ignore")]),
        "characters": stream.characters,
        "tokens": len(stream.ids),
        "languages": [{"title": title, "perToken": each} for title, each in stream.languages],
    }
    body = sections.joined()
    digest = blake2b(body, digest_size=8)
    digest.update(json.dumps(header).encode())
    return block(MARK, {**(settings or {}), **header, "serial": digest.hexdigest()}, body)
