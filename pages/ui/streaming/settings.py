"""What a person can set on the Streaming page."""

from __future__ import annotations

from typing import Final

from pages.ui.settings import AnySetting, LinkError, Setting, choice, shortened
from pages.ui.stream_player import RATES
from pages.ui.tokens.settings import IDS, OF, SPECIAL

MOST: Final = 10_000_000
# The first step at which something is held, as long as nobody has chosen one.
AUTOMATIC: Final = -1
SOURCES: Final = ("text", "ids")


def _number(word: str, default: int) -> Setting[int]:
    """A whole number from 0."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text[:12]) > MOST:
            raise LinkError(
                f"The link asks for {word}={shortened(text)!r}; there is 0 to {MOST:,}."
            )
        return int(text)

    return Setting(word=word, default=default, read=read)


SOURCE: Final = choice("source", SOURCES)
AT: Final = _number("at", AUTOMATIC)
RATE: Final = choice("rate", RATES, default="5")
# Tokens left out at the end, so that the stream may end inside a character.
LEFT_OUT: Final = _number("without", 0)

ALL: Final[tuple[AnySetting, ...]] = (OF, SPECIAL, IDS, SOURCE, AT, RATE, LEFT_OUT)
"""Those of the page; tokenizer, special tokens and ids are shared with Tokens."""
