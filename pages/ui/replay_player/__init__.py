"""The stage on which one piece is merged: its tokens, the pairs and their ranks, tree and heap.

>>> from pages.ui.replay_player import Lane, replay_player

One piece goes to the browser once, by one tokenizer or by two side by side; stepping, playing and
scrubbing happen there, without the server. Python hears where the player stands when it pauses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, cast

import streamlit as st

from pages.ui.merge_player import player_style, stepping_script
from pages.ui.merge_player.wishes import Wish, place_of

from .pack import Lane, pack

__all__ = ["Lane", "replay_player"]

MOST_LANES: Final = 2

HERE = Path(__file__).parent
# One module in the browser, several files here: joined in this order, main last.
SCRIPTS: Final = ("played", "heap", "parts", "candidates", "tree", "hood", "lane", "main")


def _script() -> str:
    own = [HERE / "player" / f"{name}.js" for name in SCRIPTS]
    return "\n".join([stepping_script(), *(file.read_text(encoding="utf-8") for file in own)])


_component = st.components.v2.component(
    "tokenarium_replay_player",
    css=player_style() + (HERE / "player.css").read_text(encoding="utf-8"),
    js=_script(),
)


@dataclass(slots=True)
class _Sent:
    """What this session last sent under a key.

    ``session`` is drawn by lot: what a browser tab kept of another session is not taken up.
    """

    step: Wish
    lanes: tuple[Lane, ...] = ()
    session: str = field(default_factory=lambda: token_hex(4))
    settings: dict[str, Any] | None = None
    blob: bytes = b""

    @property
    def version(self) -> str:
        """Names the page's last wish for a step."""
        return f"{self.session}-{self.step.version}"


def _settled(key: str, lanes: tuple[Lane, ...], step: int) -> _Sent:
    """What was sent last, with the page's wish and the browser's place taken in."""
    slot = f"_replay_player:{key}"
    sent: _Sent | None = st.session_state.get(slot)
    if sent is None:
        sent = _Sent(step=Wish(asked=step, sent=step), lanes=lanes)
    place = place_of(key)
    shown = place.get("step") if place.get("version") == sent.version else None
    sent.step.settle(step, shown, fresh=not _same(sent.lanes, lanes))
    st.session_state[slot] = sent
    return sent


def _same(one: Sequence[Lane], other: Sequence[Lane]) -> bool:
    """Whether these are the same lanes: the same objects."""
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def _blob(sent: _Sent, lanes: tuple[Lane, ...], settings: dict[str, Any]) -> bytes:
    """Pack, or take what was packed in the last run when the same things come again."""
    if not sent.blob or settings != sent.settings or not _same(sent.lanes, lanes):
        sent.blob = pack(lanes, settings=settings)
    sent.lanes, sent.settings = lanes, settings
    return sent.blob


def replay_player(
    lanes: Sequence[Lane],
    *,
    key: str,
    step: int = 0,
    hood: bool = False,
    projector: bool = False,
) -> int:
    """Draw one piece on its way, or the same piece by two tokenizers; return the step shown.

    ``step`` is how many merges are made at first; a later change of it moves the player. ``hood``
    shows tables, heap and linked list. Pass the same :class:`Lane` objects again to keep the place
    and to spare the packing.
    """
    if not 1 <= len(lanes) <= MOST_LANES:
        raise ValueError(f"one or {MOST_LANES} lanes can be drawn, not {len(lanes)}")
    frozen = tuple(lanes)
    sent = _settled(key, frozen, step)
    settings = {
        "step": sent.step.sent,
        "version": sent.version,
        "speed": "1",
        "hood": hood,
        "projector": projector,
        "key": key,
    }
    _component(key=key, data=_blob(sent, frozen, settings), on_place_change=lambda: None)
    return min(cast("int", sent.step.now), max(len(lane.played) for lane in lanes))
