"""Stages 1 and 2: what normalization rewrote, and the pieces with the branches that took them."""

from __future__ import annotations

import unicodedata
from collections import Counter
from itertools import islice
from typing import Final

import streamlit as st

import engine
from pages.ui import state
from pages.ui.piece_strip import StripPiece, StripStep, piece_strip
from pages.ui.replay import settings
from pages.ui.replay.way import Chosen
from pages.ui.settings import PROJECTOR
from pages.ui.token_rows import visible

_MOST_CHANGES: Final = 200
# Pieces drawn at a time, and how many of them before the chosen one.
_DRAWN: Final = 300
_BEFORE: Final = 100


def show_normalization(way: engine.Replay) -> None:
    """What changed, code point by code point."""
    form = way.tokenizer.normalizer.name
    if form == "none":
        st.text("This tokenizer does not normalize: the text is cut as it was given.")
        return
    if not way.changes:
        same = way.original == way.text
        st.text(f"Normalization ({form}): " + ("nothing to change." if same else "as below."))
        return
    before, after = len(way.original), len(way.text)
    st.text(
        f"Normalization ({form}) rewrote {_places(len(way.changes))}: "
        f"{before:,} code points became {after:,}."
    )
    table = [
        {
            "at": change.original_start,
            "given": visible(given.encode()),
            "code points given": code_points(given),
            "written": visible(written.encode()),
            "code points written": code_points(written),
            "names": f"{names_of(given)} → {names_of(written)}",
        }
        for change in islice(way.changes, _MOST_CHANGES)
        for given in [way.original[change.original_start : change.original_end]]
        for written in [way.text[change.normalized_start : change.normalized_end]]
    ]
    st.dataframe(table, hide_index=True, key="changes")
    if len(way.changes) > _MOST_CHANGES:
        st.text(f"The first {_MOST_CHANGES:,} are listed.")


def _places(count: int) -> str:
    return "one place" if count == 1 else f"{count:,} places"


def code_points(text: str) -> str:
    """The code points of a short text.

    >>> code_points("é!")
    'U+00E9 U+0021'
    """
    return " ".join(f"U+{ord(character):04X}" for character in text)


def names_of(text: str) -> str:
    """The names of the code points of a short text.

    >>> names_of("é!")
    'LATIN SMALL LETTER E WITH ACUTE + EXCLAMATION MARK'
    """
    return " + ".join(unicodedata.name(character, "no name") for character in text)


def show_pieces(chosen: Chosen) -> None:
    """The pieces around the chosen one, and the branches of the pattern."""
    way = chosen.way
    first = max(0, chosen.place - _BEFORE) if chosen.place >= _DRAWN else 0
    found = way.pieces(first + _DRAWN)[first:]
    pieces = [_drawn(place, piece) for place, piece in enumerate(found, first)]
    steps = [_step(way, number, pieces) for number in range(len(way.steps))]
    piece_strip(
        pieces,
        steps,
        key="replay_pieces",
        chosen=chosen.place,
        total=_total(way, first, len(pieces)),
        projector=state.get(PROJECTOR) != "off",
        on_choose=choose,
    )


def choose(place: int) -> None:
    """Show that piece, from its first merge on. Called before the run."""
    state.acted()
    state.put(settings.PIECE, place)
    state.put(settings.STEP, 0)


def _drawn(place: int, piece: engine.ReplayedPiece) -> StripPiece:
    kind = "added" if piece.token else "piece" if piece.kept else "dropped"
    return StripPiece(
        place=place,
        text=piece.shown.decode("utf-8", "replace"),
        kind=kind,
        took=took(piece),
        tokens=piece.tokens,
    )


def took(piece: engine.ReplayedPiece) -> tuple[int, int] | None:
    """The last step in which a branch took a piece, and that branch."""
    found = [(step, branch) for step, branch in enumerate(piece.taken) if branch is not None]
    return found[-1] if found else None


def _step(way: engine.Replay, number: int, pieces: list[StripPiece]) -> StripStep:
    step = way.steps[number]
    counts = Counter(piece.took[1] for piece in pieces if piece.took and piece.took[0] == number)
    return StripStep(
        source=step.source,
        words=step.words,
        branches=tuple(
            (branch.source, branch.words, counts[place])
            for place, branch in enumerate(step.branches)
        ),
    )


def _total(way: engine.Replay, first: int, drawn: int) -> str:
    more = way.piece(first + drawn) is not None
    if not way.steps:
        return "This tokenizer does not split: the text is one piece."
    counted = f"{drawn:,} pieces" if drawn != 1 else "1 piece"
    what = "under each the branch that took it, and its number of tokens"
    if not more and not first:
        return f"{counted}; {what}."
    others = "more follow" if more else "others before"
    return f"Pieces {first + 1:,} to {first + drawn:,} ({others}); {what}."
