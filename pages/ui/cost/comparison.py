"""Languages against each other: the numbers of the page, from counted paragraphs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import engine
from engine.costs import PremiumSpread, premiums
from pages.ui.cost.counting import Column


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One language with one tokenizer: its tokens, and how long the text is that they hold."""

    tag: str
    language: str
    tokenizer: str
    tokens: int
    premium: PremiumSpread
    lengths: engine.TextCounts

    @property
    def characters_per_token(self) -> float | None:
        """Graphemes per token."""
        return self._per_token(self.lengths.graphemes)

    @property
    def bytes_per_token(self) -> float | None:
        """UTF-8 bytes per token."""
        return self._per_token(self.lengths.bytes)

    @property
    def words_per_token(self) -> float | None:
        """Words per token; None where the language writes no blanks between words."""
        return self._per_token(self.lengths.words)

    def _per_token(self, count: int | None) -> float | None:
        return None if count is None or not self.tokens else count / self.tokens


VALUE_OF: Final[dict[str, Callable[[Cell], float | None]]] = {
    "premium": lambda cell: cell.premium.overall,
    "tokens": lambda cell: cell.tokens,
    "characters": lambda cell: cell.characters_per_token,
    "bytes": lambda cell: cell.bytes_per_token,
    "words": lambda cell: cell.words_per_token,
}


def compared(
    column: Column,
    titles: Mapping[str, str],
    lengths: Mapping[str, engine.TextCounts],
    baseline: str,
) -> list[Cell]:
    """A tokenizer's cells, one a language.

    Raises:
        ValueError: if a paragraph of the baseline has no tokens, or the paragraphs are not equally
            many.
    """
    spreads = premiums(column.tokens, baseline)
    return [
        Cell(
            tag=tag,
            language=titles[tag],
            tokenizer=column.title,
            tokens=sum(counts),
            premium=spreads[tag],
            lengths=lengths[tag],
        )
        for tag, counts in column.tokens.items()
    ]


def table(cells: Sequence[Cell], baseline: str) -> Iterator[dict[str, Any]]:
    """One row a language and tokenizer, as ordinary values; ``baseline`` is a language's name."""
    for cell in cells:
        spread = cell.premium
        yield {
            "language": cell.language,
            "tokenizer": cell.tokenizer,
            "tokens": cell.tokens,
            f"premium over {baseline}": spread.overall,
            "mean of paragraphs": spread.mean,
            "smallest": spread.smallest,
            "first quartile": spread.first_quartile,
            "median": spread.median,
            "third quartile": spread.third_quartile,
            "largest": spread.largest,
            "paragraphs": spread.paragraphs,
            "characters (graphemes)": cell.lengths.graphemes,
            "code points": cell.lengths.code_points,
            "bytes (UTF-8)": cell.lengths.bytes,
            "characters per token": cell.characters_per_token,
            "bytes per token": cell.bytes_per_token,
            f"words ({engine.WORD_SEGMENTER})": cell.lengths.words,
            "words per token": cell.words_per_token,
        }


def extremes(cells: Sequence[Cell], baseline: str) -> tuple[Cell, Cell] | None:
    """The cheapest and the dearest cell by premium, the baseline left out; None without others."""
    others = [cell for cell in cells if cell.tag != baseline]
    if not others:
        return None
    return (
        min(others, key=lambda cell: cell.premium.overall),
        max(others, key=lambda cell: cell.premium.overall),
    )
