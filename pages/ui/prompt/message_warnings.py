"""What is wrong or surprising in single messages: each a sentence that says what to do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from engine import AddedToken
from pages.reference.chat import ROLES
from pages.reference.chat_tracing import DEFAULT
from pages.ui.formatting import counted
from pages.ui.prompt.building import Prompt
from pages.ui.settings import shortened
from pages.ui.token_rows import visible

# What a model's control tokens look like; also with ASCII bars where a model has others.
MARKER: Final = re.compile(r"<[|｜][^|｜<>\n]{1,40}[|｜]>")
MOST_NAMED: Final = 6


def shown(text: str, length: int = 60) -> str:
    """A piece of somebody's text inside a sentence, with what cannot be seen."""
    return f"«{shortened(visible(text.encode()), length)}»"


def numbered(place: int, role: object) -> str:
    """How a message is called in a sentence."""
    return f"Message {place + 1} ({role})"


def texts_of(prompt: Prompt) -> Iterator[tuple[int, str, str]]:
    """Place, role and content of the messages whose content is a text."""
    for place, message in enumerate(prompt.asked.messages):
        content = message.get("content")
        if isinstance(content, str):
            yield place, str(message.get("role")), content


def no_text(prompt: Prompt) -> Iterator[str]:
    """Contents that are no text."""
    for place, message in enumerate(prompt.asked.messages):
        content, name = message.get("content"), numbered(place, message.get("role"))
        if content is None:
            yield (
                f"{name} has no content (null). This template made something of it; others fail, "
                "or write the word None. Write a text, or remove the message."
            )
        elif not isinstance(content, str):
            kind = "a list of parts" if isinstance(content, list) else type(content).__name__
            yield (
                f"{name} has {kind} as its content, and no text. This template made something of "
                "it; the bundled ones fail. Make it a text to be sure of what is sent."
            )


def left_no_trace(prompt: Prompt) -> Iterator[str]:
    """Messages of which nothing is in the prompt."""
    sources = {run.source for run in prompt.rendered.runs}
    for place, role, content in texts_of(prompt):
        if content and place not in sources and _as_json(content) in prompt.text:
            yield (
                f"{numbered(place, role)} is in the prompt as JSON, which cannot be followed: its "
                "tokens count as the template's."
            )
        elif content and place not in sources:
            known = "" if role in ROLES else f" It knows {', '.join(ROLES)}."
            yield (
                f"{numbered(place, role)} left no trace: the template leaves out all of "
                f"{shown(content)}.{known} Choose another role, or another template."
            )


def _as_json(content: str) -> str:
    """How the filter ``tojson`` of transformers writes a text."""
    return json.dumps(content, ensure_ascii=False)


def partly_left_out(prompt: Prompt) -> Iterator[str]:
    """Messages of which a part is not in the prompt."""
    sources = {run.source for run in prompt.rendered.runs}
    for place, role, content in texts_of(prompt):
        left = prompt.left_out(place) if place in sources else []
        if left:
            count = counted(sum(map(len, left)), "code point")
            parts = ", ".join(shown(part) for part in left[:3])
            yield (
                f"{numbered(place, role)}: the template leaves out {count} of {len(content):,}: "
                f"{parts}. The model does not see them; what it must see belongs into another "
                "message."
            )


def unknown_role(prompt: Prompt) -> Iterator[str]:
    """Roles that the template writes as they are."""
    sources = {run.source for run in prompt.rendered.runs}
    for place, role, _ in texts_of(prompt):
        if role not in ROLES and place in sources:
            yield (
                f"{numbered(place, role)}: no usual role. This template writes it as it is, and a "
                f"model that was not trained on it may ignore it. Usual are {', '.join(ROLES)}."
            )


def control_in_content(prompt: Prompt) -> Iterator[str]:
    """Contents that spell control tokens."""
    added = prompt.tokenization.tokenizer.added
    for place, role, content in texts_of(prompt):
        found = added.found_in(content)
        if not found or (role == "assistant" and _own_markers(found)):
            continue
        yield (
            f"{numbered(place, role)} spells {_named(found)}. In the prompt each becomes that "
            "token, whoever typed it, and can end a turn or begin one. Encode what people write as "
            "text, the safe way that this page shows."
        )


def _own_markers(found: list[AddedToken]) -> bool:
    """Whether they are only those that a model writes itself, as for thoughts and tool calls."""
    return not any(token.special for token in found)


def _named(found: list[AddedToken]) -> str:
    named = ", ".join(f"{token.content} ({token.id})" for token in found[:MOST_NAMED])
    return named + (f" and {len(found) - MOST_NAMED:,} others" if len(found) > MOST_NAMED else "")


def thoughts(prompt: Prompt) -> Iterator[str]:
    """Ends of thoughts where none should be."""
    for place, role, content in texts_of(prompt):
        if "</think>" in content and role != "assistant":
            yield (
                f"{numbered(place, role)} has a literal </think>. Programs that cut an answer at "
                "that word may cut here. If it is meant as text, write it otherwise."
            )
        elif content.count("</think>") > 1:
            yield (
                f"{numbered(place, role)} has </think> {content.count('</think>')} times. "
                "Templates cut at the first or at the last of them: keep one thought a message."
            )


def look_alikes(prompt: Prompt) -> Iterator[str]:
    """Contents that spell what looks like a control token."""
    known = prompt.tokenization.tokenizer.added.by_content
    for place, role, content in texts_of(prompt):
        found = dict.fromkeys(m for m in MARKER.findall(content) if m not in known)
        if found:
            named = ", ".join(shortened(marker) for marker in list(found)[:MOST_NAMED])
            yield (
                f"{numbered(place, role)} has {named}, which looks like a control token but is "
                "none of this tokenizer: it stays ordinary text."
            )


def empty(prompt: Prompt) -> Iterator[str]:
    """Messages without a text."""
    for place, role, content in texts_of(prompt):
        if content:
            continue
        if role == "system":
            yield (
                f"{numbered(place, role)} is empty, which is not the same as none: it stands in "
                "place of a default system message, if the template has one. Remove it to get "
                "that back."
            )
        else:
            yield f"{numbered(place, role)} is empty: its turn says nothing. Write it or remove it."


def late_system(prompt: Prompt) -> Iterator[str]:
    """System messages after others."""
    order = [run.source for run in prompt.rendered.runs if run.source >= 0]
    default = any(run.source == DEFAULT for run in prompt.rendered.runs)
    earlier = False
    for place, role, _ in texts_of(prompt):
        if role == "system" and earlier:
            first = order.index(place) if place in order else None
            moved = first is not None and any(source < place for source in order[first:])
            what = (
                "The template moves it to the front"
                if moved
                else "The template leaves it where it is"
            )
            also = ", and puts its default system message first" if default and not moved else ""
            yield (
                f"{numbered(place, role)} comes after other messages. {what}{also}. Models are "
                "trained with one system message at the beginning: put it first."
            )
        earlier = earlier or role != "system"
