"""What a person can set on the Replay page."""

from __future__ import annotations

from typing import Final

from pages.ui.settings import AnySetting, switch, tokenizer_name, whole_number
from pages.ui.tokens.settings import OF, SPECIAL

MOST: Final = 10_000_000
# The piece that shows most, as long as nobody has chosen one.
AUTOMATIC: Final = -1


PIECE: Final = whole_number("piece", AUTOMATIC, most=MOST)
STEP: Final = whole_number("step", 0, most=MOST)
# A second tokenizer, by name, beside the one that OF says.
BESIDE: Final = tokenizer_name("with")
HOOD: Final = switch("hood")

ALL: Final[tuple[AnySetting, ...]] = (OF, SPECIAL, PIECE, STEP, BESIDE, HOOD)
"""Those of the page; which tokenizer and what special tokens become are shared with Tokens."""
