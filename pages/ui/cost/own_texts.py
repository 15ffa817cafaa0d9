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
# A dozen boxes of this size are a page that still scrolls.
BOX_BYTES: Final = 80_000
_SLOT: Final = "cost texts"
_SAMPLE_PARAGRAPHS: Final = 3
_BLANK_LINE: Final = re.compile(r"\n[^\S\n]*\n\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnText:
    """One of the texts.

    Attributes:
        name: what it is called, as a rule its language.
        text: the whole of it.
        version: grows whenever the server, not the typist, set it.
        parts: its paragraphs, if they are the cells of a table; else they are found in the text.
        brought: whether it came as a file: a long one is in no box then.
    """

    name: str
    text: str
    version: int = 0
    parts: Paragraphs | None = None
    brought: bool = False

    @property
    def bytes(self) -> int:
        """Its length in UTF-8."""
        return len(self.text.encode())

    @property
    def in_box(self) -> bool:
        """Whether it is shown to be edited."""
        return not self.brought or self.bytes <= BOX_BYTES

    @property
    def paragraphs(self) -> Paragraphs:
        """What is compared with those of the other texts, one by one."""
        return paragraphs(self.text) if self.parts is None else self.parts


def kept() -> tuple[OwnText, ...]:
    """The texts of this session; at first a sample, whose Vietnamese is not in NFC."""
    found: tuple[OwnText, ...] | None = state.recall(_SLOT)
    return _sample() if found is None else found


def is_sample() -> bool:
    """Whether nothing was brought, typed or renamed yet."""
    return state.recall(_SLOT) is None


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
    _change(place, replace(kept()[place], text=edit.text, parts=None, brought=False))


def rename(place: int, name: str) -> None:
    """Call a text otherwise."""
    _change(place, replace(kept()[place], name=name.strip() or f"Text {place + 1}"))


def compose(place: int) -> None:
    """Write a text in NFC."""
    own = kept()[place]
    parts = own.parts and tuple(engine.normalize(part, "NFC") for part in own.parts)
    text = engine.normalize(own.text, "NFC")
    _change(place, replace(own, text=text, parts=parts, version=own.version + 1))


def empty(place: int) -> None:
    """Begin a text anew."""
    own = kept()[place]
    _change(place, OwnText(name=own.name, text="", version=own.version + 1))


def bring(texts: Sequence[OwnText]) -> None:
    """Put these in the place of all texts; the boxes are filled anew."""
    version = 1 + max((own.version for own in kept()), default=0)
    put([replace(own, version=version) for own in texts])


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
    cut = {str(place): own.paragraphs for place, own in enumerate(texts)}
    cut = {place: parts for place, parts in cut.items() if parts}
    numbers = [len(parts) for parts in cut.values()]
    if len(set(numbers)) < 2:
        return cut, ""
    whole: dict[str, Paragraphs] = {place: (texts[int(place)].text,) for place in cut}
    listed = ", ".join(f"{texts[int(place)].name} {len(parts):,}" for place, parts in cut.items())
    return whole, (
        f"Paragraphs, which are parts between blank lines: {listed}. Only equally many can be "
        "compared one by one, so the texts are compared as wholes, without a spread."
    )
