"""Projector, phone, dark theme, reduced motion; accessibility as axe sees it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import watched
from tests.browser.driver import App
from tests.browser.tokens_page import WAIT_MS, TokensPage

pytestmark = pytest.mark.browser

# Rules that widgets of Streamlit's own break, with the reason.
NOT_OURS: dict[str, str] = {}
# The pinned card lies at the bottom edge of a phone and hides no part of its token.
NOT_COVERED = """(token) => token.getBoundingClientRect().bottom
    <= token.getRootNode().querySelector('.card').getBoundingClientRect().top + 1"""
GROW = """(token) => {
    const late = document.createElement('div');
    const card = token.getRootNode().querySelector('.card');
    late.style.height = `${card.getBoundingClientRect().top - token.getBoundingClientRect().top}px`;
    card.append(late);
}"""
Scheme = Literal["light", "dark"]


@contextmanager
def shown(
    browser: Browser, app: App, *, scheme: Scheme = "light", width: int = 1280, **words: str
) -> Iterator[TokensPage]:
    """The page as somebody with that machine sees it."""
    options: dict[str, Any] = {"viewport": {"width": width, "height": 844}, "color_scheme": scheme}
    if width < 640:
        options["has_touch"] = True
    with watched(browser, **options) as page:
        yield TokensPage(page, app).open(**words)


def faults(page: Page) -> list[str]:
    """What axe calls serious or critical, one line for each element."""
    result = Axe().run(page).response
    return [
        f"{rule['id']}: {node['target']} {node['html'][:120]} {node['failureSummary']}"
        for rule in result["violations"]
        if rule["impact"] in ("serious", "critical") and rule["id"] not in NOT_OURS
        for node in rule["nodes"]
    ]


def shade(color: str) -> float:
    """Mean of the channels of a computed colour, 0 to 255."""
    channels = color[color.index("(") + 1 : -1].split(",")[:3]
    return sum(float(channel) for channel in channels) / 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_themes(browser: Browser, app: App, scheme: Scheme) -> None:
    with shown(browser, app, scheme=scheme) as tab:
        ground = shade(tab.style(tab.page.locator(".stApp"), "backgroundColor"))
        ink = shade(tab.style(tab.tokens().first, "color"))
        assert (ground > 240 and ink < 60) if scheme == "light" else (ground < 40 and ink > 200)
        tab.tokens().first.click()
        expect(tab.card()).to_be_visible()
        assert faults(tab.page) == []


@pytest.mark.parametrize(("way", "scheme"), [("light", "dark"), ("dark", "light")])
def test_the_projector(browser: Browser, app: App, way: str, scheme: Scheme) -> None:
    with shown(browser, app, scheme=scheme, projector=way) as tab:
        page = tab.page
        for chrome in ("stSidebar", "stHeader"):
            expect(page.get_by_test_id(chrome)).to_be_hidden()
        ground = shade(tab.style(page.locator(".stApp"), "backgroundColor"))
        assert ground == (255 if way == "light" else 0)
        assert shade(tab.style(tab.tokens().first, "color")) == (0 if way == "light" else 255)
        assert float(tab.style(tab.tokens().first, "fontSize")[:-2]) >= 1.6 * 16
        assert float(tab.style(tab.column().locator(".value"), "fontSize")[:-2]) >= 64
        assert faults(page) == []
        if way == "light":
            expect(tab.box).to_be_focused()
        else:
            tab.tokens().first.focus()
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Escape")
            expect(tab.card()).to_be_hidden()
        # One key from the box, or from a token whose card is closed.
        page.keyboard.press("Escape")
        expect(page.get_by_role("radio", name="Off")).to_be_checked(timeout=WAIT_MS)
        assert "projector" not in page.url


def test_the_phone(browser: Browser, app: App) -> None:
    with shown(browser, app, width=390) as tab:
        page = tab.page
        for words in ("a" * 300, "Xin chào! 你好！ 👨‍👩‍👧‍👦 <|endoftext|>\n" * 5):
            tab.paste(words)
            tab.settled()
            wide = page.evaluate(
                """() => [document.documentElement, ...document.querySelectorAll(
                    '[data-testid=stMain], [data-testid=stMainBlockContainer]',
                )].filter((box) => box.scrollWidth > box.clientWidth + 1).length"""
            )
            assert wide == 0
        columns = [tab.column(place).bounding_box() for place in range(2)]
        assert columns[0] is not None
        assert columns[1] is not None
        assert columns[1]["y"] > columns[0]["y"]
        token = tab.tokens().nth(5)
        token.scroll_into_view_if_needed()
        token.tap()
        expect(tab.card()).to_be_visible()
        card = tab.card().bounding_box()
        assert card is not None
        assert (card["x"], card["width"]) == (0, 390)
        assert card["y"] + card["height"] == pytest.approx(844, abs=1)
        page.wait_for_function(NOT_COVERED, arg=token.element_handle())
        # A font that comes late makes the card higher, and the token stays in sight.
        token.evaluate(GROW)
        page.wait_for_function(NOT_COVERED, arg=token.element_handle())
        assert faults(page) == []


def test_reduced_motion(browser: Browser, app: App) -> None:
    with watched(browser, reduced_motion="reduce") as page:
        tab = TokensPage(page, app).open()
        for target in (tab.tokens().first, page.get_by_role("radio", name="Ids to text")):
            assert tab.style(target, "transitionDuration") in ("0s", "")
            assert tab.style(target, "animationName") == "none"
