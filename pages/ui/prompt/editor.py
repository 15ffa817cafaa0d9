"""The messages of a conversation, edited as a chat."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import streamlit as st

from pages.reference.chat import ROLES, ChatError
from pages.ui import state
from pages.ui.notices import notice
from pages.ui.prompt.conversation import (
    MOST_MESSAGES,
    Turn,
    add,
    changed,
    moved,
    other_fields,
    put_back,
    read_conversation,
    without,
    written,
)
from pages.ui.prompt.keep import conversation, put_turns
from pages.ui.prompt.overhead import Costs, MessageCost
from pages.ui.text_box import TextEdit, text_box

if TYPE_CHECKING:
    from collections.abc import Sequence

    from streamlit.runtime.uploaded_file_manager import UploadedFile

LONGEST_BYTES: Final = 1_000_000
_REMOVED: Final = "prompt removed"
_IMPORTED: Final = "prompt imported"
_PROBLEM: Final = "prompt import problem"
_NOTES: Final = "prompt message notes"
_VERSIONS: Final = "prompt text versions"


class _Removed(NamedTuple):
    """What was removed last, and where it was."""

    place: int
    turn: Turn


def show_editor(costs: Costs | None) -> None:
    """All messages, and the buttons below them; ``costs`` are told beside each message."""
    turns = conversation().turns
    known: dict[int, tuple[int, str]] = state.recall(_VERSIONS) or {}
    state.remember(_VERSIONS, {t.key: known[t.key] for t in turns if t.key in known})
    for place, turn in enumerate(turns):
        cost = costs.messages[place] if costs and place < len(costs.messages) else None
        with st.container(border=True, key=f"prompt_turn_{turn.key}"):
            _message(place, turn, len(turns), cost)
    _below(turns)


def _message(place: int, turn: Turn, total: int, cost: MessageCost | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"prompt_row_{turn.key}"):
        roles = [*ROLES] if turn.role in ROLES else [*ROLES, turn.role]
        st.selectbox(
            f"Role of message {place + 1}",
            roles,
            label_visibility="collapsed",
            width=150,
            **state.widget(f"prompt_role_{turn.key}", turn.role, partial(_set_role, turn.key)),
        )
        _button(":material/arrow_upward:", f"Move message {place + 1} up", turn, off=not place,
                act=partial(_move, turn.key, -1), name="up")  # fmt: skip
        _button(":material/arrow_downward:", f"Move message {place + 1} down", turn,
                off=place == total - 1, act=partial(_move, turn.key, 1), name="down")  # fmt: skip
        _button(":material/close:", f"Remove message {place + 1}", turn, off=total == 1,
                act=partial(_remove, place, turn), name="remove")  # fmt: skip
        st.text(cost_words(cost), width="content")
    if turn.text is None:
        _no_text(place, turn)
        return
    text_box(
        key=f"prompt_text_{turn.key}",
        text=turn.text,
        version=_version(turn.key, turn.text),
        label=f"Message {place + 1}",
        placeholder="Nothing yet",
        max_bytes=LONGEST_BYTES,
        height=84,
        on_edit=partial(_take, turn.key),
    )
    for line, sentence in enumerate((state.recall(_NOTES) or {}).get(turn.key, ())):
        notice(sentence, kind="note", key=f"prompt_{turn.key}_{line}")


def _version(key: int, text: str) -> int:
    """A number that grows when the text of a box is set by the page, and not in the box."""
    versions: dict[int, tuple[int, str]] = state.recall(_VERSIONS) or {}
    version, known = versions.get(key, (0, text))
    if known != text:
        version += 1
    state.remember(_VERSIONS, {**versions, key: (version, text)})
    return version


def _typed(key: int, text: str) -> None:
    """The box has this text already."""
    versions: dict[int, tuple[int, str]] = state.recall(_VERSIONS) or {}
    version, _ = versions.get(key, (0, text))
    state.remember(_VERSIONS, {**versions, key: (version, text)})


def cost_words(cost: MessageCost | None) -> str:
    """What a message costs.

    >>> cost_words(MessageCost(content=9, adds=14))
    'alone 9 tokens, in the prompt 14 (+5)'
    """
    if cost is None:
        return ""
    alone = f"alone {cost.content:,} {'token' if cost.content == 1 else 'tokens'}"
    if cost.adds is None or cost.overhead is None:
        return alone
    sign = "+" if cost.overhead >= 0 else "−"
    return f"{alone}, in the prompt {cost.adds:,} ({sign}{abs(cost.overhead):,})"


def _button(icon: str, words: str, turn: Turn, *, off: bool, act: Any, name: str) -> None:
    # The words are in its name for those who hear the page, and beside it for those who point.
    st.button(
        icon,
        key=f"prompt_{name}_{turn.key}",
        help=words,
        disabled=off,
        on_click=act,
        type="tertiary",
    )


def _no_text(place: int, turn: Turn) -> None:
    """A content that is no text: shown, said, and a way out."""
    st.code(json.dumps(turn.content, ensure_ascii=False, indent=1)[:2_000], language="json")
    kind = "is null" if turn.content is None else "is no text"
    notice(
        f"The content of message {place + 1} {kind}. The bundled templates take text only and fail "
        "at it; a template of your own gets it as it is.",
        kind="warning",
        key=f"prompt_no_text_{turn.key}",
    )
    st.button(
        "Make it a text",
        key=f"prompt_make_text_{turn.key}",
        on_click=_make_text,
        args=(turn.key,),
        help="The texts of its parts, one a line; of what has none, the JSON.",
    )


def as_text(content: Any) -> str:
    """A content as one text, with nothing dropped.

    >>> as_text([{"type": "text", "text": "hi"}, {"type": "image", "url": "a"}])
    'hi\\n{"type": "image", "url": "a"}'
    """
    if content is None:
        return ""
    if isinstance(content, list):
        return "\n".join(map(as_text, content))
    if isinstance(content, dict) and isinstance(content.get("text"), str):
        return str(content["text"])
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _below(turns: Sequence[Turn]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="prompt_below"):
        st.button(
            "Add a message",
            icon=":material/add:",
            key="prompt_add",
            on_click=_add,
            disabled=len(turns) >= MOST_MESSAGES,
            help=f"Up to {MOST_MESSAGES}.",
        )
        removed: _Removed | None = state.recall(_REMOVED)
        if removed is not None:
            st.button(
                f"Undo: bring back message {removed.place + 1}",
                icon=":material/undo:",
                key="prompt_undo",
                on_click=_undo,
            )
        with st.popover("Import", icon=":material/upload_file:", key="prompt_import"):
            _import()


def _import() -> None:
    problem = state.recall(_PROBLEM)
    if problem:
        notice(problem, kind="problem", key="prompt_import")
    with st.form("prompt_import_form", border=False):
        pasted = st.text_area(
            "A conversation as JSON",
            placeholder='[{"role": "user", "content": "hi"}]',
            height=120,
            key="widget:prompt_json",
        )
        file = st.file_uploader(
            "or a file", type=["json"], key="widget:prompt_file", max_upload_size=5
        )
        pressed = st.form_submit_button("Take it over")
    if pressed:
        _take_json(pasted, file)


def _take_json(pasted: str, file: UploadedFile | None) -> None:
    state.acted()
    try:
        text = file.getvalue().decode("utf-8-sig") if file is not None else pasted
        turns = read_conversation(text)
    except UnicodeDecodeError:
        state.remember(_PROBLEM, "The file is not UTF-8, so it is no JSON. Save it as UTF-8.")
    except ChatError as error:
        state.remember(_PROBLEM, str(error))
    else:
        left = other_fields(text)
        state.remember(_PROBLEM, None)
        state.remember(_REMOVED, None)
        state.remember(
            _IMPORTED,
            f"Messages also had {', '.join(left[:8])}: these are not shown here and not sent."
            if left
            else None,
        )
        put_turns(turns)
    # The messages and the problem are drawn by now.
    st.rerun()


def show_import_note() -> None:
    """What was not taken over of an imported conversation."""
    note = state.recall(_IMPORTED)
    if note:
        notice(note, kind="warning", key="prompt_imported")


def forget_edits() -> None:
    """Another conversation is there: nothing to undo, nothing to say about the one before."""
    for slot in (_REMOVED, _IMPORTED, _PROBLEM, _NOTES):
        state.remember(slot, None)


def _set_role(key: int, role: str) -> None:
    put_turns(changed(conversation().turns, key, role=role))


def _take(key: int, edit: TextEdit) -> None:
    state.acted()
    notes = []
    if edit.had_cr:
        notes.append("The pasted text had carriage returns; the browser made them line feeds.")
    if edit.lone_surrogates:
        notes.append(f"{edit.lone_surrogates:,} halves of surrogate pairs became U+FFFD.")
    state.remember(_NOTES, {**(state.recall(_NOTES) or {}), key: tuple(notes)})
    _typed(key, edit.text)
    put_turns(changed(conversation().turns, key, content=edit.text))


def _make_text(key: int) -> None:
    state.acted()
    turns = conversation().turns
    put_turns(tuple(Turn(t.role, as_text(t.content)) if t.key == key else t for t in turns))


def _move(key: int, by: int) -> None:
    state.acted()
    put_turns(moved(conversation().turns, key, by))


def _remove(place: int, turn: Turn) -> None:
    state.acted()
    turns = conversation().turns
    current = next((one for one in turns if one.key == turn.key), turn)
    state.remember(_REMOVED, _Removed(place, current))
    put_turns(without(turns, turn.key))


def _undo() -> None:
    state.acted()
    removed: _Removed | None = state.recall(_REMOVED)
    if removed is not None:
        # Its box is new in the page, so it gets a new name.
        again = Turn(removed.turn.role, removed.turn.content)
        put_turns(put_back(conversation().turns, removed.place, again))
        state.remember(_REMOVED, None)


def _add() -> None:
    state.acted()
    put_turns(add(conversation().turns))


def export(turns: Sequence[Turn]) -> bytes:
    """The conversation as a file that the import takes."""
    return written(turns).encode()
