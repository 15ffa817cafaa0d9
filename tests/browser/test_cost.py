"""The Cost page in a browser: files, the clipboard, a long count, and what is saved."""

from __future__ import annotations

import csv
import io
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Download, FilePayload, Locator, Page, expect

from pages.ui import parallel
from tests.browser.conftest import watched
from tests.browser.driver import App, paste, settle
from tests.browser.tokens_page import WAIT_MS
from tests.shared import reference

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


def opened(page: Page, app: App, view: str, **words: str) -> Page:
    query = "&".join(f"{word}={value}" for word, value in words.items())
    page.goto(f"{app.url}/cost?view={view}&{query}")
    layer = "barlayer" if view == "money" else "heatmaplayer"
    page.wait_for_selector(f".js-plotly-plot .{layer}", state="attached", timeout=WAIT_MS)
    settle(page, timeout=WAIT_MS)
    return page


def fresh(page: Page, key: str) -> Locator:
    """A chart; while the next one is drawn, Streamlit keeps the one before beside it."""
    return page.locator(f".st-key-{key}:not([data-stale=true])")


def heat_map(page: Page, key: str) -> dict[str, Any]:
    """Rows and cells as Plotly drew them."""
    found: dict[str, Any] = (
        fresh(page, key)
        .locator(".js-plotly-plot")
        .evaluate("plot => ({rows: plot.layout.yaxis.ticktext, cells: plot.data[0].text})")
    )
    return found


def bring(page: Page, *files: FilePayload) -> None:
    page.get_by_text("From files").click()
    page.locator(".stFileUploader input[type=file]").last.set_input_files(files)
    page.get_by_role("button", name="Compare these").click(timeout=WAIT_MS)


def count(text: str, name: str = "o200k_base") -> int:
    return len(reference(name).ids(text, "text"))


def test_a_table_in_utf_16_is_compared_column_by_column(page: Page, app: App) -> None:
    english, thai = parallel.paragraphs("en", "news"), parallel.paragraphs("th", "news")
    output = io.StringIO()
    csv.writer(output, delimiter=";").writerows(
        [("English", "ไทย"), *zip(english, thai, strict=True)]
    )
    opened(page, app, "own", t="o200k_base")
    table: FilePayload = {
        "name": "texts.csv",
        "mimeType": "text/csv",
        "buffer": output.getvalue().encode("utf-16-le"),
    }
    bring(page, table)
    expect(page.locator(".st-key-note_own_file")).to_contain_text("utf-16-le", timeout=WAIT_MS)
    expect(fresh(page, "own_heat_map")).to_contain_text("Thai", timeout=WAIT_MS)
    ratio = sum(map(count, thai)) / sum(map(count, english))
    found = heat_map(page, "own_heat_map")
    assert found == {"rows": ["English", "Thai"], "cells": [["1.00"], [f"{ratio:.2f}"]]}


def test_a_mixed_text_is_converted_and_copied_by_one_click(browser: Browser, app: App) -> None:
    composed, mixed = "Tiếng Việt", "Tiê\u0301ng Viê\u0323t"
    with watched(browser) as page:
        # A clipboard of the page's own: that of the machine is shared by all that runs on it.
        page.add_init_script(
            "navigator.clipboard.writeText = async (text) => { window.copied = text; }"
        )
        opened(page, app, "own", t="o200k_base")
        paste(page, mixed)
        note = page.locator(".st-key-warning_own_0")
        expect(note).to_contain_text("mixed form", timeout=WAIT_MS)
        expect(note).to_contain_text(f"{count(mixed)} tokens now, {count(composed)} after NFC")
        # The other text has such a button too, and it is there before this one.
        button = page.locator(".st-key-compose_0").get_by_role("button")
        expect(button).to_have_text("Convert to NFC and copy", timeout=WAIT_MS)
        button.click()
        expect(note).to_have_count(0, timeout=WAIT_MS)
        assert page.evaluate("() => window.copied") == composed
        assert page.locator("textarea").first.input_value() == composed


def test_a_long_count_is_stopped_and_goes_on(page: Page, app: App) -> None:
    parts = parallel.paragraphs("vi")
    text = "\n\n".join(f"{place} {parts[place % 30]}" for place in range(12_000))
    files: list[FilePayload] = [
        {"name": name, "mimeType": "text/plain", "buffer": (text + end).encode()}
        for name, end in (("en.txt", "."), ("vi.txt", "!"))
    ]
    opened(page, app, "own", t="gpt2,o200k_base")
    bring(page, *files)
    stop = page.get_by_role("button", name="Stop counting")
    stop.click(timeout=WAIT_MS)
    go_on = page.get_by_role("button", name="Go on counting")
    expect(go_on).to_be_visible(timeout=WAIT_MS)
    go_on.click()
    expect(fresh(page, "own_heat_map")).to_be_visible(timeout=2 * WAIT_MS)
    expect(stop).to_have_count(0, timeout=2 * WAIT_MS)
    expect(page.get_by_text("12,000 paragraphs: too long for a box").first).to_be_visible()
    assert heat_map(page, "own_heat_map")["rows"] == ["English", "Vietnamese"]


