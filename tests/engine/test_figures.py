"""Facts of published lessons (``fixtures/figures.json``), from our own engine.

One test per record, found by its id. A record is either tested here or named in ``LATER`` with the
part of the project that it waits for; none is forgotten.
"""

from __future__ import annotations

import pytest

from tests.engine import (  # noqa: F401 -- they register their checks
    figure_checks_costs,
    figure_checks_streaming,
    figure_checks_tables,
    figure_checks_training,
    figure_checks_windows,
)
from tests.engine.figure_checks import CHECKS, Figure
from tests.shared import records

FIGURES: dict[str, Figure] = {record["id"]: record for record in records("figures.json")}

LATER = {
    "replay": "A-replay A-replay-count",
    "chat templates, in tests/pages/test_chat.py": "A-chat A-genprompt C-chat",
    "of an older version of the library than the one whose behaviour is shown": "B-textstreamer",
    "training on the lesson's own text, which is not here": "C-ex1 C-ex2",
}
LATER_IDS = {figure_id for ids in LATER.values() for figure_id in ids.split()}


def test_every_figure_is_tested_or_named() -> None:
    assert len(FIGURES) == 135
    assert not LATER_IDS & set(CHECKS)
    assert set(FIGURES) == LATER_IDS | set(CHECKS)


@pytest.mark.parametrize("figure_id", CHECKS)
def test_figure(figure_id: str) -> None:
    CHECKS[figure_id](FIGURES[figure_id])
