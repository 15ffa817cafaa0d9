"""Counts and ratios of a tokenization. Every name says its unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from engine.graphemes import count_graphemes
from engine.tokenizer import Tokenization

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


# Letters of scripts without blanks between words, by the first and last code point of their blocks.
_NO_BLANKS = regex.compile(
    r"(?V1)[\p{L}&&[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u3400-\u4DBF\u4E00-\u9FFF"
    r"\uF900-\uFAFF\U00020000-\U0003FFFF]]"
)


def count_words(text: str) -> int | None:
    """Words as ``WORD_SEGMENTER`` finds them; None if half of the letters write no blanks."""
    head = text[:20_000]
    letters = sum(map(str.isalpha, head))
    unspaced = len(_NO_BLANKS.findall(head))
    return None if letters and unspaced * 2 >= letters else len(text.split())


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
