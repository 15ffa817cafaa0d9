"""What is wrong or surprising in a prompt: each a sentence that says what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from engine import AddedToken
from engine.formats_hf_notes import PUTS
from pages.reference.chat import ROLES, ChatError
from pages.reference.chat_tracing import DEFAULT, TEMPLATE
from pages.ui.formatting import counted
from pages.ui.prompt.building import Prompt, count
from pages.ui.settings import shortened
from pages.ui.token_rows import visible
from pages.ui.tokenizers import title

# What a model's control tokens look like; also with ASCII bars where a model has others.
_MARKER: Final = re.compile(r"<[|｜][^|｜<>\n]{1,40}[|｜]>")
_MOST_NAMED: Final = 6


def shown(text: str, length: int = 60) -> str:
    """A piece of somebody's text inside a sentence, with what cannot be seen."""
    return f"«{shortened(visible(text.encode()), length)}»"


def warnings(prompt: Prompt) -> list[str]:
    """All that should be known about a prompt, the gravest first."""
    return [sentence for rule in _RULES for sentence in rule(prompt)]


def _title(prompt: Prompt) -> str:
    return title(prompt.asked.tokenizer)


def _number(place: int, role: object) -> str:
    return f"Message {place + 1} ({role})"


def _texts(prompt: Prompt) -> Iterator[tuple[int, str, str]]:
    """Place, role and content of the messages whose content is a text."""
    for place, message in enumerate(prompt.asked.messages):
        content = message.get("content")
        if isinstance(content, str):
            yield place, str(message.get("role")), content


def _no_text(prompt: Prompt) -> Iterator[str]:
    for place, message in enumerate(prompt.asked.messages):
        content, name = message.get("content"), _number(place, message.get("role"))
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


def _left_no_trace(prompt: Prompt) -> Iterator[str]:
    sources = {run.source for run in prompt.rendered.runs}
    for place, role, content in _texts(prompt):
        if content and place not in sources:
            known = "" if role in ROLES else f" It knows {', '.join(ROLES)}."
            yield (
                f"{_number(place, role)} left no trace: the template leaves out all of "
                f"{shown(content)}.{known} Choose another role, or another template."
            )


def _partly_left_out(prompt: Prompt) -> Iterator[str]:
    sources = {run.source for run in prompt.rendered.runs}
    for place, role, content in _texts(prompt):
        left = prompt.left_out(place) if place in sources else []
        if left:
            count = counted(sum(map(len, left)), "code point")
            parts = ", ".join(shown(part) for part in left[:3])
            yield (
                f"{_number(place, role)}: the template leaves out {count} of {len(content):,}: "
                f"{parts}. The model does not see them; what it must see belongs into another "
                "message."
            )


def _unknown_roles(prompt: Prompt) -> Iterator[str]:
    sources = {run.source for run in prompt.rendered.runs}
    for place, role, _ in _texts(prompt):
        if role not in ROLES and place in sources:
            yield (
                f"{_number(place, role)}: no usual role. This template writes it as it is, and a "
                f"model that was not trained on it may ignore it. Usual are {', '.join(ROLES)}."
            )


def _control_in_content(prompt: Prompt) -> Iterator[str]:
    added = prompt.tokenization.tokenizer.added
    for place, role, content in _texts(prompt):
        found = added.found_in(content)
        if not found or (role == "assistant" and _own_markers(found)):
            continue
        yield (
            f"{_number(place, role)} spells {_named(found)}. In the prompt each becomes that "
            "token, whoever typed it, and can end a turn or begin one. Encode what people write as "
            "text, the safe way that this page shows."
        )


def _own_markers(found: list[AddedToken]) -> bool:
    """Whether they are only those that a model writes itself, as for thoughts and tool calls."""
    return not any(token.special for token in found)


def _named(found: list[AddedToken]) -> str:
    named = ", ".join(f"{token.content} ({token.id})" for token in found[:_MOST_NAMED])
    return named + (f" and {len(found) - _MOST_NAMED:,} others" if len(found) > _MOST_NAMED else "")


