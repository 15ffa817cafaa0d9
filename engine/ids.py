"""Ids as people paste them."""

from __future__ import annotations

import re

from engine.errors import EngineError
from engine.limits import PASTED_IDS

_SEPARATORS = re.compile(r"[\s,;]+")
_NUMBER = re.compile(r"[+-]?\d+", re.ASCII)
# The largest id of any library has 10 digits.
_DIGITS = 20


class IdsError(EngineError):
    """What was pasted is no list of ids."""


def parse_ids(text: str) -> list[int]:
    """The whole numbers in ``text``: a JSON list, or numbers with blanks, commas or semicolons.

    Whether they stand for tokens is for ``Tokenizer.decode`` to say.

    Raises:
        IdsError: if something between the separators is no whole number or far too large a one,
            or there are more than ``limits.PASTED_IDS``; the message names the place.
    """
    inside = text.strip().removeprefix("[").removesuffix("]").strip()
    words = [word for word in _SEPARATORS.split(inside) if word]
    if len(words) > PASTED_IDS:
        raise IdsError(f"There are {len(words):,} ids; at most {PASTED_IDS:,} are shown at once.")
    for place, word in enumerate(words, 1):
        shown = word if len(word) <= _DIGITS else word[:_DIGITS] + "…"
        if not _NUMBER.fullmatch(word):
            raise IdsError(f"Entry {place:,}, {shown!r}, is no whole number.")
        if len(word) > _DIGITS:
            raise IdsError(f"Entry {place:,}, {shown}, is larger than ids go.")
    return [int(word) for word in words]
