"""What a person can set on the Replay page."""

from __future__ import annotations

from typing import Final

from pages.ui.settings import AnySetting, LinkError, Setting, free_text, shortened, switch
from pages.ui.tokens.settings import OF, SPECIAL

MOST: Final = 10_000_000
# The piece that shows most, as long as nobody has chosen one.
AUTOMATIC: Final = -1


def _number(word: str, default: int) -> Setting[int]:
    """A whole number from 0."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text[:12]) > MOST:
            raise LinkError(
                f"The link asks for {word}={shortened(text)!r}; there is 0 to {MOST:,}."
            )
        return int(text)

    return Setting(word=word, default=default, read=read)


PIECE: Final = _number("piece", AUTOMATIC)
STEP: Final = _number("step", 0)
# A second tokenizer, by name, beside the one that OF says.
BESIDE: Final = free_text("with", longest=200)
HOOD: Final = switch("hood")

ALL: Final[tuple[AnySetting, ...]] = (OF, SPECIAL, PIECE, STEP, BESIDE, HOOD)
"""Those of the page; which tokenizer and what special tokens become are shared with Tokens."""
