"""Windows of ids and rows of tables, against slow definitions and numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.windows import (
    WindowError,
    one_hot_product,
    rows_of,
    split_after,
    split_before,
    windows,
)

ids = st.lists(st.integers(0, 200_000), max_size=60)
sizes = st.integers(1, 12)


@given(ids=ids, context=sizes, stride=sizes)
def test_windows_by_definition(ids: list[int], context: int, stride: int) -> None:
    """Every stretch of context + 1 ids that begins at a multiple of the stride, and no other."""
    expected = [
        (start, ids[start : start + context + 1])
        for start in range(len(ids))
        if start % stride == 0 and len(ids[start : start + context + 1]) == context + 1
    ]
    found = windows(ids, context=context, stride=stride)
    assert [(one.start, [*one.inputs, one.targets[-1]]) for one in found] == expected
    assert all(one.inputs[1:] == one.targets[:-1] for one in found)


@given(ids=ids, share=st.floats(0, 1), context=sizes, stride=sizes)
def test_divided_first_the_parts_share_nothing(
    ids: list[int], share: float, context: int, stride: int
) -> None:
    found = split_before(ids, share, context=context, stride=stride)
    assert found.shared == 0
    for one in found.training + found.test:
        assert tuple(ids[one.start : one.start + context]) == one.inputs


def test_divided_after_they_share_tokens() -> None:
    """Ten tokens, windows of four two apart: the second and third share 14, 15 and 16."""
    found = split_after(range(10, 20), 2 / 3, context=4, stride=2)
    assert [one.start for one in found.training] == [0, 2]
    assert [one.start for one in found.test] == [4]
    assert found.shared == len({12, 13, 14, 15, 16} & {14, 15, 16, 17, 18})
    # A target is a token seen: even without overlap of inputs one place is shared.
    assert split_after(range(10, 20), 0.5, context=4, stride=4).shared == 1


tables = st.integers(1, 5).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(-9, 9), min_size=width, max_size=width), min_size=1, max_size=8
    )
)


@given(table=tables, data=st.data())
def test_looking_up_is_multiplying(table: list[list[float]], data: st.DataObject) -> None:
    places = data.draw(st.lists(st.integers(0, len(table) - 1), max_size=6))
    expected = (np.eye(len(table))[places] @ np.array(table)).tolist()
    assert [list(row) for row in one_hot_product(table, places)] == expected
    assert [list(row) for row in rows_of(table, places)] == np.array(table)[places].tolist()


def test_what_cannot_be_cut_is_said() -> None:
    with pytest.raises(WindowError, match="at least one token"):
        windows([1, 2], context=0, stride=1)
    with pytest.raises(WindowError, match="at least one on"):
        windows([1, 2], context=1, stride=0)
    with pytest.raises(WindowError, match="from 0 to 1"):
        split_before([1, 2], 1.5, context=1, stride=1)
    with pytest.raises(WindowError, match="none at 2"):
        rows_of([[1], [2]], [2])
