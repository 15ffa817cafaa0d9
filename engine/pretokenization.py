"""From text to pieces (pre-tokens): merges never cross the boundary of a piece.

The plain way is the definition: apply each split in turn, keep what lies between two matches. The
fast way finds the same pieces in one pass of a single expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Protocol

from engine.patterns import DEEPSEEK, NamedPattern, compiled, compiled_deepseek
from engine.unicode_classes import has_astral, without_astral


class Splitter(Protocol):
    """Cuts text into pieces that join to the text again."""

    def pieces(self, text: str) -> list[str]:
        """The pieces of ``text`` in order; none is empty."""
        ...


def _find_all(pattern: re.Pattern[str], text: str) -> list[str]:
    """All matches, on text of any plane, for an expression that covers every character."""
    if not has_astral(text):
        return pattern.findall(text)
    found = pattern.findall(without_astral(text))
    ends = list(accumulate(map(len, found)))
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def split_isolated(pattern: str, text: str) -> Iterator[str]:
    """Matches and what lies between them, in order: the definition of one split step."""
    position = 0
    for match in compiled(pattern).finditer(without_astral(text)):
        if match.start() > position:
            yield text[position : match.start()]
        if match.end() > match.start():
            yield text[match.start() : match.end()]
        position = match.end()
    if position < len(text):
        yield text[position:]


def split_plain(pattern: NamedPattern, text: str) -> list[str]:
    """The pieces by definition: each step applied to every piece of the step before."""
    pieces = [text]
    for step in pattern.steps:
        pieces = [part for piece in pieces for part in split_isolated(step, piece)]
    return pieces


@dataclass(frozen=True)
class NamedSplitter:
    """A published pattern, run fast. Equal to ``split_plain`` (property test)."""

    pattern: NamedPattern

    @cached_property
    def _expression(self) -> re.Pattern[str]:
        if self.pattern is DEEPSEEK:
            return compiled_deepseek()
        (step,) = self.pattern.steps
        return compiled(step)

    def pieces(self, text: str) -> list[str]:
        """The pieces of ``text`` in order; they join to ``text``."""
        return _find_all(self._expression, text)


class WholeText:
    """No splitting: the text is one piece."""

    def pieces(self, text: str) -> list[str]:
        """``[text]``, or nothing for an empty text."""
        return [text] if text else []
