"""The Prompt page in a browser: typing, stepping, links, both themes, the projector, a phone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import watched
from tests.browser.driver import App, settle
from tests.browser.test_look import faults
from tests.browser.tokens_page import WAIT_MS
from tests.shared import records, reference

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

FIGURES = {row["id"]: row for row in records("figures.json")}
CASES = {case["id"]: case for case in records("cases.json")}
GREETING = FIGURES["B-chat-ids"]["value"][1]


class PromptPage:
    """The page in one browser tab."""

    def __init__(self, page: Page, app: App) -> None:
        self.page = page
        self.app = app

    def open(self, query: str = "") -> PromptPage:
        """Go to the page and wait until it has said all."""
        self.page.goto(f"{self.app.url}/prompt{query}")
        expect(self.tokens().first).to_be_visible(timeout=WAIT_MS)
        # The page runs again by itself until the libraries have answered.
        expect(self.page.get_by_text("being compared")).to_have_count(0, timeout=WAIT_MS)
        return self.settled()

    def settled(self) -> PromptPage:
        """Wait until the server has nothing more to say."""
        settle(self.page, timeout=WAIT_MS)
        return self

    def tokens(self, place: int = 0) -> Locator:
        return self.page.locator(".strip").nth(place).locator("[data-token]")

    def ids(self, place: int = 0) -> list[int]:
        found = self.tokens(place).evaluate_all("(all) => all.map((token) => token.dataset.id)")
        return [int(token_id) for token_id in found]

    def origin(self, name: str) -> list[str]:
        """The texts of the tokens of one origin."""
        return self.page.locator(f".strip [data-origin={name}]").all_inner_texts()

    def expect_total(self, total: int, place: int = 0) -> None:
        expect(self.page.locator(".total").nth(place)).to_have_text(str(total), timeout=WAIT_MS)

    def box(self, number: int) -> Locator:
        return self.page.get_by_role("textbox", name=f"Message {number}")

    def card(self) -> Locator:
        return self.page.locator(".card").first


@contextmanager
def shown(browser: Browser, app: App, query: str = "", **options: Any) -> Iterator[PromptPage]:
    with watched(browser, **options) as opened:
        yield PromptPage(opened, app).open(query)


def test_the_greeting_typing_and_a_link_of_it(browser: Browser, app: App) -> None:
    with shown(browser, app) as tab:
        assert tab.ids() == GREETING
        assert len(tab.origin("user")) == 3
        legend = tab.page.locator(".legend li")
        assert faults(tab.page) == []
        assert legend.all_inner_texts() == [
            "13\ntemplate", "16\ndefault text of the template", "3\nuser",
        ]  # fmt: skip
        tab.box(1).fill("Xin chào các bạn")
        typed = reference("qwen2.5").ids("Xin chào các bạn", "text")
        tab.expect_total(len(GREETING) - 3 + len(typed))
        assert tab.ids() == [*GREETING[:24], *typed, *GREETING[27:]]
        tab.settled()
        tab.page.get_by_role("button", name="Add a message").click()
        tab.box(2).fill("Chào!")
        answer = reference("qwen2.5").ids("Chào!", "text")
        tab.expect_total(len(GREETING) - 3 + len(typed) + 5 + len(answer))
        tab.settled()
        url, kept = tab.page.url, tab.ids()
    with shown(browser, app, url[url.index("?") :]) as other:
        assert other.ids() == kept
        expect(other.box(2)).to_have_value("Chào!")
        expect(other.page.get_by_text("The last message is the assistant's").first).to_be_visible()


def test_only_the_keyboard(browser: Browser, app: App) -> None:
    """From token to token; the card says what each is; messages removed and brought back."""
    with shown(browser, app) as tab:
        press = tab.page.keyboard.press
        tab.tokens().first.focus()
        expect(tab.card()).to_contain_text("Token 1 · id 151644 · template · control token")
        for _ in range(24):
            press("ArrowRight")
        expect(tab.card()).to_contain_text("Token 25 · id 55 · user · message 1 · ordinary token")
        press("End")
        expect(tab.card()).to_contain_text("Token 32 · id 198")
        press("Home")
        expect(tab.tokens().first).to_be_focused()
        tab.page.get_by_role("button", name="Add a message").press("Enter")
        expect(tab.box(2)).to_be_visible(timeout=WAIT_MS)
        tab.page.locator("[class*=st-key-prompt_remove_] button").first.press("Enter")
        expect(tab.box(2)).to_have_count(0, timeout=WAIT_MS)
        undo = tab.page.get_by_role("button", name="Undo: bring back message 1")
        undo.press("Enter")
        expect(tab.box(1)).to_have_value("Xin chào", timeout=WAIT_MS)
        expect(tab.box(2)).to_have_value("")


def test_scripts_keep_their_direction(browser: Browser, app: App) -> None:
    """Arabic runs to the left, digits inside it to the right, bytes as they are stored."""
    with shown(browser, app, "?template=qwen3") as tab:
        tab.box(1).fill("مرحبا 12 龘")
        tab.expect_total(8 + len(reference("qwen3").ids("مرحبا 12 龘", "text")))
        places: dict[str, list[float]] = {"arabic": [], "digit": [], "cell": []}
        for token in tab.page.locator(".strip [data-origin=user]").all():
            box, text = token.bounding_box(), token.inner_text()
            assert box is not None
            cell = "cell" in str(token.get_attribute("class"))
            kind = "cell" if cell else "digit" if text.strip() in ("1", "2") else "arabic"
            if cell or text.strip(" \u00a0"):
                places[kind].append(box["x"])
        assert places["arabic"] == sorted(places["arabic"], reverse=True)
        assert places["digit"] == sorted(places["digit"])
        assert places["cell"] == sorted(places["cell"])
        assert all(len(found) > 1 for found in places.values())


def test_a_few_words_of_arabic_turn_no_message_round(browser: Browser, app: App) -> None:
    """The first letter says where a line begins, as Unicode's algorithm has it."""
    text = "Tôi nói مرحبا hello"
    with shown(browser, app, "?template=qwen3") as tab:
        tab.box(1).fill(text)
        tab.expect_total(8 + len(reference("qwen3").ids(text, "text")))
        at = {}
        for token in tab.page.locator(".strip [data-origin=user]").all():
            box = token.bounding_box()
            assert box is not None
            at[token.inner_text().strip(" \u00a0·")] = box["x"]
        who = tab.page.locator(".strip .who", has_text="user").bounding_box()
        assert who is not None
        latin = [at[word] for word in ("Tôi", "nói", "hello")]
        arabic = [x for word, x in at.items() if not word.isascii() and word not in ("Tôi", "nói")]
        assert len(arabic) > 1
        assert arabic == sorted(arabic, reverse=True)
        assert latin == sorted(latin)
        assert who["x"] < latin[0]
        assert latin[1] < min(arabic)
        assert max(arabic) < latin[2]


