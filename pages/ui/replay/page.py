"""The Replay page, put together: a text on its way through one tokenizer, stage by stage."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Final, cast

import streamlit as st

import engine
from engine.special_tokens import SpecialPolicy
from pages.ui import state, tokenizers
from pages.ui.cache import fingerprint
from pages.ui.columns import side_by_side
from pages.ui.notices import notice
from pages.ui.replay import settings
from pages.ui.replay.files import offer_files
from pages.ui.replay.pieces import show_normalization, show_pieces
from pages.ui.replay.way import Chosen, lane, replayed
from pages.ui.replay.work import show_cache, show_work
from pages.ui.replay_player import replay_player
from pages.ui.settings import PROJECTOR
from pages.ui.state import GivenText
from pages.ui.text_input import text_input
from pages.ui.token_rows import rows
from pages.ui.tokens.chosen import chosen_tokenizer
from pages.ui.tokens.self_check import show_self_check
from pages.ui.tokens.settings import SPECIAL
from pages.ui.tokens.text import policy_control

# Of the first so many pieces the longest is shown until one is chosen.
_LOOKED_THROUGH: Final = 20
_NONE: Final = ""
_SHOWN: Final = "replay shown"
_COUNTED: Final = "replay pieces counted"
# From here on counting over the whole text takes long enough to say so.
_SLOW_CHARACTERS: Final = 300_000


def show() -> None:
    """The whole page; in projector mode the pieces and the player."""
    projector = state.get(PROJECTOR) != "off"
    given = state.given_text() if projector else text_input(beside=policy_control, autofocus=False)
    name = _tokenizers()
    if name is None:
        return
    special = cast("SpecialPolicy", state.get(SPECIAL))
    try:
        way = replayed(name, given.text, special)
        chosen = _chosen(name, way)
        if chosen.piece is None:
            notice("No text yet. Type, paste, or choose a sample.", kind="note", key="empty")
            return
        other = _other(chosen, given, special)
        _begin_anew(chosen, given)
        _stages(chosen, other)
    except engine.EngineError as error:
        notice(str(error), kind="problem", key="replay")
        return
    if state.get(PROJECTOR) == "off":
        _below(chosen, special, given.text)


def _tokenizers() -> str | None:
    """Whose way is shown, with the choice of a second one beside it."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="replay_tokenizers"):
        name = chosen_tokenizer()
        if name is not None and state.get(PROJECTOR) == "off":
            _beside(name)
    return name


def _beside(name: str) -> None:
    """The choice of a second tokenizer."""
    beside = _second(name)
    others = [other for other in tokenizers.offered() if other != name]
    if beside not in (_NONE, *others):
        others.append(beside)
    st.selectbox(
        "Beside it",
        [_NONE, *others],
        format_func=lambda other: tokenizers.title(other) if other else "no other tokenizer",
        help="The same place of the text by another tokenizer, step by step with the first.",
        width=300,
        **state.bound(settings.BESIDE, to_widget=lambda _: beside),
    )


def _second(first: str) -> str:
    """The name of the tokenizer beside that one, nothing if there is none."""
    name = state.get(settings.BESIDE)
    if name in (_NONE, first):
        return _NONE
    problem = tokenizers.missing(name)
    if problem is None:
        return name
    state.take_back(settings.BESIDE, _NONE, problem)
    return _NONE


def _chosen(name: str, way: engine.Replay) -> Chosen:
    """The piece that the settings name; the one that shows most if they name none."""
    place = state.get(settings.PIECE)
    if place == settings.AUTOMATIC:
        place = way.longest_piece(_LOOKED_THROUGH)
    elif way.piece(place) is None:
        asked, count = place, len(way.pieces())
        place = max(count - 1, 0)
        sentence = (
            f"The link asks for piece {asked:,}, and the last one of this text is {place:,}, "
            "counted from 0."
        )
        state.take_back(settings.PIECE, place if count else settings.AUTOMATIC, sentence)
    return Chosen(name, way, place, lane(name, way, place))


def _other(chosen: Chosen, given: GivenText, special: SpecialPolicy) -> Chosen | None:
    """The same place of the text by the second tokenizer, if one is chosen."""
    name = _second(chosen.name)
    if name == _NONE or chosen.piece is None:
        return None
    way = replayed(name, given.text, special)
    place = way.place_at(chosen.way.original_start(chosen.piece))
    return None if place is None else Chosen(name, way, place, lane(name, way, place))


def _begin_anew(chosen: Chosen, given: GivenText) -> None:
    """A piece that comes of typing is shown from its first merge on; a link says its own step."""
    shown = (chosen.name, chosen.piece.text if chosen.piece else "")
    before = state.recall(_SHOWN)
    state.remember(_SHOWN, shown)
    if before is not None and before != shown and given.source in ("typed", "file"):
        state.put(settings.STEP, 0)


