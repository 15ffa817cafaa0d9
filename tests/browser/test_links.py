"""Addresses: what they keep, what they refuse, and that a late one undoes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import watched
from tests.browser.driver import App, open_page, running_app
from tests.browser.tokens_page import WAIT_MS, TokensPage
from tests.shared import tokenizer

pytestmark = pytest.mark.browser

TEXT = "<|endoftext|> e\u0323\u0302 \tHello  \u200b"


@pytest.fixture(scope="module")
def other(browser: Browser) -> Iterator[TokensPage]:
    """A tab on a server that has seen nothing yet."""
    with running_app() as fresh, watched(browser) as opened:
        yield TokensPage(opened, fresh)


def shared_link(tab: TokensPage) -> str:
    """The address that the panel for sharing offers."""
    tab.settled()
    tab.page.get_by_role("button", name="Share").click()
    link = tab.page.get_by_test_id("stPopoverBody").get_by_test_id("stCode")
    text = link.inner_text().strip()
    tab.page.keyboard.press("Escape")
    return text


def test_a_link_shows_the_same_on_a_fresh_server(app: App, page: Page, other: TokensPage) -> None:
    tab = TokensPage(page, app).open(t="gpt2,o200k_base")
    tab.paste(TEXT)
    page.get_by_role("button", name="Bytes", exact=True).click()
    page.get_by_label("Colour by").select_option("rank")
    page.get_by_role("radio", name="become control tokens").click()
    ids = tokenizer("gpt2").encode(TEXT, special="parse").ids
    tab.expect_count(len(ids))
    page.wait_for_url(lambda url: "special=parse" in url and "colour=rank" in url, timeout=WAIT_MS)
    link = shared_link(tab)
    assert link == page.url or urlsplit(link).query == urlsplit(page.url).query
    open_page(other.page, link.replace(app.url, other.app.url))
    other.settled()
    assert other.ids() == ids
    assert other.box.input_value() == TEXT
    assert other.ids(1) == tokenizer("o200k_base").encode(TEXT, special="parse").ids
    expect(other.page.locator("[data-form=bytes]")).to_have_attribute("aria-pressed", "true")
    expect(other.page.get_by_label("Colour by")).to_have_value("rank")
    expect(other.page.get_by_role("radio", name="become control tokens")).to_be_checked()
    expect(other.page.locator("[class*=st-key-warning_link], .stException")).to_have_count(0)


def test_a_link_opens_the_projector_and_another_part(other: TokensPage) -> None:
    other.open(projector="dark", s="strawberry", t="gpt2")
    expect(other.page.get_by_test_id("stSidebar")).to_be_hidden()
    assert "strawberry" in other.drawn_text()
    other.open("/tokens", part="ids", t="gpt2", ids="[15496, 995]")
    expect(other.page.get_by_test_id("stCode").first).to_have_text("Hello world")


def test_a_long_text_is_not_in_the_link(app: App, page: Page) -> None:
    tab = TokensPage(page, app).open()
    tab.paste("".join(chr(0x4E00 + place * 7919 % 20_000) for place in range(5_000)))
    tab.settled()
    assert "x" not in parse_qs(urlsplit(page.url).query)
    page.get_by_role("button", name="Share").click()
    expect(
        page.get_by_text("The text is too long for an address: the link carries the settings only.")
    ).to_be_visible()
    page.keyboard.press("Escape")
    tab.paste("short")
    page.wait_for_url(lambda url: "x=" in url, timeout=WAIT_MS)


def test_hostile_addresses_are_answered_with_a_sentence(app: App, page: Page) -> None:
    evil = '"><img src=x onerror=alert(1)><script>alert(1)</script>'
    tab = TokensPage(page, app).open(t=evil, show="*b* $x$", s=evil, x="eNrT", of=evil, model=evil)
    tab.expect_said("The link asks for the tokenizer '\"><img src=x onerror=alert(1)><script")
    tab.expect_said("The link asks for show='*b* $x$'; there is text, ids, bytes, stand-ins.")
    tab.expect_said("The text in the link is damaged, so a sample is shown instead.")
    assert "Xin chào" in tab.drawn_text()
    assert page.locator("img[src=x]").count() == 0
    expect(page.locator(".stException")).to_have_count(0)


def test_what_is_done_quickly_is_not_undone_by_an_address_on_its_way(app: App, page: Page) -> None:
    """The browser sends the address it has, which may be some changes behind."""
    tab = TokensPage(page, app).open(t="gpt2")
    for turn in range(3):
        tab.paste(f"turn {turn}")
        for form in ("Stand-ins", "Text"):
            page.get_by_role("button", name=form, exact=True).click()
    tab.box.fill("")
    tab.box.press_sequentially("typed slowly, with pauses", delay=90)
    tab.expect_count(len(tokenizer("gpt2").encode("typed slowly, with pauses")))
    tab.settled()
    assert tab.drawn_text() == "typed slowly, with pauses"
    assert tab.box.input_value() == "typed slowly, with pauses"
    expect(page.locator("[data-form=text]")).to_have_attribute("aria-pressed", "true")


def test_the_back_button_shows_what_was_before(app: App, page: Page) -> None:
    tab = TokensPage(page, app).open(t="gpt2")
    tab.paste("the first text")
    tab.settled()
    tab.paste("a second text")
    tab.settled()
    # Opening a part of the page tells the server that the browser has the newest address.
    page.get_by_text("Other ways to cut this text").click()
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible(timeout=WAIT_MS)
    tab.settled()
    page.go_back()
    expect(tab.box).to_have_value("the first text", timeout=WAIT_MS)
    tab.expect_count(len(tokenizer("gpt2").encode("the first text")))
