"""The splitter for a list of pre-tokenizers, the fastest that cuts the same pieces."""

from __future__ import annotations

from engine.pre_tokenizers import CutSplitter, NamedSplit, PreTokenizer, Split
from engine.pretokenization import NamedSplitter, Splitter, WholeText
from engine.uploaded_pattern import PatternSplitter, UploadedPattern


def splitter_of(steps: tuple[PreTokenizer, ...]) -> Splitter:
    """The splitter for steps that only cut."""
    if not steps:
        return WholeText()
    if len(steps) == 1:
        match steps[0]:
            case NamedSplit(pattern=pattern):
                return NamedSplitter(pattern)
            case Split(finder=UploadedPattern() as finder, behavior="Isolated", invert=False):
                return PatternSplitter(finder)
    return CutSplitter(steps)


def pattern_of_steps(steps: tuple[PreTokenizer, ...]) -> str:
    """The patterns that steps split by, one a line."""
    lines: list[str] = []
    for step in steps:
        match step:
            case NamedSplit(pattern=pattern):
                lines += pattern.steps
            case Split(finder=UploadedPattern(source=source)):
                lines.append(source)
    return "\n".join(lines)
