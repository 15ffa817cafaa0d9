"""The texts a page can open with, read from `sample_texts/contents.json`.

    sample("greetings").text        # what the Tokens page opens on
    for s in samples(): ...         # in the order of the table of contents, grouped by `s.group`

Texts are exact: bytes of the file decoded as UTF-8, line ends and final line end as they are.
A sample with a form (NFD, for example) is stored in NFC and brought into its form when asked for,
so that no editor or repository can change it silently.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NotRequired, TypedDict

if TYPE_CHECKING:
    from engine.normalization import Form

FOLDER = Path(__file__).parents[2] / "sample_texts"
DEFAULT = "greetings"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One text with what a list of samples shows of it.

    id: a short name, stable, used in permalinks
    group: the heading it stands under
    language: a BCP 47 tag; "mul" for several languages, "zxx" for none
    purpose: one sentence: what to see in it
    form: the normalization form of `text`: "none" (as stored) or a form of `engine.normalize`
    survives_typing: False when a text box in a browser changes it (it turns CR into LF), so that
        a page must keep it on the server
    stored: the text as it stands in the file, before `form`
    """

    id: str
    title: str
    group: str
    language: str
    purpose: str
    form: "Form"
    survives_typing: bool
    stored: str

    @property
    def text(self) -> str:
        """The text in its form."""
        return _in_form(self.stored, self.form)


class _Entry(TypedDict):
    """One entry of contents.json: the text is in a file or inline."""

    id: str
    title: str
    group: str
    language: str
    purpose: str
    file: NotRequired[str]
    text: NotRequired[str]
    form: "NotRequired[Form]"
    survives_typing: NotRequired[bool]


@cache
def samples() -> tuple[Sample, ...]:
    """All samples, in the order of the table of contents; the first is the default."""
    contents: dict[str, list[_Entry]] = json.loads(_read("contents.json"))
    return tuple(_sample(entry) for entry in contents["samples"])


def sample(id: str) -> Sample:
    """The sample of that id; KeyError, naming the ids there are, if there is none."""
    by_id = _by_id()
    if id not in by_id:
        raise KeyError(f"no sample is called {id!r}; there are: {', '.join(by_id)}")
    return by_id[id]


@cache
def _by_id() -> dict[str, Sample]:
    return {s.id: s for s in samples()}


def _sample(entry: _Entry) -> Sample:
    return Sample(
        id=entry["id"],
        title=entry["title"],
        group=entry["group"],
        language=entry["language"],
        purpose=entry["purpose"],
        form=entry.get("form", "none"),
        survives_typing=entry.get("survives_typing", True),
        stored=entry["text"] if "text" in entry else _read(entry["file"]),
    )


def _read(name: str) -> str:
    return (FOLDER / name).read_bytes().decode("utf-8")


@cache
def _in_form(text: str, form: "Form") -> str:
    if form == "none":
        return text
    import engine

    return engine.normalize(text, form)