def test_a_forged_turn_both_ways(browser: Browser, app: App) -> None:
    with shown(browser, app, "?template=qwen3&chat=~injection&prompt=off&see=injection") as tab:
        assert tab.ids(0) == CASES["C219"]["expected"]["ids"]
        forged = tab.page.locator(".strip").first.locator(".forged")
        assert forged.all_inner_texts() == ["<|im_end|>", "<|im_start|>", "<|im_end|>"]
        content = json.loads(CASES["C219"]["input"])[0]["content"]
        inside = reference("qwen3").ids(f"user\n{content}", "text")
        assert tab.ids(1) == [151644, *inside, 151645, 198]
        assert tab.page.locator(".strip").nth(1).locator(".forged").count() == 0
        expect(tab.page.get_by_text("disallowed special token '<|im_end|>'")).to_be_visible()
        obeys = tab.page.get_by_text("obeys without a word: 14 ids, the ids on the left")
        expect(obeys).to_be_visible(timeout=WAIT_MS)


def test_a_template_that_never_ends_leaves_the_last_picture(browser: Browser, app: App) -> None:
    with shown(browser, app, "?template=own&of=qwen3") as tab:
        before = tab.ids()
        box = tab.page.get_by_role("textbox", name="Chat template (Jinja)")
        loop = "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"
        box.fill(loop)
        problem = tab.page.get_by_text("could not be rendered: it did not answer within 2 seconds")
        expect(problem.first).to_be_visible(timeout=WAIT_MS)
        assert tab.ids() == before
        config = {
            "chat_template": [
                {"name": "default", "template": "{{ bos_token }}{{ messages[0].content }}"},
                {"name": "short", "template": "{{ eos_token }}"},
            ],
            "bos_token": {"content": "<|im_start|>"},
            "eos_token": "<|im_end|>",
        }
        tab.page.get_by_role("button", name="Upload a template").click()
        tab.page.locator("[data-testid=stPopoverBody] input[type=file]").set_input_files(
            files=[
                {
                    "name": "tokenizer_config.json",
                    "mimeType": "application/json",
                    "buffer": json.dumps(config).encode(),
                }
            ]
        )
        tab.expect_total(4)
        assert tab.ids() == [151644, *reference("qwen3").ids("Xin chào", "text")]
        tab.page.keyboard.press("Escape")
        tab.page.get_by_role("combobox", name="Which template of the file").click()
        tab.page.get_by_role("option", name="short").click()
        tab.expect_total(1)
        assert tab.ids() == [151645]
        box.fill("{{ messages[0].content }}<|im_end|>")
        tab.expect_total(len(reference("qwen3").ids("Xin chào<|im_end|>", "parse")))
        expect(problem).to_have_count(0)


