"""What the template costs: differences of real counts, nothing reckoned."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Final

from pages.reference.chat import ChatError
from pages.ui.prompt.building import Asked, Prompt, count


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageCost:
    """The tokens of one message.

    Attributes:
        content: of the content encoded alone, added tokens obeyed as in the prompt; 0 for none.
        adds: of the whole prompt minus those of the prompt without this message; None where the
            template makes no prompt without it.
    """

    content: int
    adds: int | None

    @property
    def overhead(self) -> int | None:
        """What it adds beyond its content; negative where it makes the template say less."""
        return None if self.adds is None else self.adds - self.content


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """The tokens of a conversation.

    Attributes:
        total: of the prompt.
        messages: of each message.
        generation_prompt: how many the switch adds.
        thinking_off: how many switching thinking off adds; None where it cannot be.
        thinks: whether thinking is on.
    """

    total: int
    messages: tuple[MessageCost, ...]
    generation_prompt: int | None
    thinking_off: int | None
    thinks: bool

    @property
    def contents(self) -> int:
        """Of all contents, each encoded alone."""
        return sum(message.content for message in self.messages)

    @property
    def overhead(self) -> int:
        """Of the prompt beyond its contents."""
        return self.total - self.contents


# A template of somebody's own may take long each time; what is not counted by then is not said.
_SECONDS: Final = 4.0


def costs(prompt: Prompt) -> Costs:
    """All counts, each from a prompt that was really made."""
    asked, total = prompt.asked, len(prompt.ids)
    counting = _Counting(time.monotonic() + _SECONDS)
    with_prompt, thinking = (
        counting.difference(replace(asked, generation_prompt=True), without)
        for without in (
            replace(asked, generation_prompt=False),
            replace(asked, generation_prompt=True, thinking=not asked.thinking),
        )
    )
    if thinking is not None and asked.thinking:
        thinking = -thinking
    own = prompt.tokenization.tokenizer
    return Costs(
        total=total,
        messages=tuple(
            MessageCost(
                content=own.count(content, special="parse") if isinstance(content, str) else 0,
                adds=counting.adds(asked, place),
            )
            for place, content in enumerate(m.get("content") for m in asked.messages)
        ),
        generation_prompt=with_prompt,
        thinking_off=thinking if asked.template.can_think else None,
        thinks=asked.thinking,
    )


@dataclass(frozen=True, slots=True)
class _Counting:
    """Counts prompts until a time is over."""

    deadline: float

    def adds(self, asked: Asked, place: int) -> int | None:
        """The tokens more than without one message; None if no prompt is made of the others."""
        kept = asked.messages[:place] + asked.messages[place + 1 :]
        return self.difference(asked, replace(asked, messages=kept)) if kept else None

    def difference(self, one: Asked, other: Asked) -> int | None:
        """The tokens that one prompt has more than another; None if there is only one of them."""
        if time.monotonic() > self.deadline:
            return None
        try:
            return count(one) - count(other)
        except ChatError:
            return None
