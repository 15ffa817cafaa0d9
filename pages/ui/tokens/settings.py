"""What a person can set on the Tokens page."""

from __future__ import annotations

from typing import Final

from pages.ui.settings import AnySetting, choice, free_text
from pages.ui.token_view import COLOURINGS, FORMS

PART: Final = choice("part", ("text", "ids", "vocabulary"))
SHOW_AS: Final = choice("show", FORMS)
COLOUR_BY: Final = choice("colour", COLOURINGS)
SPECIAL: Final = choice("special", ("text", "parse", "error"))
MODEL: Final = free_text("model", longest=60)
IDS: Final = free_text("ids", longest=1_500)
QUERY: Final = free_text("q", longest=200)
QUERY_BY: Final = choice("by", ("text", "bytes", "id", "pattern", "script", "longest", "special"))

ALL: Final[tuple[AnySetting, ...]] = (
    PART, SHOW_AS, COLOUR_BY, SPECIAL, MODEL, IDS, QUERY, QUERY_BY,
)  # fmt: skip
