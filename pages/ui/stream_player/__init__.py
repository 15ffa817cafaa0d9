"""The stage on which tokens arrive one by one: four ways to turn them into text, in step.

>>> from pages.ui.stream_player import PlayedStream, stream_player

A stream goes to the browser once; playing, stepping and scrubbing happen there, without the
server. Python hears where the player stands when it pauses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, NamedTuple, cast

import streamlit as st

from pages.ui.merge_player import player_style, stepping_script
from pages.ui.merge_player.wishes import Wish, place_of

from .pack import PlayedStream, PlayedWay, pack

__all__ = ["RATES", "PlayedStream", "PlayedWay", "StreamPlace", "stream_player"]

RATES: Final = ("1", "2", "5", "10", "20", "50", "100", "200")
"""Tokens per second, as main.js has them."""

HERE = Path(__file__).parent
# One module in the browser, several files here: joined in this order, main last.
SCRIPTS: Final = ("beat", "streamed", "text", "way", "score", "arriving", "speeds", "main")


def _script() -> str:
    own = [HERE / "player" / f"{name}.js" for name in SCRIPTS]
    return "\n".join([stepping_script(), *(file.read_text(encoding="utf-8") for file in own)])


_component = st.components.v2.component(
    "tokenarium_stream_player",
    css=player_style() + (HERE / "player.css").read_text(encoding="utf-8"),
    js=_script(),
)


class StreamPlace(NamedTuple):
    """Where the player stands: tokens that have come, and tokens per second."""

    step: int
    rate: str


@dataclass(slots=True)
class _Sent:
    """What this session last sent under a key.

    ``session`` is drawn by lot: what a browser tab kept of another session is not taken up.
    """

    step: Wish
    rate: Wish
    stream: PlayedStream
    session: str = field(default_factory=lambda: token_hex(4))
    settings: dict[str, Any] | None = None
    blob: bytes = b""

    @property
    def version(self) -> str:
        """Names the page's last wish for a step."""
        return f"{self.session}-{self.step.version}"


def _settled(key: str, stream: PlayedStream, step: int, rate: str) -> _Sent:
    """What was sent last, with the page's wishes and the browser's place taken in."""
    slot = f"_stream_player:{key}"
    place = place_of(key, RATES)
    sent: _Sent | None = st.session_state.get(slot)
    if sent is None:
        sent = _Sent(
            step=Wish(asked=step, sent=step), rate=Wish(asked=rate, sent=rate), stream=stream
        )
    shown = place.get("step") if place.get("version") == sent.version else None
    sent.step.settle(step, shown, fresh=sent.stream is not stream)
    sent.rate.settle(rate, place.get("speed"), fresh=False)
    st.session_state[slot] = sent
    return sent


def _blob(sent: _Sent, stream: PlayedStream, settings: dict[str, Any]) -> bytes:
    """Pack, or take what was packed in the last run when the same things come again."""
    if not sent.blob or settings != sent.settings or sent.stream is not stream:
        sent.blob = pack(stream, settings=settings)
    sent.stream, sent.settings = stream, settings
    return sent.blob


def stream_player(
    stream: PlayedStream, *, key: str, step: int = 0, rate: str = "5", projector: bool = False
) -> StreamPlace:
    """Draw a stream as it comes; return where the player stands.

    ``step`` is how many tokens have come at first, one more than there are for the end; a later
    change of it moves the player. Pass the same :class:`PlayedStream` object again to keep the
    place and to spare the packing.

    Raises:
        ValueError: if ``rate`` is none of ``RATES``.
    """
    if rate not in RATES:
        raise ValueError(f"a rate is one of {', '.join(RATES)}, not {rate!r}")
    sent = _settled(key, stream, step, rate)
    settings = {
        "step": sent.step.sent,
        "version": sent.version,
        "speed": sent.rate.sent,
        "speedVersion": sent.rate.version,
        "projector": projector,
        "key": key,
    }
    _component(key=key, data=_blob(sent, stream, settings), on_place_change=lambda: None)
    last = len(stream.ids) + 1
    return StreamPlace(min(cast("int", sent.step.now), last), cast("str", sent.rate.now))