def test_own_sentences_are_counted_as_they_are_typed(page: Page, app: App) -> None:
    opened(page, app, "numbers", t="o200k_base")
    page.locator(".st-key-own_sentences textarea").fill("Đà Nẵng\n<b>12</b>")
    chart = fresh(page, "cost_sentences")
    expect(chart).to_contain_text("Đà Nẵng", timeout=WAIT_MS)
    expect(chart).to_contain_text("<b>12</b>")
    found = heat_map(page, "cost_sentences")
    assert found["cells"][-2][2] == str(count("Đà Nẵng"))


def saved(download: Download) -> bytes:
    return Path(download.path()).read_bytes()


CHARTS = {
    "texts": ("cost_heat_map", "cost_bars", "cost_forms"),
    "money": ("cost_bill",),
    "numbers": ("cost_sentences",),
    "own": ("own_heat_map",),
}
BEGINS = {"svg": b"<svg", "png": b"\x89PNG"}


@pytest.mark.parametrize("picture", BEGINS)
def test_every_chart_is_saved_as_a_picture(page: Page, app: App, picture: str) -> None:
    for view, keys in CHARTS.items():
        opened(page, app, view, t="o200k_base", picture=picture, only="1")
        for key in keys:
            chart = fresh(page, key)
            chart.scroll_into_view_if_needed()
            names = chart.locator(".js-plotly-plot").evaluate("plot => plot.layout.yaxis.ticktext")
            with page.expect_download(timeout=WAIT_MS) as one:
                chart.hover()
                chart.locator(".modebar-btn").click()
            assert one.value.suggested_filename == f"{key}.{picture}"
            data = saved(one.value)
            assert data.startswith(BEGINS[picture])
            if picture == "svg":
                for name in names:
                    assert all(part in data.decode() for part in name.split("<br>"))


@pytest.mark.parametrize("view", CHARTS)
def test_on_the_projector_the_picture_is_seen_as_a_whole(
    browser: Browser, app: App, view: str
) -> None:
    with watched(browser, viewport={"width": 1280, "height": 720}) as page:
        opened(page, app, view, projector="light")
        last = fresh(page, CHARTS[view][0]).locator(".ytick text").last
        expect(last).to_be_visible(timeout=WAIT_MS)
        expect(last).to_be_in_viewport(ratio=1)


def test_tables_are_saved_and_charts_open_without_a_network(browser: Browser, app: App) -> None:
    with watched(browser) as page:
        outside: list[str] = []
        page.on("request", lambda request: outside.append(request.url))
        opened(page, app, "own", t="o200k_base")
        with page.expect_download(timeout=WAIT_MS) as one:
            page.get_by_role("button", name="Table as CSV").click()
        rows = list(csv.DictReader(io.StringIO(saved(one.value).decode("utf-8-sig"))))
        written = [unicodedata.normalize("NFD", one) for one in parallel.paragraphs("vi")[:3]]
        assert [row["tokens"] for row in rows if row["language"] == "Vietnamese"] == [
            str(sum(map(count, written)))
        ]
        with page.expect_download(timeout=WAIT_MS) as one:
            page.get_by_role("button", name="Own texts as HTML").click()
        document = saved(one.value)
        assert all(url.startswith((app.url, "data:", "blob:")) for url in outside), outside
    with watched(browser, offline=True) as page:
        page.set_content(document.decode())
        expect(page.locator(".js-plotly-plot")).to_contain_text("Vietnamese", timeout=WAIT_MS)


def test_on_a_phone_nothing_is_cut_off_and_the_camera_covers_no_name(
    browser: Browser, app: App
) -> None:
    phone: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    with watched(browser, **phone, is_mobile=True) as page:
        for view, key in (("texts", "cost_bars"), ("numbers", "cost_sentences")):
            opened(page, app, view)
            chart = fresh(page, key)
            expect(chart.locator(".modebar-btn")).to_have_count(1, timeout=WAIT_MS)
            camera = chart.locator(".modebar-btn").bounding_box()
            names = chart.locator(".legendtext, .xtick text").all()
            boxes = [box for name in names if (box := name.bounding_box())]
            assert camera
            assert boxes
            for box in boxes:
                apart = (
                    box["x"] + box["width"] <= camera["x"]
                    or box["y"] >= camera["y"] + camera["height"]
                    or camera["x"] + camera["width"] <= box["x"]
                    or box["y"] + box["height"] <= camera["y"]
                )
                assert apart, (box, camera)
            if view == "numbers":
                # A row of digits is a line of text: the table is scrolled sideways.
                rows = page.locator(".st-key-digits_table tr").all()
                heights = [row.evaluate("row => row.offsetHeight") for row in rows]
                assert max(heights) < 2 * min(heights)
            wide = "() => document.scrollingElement.scrollWidth <= innerWidth"
            assert page.evaluate(wide)
