"""What a person can set on the Cost page, and what the words in the address mean."""

from __future__ import annotations

from typing import Final

import engine
from pages.ui.parallel import BASELINE as ENGLISH
from pages.ui.parallel import kinds, languages
from pages.ui.settings import AnySetting, Setting, choice, switch

Choice = Setting[str]

ALL_KINDS: Final = "all"
PARTS: Final = {"texts": "Languages"}
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

PART: Final = choice("part", tuple(PARTS))
BASELINE: Final = choice("from", tuple(languages()), default=ENGLISH)
KIND: Final = choice("kind", (ALL_KINDS, *kinds()))
FORM: Final = choice("form", engine.FORMS)
MEASURE: Final = choice("measure", tuple(MEASURES))
# The language of which all forms are counted.
LANGUAGE: Final = choice("lang", tuple(languages()), default="vi")
# Without it the other bundled tokenizers stand beside the chosen ones.
ONLY: Final = switch("only")
PICTURE: Final = choice("picture", ("png", "svg"))

ALL: Final[tuple[AnySetting, ...]] = (
    PART, BASELINE, KIND, FORM, MEASURE, LANGUAGE, ONLY, PICTURE,
)  # fmt: skip
