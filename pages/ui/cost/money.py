"""The bill of the same content in every language: money, context and speed."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log10
from typing import Any, cast

import streamlit as st

import engine
from engine.errors import EngineError
from pages.ui import parallel, state, tokenizers
from pages.ui.cost import charts, counting, settings
from pages.ui.cost.bills import LanguageBill, Plan, bills, rows
from pages.ui.cost.comparison import Cell, compared
from pages.ui.cost.compute import show_compute
from pages.ui.cost.controls import language_titles, say, select, select_texts
from pages.ui.cost.files import number_formats, offer_charts, offer_table
from pages.ui.cost.price_table import current, show_prices
from pages.ui.formatting import money, percent
from pages.ui.notices import notice
from pages.ui.prices import ModelPrice
from pages.ui.settings import PROJECTOR, Setting, shortened

_FIRST = "gpt-4o"


def show_money() -> None:
    """Controls, bars, table, compute, and the prices; in projector mode the bars alone."""
    projector = state.get(PROJECTOR) != "off"
    price = _price()
    _say_unknown(price)
    if not projector:
        _controls(price)
    cells = _cells(price)
    if cells:
        found = bills(cells, state.get(settings.BASELINE), _plan(), price)
        say(_sentence(found, price), key="bill")
        if not projector:
            st.text(_speed_words(found, price))
        picture = _bars(found, price)
        charts.show(picture, key="cost_bill")
        if not projector:
            offer_charts({"Bill": picture})
            _table(found, price)
    if not projector:
        show_compute(price)
        show_prices()


def _price() -> ModelPrice:
    """The chosen model; not put into the settings, so that a fresh visit's address says nothing."""
    table = current()
    asked = state.get(settings.MODEL)
    return table.get(asked) or table.get(_FIRST) or next(iter(table.values()))


def _say_unknown(price: ModelPrice) -> None:
    """A model that is asked for and not in the table is no silent choice of another."""
    asked = state.get(settings.MODEL)
    if asked and asked not in current():
        notice(
            f"The model {shortened(asked)} is not in this table of prices (a table of your own is "
            f"in no link); {price.model} is reckoned with.",
            kind="warning",
            key="unknown_model",
        )


def _controls(price: ModelPrice) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="money_model"):
        st.selectbox(
            "Model",
            list(current()),
            width=280,
            **state.bound(settings.MODEL, to_widget=lambda _: price.model),
        )
        select(
            "Characters are of",
            settings.BASELINE,
            language_titles(),
            width=210,
            hint="The plan below is in characters of this language. The other languages are "
            "reckoned with the same content, however many characters they write it with.",
        )
        select_texts()
    with st.container(horizontal=True, vertical_alignment="bottom", key="money_plan"):
        _whole("Requests a day", settings.REQUESTS, settings.MOST)
        _whole("Characters in", settings.CHARACTERS_IN, 10**9)
        _whole("of them cached", settings.CACHED, 10**9)
        _whole("Characters out", settings.CHARACTERS_OUT, 10**9)
        st.number_input(
            "Tokens per second",
            min_value=0.1,
            max_value=1e6,
            width=150,
            help="How fast the model writes; ask your provider, or measure.",
            **state.bound(settings.SPEED),
        )
    if state.get(settings.CACHED) > state.get(settings.CHARACTERS_IN):
        notice(
            "More characters are cached than sent in; the whole input counts as cached.",
            kind="note",
            key="cached",
        )


def _whole(label: str, setting: Setting[int], most: int) -> None:
    st.number_input(label, min_value=0, max_value=most, width=160, **state.bound(setting))


def _plan() -> Plan:
    return Plan(
        requests=state.get(settings.REQUESTS),
        characters_in=state.get(settings.CHARACTERS_IN),
        cached=state.get(settings.CACHED),
        characters_out=state.get(settings.CHARACTERS_OUT),
        tokens_per_second=state.get(settings.SPEED),
    )


def _cells(price: ModelPrice) -> list[Cell]:
    """The languages as the model's tokenizer counts them; none, and why, if it cannot be had."""
    form = cast("engine.Form", state.get(settings.FORM))
    texts = counting.texts(state.get(settings.KIND))
    titles = language_titles()
    try:
        (column,) = counting.columns([price.tokenizer], form, texts)
        if column.problem:
            raise ValueError(column.problem)
        lengths = {tag: counting.lengths(form, paragraphs) for tag, paragraphs in texts.items()}
        return compared(column, titles, lengths, state.get(settings.BASELINE))
    except (EngineError, ValueError) as error:
        notice(f"{price.model} with {price.tokenizer}: {error}", kind="problem", key="money")
        return []


