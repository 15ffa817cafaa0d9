"""The Prompt page, put together."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

import engine
from pages.reference.chat import ChatError, ChatTemplate, templates
from pages.ui import state, tokenizers
from pages.ui.notices import notice
from pages.ui.prompt import settings
from pages.ui.prompt.building import Asked, Prompt, built
from pages.ui.prompt.editor import forget_edits, show_editor, show_import_note
from pages.ui.prompt.examples import show_examples
from pages.ui.prompt.files import show_files
from pages.ui.prompt.injection import show_injection
from pages.ui.prompt.keep import asked_for, chosen_template, conversation, set_sample
from pages.ui.prompt.own_template import show_own_template
from pages.ui.prompt.result import (
    counted_costs,
    show_check,
    show_numbers,
    show_picture,
    show_warnings,
)
from pages.ui.prompt.samples import SAMPLES
from pages.ui.settings import PROJECTOR

_STYLE: Final = Path(__file__).parent / "page.css"
_LAST: Final = "prompt last good"


def show() -> None:
    """The chosen part; in projector mode its picture alone."""
    projector = state.get(PROJECTOR) != "off"
    if not projector:
        st.html(f"<style>{_STYLE.read_text(encoding='utf-8')}</style>")
        _parts()
        _controls()
        if state.get(settings.TEMPLATE) == settings.OWN:
            show_own_template()
    prompt, problem = _made(chosen_template())
    view = state.get(settings.VIEW)
    if view == "prompt":
        _show_prompt(prompt, problem)
        return
    _say(prompt, problem)
    if prompt is not None:
        _SHOW[view](prompt)


def _parts() -> None:
    st.segmented_control(
        "Part of the page",
        tuple(_PARTS),
        format_func=_PARTS.__getitem__,
        required=True,
        label_visibility="collapsed",
        **state.bound(settings.VIEW),
    )


def _show_examples(prompt: Prompt) -> None:
    """What follows from the ids: training examples, and vectors."""
    # A character without an id has no row in any table.
    show_examples(prompt.asked.tokenizer, [i for i in prompt.ids if i is not None])


_PARTS: Final = {
    "prompt": "What the model receives",
    "injection": "Can a message forge a turn?",
    "examples": "Training examples and vectors",
}
_SHOW: Final = {"injection": show_injection, "examples": _show_examples}


def _show_prompt(prompt: Prompt | None, problem: str) -> None:
    """The chat and what becomes of it."""
    if state.get(PROJECTOR) != "off":
        _result(prompt, problem)
        return
    # On a phone the picture comes first, see page.css.
    with st.container(key="prompt_halves"):
        messages, result = st.columns([2, 3], gap="medium")
        with result:
            _result(prompt, problem)
        with messages:
            show_import_note()
            show_editor(counted_costs(prompt) if prompt and not problem else None)
    if prompt is not None:
        show_files(prompt)
        show_check(prompt)


def _controls() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="prompt_controls"):
        st.selectbox(
            "Sample",
            list(SAMPLES),
            index=None,
            format_func=lambda name: SAMPLES[name].title,
            placeholder="Choose a sample",
            width=270,
            **state.widget("prompt_sample", settings.sample_of(conversation()), _choose_sample),
        )
        st.selectbox(
            "Chat template",
            (*templates(), settings.OWN),
            format_func=lambda name: "Your own" if name == settings.OWN else tokenizers.title(name),
            width=170,
            help="It brings its model's tokenizer: those of the sidebar play no part here.",
            **state.widget("prompt_template", state.get(settings.TEMPLATE), _choose_template),
        )
        st.toggle(
            "Generation prompt",
            help="The beginning of the answer, after which the model goes on.",
            **state.widget(
                "prompt_generation",
                state.get(settings.GENERATION) == "on",
                lambda on: state.put(settings.GENERATION, "on" if on else "off"),
            ),
        )
        template = chosen_template()
        can_think = template is not None and template.can_think
        st.toggle(
            "Thinking",
            disabled=not can_think,
            help=(
                "Off puts an empty thought after the generation prompt."
                if can_think
                else "This template has no switch for thinking."
            ),
            **state.widget(
                "prompt_thinking",
                state.get(settings.THINKING) == "on",
                lambda on: state.put(settings.THINKING, "on" if on else "off"),
            ),
        )


def _choose_sample(name: str) -> None:
    forget_edits()
    set_sample(name)


def _choose_template(name: str) -> None:
    state.put(settings.TEMPLATE, name)


def _made(template: ChatTemplate | None) -> tuple[Prompt | None, str]:
    """The prompt, or the last good one with the sentence that says why there is no new one."""
    if template is None:
        return _last_good(), "There is no template yet: paste one, or upload it."
    asked = asked_for(template)
    try:
        with st.spinner("Rendering the template", show_time=False):
            prompt = built(asked)
    except (ChatError, engine.EngineError) as error:
        return _last_good(), str(error)
    # Not the prompt itself, which may be large: there is one for all who ask for the same.
    state.remember(_LAST, asked)
    return prompt, ""


def _last_good() -> Prompt | None:
    asked: Asked | None = state.recall(_LAST)
    try:
        return built(asked) if asked is not None else None
    except (ChatError, engine.EngineError):
        return None


def _say(prompt: Prompt | None, problem: str) -> None:
    """Why there is no new prompt, if there is none."""
    if problem:
        notice(problem, kind="problem", key="prompt")
        if prompt is not None:
            notice("What is shown is from before this.", kind="note", key="prompt_earlier")


def _result(prompt: Prompt | None, problem: str) -> None:
    _say(prompt, problem)
    if prompt is None:
        return
    found = counted_costs(prompt)
    show_picture(prompt)
    show_warnings(prompt)
    if state.get(PROJECTOR) == "off":
        show_numbers(prompt, found)
