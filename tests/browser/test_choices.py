"""What is shown, how it is coloured, and what can be taken away as a file."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.standins import to_standins
from tests.browser.driver import App, open_page
from tests.browser.tokens_page import TokensPage
from tests.shared import tokenizer

pytestmark = pytest.mark.browser

TEXT = 'Xin chào 你好 =1+1 "q", 12345678 Привет\n-x <|endoftext|>'


@pytest.fixture
def cut(tab: TokensPage) -> TokensPage:
    """The page with a text of several scripts."""
    if tab.box.input_value() != TEXT:
        tab.paste(TEXT)
    tab.expect_count(len(tokenizer("cl100k_base").encode(TEXT)))
    return tab


def show(tab: TokensPage, form: str) -> list[str]:
    tab.page.get_by_role("button", name=form, exact=True).click()
    expect(tab.page.locator(f"[aria-pressed=true][data-form='{form.lower()}']")).to_be_visible()
    texts: list[str] = tab.tokens().evaluate_all("(all) => all.map((one) => one.textContent)")
    return texts


def test_four_ways_to_show_a_token(cut: TokensPage) -> None:
    found = tokenizer("cl100k_base").encode(TEXT)
    data = [tokenizer("cl100k_base").bytes_of(i) or b"" for i in found.ids if i is not None]
    assert show(cut, "Ids") == [str(i) for i in found.ids]
    assert show(cut, "Bytes") == [one.hex(" ") for one in data]
    assert show(cut, "Stand-ins") == [to_standins(one) for one in data]
    show(cut, "Text")
    assert cut.drawn_text() == TEXT


def tints(tab: TokensPage, by: str) -> list[str]:
    tab.page.get_by_label("Colour by").select_option(by)
    names: list[str] = tab.tokens().evaluate_all("(all) => all.map((one) => one.className)")
    found = [re.search(r"\b([ks]\d|p)\b", name) for name in names]
    return [match[1] for match in found if match]


def test_five_ways_to_colour(cut: TokensPage) -> None:
    subject = tokenizer("cl100k_base")
    found = subject.encode(TEXT)
    starts, ends, ids = found.starts_byte, found.ends_byte, found.ids
    assert tints(cut, "neighbour") == [f"k{place % 6}" for place in range(len(ids))]
    by_token = tints(cut, "token")
    assert len({*zip(ids, by_token, strict=True)}) == len({*ids})
    lengths = [end - start for start, end in zip(starts, ends, strict=True)]
    steps = [sum(length > most for most in (1, 2, 4, 6, 9)) for length in lengths]
    assert tints(cut, "length") == [f"s{step}" for step in steps]
    ranks = [subject.rank_of(i) or 0 for i in ids if i is not None]
    bounds = (1_000, 5_000, 20_000, 50_000, 100_000)
    assert tints(cut, "rank") == [f"s{sum(rank > most for most in bounds)}" for rank in ranks]
    expect(cut.page.locator(".legend li")).to_have_count(7)
    assert tints(cut, "script")[0] == "k0"
    expect(cut.page.locator(".legend")).to_contain_text("Chinese characters")
    tints(cut, "neighbour")
    expect(cut.page.locator(".legend")).to_be_hidden()


def taken(tab: TokensPage, button: str) -> tuple[str, str]:
    with tab.page.expect_download() as waited:
        tab.column().get_by_role("button", name=button).click()
    file = waited.value
    return file.suggested_filename, Path(file.path()).read_bytes().decode("utf-8")


def test_downloads_hold_every_token(cut: TokensPage) -> None:
    subject = tokenizer("cl100k_base")
    found = subject.encode(TEXT)
    name, content = taken(cut, "Ids (JSON)")
    assert name == "GPT-4_cl100k_-ids.json"
    assert json.loads(content) == found.ids
    _, content = taken(cut, "Tokens (JSON)")
    whole = json.loads(content)
    assert whole["tokenizer"] == "GPT-4 (cl100k)"
    assert whole["tokens"] == len(found.ids)
    assert [row["id"] for row in whole["rows"]] == found.ids
    data = b"".join(bytes.fromhex(row["bytes"]) for row in whole["rows"])
    assert data.decode() == TEXT
    assert [row["rank"] for row in whole["rows"]] == [subject.rank_of(i) for i in found.ids if i]
    name, content = taken(cut, "Tokens (CSV)")
    assert name.endswith(".csv")
    rows = list(csv.DictReader(io.StringIO(content.removeprefix("\ufeff"))))
    assert [int(row["id"]) for row in rows] == found.ids
    assert [row["bytes"] for row in rows] == [row["bytes"] for row in whole["rows"]]
    # No cell is a formula.
    assert not [row for row in rows if row["text"].lstrip()[:1] in tuple("=+-@")]


def test_copies_reach_the_clipboard(browser: Browser, app: App) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page: Page = context.new_page()
    try:
        open_page(page, app.url)
        column = page.locator("section[data-column='0']")
        for button in ("Copy ids", "Copy text"):
            column.get_by_role("button", name=button).click()
            expect(column.get_by_role("button", name="Copied").first).to_be_visible()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith("Xin chào! Rất vui được gặp bạn.\n你好")
    finally:
        context.close()
