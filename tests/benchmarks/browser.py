"""From paste to painted in a real browser, hover, first page, memory of the server."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

from playwright.sync_api import Browser, Page

from tests.benchmarks.measure import Row, at_most, duration
from tests.benchmarks.texts import mixed
from tests.browser.driver import (
    App,
    open_page,
    painted,
    paste,
    running_app,
    running_browser,
    wait_for_new_paint,
)


def _paste_seconds(page: Page, text: str) -> float:
    before = painted(page)
    started = time.perf_counter()
    paste(page, text)
    wait_for_new_paint(page, before)
    return time.perf_counter() - started


def _new_page(browser: Browser, url: str) -> Page:
    page = browser.new_page()
    open_page(page, url)
    return page


def _hover_milliseconds(page: Page) -> float:
    """Median time from the pointer entering a token to the frame with its card."""
    times = page.evaluate(
        """async () => {
            const view = [...document.querySelectorAll('[data-painted]')].at(-1);
            const tokens = [...view.shadowRoot.querySelectorAll('[data-token]')].slice(0, 40);
            const times = [];
            for (const token of tokens) {
                const started = performance.now();
                const place = token.getBoundingClientRect();
                const where = {
                    bubbles: true, composed: true,
                    clientX: place.x + 2, clientY: place.y + 2, pointerType: 'mouse',
                };
                for (const kind of ['pointerover', 'pointerenter', 'mouseover', 'pointermove']) {
                    const Event = kind.startsWith('pointer') ? PointerEvent : MouseEvent;
                    token.dispatchEvent(new Event(kind, where));
                }
                await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
                times.push(performance.now() - started);
            }
            return times;
        }"""
    )
    return statistics.median(times)


def _first_page(browser: Browser) -> Iterator[Row]:
    with running_app() as app:
        started = time.perf_counter()
        page = _new_page(browser, app.url)
        yield at_most("first page of a new server, to tokens", time.perf_counter() - started, 2)
        started = time.perf_counter()
        _new_page(browser, app.url)
        yield at_most("first page of the next person", time.perf_counter() - started, 2)
        page.close()


def _pastes(browser: Browser, app: App) -> Iterator[Row]:
    page = _new_page(browser, app.url)
    seconds = [_paste_seconds(page, mixed(1_000_000, seed=seed)) for seed in range(5)]
    yield at_most(
        "1 MB pasted to painted, two tokenizers, median of five", statistics.median(seconds), 2
    )
    hover = _hover_milliseconds(page) / 1_000
    yield at_most("hover on a token of 1 MB", hover, 0.05)
    for seed in range(5, 10):
        _paste_seconds(page, mixed(1_000_000, seed=seed))
    yield Row(
        work="memory of the server after ten such pastes",
        ours=f"{app.memory_mb():.0f} MB",
        target="< 1,000 MB",
        met=app.memory_mb() < 1_000,
    )
    yield Row(
        work="4.9 MB pasted to painted",
        ours=duration(_paste_seconds(page, mixed(4_900_000))),
        target="works",
    )
    yield Row(
        work="a word of 100,000 letters pasted to painted",
        ours=duration(_paste_seconds(page, "a" * 100_000)),
        target="works",
    )


def rows() -> Iterator[Row]:
    """The whole part."""
    with running_browser() as browser:
        yield from _first_page(browser)
        with running_app() as app:
            yield from _pastes(browser, app)
