"""Pointing at tokens: the card, what lights up, and the keyboard alone."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from pages.reference import tiktoken_reference
from tests.browser.conftest import watched
from tests.browser.driver import App
from tests.browser.tokens_page import TokensPage
from tests.shared import tokenizer

pytestmark = pytest.mark.browser

TEXT = "hello hello 龘 hello " + unicodedata.normalize("NFD", "đẹp")


@pytest.fixture(scope="module")
def shown(browser: Browser, app: App) -> Iterator[TokensPage]:
    """A tokenizer that keeps the text as it is, and one that composes it."""
    with watched(browser) as opened:
        page = TokensPage(opened, app).open(t="cl100k_base,qwen3")
        page.paste(TEXT)
        yield page


@pytest.fixture
def tab(shown: TokensPage) -> TokensPage:
    """The page with no card."""
    shown.page.keyboard.press("Escape")
    shown.page.mouse.move(0, 0)
    expect(shown.card()).to_be_hidden()
    return shown


def test_the_card_says_what_a_token_is(tab: TokensPage) -> None:
    subject = tokenizer("cl100k_base")
    ids = subject.encode(TEXT).ids
    tab.tokens().nth(1).hover()
    expect(tab.card()).to_contain_text("starts with a space")
    rows = tab.card_rows()
    assert rows["id"] == str(ids[1])
    assert rows["rank"] == f"{subject.rank_of(ids[1]):,}"
    assert rows["6 bytes"] == "20 68 65 6c 6c 6f"
    assert rows["stand-ins"] == "Ġhello"
    assert "U+0020 SPACE" in rows["code points"]
    assert "U+0068 LATIN SMALL LETTER H" in rows["code points"]
    assert rows["in this text"] == "2 times, here the 1st"
    assert rows["position"] == f"2 of {len(ids)}"
    assert "given as" not in rows


def test_the_card_of_a_part_of_a_character(tab: TokensPage) -> None:
    cells = tab.column().locator(".cell")
    assert cells.count() > 1
    cells.first.hover()
    expect(tab.card()).to_contain_text("part of a character: 龘, byte")
    assert "U+9F98 CJK UNIFIED IDEOGRAPH-9F98 (byte" in tab.card_rows()["code points"]


def test_the_card_says_what_was_given_before_normalization(tab: TokensPage) -> None:
    tab.tokens(1).last.hover()
    expect(tab.card()).to_contain_text("given as")
    assert (
        tab.card_rows()["given as"].splitlines()
        == [
            "U+0065 LATIN SMALL LETTER E",
            "U+0323 COMBINING DOT BELOW",
            "U+0302 COMBINING CIRCUMFLEX ACCENT",
        ]
        or "U+0323 COMBINING DOT BELOW" in tab.card_rows()["given as"]
    )
    tab.expect_said("Qwen3 first normalizes the text (NFC)")


def test_equal_tokens_and_ids_light_up_together(tab: TokensPage) -> None:
    tab.column().locator("summary").click()
    ids = tab.column().locator(".id")
    expect(ids).to_have_count(tab.count())
    tab.tokens().nth(1).hover()
    expect(tab.column().locator(".tok.hot")).to_have_count(1)
    expect(tab.column().locator(".tok.same")).to_have_count(1)
    expect(tab.column().locator(".id.hot")).to_have_text(str(tab.ids()[1]))
    expect(tab.column().locator(".id.same")).to_have_count(1)
    # From the list of ids to the token.
    ids.nth(0).hover()
    expect(tab.tokens().first).to_have_class("tok k0 hot")
    tab.page.mouse.move(0, 0)
    expect(tab.column().locator(".hot, .same")).to_have_count(0)


def test_a_click_keeps_the_card_and_another_lets_it_go(tab: TokensPage) -> None:
    token = tab.tokens().first
    token.click()
    expect(tab.card()).to_have_class("card pinned")
    tab.tokens().nth(2).hover()
    assert tab.card_rows()["position"].startswith("1 of")
    token.click()
    expect(tab.card()).to_be_hidden()
    token.click()
    tab.card().get_by_role("button", name="Close").click()
    expect(tab.card()).to_be_hidden()


def test_arrows_home_end_and_escape(tab: TokensPage) -> None:
    tab.tokens().first.focus()
    press = tab.page.keyboard.press
    last = tab.count() - 1
    for key, token in (
        ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("ArrowRight", last),
        ("Home", 0), ("ArrowLeft", 0), ("PageDown", last), ("PageUp", max(0, last - 100)),
    ):  # fmt: skip
        press(key)
        expect(tab.tokens().nth(token)).to_be_focused()
        expect(tab.card()).to_contain_text(f"{token + 1} of {last + 1}")
    press("Enter")
    expect(tab.card()).to_have_class("card pinned")
    press("Escape")
    expect(tab.card()).to_be_hidden()
    expect(tab.tokens().first).to_be_focused()
    expect(tab.page.locator(".live")).to_contain_text(f"token 1 of {last + 1}, hello")


def test_the_list_of_keys(tab: TokensPage) -> None:
    tab.tokens().first.focus()
    tab.page.keyboard.press("?")
    dialog = tab.page.get_by_role("dialog", name="Keys in the tokens")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("token before, token after")
    tab.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    # In the box it is a character like any other, and / leads to the box from anywhere else.
    tab.tokens().first.focus()
    tab.page.keyboard.press("/")
    expect(tab.box).to_be_focused()


FOCUSED = """() => {
    let at = document.activeElement;
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    const group = at.getAttribute('role') === 'radio' ? at.closest('[role=radiogroup]') : null;
    const label = at.labels?.[0]?.textContent ?? '';
    return (group?.getAttribute('aria-label') || at.getAttribute('aria-label') || label ||
        at.textContent || at.tagName).trim();
}"""


def test_tab_reaches_every_control(app: App, page: Page) -> None:
    tab = TokensPage(page, app).open()
    reached: list[str] = []
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(FOCUSED))
        visible = page.evaluate(
            """() => {
                let at = document.activeElement;
                while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
                return at === document.body || at.matches(':focus-visible');
            }"""
        )
        assert visible, reached[-1]
    names = "\n".join(reached)
    for control in (
        "Tokenizers", "Share", "Sample", "Upload a file", "Text", "Clear", "Ids", "Bytes",
        "Stand-ins", "Colour by", "Keys", "Copy ids", "Tokens (CSV)", "At the model",
        "Spans that are cut differently", "Other ways to cut",
    ):  # fmt: skip
        assert control in names, names
    assert tab.count() > 0


def test_the_card_of_bytes_that_make_no_character(app: App, page: Page) -> None:
    library = tiktoken_reference.build(tokenizer("gpt2")).encoding
    # The ideograph without its last byte, a word, and a byte that begins nothing.
    ids = [*library.encode(" 龘")[:-1], *library.encode("ok"), library.encode("龘")[-1]]
    own = [library.decode_single_token_bytes(one).hex(" ") for one in ids]
    tab = TokensPage(page, app).open("/tokens", part="ids", t="gpt2", ids=str(ids))
    for place, spelled in enumerate(own):
        tab.tokens().nth(place).hover()
        size = len(bytes.fromhex(spelled))
        assert tab.card_rows()[f"{size} byte{'s' if size > 1 else ''}"] == spelled
    expect(tab.card()).to_contain_text(f"bytes that make no character: {own[-1]}")
    assert tab.card_rows()["code points"] == f"none in {own[-1]}"
    page.get_by_role("button", name="Bytes", exact=True).click()
    expect(tab.tokens()).to_have_text(own)
    with page.expect_download() as waiting:
        tab.column().get_by_role("button", name="Tokens (JSON)").click()
    rows = json.loads(waiting.value.path().read_text("utf-8"))["rows"]
    assert [row["bytes"] for row in rows] == own
    assert rows[-1]["end_byte"] == len(library.decode_bytes(ids))
