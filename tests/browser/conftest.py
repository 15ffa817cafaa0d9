"""One app and one browser for all browser tests of a worker; a fresh page for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.driver import App, running_app, running_browser


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


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a context of its own, which must end without an error in its console."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert not errors
