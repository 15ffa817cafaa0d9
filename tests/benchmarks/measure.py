"""Timing side by side, and the rows of the table."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table: what was measured, ours, the peer's, the ratio, the target."""

    work: str
    ours: str
    peer: str = ""
    ratio: str = ""
    target: str = ""
    met: bool | None = None


def medians(
    calls: Mapping[str, Callable[[], object]],
    runs: int,
    prepare: Mapping[str, Callable[[], object]] | None = None,
) -> dict[str, float]:
    """Seconds of each call, median of several runs; the calls take turns within each run.

    ``prepare`` holds what is done before a call, outside its time.
    """
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    gc.collect()
    gc.freeze()
    for _ in range(runs):
        for name, call in calls.items():
            if prepare and name in prepare:
                prepare[name]()
            started = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - started)
    gc.unfreeze()
    return {name: statistics.median(times) for name, times in seconds.items()}


def duration(seconds: float) -> str:
    """Seconds or milliseconds, three digits."""
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"


def at_least(work: str, ours: float, peer: float, target: float) -> Row:
    """A speed relative to a peer (peer's time over ours) that should reach ``target``."""
    ratio = peer / ours
    return Row(
        work=work,
        ours=duration(ours),
        peer=duration(peer),
        ratio=f"{ratio:.2f}",
        target=f"≥ {target}",
        met=ratio >= target,
    )


def at_most(work: str, ours: float, limit: float, peer: str = "") -> Row:
    """A time that should stay under ``limit`` seconds."""
    return Row(
        work=work,
        ours=duration(ours),
        peer=peer,
        target=f"≤ {duration(limit)}",
        met=ours <= limit,
    )
