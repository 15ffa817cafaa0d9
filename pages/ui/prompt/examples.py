"""From ids to training examples, and from ids to vectors.

``show_examples`` draws this part of a page for any ids. What a person can set in it is
``SETTINGS``: the page hands them to its frame with its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

import streamlit as st

import engine
from engine.windows import Split, Window, split_after, split_before, windows
from pages.ui import state
from pages.ui.downloads import offer_file
from pages.ui.formatting import counted
from pages.ui.notices import notice
from pages.ui.prompt.vectors import show_vectors
from pages.ui.settings import PROJECTOR, AnySetting, choice, whole_number
from pages.ui.token_rows import as_csv, visible
from pages.ui.tokenizers import tokenizer
from pages.ui.tokens.settings import MILLIONS, ROWS, UNTIED, WIDTH
from pages.ui.window_view import ViewToken, ViewWindow, window_view

MOST_CONTEXT: Final = 256
# So many places of the text are drawn beside each other, and so many windows below each other.
PLACES: Final = 40
ROWS_DRAWN: Final = 4
# Of two parts so many windows on each side of the cut.
_BESIDE_CUT: Final = 2
_SAMPLE_IDS: Final = tuple(range(10, 20))
# A window at each of more places would be millions of numbers, made anew at every click.
MOST_IDS: Final = 4_000


OVER: Final = choice("over", ("prompt", "10-19"))
CONTEXT: Final = whole_number("context", 4, least=1, most=MOST_CONTEXT)
STRIDE: Final = whole_number("stride", 2, least=1, most=MOST_CONTEXT)
# Of a hundred tokens so many are for training.
TRAINING: Final = whole_number("training", 75, least=1, most=99)

SETTINGS: Final[tuple[AnySetting, ...]] = (
    OVER, CONTEXT, STRIDE, TRAINING, ROWS, WIDTH, MILLIONS, UNTIED,
)  # fmt: skip
"""What a person can set in this part."""


def show_examples(tokenizer_name: str, ids: Sequence[int]) -> None:
    """Windows over the ids, dividing them in two ways, and vectors of the ids.

    In projector mode the pictures of the windows alone.

    Args:
        tokenizer_name: as ``pages.ui.tokenizers.tokenizer`` takes it.
        ids: the tokens of a text; each stands for a token of that tokenizer.
    """
    own, projector = tokenizer(tokenizer_name), state.get(PROJECTOR) != "off"
    st.markdown("#### From ids to training examples")
    used = tuple(ids[:MOST_IDS]) if state.get(OVER) == "prompt" else _SAMPLE_IDS
    if not projector:
        _controls()
    if len(ids) > len(used) == MOST_IDS:
        notice(
            f"The first {MOST_IDS:,} of {len(ids):,} tokens are used.", kind="note", key="windows"
        )
    context, stride = state.get(CONTEXT), state.get(STRIDE)
    found = windows(used, context=context, stride=stride)
    if not found:
        notice(
            f"A window of {counted(context, 'token')} and its targets need {context + 1:,} tokens; "
            f"here there {'is one' if len(used) == 1 else f'are {len(used):,}'}. Take a smaller "
            "context.",
            kind="note",
            key="no_window",
        )
    else:
        _show_windows(own, used, found)
        _show_split(own, used)
    if projector:
        return
    st.markdown("#### From ids to vectors")
    show_vectors(own, tokenizer_name, used)


def _controls() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="window_controls"):
        st.segmented_control(
            "Windows over",
            ("prompt", "10-19"),
            format_func={"prompt": "these tokens", "10-19": "the ids 10 to 19"}.__getitem__,
            required=True,
            **state.bound(OVER),
        )
        for label, setting, hint in (
            ("Context", CONTEXT, "How many tokens a window has: what the model reads at once."),
            ("Stride", STRIDE, "How many tokens on the next window begins."),
        ):
            st.number_input(
                label,
                min_value=1,
                max_value=MOST_CONTEXT,
                width=140,
                help=hint,
                **state.bound(setting),
            )
        st.number_input(
            "For training (%)",
            min_value=1,
            max_value=99,
            width=160,
            help="The rest is kept for the test.",
            **state.bound(TRAINING),
        )


def _show_windows(own: engine.Tokenizer, ids: Sequence[int], found: Sequence[Window]) -> None:
    _say(window_words(len(ids), found, state.get(CONTEXT), state.get(STRIDE)))
    drawn = [_drawn(number, window) for number, window in enumerate(found[:ROWS_DRAWN], 1)]
    _draw(own, ids, drawn, key="windows_view", label="Windows and their targets")
    if len(found) > len(drawn):
        st.caption(f"The first {len(drawn)} of {len(found):,} windows are drawn.")
    if state.get(PROJECTOR) == "off":
        _offer(own, found)


def _say(sentence: str) -> None:
    """A sentence above a picture; on the projector it is large."""
    if state.get(PROJECTOR) == "off":
        st.text(sentence)
    else:
        notice(sentence, kind="note", key="window_words")


def _offer(own: engine.Tokenizer, found: Sequence[Window]) -> None:
    with st.container(horizontal=True):
        offer_file("Windows as CSV", lambda: as_csv(window_rows(own, found)), "windows.csv")
        offer_file("Windows as JSON", lambda: windows_as_json(found), "windows.json")


def window_words(tokens: int, found: Sequence[Window], context: int, stride: int) -> str:
    """How many windows there are, what overlaps, and what no window has."""
    said = f"{tokens:,} tokens give {counted(len(found), 'window')} of {context:,} with targets."
    if stride < context:
        said += f" Neighbours share {counted(context - stride, 'token')} that they read."
    elif stride == context:
        said += " No token is read twice."
    else:
        said += f" Between them {counted(stride - context, 'token')} are read by none."
    left = tokens - (found[-1].start + context + 1)
    if left:
        said += f" At the end {counted(left, 'token')} {'is' if left == 1 else 'are'} left over."
    return said


def window_rows(own: engine.Tokenizer, found: Sequence[Window]) -> Iterator[dict[str, Any]]:
    """One row a window, ids and texts."""
    for number, window in enumerate(found, 1):
        yield {
            "window": number,
            "place": window.start + 1,
            "inputs": " ".join(map(str, window.inputs)),
            "targets": " ".join(map(str, window.targets)),
            "input tokens": _spelled(own, window.inputs),
            "target tokens": _spelled(own, window.targets),
        }


def _spelled(own: engine.Tokenizer, ids: Sequence[int]) -> str:
    return "|".join(visible(own.bytes_of(token_id) or b"") for token_id in ids)


def windows_as_json(found: Sequence[Window]) -> bytes:
    """The pairs as lists of ids."""
    pairs = [{"inputs": list(one.inputs), "targets": list(one.targets)} for one in found]
    return json.dumps(pairs).encode()


def _drawn(number: int, window: Window, part: str = "") -> ViewWindow:
    return ViewWindow(number=number, start=window.start, length=len(window.inputs), part=part)


def _draw(
    own: engine.Tokenizer,
    ids: Sequence[int],
    drawn: Sequence[ViewWindow],
    *,
    key: str,
    label: str,
    shared: Sequence[int] = (),
) -> None:
    """The windows over the places that they cover, as far as there is room."""
    first = min(one.start for one in drawn)
    end = min(max(one.start + one.length + 1 for one in drawn), first + PLACES)
    tokens = [
        ViewToken(place=place, id=ids[place], data=own.bytes_of(ids[place]) or b"")
        for place in range(first, end)
    ]
    projector = state.get(PROJECTOR) != "off"
    window_view(tokens, drawn, key=key, label=label, shared=shared, projector=projector)


def _show_split(own: engine.Tokenizer, ids: Sequence[int]) -> None:
    """The right order of dividing and cutting, and the wrong one."""
    share, context, stride = state.get(TRAINING) / 100, state.get(CONTEXT), state.get(STRIDE)
    st.markdown("##### Split first, then cut into windows")
    ways = {
        "right": split_before(ids, share, context=context, stride=stride),
        "wrong": split_after(ids, share, context=context, stride=stride),
    }
    for way, split in ways.items():
        notice(
            split_words(way, split),
            kind="note" if way == "right" else "warning",
            key=f"split_{way}",
        )
        drawn = beside_the_cut(split)
        if drawn:
            _draw(
                own,
                ids,
                drawn,
                key=f"split_view_{way}",
                label=f"Windows beside the cut, the {way} way",
                shared=shared_places(split),
            )


def split_words(way: str, split: Split) -> str:
    """How many windows each part has, and how many places are in both."""
    order = (
        "Right: the tokens are split first, and each part is cut by itself"
        if way == "right"
        else "Wrong: windows are cut first, and then split"
    )
    said = (
        f"{order}: {counted(len(split.training), 'training window')}, "
        f"{counted(len(split.test), 'test window')}. "
    )
    if not split.test or not split.training:
        part = "test" if not split.test else "training"
        said += f"The {part} part is too short for a window: change the share or the context. "
    if not split.shared:
        return f"{said}No token stands in both parts."
    stands = "token stands" if split.shared == 1 else "tokens stand"
    return (
        f"{said}{split.shared:,} {stands} in both parts: the test asks for what training has shown."
    )


def beside_the_cut(split: Split) -> list[ViewWindow]:
    """The windows on both sides of the cut, as many as are drawn."""
    first = max(len(split.training) - _BESIDE_CUT, 0)
    return [
        _drawn(number, window, "training")
        for number, window in enumerate(split.training[first:], first + 1)
    ] + [
        _drawn(number, window, "test") for number, window in enumerate(split.test[:_BESIDE_CUT], 1)
    ]


def shared_places(split: Split) -> list[int]:
    """The places, from 0, that stand in windows of both parts."""
    in_training, in_test = (
        {window.start + k for window in part for k in range(len(window.inputs) + 1)}
        for part in (split.training, split.test)
    )
    return sorted(in_training & in_test)
