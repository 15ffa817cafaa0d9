"""The Streaming page in a browser: every state that is drawn is that of the engine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Locator, expect

from engine.streaming import WAYS, stream
from pages.ui.settings import pack_text
from tests.browser.conftest import watched
from tests.browser.driver import App, paste
from tests.browser.player_page import PlayerPage
from tests.browser.test_look import faults
from tests.browser.tokens_page import WAIT_MS
from tests.shared import tokenizer

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

NAME = "Nguyễn Văn A sẽ đến"
CL100K = {"t": "cl100k_base"}
ALONE, KEPT, PREFIX, WORD = WAYS
_ENDS = (".screen", ".streamed:not(.ghost) .chunk:last-child")


class StreamingPage(PlayerPage):
    """The page in one browser tab."""

    path = "streaming"
    ready = ".way"
    slider = "Tokens that have come"

    def open(self, text: str, **words: str) -> StreamingPage:
        """Go to the page with that text and wait until it has said all."""
        words["x"] = pack_text(text) or ""
        return self.visit(words)

    def way(self, name: str) -> Locator:
        return self.page.locator(f".way[data-way='{name}']")

    def text(self, name: str) -> str:
        """The text that a way shows, its sign for a line end read back."""
        found = self.way(name).locator(".streamed:not(.ghost)").text_content() or ""
        return found.replace("↵", "\n")

    def held(self, name: str) -> int:
        return int(self.way(name).locator(".held").get_attribute("data-bytes") or 0)

    def number(self, name: str, count: str) -> str:
        return self.way(name).locator(f"[data-count={count}]").inner_text()

    def requests(self) -> list[str]:
        """What is asked of the server from now on."""
        asked: list[str] = []
        # The browser asks for the icon whenever it likes.
        self.page.on("request", lambda one: "favicon" in one.url or asked.append(one.url))
        return asked


@contextmanager
def shown(
    browser: Browser,
    app: App,
    text: str = NAME,
    words: dict[str, str] | None = None,
    **options: Any,
) -> Iterator[StreamingPage]:
    with watched(browser, **options) as opened:
        yield StreamingPage(opened, app).open(text, **(words or CL100K))


@pytest.fixture(scope="module")
def tab(browser: Browser, app: App) -> Iterator[StreamingPage]:
    with shown(browser, app) as opened:
        yield opened


def ids_of(name: str, text: str) -> list[int]:
    return cast("list[int]", tokenizer(name).encode(text).ids)


def check_state(tab: StreamingPage, name: str, ids: list[int], step: int) -> None:
    """Text, held bytes and work of all ways, against the engine."""
    for way in WAYS:
        moments = stream(tokenizer(name), ids, way)[:step]
        assert tab.text(way) == "".join(moment.shown for moment in moments)
        assert tab.held(way) == (len(moments[-1].pending) if moments else 0)
        work, calls = (moments[-1].work, moments[-1].calls) if moments else (0, 0)
        assert tab.number(way, "work").split(" ")[0] == f"{work:,}"
        assert tab.number(way, "calls") == f"{calls:,}"
        waited = sum(not moment.shown and bool(moment.pending) for moment in moments[: len(ids)])
        assert tab.number(way, "waited") == f"{waited:,}"


def test_every_state(tab: StreamingPage) -> None:
    ids = ids_of("cl100k_base", NAME)
    for step in range(len(ids) + 2):
        tab.go_to(step)
        check_state(tab, "cl100k_base", ids, step)
        words = f"token {step} of {len(ids)}" if step <= len(ids) else "the end"
        expect(tab.page.locator(".transport .place")).to_have_text(words)


def test_states_of_other_texts(browser: Browser, app: App) -> None:
    """Forward and back, over a line end, and to signs that the prefix loses."""
    with shown(browser, app, "龘龘, 你好.\ncaf\ufffd!\ufffd", {"t": "qwen3"}) as tab:
        ids = ids_of("qwen3", "龘龘, 你好.\ncaf\ufffd!\ufffd")
        last = len(ids) + 1
        for step in (last, 3, 0, 5, 4, last - 1, last):
            tab.go_to(step)
            check_state(tab, "qwen3", ids, step)


def test_broken_characters_are_marked_and_real_signs_are_not(
    browser: Browser, app: App, tab: StreamingPage
) -> None:
    wrong, real = (f".streamed:not(.ghost) .sign-{kind}" for kind in ("wrong", "real"))
    tab.go_to(15)
    expect(tab.way(ALONE).locator(wrong)).to_have_count(4)
    expect(tab.page.locator(wrong)).to_have_count(4)
    expect(tab.page.locator(real)).to_have_count(0)
    with shown(browser, app, "caf\ufffd!", {"t": "qwen3", "at": "4"}) as other:
        expect(other.page.locator(wrong)).to_have_count(0)
        expect(other.page.locator(real)).to_have_count(4)


def test_keys_play_and_step_without_the_server(tab: StreamingPage) -> None:
    page = tab.page
    tab.go_to(0)
    page.wait_for_url("**at=0**", timeout=WAIT_MS)
    tab.settled()
    page.locator(".arriving").click(position={"x": 2, "y": 2})
    asked = tab.requests()
    for key, step in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 15),
        ("Home", 0),
    ):
        page.keyboard.press(key)
        tab.expect_step(step)
    page.keyboard.press("?")
    expect(page.locator("dialog.keys")).to_be_visible()
    expect(page.locator("dialog.keys")).to_contain_text("one token back")
    page.keyboard.press("Escape")
    for _ in range(3):
        page.keyboard.press("+")
    expect(page.get_by_label("Speed")).to_have_value("50")
    expect(page.locator(".speeds")).to_contain_text("50 tokens per second")
    expect(page.locator(".speeds")).to_contain_text("68 characters per second (19 graphemes")
    page.keyboard.press(" ")
    tab.expect_step(15)
    expect(tab.player).to_have_attribute("data-playing", "false", timeout=WAIT_MS)
    expect(page.locator(".live")).to_contain_text("The end")
    assert asked == []
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("-")
    tab.go_to(3)
    expect(page.locator(".live")).to_contain_text(
        "Token 3 of 14, '⟨e1 bb⟩': Each token alone shows a wrong sign; "
        "Bytes kept back waits with 2 bytes"
    )


def test_nothing_moves_while_tokens_come(tab: StreamingPage) -> None:
    places = set()
    for step in range(16):
        tab.go_to(step)
        boxes = [
            tab.way(way).locator(".way-numbers").evaluate("(one) => one.offsetTop") for way in WAYS
        ]
        boxes.append(tab.page.locator(".score").evaluate("(one) => one.offsetTop"))
        boxes.append(tab.page.locator(".speeds").evaluate("(one) => one.offsetTop"))
        places.add(tuple(boxes))
    assert len(places) == 1


def test_a_click_on_a_column_goes_there(tab: StreamingPage) -> None:
    tab.go_to(15)
    tab.page.locator("[data-column='4']").click()
    tab.expect_step(4)
    expect(tab.page.locator(".score-column.current")).to_have_attribute("data-column", "4")
    assert tab.page.locator(".score-column.to-come").count() == 11


def test_the_link_restores_step_and_speed_on_a_fresh_tab(
    browser: Browser, app: App, tab: StreamingPage
) -> None:
    tab.go_to(12)
    tab.page.get_by_label("Speed").select_option("10")
    tab.page.wait_for_url("**at=12**", timeout=WAIT_MS)
    tab.page.wait_for_url("**rate=10**", timeout=WAIT_MS)
    with watched(browser) as opened:
        opened.goto(tab.page.url)
        other = StreamingPage(opened, app)
        other.expect_step(12)
        expect(opened.get_by_label("Speed")).to_have_value("10")
        assert other.text(KEPT) == "Nguyễn Văn A sẽ"


def test_a_stream_that_breaks_off_is_flushed_visibly(browser: Browser, app: App) -> None:
    with shown(browser, app, "龘龘你好", {"t": "qwen3"}) as tab:
        tab.page.get_by_role("button", name="Stop inside a character").click()
        expect(tab.page.locator(".arriving")).to_contain_text(
            "No more tokens come, and 2 bytes of a character wait for the rest.", timeout=WAIT_MS
        )
        tab.expect_step(4)
        for way in (KEPT, WORD):
            assert tab.text(way) == "龘\ufffd"
            expect(tab.way(way).locator(".held")).to_have_text(
                "at the end: what was held (2 bytes) is shown"
            )
        assert tab.text(PREFIX) == "龘"
        expect(tab.way(PREFIX).locator(".held")).to_contain_text("lost: 2 bytes never shown")


def test_a_megabyte_is_played_from_its_beginning(browser: Browser, app: App) -> None:
    with shown(browser, app) as tab:
        paste(tab.page, "the quick brown fox. " * 50_000)
        expect(tab.page.get_by_text("tokens are played.")).to_have_text(
            "The first 2,000 of 250,001 tokens are played.", timeout=100_000
        )
        tab.settled()
        tab.go_to(2_001)
        assert tab.text(KEPT) == ("the quick brown fox. " * 400).rstrip()
        tab.go_to(1_000)
        assert tab.text(KEPT).endswith("fox.")
        assert tab.page.locator(".score-column").count() == 60
        # The end of the text is in sight.
        screen, text = (tab.way(KEPT).locator(part).bounding_box() for part in _ENDS)
        assert screen is not None
        assert text is not None
        assert screen["y"] < text["y"] + text["height"] <= screen["y"] + screen["height"]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_accessibility(browser: Browser, app: App, scheme: str, width: int) -> None:
    words = {"t": "cl100k_base", "at": "12"}
    viewport = {"width": width, "height": 844}
    with shown(browser, app, words=words, viewport=viewport, color_scheme=scheme) as tab:
        assert faults(tab.page) == []
        across = tab.page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
        assert across <= width


def test_the_projector(browser: Browser, app: App) -> None:
    words = {"t": "cl100k_base", "projector": "dark", "at": "2"}
    with shown(browser, app, words=words, reduced_motion="reduce") as tab:
        expect(tab.page.get_by_test_id("stSidebar")).to_be_hidden()
        expect(tab.page.locator("textarea")).to_have_count(0)
        tab.page.keyboard.press("ArrowRight")
        tab.expect_step(3)
        assert faults(tab.page) == []
        moving = tab.page.evaluate(
            """() => document.getAnimations().filter((a) => a.playState === 'running'
                && a.effect.getComputedTiming().duration > 1).length"""
        )
        assert moving == 0
