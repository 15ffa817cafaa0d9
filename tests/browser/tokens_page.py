"""What a person does and sees on the Tokens page, in the words of the tests."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

from tests.browser.driver import App, open_page, painted, paste, settle, wait_for_new_paint

WAIT_MS = 60_000
# The first self-check of a tokenizer builds a library's own, which takes seconds for each.
FIRST_CHECK_MS = 100_000
# What is copied is kept in the page: a headless browser has no clipboard to rely on.
KEEP_COPIES = """
    navigator.clipboard.writeText = async (text) => { window.copied = text; };
"""
# The text as it is drawn: the signs for blanks and line ends read back, byte cells left out.
DRAWN = """(box) => {
    const copy = box.cloneNode(true);
    const replace = (selector, text) =>
        copy.querySelectorAll(selector).forEach((found) => found.replaceWith(text(found)));
    replace('.cells', () => '');
    replace('.space', ({ textContent }) => ' '.repeat(textContent.length));
    replace('.sign', ({ textContent }) => (textContent === '↵' ? '\\n' : '\\t'));
    return copy.textContent;
}"""


class TokensPage:
    """The page in one browser tab."""

    def __init__(self, page: Page, app: App) -> None:
        self.page = page
        self.app = app
        self.names: tuple[str, ...] = ()
        page.add_init_script(KEEP_COPIES)

    def open(self, path: str = "/", **words: str) -> TokensPage:
        """Go to an address of the app and wait until it has said all."""
        open_page(self.page, f"{self.app.url}{path}" + (f"?{urlencode(words)}" if words else ""))
        return self.settled()

    def settled(self) -> TokensPage:
        """Wait until the server has nothing more to say."""
        settle(self.page, timeout=FIRST_CHECK_MS)
        return self

    def paste(self, text: str) -> None:
        """Put another text into the box and wait for its tokens."""
        before = painted(self.page)
        paste(self.page, text)
        wait_for_new_paint(self.page, before)

    def paste_refused(self, text: str) -> None:
        """Put in a text that the box will not take."""
        paste(self.page, text)

    def open_upload(self) -> None:
        """Open the panel for files, if it is not open."""
        if not self.page.get_by_test_id("stFileUploader").is_visible():
            self.page.get_by_role("button", name="Upload a file").click()

    def upload(self, name: str, data: bytes) -> None:
        """Upload a file of that name."""
        self.open_upload()
        self.page.locator("input[type=file]").set_input_files(
            [{"name": name, "mimeType": "text/plain", "buffer": data}]
        )

    @property
    def box(self) -> Locator:
        """The text box."""
        return self.page.get_by_label("Text", exact=True)

    def column(self, place: int = 0) -> Locator:
        """The column of a tokenizer."""
        return self.page.locator(f"section[data-column='{place}']").first

    def tokens(self, place: int = 0) -> Locator:
        """The tokens that are drawn in a column."""
        return self.column(place).locator("[data-token]")

    def count(self, place: int = 0) -> int:
        """The large number of a column."""
        return int(self.column(place).locator(".value").inner_text().replace(",", ""))

    def expect_count(self, count: int, place: int = 0) -> None:
        """Wait until the large number of a column is this one."""
        expect(self.column(place).locator(".value")).to_have_text(f"{count:,}", timeout=WAIT_MS)

    def ids(self, place: int = 0) -> list[int]:
        """All ids of a column, by way of its button."""
        self.column(place).get_by_role("button", name="Copy ids").evaluate("(b) => b.click()")
        copied: list[int] = json.loads(self.page.evaluate("window.copied"))
        return copied

    def drawn_text(self, place: int = 0) -> str:
        """The text that the tokens of a column show, in their order in the page."""
        text: str = self.column(place).locator(".tokens").evaluate(DRAWN)
        return text

    def said(self, sentence: str) -> Locator:
        """A sentence on the page, exactly as it stands."""
        return self.page.get_by_test_id("stText").filter(has_text=sentence)

    def expect_said(self, sentence: str) -> None:
        """Wait for a sentence."""
        expect(self.said(sentence).first).to_be_visible(timeout=WAIT_MS)

    def card(self) -> Locator:
        """The card beside a token."""
        return self.page.locator(".card")

    def card_rows(self) -> dict[str, str]:
        """What the card says, by its terms."""
        rows: list[tuple[str, str]] = self.card().evaluate(
            """(card) => [...card.querySelectorAll('.row')].map(
                (row) => [row.querySelector('dt').textContent, row.querySelector('dd').innerText],
            )"""
        )
        return dict(rows)

    def style(self, target: Locator, name: str) -> Any:
        """A computed property."""
        return target.evaluate("(element, name) => getComputedStyle(element)[name]", name)
