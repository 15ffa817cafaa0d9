"""List prices of models, from ``prices.csv``: a starting table with date and source."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("prices.csv")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPrice:
    """One model: US dollars per million tokens, and its context window in tokens.

    ``exact`` is True where the publisher says which tokenizer the model uses; otherwise a count
    by ``tokenizer`` is an estimate.
    """

    model: str
    tokenizer: str
    exact: bool
    input_usd: float
    cached_input_usd: float | None
    output_usd: float
    context_tokens: int
    as_of: str
    source: str


@cache
def prices() -> dict[str, ModelPrice]:
    """All models by name, in the order of the table."""
    with FILE.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return {
        row["model"]: ModelPrice(
            model=row["model"],
            tokenizer=row["tokenizer"],
            exact=row["tokenizer_match"] == "exact",
            input_usd=float(row["input_usd_per_million"]),
            cached_input_usd=float(row["cached_input_usd_per_million"] or 0) or None,
            output_usd=float(row["output_usd_per_million"]),
            context_tokens=int(row["context_tokens"]),
            as_of=row["as_of"],
            source=row["source"],
        )
        for row in rows
    }
