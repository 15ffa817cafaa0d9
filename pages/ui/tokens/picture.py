"""The picture of tokens as the page's settings ask for it; after a refusal, the last good one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from pages.ui import state
from pages.ui.notices import notice
from pages.ui.settings import PROJECTOR
from pages.ui.token_view import ColourBy, Column, OpenRequest, ShowAs, last_columns, token_view
from pages.ui.tokens import settings


def show_picture(
    columns: Sequence[Column],
    *,
    key: str,
    empty: str,
    earlier: bool = False,
    can_open: bool = False,
) -> OpenRequest | None:
    """Draw the columns.

    ``empty`` stands in place of an empty text; ``earlier`` draws them as what was here before.
    ``can_open`` offers to ask why a token was cut so; what was asked is returned, once.
    """
    result = token_view(
        columns,
        key=key,
        show_as=cast("ShowAs", state.get(settings.SHOW_AS)),
        colour_by=cast("ColourBy", state.get(settings.COLOUR_BY)),
        projector=state.get(PROJECTOR) != "off",
        empty=empty,
        earlier=earlier,
        can_open=can_open,
    )
    state.put(settings.SHOW_AS, result.choice.show_as)
    state.put(settings.COLOUR_BY, result.choice.colour_by)
    return result.opened


def show_earlier_picture(*, key: str) -> None:
    """After a refusal: what was last drawn under ``key`` stays, marked as such."""
    columns = [column for column in last_columns(key) if column.ids]
    if columns:
        notice("The picture below is from before this was refused.", kind="note", key="earlier")
        show_picture(columns, key=key, empty="", earlier=True)
