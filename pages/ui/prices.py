"""List prices of models, from ``prices.csv``: a starting table with date and source."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from math import isnan, nan
from pathlib import Path
from typing import Any, Final

FILE = Path(__file__).with_name("prices.csv")
COLUMNS: Final = (
    "model", "tokenizer", "tokenizer_match", "input_usd_per_million",
    "cached_input_usd_per_million", "output_usd_per_million", "context_tokens", "as_of", "source",
)  # fmt: skip
# Far above any price or context window.
MOST_USD: Final = 1_000_000_000
_MOST_TOKENS: Final = 1_000_000_000
# Below it a price is a slip, and a sum has more zeros than anybody reads.
LEAST_USD: Final = 1e-9
# Of words: what fits a link, a chart and the editor.
LONGEST: Final = {"model": 60, "tokenizer": 200, "as_of": 30, "source": 200}
_MOST_ROWS: Final = 1_000
_MOST_BYTES: Final = 1_000_000


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


class PriceTableError(ValueError):
    """A table of prices cannot be read; the message is a sentence for the user."""


@cache
def prices() -> dict[str, ModelPrice]:
    """All models by name, in the order of the table."""
    return read_prices(FILE.read_bytes())


def read_prices(data: bytes) -> dict[str, ModelPrice]:
    """A table in the form of ``prices.csv``.

    Raises:
        PriceTableError: if it is no such table, or has a price that is none.
    """
    if len(data) > _MOST_BYTES:
        raise PriceTableError("A table of prices has at most a megabyte.")
    try:
        reader = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
        missing = [name for name in COLUMNS[:-2] if name not in (reader.fieldnames or ())]
        rows = list(islice(reader, _MOST_ROWS + 1))
    except (UnicodeDecodeError, csv.Error):
        raise PriceTableError("This is no CSV file in UTF-8.") from None
    if not rows:
        raise PriceTableError("The table has no rows.")
    if missing:
        raise PriceTableError(
            f"The first line names no column {missing[0]}; cells are parted by commas."
        )
    if len(rows) > _MOST_ROWS:
        raise PriceTableError(f"A table of prices has at most {_MOST_ROWS:,} rows.")
    return price_table(rows)


def price_table(rows: Iterable[Mapping[str, object]]) -> dict[str, ModelPrice]:
    """Rows with the columns of ``prices.csv`` as models by name.

    Raises:
        PriceTableError: if a row is not complete, or a model is there twice.
    """
    found: dict[str, ModelPrice] = {}
    for place, row in enumerate(rows, 1):
        price = _model_price(row, place)
        if price.model in found:
            raise PriceTableError(f"The model {price.model} is in the table twice.")
        found[price.model] = price
    return found


def _model_price(row: Mapping[str, object], place: int) -> ModelPrice:
    words = {name: _word(row.get(name)) for name in COLUMNS}
    for name in ("model", "tokenizer"):
        if not words[name]:
            raise PriceTableError(f"Row {place} has no {name}.")
    for name, longest in LONGEST.items():
        if len(words[name]) > longest or not words[name].isprintable():
            raise PriceTableError(
                f"Row {place}: {name} has at most {longest} characters, all of which can be seen."
            )
    if words["tokenizer_match"] not in ("exact", "estimate"):
        raise PriceTableError(f"Row {place}: tokenizer_match is exact or estimate.")
    cached = words["cached_input_usd_per_million"]
    return ModelPrice(
        model=words["model"],
        tokenizer=words["tokenizer"],
        exact=words["tokenizer_match"] == "exact",
        input_usd=_amount(words, "input_usd_per_million", place),
        cached_input_usd=_amount(words, "cached_input_usd_per_million", place) if cached else None,
        output_usd=_amount(words, "output_usd_per_million", place),
        context_tokens=_tokens(words, place),
        as_of=words["as_of"],
        source=words["source"],
    )


def _word(value: object) -> str:
    """A cell as a word; an empty one may come as None or, from an editor, as NaN."""
    missing = value is None or (isinstance(value, float) and isnan(value))
    return "" if missing else str(value).strip()


def _number(word: str) -> float:
    """The number that is written; NaN if it is none."""
    try:
        return float(word)
    except ValueError:
        return nan


def _amount(words: Mapping[str, str], name: str, place: int) -> float:
    amount = _number(words[name])
    if amount != 0 and not LEAST_USD <= amount <= MOST_USD:
        raise PriceTableError(
            f"Row {place}: {name} is 0, or a number from {LEAST_USD:.9f} to {MOST_USD:,}."
        )
    return amount


def _tokens(words: Mapping[str, str], place: int) -> int:
    tokens = _number(words["context_tokens"])
    if not 1 <= tokens <= _MOST_TOKENS or tokens != int(tokens):
        raise PriceTableError(
            f"Row {place}: context_tokens is a whole number from 1 to {_MOST_TOKENS:,}."
        )
    return int(tokens)


def rows_of(table: Mapping[str, ModelPrice]) -> list[dict[str, Any]]:
    """A table as rows with the columns of ``prices.csv``."""
    return [
        {
            "model": price.model,
            "tokenizer": price.tokenizer,
            "tokenizer_match": "exact" if price.exact else "estimate",
            "input_usd_per_million": price.input_usd,
            "cached_input_usd_per_million": price.cached_input_usd,
            "output_usd_per_million": price.output_usd,
            "context_tokens": price.context_tokens,
            "as_of": price.as_of,
            "source": price.source,
        }
        for price in table.values()
    ]
