"""The only user of ``st.session_state`` and ``st.query_params``: settings, text, permalinks.

Streamlit forgets a widget's value when its page is left, so each setting has a place of its own,
and a widget is filled from it and writes back to it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypedDict
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.ui import samples
from pages.ui.settings import (
    AnySetting,
    LinkError,
    Setting,
    Value,
    pack_text,
    shortened,
    unpack_text,
)

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

TEXT_WORD: Final = "x"
SAMPLE_WORD: Final = "s"
# Addresses on their way to the browser; more than it ever is behind.
_LINKS: Final = 50
# How long an address may be on its way, with a slow network and a busy browser.
_LATE_SECONDS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenText:
    """The text on the screen and where it came from.

    ``source`` is ``"sample"``, ``"typed"``, ``"file"`` or ``"link"``; ``name`` the sample's id or
    the file's name; ``version`` grows whenever the server, not the typist, set the text; ``notes``
    are sentences about what happened on the way in.
    """

    text: str
    source: str
    name: str = ""
    version: int = 0
    notes: tuple[str, ...] = ()


def get(setting: Setting[Value]) -> Value:
    """The value of a setting in this session."""
    value: Value = st.session_state.get(_slot(setting), setting.default)
    return value


def put(setting: Setting[Value], value: Value) -> None:
    """Set a setting; a widget bound to it follows."""
    st.session_state[_slot(setting)] = value


def _slot(setting: AnySetting) -> str:
    return f"setting:{setting.word}"


class Binding(TypedDict):
    """What a widget needs to be bound to a setting."""

    key: str
    on_change: Callable[[], None]


def bound(setting: AnySetting, *, to_widget: Callable[[Any], Any] | None = None) -> Binding:
    """Arguments that bind a widget to a setting.

    ``to_widget`` turns the setting's value into the widget's where they differ (tuple to list).
    """
    value = get(setting)

    def chosen(new: Any) -> None:
        put(setting, tuple(new) if isinstance(new, list) else new)

    return widget(setting.word, to_widget(value) if to_widget else value, chosen)


def widget(name: str, value: Any, chosen: Callable[[Any], None]) -> Binding:
    """Arguments that make a widget show ``value`` and tell ``chosen`` what the person chooses.

    When the page sets another value, it is another widget, with another key: until the browser
    has drawn it, whatever is done comes with the old value, which is no choice and must not undo
    what was set. A control with no choice (clicked off) keeps what was chosen.
    """
    slot = f"shown:{name}"
    turn, shown = st.session_state.get(slot, (0, value))
    if shown != value:
        turn += 1
    key = f"widget:{name}:{turn}" if turn else f"widget:{name}"
    st.session_state[slot] = turn, value
    st.session_state[key] = value

    def changed() -> None:
        new = st.session_state[key]
        now, _ = st.session_state[slot]
        if new is None or (now != turn and new == value):
            return
        acted()
        st.session_state[slot] = now, new
        chosen(new)

    return Binding(key=key, on_change=changed)


def remember(name: str, value: object) -> None:
    """Keep something for this session under a name."""
    st.session_state[name] = value


def recall(name: str) -> Any:
    """What was kept under ``name`` in this session; else None."""
    return st.session_state.get(name)


def forget_upload(file: UploadedFile) -> None:
    """Free the memory of an uploaded file whose widget is shown no more.

    Streamlit keeps it until the browser takes it back, which it does only for a widget it shows.
    """
    context = get_script_run_ctx()
    # The protocol of such managers has no way to remove one file; the one in use has.
    if context and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)


def given_text() -> GivenText:
    """The text of this session; at first the default sample."""
    if "text" not in st.session_state:
        _set_sample(samples.DEFAULT, version=0)
    text: GivenText = st.session_state["text"]
    return text


def acted() -> None:
    """Say before a run that the person changed something: the address is late, no Back button."""
    st.session_state["acted"] = True
    st.session_state["as linked"] = False
    st.session_state.pop("link problems", None)


def set_typed(text: str, notes: Iterable[str] = ()) -> None:
    """What the person typed or pasted; the box already shows it. Called before the run."""
    acted()
    version = given_text().version
    st.session_state["text"] = GivenText(
        text=text, source="typed", version=version, notes=tuple(notes)
    )


def set_sample(sample_id: str) -> None:
    """One of the samples."""
    _set_sample(sample_id, version=given_text().version + 1)


def _set_sample(sample_id: str, *, version: int) -> None:
    sample = samples.sample(sample_id)
    st.session_state["text"] = GivenText(
        text=sample.text, source="sample", name=sample_id, version=version
    )


def set_file(text: str, name: str, notes: Iterable[str] = ()) -> None:
    """The text of an uploaded file."""
    st.session_state["text"] = GivenText(
        text=text,
        source="file",
        name=name,
        version=given_text().version + 1,
        notes=tuple(notes),
    )


def read_link(settings: Iterable[AnySetting]) -> list[str]:
    """Take over what the address says, if it was not this session that wrote it.

    Returns:
        a sentence for each part that could not be read; the default stands for it.
    """
    asked = st.query_params.to_dict()
    if not asked:
        # Another page, opened from the list: what is wrong here no link asked for.
        st.session_state["as linked"] = False
        return []
    if _written_here(asked):
        return []
    st.session_state["links"] = [asked]
    st.session_state["as linked"] = True
    st.session_state.pop("link problems", None)
    problems = [problem for setting in settings if (problem := _take(setting, asked))]
    return problems + _take_text(asked)


def keep_problems(found: list[str]) -> list[str]:
    """What is wrong with the link: ``found`` now, else what was found before.

    The page runs again by itself, and what was found stands until the person does something.
    """
    if found:
        st.session_state["link problems"] = found
    kept: list[str] = st.session_state.get("link problems", [])
    return kept


def as_linked() -> bool:
    """Whether a link was read on this page and nobody did anything since."""
    return bool(st.session_state.get("as linked"))


def take_back(setting: Setting[Value], value: Value, sentence: str) -> None:
    """Set what a page can show in place of what was asked for, found out while it is drawn.

    Where a link asked for it, and nobody did anything since, ``sentence`` joins what is wrong with
    the link, and the page runs again to say so at its top. What a person's own doing made
    impossible, such as another text, is set without a word.
    """
    put(setting, value)
    if as_linked():
        st.session_state["link problems"] = [*keep_problems([]), sentence]
        st.rerun()


def _written_here(asked: dict[str, str]) -> bool:
    """Whether this session wrote that address, be it some addresses ago.

    What somebody does before the browser has the newest address comes with an older one; taken for
    a link, it would undo what was done since. An older one that comes later with nothing done, or
    after the browser has sent the newest, is the Back button, and a link like any other.
    """
    did_something = st.session_state.pop("acted", False)
    links: list[dict[str, str]] = st.session_state.get("links", [])
    if asked not in links:
        return False
    st.session_state["links"] = kept = links[links.index(asked) :]
    late = time.monotonic() - st.session_state.get("links written", 0.0) < _LATE_SECONDS
    return len(kept) == 1 or did_something or late


def _take(setting: AnySetting, asked: dict[str, str]) -> str | None:
    if setting.word not in asked:
        put(setting, setting.default)
        return None
    try:
        put(setting, setting.read(asked[setting.word]))
    except LinkError as error:
        put(setting, setting.default)
        return str(error)
    return None


def _take_text(asked: dict[str, str]) -> list[str]:
    version = given_text().version + 1
    try:
        if TEXT_WORD in asked:
            text = unpack_text(asked[TEXT_WORD])
            st.session_state["text"] = GivenText(text=text, source="link", version=version)
        elif SAMPLE_WORD in asked:
            _set_sample(asked[SAMPLE_WORD], version=version)
    except LinkError as error:
        return [str(error)]
    except KeyError:
        return [f"The link asks for the sample {shortened(asked[SAMPLE_WORD])!r}, not here."]
    return []


@dataclass(frozen=True, slots=True)
class Link:
    """A permalink; ``complete`` is False where the text was too long for an address."""

    url: str
    complete: bool


def write_link(settings: Iterable[AnySetting], *, with_text: bool) -> Link:
    """Put all that is set into the address, and return it whole."""
    written = {
        setting.word: setting.write(value)
        for setting in settings
        if (value := get(setting)) != setting.default
    }
    words = {word: text for word, text in written.items() if text is not None}
    complete = len(words) == len(written)
    if with_text:
        given = given_text()
        if given.source == "sample":
            if given.name != samples.DEFAULT:
                words[SAMPLE_WORD] = given.name
        elif (packed := pack_text(given.text)) is not None:
            words[TEXT_WORD] = packed
        else:
            complete = False
    links: list[dict[str, str]] = st.session_state.get("links", [])
    if links[-1:] != [words]:
        st.session_state["links"] = [*links, words][-_LINKS:]
        st.session_state["links written"] = time.monotonic()
    if st.query_params.to_dict() != words:
        st.query_params.from_dict(words)
    base = (st.context.url or "").partition("?")[0]
    return Link(url=f"{base}?{urlencode(words)}" if words else base, complete=complete)
