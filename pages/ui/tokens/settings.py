"""What a person can set on the Tokens page."""

from __future__ import annotations

from typing import Final

from pages.ui.settings import AnySetting, LinkError, Setting, choice, free_text, shortened, switch
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


def _number(word: str, default: int, most: int) -> Setting[int]:
    """A whole number from 1 to ``most``; 0 where it is not set."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not 1 <= int(text[:20]) <= most:
            raise LinkError(
                f"The link asks for {word}={shortened(text)!r}; there is 1 to {most:,}."
            )
        return int(text)

    return Setting(word=word, default=default, read=read)


# A model of 1,024 numbers a token and 600 million parameters: the calculator's example.
WIDTH: Final = _number("width", 1_024, 1_000_000)
MILLIONS: Final = _number("millions", 600, 10_000_000)
ROWS: Final = _number("rows", 0, 100_000_000)
UNTIED: Final = switch("untied")

ALL: Final[tuple[AnySetting, ...]] = (
    PART, SHOW_AS, COLOUR_BY, SPECIAL, MODEL, IDS, QUERY, QUERY_BY, STANDINS, OF, WIDTH, MILLIONS,
    ROWS, UNTIED,
)  # fmt: skip
