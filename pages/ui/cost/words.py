"""Numbers of the Cost page in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from engine.normalization import Normalizer
from pages.ui.cost.comparison import Cell, extremes
from pages.ui.settings import shortened

_EXAMPLE_CHARACTERS: Final = 46


def number(value: float | None, measure: str) -> str:
    """A value as it stands in a cell.

    >>> number(2.106, "premium"), number(3748, "tokens"), number(None, "words")
    ('2.11', '3,748', '–')
    """
    if value is None:
        return "–"
    return f"{value:,.0f}" if measure == "tokens" else f"{value:.2f}"


def said_of_premium(cells: Sequence[Cell], tag: str, baseline: str) -> str:
    """The cheapest and the dearest of what is shown, in a sentence."""
    found = extremes(cells, tag)
    if found is None:
        return ""
    cheap, dear = found
    return (
        f"The same content takes {cheap.premium.overall:.2f} times the tokens of {baseline} "
        f"({cheap.language}, {cheap.tokenizer}) up to {dear.premium.overall:.2f} times "
        f"({dear.language}, {dear.tokenizer}). Exact counts over {dear.premium.paragraphs} "
        "paragraphs."
    )


def said_of_normalizers(normalizers: Mapping[str, Normalizer]) -> list[str]:
    """For each tokenizer whether it normalizes; those that do the same in one sentence."""
    titles: dict[str, list[str]] = {}
    for title, normalizer in normalizers.items():
        titles.setdefault(normalizer.name, []).append(title)
    return [
        f"{_listed(names)} {_takes(name, several=len(names) > 1)}" for name, names in titles.items()
    ]


def _takes(name: str, *, several: bool) -> str:
    if name == "none":
        verb = "do not normalize" if several else "does not normalize"
        return f"{verb}: each form of a text has its own count."
    verb = "normalize" if several else "normalizes"
    return f"{verb} every text first ({name}): forms that come out the same cost the same."


def _listed(names: Sequence[str]) -> str:
    """Names as people list them.

    >>> _listed(["a", "b", "c"]), _listed(["a"])
    ('a, b and c', 'a')
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def hover(cell: Cell, baseline: str, native: str, example: str) -> str:
    """All about a cell, ready for Plotly."""
    spread, lengths = cell.premium, cell.lengths
    words = "" if lengths.words is None else f", {lengths.words:,} words"
    lines = [
        f"{cell.language} · {native}" if native != cell.language else cell.language,
        cell.tokenizer,
        f"{cell.tokens:,} tokens: {spread.overall:.2f} times {baseline}",
        f"paragraphs: mean {spread.mean:.2f}, quartiles {spread.first_quartile:.2f}, "
        f"{spread.median:.2f}, {spread.third_quartile:.2f} (of {spread.paragraphs})",
        f"{lengths.graphemes:,} characters, {lengths.bytes:,} bytes{words}",
        example,
    ]
    return "<br>".join(escape(line, quote=False) for line in lines)


def example(paragraph: str, tokens: int, baseline_tokens: int, baseline: str) -> str:
    """The beginning of a paragraph, with its tokens."""
    beginning = shortened(paragraph, _EXAMPLE_CHARACTERS)
    return f"“{beginning}”: {tokens:,} tokens, in {baseline} {baseline_tokens:,}"
