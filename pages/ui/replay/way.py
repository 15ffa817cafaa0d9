"""The ways of texts through tokenizers, kept between runs, and what is drawn of them."""

from __future__ import annotations

from dataclasses import dataclass

import engine
from engine.replay_merges import WorkPoint
from engine.special_tokens import SpecialPolicy
from pages.ui.cache import fingerprint, results
from pages.ui.replay_player import Lane
from pages.ui.tokenizers import title, tokenizer

# Memory of one entry of the heap in its columns, and of a piece that was walked over.
_ENTRY_BYTES = 40
_PIECE_BYTES = 300


def replayed(name: str, text: str, special: SpecialPolicy) -> engine.Replay:
    """The way of ``text`` through the tokenizer ``name``. Raises as ``engine.replay``."""

    def make() -> tuple[engine.Replay, int]:
        made = engine.replay(tokenizer(name), text, special=special)
        return made, len(text) * _PIECE_BYTES // 4 + 10_000

    return results().get(("replay", name, special, fingerprint(text)), make)


def lane(name: str, way: engine.Replay, place: int) -> Lane | None:
    """The piece at ``place`` as the player draws it; None for what is not merged.

    The same object for the same piece of a tokenizer, so that it is not sent again.
    """
    piece = way.piece(place)
    if piece is None or not way.is_merged(piece):
        return None

    def make() -> tuple[Lane, int]:
        played = engine.PieceReplay(way.rules, piece.text)
        made = Lane(
            title=title(name),
            played=played,
            shown=piece.shown,
            token_bytes=_token_bytes(way.tokenizer, played),
            tables=way.rules.tables,
            of_bytes=way.tokenizer.unit == "bytes",
        )
        return made, _ENTRY_BYTES * (len(played.entries) + len(played.units)) + 5_000

    return results().get(("replay lane", name, piece.text), make)


def _token_bytes(own: engine.Tokenizer, played: engine.PieceReplay) -> dict[int, bytes]:
    """The bytes of every id that occurs on the way, those of losers too."""
    ids = {unit.id for unit in played.units} | set(played.entries.new_ids)
    if played.whole is not None:
        ids.add(played.whole)
    return {i: own.bytes_of(i) or b"" for i in sorted(i for i in ids if i is not None)}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The piece that is shown, of one tokenizer: where it is, and its merges if it has any."""

    name: str
    way: engine.Replay
    place: int
    lane: Lane | None

    @property
    def piece(self) -> engine.ReplayedPiece | None:
        """The piece itself; None if the text is empty."""
        return self.way.piece(self.place)


def work_curve(chosen: Chosen) -> list[WorkPoint]:
    """The work on the chosen piece as it grows."""
    piece = chosen.piece
    if piece is None or chosen.lane is None:
        return []

    def make() -> tuple[list[WorkPoint], int]:
        points = engine.work_curve(chosen.way.rules, piece.text)
        return points, 300 * len(points)

    return results().get(("work", chosen.name, piece.text), make)
