"""What is wrong or surprising in a prompt: each a sentence that says what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from engine.formats_hf_notes import PUTS
from pages.reference.chat import ChatError
from pages.reference.chat_tracing import TEMPLATE
from pages.ui.formatting import counted
from pages.ui.prompt.building import Prompt, count
from pages.ui.prompt.message_warnings import (
    MARKER,
    MOST_NAMED,
    control_in_content,
    empty,
    late_system,
    left_no_trace,
    look_alikes,
    no_text,
    partly_left_out,
    shown,
    texts_of,
    thoughts,
    unknown_role,
)
from pages.ui.settings import shortened
from pages.ui.tokenizers import title


def warnings(prompt: Prompt) -> list[str]:
    """All that should be known about a prompt, the gravest first."""
    return [sentence for rule in _RULES for sentence in rule(prompt)]


def _title(prompt: Prompt) -> str:
    return title(prompt.asked.tokenizer)


def _foreign(prompt: Prompt) -> list[str]:
    """Markers that the template writes and that are no tokens of the tokenizer."""
    known = prompt.tokenization.tokenizer.added.by_content
    said = "".join(part.text if part.label == TEMPLATE else "\0" for part in prompt.parts)
    return [marker for marker in dict.fromkeys(MARKER.findall(said)) if marker not in known]


def _unknown_markers(prompt: Prompt) -> Iterator[str]:
    own, foreign = prompt.tokenization.tokenizer, _foreign(prompt)
    if foreign:
        named = ", ".join(
            f"{shortened(marker)} ({counted(own.count(marker), 'ordinary token')})"
            for marker in foreign[:MOST_NAMED]
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
    for place, role, _ in texts_of(prompt):
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
    _dropped, left_no_trace, no_text, control_in_content, partly_left_out, _unknown_markers,
    _twice_begun, _begun_by_the_file, _no_generation_prompt, _no_reaction, _no_stop,
    _trailing_space, unknown_role, empty, late_system, thoughts, look_alikes, _not_followed,
)  # fmt: skip
