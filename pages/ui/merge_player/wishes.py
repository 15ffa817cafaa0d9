"""Where a player stands: what the page asks for, what the browser reports, and who is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import streamlit as st

__all__ = ["SPEEDS", "Speed", "Wish", "place_of"]

Speed = Literal["0.5", "1", "2", "4", "8", "max"]
SPEEDS: Final[tuple[Speed, ...]] = ("0.5", "1", "2", "4", "8", "max")


@dataclass(slots=True)
class Wish:
    """A value that the page asks for and the person can change in the browser.

    The page passes back what the browser reported. Sending such an echo would change the
    data and send all of it again, so what was sent stays until the page asks for something
    that is neither its last wish nor the browser's. ``version`` tells the browser that the
    page has asked anew, and us which reports are older than that.
    """

    asked: int | str
    sent: int | str
    shown: int | str | None = None
    version: int = 0

    def settle(self, asked: int | str, shown: int | str | None, *, fresh: bool) -> None:
        """Take in this run's wish and what the browser shows, None while it has not said."""
        if fresh or asked not in (self.asked, self.shown, shown):  # an echo may be a run late
            self.sent, self.shown, self.version = asked, None, self.version + 1
        elif shown is not None:
            self.shown = shown
        self.asked = asked

    @property
    def now(self) -> int | str:
        """What the browser shows, as far as is known."""
        return self.sent if self.shown is None else self.shown


def place_of(key: str, speeds: Sequence[str] = SPEEDS) -> dict[str, Any]:
    """What the browser reported of a player, of good types; empty while it has said nothing."""
    state = st.session_state.get(key)
    place: Any = None if state is None else state.get("place")
    try:
        step, speed = int(place["step"]), str(place["speed"])
        playing, version = place["playing"] is True, str(place["version"])
    except (KeyError, TypeError, ValueError):
        return {}
    if step < 0 or speed not in speeds:
        return {}
    return {"step": step, "playing": playing, "speed": speed, "version": version}
