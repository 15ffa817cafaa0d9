"""The stage on which a training is watched: words, pairs and tokens, merge by merge.

>>> from pages.ui.merge_player import PlayerRun, merge_player

The runs go to the browser once; playing, stepping, scrubbing, guessing and racing happen
there, without the server. Python hears where the player stands when it pauses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, cast

import streamlit as st

from pages.ui.palette import css_variables

from .pack import PlayerRun, pack
from .wishes import SPEEDS, Speed, Wish, place_of

__all__ = [
    "SPEEDS",
    "PlayerResult",
    "PlayerRun",
    "Speed",
    "drawn_style",
    "merge_player",
    "player_style",
    "stepping_script",
]

MOST_RUNS: Final = 3

HERE = Path(__file__).parent
# How a token's text is drawn is the same in all components.
DRAWING: Final = HERE.parent / "token_view" / "view"
# What every player is made of that is watched step by step.
STEPPING: Final = ("block", "tokens", "transport", "keys", "clock", "place", "stepper")
# One module in the browser, several files here: joined in this order, main last.
SCRIPTS: Final = (
    "pairs", "history", "unpack", "run", "cards", "motion", "bars", "learned", "tree",
    "counters", "predict", "trial", "charts", "lane", "main",
)  # fmt: skip


def stepping_script() -> str:
    """What every player needs in the browser, to be joined with what is its own."""
    files = [DRAWING / "names.js", DRAWING / "draw.js"]
    files += [HERE / "player" / f"{name}.js" for name in STEPPING]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def _script() -> str:
    own = [HERE / "player" / f"{name}.js" for name in SCRIPTS]
    return "\n".join([stepping_script(), *(file.read_text(encoding="utf-8") for file in own)])


def drawn_style() -> str:
    """The colours, and the look of what is drawn inside tokens."""
    return css_variables() + (HERE / "drawn.css").read_text(encoding="utf-8")


def player_style() -> str:
    """The look that all players share."""
    return drawn_style() + (HERE / "player.css").read_text(encoding="utf-8")


_component = st.components.v2.component(
    "tokenarium_merge_player",
    css=player_style(),
    js=_script(),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerResult:
    """What the browser said last: it speaks at a pause, after a scrub, and at a new speed."""

    step: int
    playing: bool
    speed: Speed


@dataclass(slots=True)
class _Sent:
    """What this session last sent under a key, and from what it was made.

    ``session`` is drawn by lot: what a browser tab kept of another session is not taken up.
    """

    step: Wish
    speed: Wish
    session: str = field(default_factory=lambda: token_hex(4))
    runs: tuple[PlayerRun, ...] = ()
    settings: dict[str, Any] | None = None
    blob: bytes = b""

    @property
    def version(self) -> str:
        """Names the page's last wish for a step."""
        return f"{self.session}-{self.step.version}"


def _same(one: Sequence[PlayerRun], other: Sequence[PlayerRun]) -> bool:
    """Whether these are the same trainings; the text to try may have changed."""
    return len(one) == len(other) and all(
        replace(a, try_pieces=()) == replace(b, try_pieces=())
        for a, b in zip(one, other, strict=True)
    )


def _settled(key: str, runs: tuple[PlayerRun, ...], step: int, speed: Speed) -> _Sent:
    """What was sent last, with the page's wishes and the browser's place taken in."""
    slot = f"_merge_player:{key}"
    place = place_of(key)
    sent: _Sent | None = st.session_state.get(slot)
    if sent is None:
        sent = _Sent(step=Wish(asked=step, sent=step), speed=Wish(asked=speed, sent=speed))
        sent.runs = runs
    shown = place.get("step") if place.get("version") == sent.version else None
    sent.step.settle(step, shown, fresh=not _same(sent.runs, runs))
    sent.speed.settle(speed, place.get("speed"), fresh=False)
    st.session_state[slot] = sent
    return sent


def _blob(sent: _Sent, runs: tuple[PlayerRun, ...], settings: dict[str, Any]) -> bytes:
    """Pack, or take what was packed in the last run when equal things come again."""
    if not sent.blob or settings != sent.settings or runs != sent.runs:
        sent.blob = pack(runs, settings=settings)
    sent.runs, sent.settings = runs, settings
    return sent.blob


def merge_player(
    runs: Sequence[PlayerRun],
    *,
    key: str,
    step: int = 0,
    speed: Speed = "1",
    predict: bool = False,
    play: int = 0,
    projector: bool = False,
    chart_keys: Sequence[str] = (),
    try_text: str = "",
    try_pieces: Sequence[Sequence[int]] = (),
) -> PlayerResult:
    """Draw the stage for one run, or a race of two or three, and return where it stands.

    ``step`` is how many merges are made at first; a later change of it moves the player.
    A new ``play`` plays from the first merge on; it must be new for the browser too, as a
    time is. ``predict`` hides the next pair until it was guessed (one run only).
    ``chart_keys`` are keys of containers with Plotly charts over merges: a line marks the
    step in them.
    ``try_pieces`` are the pieces of ``try_text`` in base ids, for every run without its own.
    Equal runs keep the place; the same objects again also spare the comparison and packing.
    """
    if not 1 <= len(runs) <= MOST_RUNS:
        raise ValueError(f"one to {MOST_RUNS} runs can be played, not {len(runs)}")
    if speed not in SPEEDS:
        raise ValueError(f"speed is one of {', '.join(SPEEDS)}, not {speed!r}")
    complete = tuple(
        run if run.try_pieces or not try_pieces else replace(run, try_pieces=try_pieces)
        for run in runs
    )
    sent = _settled(key, complete, step, speed)
    settings = {
        "step": sent.step.sent,
        "version": sent.version,
        "speed": sent.speed.sent,
        "speedVersion": sent.speed.version,
        "predict": predict and len(runs) == 1,
        "play": play,
        "projector": projector,
        "chartKeys": list(chart_keys),
        "tryText": try_text,
        "key": key,
    }
    _component(key=key, data=_blob(sent, complete, settings), on_place_change=lambda: None)
    most = max(len(run.lefts) for run in runs)
    return PlayerResult(
        step=min(cast("int", sent.step.now), most),
        playing=place_of(key).get("playing", False),
        speed=cast("Speed", sent.speed.now),
    )
