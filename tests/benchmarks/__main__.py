"""``python -m tests.benchmarks [PART ...] [--save FILE]``: the table, or some of its parts.

Ours and the peers' figures come from the same text in the same process, median of several runs
that take turns. Nothing is asserted: the table says which targets were met on this machine.
"""

from __future__ import annotations

import argparse
import importlib
import platform
import time
from pathlib import Path

import regex
import tiktoken
import tokenizers

from tests.benchmarks.measure import Row

PARTS = ("encoding", "cost", "training", "loading", "browser", "stage", "classroom")


def _machine() -> str:
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = f"{len(names)} × {names[0].partition(':')[2].strip()}" if names else model
    return (
        f"{time.strftime('%Y-%m-%d')}, {model}, Python {platform.python_version()}, "
        f"tiktoken {tiktoken.__version__}, tokenizers {tokenizers.__version__}, "
        f"regex {regex.__version__}"
    )


def _line(row: Row) -> str:
    met = {True: "yes", False: "**no**", None: ""}[row.met]
    return f"| {row.work} | {row.ours} | {row.peer} | {row.ratio} | {row.target} | {met} |"


def main() -> None:
    """Measure the parts that are asked for, printing each row as it comes."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="all of them without one")
    parser.add_argument("--save", type=Path, help="also write the table to this file")
    arguments = parser.parse_args()
    lines = [
        f"Measured {_machine()}.",
        "",
        "| work | ours | peer | peer / ours | target | met |",
        "|---|---|---|---|---|---|",
    ]
    print("\n".join(lines), flush=True)
    for part in arguments.parts or PARTS:
        for row in importlib.import_module(f"tests.benchmarks.{part}").rows():
            lines.append(_line(row))
            print(lines[-1], flush=True)
    if arguments.save:
        arguments.save.write_text("# Benchmark\n\n" + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
