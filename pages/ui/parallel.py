"""The same content in many languages, read from `sample_texts/parallel/contents.json`.

    for language in languages(): ...                # in the order of the table of contents
    paragraphs("vi")                                # all paragraphs of a language
    paragraphs("vi", "news")                        # those of one kind

Paragraph n says the same in every language; `kind_of_paragraph()[n]` is its kind.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from pages.ui.samples import FOLDER

BASELINE: Final = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language of the parallel texts.

    Attributes:
        tag: its BCP 47 tag; it stands in links and names the file.
        title: its name in English.
        name: its name in itself.
        right_to_left: the direction of its script.
    """

    tag: str
    title: str
    name: str
    right_to_left: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of text.

    Attributes:
        id: stands in links.
        title: what people call it.
        subject: one sentence: what the paragraphs are about.
        paragraphs: how many paragraphs of this kind each language has.
    """

    id: str
    title: str
    subject: str
    paragraphs: int


@cache
def languages() -> dict[str, Language]:
    """All languages by tag, in the order of the table of contents."""
    return {entry["tag"]: Language(**entry) for entry in _contents()["languages"]}


@cache
def kinds() -> dict[str, Kind]:
    """All kinds by id, in the order in which their paragraphs stand in the texts."""
    return {entry["id"]: Kind(**entry) for entry in _contents()["kinds"]}


@cache
def kind_of_paragraph() -> tuple[str, ...]:
    """The id of each paragraph's kind: the same for every language."""
    return tuple(kind.id for kind in kinds().values() for _ in range(kind.paragraphs))


def paragraphs(tag: str, kind: str | None = None) -> tuple[str, ...]:
    """The paragraphs of a language, without line ends.

    Args:
        tag: the language.
        kind: only those of this kind; None gives all.

    Raises:
        KeyError: if there is no such language or kind; the message names those there are.
    """
    if tag not in languages():
        raise KeyError(f"no parallel text is in {tag!r}; there are: {', '.join(languages())}")
    texts = _paragraphs(tag)
    if kind is None:
        return texts
    if kind not in kinds():
        raise KeyError(f"no kind is called {kind!r}; there are: {', '.join(kinds())}")
    return tuple(text for text, its in zip(texts, kind_of_paragraph(), strict=True) if its == kind)


@cache
def _paragraphs(tag: str) -> tuple[str, ...]:
    return tuple(_read(f"{tag}.txt").removesuffix("\n").split("\n\n"))


@cache
def _contents() -> dict[str, list[dict[str, Any]]]:
    contents: dict[str, list[dict[str, Any]]] = json.loads(_read("contents.json"))
    return contents


def _read(name: str) -> str:
    return (FOLDER / "parallel" / name).read_bytes().decode("utf-8")
