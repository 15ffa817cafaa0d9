"""What a person can set on the Prompt page."""

from __future__ import annotations

from typing import Final

from pages.reference.chat import templates
from pages.ui.prompt.conversation import Conversation, from_packed, packed_form
from pages.ui.prompt.examples import SETTINGS as EXAMPLES
from pages.ui.prompt.samples import DEFAULT, SAMPLES
from pages.ui.settings import AnySetting, LinkError, Setting, choice, pack_text, unpack_text
from pages.ui.tokens.settings import OF

OWN: Final = "own"
# No packed text begins so.
_SAMPLE: Final = "~"


def _read(text: str) -> Conversation:
    if text.startswith(_SAMPLE):
        sample = SAMPLES.get(text.removeprefix(_SAMPLE))
        if sample is None:
            raise LinkError("The link asks for a sample conversation that is not here.")
        return Conversation(turns=sample.turns)
    try:
        return from_packed(unpack_text(text))
    except (ValueError, RecursionError):
        raise LinkError(
            "The conversation in the link is damaged, so a sample is shown instead."
        ) from None


def _write(conversation: Conversation) -> str | None:
    """None if it is too long for an address."""
    sample = sample_of(conversation)
    return f"{_SAMPLE}{sample}" if sample else pack_text(packed_form(conversation))


def sample_of(conversation: Conversation) -> str | None:
    """The sample that a conversation is, None if it is none."""
    if conversation.own is not None:
        return None
    return next((name for name, s in SAMPLES.items() if s.turns == conversation.turns), None)


VIEW: Final = choice("see", ("prompt", "injection", "examples"))
TEMPLATE: Final = choice("template", (*templates(), OWN))
THINKING: Final = choice("thinking", ("on", "off"))
GENERATION: Final = choice("prompt", ("on", "off"))
CONVERSATION: Final[Setting[Conversation]] = Setting(
    word="chat",
    default=Conversation(turns=SAMPLES[DEFAULT].turns),
    read=_read,
    write=_write,
)

# The tokenizer of a template of one's own is named as on the other pages.
ALL: Final[tuple[AnySetting, ...]] = (
    VIEW, TEMPLATE, THINKING, GENERATION, CONVERSATION, OF, *EXAMPLES,
)  # fmt: skip