def _sentence(found: Sequence[LanguageBill], price: ModelPrice) -> str:
    """Prices with date and source, how far the count is the model's, and what is left out."""
    cached = price.cached_input_usd
    match = "exact" if price.exact else "an estimate: the provider names no vocabulary"
    discount = "nothing off for a cached prefix" if cached is None else f"{money(cached)} cached"
    cheapest = min(found, key=lambda one: one.bill.total_usd)
    dearest = max(found, key=lambda one: one.bill.total_usd)
    costs = (
        f"The same content costs from ≈ {money(cheapest.bill.total_usd)} ({cheapest.language}) to "
        f"≈ {money(dearest.bill.total_usd)} ({dearest.language}) a day"
        if dearest.bill.total_usd
        else "Nothing is to be paid: no requests, no characters, or no price"
    )
    return (
        f"{costs}. {price.model}: "
        f"{money(price.input_usd)} per million tokens in, {discount}, {money(price.output_usd)} "
        f"out ({price.as_of or 'no date'}, {price.source or 'no source'}); counted with "
        f"{tokenizers.title(price.tokenizer)}, which is {match}. An estimate all the same: lengths "
        "are reckoned from our parallel texts, and templates, tools and thinking are not in it."
    )


def _speed_words(found: Sequence[LanguageBill], price: ModelPrice) -> str:
    """How much of a context window a request takes, and how fast an answer is read."""
    small, large = (choose(one.context_share for one in found) for choose in (min, max))
    slow, fast = (choose(found, key=lambda one: one.characters_per_second) for choose in (min, max))
    return (
        f"A request takes {percent(small)} to {percent(large)} of the context window of "
        f"{price.context_tokens:,} tokens. At {state.get(settings.SPEED):g} tokens per second "
        f"{_rate(slow.characters_per_second)} ({slow.language}) to "
        f"{_rate(fast.characters_per_second)} ({fast.language}) characters appear in a second."
    )


def _bars(found: Sequence[LanguageBill], price: ModelPrice) -> Any:
    return charts.bars(
        [one.language for one in found],
        [
            charts.Bars(
                title=price.model,
                values=[one.bill.total_usd for one in found],
                texts=["≈ " + money(one.bill.total_usd) for one in found],
                hovers=[_hover(one) for one in found],
            )
        ],
        x_title="US dollars a day",
    )


def _hover(one: LanguageBill) -> str:
    return (
        f"{one.language}: ≈ {money(one.bill.total_usd)} a day<br>"
        f"input ≈ {money(one.bill.input_usd)}, cached ≈ {money(one.bill.cached_input_usd)}, "
        f"output ≈ {money(one.bill.output_usd)}<br>"
        f"a request: ≈ {one.usage.input_tokens:,} tokens in, ≈ {one.usage.output_tokens:,} out<br>"
        f"{_rate(one.characters_per_second)} characters per second"
    )


def _rate(number: float) -> str:
    """A whole number, or the digits that a small one has.

    >>> _rate(213.4), _rate(0.0521)
    ('213', '0.052')
    """
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def _table(found: Sequence[LanguageBill], price: ModelPrice) -> None:
    about = {"model": price.model, "count": "exact" if price.exact else "estimate"}
    table = list(rows(found, about))
    formats = number_formats(table)
    for name in ("% of the context", *(name for name in table[0] if name.startswith("USD"))):
        sign = "≈ $" if name.startswith("USD") else "≈ "
        formats[name] = st.column_config.NumberColumn(
            format=f"{sign}%.{decimals([row[name] for row in table])}f"
        )
    st.dataframe(table, hide_index=True, key="bill_table", column_config=formats)
    plan = _plan()
    offer_table(
        "bill",
        table,
        {
            **about,
            "characters of": parallel.languages()[state.get(settings.BASELINE)].title,
            "requests a day": plan.requests,
            "characters in": plan.characters_in,
            "of them cached": plan.cached,
            "characters out": plan.characters_out,
            "tokens per second": plan.tokens_per_second,
            "USD per million tokens in": price.input_usd,
            "USD per million cached": price.cached_input_usd,
            "USD per million out": price.output_usd,
            "date": price.as_of,
            "source": price.source,
        },
    )


def decimals(values: Sequence[float]) -> int:
    """So many that the smallest value keeps three digits, and none is rounded to zero.

    >>> decimals([12.5, 0.003085]), decimals([0, 1234.5])
    (5, 2)
    """
    smallest = min((abs(value) for value in values if value), default=1.0)
    return max(2, ceil(2 - log10(smallest)))