def _thoughts(prompt: Prompt) -> Iterator[str]:
    for place, role, content in _texts(prompt):
        if "</think>" in content and role != "assistant":
            yield (
                f"{_number(place, role)} has a literal </think>. Programs that cut an answer at "
                "that word may cut here. If it is meant as text, write it otherwise."
            )
        elif content.count("</think>") > 1:
            yield (
                f"{_number(place, role)} has </think> {content.count('</think>')} times. Templates "
                "cut at the first or at the last of them: keep one thought a message."
            )


def _look_alikes(prompt: Prompt) -> Iterator[str]:
    known = prompt.tokenization.tokenizer.added.by_content
    for place, role, content in _texts(prompt):
        found = dict.fromkeys(m for m in _MARKER.findall(content) if m not in known)
        if found:
            named = ", ".join(shortened(marker) for marker in list(found)[:_MOST_NAMED])
            yield (
                f"{_number(place, role)} has {named}, which looks like a control token but is none "
                "of this tokenizer: it stays ordinary text."
            )


def _foreign(prompt: Prompt) -> list[str]:
    """Markers that the template writes and that are no tokens of the tokenizer."""
    known = prompt.tokenization.tokenizer.added.by_content
    said = "".join(part.text if part.label == TEMPLATE else "\0" for part in prompt.parts)
    return [marker for marker in dict.fromkeys(_MARKER.findall(said)) if marker not in known]


def _unknown_markers(prompt: Prompt) -> Iterator[str]:
    own, foreign = prompt.tokenization.tokenizer, _foreign(prompt)
    if foreign:
        named = ", ".join(
            f"{shortened(marker)} ({counted(own.count(marker), 'ordinary token')})"
            for marker in foreign[:_MOST_NAMED]
        )
        yield (
            f"The template writes what is no control token of {_title(prompt)}: {named}. Choose "
            "the tokenizer of the template's model."
        )


def _twice_begun(prompt: Prompt) -> Iterator[str]:
    given = prompt.asked.template.variables.get("bos_token")
    ids, special = prompt.ids, prompt.tokenization.special
    if len(ids) < 2 or ids[0] != ids[1] or 0 not in special:
        return
    content = special[0].content
    if given in (None, "", content):
        yield (
            f"The prompt begins with {content} twice. A model expects one: take it out of the "
            "message or of the template, and encode a rendered prompt with "
            "add_special_tokens=False."
        )


def _begun_by_the_file(prompt: Prompt) -> Iterator[str]:
    """Where a library would put in once more what the template writes."""
    first = prompt.tokenization.special.get(0)
    notes = prompt.tokenization.tokenizer.notes
    if first and any(note.startswith(f"{PUTS} {first.content} (") for note in notes):
        yield (
            f"The template begins with {first.content}, and this tokenizer's file puts it before "
            "every text as well: encoding the rendered prompt as usual gives it twice. Encode with "
            "add_special_tokens=False, as this page does."
        )


def _no_generation_prompt(prompt: Prompt) -> Iterator[str]:
    asked = prompt.asked
    last = asked.messages[-1].get("role")
    if not asked.generation_prompt and last != "assistant":
        yield (
            "There is no generation prompt: the model may go on with the last message instead of "
            "answering. Switch it on to ask for an answer; leave it off for training texts."
        )
    elif asked.generation_prompt and last == "assistant":
        yield (
            "The last message is the assistant's, and the generation prompt begins another answer "
            "after it. To let the model go on with that message, switch the generation prompt off."
        )


def _no_reaction(prompt: Prompt) -> Iterator[str]:
    """Where the switch changes nothing."""
    asked = prompt.asked
    if not asked.generation_prompt or asked.messages[-1].get("role") == "assistant":
        return
    try:
        without = count(replace(asked, generation_prompt=False))
    except ChatError:
        return
    if without == len(prompt.ids):
        yield (
            "The generation prompt is on, but after such a last message the template adds none. "
            "If it never does, it lacks a part that asks for add_generation_prompt."
        )


