"""Counts and ratios of a tokenization. Every name says its unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.graphemes import count_graphemes
from engine.tokenizer import Tokenization
from engine.unicode_classes import category

WORD_SEGMENTER = "split at white space"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextCounts:
    """How long a text is, in every unit.

    ``words`` is None where the text is mostly in scripts that write no blanks between words.
    """

    bytes: int
    code_points: int
    graphemes: int
    words: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts(TextCounts):
    """How long a tokenization's text is, and how many tokens it is."""

    tokens: int

    @property
    def bytes_per_token(self) -> float:
        """UTF-8 bytes per token; 0 for an empty text."""
        return self.bytes / self.tokens if self.tokens else 0.0

    @property
    def characters_per_token(self) -> float:
        """Graphemes per token; 0 for an empty text."""
        return self.graphemes / self.tokens if self.tokens else 0.0

    @property
    def tokens_per_word(self) -> float | None:
        """Tokens per word; None where words are not counted or there are none."""
        return self.tokens / self.words if self.words else None


# Scripts without blanks between words, by the first and last code point of their main blocks.
_NO_BLANKS = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF),
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip


def count_words(text: str) -> int | None:
    """Words as ``WORD_SEGMENTER`` finds them; None if half of the letters write no blanks."""
    letters = [c for c in text[:20_000] if category(c)[0] == "L"]
    unspaced = sum(any(a <= ord(c) <= b for a, b in _NO_BLANKS) for c in letters)
    return None if letters and unspaced * 2 >= len(letters) else len(text.split())


def text_counts(text: str) -> TextCounts:
    """The length of ``text`` in every unit."""
    return TextCounts(
        bytes=len(text.encode()),
        code_points=len(text),
        graphemes=count_graphemes(text),
        words=count_words(text),
    )


def counts(tokenization: Tokenization) -> Counts:
    """All counts of a tokenization, over the normalized text."""
    text = tokenization.text
    return Counts(
        bytes=len(tokenization.data),
        code_points=len(text),
        graphemes=len(text) - len(tokenization.interiors),
        words=count_words(text),
        tokens=len(tokenization),
    )


def spread(token_counts: Sequence[int]) -> float:
    """How much more the largest count is than the smallest, as a fraction of the smallest."""
    smallest = min(token_counts, default=0)
    return max(token_counts) / smallest - 1 if smallest else 0.0


def premium(tokens: int, baseline_tokens: int) -> float:
    """Tokens relative to those of the same content in the baseline language (1.0 is equal).

    Raises:
        ValueError: if the baseline has no tokens.
    """
    if baseline_tokens <= 0:
        raise ValueError("The baseline has no tokens to compare with.")
    return tokens / baseline_tokens
