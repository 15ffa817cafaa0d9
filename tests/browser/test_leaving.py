"""Who pastes and goes on at once finds on coming back what was pasted."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import watched
from tests.browser.driver import App, paste, running_app
from tests.browser.test_training import TrainingPage
from tests.browser.tokens_page import WAIT_MS, TokensPage
from tests.shared import reference

pytestmark = pytest.mark.browser

# From a click that comes with the paste to one that meets its run, or its answer on the way.
DELAYS_MS = (0, 40, 120)


def leave(page: Page, part: str) -> None:
    """Go to another part of the page."""
    page.get_by_role("radio", name=part).click()


def go(page: Page, name: str) -> None:
    """Go to another page."""
    page.get_by_role("link", name=name).click()
    page.mouse.move(0, 0)  # its help would lie over the links


@pytest.mark.parametrize("delay", DELAYS_MS)
def test_ids(app: App, page: Page, delay: int) -> None:
    TokensPage(page, app).open("/tokens", part="ids", t="gpt2")
    paste(page, "[15496, 995]")
    page.wait_for_timeout(delay)
    leave(page, "Vocabulary")
    expect(page.locator("textarea")).to_have_count(0, timeout=WAIT_MS)
    leave(page, "Ids to text")
    expect(page.locator("textarea")).to_have_value("[15496, 995]", timeout=WAIT_MS)
    expect(page.get_by_test_id("stCode").first).to_have_text("Hello world", timeout=WAIT_MS)


@pytest.mark.parametrize("delay", DELAYS_MS)
def test_a_text(app: App, page: Page, delay: int) -> None:
    tab = TokensPage(page, app).open(t="gpt2")
    paste(page, "left at once")
    page.wait_for_timeout(delay)
    leave(page, "Vocabulary")
    expect(page.locator("textarea")).to_have_count(0, timeout=WAIT_MS)
    leave(page, "Text to tokens")
    expect(page.locator("textarea")).to_have_value("left at once", timeout=WAIT_MS)
    tab.expect_count(len(reference("gpt2").ids("left at once", "text")))


@pytest.mark.parametrize("delay", DELAYS_MS)
def test_a_text_and_another_page(app: App, page: Page, delay: int) -> None:
    TokensPage(page, app).open(t="gpt2")
    paste(page, "left for another page")
    page.wait_for_timeout(delay)
    go(page, "Training")
    page.wait_for_selector("[data-counter=tokens]", timeout=WAIT_MS)
    go(page, "Tokens")
    expect(page.locator("textarea")).to_have_value("left for another page", timeout=WAIT_MS)


@pytest.mark.parametrize("delay", DELAYS_MS)
def test_a_text_to_train_on(app: App, page: Page, delay: int) -> None:
    text = "banana bandana banana"
    TrainingPage(page, app).open()
    page.get_by_role("button", name="Own text").click()
    paste(page, text)
    page.wait_for_timeout(delay)
    go(page, "Tokens")
    page.wait_for_selector("[data-token]", timeout=WAIT_MS)
    go(page, "Training")
    # Nothing is merged yet, and each byte is a token.
    expect(page.locator("[data-counter=tokens]")).to_have_text(str(len(text)), timeout=WAIT_MS)


def test_back_before_the_other_part_is_done(browser: Browser) -> None:
    with running_app() as fresh, watched(browser) as page:
        TokensPage(page, fresh).open("/tokens", part="ids", t="deepseek-v3")
        paste(page, "[1, 2, 3]")
        # The first look into a vocabulary takes its time.
        leave(page, "Vocabulary")
        expect(page.locator("textarea")).to_have_count(0, timeout=WAIT_MS)
        leave(page, "Ids to text")
        expect(page.locator("textarea")).to_have_value("[1, 2, 3]", timeout=WAIT_MS)
        expect(page.get_by_text("3 ids")).to_be_visible(timeout=WAIT_MS)
        expect(page.locator("textarea")).to_have_value("[1, 2, 3]")
