"""What a person can set on the Cost page, and what the words in the address mean."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import engine
from pages.ui.parallel import BASELINE as ENGLISH
from pages.ui.parallel import kinds, languages
from pages.ui.settings import (
    AnySetting,
    LinkError,
    Setting,
    choice,
    free_text,
    shortened,
    switch,
    whole_number,
)

Choice = Setting[str]

ALL_KINDS: Final = "all"
PARTS: Final = {"texts": "Languages", "money": "Money and time", "numbers": "Numbers and letters",
    "own": "Own texts",
}  # fmt: skip
MEASURES: Final = {
    "premium": "Premium: tokens against the baseline",
    "tokens": "Tokens",
    "characters": "Characters per token",
    "bytes": "Bytes per token",
    "words": "Words per token",
}
# Of the others little is dear: few characters in a token.
DEAR_WHEN_HIGH: Final = ("premium", "tokens")
FORM_TITLES: Final[dict[engine.Form, str]] = {
    "none": "As written",
    "NFC": "NFC: composed",
    "NFD": "NFD: taken apart",
    "NFKC": "NFKC: composed, look-alikes replaced",
    "NFKD": "NFKD: taken apart, look-alikes replaced",
    "no-marks": "No marks",
    "mixed": "Mixed: tone marks apart",
}
FORM_WORDS: Final[dict[engine.Form, str]] = {
    "none": "The texts as they are written: in NFC.",
    "NFC": "ế is one code point, as most keyboards write it.",
    "NFD": "ế is e, circumflex and acute: three code points, as in file names of macOS.",
    "NFKC": "As NFC, and look-alikes are replaced (ﬁ by fi, ５ by 5): this changes the text.",
    "NFKD": "As NFD, and look-alikes are replaced (ﬁ by fi, ５ by 5): this changes the text.",
    "no-marks": "All marks removed and đ written d: another text, which readers have to guess.",
    "mixed": "ế is ê and a combining acute, as Windows code page 1258 and old files have it.",
}

PART: Final = choice("view", tuple(PARTS))
BASELINE: Final = choice("from", tuple(languages()), default=ENGLISH)
KIND: Final = choice("kind", (ALL_KINDS, *kinds()))
FORM: Final = choice("form", engine.FORMS)
MEASURE: Final = choice("measure", tuple(MEASURES))
# The language of which all forms are counted.
LANGUAGE: Final = choice("lang", tuple(languages()), default="vi")
# Without it the other bundled tokenizers stand beside the chosen ones.
ONLY: Final = switch("only")
PICTURE: Final = choice("picture", ("png", "svg"))

MODEL: Final = free_text("model", longest=60)


def _lines(text: str) -> str | None:
    """Sentences as they stand, if they are short enough for an address."""
    return text if len(text) <= LONGEST_SENTENCES else None


LONGEST_SENTENCES: Final = 500
SENTENCES: Final = replace(free_text("sentences", longest=LONGEST_SENTENCES), write=_lines)


def _amount(word: str, default: float, most: float, least: float = 0.001) -> Setting[float]:
    """A number from ``least`` to ``most``."""

    def read(text: str) -> float:
        try:
            amount = float(text)
        except ValueError:
            amount = 0.0
        if not least <= amount <= most:
            raise LinkError(
                f"The link asks for {word}={shortened(text)!r}; there is {least:g} to {most:,.0f}."
            )
        return amount

    return Setting(word=word, default=default, read=read)


MOST: Final = 10**12
REQUESTS: Final = whole_number("requests", 10_000, most=MOST)
CHARACTERS_IN: Final = whole_number("in", 2_000, most=10**9)
CACHED: Final = whole_number("cached", 1_000, most=10**9)
CHARACTERS_OUT: Final = whole_number("out", 500, most=10**9)
SPEED: Final = _amount("tps", 50.0, 10**6, 0.1)

# The example of a published lesson, with its assumptions (`engine.costs.Accelerator`).
PREFIX_REQUESTS: Final = whole_number("prefixed", 100_000_000, most=MOST)
PREFIX_TOKENS: Final = whole_number("prefix", 300, most=10**7)
BILLIONS: Final = _amount("billions", 7.0, 10**6)
OPERATIONS: Final = _amount("operations", 2.0, 1_000.0)
TERA: Final = _amount("tera", 1_000.0, 10**9)
UTILIZATION: Final = _amount("used", 50.0, 100.0)

ALL: Final[tuple[AnySetting, ...]] = (
    PART, BASELINE, KIND, FORM, MEASURE, LANGUAGE, ONLY, PICTURE, MODEL, REQUESTS, CHARACTERS_IN,
    CACHED, CHARACTERS_OUT, SPEED, PREFIX_REQUESTS, PREFIX_TOKENS, BILLIONS, OPERATIONS, TERA,
    UTILIZATION, SENTENCES,
)  # fmt: skip
