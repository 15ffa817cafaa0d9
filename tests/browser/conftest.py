"""One app and one browser for all browser tests of a worker; pages for a test or for a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.driver import App, running_app, running_browser
from tests.browser.tokens_page import TokensPage


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run a browser test that failed once more; the report names it as rerun.

    Server, browser and test share the cores of a machine nobody chose. What fails twice is wrong.
    """
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def app() -> Iterator[App]:
    """A running app."""
    with running_app() as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A running browser."""
    with running_browser() as running:
        yield running


@contextmanager
def watched(browser: Browser, **options: Any) -> Iterator[Page]:
    """A page that must end without an error in its console and without having asked anything."""
    options.setdefault("viewport", {"width": 1280, "height": 900})
    context = browser.new_context(**options)
    opened = context.new_page()
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
    yield opened
    context.close()
    assert not faults


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a context of its own."""
    with watched(browser) as opened:
        yield opened


@pytest.fixture(scope="module")
def tab(browser: Browser, app: App) -> Iterator[TokensPage]:
    """The Tokens page as it opens, shared by the tests of a file, which only put texts into it."""
    with watched(browser) as opened:
        yield TokensPage(opened, app).open()
