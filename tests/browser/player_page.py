"""What the pages with a player have in common in a browser."""

from __future__ import annotations

from typing import ClassVar, Self
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

from tests.browser.driver import App, settle
from tests.browser.tokens_page import WAIT_MS

_SCRUB = """(slider, step) => {
    slider.value = step;
    slider.dispatchEvent(new Event('input', {bubbles: true}));
    slider.dispatchEvent(new Event('change', {bubbles: true}));
}"""


class PlayerPage:
    """The page in one browser tab.

    ``path`` is its address, ``ready`` a selector of what is drawn last, ``slider`` the label of the
    player's slider.
    """

    path: ClassVar[str]
    ready: ClassVar[str]
    slider: ClassVar[str] = "Merges made"

    def __init__(self, page: Page, app: App) -> None:
        self.page = page
        self.app = app

    def visit(self, words: dict[str, str]) -> Self:
        """Go to the page and wait until it has said all."""
        asked = f"?{urlencode(words)}" if words else ""
        self.page.goto(f"{self.app.url}/{self.path}{asked}")
        self.page.wait_for_selector(self.ready, timeout=WAIT_MS)
        return self.settled()

    def settled(self) -> Self:
        """Wait until the server has nothing more to say."""
        settle(self.page, timeout=WAIT_MS)
        return self

    @property
    def player(self) -> Locator:
        return self.page.locator(".player")

    def expect_step(self, step: int) -> None:
        expect(self.player).to_have_attribute("data-step", str(step), timeout=WAIT_MS)

    def go_to(self, step: int) -> None:
        """Scrub to a step and let go."""
        self.page.get_by_label(self.slider).evaluate(_SCRUB, step)
        self.expect_step(step)
