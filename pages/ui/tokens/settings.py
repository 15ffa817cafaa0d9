"""What a person can set on the Tokens page."""

from __future__ import annotations

from typing import Final

from pages.ui.settings import AnySetting, choice, free_text, switch, whole_number
from pages.ui.token_view import COLOURINGS, FORMS

PART: Final = choice("part", ("text", "ids", "vocabulary"))
SHOW_AS: Final = choice("show", FORMS)
COLOUR_BY: Final = choice("colour", COLOURINGS)
SPECIAL: Final = choice("special", ("text", "parse", "error"))
MODEL: Final = free_text("model", longest=60)
IDS: Final = free_text("ids", longest=1_500)
QUERY: Final = free_text("q", longest=200)
QUERY_BY: Final = choice("by", ("text", "bytes", "id", "pattern", "script", "longest", "special"))

STANDINS: Final = switch("standins")
# The one of the chosen tokenizers that ids and vocabulary are shown of; the first without it.
OF: Final = free_text("of", longest=60)


# A model of 1,024 numbers a token and 600 million parameters: the calculator's example.
WIDTH: Final = whole_number("width", 1_024, least=1, most=1_000_000)
MILLIONS: Final = whole_number("millions", 600, least=1, most=10_000_000)
ROWS: Final = whole_number("rows", 0, least=1, most=100_000_000)
UNTIED: Final = switch("untied")

ALL: Final[tuple[AnySetting, ...]] = (
    PART, SHOW_AS, COLOUR_BY, SPECIAL, MODEL, IDS, QUERY, QUERY_BY, STANDINS, OF, WIDTH, MILLIONS,
    ROWS, UNTIED,
)  # fmt: skip