def _no_stop(prompt: Prompt) -> Iterator[str]:
    stop = prompt.asked.template.stop
    own = prompt.tokenization.tokenizer
    if not stop:
        yield (
            "No stop token is known for this template, so a program cannot tell where the answer "
            "ends. Name the end-of-turn token beside the template."
        )
        return
    missing = [token for token in stop[:1] if token not in own.added.by_content]
    if missing and missing[0] in _foreign(prompt):
        return  # said already
    for token in missing:
        yield (
            f"The stop token {token} is no token of {_title(prompt)}: the model cannot end its "
            "answer with it. Choose the tokenizer of the template's model."
        )
    if not missing:
        yield from _unended(prompt, stop)


def _unended(prompt: Prompt, stop: tuple[str, ...]) -> Iterator[str]:
    """Answers in the history that are followed by no stop token."""
    for place, role, _ in _texts(prompt):
        if role != "assistant":
            continue
        of_this = [i for i, part in enumerate(prompt.parts) if part.label == place]
        if not of_this:
            continue
        after = []
        for part in prompt.parts[of_this[-1] + 1 :]:
            if part.label >= 0:
                break
            after.append(part.text)
        if not any(token in "".join(after) for token in stop):
            yield (
                f"No stop token ({', '.join(stop)}) follows message {place + 1} (assistant). A "
                "model trained on such texts never learns to stop: let the template write it after "
                "each answer."
            )


def _trailing_space(prompt: Prompt) -> Iterator[str]:
    text = prompt.text
    if text and text[-1] != "\n" and text[-1].isspace():
        yield (
            f"The prompt ends with {shown(text[-1])}. Most words of an answer begin with their own "
            "blank, so the model has to go on with rarer tokens. Take the blank away."
        )


def _empty(prompt: Prompt) -> Iterator[str]:
    for place, role, content in _texts(prompt):
        if content:
            continue
        if role == "system":
            yield (
                f"{_number(place, role)} is empty, which is not the same as none: it stands in "
                "place of a default system message, if the template has one. Remove it to get "
                "that back."
            )
        else:
            yield f"{_number(place, role)} is empty: its turn says nothing. Write it or remove it."


def _late_system(prompt: Prompt) -> Iterator[str]:
    order = [run.source for run in prompt.rendered.runs if run.source >= 0]
    default = any(run.source == DEFAULT for run in prompt.rendered.runs)
    earlier = False
    for place, role, _ in _texts(prompt):
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
                f"{_number(place, role)} comes after other messages. {what}{also}. Models are "
                "trained with one system message at the beginning: put it first."
            )
        earlier = earlier or role != "system"


def _dropped(prompt: Prompt) -> Iterator[str]:
    made = prompt.tokenization
    held = sum(b - a for a, b in zip(made.starts_byte, made.ends_byte, strict=True))
    lost, unknown = len(made.data) - held, sum(token_id is None for token_id in made.ids)
    if lost or unknown:
        yield (
            f"{_title(prompt)} has no token for {counted(lost, 'byte')} of the prompt and no id "
            f"for {counted(unknown, 'character')}: a model would not see them. Choose a tokenizer "
            "of bytes."
        )


def _not_followed(prompt: Prompt) -> Iterator[str]:
    if not prompt.rendered.followed:
        yield (
            "The template changes texts in a way that cannot be followed. Contents were looked for "
            "in the prompt instead, so some origins may be wrong; text and ids are right."
        )


_RULES: Final[tuple[Callable[[Prompt], Iterator[str]], ...]] = (
    _dropped, _left_no_trace, _no_text, _control_in_content, _partly_left_out, _unknown_markers,
    _twice_begun, _begun_by_the_file, _no_generation_prompt, _no_reaction, _no_stop,
    _trailing_space, _unknown_roles, _empty, _late_system, _thoughts, _look_alikes, _not_followed,
)  # fmt: skip
