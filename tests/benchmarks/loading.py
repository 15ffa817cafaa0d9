"""Loading a vocabulary, and memory: each in a process of its own."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Iterator

import engine
from tests.benchmarks.measure import Row, at_most

_LOAD = """
import time, engine
started = time.perf_counter()
engine.load({name!r})
print(time.perf_counter() - started)
"""
_IMPORT = """
import time
started = time.perf_counter()
import engine
print(time.perf_counter() - started)
"""
# The peak of this process alone: `ru_maxrss` would begin at the peak of the one that started it.
_MEMORY = """
import engine
from pathlib import Path
from tests.benchmarks.texts import mixed
def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024
tokenizer = engine.load("o200k_base")
loaded = peak()
for part in range({parts}):
    tokenizer.encode(mixed(1_000_000, seed=part)).ids
print(loaded, peak())
"""


def _output(code: str) -> list[float]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    return [float(word) for word in done.stdout.split()]


def rows() -> Iterator[Row]:
    """Import, each vocabulary, and the peak of memory."""
    seconds = statistics.median(_output(_IMPORT)[0] for _ in range(5))
    yield Row(work="import engine", ours=f"{seconds * 1000:.0f} ms", target="reads no vocabulary")
    for name in engine.names():
        seconds = statistics.median(_output(_LOAD.format(name=name))[0] for _ in range(5))
        yield at_most(f"load {name}, in a new process", seconds, 0.4)
    for parts in (1, 10):
        loaded, peak = _output(_MEMORY.format(parts=parts))
        yield Row(
            work=f"peak memory after {parts} MB on o200k_base",
            ours=f"{peak:.0f} MB ({loaded:.0f} MB once loaded)",
            target="bounded: 200,000 pieces",
        )
