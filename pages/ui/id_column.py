"""From a list of ids to a column of the token view."""

from __future__ import annotations

import engine
from engine.id_text import IdText
from pages.ui.columns import ADDED, CONTROL, UNKNOWN
from pages.ui.token_view import Column, Figure, Headline


def column_of(name: str, found: IdText) -> Column:
    """The ids as a column; an unknown number is a token of its own kind without text."""
    tokenization = found.tokenization
    kinds = bytearray(len(tokenization))
    for place, token in tokenization.special.items():
        kinds[place] = CONTROL if token.special else ADDED
    for here in found.unknown:
        kinds[here.place] = UNKNOWN
    rank_of = tokenization.tokenizer.rank_of
    return Column(
        name=name,
        text=tokenization.text,
        ids=tokenization.ids,
        ends_byte=tokenization.ends_byte,
        closes=engine.closes(tokenization),
        kinds=bytes(kinds),
        ranks={i: rank_of(i) for i in set(tokenization.ids) if i is not None},
        own_bytes={token.place: token.data for token in found.stray},
        headline=Headline(
            value=len(tokenization),
            unit="ids",
            figures=[
                Figure(label="bytes", value=len(found.data)),
                Figure(label="code points", value=len(found.text)),
            ],
        ),
    )
