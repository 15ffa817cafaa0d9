"""The binary form in which replays travel to the browser: a block as in ``packing``.

Merges and heap entries go as the engine keeps them, in columns; the browser rebuilds every state.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

import engine
from pages.ui.packing import Sections, block, u32
from pages.ui.token_view.pack import code_point_names

__all__ = ["Lane", "pack"]

MARK: Final = b"TKR1"
NO_ID: Final = 0xFFFF_FFFF
COLUMNS: Final = ("ranks", "positions", "new_ids", "born", "died", "removed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """The merges of one piece by one tokenizer, as the player needs them.

    ``played`` is drawn with the bytes in ``token_bytes``, which has every id that occurs; ``shown``
    are the bytes of the piece. ``tables`` says what is asked for a pair: ``"ranks"`` the joined
    bytes, ``"pairs"`` the merge list. ``of_bytes`` says that the units are bytes.
    """

    title: str
    played: engine.PieceReplay
    shown: bytes
    token_bytes: Mapping[int, bytes]
    tables: str
    of_bytes: bool


def _lane_header(lane: Lane, sections: Sections) -> dict[str, Any]:
    played, units = lane.played, lane.played.units
    entries = played.entries
    ids = list(lane.token_bytes)
    return {
        "title": lane.title,
        "tables": lane.tables,
        "ofBytes": lane.of_bytes,
        "shown": sections.add(lane.shown),
        "unitIds": sections.add(u32(NO_ID if unit.id is None else unit.id for unit in units)),
        "unitStarts": sections.add(u32(unit.start for unit in units)),
        "unitEnds": sections.add(u32(unit.end for unit in units)),
        "entries": {name: sections.add(u32(getattr(entries, name))) for name in COLUMNS},
        "winners": sections.add(u32(played.winners)),
        "tokenIds": sections.add(u32(ids)),
        "tokenLengths": sections.add(u32(len(lane.token_bytes[i]) for i in ids)),
        "tokenBytes": sections.add(b"".join(lane.token_bytes[i] for i in ids)),
        "whole": None if played.merges_count else played.whole,
    }


def pack(lanes: Sequence[Lane], *, settings: Mapping[str, Any] | None = None) -> bytes:
    """The lanes and the player's settings as one block of bytes.

    Equal input gives equal bytes; ``serial`` in the header names the lanes, so that the browser
    sees whether they are new.
    """
    sections = Sections()
    headers = [_lane_header(lane, sections) for lane in lanes]
    texts = [data.decode(errors="ignore") for lane in lanes for data in lane.token_bytes.values()]
    names = code_point_names(texts)
    body = sections.joined()
    digest = blake2b(body, digest_size=8)
    digest.update(json.dumps([headers, names]).encode())
    header = {**(settings or {}), "lanes": headers, "names": names, "serial": digest.hexdigest()}
    return block(MARK, header, body)
