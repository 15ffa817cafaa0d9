"""The Training page in a real browser: from Train to playing, frames a second, scrubbing."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator

from playwright.sync_api import Browser, Page

from tests.benchmarks.measure import Row, at_most
from tests.browser.driver import running_app, running_browser, settle

# The English training text: 2,000 merges for scrubbing, 200 to play on as many words as fit.
MERGES = 2_000
PLAYED = 200
SCRUBS = 60
SECONDS = 8
WAIT_MS = 60_000
_RULES = "c=en&p=gpt2&ties=smallest-ids"

# From the moving of the slider to the frame that shows the step, in milliseconds.
_SCRUB = """async (slider, targets) => {
    const player = slider.getRootNode().querySelector('.player');
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const times = [];
    for (const target of targets) {
        await frame();
        const started = performance.now();
        slider.value = target;
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        do await frame(); while (player.dataset.step !== String(target));
        // What was changed in a frame is painted before the next task.
        await new Promise((done) => setTimeout(done));
        times.push(performance.now() - started);
    }
    return times;
}"""
# The lengths of the frames while it plays, in milliseconds.
_FRAMES = """(seconds) => new Promise((done) => {
    const lengths = [], started = performance.now();
    let before = started;
    const next = (now) => {
        lengths.push(now - before);
        before = now;
        if (now - started < seconds * 1000) requestAnimationFrame(next); else done(lengths);
    };
    requestAnimationFrame((now) => { before = now; requestAnimationFrame(next); });
})"""


def _stage(browser: Browser, url: str, merges: int) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{url}/training?{_RULES}&m={merges}")
    page.wait_for_selector("[data-counter=tokens]", timeout=WAIT_MS)
    settle(page, timeout=WAIT_MS)
    return page


def _train_pressed(page: Page) -> float:
    """Seconds from pressing Train to the first merge on the stage."""
    started = time.perf_counter()
    page.get_by_role("button", name="Train", exact=True).click()
    page.wait_for_selector(".player[data-playing=true]:not([data-step='0'])", timeout=WAIT_MS)
    return time.perf_counter() - started


def _scrubbing(page: Page) -> Iterator[Row]:
    targets = random.Random(1).sample(range(MERGES), SCRUBS)
    times = page.get_by_label("Merges made").evaluate(_SCRUB, targets)
    for title, value in (("median", statistics.median(times)), ("longest", max(times))):
        yield at_most(
            f"scrub to any of {MERGES:,} steps until painted, {title} of {SCRUBS}",
            value / 1_000,
            0.05,
        )


def _playing(page: Page) -> Iterator[Row]:
    words = page.locator(".word").count()
    page.keyboard.press("Space")
    page.wait_for_selector(".player[data-playing=true]", timeout=WAIT_MS)
    lengths = page.evaluate(_FRAMES, SECONDS)
    second = 1_000 / statistics.mean(lengths)
    yield Row(
        work=f"stage of {words} words and {PLAYED} merges while it plays, mean of {SECONDS} s",
        ours=f"{second:.1f} frames a second",
        target="60",
        met=round(second) >= 60,
    )
    late = sum(length > 25 for length in lengths)
    yield Row(
        work="frames that came later than the next one was due",
        ours=f"{late} of {len(lengths)}, longest {max(lengths):.0f} ms",
    )


def rows() -> Iterator[Row]:
    """The whole part."""
    with running_app() as app, running_browser() as browser:
        page = _stage(browser, app.url, MERGES)
        yield from _scrubbing(page)
        page.close()
        page = _stage(browser, app.url, MERGES)
        yield at_most(f"Train pressed to the first of {MERGES:,} merges", _train_pressed(page), 1)
        page.close()
        yield from _playing(_stage(browser, app.url, PLAYED))
