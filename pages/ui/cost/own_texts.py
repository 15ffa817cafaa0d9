"""A person's own texts, one a language: kept in the session, cut into paragraphs, aligned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import engine
from pages.ui import parallel, state
from pages.ui.cost.counting import Paragraphs
from pages.ui.text_box import TextEdit

MOST: Final = 12
LEAST: Final = 2
_SLOT: Final = "cost texts"
_SAMPLE_PARAGRAPHS: Final = 3
_BLANK_LINE: Final = re.compile(r"\n[^\S\n]*\n\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnText:
    """One of the texts; ``version`` grows whenever the server, not the typist, set it."""

    name: str
    text: str
    version: int = 0


def kept() -> tuple[OwnText, ...]:
    """The texts of this session; at first a sample, whose Vietnamese is not in NFC."""
    found: tuple[OwnText, ...] | None = state.recall(_SLOT)
    return _sample() if found is None else found


def _sample() -> tuple[OwnText, ...]:
    english, vietnamese = (
        "\n\n".join(parallel.paragraphs(tag)[:_SAMPLE_PARAGRAPHS]) for tag in ("en", "vi")
    )
    return (
        OwnText(name="English", text=english),
        OwnText(name="Vietnamese", text=engine.normalize(vietnamese, "NFD")),
    )


def put(texts: Sequence[OwnText]) -> None:
    """Keep these texts."""
    state.acted()
    state.remember(_SLOT, tuple(texts))


def take(place: int, edit: TextEdit) -> None:
    """What was typed or pasted into a box."""
    _change(place, replace(kept()[place], text=edit.text))


def rename(place: int, name: str) -> None:
    """Call a text otherwise."""
    _change(place, replace(kept()[place], name=name.strip() or f"Text {place + 1}"))


def compose(place: int) -> None:
    """Write a text in NFC."""
    own = kept()[place]
    _change(place, replace(own, text=engine.normalize(own.text, "NFC"), version=own.version + 1))


def add() -> None:
    """Another text, empty."""
    texts = kept()
    if len(texts) < MOST:
        put((*texts, OwnText(name=f"Text {len(texts) + 1}", text="")))


def drop_last() -> None:
    """One text fewer."""
    texts = kept()
    if len(texts) > LEAST:
        put(texts[:-1])


def _change(place: int, own: OwnText) -> None:
    texts = list(kept())
    texts[place] = own
    put(texts)


def paragraphs(text: str) -> Paragraphs:
    """The parts of a text between blank lines.

    >>> paragraphs("a\\nb\\n\\n \\nc\\n")
    ('a\\nb', 'c')
    """
    lines = text.replace("\r\n", "\n")
    return tuple(part for part in _BLANK_LINE.split(lines.strip()) if part)


def aligned(texts: Sequence[OwnText]) -> tuple[dict[str, Paragraphs], str]:
    """The texts by their place, paragraph by paragraph where they have equally many.

    Returns:
        the texts that are not empty, and a sentence where they are compared as wholes.
    """
    cut = {str(place): paragraphs(own.text) for place, own in enumerate(texts)}
    cut = {place: parts for place, parts in cut.items() if parts}
    numbers = [len(parts) for parts in cut.values()]
    if len(set(numbers)) < 2:
        return cut, ""
    whole: dict[str, Paragraphs] = {place: (texts[int(place)].text,) for place in cut}
    listed = ", ".join(f"{number:,}" for number in numbers)
    return whole, (
        f"The texts have {listed} paragraphs (parts between blank lines). Only equally many can be "
        "compared one by one, so the texts are compared as wholes, without a spread."
    )
