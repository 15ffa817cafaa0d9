"""What the work costs: rescanning against heap and list, and the memory of pieces."""

from __future__ import annotations

from typing import Final

import streamlit as st

import engine
from engine.replay import CacheUse
from engine.replay_merges import WorkPoint
from pages.ui.cache import results
from pages.ui.charts import Line, line_chart, show_chart
from pages.ui.formatting import counted
from pages.ui.replay.way import Chosen, work_curve
from pages.ui.token_rows import visible

_MOST_ROWS: Final = 200
PLAIN, FAST = "rescan at every merge", "heap and list"


def show_work(chosen: Chosen) -> None:
    """Both algorithms on the chosen piece, and as it grows."""
    points = work_curve(chosen)
    if not points or chosen.lane is None:
        return
    unit = chosen.way.tokenizer.unit
    sizes = [point.units for point in points]
    lines = [
        Line(
            name=name,
            x=sizes,
            y=[work.total for work in done],
            hue=hue,
            hover=[
                f"{name}, {size:,} {unit}:<br>{work.look_ups:,} pairs looked up, "
                f"{work.comparisons:,} ranks compared"
                for size, work in zip(sizes, done, strict=True)
            ],
        )
        for name, hue, done in (
            (PLAIN, 1, [point.plain for point in points]),
            (FAST, 0, [point.fast for point in points]),
        )
    ]
    figure = line_chart(
        lines,
        x_title=f"{unit} in the piece",
        y_title="look-ups and comparisons",
        logarithmic=True,
    )
    show_chart(figure, work_words(chosen.lane.played, points, unit), key="replay_work")


def work_words(played: engine.PieceReplay, points: list[WorkPoint], unit: str) -> str:
    """What to see in the chart."""
    plain, fast = played.plain_work, played.fast_work
    said = (
        f"Work on this piece ({len(played.units):,} {unit}, {counted(len(played), 'merge')}), as "
        f"look-ups of pairs and comparisons of ranks: {plain.total:,} by looking at every pair "
        f"again at each merge, {fast.total:,} with a heap and a linked list. "
    )
    if len(points) < 2:
        return said
    before, last = points[-2:]
    return said + (
        f"On the same letters at a length of {last.units:,} {unit} they take {last.plain.total:,} "
        f"and {last.fast.total:,}. From {before.units:,} to {last.units:,} the first grew "
        f"{last.plain.total / (before.plain.total or 1):.1f} times (n squared: 4), the second "
        f"{last.fast.total / (before.fast.total or 1):.1f} times (n log n: a little over 2)."
    )


def show_cache(chosen: Chosen, key: tuple[object, ...]) -> None:
    """Hits and misses of the memory of pieces over the whole text, and the pieces themselves."""

    def make() -> tuple[CacheUse, int]:
        use = chosen.way.cache_use()
        return use, 200 * len(use.times)

    use: CacheUse = results().get(("cache use", *key), make)
    st.text(cache_words(use))
    most = sorted(use.times.items(), key=lambda item: -item[1])[:_MOST_ROWS]
    if most:
        table = [
            {"piece": visible(piece.encode()), "asked for": times, "found in memory": times - 1}
            for piece, times in most
        ]
        st.dataframe(table, hide_index=True, key="replay_cache", height=260)
    if len(use.times) > _MOST_ROWS:
        st.text(f"The {_MOST_ROWS:,} most frequent of {len(use.times):,} are listed.")


def cache_words(use: CacheUse) -> str:
    """Hits and misses in a sentence; they add up to the pieces."""
    asked = use.hits + use.misses
    if not asked:
        return "The text has no pieces to merge."
    return (
        f"Most pieces of a text come again, so each is merged once and then remembered. Of "
        f"{asked:,} pieces {use.misses:,} had to be merged (misses) and {use.hits:,} were found in "
        f"memory (hits, {use.hits / asked:.0%})."
    )
