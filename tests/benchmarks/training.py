"""Training against the Rust trainer of ``tokenizers`` and against the plain algorithm.

The library is fed the text whole and line by line, which lets it count on all cores; the quicker
way counts. Shortest of several runs that take turns. Memory is measured in processes of their own.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

import engine
from engine.train import train_plain
from engine.training import prepare
from pages.ui.corpora import corpora
from tests.benchmarks.measure import Row, duration
from tests.benchmarks.texts import mixed

RULES = engine.PRESETS["hugging-face"]

# The peak that Linux keeps for a process; that of `getrusage` is inherited from the parent.
_PEAK = """
from dataclasses import replace
import engine
from tests.benchmarks.texts import mixed
from tests.benchmarks.training import RULES, library, peak
text = mixed({size})
before = peak()
{call}
print(peak() - before)
"""
_OURS = "engine.train(text, replace(RULES, merges={merges}))"
_THEIRS = "library([text], {merges})"


def peak() -> float:
    """The most memory that this process has had so far, in MB (Linux)."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]


def library(texts: list[str], merges: int) -> None:
    """Train the library's trainer, with the alphabet of bytes."""
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=len(alphabet) + merges, show_progress=False, initial_alphabet=alphabet
    )
    tokenizer.train_from_iterator(texts, trainer)


def shortest(calls: Mapping[str, Callable[[], object]], runs: int) -> dict[str, float]:
    """Seconds of each call, the shortest of several; the calls take turns."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(runs):
        for name, call in calls.items():
            started = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - started)
    return {name: min(times) for name, times in seconds.items()}


def against_library(title: str, text: str, merges: int, runs: int, most: float) -> Row:
    """Our time over the library's best."""
    lines = text.splitlines(keepends=True)
    took = shortest(
        {
            "ours": lambda: engine.train(text, replace(RULES, merges=merges)),
            "whole": lambda: library([text], merges),
            "lines": lambda: library(lines, merges),
        },
        runs,
    )
    peer = min(took["whole"], took["lines"])
    ratio = took["ours"] / peer
    return Row(
        work=f"train {merges:,} merges on {title}: time / tokenizers' best",
        ours=duration(took["ours"]),
        peer=duration(peer),
        ratio=f"{peer / took['ours']:.2f} (time {ratio:.2f})",
        target=f"time ≤ {most}",
        met=ratio <= most,
    )


def against_plain(title: str, text: str, merges: int, least: float) -> Row:
    """How many times faster than counting everything again, as minbpe does."""
    rules = replace(engine.PRESETS["minbpe"], merges=merges)
    ours = shortest({"ours": lambda: engine.train(text, rules)}, 3)["ours"]
    words = prepare(text, rules).words
    started = time.perf_counter()
    steps = list(train_plain(words, merges=merges, ties=rules.ties, first_new_id=256))
    plain = time.perf_counter() - started
    assert steps == list(engine.train(text, rules).steps)
    return Row(
        work=f"train {merges:,} merges on {title}: speed / plain algorithm",
        ours=duration(ours),
        peer=duration(plain),
        ratio=f"{plain / ours:.0f}",
        target=f"≥ {least:.0f}",
        met=plain / ours >= least,
    )


def peak_memory(size: int, merges: int, most: float) -> Row:
    """Memory that training adds at its peak, over that of the library fed one text."""
    ours, theirs = (
        float(
            subprocess.run(
                [sys.executable, "-c", _PEAK.format(size=size, call=call.format(merges=merges))],
                capture_output=True,
                check=True,
            ).stdout
        )
        for call in (_OURS, _THEIRS)
    )
    return Row(
        work=f"peak memory of {merges:,} merges on {size / 1_000_000:.0f} MB / tokenizers",
        ours=f"{ours:.0f} MB",
        peer=f"{theirs:.0f} MB",
        ratio=f"{theirs / ours:.2f} (memory {ours / theirs:.2f})",
        target=f"memory ≤ {most}",
        met=ours / theirs <= most,
    )


def rows() -> Iterator[Row]:
    """The whole part."""
    chinese = corpora()["zh"].text
    yield against_library("36 KB of Chinese", chinese, 2_000, 15, 0.6)
    yield against_library("40 KB of English", corpora()["en"].text, 2_000, 15, 0.6)
    yield against_library("50 KB of Vietnamese", corpora()["vi"].text, 2_000, 15, 0.6)
    yield against_library("1 MB mixed", mixed(1_000_000), 8_000, 5, 0.8)
    ten = mixed(10_000_000)
    yield against_library("10 MB mixed", ten, 8_000, 3, 0.7)
    yield against_library("10 MB mixed", ten, 32_000, 2, 0.7)
    yield peak_memory(10_000_000, 8_000, 0.5)
    yield peak_memory(10_000_000, 32_000, 0.5)
    yield against_plain("36 KB of Chinese", chinese, 2_000, 200)
    yield against_plain("40 KB of English", corpora()["en"].text, 2_000, 200)