def _stages(chosen: Chosen, other: Chosen | None) -> None:
    """The four stages, one under the other."""
    projector = state.get(PROJECTOR) != "off"
    if not projector:
        st.markdown("#### 1 · Normalization")
        show_normalization(chosen.way)
        st.markdown("#### 2 · Pieces by the split pattern")
        _added(chosen)
    show_pieces(chosen)
    if not projector:
        st.markdown("#### 3 · Merges inside the piece")
        st.text(_TABLES[chosen.way.rules.tables])
        _hood_switch()
    if other is not None and not projector:
        _other_words(chosen, other)
    _play(chosen, other)
    if not projector:
        st.markdown("#### 4 · Ids from the vocabulary")
        _ids(chosen)


def _added(chosen: Chosen) -> None:
    """Special and other added tokens, which were cut out before."""
    found = [section.token for section in chosen.way.sections if section.token is not None]
    if found:
        listed = ", ".join(f"{token.content} ({token.id})" for token in dict.fromkeys(found))
        count = "One added token was" if len(found) == 1 else f"{len(found):,} added tokens were"
        notice(
            f"{count} cut out first, before anything is split: {listed}.",
            kind="note",
            key="added",
        )


_TABLES: Final = {
    "ranks": (
        "This tokenizer has a table of ranks: any two neighbours whose joined bytes are in it "
        "merge, those with the lowest rank first, of equals the leftmost."
    ),
    "pairs": (
        "This tokenizer has a list of merges: only the pairs in it merge, those with the lowest "
        "rank first, of equals the leftmost."
    ),
}


def _hood_switch() -> None:
    st.toggle(
        "Under the hood: tables, heap and linked list",
        help="The rows that are looked up, and what the fast algorithm has in its hands.",
        **state.bound(settings.HOOD),
    )


def _other_words(chosen: Chosen, other: Chosen) -> None:
    """Whether the second tokenizer's piece at this place is the same."""
    if chosen.piece is None or other.piece is None:
        return
    if chosen.piece.shown != other.piece.shown:
        st.text(
            f"{tokenizers.title(other.name)} cuts here otherwise: its piece is "
            f"{_shown(other.piece)}, and not {_shown(chosen.piece)}."
        )


def _shown(piece: engine.ReplayedPiece) -> str:
    return repr(piece.shown.decode("utf-8", "replace")[:60])


def _play(chosen: Chosen, other: Chosen | None) -> None:
    lanes = [one.lane for one in (chosen, other) if one is not None and one.lane is not None]
    if not lanes:
        piece = chosen.piece
        added = piece is not None and piece.token is not None
        st.text(
            "This is an added token: it is one id, and nothing is merged."
            if added
            else "The tokenizer drops this part of the text: no branch of its pattern takes it."
        )
        return
    asked, most = state.get(settings.STEP), max(len(one.played) for one in lanes)
    if asked > most:
        sentence = f"The link asks for the state after {asked:,} merges; this piece has {most:,}."
        state.take_back(settings.STEP, most, sentence)
    step = replay_player(
        lanes,
        key="replay_player",
        step=state.get(settings.STEP),
        hood=state.get(settings.HOOD) and state.get(PROJECTOR) == "off",
        projector=state.get(PROJECTOR) != "off",
    )
    state.put(settings.STEP, step)


def _ids(chosen: Chosen) -> None:
    """The tokens of the piece as rows of the vocabulary, and their place in the text."""
    piece, own = chosen.piece, chosen.way.tokenizer
    if piece is None:
        return
    ids: list[int | None] = []
    if piece.token is not None:
        ids = [piece.token.id]
    elif chosen.lane is not None:
        ids = list(chosen.lane.played.ids)
    last = piece.first_token + piece.tokens
    st.text(
        f"The piece is {'token' if len(ids) == 1 else 'tokens'} {piece.first_token + 1:,}"
        + (f" to {last:,}" if len(ids) > 1 else "")
        + " of the text."
        if ids
        else "The piece becomes no token."
    )
    known = [token_id for token_id in ids if token_id is not None]
    if known:
        st.dataframe(list(rows(own, known)), hide_index=True, key="replay_ids")
    offer_files(chosen)


def _below(chosen: Chosen, special: SpecialPolicy, text: str) -> None:
    """What the work costs, and whether the ids are those of a library."""
    st.markdown("#### The work, counted")
    show_work(chosen)
    st.markdown("#### The memory of pieces")
    key = (chosen.name, special, fingerprint(text))
    if _wanted(text, key):
        with _said_if_slow(text, "Counting the pieces of the whole text"):
            show_cache(chosen, key)
    with st.container(key="self_check"), _said_if_slow(text, "Cutting the whole text"):
        show_self_check(side_by_side((chosen.name,), text, special))


def _wanted(text: str, key: tuple[object, ...]) -> bool:
    """Whether to count over the whole text: where that takes a while, only when asked to."""
    if len(text) <= _SLOW_CHARACTERS or state.recall(_COUNTED) == key:
        return True
    pressed = st.button(
        "Count hits and misses over the whole text",
        key="count_pieces",
        help="A text this long takes some seconds.",
    )
    if pressed:
        state.remember(_COUNTED, key)
    return pressed


def _said_if_slow(text: str, what: str) -> AbstractContextManager[None]:
    """Says what is being done, where that takes a while."""
    return st.spinner(what) if len(text) > _SLOW_CHARACTERS else nullcontext()
