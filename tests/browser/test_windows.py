"""Training examples on the Prompt page in a browser: the published windows, on every screen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import watched
from tests.browser.driver import App, settle
from tests.browser.test_look import faults
from tests.browser.tokens_page import WAIT_MS
from tests.shared import records

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

FIGURE = next(record for record in records("figures.json") if record["id"] == "C-window")


@contextmanager
def shown(browser: Browser, app: App, **options: Any) -> Iterator[Page]:
    with watched(browser, **options) as page:
        page.goto(f"{app.url}/prompt?see=examples&over=10-19&training=50")
        # The windows, and both ways to split them: a later picture may be drawn before the first.
        expect(page.locator(".windows")).to_have_count(3, timeout=WAIT_MS)
        settle(page, timeout=WAIT_MS)
        yield page


def drawn(page: Page, row: str) -> list[list[int]]:
    """The ids of the inputs or targets of each window of the first picture."""
    rows = page.locator(".windows").first.locator(f"tr.{row}")
    return [
        [int(str(cell.get_attribute("data-id"))) for cell in one.locator("td.token").all()]
        for one in rows.all()
    ]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_the_published_windows(browser: Browser, app: App, scheme: str, width: int) -> None:
    viewport = {"width": width, "height": 844}
    with shown(browser, app, viewport=viewport, color_scheme=scheme) as page:
        pairs = zip(drawn(page, "inputs"), drawn(page, "targets"), strict=True)
        assert [list(pair) for pair in pairs] == FIGURE["value"]
        expect(page.get_by_text("No token stands in both parts.")).to_be_visible()
        expect(page.get_by_text("3 tokens stand in both parts")).to_be_visible()
        assert page.locator(".windows").last.locator(".token.shared").count() > 0
        assert faults(page) == []
        across = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
        assert across <= width
