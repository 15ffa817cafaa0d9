"""The sidebar's way to a tokenizer of one's own: upload a file, or name a model."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NoReturn

import streamlit as st

import engine
from engine.errors import EngineError, FormatError
from engine.formats import Kind
from pages.reference.hub import HubError, fetch
from pages.ui import own_files, state, tokenizers
from pages.ui.formatting import escaped
from pages.ui.notices import notice
from pages.ui.own_files import Upload
from pages.ui.own_names import LONGEST_LABEL, own_of
from pages.ui.settings import TOKENIZERS

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

_PROBLEM: Final = "own problem"
_UPLOADS: Final = "own uploads"
_NONE, _TYPED = "none", "typed"
_PATTERNS: Final = {
    "gpt2": "GPT-2",
    "cl100k": "GPT-4 (cl100k)",
    "o200k": "GPT-4o (o200k)",
    "qwen": "Qwen",
    "deepseek": "DeepSeek",
    _TYPED: "another, typed below",
    _NONE: "none: one piece",
}
_LARGEST: Final = engine.limits.TOKENIZER_FILE_BYTES


def show_own() -> None:
    """What was left aside in the chosen ones, and the panel to bring more and to remove them."""
    _left_aside()
    with st.popover(
        "Bring your own", icon=":material/upload_file:", width="stretch", key="own_panel"
    ):
        # First, where it is seen on a phone too, however much stands below.
        problem = state.recall(_PROBLEM)
        if problem:
            notice(problem, kind="problem", key="own")
        _kept()
        _upload()
        _by_name()
        st.caption(
            "A file stays in this session and is in no link. "
            f"BPE only, up to {_LARGEST // 1_000_000} MB."
        )


def _left_aside() -> None:
    """The notes on what is chosen, folded up."""
    chosen = state.get(TOKENIZERS)
    for place, name in enumerate(chosen):
        own = own_of(name)
        found = own_files.notes(own) if own is not None else ()
        if own is not None and found:
            with st.expander(escaped(f"About {own_files.title(own)}"), key=f"about_{place}"):
                for line, sentence in enumerate(found):
                    notice(sentence, kind="note", key=f"about_{place}_{line}")


def _kept() -> None:
    """The files of this session: what they are called here, and a button to remove each."""
    for place, (name, file) in enumerate(own_files.kept().items()):
        with st.container(horizontal=True, vertical_alignment="bottom", key=f"own_file_{place}"):
            binding = state.widget(
                f"own_label:{file.own.digest}",
                file.own.label,
                partial(_rename, name),
            )
            st.text_input(
                f"{file.size:,} tokens, called",
                max_chars=LONGEST_LABEL,
                width="stretch",
                **binding,
            )
            st.button(
                "Remove",
                key=f"own_remove_{place}",
                icon=":material/close:",
                help=escaped(f"Forget {own_files.title(file.own)}"),
                on_click=_remove,
                args=(name,),
            )


def _rename(name: str, label: str) -> None:
    if label.strip():
        tokenizers.rename(name, label.strip())


def _remove(name: str) -> None:
    state.acted()
    state.remember(_PROBLEM, None)
    tokenizers.drop(name)
    own_files.remove(name)


def _upload() -> None:
    turn = state.recall(_UPLOADS) or 0
    file = st.file_uploader(
        "A tokenizer.json or .tiktoken file",
        # Another key empties it: what was read is kept elsewhere, and need not be held twice.
        key=f"widget:own_file:{turn}",
        max_upload_size=_LARGEST // 1_000_000,
    )
    if file is None:
        return
    if _kind(file) == "tokenizer.json":
        upload = Upload(kind="tokenizer.json", data=file.getvalue(), special={})
        state.forget_upload(file)
        _bring(upload, file.name)
    pattern = st.selectbox(
        "Split pattern",
        list(_PATTERNS),
        format_func=_PATTERNS.__getitem__,
        help="A .tiktoken file does not say how texts are split before they are merged.",
        key="widget:own_pattern",
    )
    if pattern == _TYPED:
        pattern = st.text_input("Pattern", key="widget:own_typed", placeholder=r"\p{L}+|\s+")
    elif pattern == _NONE:
        pattern = ""
    special = st.text_area(
        "Special tokens",
        key="widget:own_special",
        placeholder="<|endoftext|> 50256",
        help="One a line: the token, a blank, its id. The file does not hold them.",
        height=80,
    )
    if st.button("Read the file", key="own_read"):
        _read_table(file, pattern, special)


def _kind(file: UploadedFile) -> Kind:
    """By how it begins: a tokenizer.json is an object, and everything else goes by its name."""
    start = file.getvalue()[:1_000].removeprefix(b"\xef\xbb\xbf").lstrip()
    known: Kind = "tiktoken" if file.name.lower().endswith(".tiktoken") else "tokenizer.json"
    return "tokenizer.json" if start.startswith(b"{") else known


def _read_table(file: UploadedFile, pattern: str, special: str) -> None:
    try:
        found = own_files.special_tokens(special)
    except FormatError as error:
        _refuse(str(error))
    upload = Upload(kind="tiktoken", data=file.getvalue(), pattern=pattern, special=found)
    state.forget_upload(file)
    _bring(upload, file.name)


def _by_name() -> None:
    with st.form("own_by_name", border=False):
        asked = st.text_input(
            "Or a model on Hugging Face",
            placeholder="Qwen/Qwen3-8B",
            key="widget:own_hub",
            help="Its tokenizer.json is fetched by this server; nothing of it is run.",
        )
        pressed = st.form_submit_button("Load")
    if not pressed or not asked.strip():
        return
    try:
        with st.spinner("Asking Hugging Face"):
            data = fetch(asked)
    except HubError as error:
        _refuse(str(error))
    _bring(Upload(kind="tokenizer.json", data=data, special={}), asked.strip(), by_name=True)


def _refuse(sentence: str) -> NoReturn:
    """Say why not, above; that part of the panel is drawn by now."""
    state.remember(_PROBLEM, sentence)
    st.rerun()


def _bring(upload: Upload, label: str, *, by_name: bool = False) -> NoReturn:
    """Read a file, keep it and choose it; else keep the sentence that says why not."""
    state.acted()
    state.remember(_UPLOADS, (state.recall(_UPLOADS) or 0) + 1)
    try:
        name = own_files.bring(upload, label, "hub" if by_name else "file")
    except EngineError as error:
        state.remember(_PROBLEM, f"{label}: {error}")
    else:
        state.remember(_PROBLEM, None)
        tokenizers.choose(name)
    # The chooser and the problem above are drawn by now.
    st.rerun()
