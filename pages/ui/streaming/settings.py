"""What a person can set on the Streaming page."""

from __future__ import annotations

from typing import Final

from pages.ui.settings import AnySetting, choice, whole_number
from pages.ui.stream_player import RATES
from pages.ui.tokens.settings import IDS, OF, SPECIAL

MOST: Final = 10_000_000
# The first step at which something is held, as long as nobody has chosen one.
AUTOMATIC: Final = -1
SOURCES: Final = ("text", "ids")


SOURCE: Final = choice("source", SOURCES)
AT: Final = whole_number("at", AUTOMATIC, most=MOST)
RATE: Final = choice("rate", RATES, default="5")
# Tokens left out at the end, so that the stream may end inside a character.
LEFT_OUT: Final = whole_number("without", 0, most=MOST)

ALL: Final[tuple[AnySetting, ...]] = (OF, SPECIAL, IDS, SOURCE, AT, RATE, LEFT_OUT)
"""Those of the page; tokenizer, special tokens and ids are shared with Tokens."""
