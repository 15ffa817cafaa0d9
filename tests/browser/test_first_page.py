"""The first page of a fresh visit, and a direct visit to every address."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from pages.ui.samples import sample
from tests.browser.conftest import watched
from tests.browser.driver import App, running_app
from tests.browser.tokens_page import WAIT_MS, TokensPage
from tests.shared import reference

pytestmark = pytest.mark.browser

GREETINGS = sample("greetings").text


def no_control_under_the_bar(page: Page) -> None:
    bar = page.get_by_test_id("stHeader").bounding_box()
    control = page.get_by_role("radio", name="Text to tokens").bounding_box()
    assert bar is not None
    assert control is not None
    assert control["y"] >= bar["y"] + bar["height"]
    assert page.get_by_test_id("stMain").evaluate("(main) => main.scrollTop") == 0


def test_three_greetings_cut_by_two_tokenizers(app: App, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    first = TokensPage(page, app).open()
    no_control_under_the_bar(page)
    assert first.page.locator("section.column").count() == 2
    for place, name in enumerate(("cl100k_base", "o200k_base")):
        ids = reference(name).ids(GREETINGS, "text")
        assert first.count(place) == len(ids)
        assert first.ids(place) == ids
        assert first.tokens(place).count() == len(ids)
        assert first.drawn_text(place) == GREETINGS
        first.expect_said("ids equal to tiktoken")
    expect(first.box).to_be_focused()
    expect(first.box).to_have_attribute("placeholder", "Paste any text")
    expect(first.box).to_have_value(GREETINGS)
    first.paste("Nothing of this goes out: 你好")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("This address shows what you see now.")).to_be_visible()
    # No request has left the machine.
    hosts = {urlsplit(url).netloc for url in asked if not url.startswith(("data:", "blob:"))}
    assert hosts == {urlsplit(app.url).netloc}


def test_every_address_can_be_visited_directly(app: App, page: Page) -> None:
    for path in ("/tokens", "/tokens/"):
        first = TokensPage(page, app).open(path)
        assert first.count() == len(reference("cl100k_base").ids(GREETINGS, "text"))
        # The app's own list of pages, and not a second one of files.
        expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)
        expect(page).to_have_title("Tokenarium")


def test_an_unknown_address_leads_to_the_first_page(app: App, page: Page) -> None:
    first = TokensPage(page, app).open("/no-such-page")
    expect(page.get_by_role("dialog")).to_contain_text("not found")
    assert first.count() > 0


def test_a_page_is_laid_out_the_same_for_the_first_visitor_of_a_server(browser: Browser) -> None:
    """Before any visit to the start, Streamlit runs a page's file alone."""
    with running_app() as fresh, watched(browser) as page:
        page.goto(f"{fresh.url}/training")
        player = page.locator("[data-counter=tokens]")
        expect(player).to_be_visible(timeout=WAIT_MS)
        expect(page).to_have_title("Tokenarium")
        box = page.get_by_test_id("stMainBlockContainer").bounding_box()
        assert box is not None
        assert box["width"] > 900
