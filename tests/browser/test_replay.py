"""The Replay page in a browser: every state that is drawn is that of the engine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from engine.merge_rules import rules_of
from engine.replay_merges import PieceReplay
from pages.ui.settings import pack_text
from tests.browser.conftest import watched
from tests.browser.driver import App, paste, running_app
from tests.browser.player_page import PlayerPage
from tests.browser.test_look import faults
from tests.browser.tokens_page import WAIT_MS, TokensPage
from tests.shared import tokenizer

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

LESSON = "我想学推理 hello"


class ReplayPage(PlayerPage):
    """The page in one browser tab."""

    path = "replay"
    ready = ".player .part"

    def open(self, text: str, **words: str) -> ReplayPage:
        """Go to the page with that text and wait until it has said all."""
        words["x"] = pack_text(text) or ""
        return self.visit(words)

    def lane(self, place: int = 0) -> Locator:
        return self.page.locator(".lane").nth(place)

    def ids(self, place: int = 0) -> list[int]:
        """The ids below the tokens."""
        return [int(words) for words in self.lane(place).locator(".part-id").all_inner_texts()]

    def ranks(self) -> list[int]:
        """The ranks of the listed pairs, the winner first."""
        words = self.lane().locator(".pair-rank").all_inner_texts()
        return [int(word.replace(",", "")) for word in words]

    def heap(self) -> str:
        """The heap as it is drawn, entry by entry; stale ones with a mark."""
        return str(self.lane().locator(".heap-view").get_attribute("data-heap"))

    def piece(self, place: int) -> Locator:
        return self.page.locator(f"[data-piece='{place}']")


@contextmanager
def shown(
    browser: Browser,
    app: App,
    text: str = LESSON,
    words: dict[str, str] | None = None,
    **options: Any,
) -> Iterator[ReplayPage]:
    with watched(browser, **options) as opened:
        yield ReplayPage(opened, app).open(text, **(words or {"t": "qwen3", "piece": "1"}))


@pytest.fixture(scope="module")
def tab(browser: Browser, app: App) -> Iterator[ReplayPage]:
    with shown(browser, app, words={"t": "qwen3", "piece": "1", "hood": "1"}) as opened:
        yield opened


def check_state(tab: ReplayPage, played: PieceReplay, step: int) -> None:
    """What the browser has rebuilt, against the engine: tokens, pairs, heap, list."""
    assert tab.ids() == [part.id for part in played.parts(step)]
    found = [c.found for c in played.candidates(step) if c.found is not None]
    assert tab.ranks() == sorted(f.rank for f in found)
    heap = [f"{e.rank}@{e.position}{'!' if e.stale else ''}" for e in played.heap(step)]
    assert tab.heap() == " ".join(heap)
    positions = tab.lane().locator(".link > b").all_inner_texts()
    assert positions == [str(link.position) for link in played.links(step)]


def test_every_step_of_the_published_piece(tab: ReplayPage) -> None:
    played = PieceReplay(rules_of(tokenizer("qwen3")), " hello")
    for step in range(len(played) + 1):
        tab.go_to(step)
        check_state(tab, played, step)
    expect(tab.lane().locator(".sentence")).to_contain_text("the ids are 23811")
    tab.go_to(2)
    assert tab.lane().locator(".pair-row.wins .pair-rank").inner_text() == "129"


def test_keys_step_without_the_server(tab: ReplayPage) -> None:
    page = tab.page
    tab.go_to(0)
    tab.settled()
    page.evaluate("document.activeElement?.blur()")
    page.locator(".parts").click(position={"x": 2, "y": 2})
    requests: list[str] = []
    page.on(
        "request",
        # The browser asks for the icon whenever it likes.
        lambda request: "favicon" in request.url or requests.append(request.url),
    )
    for key, step in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 5),
        ("Home", 0),
    ):
        page.keyboard.press(key)
        tab.expect_step(step)
    page.keyboard.press("?")
    expect(page.locator("dialog.keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("+")
    page.keyboard.press(" ")
    tab.expect_step(5)
    expect(tab.player).to_have_attribute("data-playing", "false", timeout=WAIT_MS)
    assert requests == []
    expect(page.locator(".live")).to_contain_text("Merged ' h' and 'ello' to ' hello', rank 23555")


def test_a_piece_is_chosen_by_click_and_by_keys(tab: ReplayPage) -> None:
    tab.piece(0).click()
    expect(tab.lane().locator(".number")).to_have_text("15", timeout=WAIT_MS)
    tab.expect_step(0)
    tab.settled()
    tab.piece(0).focus()
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("Enter")
    expect(tab.lane().locator(".number")).to_have_text("6", timeout=WAIT_MS)
    tab.settled()
    assert parse_qs(urlsplit(tab.page.url).query)["piece"] == ["1"]


def test_the_tree_grows_and_nothing_moves(tab: ReplayPage) -> None:
    def top() -> tuple[float, float]:
        box = tab.page.locator(".transport").bounding_box()
        assert box is not None
        return box["y"] + float(
            tab.page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop")
        ), box["x"]

    hood = tab.page.get_by_text("Under the hood")
    hood.click()
    expect(tab.page.locator(".hood")).to_be_hidden(timeout=WAIT_MS)
    tab.settled()
    tab.go_to(0)
    places = {top()}
    for step in range(1, 6):
        tab.go_to(step)
        places.add(top())
        drawn = tab.lane().locator(".tree-tile[data-merge]:not([hidden])")
        expect(drawn).to_have_count(step)
    assert len(places) == 1
    hood.click()
    expect(tab.page.locator(".hood")).to_be_visible(timeout=WAIT_MS)


def test_the_link_restores_the_step_on_a_fresh_tab(
    browser: Browser, app: App, tab: ReplayPage
) -> None:
    tab.go_to(3)
    tab.page.wait_for_url("**step=3**", timeout=WAIT_MS)
    with watched(browser) as opened:
        opened.goto(tab.page.url)
        other = ReplayPage(opened, app)
        other.expect_step(3)
        assert other.ids() == [305, 301, 385]
        expect(other.piece(1)).to_have_attribute("aria-selected", "true")


def test_the_link_restores_all_on_a_fresh_server(browser: Browser, tab: ReplayPage) -> None:
    """Tokenizer, text, piece, and step, by a server that never saw them."""
    tab.piece(1).click()
    expect(tab.lane().locator(".number")).to_have_text("6", timeout=WAIT_MS)
    tab.settled()
    tab.go_to(3)
    tab.page.wait_for_url("**step=3**", timeout=WAIT_MS)
    asked = parse_qs(urlsplit(tab.page.url).query)
    with running_app() as fresh, watched(browser) as opened:
        opened.goto(f"{fresh.url}/replay?{urlsplit(tab.page.url).query}")
        other = ReplayPage(opened, fresh)
        other.expect_step(3)
        assert other.ids() == [305, 301, 385]
        expect(other.piece(1)).to_have_attribute("aria-selected", "true")
        expect(other.lane()).to_have_attribute("aria-label", "Qwen3")
        expect(opened.get_by_label("Text", exact=True)).to_have_value(LESSON)
        other.settled()
        assert parse_qs(urlsplit(opened.url).query) == asked


# The file itself says: rank 0 makes "lo", rank 1 makes "low"; x is in no table.
UPLOADED = {
    "model": {
        "type": "BPE",
        "vocab": {"l": 0, "o": 1, "w": 2, "lo": 3, "low": 4},
        "merges": [["l", "o"], ["lo", "w"]],
    }
}


def test_an_uploaded_file_is_replayed_in_its_session_alone(browser: Browser, app: App) -> None:
    with shown(browser, app, "lowwol", {"t": "gpt2"}) as tab, watched(browser) as opened:
        bystander = ReplayPage(opened, app).open("lowwol", t="gpt2")
        tab.page.get_by_role("button", name="Bring your own").click()
        panel = tab.page.get_by_test_id("stPopoverBody")
        for name, data in (("bad.json", b"{"), ("low.json", json.dumps(UPLOADED).encode())):
            # The field is another after each file; the one before may stand a moment longer.
            tab.settled()
            field = panel.locator("input[type=file]")
            expect(field).to_have_count(1, timeout=WAIT_MS)
            field.set_input_files([{"name": name, "mimeType": "application/json", "buffer": data}])
            if name == "bad.json":
                expect(panel.get_by_text("bad.json: The file is no valid JSON")).to_be_visible(
                    timeout=WAIT_MS
                )
        chip = tab.page.locator(".stMultiSelect [data-tag]").filter(has_text="low.json")
        expect(chip).to_be_visible(timeout=WAIT_MS)
        expect(panel.get_by_text("bad.json:")).to_have_count(0, timeout=WAIT_MS)
        tab.page.keyboard.press("Escape")
        tab.page.get_by_test_id("stButtonGroup").get_by_text("low.json").click()
        expect(tab.lane()).to_have_attribute("aria-label", "low.json", timeout=WAIT_MS)
        tab.settled()
        tab.go_to(1)
        assert tab.ids() == [3, 2, 2, 1, 0]
        assert tab.ranks() == [1]
        tab.go_to(2)
        assert tab.ids() == [4, 2, 1, 0]
        opened.get_by_role("combobox", name="Tokenizers").click()
        expect(opened.get_by_role("option").first).to_be_visible(timeout=WAIT_MS)
        expect(opened.get_by_role("option").filter(has_text="low.json")).to_have_count(0)
        expect(bystander.lane()).to_have_attribute("aria-label", "GPT-2")


def test_another_text_replaces_the_piece(browser: Browser, app: App) -> None:
    with shown(browser, app) as tab:
        paste(tab.page, "hello 12345")
        expect(tab.piece(2)).to_be_visible(timeout=WAIT_MS)
        tab.settled()
        tab.piece(0).click()
        expect(tab.lane().locator(".number")).to_have_text("5", timeout=WAIT_MS)


def test_two_tokenizers_step_together(browser: Browser, app: App) -> None:
    words = {"t": "cl100k_base", "with": "o200k_base", "piece": "0"}
    with shown(browser, app, "DON'T stop", words) as tab:
        expect(tab.page.locator(".lane")).to_have_count(2)
        counts = [len(PieceReplay(rules_of(tokenizer(name)), piece)) for name, piece in
                  (("cl100k_base", "DON"), ("o200k_base", "DON'T"))]  # fmt: skip
        tab.page.keyboard.press("Escape")
        tab.go_to(max(counts))
        assert tab.ids(0) == tokenizer("cl100k_base").encode("DON").ids
        assert tab.ids(1) == tokenizer("o200k_base").encode("DON'T").ids
        assert faults(tab.page) == []


def test_a_click_in_tokens_opens_the_piece_here(page: Page, app: App) -> None:
    tokens = TokensPage(page, app).open(t="cl100k_base,qwen3")
    tokens.paste("one two unbelievable")
    tokens.settled()
    tokens.tokens(1).last.click()
    tokens.page.get_by_role("button", name="Why this cut?").click()
    tab = ReplayPage(page, app)
    expect(tab.piece(2)).to_have_attribute("aria-selected", "true", timeout=WAIT_MS)
    tab.settled()
    expect(tab.lane()).to_have_attribute("aria-label", "Qwen3")
    found = tokenizer("qwen3").encode("one two unbelievable").ids[2:]
    tab.go_to(int(tab.page.get_by_label("Merges made").get_attribute("max") or 0))
    assert tab.ids() == found


def replay_many(tab: ReplayPage, letter: str) -> None:
    """Paste 8,000 times a letter and wait for the first state on the screen."""
    paste(tab.page, letter * 8000)
    expect(tab.piece(0)).to_contain_text(letter * 100, timeout=WAIT_MS)
    expect(tab.lane().locator(".sentence .tile").first).to_have_text(letter, timeout=WAIT_MS)
    expect(tab.lane().locator(".number")).to_have_text("8,000", timeout=WAIT_MS)
    tab.settled()


def test_eight_thousand_letters(browser: Browser, app: App) -> None:
    """The page answers, and every step is drawn, whatever came before."""
    with shown(browser, app, "hello", {"t": "cl100k_base", "hood": "1"}) as tab:
        for letter in "ba":
            replay_many(tab, letter)
        played = PieceReplay(rules_of(tokenizer("cl100k_base")), "a" * 8000)
        for step in (7000, 3500, 0, 6999):
            tab.go_to(step)
            heap = [f"{e.rank}@{e.position}{'!' if e.stale else ''}" for e in played.heap(step)]
            assert tab.heap() == " ".join(heap[:200])
        tab.go_to(7000)
        assert set(tab.ids()) == {70540}
        expect(tab.lane().locator(".number")).to_have_text("1,000")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_accessibility(browser: Browser, app: App, scheme: str, width: int) -> None:
    words = {"t": "qwen3", "piece": "0", "hood": "1", "step": "4"}
    viewport = {"width": width, "height": 844}
    with shown(browser, app, words=words, viewport=viewport, color_scheme=scheme) as tab:
        tab.page.wait_for_selector(".js-plotly-plot", timeout=WAIT_MS)
        tab.settled()
        assert faults(tab.page) == []
        across = tab.page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
        assert across <= width


@pytest.mark.parametrize("way", ["light", "dark"])
def test_the_projector(browser: Browser, app: App, way: str) -> None:
    with shown(browser, app, words={"t": "qwen3", "piece": "1", "projector": way}) as tab:
        expect(tab.page.get_by_test_id("stSidebar")).to_be_hidden()
        expect(tab.page.locator("textarea")).to_have_count(0)
        tab.page.keyboard.press("ArrowRight")
        tab.expect_step(1)
        assert faults(tab.page) == []


def test_reduced_motion(browser: Browser, app: App) -> None:
    with shown(browser, app, reduced_motion="reduce") as tab:
        tab.page.locator(".parts").click(position={"x": 2, "y": 2})
        tab.page.keyboard.press("ArrowRight")
        tab.expect_step(1)
        moving = tab.page.evaluate(
            """() => document.getAnimations().filter((a) => a.playState === 'running'
                && a.effect.getComputedTiming().duration > 1).length"""
        )
        assert moving == 0


def test_the_next_merge_stays_in_sight_on_a_phone(browser: Browser, app: App) -> None:
    """The tree of 21 bytes is wider than the screen: it follows the merges."""
    words = {"t": "qwen3", "piece": "0"}
    viewport = {"width": 390, "height": 844}
    with shown(browser, app, words=words, viewport=viewport) as tab:
        tree = tab.lane().locator(".tree-scroll")
        for step in range(12):
            tab.go_to(step)
            start = tab.lane().locator(".parts [data-wins]").first.get_attribute("data-start")
            seen = tree.locator(f".tree-tile[data-start='{start}']:not([hidden])").last
            place, box = seen.bounding_box(), tree.bounding_box()
            assert place is not None
            assert box is not None
            assert box["x"] - 1 <= place["x"] < box["x"] + box["width"]
