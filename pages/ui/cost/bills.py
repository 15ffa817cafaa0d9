"""What the same requests cost in each language: from counted paragraphs to money and time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.costs import (
    Bill,
    Rates,
    Usage,
    bill,
    characters_per_second,
    context_share,
    tokens_of_characters,
)
from pages.ui.cost.comparison import Cell
from pages.ui.prices import ModelPrice


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is sent in a day, in characters of the baseline language.

    ``cached`` of the characters sent in are a prefix that the provider has seen before.
    """

    requests: int
    characters_in: int
    cached: int
    characters_out: int
    tokens_per_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageBill:
    """The plan's content in one language."""

    language: str
    usage: Usage
    bill: Bill
    context_share: float
    characters_per_second: float


def rates(price: ModelPrice) -> Rates:
    """The prices of a model as the engine reckons with them."""
    return Rates(
        input_usd=price.input_usd,
        cached_input_usd=price.cached_input_usd,
        output_usd=price.output_usd,
    )


def bills(
    cells: Sequence[Cell], baseline: str, plan: Plan, price: ModelPrice
) -> list[LanguageBill]:
    """The bill of each language for the same content.

    The plan is in characters of the baseline. A language takes as many tokens for one of them as it
    took, over all paragraphs, for the content of one.
    """
    characters = next(cell.lengths.graphemes for cell in cells if cell.tag == baseline)
    return [_bill(cell, characters / cell.tokens, plan, price) for cell in cells]


def _bill(cell: Cell, baseline_per_token: float, plan: Plan, price: ModelPrice) -> LanguageBill:
    usage = Usage(
        requests=plan.requests,
        input_tokens=tokens_of_characters(plan.characters_in, baseline_per_token),
        output_tokens=tokens_of_characters(plan.characters_out, baseline_per_token),
        cached_tokens=tokens_of_characters(
            min(plan.cached, plan.characters_in), baseline_per_token
        ),
    )
    return LanguageBill(
        language=cell.language,
        usage=usage,
        bill=bill(usage, rates(price)),
        context_share=context_share(usage.input_tokens + usage.output_tokens, price.context_tokens),
        characters_per_second=characters_per_second(
            plan.tokens_per_second, cell.characters_per_token or 0
        ),
    )


def rows(found: Sequence[LanguageBill], about: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """One row a language; sums in US dollars a day, never rounded."""
    for one in found:
        yield {
            "language": one.language,
            "USD per day": one.bill.total_usd,
            "USD input": one.bill.input_usd,
            "USD cached input": one.bill.cached_input_usd,
            "USD output": one.bill.output_usd,
            "USD saved by the cache": one.bill.saved_usd,
            "tokens in, a request": one.usage.input_tokens,
            "of them cached": one.usage.cached_tokens,
            "tokens out, a request": one.usage.output_tokens,
            "% of the context": one.context_share * 100,
            "characters per second": one.characters_per_second,
            **about,
        }
