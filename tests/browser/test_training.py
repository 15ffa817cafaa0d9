"""The Training page in a browser: what is shown is counted again, at several steps."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import engine
from engine import PRESETS, TrainingRun
from pages.ui.corpora import corpora
from tests.browser.conftest import watched
from tests.browser.driver import App
from tests.browser.player_page import PlayerPage
from tests.browser.test_look import faults
from tests.browser.tokens_page import WAIT_MS

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

LARGE = {"c": "en", "m": "2000", "p": "gpt2", "ties": "smallest-ids"}


class TrainingPage(PlayerPage):
    """The page in one browser tab."""

    path = "training"
    ready = "[data-counter=tokens]"

    def open(self, **words: str) -> TrainingPage:
        """Go to the page and wait until it has said all."""
        return self.visit(words)

    @property
    def step(self) -> int:
        return int(self.player.get_attribute("data-step") or -1)

    def counters(self, name: str) -> list[str]:
        """A number of each lane."""
        return self.page.locator(f"[data-counter={name}]").all_inner_texts()

    def leading(self) -> dict[tuple[int, int], int]:
        """The bars: pairs of ids and their counts."""
        bars = self.page.locator("[data-pair]").evaluate_all(
            """bars => bars.filter(bar => bar.checkVisibility()).map(bar => [
                bar.dataset.pair,
                (bar.querySelector('[data-pair-count]') ?? bar).dataset.pairCount,
            ])"""
        )
        found = {}
        for pair, count in bars:
            left, right = map(int, pair.replace("-", ",").split(","))
            found[left, right] = int(count)
        return found


@contextmanager
def shown(browser: Browser, app: App, **options: Any) -> Iterator[TrainingPage]:
    words = options.pop("words", {})
    options.setdefault("viewport", {"width": 1280, "height": 900})
    with watched(browser, **options) as page:
        yield TrainingPage(page, app).open(**words)


@pytest.fixture
def small(page: Page, app: App) -> TrainingPage:
    return TrainingPage(page, app).open()


@pytest.fixture
def large(page: Page, app: App) -> TrainingPage:
    return TrainingPage(page, app).open(**LARGE)


def recounted(run: TrainingRun, step: int) -> tuple[int, Counter[tuple[int, int]]]:
    """Tokens and counts of pairs after ``step`` merges, by encoding every piece again."""
    tokenizer, tokens = run.at(step), 0
    pairs: Counter[tuple[int, int]] = Counter()
    for piece, count in run.corpus.pieces.items():
        ids = tokenizer.encoder.ids(piece, first=True)
        tokens += len(ids) * count
        for pair in pairwise(ids):
            pairs[pair] += count
    return tokens, pairs


@pytest.mark.parametrize(
    ("words", "preset", "steps"),
    [
        ({}, "lesson C", (0, 1, 2, 5, 8)),
        (LARGE, "plain", (0, 1, 17, 700, 1_999, 2_000)),
    ],
)
def test_what_is_shown_is_counted_again(
    page: Page, app: App, words: dict[str, str], preset: str, steps: tuple[int, ...]
) -> None:
    tab = TrainingPage(page, app).open(**words)
    corpus = corpora()[words.get("c", "four-words")]
    run = engine.train(corpus.text, replace(PRESETS[preset], merges=steps[-1]))
    size = len(corpus.text.encode())
    for step in steps:
        tab.go_to(step)
        tokens, pairs = recounted(run, step)
        assert tab.counters("tokens") == [f"{tokens:,}"]
        assert tab.counters("bytes-per-token") == [f"{size / tokens:.2f}"]
        assert tab.counters("vocabulary") == [f"{256 + step:,}"]
        assert tab.counters("step") == [f"{step:,} of {steps[-1]:,}"]
        bars = tab.leading()
        assert len(bars) == min(10, len(pairs))
        assert bars == {pair: pairs[pair] for pair in bars}
        assert sorted(bars.values()) == sorted(n for _, n in pairs.most_common(len(bars)))
        if step:
            expect(page.locator(".sentence").first).to_contain_text(
                f"{run.steps[step - 1].pair_count:,} time"
            )


def test_scrubbing_asks_nobody(large: TrainingPage) -> None:
    sent: list[object] = []
    large.page.on("websocket", lambda socket: socket.on("framesent", sent.append))
    for target in (2_000, 1, 1_500, 700, 1_999, 0):
        large.page.get_by_label("Merges made").evaluate(
            """(slider, step) => {
                slider.value = step;
                slider.dispatchEvent(new Event('input', {bubbles: true}));
            }""",
            target,
        )
        large.expect_step(target)
    assert not sent


def test_the_place_is_kept(small: TrainingPage) -> None:
    page = small.page
    small.go_to(5)
    expect(page).to_have_url(f"{small.app.url}/training?k=5", timeout=WAIT_MS)
    page.get_by_role("link", name="Tokens").click()
    page.wait_for_selector("[data-token]")
    page.get_by_role("link", name="Training").click()
    small.expect_step(5)
    small.settled()
    assert small.counters("step") == ["5 of 8"]


def test_a_link_opens_at_its_step(page: Page, app: App) -> None:
    tab = TrainingPage(page, app).open(k="6")
    tab.expect_step(6)


def test_train_plays_and_space_pauses(large: TrainingPage) -> None:
    page = large.page
    page.get_by_role("button", name="Train", exact=True).click()
    expect(large.player).to_have_attribute("data-playing", "true", timeout=WAIT_MS)
    expect(large.player).not_to_have_attribute("data-step", "0", timeout=WAIT_MS)
    page.keyboard.press("Space")
    expect(large.player).to_have_attribute("data-playing", "false")
    paused = large.step
    large.settled()
    page.wait_for_timeout(1_000)
    assert large.step == paused > 0


def test_keyboard_only(small: TrainingPage) -> None:
    press = small.page.keyboard.press
    small.page.evaluate("document.activeElement?.blur()")
    press("ArrowRight")
    small.expect_step(1)
    press("End")
    small.expect_step(8)
    press("ArrowLeft")
    small.expect_step(7)
    press("Home")
    small.expect_step(0)
    press("Space")
    expect(small.player).to_have_attribute("data-playing", "true")
    press("Space")
    expect(small.player).to_have_attribute("data-playing", "false")
    press("?")
    expect(small.page.get_by_role("dialog")).to_be_visible()
    press("Escape")
    expect(small.page.get_by_role("dialog")).to_be_hidden()


def test_predict(small: TrainingPage) -> None:
    page = small.page
    page.get_by_text("Predict", exact=True).click()
    expect(small.player).to_have_attribute("data-predict", "hidden", timeout=WAIT_MS)
    small.settled()
    assert small.leading() == {}
    page.locator("[data-candidate='101,115']").click()
    expect(page.locator(".verdict")).to_contain_text("Right: ")
    expect(page.locator(".verdict")).to_contain_text("9 times")
    expect(small.player).to_have_attribute("data-predict", "revealed")
    assert small.leading()[101, 115] == 9
    page.get_by_label("One merge (→)").click()
    small.expect_step(1)
    expect(small.player).to_have_attribute("data-predict", "hidden")
    page.locator("[data-candidate]").last.click()
    expect(page.locator(".score")).to_contain_text("of 2 right")


def test_race(page: Page, app: App) -> None:
    tab = TrainingPage(page, app).open(race="1", m="300", p="gpt2", ties="smallest-ids")
    rules = replace(PRESETS["plain"], merges=300)
    for step in (0, 50, 300):
        tab.go_to(step)
        assert tab.counters("step") == [f"{step} of 300"] * 3
        expected = [
            f"{recounted(engine.train(corpora()[name].text, rules), step)[0]:,}"
            for name in ("vi", "zh", "en")
        ]
        assert tab.counters("tokens") == expected


def test_charts_follow_the_player(large: TrainingPage) -> None:
    page = large.page
    expect(page.locator(".js-plotly-plot")).to_have_count(4, timeout=WAIT_MS)
    assert page.evaluate("typeof window.Plotly?.relayout") == "function"
    large.go_to(1_200)
    # The line is drawn where it is seen.
    page.locator(".st-key-training_tokens .js-plotly-plot").scroll_into_view_if_needed()
    page.wait_for_function(
        """() => {
            const chart = document.querySelector('.st-key-training_tokens .js-plotly-plot');
            return chart?.layout?.shapes?.some((shape) => shape.x0 === 1200);
        }""",
        timeout=WAIT_MS,
    )
    chart = page.locator(".st-key-training_counts .js-plotly-plot")
    chart.scroll_into_view_if_needed()
    page.evaluate(
        """() => window.Plotly.Fx.hover(
            document.querySelector('.st-key-training_counts .js-plotly-plot'),
            [{curveNumber: 0, pointNumber: 3}])"""
    )
    expect(chart.locator(".hoverlayer")).to_contain_text("merge 4: ")


def test_charts_flatten(large: TrainingPage) -> None:
    """More merges than useful: the second half saves less than a tenth of the first."""
    ends = large.page.evaluate(
        """() => {
            const {x, y} = document.querySelector(
                '.st-key-training_tokens .js-plotly-plot').data[0];
            return [y[0], y[x.findIndex((merges) => merges >= 1000)], y.at(-1)];
        }"""
    )
    assert ends[1] - ends[2] < 0.1 * (ends[0] - ends[1])


def test_own_text_is_trained_and_exported(small: TrainingPage) -> None:
    from tokenizers import Tokenizer

    page = small.page
    page.get_by_role("button", name="Own text").click()
    text = "banana bandana banana"
    page.locator("textarea").first.fill(text)
    # Not the number of merges: the corpus shown before has eight as well.
    tokens = page.locator("[data-counter=tokens]")
    expect(tokens).to_have_text(str(len(text)), timeout=WAIT_MS)
    small.settled()
    page.keyboard.press("Escape")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="tokenizer.json").click()
    data = waiting.value.path().read_text("utf-8")
    run = engine.train("banana bandana banana", replace(PRESETS["plain"], merges=500))
    ids = Tokenizer.from_str(data).encode("a banana in bandanas").ids
    assert ids == run.tokenizer.encode("a banana in bandanas").ids
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Corpus and settings").click()
    saved = json.loads(waiting.value.path().read_text("utf-8"))
    assert saved["corpus"] == "banana bandana banana"
    assert saved["settings"]["merges"] == 500


def test_the_trained_tokenizer_on_the_tokens_page(small: TrainingPage) -> None:
    page = small.page
    page.get_by_role("button", name="Open on the Tokens page").click()
    page.wait_for_selector("[data-token]")
    expect(page.get_by_text("Trained: low, lower, newest, widest (8 merges)").first).to_be_visible()
    expect(page.get_by_text("(8 merges): ✓ ids equal to tokenizers").first).to_be_visible(
        timeout=WAIT_MS
    )


def test_stop_keeps_what_was_learned(page: Page, app: App) -> None:
    from tests.benchmarks.texts import mixed

    tab = TrainingPage(page, app).open()
    page.get_by_role("button", name="Own text").click()
    page.locator("input[type=file]").first.set_input_files(
        [{"name": "big.txt", "mimeType": "text/plain", "buffer": mixed(3_000_000).encode()}]
    )
    expect(page.get_by_text("Press Train")).to_be_visible(timeout=WAIT_MS)
    page.keyboard.press("Escape")
    box = page.get_by_label("Merges", exact=True).first
    box.fill("40000")
    box.press("Enter")
    tab.settled()
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_text("of 40,000 merges").first).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Stop training").click()
    stopped = page.get_by_text("Stopped. The ")
    expect(stopped).to_be_visible(timeout=WAIT_MS)
    made = int(stopped.inner_text().split()[2].replace(",", ""))
    assert 0 < made < 40_000
    expect(box).to_have_value(str(made), timeout=WAIT_MS)
    expect(page.locator("[data-counter=step]")).to_contain_text(f"of {made:,}", timeout=WAIT_MS)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_accessibility(browser: Browser, app: App, scheme: str, width: int) -> None:
    viewport = {"width": width, "height": 844}
    with shown(browser, app, viewport=viewport, color_scheme=scheme, words={"k": "4"}) as tab:
        tab.page.wait_for_selector(".js-plotly-plot", timeout=WAIT_MS)
        assert faults(tab.page) == []
        across = tab.page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
        assert across <= width


@pytest.mark.parametrize("way", ["light", "dark"])
def test_the_projector(browser: Browser, app: App, way: str) -> None:
    with shown(browser, app, words={"projector": way, "k": "2"}) as tab:
        expect(tab.page.get_by_test_id("stSidebar")).to_be_hidden()
        expect(tab.page.locator(".js-plotly-plot")).to_have_count(0)
        tab.page.keyboard.press("ArrowRight")
        tab.expect_step(3)
        assert faults(tab.page) == []


def test_reduced_motion(browser: Browser, app: App) -> None:
    with shown(browser, app, reduced_motion="reduce") as tab:
        tab.page.keyboard.press("ArrowRight")
        tab.expect_step(1)
        moving = tab.page.evaluate(
            """() => document.getAnimations().filter((a) => a.playState === 'running'
                && a.effect.getComputedTiming().duration > 1).length"""
        )
        assert moving == 0
        assert tab.counters("tokens") == ["85"]


def test_marks_of_a_link(page: Page, app: App) -> None:
    TrainingPage(page, app).open(**LARGE, k="700")
    page.locator(".st-key-training_tokens .js-plotly-plot").scroll_into_view_if_needed()
    page.wait_for_function(
        """() => {
            const chart = document.querySelector('.st-key-training_tokens .js-plotly-plot');
            return chart?.layout?.shapes?.some((shape) => shape.x0 === 700);
        }""",
        timeout=WAIT_MS,
    )
