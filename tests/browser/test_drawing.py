"""What is drawn is what was cut: every id once, in order, nothing lost and nothing executed."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import watched
from tests.browser.driver import App
from tests.browser.tokens_page import TokensPage
from tests.shared import records, reference, tokenizer

pytestmark = pytest.mark.browser

NFD = unicodedata.normalize("NFD", "Tiếng Việt đẹp quá, được gặp bạn")
PLAIN = {
    "NFD Vietnamese": NFD,
    "one rare character": "龘",
    "rare characters": "龘靐齉𠀋𪚥",
    "family": "👨‍👩‍👧‍👦👩🏽‍💻",
    "flags": "🇻🇳🇨🇳🇬🇧",
    "Hindi": "नमस्ते, आपसे मिलकर खुशी हुई",
    "Thai": "สวัสดีครับ ยินดีที่ได้รู้จัก",
    "Arabic": "مرحبا، سررت بلقائك 123 مرة abc",
    "Hebrew": "שלום, נעים להכיר (2024)",
    "a replacement character": "a\ufffdb",
    "lines": "a\n\n  b\n",
}
UNSEEN = {
    "tag characters": "hi\U000e0068\U000e0069",
    "directions": "a\u202ebc\u202c\u2067d\u2069\u200f",
    "zero width": "a\u200bb\ufeff\u00ad\x00\x1b",
    "only marks": "\u0301\u0323\u20dd",
}
SIX = (("gpt2", "cl100k_base", "o200k_base"), ("qwen2.5", "qwen3", "deepseek-v3"))


@pytest.fixture(scope="module", params=SIX, ids=",".join)
def three(request: pytest.FixtureRequest, browser: Browser, app: App) -> Iterator[TokensPage]:
    """The page with three tokenizers."""
    with watched(browser) as opened:
        page = TokensPage(opened, app).open(t=",".join(request.param))
        page.names = request.param
        yield page


def expected(name: str, text: str) -> list[int | None]:
    """The library's ids; where building it takes seconds, ours, which the page has checked."""
    return reference(name).ids(text, "text") if name in SIX[0] else tokenizer(name).encode(text).ids


@pytest.mark.parametrize("text", [*PLAIN.values(), *UNSEEN.values()], ids=[*PLAIN, *UNSEEN])
def test_as_many_tokens_are_drawn_as_there_are_ids(three: TokensPage, text: str) -> None:
    three.paste(text)
    for place, name in enumerate(three.names):
        ids = expected(name, text)
        assert three.ids(place) == ids
        assert three.count(place) == three.tokens(place).count() == len(ids)
        drawn = three.drawn_text(place)
        assert ("\ufffd" in drawn) == ("\ufffd" in text)
        if text in PLAIN.values():
            assert drawn == tokenizer(name).encode(text).text


def test_invisible_characters_have_names(three: TokensPage) -> None:
    three.paste("a\u202eb\U000e0068\u200b\x00\u00a0")
    drawn = three.drawn_text(2)
    for label in ("RLO", "TAG h", "ZWSP", "␀", "NBSP"):
        assert label in drawn


def places(three: TokensPage, column: int, text: str) -> dict[int, float]:
    """Where the tokens stand from left to right, by the byte at which they begin."""
    starts = tokenizer(three.names[column]).encode(text).starts_byte
    boxes = three.tokens(column).evaluate_all(
        "(tokens) => tokens.map((token) => token.getBoundingClientRect().left)"
    )
    return dict(zip(starts, boxes, strict=True))


def test_right_to_left_text_keeps_its_order(three: TokensPage) -> None:
    words = ["שלום", " עולם", " abc", " def", " טוב"]
    text = "".join(words)
    three.paste(text)
    starts = [len("".join(words[:place]).encode()) for place in range(len(words))]
    left = places(three, 2, text)
    shalom, olam, abc, other, tov = (left[start] for start in starts)
    # The line runs from right to left, the Latin words in it from left to right.
    assert shalom > olam > other > abc > tov


CASES = [case for case in records("cases.json") if case["area"] == "ui" and not case.get("repeat")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_markup_is_shown_and_not_read(three: TokensPage, case: dict[str, str]) -> None:
    text = case["input"]
    three.paste(text)
    for place in range(3):
        assert three.drawn_text(place) == text
    for form in ("Stand-ins", "Text"):
        three.page.get_by_role("button", name=form, exact=True).click()
    three.tokens(0).first.hover()
    assert three.card().is_visible()
    assert three.page.locator("img[src=x], [onmouseover], .token-view script").count() == 0
    # The fixture sees to it that nothing has asked and nothing has failed.
