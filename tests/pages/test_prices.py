"""The table of prices: read, written, refused."""

from __future__ import annotations

import pytest

from pages.ui.prices import FILE, PriceTableError, price_table, prices, read_prices, rows_of
from pages.ui.token_rows import as_csv

ROW: dict[str, object] = {
    "model": "mine", "tokenizer": "gpt2", "tokenizer_match": "estimate",
    "input_usd_per_million": 2.5, "cached_input_usd_per_million": 0,
    "output_usd_per_million": 10, "context_tokens": 4096, "as_of": "2026-12", "source": "a bill",
}  # fmt: skip


def test_our_table() -> None:
    gpt4o = prices()["gpt-4o"]
    assert (gpt4o.input_usd, gpt4o.cached_input_usd, gpt4o.output_usd) == (2.5, 1.25, 10)
    assert (gpt4o.context_tokens, gpt4o.exact, gpt4o.as_of) == (128_000, True, "2026-11")
    assert prices()["gpt-4"].cached_input_usd is None
    assert prices()["qwen-plus"].exact is False


def test_what_is_saved_is_read_again() -> None:
    assert read_prices(as_csv(rows_of(prices()))) == read_prices(FILE.read_bytes())


def test_a_cached_price_of_nothing_is_a_price() -> None:
    assert price_table([ROW])["mine"].cached_input_usd == 0
    empty = price_table([ROW | {"cached_input_usd_per_million": float("nan")}])
    assert empty["mine"].cached_input_usd is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"model": " "}, "Row 1 has no model"),
        ({"tokenizer": None}, "Row 1 has no tokenizer"),
        ({"tokenizer_match": "maybe"}, "exact or estimate"),
        ({"input_usd_per_million": -1}, "input_usd_per_million is 0, or a number from"),
        ({"output_usd_per_million": "nan"}, "output_usd_per_million is 0, or a number from"),
        ({"input_usd_per_million": "1e99"}, "input_usd_per_million is 0, or a number from"),
        ({"input_usd_per_million": "free"}, "input_usd_per_million is 0, or a number from"),
        ({"input_usd_per_million": "1e400"}, "input_usd_per_million is 0, or a number from"),
        ({"input_usd_per_million": "1e-300"}, "input_usd_per_million is 0, or a number from"),
        ({"context_tokens": "1e400"}, "whole number from 1"),
        ({"context_tokens": "nan"}, "whole number from 1"),
        ({"model": "m" * 61}, "model has at most 60 characters"),
        ({"model": "m\x00"}, "all of which can be seen"),
        ({"source": "\u202ea"}, "all of which can be seen"),
        ({"context_tokens": 0}, "whole number from 1"),
        ({"context_tokens": 2.5}, "whole number from 1"),
    ],
)
def test_a_row_that_is_wrong_is_named(change: dict[str, object], words: str) -> None:
    with pytest.raises(PriceTableError, match=words):
        price_table([ROW | change])


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe\x00", b"model\n", b"a,b\n1,2\n", b"x" * 2_000_000]
)
def test_files_that_are_no_table(data: bytes) -> None:
    with pytest.raises(PriceTableError):
        read_prices(data)


def test_a_model_stands_there_once() -> None:
    with pytest.raises(PriceTableError, match="twice"):
        price_table([ROW, ROW])


def test_a_table_that_is_parted_otherwise_is_told_so() -> None:
    data = FILE.read_bytes().replace(b",", b";")
    with pytest.raises(PriceTableError, match=r"names no column model; cells are parted by commas"):
        read_prices(data)


def test_a_table_has_a_thousand_rows_at_most() -> None:
    head, row = (",".join(map(str, cells)) for cells in (ROW, ROW.values()))
    rows = [row.replace("mine", f"mine {place}") for place in range(1_001)]
    assert len(read_prices("\n".join([head, *rows[:1_000]]).encode())) == 1_000
    with pytest.raises(PriceTableError, match="at most 1,000 rows"):
        read_prices("\n".join([head, *rows]).encode())
