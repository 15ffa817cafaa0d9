"""The compute behind a prefix that every request carries: each assumption can be changed."""

from __future__ import annotations

from typing import Final

import streamlit as st

from engine.costs import Accelerator, price
from pages.ui import state
from pages.ui.cost import settings
from pages.ui.formatting import money
from pages.ui.prices import ModelPrice
from pages.ui.settings import Setting

_HOURS_A_DAY: Final = 24
_RAISED: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def show_compute(model: ModelPrice) -> None:
    """The sum, and what a provider takes for it."""
    st.markdown("#### A prefix that every request carries, and the compute behind it")
    with st.container(horizontal=True, vertical_alignment="bottom", key="compute_inputs"):
        _whole("Requests a day", settings.PREFIX_REQUESTS)
        _whole("Tokens of the prefix", settings.PREFIX_TOKENS)
        _amount("Parameters in billions", settings.BILLIONS, 1e6)
        _amount("Operations a parameter and token", settings.OPERATIONS, 1e3, width=260)
        _amount("Device: 10¹² operations a second", settings.TERA, 1e9, width=250)
        _amount("Used of it in %", settings.UTILIZATION, 100.0)
    st.text("\n".join(sentences(model)))


def sentences(model: ModelPrice) -> list[str]:
    """Tokens, operations and days of a device; money with and without a cache."""
    requests, prefix = state.get(settings.PREFIX_REQUESTS), state.get(settings.PREFIX_TOKENS)
    tokens = requests * prefix
    device = Accelerator(
        parameters=state.get(settings.BILLIONS) * 1e9,
        operations_per_parameter=state.get(settings.OPERATIONS),
        operations_per_second=state.get(settings.TERA) * 1e12,
        utilization=state.get(settings.UTILIZATION) / 100,
    )
    full = price(tokens, model.input_usd)
    cached = model.cached_input_usd
    saving = (
        f"nothing off for a cached prefix at {model.model}"
        if cached is None
        else f"{money(price(tokens, cached))} where it is cached"
    )
    return [
        f"{requests:,} requests × {prefix:,} tokens = {tokens:,} tokens a day",
        f"× {device.operations_per_parameter:g} operations × {device.parameters:,.0f} parameters "
        f"= {scientific(device.operations(tokens))} operations",
        f"÷ ({scientific(device.operations_per_second)} a second × {device.utilization:.0%} used) "
        f"≈ {_time(device.days(tokens))} of one device",
        f"At {model.model}, {money(full)} a day; {saving}.",
        "Reading only, attention left out. 10¹⁵ operations a second and half of it used are a "
        "published lesson's figures for an H100 (its data sheet: 989 × 10¹², dense BF16).",
    ]


def scientific(number: float) -> str:
    """A large number with three digits and a power of ten.

    >>> scientific(4.2e20), scientific(1e15), scientific(900)
    ('4.2 × 10²⁰', '10¹⁵', '900')
    """
    digits, _, exponent = f"{number:.3g}".partition("e+")
    if not exponent:
        return digits
    power = f"10{str(int(exponent)).translate(_RAISED)}"
    return power if digits == "1" else f"{digits} × {power}"


def _time(days: float) -> str:
    """Days, or the unit below that says more.

    >>> _time(9.72), _time(0.5), _time(0.0001)
    ('9.7 days', '12.0 hours', '8.64 seconds')
    """
    if days >= 1:
        return f"{days:,.1f} days"
    hours = days * _HOURS_A_DAY
    return f"{hours:,.1f} hours" if hours >= 1 else f"{hours * 3600:.3g} seconds"


def _whole(label: str, setting: Setting[int]) -> None:
    st.number_input(label, min_value=0, max_value=settings.MOST, width=180, **state.bound(setting))


def _amount(label: str, setting: Setting[float], most: float, *, width: int = 190) -> None:
    st.number_input(
        label, min_value=0.001, max_value=most, width=width, format="%g", **state.bound(setting)
    )
