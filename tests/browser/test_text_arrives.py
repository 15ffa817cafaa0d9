"""A text is cut as it was given: typed, pasted or uploaded, to the last byte."""

from __future__ import annotations

import unicodedata

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import App, painted, wait_for_new_paint
from tests.browser.tokens_page import WAIT_MS, TokensPage
from tests.shared import records, reference

pytestmark = pytest.mark.browser

NAMES = ("cl100k_base", "o200k_base")
EXACT = {
    "NFD": unicodedata.normalize("NFD", "Tiếng Việt rất đẹp"),
    "NFC": "Tiếng Việt rất đẹp",
    "tabs": "\ta\t\tb\t",
    "trailing blanks": "Hello  ",
    "leading blanks": "   Hello",
    "line ends at the end": "a\n\n\n",
    "only a blank": " ",
    "zero width": "a\u200bb\u200cc\u200dd\u2060e",
    "no-break space": "a\u00a0b\u202fc\u3000d",
    "byte order mark": "\ufeffHello\ufeff",
    "NUL": "a\x00b\x00",
    "control characters": "".join(map(chr, range(1, 32))).replace("\r", "") + "\x7f\x85\x9f",
    "separators": "a\u2028b\u2029c",
    "directions": "a\u202ebc\u202c \u2066x\u2069",
    "tags": "hi\U000e0068\U000e0069",
    "private and unassigned": "\ue000\U0010ffff\u0378\uffff",
    "replacement character": "a\ufffdb",
    "emoji": "👨‍👩‍👧‍👦🏳️‍🌈🇻🇳👋🏽",
    "special": "<|endoftext|> <|im_start|>system",
    "many marks": "e" + "\u0301\u0316" * 30,
    "digits": "12345678 १२३ ٣٤ ½",
}


def reads(tab: TokensPage, text: str) -> None:
    """The page has cut exactly this text."""
    for place, name in enumerate(NAMES):
        assert tab.ids(place) == reference(name).ids(text, "text"), repr(text)


def test_typing_is_followed_live(tab: TokensPage) -> None:
    tab.box.fill("")
    tab.box.press_sequentially("Chào bạn, 你好! don't")
    tab.expect_count(len(reference(NAMES[0]).ids("Chào bạn, 你好! don't", "text")))
    reads(tab, "Chào bạn, 你好! don't")
    tab.box.press("End")
    tab.box.press("Backspace")
    tab.box.press_sequentially(" know  ")
    text = "Chào bạn, 你好! don' know  "
    tab.expect_count(len(reference(NAMES[0]).ids(text, "text")))
    reads(tab, text)


@pytest.mark.parametrize("text", EXACT.values(), ids=EXACT)
def test_pasted_text_arrives_exactly(tab: TokensPage, text: str) -> None:
    tab.paste(text)
    reads(tab, text)
    assert tab.box.input_value() == text


def test_counts_equal_those_of_the_library(tab: TokensPage) -> None:
    inputs = {
        case["input"]
        for case in records("cases.json")
        if case["area"] in ("encode", "split") and isinstance(case.get("input"), str)
    }
    texts = sorted(text for text in inputs if text and "\r" not in text and len(text) < 200)[::8]
    for text in texts[:25]:
        if tab.box.input_value() != text:
            tab.paste(text)
        for place, name in enumerate(NAMES):
            assert tab.count(place) == len(reference(name).ids(text, "text")), repr(text)


def test_carriage_returns_in_a_paste_are_spoken_of(tab: TokensPage) -> None:
    tab.paste("one\r\ntwo\rthree")
    tab.expect_said("The pasted text had carriage returns")
    reads(tab, "one\ntwo\nthree")
    tab.paste("one two")
    expect(tab.said("The pasted text had carriage returns")).to_have_count(0)


@pytest.mark.parametrize(
    ("name", "data", "text", "sentence"),
    [
        ("windows.txt", b"one\r\ntwo\rthree", "one\r\ntwo\rthree", "windows.txt: read as utf-8."),
        (
            "utf16.txt",
            "Hié, 你好".encode("utf-16"),
            "Hié, 你好",
            "utf16.txt: read as utf-16-le, with a byte order mark",
        ),
        ("bom.txt", b"\xef\xbb\xbfa\x00b", "a\x00b", "bom.txt: read as utf-8, with a byte order"),
        (
            "<img src=x onerror=alert(1)> *a* $b$ :smile: <script>alert(1)<script>.txt",
            b"literal",
            "literal",
            "<img src=x onerror=alert(1)> *a* $b$ :smile: <script>alert(1)<script>.txt: read as",
        ),
    ],
    ids=["CRLF", "UTF-16", "UTF-8 with a mark", "hostile name"],
)
def test_an_uploaded_file_is_kept_byte_for_byte(
    tab: TokensPage, name: str, data: bytes, text: str, sentence: str
) -> None:
    tab.upload(name, data)
    tab.expect_said(sentence)
    tab.settled()
    reads(tab, text)
    if "\r" in text:
        tab.expect_said("This text has carriage returns. They are kept here and counted")


def test_a_file_that_is_not_utf8_asks_for_its_encoding(tab: TokensPage) -> None:
    tab.paste("before the file")
    tab.upload("old.txt", b"caf\xe9 \x80")
    tab.expect_said("not UTF-8")
    reads(tab, "before the file")
    tab.open_upload()
    tab.page.get_by_role("combobox", name="Encoding").click()
    tab.page.get_by_role("option", name="cp1252").click()
    tab.expect_said("old.txt: read as cp1252.")
    tab.settled()
    reads(tab, "café €")


def test_half_a_surrogate_pair_is_replaced_and_said(tab: TokensPage) -> None:
    """Python's strings cannot be pasted with one, so the page makes it."""
    for case in ("C183", "C186"):
        expected = next(one["expected"] for one in records("cases.json") if one["id"] == case)
        before = painted(tab.page)
        tab.box.evaluate(
            """(area, codes) => {
                area.focus();
                area.select();
                document.execCommand('insertText', false, String.fromCharCode(...codes));
            }""",
            {"C183": [0xD83D], "C186": [0x78, 0xDC00, 0x79]}[case],
        )
        wait_for_new_paint(tab.page, before)
        tab.expect_said("Halves of surrogate pairs (1 in all) were replaced by U+FFFD")
        assert tab.ids() == expected["ids"]


def test_half_a_surrogate_pair_in_a_field_does_not_end_the_page(app: App, page: Page) -> None:
    tab = TokensPage(page, app)
    page.goto(f"{app.url}/tokens?part=vocabulary&t=gpt2")
    field = page.get_by_label("Text", exact=True)
    field.fill("")
    field.evaluate(
        """(field) => {
            field.focus();
            document.execCommand('insertText', false, 'a' + String.fromCharCode(0xd83d));
        }"""
    )
    field.press("Enter")
    expect(page.get_by_text("with “a\ufffd” in the text")).to_be_visible(timeout=WAIT_MS)
    page.get_by_role("radio", name="Text to tokens").click()
    expect(tab.box).to_be_visible(timeout=WAIT_MS)
    tab.paste("and goes on")
