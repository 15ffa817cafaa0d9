"""The texts to train on, read from `sample_texts/training/contents.json`, and those held out.

    corpus("vi").text           # what a run of that name is trained on
    held_out()                  # texts on other subjects, for measuring what was learned

A text never changes under its id, so an id in a link means the same text everywhere.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from pages.ui.samples import FOLDER

DEFAULT: Final = "four-words"


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """A text to train on.

    Attributes:
        id: stands in links and in the names of trained tokenizers.
        title: what people call it.
        group: the heading it stands under.
        language: a BCP 47 tag; "mul" for several languages, "zxx" for none.
        purpose: one sentence: what to see in it.
        preset: the name of the rules that fit it, in `engine.PRESETS`.
        merges: how many merges fit it.
        text: the text.
    """

    id: str
    title: str
    group: str
    language: str
    purpose: str
    preset: str
    merges: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOut:
    """A text that no run is trained on."""

    id: str
    title: str
    language: str
    text: str


@cache
def corpora() -> dict[str, Corpus]:
    """All corpora by id, in the order of the table of contents."""
    return {entry["id"]: _corpus(entry) for entry in _contents()["corpora"]}


@cache
def held_out() -> tuple[HeldOut, ...]:
    """The held-out texts, same content in each language."""
    return tuple(
        HeldOut(
            id=entry["id"],
            title=entry["title"],
            language=entry["language"],
            text=_read(entry["file"]),
        )
        for entry in _contents()["held_out"]
    )


def _contents() -> dict[str, list[dict[str, Any]]]:
    contents: dict[str, list[dict[str, Any]]] = json.loads(_read("contents.json"))
    return contents


def _corpus(entry: dict[str, Any]) -> Corpus:
    fields = ("id", "title", "group", "language", "purpose", "preset", "merges")
    return Corpus(**{name: entry[name] for name in fields}, text=_text(entry))


def _text(entry: dict[str, Any]) -> str:
    if "text" in entry:
        return str(entry["text"])
    if "file" in entry:
        return _read(entry["file"])
    return in_turn([_read(name) for name in entry["mix"]])


def in_turn(texts: list[str]) -> str:
    """Parallel texts mixed: of each paragraph one language's version, the languages in turn.

    >>> in_turn(["a1\\n\\na2\\n", "b1\\n\\nb2\\n"])
    'a1\\n\\nb2\\n'
    """
    versions = zip(*(text.rstrip("\n").split("\n\n") for text in texts), strict=True)
    taken = (version[place % len(texts)] for place, version in enumerate(versions))
    return "\n\n".join(taken) + "\n"


def _read(name: str) -> str:
    return (FOLDER / "training" / name).read_bytes().decode("utf-8")
