"""What a person can set on the Tokens page."""

from __future__ import annotations

from typing import Final

from pages.ui.prices import prices
from pages.ui.settings import (
    AnySetting,
    LinkError,
    Setting,
    choice,
    free_text,
    shortened,
    switch,
    tokenizer_name,
    whole_number,
)
from pages.ui.token_view import COLOURINGS, FORMS


def _model(text: str) -> str:
    """A model of the price table, or none."""
    if text and text not in prices():
        raise LinkError(
            f"The link asks for the model {shortened(text)!r}, which is not in the table of prices."
        )
    return text


PART: Final = choice("part", ("text", "ids", "vocabulary"))
SHOW_AS: Final = choice("show", FORMS)
COLOUR_BY: Final = choice("colour", COLOURINGS)
SPECIAL: Final = choice("special", ("text", "parse", "error"))
MODEL: Final = Setting(word="model", default="", read=_model)
IDS: Final = free_text("ids", longest=1_500)
QUERY: Final = free_text("q", longest=200)
QUERY_BY: Final = choice("by", ("text", "bytes", "id", "pattern", "script", "longest", "special"))

STANDINS: Final = switch("standins")
# The one of the chosen tokenizers that ids and vocabulary are shown of; the first without it.
OF: Final = tokenizer_name("of")


# A model of 1,024 numbers a token and 600 million parameters: the calculator's example.
WIDTH: Final = whole_number("width", 1_024, least=1, most=1_000_000)
MILLIONS: Final = whole_number("millions", 600, least=1, most=10_000_000)
ROWS: Final = whole_number("rows", 0, least=1, most=100_000_000)
UNTIED: Final = switch("untied")

ALL: Final[tuple[AnySetting, ...]] = (
    PART, SHOW_AS, COLOUR_BY, SPECIAL, MODEL, IDS, QUERY, QUERY_BY, STANDINS, OF, WIDTH, MILLIONS,
    ROWS, UNTIED,
)  # fmt: skip
