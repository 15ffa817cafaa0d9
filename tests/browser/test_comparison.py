"""Several tokenizers side by side, their differences, self-checks and special tokens."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import engine
from pages.ui.formatting import percent
from tests.browser.conftest import watched
from tests.browser.driver import App, running_app
from tests.browser.tokens_page import WAIT_MS, TokensPage
from tests.shared import tokenizer

pytestmark = pytest.mark.browser

FOUR = ("gpt2", "cl100k_base", "o200k_base", "deepseek-v3")
TEXT = "Xin chào, 12345678 strawberry 你好"


def checked(page: Page, place: int) -> Locator:
    """The line of a self-check; while it turns, Streamlit has it twice, one in the other."""
    return page.locator(f".st-key-check_{place}_passed").last


def test_four_tokenizers_side_by_side(app: App, page: Page) -> None:
    shown = TokensPage(page, app).open(t=",".join(FOUR))
    shown.paste(TEXT)
    cuts = [tokenizer(name).encode(TEXT) for name in FOUR]
    differences = engine.differences(cuts)
    for place, cut in enumerate(cuts):
        assert shown.ids(place) == cut.ids
        spans = differences.spans(place)
        marked = [
            i for i, (start, end) in enumerate(zip(cut.starts_byte, cut.ends_byte, strict=True))
            if any(start < to and end > since for since, to in spans)
        ]  # fmt: skip
        found = shown.column(place).locator("[data-token].differs")
        assert found.evaluate_all("(all) => all.map((one) => Number(one.dataset.token))") == marked
    counts = [len(cut) for cut in cuts]
    spread = percent((max(counts) - min(counts)) / min(counts))
    shown.expect_said(
        f"Counts from {min(counts)} to {max(counts)} tokens: a spread of {spread} over the "
        f"smallest. {len(differences)} spans are cut differently."
    )
    for place, name in enumerate(FOUR):
        line = checked(page, place)
        expect(line).to_contain_text(engine.BUNDLED[name].title, timeout=WAIT_MS)
        expect(line).to_contain_text("✓ ids equal to", timeout=WAIT_MS)
    # Each on its own line, all of one height.
    tops = [shown.column(place).bounding_box() for place in range(4)]
    assert len({round(box["y"]) for box in tops if box}) == 1
    expect(page.locator("[class*='_failed']")).to_have_count(0)
    page.get_by_text("Spans that are cut differently").click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible(timeout=WAIT_MS)


def test_a_check_that_takes_long_turns_by_itself(browser: Browser) -> None:
    with running_app() as fresh, watched(browser) as opened:
        shown = TokensPage(opened, fresh).open(t="deepseek-v3")
        line = checked(opened, 0)
        expect(line).to_contain_text("… ids being compared with a library; ✓ bytes shown")
        shown.paste("in the meantime")
        expect(line).to_contain_text("✓ ids equal to tokenizers", timeout=WAIT_MS)
        assert shown.ids() == tokenizer("deepseek-v3").encode("in the meantime").ids


def test_a_failed_check_is_red(browser: Browser) -> None:
    with (
        running_app(["tests/browser/wrong_reference.py", "run", "app.py"]) as wrong,
        watched(browser) as opened,
    ):
        shown = TokensPage(opened, wrong).open()
        failed = opened.locator(".st-key-check_0_failed")
        expect(failed).to_contain_text("✗ ids equal to a wrong library", timeout=WAIT_MS)
        expect(failed).to_contain_text("39 ids here, 38 there; the first difference is at token 0")
        for look in ("off", "light", "dark"):
            shown.open(projector=look)
            words = failed.locator("span")
            good = checked(opened, 1).locator("span")
            red, green, blue = map(int, shown.style(words, "color")[4:-1].split(", "))
            assert red > 1.5 * max(green, blue)
            sizes = [float(shown.style(line, "fontSize")[:-2]) for line in (words, good)]
            assert sizes[0] > sizes[1]


CHAT = "<|im_start|>user\nhi<|im_end|>"


def policy(tab: TokensPage, words: str) -> None:
    tab.page.get_by_role("radio", name=words).click()
    expect(tab.page.get_by_role("radio", name=words)).to_be_checked()


def test_special_tokens_stay_text_become_control_or_are_refused(app: App, page: Page) -> None:
    shown = TokensPage(page, app).open(t="qwen2.5,o200k_base")
    shown.paste(CHAT)
    subject = tokenizer("qwen2.5")
    text, control = (subject.encode(CHAT, special=way).ids for way in ("text", "parse"))
    assert shown.ids() == text
    shown.expect_said("This text spells special tokens. As text they are only characters")
    # A table is a canvas: its cells are read from what stands behind it.
    table = page.get_by_test_id("stDataFrame")
    expect(table.locator("[role=gridcell]").filter(has_text="<|im_start|>")).to_have_count(1)
    cells = table.locator("[role=gridcell]").all_inner_texts()
    assert [str(len(text)), str(len(control))] == cells[1:3]
    policy(shown, "become control tokens")
    shown.expect_count(len(control))
    assert shown.ids() == control
    expect(shown.column().locator(".kind-1")).to_have_count(2)
    expect(shown.column(1).locator(".kind-1")).to_have_count(0)
    policy(shown, "are refused")
    shown.expect_said("The text spells the special token <|im_start|>")
    expect(page.locator("[class*='st-key-problem_cut']")).to_be_visible(timeout=WAIT_MS)
    # The picture of before stays, in grey, until there is another one.
    expect(page.locator(".token-view.earlier")).to_be_visible(timeout=WAIT_MS)
    assert shown.ids() == control
    policy(shown, "stay text")
    shown.expect_count(len(text))
    expect(page.locator(".token-view.earlier")).to_have_count(0)


def test_two_people_with_different_settings_never_mix(browser: Browser, app: App) -> None:
    subject = tokenizer("qwen2.5")
    with watched(browser) as one, watched(browser) as other:
        text = TokensPage(one, app).open(t="qwen2.5", special="text")
        control = TokensPage(other, app).open(t="qwen2.5", special="parse")
        for turn in range(3):
            words = f"{CHAT} {turn}"
            text.paste(words)
            control.paste(words)
            assert text.ids() == subject.encode(words, special="text").ids
            assert control.ids() == subject.encode(words, special="parse").ids
