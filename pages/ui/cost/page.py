"""The Cost page, put together."""

from __future__ import annotations

from pages.ui.cost.languages import show_languages


def show() -> None:
    """The whole page."""
    show_languages()
