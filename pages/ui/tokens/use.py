"""What a count means: the share of a context window, and the price of sending it once."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import state
from pages.ui.columns import SideBySide
from pages.ui.formatting import counted, escaped, money, percent
from pages.ui.prices import ModelPrice, prices
from pages.ui.tokens import settings


def show_use(names: Sequence[str], found: SideBySide) -> None:
    """Context and price at a model that uses one of the chosen tokenizers."""
    fitting = [model for model, price in prices().items() if price.tokenizer in _tables(names)]
    if not fitting:
        return
    asked = state.get(settings.MODEL)
    # Not put into the settings: the address of a fresh visit says nothing that nobody chose.
    model = asked if asked in fitting else "gpt-4o" if "gpt-4o" in fitting else fitting[0]
    with st.container(horizontal=True, vertical_alignment="bottom", key="use"):
        st.selectbox(
            "At the model",
            fitting,
            width=260,
            **state.bound(settings.MODEL, to_widget=lambda _: model),
        )
        price = prices()[model]
        place = next(i for i, name in enumerate(names) if price.tokenizer in _tables([name]))
        st.markdown(_sentence(price, len(found.cuts[place].tokenization)))


def _tables(names: Sequence[str]) -> set[str]:
    """The names that the price table uses; Qwen2.5 and Qwen3 cut ordinary text alike."""
    return {"qwen3" if name == "qwen2.5" else name for name in names}


def _sentence(price: ModelPrice, tokens: int) -> str:
    about = "" if price.exact else "≈ "
    share = percent(tokens / price.context_tokens)
    cost = money(tokens * price.input_usd / 1_000_000)
    return escaped(
        f"{about}{counted(tokens, 'token is', 'tokens are')} {about}{share} of a context window of "
        f"{price.context_tokens:,} and {'costs' if tokens == 1 else 'cost'} {about}{cost} as input "
        f"({money(price.input_usd)} per million tokens, {price.as_of}, {price.source})."
    )
