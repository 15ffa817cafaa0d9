"""Running a page in a test without a browser."""

from __future__ import annotations

import time

from streamlit.testing.v1 import AppTest

from pages.ui.tokens.self_check import CHECKING

WAIT_SECONDS = 60


def said(app: AppTest) -> str:
    """All sentences on the page."""
    return "\n".join(element.value for element in [*app.text, *app.markdown, *app.caption])


def settled(app: AppTest) -> AppTest:
    """Run the page, again while a check is under way as its clock would; it must not fail."""
    deadline = time.monotonic() + WAIT_SECONDS
    app.run()
    while CHECKING in said(app) and time.monotonic() < deadline:
        time.sleep(0.1)
        app.run()
    assert not app.exception
    return app
