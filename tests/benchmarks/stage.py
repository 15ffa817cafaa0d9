"""The Training page in a real browser: from Train to playing, frames a second, scrubbing."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator

from playwright.sync_api import Browser, Page

from tests.benchmarks.measure import Row, at_most, duration
from tests.browser.driver import running_app, running_browser, settle

# The English training text: 2,000 merges for scrubbing, 200 to play on as many words as fit.
MERGES = 2_000
PLAYED = 200
SCRUBS = 60
SECONDS = 8
WAIT_MS = 60_000
QUIET_MS = 700
_RULES = "c=en&p=gpt2&ties=smallest-ids"

# From when the hand moves to when what it asked for is painted, in milliseconds. The pointer and
# the keys are the browser's own: such an event waits for the next frame like that of a person.
_LISTEN = """(slider) => {
    const player = slider.getRootNode().querySelector('.player');
    const times = window.answered = [];
    let last, before = player.dataset.step;
    const note = (event) => { last = event; };
    window.addEventListener('pointermove', note, true);
    window.addEventListener('keydown', note, true);
    const painted = () => {
        if (player.dataset.step === before) return;
        before = player.dataset.step;
        const since = last.timeStamp;
        // What was changed in a frame is painted before the next task.
        const then = () => setTimeout(() => times.push(performance.now() - since));
        // A key is answered at once, the slider in a frame.
        if (last.type === 'keydown') requestAnimationFrame(then); else then();
    };
    new MutationObserver(painted).observe(player, { attributeFilter: ['data-step'] });
}"""
_ANSWERED = "() => window.answered.length"
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


def _train_pressed(page: Page) -> Iterator[Row]:
    started = time.perf_counter()
    page.get_by_role("button", name="Train", exact=True).click()
    page.wait_for_selector(".player[data-playing=true] .words .hot", timeout=WAIT_MS)
    yield at_most(
        f"Train pressed to playing {MERGES:,} merges: the first pair glows",
        time.perf_counter() - started,
        1,
    )
    page.wait_for_selector(".player[data-playing=true]:not([data-step='0'])", timeout=WAIT_MS)
    yield Row(work="and to the first merge", ours=duration(time.perf_counter() - started))


def _scrubbing(page: Page) -> Iterator[Row]:
    slider = page.get_by_label("Merges made")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    choose = random.Random(1)
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    page.wait_for_timeout(QUIET_MS)
    slider.evaluate(_LISTEN)
    for _ in range(SCRUBS):
        _answered(page, lambda: page.mouse.move(box["x"] + choose.random() * box["width"], middle))
    yield from _times(page, f"scrub to any of {MERGES:,} steps until painted")
    page.mouse.up()
    page.wait_for_timeout(QUIET_MS)
    page.evaluate("() => { window.answered.length = 0; }")
    for _ in range(SCRUBS):
        _answered(page, lambda: page.keyboard.press("ArrowLeft"))
    yield from _times(page, "step back until painted")


def _answered(page: Page, act: Callable[[], None]) -> None:
    """Wait until the page has painted what ``act`` asked for."""
    before = page.evaluate(_ANSWERED)
    act()
    page.wait_for_function(f"(before) => ({_ANSWERED})() > before", arg=before, timeout=WAIT_MS)


def _times(page: Page, work: str) -> Iterator[Row]:
    times = page.evaluate("() => window.answered")
    for title, value in (("median", statistics.median(times)), ("longest", max(times))):
        yield at_most(f"{work}, {title} of {len(times)}", value / 1_000, 0.05)


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
        yield from _train_pressed(page)
        page.close()
        yield from _playing(_stage(browser, app.url, PLAYED))
