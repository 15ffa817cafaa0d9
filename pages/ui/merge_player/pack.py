"""The binary form in which training runs travel to the browser: a block as in ``packing``.

Of tokens only the base units are sent: the browser joins the others from their parents.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from typing import Any, Final

from pages.ui.packing import Sections, block, u32

__all__ = ["PlayerRun", "pack"]

MARK: Final = b"TKP1"
NO_UNIT: Final = 0xFFFF_FFFF  # in a text to try: a unit that training never met
MOST_NAMES: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRun:
    """One training, as the stage needs it.

    ``words`` are all distinct pieces as base ids with their frequency, in order of first
    appearance; the browser counts pairs over all of them. ``lefts``, ``rights``, ``new_ids``,
    ``pair_counts``, ``merged``, ``tied`` and ``tokens_left`` have one entry a merge, as in
    ``engine.MergeStep``; a ``tied`` of 0 means that it is not known. ``ties`` is the rule for
    equal counts and ``stopped`` the reason why training ended, both in words.
    ``try_pieces`` are the pieces of a text to cut at the current step, as base ids; -1 stands
    for a unit that the base does not have.
    """

    title: str
    words: Sequence[tuple[tuple[int, ...], int]]
    token_bytes: Sequence[bytes]
    lefts: Sequence[int]
    rights: Sequence[int]
    new_ids: Sequence[int]
    pair_counts: Sequence[int]
    merged: Sequence[int]
    tied: Sequence[int]
    tokens_left: Sequence[int]
    base_size: int
    tokens_at_start: int
    bytes_total: int
    ties: str
    stopped: str
    try_pieces: Sequence[Sequence[int]] = ()

    def __post_init__(self) -> None:
        sizes = {name: len(getattr(self, name)) for name in COLUMNS}
        if len(set(sizes.values())) != 1:
            raise ValueError(f"{self.title}: each column needs one entry a merge, not {sizes}")
        if len(self.token_bytes) < self.base_size:
            raise ValueError(
                f"{self.title}: {len(self.token_bytes)} tokens for a base of {self.base_size}"
            )


COLUMNS: Final = ("lefts", "rights", "new_ids", "pair_counts", "merged", "tied", "tokens_left")


def _pieces(pieces: Sequence[Sequence[int]], sections: Sections) -> dict[str, Any]:
    """Pieces as units one after the other; one byte a unit where all ids are small."""
    units = list(chain.from_iterable(pieces))
    narrow = not units or (min(units) >= 0 and max(units) < 256)
    packed = bytes(units) if narrow else u32(NO_UNIT if u < 0 else u for u in units)
    return {
        "units": sections.add(packed),
        "width": 1 if narrow else 4,
        "lengths": sections.add(u32(map(len, pieces))),
    }


def _run_header(run: PlayerRun, sections: Sections) -> dict[str, Any]:
    base = run.token_bytes[: run.base_size]
    words = [word for word, _ in run.words]
    return {
        "title": run.title,
        "words": _pieces(words, sections),
        "frequencies": sections.add(u32(frequency for _, frequency in run.words)),
        "baseBytes": sections.add(b"".join(base)),
        "baseLengths": sections.add(u32(map(len, base))),
        "columns": {name: sections.add(u32(getattr(run, name))) for name in COLUMNS},
        "tokensAtStart": run.tokens_at_start,
        "bytesTotal": run.bytes_total,
        "ties": run.ties,
        "stopped": run.stopped,
    }


def _unseen_names(runs: Sequence[PlayerRun]) -> dict[str, str]:
    """Names of the code points that draw nothing by themselves, by lower-case hex.

    They are looked for in the corpus, since a token of bytes may be a part of a character.
    """
    seen: set[str] = set()
    for run in runs:
        base = run.token_bytes
        for word, _ in run.words:
            text = b"".join([base[unit] for unit in word]).decode(errors="ignore")
            if not text.isprintable() or not text.isascii():
                seen.update(text)
    unseen = sorted(char for char in seen if unicodedata.category(char)[0] in "CZ")
    named = ((char, unicodedata.name(char, "")) for char in unseen)
    return {f"{ord(char):x}": name for char, name in named if name and char != " "}


def pack(runs: Sequence[PlayerRun], *, settings: Mapping[str, Any] | None = None) -> bytes:
    """The runs and the player's settings as one block of bytes.

    Equal input gives equal bytes. The header's ``serial`` names the runs and ``tried`` the
    texts to try, so that the browser sees what of it is new: a switch of the page must not
    build the stage again.
    """
    sections = Sections()
    headers = [_run_header(run, sections) for run in runs]
    names = dict(list(_unseen_names(runs).items())[:MOST_NAMES])
    digest = blake2b(sections.joined(), digest_size=8)
    digest.update(json.dumps([headers, names]).encode())
    tried = [[list(piece) for piece in run.try_pieces] for run in runs]
    for header, run in zip(headers, runs, strict=True):
        header["tried"] = _pieces(run.try_pieces, sections)
    header = {
        **(settings or {}),
        "runs": headers,
        "names": names,
        "serial": digest.hexdigest(),
        "tried": blake2b(json.dumps(tried).encode(), digest_size=8).hexdigest(),
    }
    return block(MARK, header, sections.joined())
