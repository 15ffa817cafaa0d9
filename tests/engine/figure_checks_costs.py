"""Published figures on cost and speed.

Where a figure rests on a lesson's own texts, which are not here, the sum is done with the numbers
that the lesson printed, or the comparison made on our texts, with room for the difference.
"""

from __future__ import annotations

import pytest

import engine
from engine.costs import Accelerator, characters_per_second
from pages.ui.parallel import paragraphs
from tests.engine.figure_checks import Figure, for_ids
from tests.shared import tokenizer

# Tokens of lesson B's posts: English and Vietnamese (records B-cost-arith-*), and its characters.
ENGLISH = {"cl100k_base": 12_429, "o200k_base": 12_337, "Qwen2.5": 12_675}
VIETNAMESE = {"cl100k_base": 21_040, "o200k_base": 14_109, "Qwen2.5": 14_165}
ENGLISH_CHARACTERS, VIETNAMESE_CHARACTERS = 51_808, 47_974


def tokens(name: str, form: engine.Form) -> int:
    """Tokens of our Vietnamese paragraphs in a form."""
    it = tokenizer(name)
    return sum(len(it.encode(engine.normalize(text, form))) for text in paragraphs("vi"))


@for_ids("A-prefill")
def prefill(f: Figure) -> None:
    total, operations, days = f["value"]
    it = Accelerator()
    assert total == 1e8 * 300
    assert it.operations(int(total)) == operations
    assert (days, round(it.days(int(total)))) == ("about 10 days", 10)


@for_ids("A-speed-arith")
def seconds_of_a_merge(f: Figure) -> None:
    """2.9 ms for 2,754 bytes is a microsecond a byte, a tenth of a second for 100,000."""
    assert f["value"] == ["about 1 us", "about 0.1 s"]
    seconds = 2.9e-3 / 2754
    assert seconds == pytest.approx(1e-6, rel=0.1)
    assert seconds * 100_000 == pytest.approx(0.1, rel=0.1)


@for_ids("B-speed-arith")
def characters_at_fifty_tokens(f: Figure) -> None:
    fast, slow = (
        characters_per_second(50, round(VIETNAMESE_CHARACTERS / VIETNAMESE[name], 2))
        for name in ("o200k_base", "cl100k_base")
    )
    assert [round(fast), round(slow), "a third slower"] == f["value"]
    assert 1 - slow / fast == pytest.approx(1 / 3, abs=0.01)


@for_ids("B-en-chars")
def english_characters_per_token(f: Figure) -> None:
    assert f["value"] == "about 4.1-4.2"
    for count in ENGLISH.values():
        assert 4.05 < ENGLISH_CHARACTERS / count < 4.25


@for_ids("B-tokens-per-word")
def words_per_token(f: Figure) -> None:
    assert round(1 / 1.39, 1) == f["value"]


@for_ids("B-17x")
def megabytes(f: Figure) -> None:
    assert round(17 * 60_011 / 1e6, 2) == f["value"]


@for_ids("B-speeds")
def megabytes_per_second(f: Figure) -> None:
    speeds = [1.02 / seconds for seconds in (0.521, 0.175, 0.022)]
    # The lesson's last figure comes from the unrounded time.
    assert speeds == pytest.approx(f["value"], abs=0.15)


@for_ids("B-24x")
def times_faster(f: Figure) -> None:
    assert round(521 / 22) == f["value"]


@for_ids("B-nodia")
def without_marks(f: Figure) -> None:
    """Percent more tokens without marks; on our texts the signs are the same."""
    for name, percent in f["value"].items():
        before, after = tokens(name.lower(), "NFC"), tokens(name.lower(), "no-marks")
        assert (after > before) == (percent > 0)
        assert engine.premium(after, before) == pytest.approx(1 + percent / 100, abs=0.06)


@for_ids("B-nfd-ratio")
def decomposed(f: Figure) -> None:
    assert f["note"].startswith("1.75, 2.14, 1.00, 1.74")
    for name, published in (
        ("cl100k_base", 1.75),
        ("o200k_base", 2.14),
        ("qwen2.5", 1.00),
        ("deepseek-v3", 1.74),
    ):
        ratio = engine.premium(tokens(name, "NFD"), tokens(name, "NFC"))
        assert ratio == pytest.approx(published, rel=0.1)
