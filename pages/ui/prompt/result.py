"""The prompt on the screen: its tokens by origin, its numbers, its warnings."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Final

import streamlit as st

from pages.ui import state
from pages.ui.cache import results
from pages.ui.columns import side_by_side
from pages.ui.formatting import counted
from pages.ui.notices import notice
from pages.ui.origin_view import origin_view
from pages.ui.prompt.building import Prompt
from pages.ui.prompt.drawing import Drawn, drawn, legend
from pages.ui.prompt.overhead import Costs, costs
from pages.ui.prompt.warnings import warnings
from pages.ui.settings import PROJECTOR
from pages.ui.tokenizers import title
from pages.ui.tokens.self_check import show_self_check

_ITEM_BYTES: Final = 600
# From here on all the counts take long enough to say so.
_SLOW_CHARACTERS: Final = 100_000


def counted_costs(prompt: Prompt) -> Costs:
    """The costs, made once for all who see the same prompt."""
    asked = prompt.asked
    with st.spinner("Counting") if len(prompt.text) > _SLOW_CHARACTERS else nullcontext():
        return results().get(
            ("prompt costs", asked.tokenizer, asked.key), lambda: (costs(prompt), 2_000)
        )


def _drawn(prompt: Prompt) -> Drawn:
    def make() -> tuple[Drawn, int]:
        made = drawn(prompt)
        return made, _ITEM_BYTES * len(made.items) + 200

    return results().get(("prompt drawn", prompt.asked.tokenizer, prompt.asked.key), make)


def show_picture(prompt: Prompt) -> None:
    """All tokens, each with its origin."""
    shown = _drawn(prompt)
    origin_view(
        shown.items,
        key="prompt_picture",
        total=len(prompt.ids),
        unit="token" if len(prompt.ids) == 1 else "tokens",
        detail=headline(prompt),
        legend=legend(prompt),
        left_out=shown.left_out,
        gap_after=shown.gap_after,
        projector=state.get(PROJECTOR) != "off",
    )
    if not prompt.ids:
        notice("The template made no text of these messages.", kind="warning", key="prompt_none")


def headline(prompt: Prompt) -> str:
    """What the large number is made of."""
    user = prompt.counts.get("user", 0)
    around = sum(prompt.counts.get(name, 0) for name in ("template", "default", "mixed"))
    other = len(prompt.ids) - user - around
    rest = f", {other:,} of other messages" if other else ""
    return f"{user:,} of them the user's{rest}, {around:,} around what was said"


def show_warnings(prompt: Prompt) -> None:
    """Each warning as a sentence."""
    for place, sentence in enumerate(warnings(prompt)):
        notice(sentence, kind="warning", key=f"prompt_{place}")


def show_numbers(prompt: Prompt, found: Costs) -> None:
    """Overhead, the cost of the switches, stop tokens; said so that one knows what is counted."""
    st.text(overhead_words(found))
    st.text(stop_words(prompt))


def overhead_words(found: Costs) -> str:
    """What is counted as overhead.

    >>> overhead_words(Costs(total=32, messages=(MessageCost(content=3, adds=None),),
    ...                      generation_prompt=3, thinking_off=None, thinks=True)).split(":")[0]
    'Overhead of the conversation'
    """
    words = (
        f"Overhead of the conversation: {found.total:,} tokens of the prompt − {found.contents:,} "
        f"of the contents, each encoded alone = {found.overhead:,}."
    )
    adding = [m.overhead for m in found.messages if m.overhead is not None]
    if adding:
        words += (
            " Beside each message: its content alone, and what the whole prompt has more than the "
            "prompt without that message, beyond its content."
        )
    else:
        words += " With one message there is no prompt without it to compare with."
    return words + _switch_words(found)


def _switch_words(found: Costs) -> str:
    """What the switches cost."""
    if found.generation_prompt is None:
        return ""
    words = f" The generation prompt adds {counted(found.generation_prompt, 'token')}"
    if found.thinking_off is None:
        return f"{words}."
    if found.thinks:
        return f"{words}; switching thinking off would add {found.thinking_off:,} more."
    return f"{words}, {found.thinking_off:,} of them because thinking is off."


def stop_words(prompt: Prompt) -> str:
    """At which tokens the model's answer ends."""
    template, own = prompt.asked.template, prompt.tokenization.tokenizer
    known = own.added.by_content
    named = [
        f"{t} ({known[t].id})" if t in known else f"{t} (no token here)" for t in template.stop
    ]
    if not named:
        return "Stop tokens: none is known."
    return f"The answer ends at {' or at '.join(named)}: stop there, or the model writes on."


def show_check(prompt: Prompt) -> None:
    """Whether a library gives the same ids for the rendered text."""
    with st.container(key="self_check"):
        show_self_check(side_by_side((prompt.asked.tokenizer,), prompt.text, "parse"))
        with st.container(key="check_prompt_rendered_passed"):
            st.text(
                f"{title(prompt.asked.tokenizer)}: the text is rendered by transformers, in its "
                "own sandbox."
            )
