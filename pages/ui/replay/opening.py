"""From a token on another page to its piece on the Replay page."""

from __future__ import annotations

from engine.special_tokens import SpecialPolicy
from pages.ui import state
from pages.ui.replay import settings
from pages.ui.replay.way import replayed
from pages.ui.tokens.settings import OF

PAGE = "pages/replay.py"


def open_token(name: str, text: str, special: SpecialPolicy, token: int) -> None:
    """Set the Replay page to the piece that a token of ``text`` belongs to; ``token`` from 0."""
    place = replayed(name, text, special).place_of_token(token)
    state.put(OF, name)
    state.put(settings.PIECE, settings.AUTOMATIC if place is None else place)
    state.put(settings.STEP, 0)
