"""A tokenizer of one's own in a browser: uploaded, used, removed; a bad file and its sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

import engine
from tests.browser.conftest import watched
from tests.browser.driver import App
from tests.browser.tokens_page import FIRST_CHECK_MS, WAIT_MS, TokensPage
from tests.pages.test_own_tokenizers import small, table
from tests.shared import tokenizer

pytestmark = pytest.mark.browser


@pytest.fixture
def tab(browser: Browser, app: App) -> Iterator[TokensPage]:
    with watched(browser) as opened:
        yield TokensPage(opened, app).open(t="gpt2")


@pytest.fixture
def dark_phone(browser: Browser, app: App) -> Iterator[TokensPage]:
    size = {"width": 390, "height": 844}
    with watched(browser, viewport=size, color_scheme="dark", has_touch=True) as opened:
        yield TokensPage(opened, app).open(t="gpt2")


def panel(tab: TokensPage) -> Locator:
    """The open panel."""
    body = tab.page.get_by_test_id("stPopoverBody")
    if not body.is_visible():
        if tab.page.get_by_test_id("stExpandSidebarButton").is_visible():
            tab.page.get_by_test_id("stExpandSidebarButton").click()
        tab.page.get_by_role("button", name="Bring your own").click()
    return body


def bring(tab: TokensPage, name: str, data: bytes) -> None:
    """Upload a tokenizer file."""
    field = panel(tab).locator("input[type=file]")
    # The field is another after each file; the one before may stand a moment longer.
    tab.settled()
    expect(field).to_have_count(1, timeout=WAIT_MS)
    field.set_input_files([{"name": name, "mimeType": "application/octet-stream", "buffer": data}])


def chip(tab: TokensPage, name: str) -> Locator:
    """A tokenizer among the chosen ones."""
    return tab.page.locator(".stMultiSelect [data-tag]").filter(has_text=name)


def test_upload_use_remove(tab: TokensPage) -> None:
    bring(tab, "mine.json", engine.write_tokenizer_json(tokenizer("cl100k_base")))
    expect(chip(tab, "mine.json")).to_be_visible(timeout=WAIT_MS)
    tab.page.keyboard.press("Escape")
    tab.expect_said("mine.json: ✓ ids equal to tokenizers")
    tab.paste("Tiếng Việt 12345")
    ids = tokenizer("cl100k_base").encode("Tiếng Việt 12345").ids
    tab.expect_count(len(ids), 1)
    assert tab.ids(1) == ids
    assert tab.drawn_text(1) == "Tiếng Việt 12345"
    panel(tab).get_by_role("button", name="Remove").click()
    expect(chip(tab, "mine.json")).to_have_count(0, timeout=WAIT_MS)
    expect(tab.column(1)).to_have_count(0, timeout=WAIT_MS)
    assert "own~" not in tab.page.url


def test_what_is_dropped_is_struck_out_and_not_copied(tab: TokensPage) -> None:
    bring(tab, "low.json", small())
    expect(chip(tab, "low.json")).to_be_visible(timeout=WAIT_MS)
    tab.page.keyboard.press("Escape")
    tab.paste("low?lô")
    tab.expect_count(2, 1)
    assert tab.drawn_text(1) == "low?lô"
    assert tab.ids(1) == [4, 0]
    dropped = tab.column(1).locator(".kind-4")
    expect(dropped).to_have_text(["?", "ô"])
    dropped.first.hover()
    assert tab.card_rows()["position"] == "none"


def test_it_is_there_on_the_other_pages(tab: TokensPage) -> None:
    bring(tab, "low.json", small())
    expect(chip(tab, "low.json")).to_be_visible(timeout=WAIT_MS)
    tab.page.keyboard.press("Escape")
    tab.page.get_by_test_id("stPageLink").filter(has_text="Training").click()
    tab.page.wait_for_url("**/training**", timeout=WAIT_MS)
    expect(chip(tab, "low.json")).to_be_visible(timeout=WAIT_MS)
    about = tab.page.get_by_text("About low.json")
    about.click()
    tab.expect_said("The file cuts every text to 2 tokens")


def test_a_rank_table_asks_for_its_pattern(tab: TokensPage) -> None:
    bring(tab, "mine.tiktoken", table(b"ab"))
    panel(tab).get_by_role("button", name="Read the file").click(timeout=WAIT_MS)
    expect(chip(tab, "mine.tiktoken")).to_be_visible(timeout=WAIT_MS)
    tab.page.keyboard.press("Escape")
    tab.expect_said("mine.tiktoken: ✓ ids equal to tiktoken")
    tab.paste("abab c")
    tab.expect_count(4, 1)
    assert tab.ids(1) == [256, 256, 32, 99]


def test_a_bad_file_has_its_sentence_and_the_page_lives_on(dark_phone: TokensPage) -> None:
    tab = dark_phone
    bring(tab, "bert.json", json.dumps({"model": {"type": "WordPiece"}}).encode())
    sentence = panel(tab).get_by_text("bert.json: The model is WordPiece, not BPE")
    expect(sentence).to_be_visible(timeout=WAIT_MS)
    # Light text on a dark ground, though the panel is drawn outside of the app.
    red = tab.style(sentence, "color").removeprefix("rgb(").partition(",")[0]
    assert int(red) > 200
    ground = sentence.locator("xpath=ancestor::*[contains(@class, 'st-key-problem')][1]")
    assert tab.style(ground, "backgroundColor").endswith("0.08)")
    bring(tab, "low.json", small())
    expect(sentence).to_have_count(0, timeout=FIRST_CHECK_MS)
    expect(chip(tab, "low.json")).to_have_count(1, timeout=WAIT_MS)


def test_a_link_to_a_file_says_so_to_others(tab: TokensPage, browser: Browser, app: App) -> None:
    bring(tab, "low.json", small())
    expect(chip(tab, "low.json")).to_be_visible(timeout=WAIT_MS)
    tab.settled()
    tab.page.wait_for_url("**own~file~**")
    _, _, link = tab.page.url.partition("?")
    with watched(browser) as opened:
        other = TokensPage(opened, app)
        opened.goto(f"{app.url}/?{link}&show=bytes")
        other.settled()
        other.expect_said("The tokenizer low.json was read from somebody's file")
        expect(chip(other, "GPT-2")).to_be_visible()
        assert "show=bytes" in opened.url
