"""How the Training page looks with other scripts and on a phone: nothing cut off, nothing jumps."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.driver import App, paste
from tests.browser.test_training import TrainingPage, shown
from tests.browser.tokens_page import WAIT_MS

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

EMOJI = "👨‍👩‍👧‍👦 👍🏽 👋🏽 🇻🇳 👩‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 😀😀😀 " * 8
ARABIC = "ذهب الولد إلى السوق صباحًا. السوق قريب من البيت. " * 6
# What of a pair's tiles lies over the other, or is cut off without a sign of it.
HIDDEN = """(bars) => bars.flatMap((bar) => {
    const [left, right] = bar.querySelectorAll('.tile');
    const over = left.getBoundingClientRect().right > right.getBoundingClientRect().left;
    const lost = [left, right].some((tile) =>
        tile.scrollWidth > tile.clientWidth && !tile.classList.contains('cut'));
    return over || lost ? [bar.innerText] : [];
})"""

# Words whose tiles reach out of their card.
CRAMPED = """(words) => words.filter((word) => {
    const card = word.getBoundingClientRect(), tiles = word.querySelector('.tiles');
    const { right, bottom } = tiles.getBoundingClientRect();
    return bottom > card.bottom + 1 || right > card.right + 1;
}).map((word) => word.innerText)"""
# The height at each step, without letting go: cards are measured anew only then.
HEIGHTS = """async (player, last) => {
    const slider = player.querySelector('input[type=range]');
    const heights = [];
    // Pulled by hand: a key would jump there, and a jump lays the words out anew.
    slider.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}));
    for (let step = 1; step < last; step += 3) {
        slider.value = step;
        slider.dispatchEvent(new Event('input', {bubbles: true}));
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        heights.push(player.offsetHeight);
    }
    return heights;
}"""


def train_on(tab: TrainingPage, text: str) -> None:
    """Paste a text of one's own and wait for its run."""
    tab.page.get_by_role("button", name="Own text").click()
    paste(tab.page, text)
    size = f"{len(text.encode()):,}"
    tokens = tab.page.locator("[data-counter=tokens]")
    expect(tokens).to_have_text(size, timeout=WAIT_MS)
    tab.page.keyboard.press("Escape")
    tab.settled()


def test_wide_pairs_stay_apart(page: Page, app: App) -> None:
    tab = TrainingPage(page, app).open()
    train_on(tab, EMOJI)
    bars = page.locator(".bar[data-pair]")
    for step in (10, 20, 30):
        tab.go_to(step)
        expect(bars.locator(".tile.long").first).to_be_attached()
        page.wait_for_timeout(200)  # the fading edge comes after the layout
        assert bars.evaluate_all(HIDDEN) == []
    assert bars.locator(".cut").count() > 0


def test_a_word_from_the_right_stands_over_its_tiles(page: Page, app: App) -> None:
    tab = TrainingPage(page, app).open()
    train_on(tab, ARABIC)
    tab.go_to(20)
    edges = page.locator(".word[dir=rtl]").evaluate_all(
        """(words) => words.map((word) => [
            word.querySelector('.word-text').getBoundingClientRect().right,
            word.querySelector('.tile').getBoundingClientRect().right,
        ])"""
    )
    assert len(edges) > 5
    assert all(abs(word - tile) < 2 for word, tile in edges)


@pytest.mark.parametrize("from_slider", [False, True], ids=["stage", "slider"])
def test_stepping_back_leaves_room_for_the_tiles(page: Page, app: App, from_slider: bool) -> None:
    tab = TrainingPage(page, app).open(c="vi", m="60")
    tab.go_to(60)
    if from_slider:
        page.get_by_label("Merges made").focus()
    for step in range(59, -1, -1):
        page.keyboard.press("ArrowLeft")
        tab.expect_step(step)
        assert page.locator(".word").evaluate_all(CRAMPED) == []


@pytest.mark.parametrize("width", [390, 1180, 1280])
@pytest.mark.parametrize(
    "words", [{"c": "vi", "m": "300"}, {"race": "1", "m": "100", "p": "gpt2"}], ids=["one", "race"]
)
def test_nothing_below_moves_while_it_plays(
    browser: Browser, app: App, width: int, words: dict[str, str]
) -> None:
    with shown(browser, app, viewport={"width": width, "height": 844}, words=words) as tab:
        heights = tab.player.evaluate(HEIGHTS, int(words["m"]))
        assert max(heights) - min(heights) <= 2


def test_all_racers_can_be_read_on_a_phone(browser: Browser, app: App) -> None:
    viewport = {"width": 390, "height": 844}
    with shown(browser, app, viewport=viewport, words={"race": "1", "m": "20"}) as tab:
        chosen = tab.page.get_by_test_id("stMain").locator(".stMultiSelect [data-tag]")
        expect(chosen).to_have_count(3)
        for place in range(3):
            box = chosen.nth(place).bounding_box()
            assert box is not None
            assert box["x"] + box["width"] < 330  # before the buttons of the field
