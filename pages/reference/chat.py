"""From messages to the one text that a model receives.

The templates of the bundled chat tokenizers are our own words for what the publishers' templates
do; they, and templates of the user, are rendered in the sandbox of ``transformers``, in a process
of its own with limits of time and memory.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from pages.reference.answers import ReferenceRefused
from pages.reference.chat_tracing import TEMPLATE, Run
from pages.reference.line_process import LineProcess

FOLDER: Final = Path(__file__).parent / "chat_templates"
ROLES: Final = ("system", "user", "assistant", "tool")
# transformers takes seconds to be imported.
_START_SECONDS: Final = 60.0
# The process itself ends a template that takes too long, see there; this is for the process.
_SECONDS: Final = 30.0

Message = Mapping[str, Any]


class ChatError(Exception):
    """A conversation or a template cannot be rendered; the message is a sentence for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTemplate:
    """A chat template and what it is given beside the messages.

    Attributes:
        name: of the tokenizer it belongs to, or what the user calls it.
        source: the template, in Jinja.
        variables: what every rendering is given (``bos_token`` and the like).
        default_system: the system message that the template itself adds; empty if none.
        can_think: whether thinking can be switched off.
        stop: the tokens at which the model's answer ends, the usual one first (``eos_token_id`` of
            the publisher's generation_config.json).
        date: the day that the template is told, in ISO form; empty for today.
    """

    name: str
    source: str
    variables: Mapping[str, str] = field(default_factory=dict)
    default_system: str = ""
    can_think: bool = False
    stop: tuple[str, ...] = ()
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """What a model receives, and where its characters came from.

    ``runs`` cover ``text``. ``followed`` is False where the template did what cannot be followed:
    contents are then looked for in the text, one after the other.
    """

    text: str
    runs: tuple[Run, ...]
    followed: bool = True


@cache
def templates() -> Mapping[str, ChatTemplate]:
    """The templates of the bundled tokenizers that have one, by the tokenizer's name."""
    qwen = "You are Qwen, created by Alibaba Cloud. You are a helpful assistant."
    qwen_stop = ("<|im_end|>", "<|endoftext|>")
    found = (
        ChatTemplate(
            name="qwen2.5",
            source=_source("qwen2.5"),
            variables={"default_system": qwen},
            default_system=qwen,
            stop=qwen_stop,
        ),
        ChatTemplate(name="qwen3", source=_source("qwen3"), can_think=True, stop=qwen_stop),
        ChatTemplate(
            name="deepseek-v3",
            source=_source("deepseek-v3"),
            variables={"bos_token": "<｜begin▁of▁sentence｜>"},
            stop=("<｜end▁of▁sentence｜>",),
        ),
    )
    return {template.name: template for template in found}


def _source(name: str) -> str:
    return (FOLDER / f"{name}.jinja").read_text("utf-8")


def read_messages(text: str) -> list[Message]:
    """A conversation from JSON: a list of objects with a role and a content.

    Raises:
        ChatError: if it is no such list; the sentence names the message.
    """
    try:
        messages = json.loads(text)
    except ValueError as error:
        raise ChatError(f"The conversation is no JSON: {error}.") from None
    check(messages)
    return list(messages)


def check(messages: object) -> None:
    """Refuse what templates would fail at, or leave out without a word.

    Raises:
        ChatError: naming the first message that is wrong, and why.
    """
    if not isinstance(messages, list) or not messages:
        raise ChatError("A conversation needs at least one message.")
    for number, message in enumerate(messages, 1):
        if not isinstance(message, Mapping):
            raise ChatError(f"Message {number} is no object with a role and a content.")
        if not isinstance(message.get("role"), str):
            raise ChatError(f"Message {number} has no role, so a template would leave it out.")
        content = message.get("content")
        if not isinstance(content, str):
            kind = "none" if content is None else f"a {type(content).__name__}"
            raise ChatError(
                f"The content of message {number} is {kind}, and these templates take text only."
            )


def unknown_roles(messages: Sequence[Message]) -> list[tuple[int, str]]:
    """The messages (numbers from 1) whose role the bundled templates leave out, and the role."""
    return [
        (number, str(message.get("role")))
        for number, message in enumerate(messages, 1)
        if message.get("role") not in ROLES
    ]


@cache
def _process(whose: Literal["ours", "theirs"]) -> LineProcess:  # noqa: ARG001 -- one of each
    """One for our templates, which end, and one for those of the users, which may not."""
    return LineProcess(
        "pages.reference.chat_worker", start_seconds=_START_SECONDS, seconds=_SECONDS
    )


def render(
    template: ChatTemplate,
    messages: Sequence[Message],
    *,
    generation_prompt: bool = False,
    thinking: bool = True,
) -> str:
    """The text that a model receives for ``messages``. As ``rendered``."""
    asked = rendered(template, messages, generation_prompt=generation_prompt, thinking=thinking)
    return asked.text


def rendered(
    template: ChatTemplate,
    messages: Sequence[Message],
    *,
    generation_prompt: bool = False,
    thinking: bool = True,
) -> Rendered:
    """The text that a model receives for ``messages``, with its sources.

    Args:
        template: one of ``templates()``, or the user's.
        messages: as ``check`` allows them; a template of the user may allow more.
        generation_prompt: whether the beginning of the answer is added.
        thinking: whether the model may think, where the template can switch it off.

    Raises:
        ChatError: if the template fails, asks for too much, or takes too long.
    """
    options: dict[str, Any] = {**template.variables, "add_generation_prompt": generation_prompt}
    if template.can_think and not thinking:
        options["enable_thinking"] = False
    question = {
        "template": template.source,
        "messages": [dict(message) for message in messages],
        "options": options,
        "date": template.date or None,
    }
    ours = template.source in {known.source for known in templates().values()}
    try:
        answer = _process("ours" if ours else "theirs").ask(question)
    except ReferenceRefused as reason:
        said = str(reason).rstrip(".")
        raise ChatError(f"The template could not be rendered: {said}.") from None
    text = str(answer["text"])
    if answer["runs"] is None:
        return Rendered(text=text, runs=looked_for(text, messages), followed=False)
    return Rendered(text=text, runs=tuple(Run(*run) for run in answer["runs"]))


def looked_for(text: str, messages: Sequence[Message]) -> tuple[Run, ...]:
    """The contents found in the text, each after the one before; the rest is the template's."""
    runs: list[Run] = []
    position = 0
    for number, message in enumerate(messages):
        content = message.get("content")
        trimmed = content.strip() if isinstance(content, str) else ""
        start = text.find(trimmed, position) if trimmed else -1
        if start < 0:
            continue
        if start > position:
            runs.append(Run(start - position, TEMPLATE, -1))
        runs.append(Run(len(trimmed), number, content.index(trimmed) if content else 0))
        position = start + len(trimmed)
    if position < len(text):
        runs.append(Run(len(text) - position, TEMPLATE, -1))
    return tuple(runs)
