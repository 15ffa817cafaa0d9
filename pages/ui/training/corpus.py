"""Choosing a text to train on: one of ours, pasted, or uploaded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

import engine
from engine.errors import EngineError
from engine.text_files import OFFERED, decode_text
from pages.ui import state
from pages.ui.corpora import corpora
from pages.ui.notices import notice
from pages.ui.runs import add_own_text, corpus_title, own_texts
from pages.ui.text_box import TextEdit, text_box
from pages.ui.training import settings
from pages.ui.training.keep import FILE_ENDING, NoTrainingFile, unpack

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

_AUTOMATIC = "recognise"
_PASTED = "Pasted text"
_BOX = "training_text"
_OWN_MERGES = 500


def choose_corpus() -> None:
    """The list of corpora, or of the racers, and the way to one's own text."""
    names = [*corpora(), *own_texts()]
    if state.get(settings.RACE):
        st.multiselect(
            "Racers, two or three",
            names,
            format_func=corpus_title,
            max_selections=settings.MOST_RACERS,
            width=480,
            **state.bound(settings.RACING, to_widget=list),
        )
    else:
        binding = state.bound(settings.CORPUS)
        st.selectbox(
            "Corpus",
            names,
            format_func=_listed,
            width=300,
            key=binding["key"],
            on_change=lambda: _chosen(binding["on_change"]),
        )
    with st.popover("Own text", icon=":material/edit_note:"):
        _own()


def _listed(name: str) -> str:
    known = corpora().get(name)
    return f"{known.group}: {known.title}" if known else f"Own: {corpus_title(name)}"


def _chosen(changed: Callable[[], None]) -> None:
    """A corpus of ours brings the rules that fit it, so that it opens on something to see."""
    changed()
    if state.get(settings.CORPUS) in corpora():
        settings.choose(settings.fitting(state.get(settings.CORPUS)))
    state.put(settings.STEP, 0)


def _own() -> None:
    """Paste a text or upload files; the newest one is trained on."""
    text_box(
        key=_BOX,
        text="",
        version=0,
        label="Paste a text",
        placeholder="Paste a text to train on",
        max_bytes=engine.limits.PASTE_BYTES,
        height=160,
        on_edit=_take,
    )
    encoding = st.selectbox("Encoding of files", (_AUTOMATIC, "utf-8", *OFFERED))
    files = st.file_uploader(
        "Or upload text files, or corpus and settings as saved below (up to 20 MB each)",
        key="widget:training_files",
        accept_multiple_files=True,
        max_upload_size=engine.limits.UPLOAD_BYTES // 1_000_000,
    )
    _read_files(files, None if encoding == _AUTOMATIC else encoding)
    st.caption("A text of your own stays in this session; a link carries its settings only.")


def _fit_own() -> None:
    """Rules for a text of one's own, unless rules of one's own are set."""
    corpus = state.get(settings.CORPUS)
    if corpus in corpora() and settings.chosen() == settings.fitting(corpus):
        settings.choose(replace(engine.PRESETS["plain"], merges=_OWN_MERGES))


def _take(edit: TextEdit) -> None:
    """Train on what was typed or pasted."""
    state.acted()
    notes = []
    if edit.had_cr:
        notes.append("The browser turned carriage returns into line feeds; a file keeps them.")
    if edit.lone_surrogates:
        notes.append(f"Halves of surrogate pairs ({edit.lone_surrogates:,}) became U+FFFD.")
    _fit_own()
    _use(add_own_text(_PASTED, edit.text, notes))


def _read_files(files: list[UploadedFile], encoding: str | None) -> None:
    mark = tuple((file.file_id, encoding) for file in files)
    if state.recall("training files") != mark:
        state.remember("training files", mark)
        state.remember("training file problem", None)
        added = [name for file in files if (name := _decoded(file, encoding)) is not None]
        for name in added:
            _use(name)
        if added:
            st.rerun()
    problem = state.recall("training file problem")
    if problem:
        notice(problem, kind="problem", key="training_file")


def _decoded(file: UploadedFile, encoding: str | None) -> str | None:
    """Keep a file's text; None, and the problem kept, if it cannot be read."""
    try:
        if file.name.endswith(FILE_ENDING):
            title, rules, text = unpack(file.getvalue())
            settings.choose(rules)
            return add_own_text(title, text, [f"{file.name}: its text and its rules."])
        decoded = decode_text(file.getvalue(), encoding)
    except (EngineError, NoTrainingFile) as error:
        state.remember("training file problem", f"{file.name}: {error}")
        return None
    if not decoded.text:
        state.remember("training file problem", f"{file.name} is empty; the corpus is as it was.")
        return None
    _fit_own()
    return add_own_text(file.name, decoded.text, [f"{file.name}: read as {decoded.encoding}."])


def _use(own_id: str) -> None:
    """Train on a text of one's own; in a race it takes the last place."""
    state.put(settings.STEP, 0)
    state.put(settings.CORPUS, own_id)
    if state.get(settings.RACE) and own_id not in state.get(settings.RACING):
        kept = [one for one in state.get(settings.RACING) if one in (*corpora(), *own_texts())]
        state.put(settings.RACING, (*kept[: settings.MOST_RACERS - 1], own_id))
