"""Texts for measuring: varied, so that a piece seen before is as rare as in real texts."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

TRAINING = Path(__file__).parents[2] / "sample_texts" / "training"
LANGUAGES = ("en", "vi", "zh")
_CLAUSE = re.compile(r"[^,.;:!?，。；：！？、\n]+[,.;:!?，。；：！？、\n]*")


@cache
def _clauses(language: str) -> list[str]:
    text = "".join(
        (TRAINING / f"{part}_{language}.txt").read_text("utf-8") for part in ("train", "heldout")
    )
    return [clause for clause in _CLAUSE.findall(text) if clause.strip()]


@cache
def mixed(size: int, seed: int = 1) -> str:
    """About ``size`` bytes of English, Vietnamese and Chinese, a third of clauses each.

    The beginning of one clause of the sample texts is joined to the end of another, so that long
    Chinese pieces, which real texts hardly ever repeat, are new here too.
    """
    choose = random.Random(seed)
    output, length = [], 0
    while length < size:
        language = choose.choice(LANGUAGES)
        first, second = (choose.choice(_clauses(language)) for _ in range(2))
        if language == "zh":
            clause = first[: choose.randrange(len(first) + 1)]
            clause += second[choose.randrange(len(second) + 1) :]
        else:
            clause = first[: first.find(" ", len(first) // 2)]
            clause += second[max(second.find(" ", len(second) // 2), 0) :]
        output.append(clause)
        length += len(clause.encode())
    return "".join(output)


def random_letters(count: int, seed: int = 1) -> str:
    """``count`` random ASCII letters without a blank: one long piece."""
    return "".join(random.Random(seed).choices("abcdefghijklmnopqrstuvwxyz", k=count))
