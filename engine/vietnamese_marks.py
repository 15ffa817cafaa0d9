"""The two kinds of marks of a Vietnamese vowel, told apart.

A circumflex, breve or horn makes another letter (a, ă, â); a grave, acute, tilde, hook above or dot
below is its tone. Unicode knows ế as one code point and as e with two marks. Code page 1258 of
Windows, and keyboards made for it, do neither: ê is one code point, the tone a combining mark
behind it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

VOWELS: Final = "aăâeêioôơuưyAĂÂEÊIOÔƠUƯY"
TONE_MARKS: Final = "\u0300\u0301\u0303\u0309\u0323"

_VOWEL_AND_TONE: Final = re.compile(f"([{VOWELS}])([{TONE_MARKS}])")


@cache
def _toned() -> dict[str, str]:
    """Each vowel with a tone, as one code point, and the two that it is made of."""
    return {
        unicodedata.normalize("NFC", vowel + tone): vowel + tone
        for vowel in VOWELS
        for tone in TONE_MARKS
    }


@cache
def _any_toned() -> re.Pattern[str]:
    return re.compile(f"[{''.join(_toned())}]")


def tones_apart(text: str) -> str:
    """``text``, in NFC, with every vowel's tone as a combining mark behind it.

    What comes out is canonically equivalent: its NFC is ``text``.

    >>> tones_apart("tiếng") == "tiê" + chr(0x301) + "ng"
    True
    """
    toned = _toned()
    return _any_toned().sub(lambda match: toned[match[0]], text)


def tones_joined(text: str) -> str:
    """``text`` with every tone mark right behind a vowel joined to it, and nothing else changed.

    >>> tones_joined("tiê" + chr(0x301) + "ng"), len(tones_joined("e" + chr(0x302)))
    ('tiếng', 2)
    """
    return _VOWEL_AND_TONE.sub(lambda match: unicodedata.normalize("NFC", match[0]), text)
