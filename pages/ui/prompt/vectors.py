"""From ids to vectors: a row of a table for each id, with small made-up numbers to look at."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

import streamlit as st

import engine
from engine.vocabulary_size import vocabulary_size
from engine.windows import Vector, one_hot_product, rows_of, table_size
from pages.ui import state
from pages.ui.token_rows import visible
from pages.ui.tokenizers import title
from pages.ui.tokens.settings import ROWS, WIDTH
from pages.ui.tokens.size import show_share

# Large enough to see, small enough to multiply by hand.
MOST_ROWS: Final = 5
MOST_LOOKED_UP: Final = 5
NUMBERS: Final = 4
_LOOKED_THROUGH: Final = 5_000


def made_up(seed: int) -> Vector:
    """A row of small numbers, the same for the same seed: a real table has learned ones.

    >>> made_up(7) == made_up(7), len(made_up(7))
    (True, 4)
    """
    random = Random(seed)  # noqa: S311 - numbers to look at, nothing secret
    return tuple(random.randint(-9, 9) / 10 for _ in range(NUMBERS))


def small_table(ids: Sequence[int]) -> dict[int, Vector]:
    """The first few different ids with a row for each."""
    return {token_id: made_up(token_id) for token_id in list(dict.fromkeys(ids))[:MOST_ROWS]}


def first_twice(ids: Sequence[int]) -> tuple[int, int] | None:
    """The first two places, from 0, of the token that comes a second time first; None if none does.

    >>> first_twice([5, 7, 9, 7, 5])
    (1, 3)
    """
    seen: dict[int, int] = {}
    for place, token_id in enumerate(ids):
        if token_id in seen:
            return seen[token_id], place
        seen[token_id] = place
    return None


def show_vectors(own: engine.Tokenizer, name: str, ids: Sequence[int]) -> None:
    """Looking up against multiplying, the size of the table, and why positions are needed."""
    if not ids:
        return
    _show_look_up(own, ids)
    _show_size(own, name)
    _show_twice(own, ids)


def _named(own: engine.Tokenizer, token_id: int) -> str:
    return f"{token_id} {visible(own.bytes_of(token_id) or b'')}"


def _show_look_up(own: engine.Tokenizer, ids: Sequence[int]) -> None:
    table = small_table(ids)
    order = list(table)
    places = [order.index(token_id) for token_id in ids[:MOST_LOOKED_UP] if token_id in table]
    rows = list(table.values())
    looked_up, product = rows_of(rows, places), one_hot_product(rows, places)
    st.text(look_up_words(len(places), len(rows)))
    headed = [_named(own, token_id) for token_id in order]
    named = [headed[place] for place in places]
    one_hot = [
        {"token": name} | {str(token_id): int(at == place) for at, token_id in enumerate(order)}
        for name, place in zip(named, places, strict=True)
    ]
    with st.container(horizontal=True, key="look_up"):
        _table("One-hot: a single 1 in each row", one_hot, key="one_hot")
        _table("× the table: a row for each id", _vectors(headed, rows), key="small_table")
        _table("= the vectors", _vectors(named, product), key="product")
    with st.container(key=f"check_vectors_{'passed' if product == looked_up else 'failed'}"):
        st.text(
            "✓ The product is the rows looked up, number for number."
            if product == looked_up
            else "✗ The product differs from the rows looked up."
        )


def look_up_words(tokens: int, rows: int) -> str:
    """What both ways cost here, in numbers."""
    return (
        "A model keeps a row of numbers for each id. To look rows up is to multiply with a matrix "
        f"of single ones: here {tokens} × {rows} × {NUMBERS} = {tokens * rows * NUMBERS} "
        f"multiplications, or {tokens} rows read. The numbers are made up; a model learns its own."
    )


def _vectors(names: Sequence[str], rows: Sequence[Vector]) -> list[dict[str, Any]]:
    return [
        {"token": name} | {f"x{k}": value for k, value in enumerate(row, 1)}
        for name, row in zip(names, rows, strict=True)
    ]


def _table(words: str, rows: Sequence[dict[str, Any]], *, key: str) -> None:
    with st.container(width="content", key=f"{key}_box"):
        st.text(words)
        st.dataframe(rows, hide_index=True, key=key, width="content")


def _show_size(own: engine.Tokenizer, name: str) -> None:
    st.text(size_words(own, title(name), state.get(ROWS), state.get(WIDTH)))
    show_share(own, expanded=True)


def size_words(own: engine.Tokenizer, called: str, rows: int, width: int) -> str:
    """How large the table of a model with this vocabulary is; ``rows`` 0 takes its own."""
    size = vocabulary_size(own)
    known = rows or size.rows or size.tokens
    said = f"{known:,} rows × {width:,} numbers = {table_size(known, width):,} numbers"
    product = "As a product, each token would take as many multiplications."
    if rows:
        return f"The whole table: {said}. {product}"
    if size.rows is None:
        return f"The whole table with a row for each token of {called}: {said}. {product}"
    unused = f"; {size.unused_rows:,} rows are never used" if size.unused_rows else ""
    return f"The whole table of a model with {called}: {said}{unused}. {product}"


def _show_twice(own: engine.Tokenizer, ids: Sequence[int]) -> None:
    """The same token at two places: the same row, until the place is added."""
    found = first_twice(ids[:_LOOKED_THROUGH])
    places = found or (0, len(ids))
    token_id = ids[places[0]]
    st.text(
        ("" if found else "No token stands here twice; say the first came again at the end. ")
        + f"The token {_named(own, token_id)} at places {places[0] + 1:,} and {places[1] + 1:,} "
        "gives the same row twice. Nothing in it says where it stands, so models add something of "
        "the place, or turn the numbers by it."
    )
    st.dataframe(twice_rows(token_id, places), hide_index=True, key="twice")


def twice_rows(token_id: int, places: tuple[int, int]) -> list[dict[str, Any]]:
    """The row of the token at both places, a row of each place, and their sum."""
    row = made_up(token_id)
    found = []
    for place in places:
        of_place = made_up(-1 - place)
        together = tuple(round(a + b, 1) for a, b in zip(row, of_place, strict=True))
        found.append(
            {
                "place": place + 1,
                "row of the token": _written(row),
                "row of the place": _written(of_place),
                "sum": _written(together),
            }
        )
    return found


def _written(row: Vector) -> str:
    return "  ".join(f"{value:+.1f}" for value in row)
