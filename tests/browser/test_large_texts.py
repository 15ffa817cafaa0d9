"""Large and odd texts: exact totals, a window of tokens drawn, nothing lost past the limit."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.benchmarks.texts import mixed
from tests.browser.tokens_page import WAIT_MS, TokensPage
from tests.shared import reference

pytestmark = pytest.mark.browser

NAMES = ("cl100k_base", "o200k_base")
MOST_DRAWN = 4_000


def cut_exactly(tab: TokensPage, text: str) -> None:
    for place, name in enumerate(NAMES):
        ids = reference(name).ids(text, "text")
        assert tab.count(place) == len(ids)
        assert tab.ids(place) == ids
        assert 0 < tab.tokens(place).count() < MOST_DRAWN


def test_a_megabyte_is_cut_whole_and_drawn_in_part(tab: TokensPage) -> None:
    text = mixed(1_000_000, seed=1)
    tab.paste(text)
    cut_exactly(tab, text)
    tab.settled()
    tab.expect_said("ids equal to tiktoken")
    expect(tab.page.locator("[class*=_failed]")).to_have_count(0)
    # The end can be reached, and the beginning is let go.
    tab.tokens(0).first.click()
    tab.page.keyboard.press("Escape")
    tab.page.keyboard.press("End")
    last = len(reference(NAMES[0]).ids(text, "text")) - 1
    expect(tab.column(0).locator(f"[data-token='{last}']")).to_be_focused()
    expect(tab.column(0).locator("[data-token='0']")).to_have_count(0)
    assert tab.tokens(0).count() < MOST_DRAWN


def test_the_same_words_a_thousand_times(tab: TokensPage) -> None:
    """Case C018."""
    text = "the quick brown fox. " * 50_000
    tab.paste(text)
    cut_exactly(tab, text)


def test_a_word_of_a_hundred_thousand_letters(tab: TokensPage) -> None:
    tab.paste("a" * 100_000)
    cut_exactly(tab, "a" * 100_000)
    tab.tokens(0).first.hover()
    assert tab.card_rows()["in this text"].startswith("12,500 times")


def test_past_the_limit_a_sentence_and_nothing_lost(tab: TokensPage) -> None:
    tab.paste("what was there")
    ids = tab.ids()
    tab.page.evaluate("window.copied = ''")
    tab.paste_refused("x" * 5_000_001)
    notice = tab.page.get_by_text("the box takes up to 5.00 MB")
    expect(notice).to_be_visible(timeout=WAIT_MS)
    assert tab.box.input_value() == "what was there"
    assert tab.ids() == ids
    # The page is alive.
    tab.paste("and goes on")
    assert tab.ids() == reference(NAMES[0]).ids("and goes on", "text")