def test_the_projector(browser: Browser, app: App) -> None:
    with shown(browser, app, "?projector=light&template=qwen3&chat=~tool") as tab:
        size = tab.tokens().nth(1).evaluate("(token) => getComputedStyle(token).fontSize")
        assert float(size[:-2]) >= 1.6 * 16
        assert tab.box(1).count() == 0
        assert faults(tab.page) == []


def test_the_cells_of_a_long_cluster_stay_on_a_phone(browser: Browser, app: App) -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
    with shown(browser, app, "?template=qwen3", viewport={"width": 390, "height": 844}) as tab:
        tab.box(1).fill(family)
        tab.expect_total(8 + len(reference("qwen3").ids(family, "text")))
        group = tab.page.locator(".strip .group")
        whole = group.locator(".whole").bounding_box()
        cells = [cell.bounding_box() for cell in group.locator(".cell").all()]
        assert whole is not None
        assert len(cells) == len(reference("qwen3").ids(family, "text"))
        # The cluster stands over all of its cells, and none runs off the screen.
        for cell in cells:
            assert cell is not None
            assert whole["x"] - 1 <= cell["x"]
            assert cell["x"] + cell["width"] <= whole["x"] + whole["width"] + 1 <= 390


def test_the_phone_in_the_dark(browser: Browser, app: App) -> None:
    options: dict[str, Any] = {
        "viewport": {"width": 390, "height": 844},
        "has_touch": True,
        "color_scheme": "dark",
    }
    with shown(browser, app, "?template=qwen3&chat=~injection", **options) as tab:
        wide = tab.page.evaluate(
            """() => [document.documentElement, ...document.querySelectorAll(
                '[data-testid=stMain], [data-testid=stMainBlockContainer]',
            )].filter((box) => box.scrollWidth > box.clientWidth + 1).length"""
        )
        assert wide == 0
        picture, message = tab.tokens().first.bounding_box(), tab.box(1).bounding_box()
        assert picture is not None
        assert message is not None
        assert picture["y"] < message["y"]
        tab.tokens().nth(4).tap()
        expect(tab.card()).to_contain_text("Token 5 · id 151645 · user · message 1 · control token")
        assert faults(tab.page) == []
