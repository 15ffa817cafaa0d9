"""Languages by the names that people give to files and columns."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import PurePosixPath
from typing import Final

from pages.ui import parallel

# Tags of ISO 639, and names, of languages that we have no text in, and other tags of those we have.
_MORE: Final = {
    "bn": "Bengali", "cs": "Czech", "da": "Danish", "el": "Greek", "fa": "Persian",
    "fi": "Finnish", "he": "Hebrew", "hu": "Hungarian", "id": "Indonesian", "it": "Italian",
    "km": "Khmer", "lo": "Lao", "ms": "Malay", "my": "Burmese", "nl": "Dutch", "no": "Norwegian",
    "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "sv": "Swedish", "ta": "Tamil",
    "tl": "Filipino", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu",
}  # fmt: skip
_OTHERWISE: Final = {
    "zh": "zh-Hans", "zh-cn": "zh-Hans", "zh-tw": "zh-Hant", "zh-hk": "zh-Hant", "chinese":
    "zh-Hans", "jp": "ja", "kr": "ko", "vn": "vi", "eng": "en", "vie": "vi", "deu": "de",
    "fra": "fr", "spa": "es", "rus": "ru", "jpn": "ja", "kor": "ko", "tha": "th", "hin": "hi",
    "ara": "ar", "zho": "zh-Hans",
}  # fmt: skip
# English words that are tags too: in a name of several words they are words.
_WORDS: Final = ("my", "no", "it", "id")
_BETWEEN: Final = re.compile(r"[\s._()\[\]]+")
# A language with a script or a region.
_TAG: Final = re.compile(r"([a-z]{2,3})(?:-[a-z]{4})?(?:-[a-z]{2})?")
_LONGEST: Final = 40


@cache
def _titles() -> dict[str, str]:
    """The name in English by tag and by name, in lower case."""
    known = {tag.lower(): language.title for tag, language in parallel.languages().items()}
    found = known | {other: known[tag.lower()] for other, tag in _OTHERWISE.items()} | _MORE
    for language in parallel.languages().values():
        found |= {language.title.lower(): language.title, language.name.lower(): language.title}
    return found | {title.lower(): title for title in _MORE.values()}


def known_language(word: str) -> str | None:
    """The English name of the language that a word names; None if it names none.

    >>> known_language("vi-VN"), known_language("Tiếng Việt"), known_language("notes")
    ('Vietnamese', 'Vietnamese', None)
    """
    lower = unicodedata.normalize("NFC", word).strip().lower().replace("_", "-")
    tag = _TAG.fullmatch(lower)
    return _titles().get(lower) or (_titles().get(tag[1]) if tag else None)


def name_of_file(file: str) -> str:
    """The language that a file's name names, else the name without its ending.

    >>> name_of_file("contract_vi.txt"), name_of_file("zh-Hant.txt"), name_of_file("Vertrag.txt")
    ('Vietnamese', 'Chinese (traditional)', 'Vertrag')
    """
    stem = PurePosixPath(file.replace("\\", "/")).stem
    whole = known_language(stem)
    words = [*reversed(_BETWEEN.split(stem)), *reversed(re.split(r"[\s._()\[\]-]+", stem))]
    parts = (known_language(word) for word in words if word.lower() not in _WORDS)
    return whole or next(filter(None, parts), None) or stem[:_LONGEST] or "Text"
