"""The conversation of this session, and the template and tokenizer that are chosen for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pages.reference.chat import ChatTemplate, templates
from pages.ui import state, tokenizers
from pages.ui.prompt import settings
from pages.ui.prompt.building import Asked
from pages.ui.prompt.conversation import Conversation, OwnTemplate, Turn
from pages.ui.prompt.samples import SAMPLES
from pages.ui.settings import TOKENIZERS
from pages.ui.tokens.settings import OF

_KNOWING: Final = ("qwen3", "deepseek-v3")


def conversation() -> Conversation:
    """What is typed on the page now."""
    return state.get(settings.CONVERSATION)


def put_turns(turns: tuple[Turn, ...]) -> None:
    """These are the messages now."""
    state.put(settings.CONVERSATION, replace(conversation(), turns=turns))


def put_own(own: OwnTemplate | None) -> None:
    """This is the template of one's own now."""
    state.put(settings.CONVERSATION, replace(conversation(), own=own))


def own() -> OwnTemplate:
    """The template of one's own; at first that of Qwen3, to be changed."""
    return conversation().own or OwnTemplate(source=templates()["qwen3"].source, eos="<|im_end|>")


def set_sample(name: str) -> None:
    """A sample, with the template and the switches that it is about; a template of one's own stays.

    The one who chooses it sees the messages anew, so they get new boxes.
    """
    sample = SAMPLES[name]
    put_turns(tuple(Turn(turn.role, turn.content) for turn in sample.turns))
    state.put(settings.TEMPLATE, sample.template)
    state.put(settings.THINKING, "on" if sample.thinking else "off")
    state.put(settings.GENERATION, "on")


def tokenizer_name() -> str:
    """The tokenizer: of the bundled template the one of its name, else the chosen one."""
    template = state.get(settings.TEMPLATE)
    if template != settings.OWN:
        return template
    offered = tokenizers.offered()
    asked = state.get(OF)
    if asked in offered:
        return asked
    # One that knows the end of a turn; else the template's markers would be ordinary text.
    chosen = [name for name in (*state.get(TOKENIZERS), *_KNOWING) if name in offered]
    end = own().eos
    knowing = (n for n in chosen if end in tokenizers.tokenizer(n).added.by_content)
    return next(knowing, chosen[0])


def chosen_template() -> ChatTemplate | None:
    """The template; None for one's own as long as there is none."""
    name = state.get(settings.TEMPLATE)
    if name != settings.OWN:
        return templates()[name]
    given = own()
    if not given.source.strip():
        return None
    variables = {"bos_token": given.bos, "eos_token": given.eos}
    if given.date:
        variables["date_string"] = given.date_words
    return ChatTemplate(
        name=given.name,
        source=given.source,
        variables=variables,
        can_think="enable_thinking" in given.source,
        stop=(given.eos,) if given.eos else (),
        date=given.date,
    )


def asked_for(template: ChatTemplate) -> Asked:
    """What the page shows now."""
    return Asked(
        template=template,
        own=state.get(settings.TEMPLATE) == settings.OWN,
        tokenizer=tokenizer_name(),
        messages=tuple(conversation().messages()),
        generation_prompt=state.get(settings.GENERATION) == "on",
        thinking=state.get(settings.THINKING) == "on",
    )
