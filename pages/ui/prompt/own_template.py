"""A chat template of one's own: pasted, or from a published file."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from pages.reference.chat import ChatError
from pages.ui import state, tokenizers
from pages.ui.notices import notice
from pages.ui.prompt.keep import own, put_own, tokenizer_name
from pages.ui.prompt.template_files import TemplateFile, read_template_file
from pages.ui.text_box import TextEdit, text_box
from pages.ui.tokens.settings import OF

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

_FILE: Final = "prompt template file"
_TAKEN: Final = "prompt template taken"
_PROBLEM: Final = "prompt template problem"
_VERSION: Final = "prompt template version"
_LONGEST_BYTES: Final = 200_000
# The day that Llama 3.1 tells where it is told none.
_DAY: Final = "2024-07-26"
_TOKEN_CHARACTERS: Final = 100


def show_own_template() -> None:
    """The panel: upload, the Jinja itself, its tokens, the tokenizer."""
    with st.container(border=True, key="prompt_own"):
        with st.container(horizontal=True, vertical_alignment="bottom", key="prompt_own_row"):
            _tokenizer()
            _field("bos", "BOS token", "What the template gets as bos_token.")
            _field(
                "eos", "End-of-turn token", "What it gets as eos_token, and what ends an answer."
            )
            _date()
            with st.popover("Upload a template", icon=":material/upload_file:"):
                _upload()
        _names()
        text_box(
            key="prompt_template",
            text=own().source,
            version=_version(own().source),
            label="Chat template (Jinja)",
            placeholder="{% for message in messages %}…{% endfor %}",
            max_bytes=_LONGEST_BYTES,
            height=170,
            on_edit=_take,
        )
        st.caption(
            "It runs in a process of its own, in the sandbox of transformers, for two seconds and "
            "300 MB at most. It sees messages, add\\_generation\\_prompt, enable\\_thinking, "
            "bos\\_token and eos\\_token."
        )


def _tokenizer() -> None:
    name = tokenizer_name()
    st.selectbox(
        "Tokenizer of the model",
        tokenizers.offered(),
        format_func=tokenizers.title,
        help="Bundled, trained here, or brought by you (in the sidebar).",
        width=230,
        **state.bound(OF, to_widget=lambda _: name),
    )


def _field(name: str, label: str, help_: str) -> None:
    value = getattr(own(), name)
    st.text_input(
        label,
        help=help_,
        width=190,
        max_chars=_TOKEN_CHARACTERS,
        **state.widget(f"prompt_{name}", value, partial(_set, name)),
    )


def _date() -> None:
    """A day, where the template writes one: ids would change from day to day."""
    if not own().asks_for_date:
        return
    day = dt.date.fromisoformat(own().date or _DAY)
    st.date_input(
        "Day that it is told",
        help="The template writes a date, so the ids depend on it. It stays what it is set to.",
        width=170,
        **state.widget("prompt_date", day, lambda new: _set("date", new.isoformat())),
    )


def _set(name: str, value: Any) -> None:
    put_own(replace(own(), **{name: value}))


def _version(source: str) -> int:
    """Grows when the page, and not the box, sets the template."""
    version, known = state.recall(_VERSION) or (0, source)
    if known != source:
        version += 1
    state.remember(_VERSION, (version, source))
    return int(version)


def _take(edit: TextEdit) -> None:
    state.acted()
    version, _ = state.recall(_VERSION) or (0, "")
    state.remember(_VERSION, (version, edit.text))
    _put_source(edit.text)


def _put_source(source: str) -> None:
    changed = replace(own(), source=source)
    put_own(replace(changed, date=(own().date or _DAY) if changed.asks_for_date else ""))


def _upload() -> None:
    problem = state.recall(_PROBLEM)
    if problem:
        notice(problem, kind="problem", key="prompt_template")
    file = st.file_uploader(
        "tokenizer_config.json or chat_template.jinja",
        key="widget:prompt_template_file",
        max_upload_size=20,
    )
    mark = file.file_id if file is not None else None
    if file is not None and state.recall(_TAKEN) != mark:
        state.remember(_TAKEN, mark)
        _read(file)
        # What shows the template is drawn before or after; all of it anew.
        st.rerun()


def _read(file: UploadedFile) -> None:
    state.acted()
    try:
        found = read_template_file(file.getvalue())
    except ChatError as error:
        state.remember(_PROBLEM, str(error))
        return
    state.remember(_PROBLEM, None)
    state.remember(_FILE, (file.name, found))
    put_own(replace(own(), name=file.name[:60], bos=found.bos, eos=found.eos))
    _put_source(next(iter(found.templates.values())))


def _names() -> None:
    """Which template of a file that has several."""
    kept: tuple[str, TemplateFile] | None = state.recall(_FILE)
    if kept is None or len(kept[1].templates) < 2:
        return
    found = dict(kept[1].templates)
    shown = next((name for name, text in found.items() if text == own().source), None)
    st.selectbox(
        "Which template of the file",
        list(found),
        index=None,
        placeholder="changed here",
        width=300,
        **state.widget("prompt_template_name", shown, lambda name: _put_source(found[name])),
    )
