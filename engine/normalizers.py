"""The normalizers of tokenizer.json: what each makes of a text, and where it rewrites it.

Each does what the component of that name in ``tokenizers`` does; the tests compare all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from engine import component_data
from engine.errors import PatternError, TooLong
from engine.limits import NORMALIZED_CHARACTERS
from engine.normalization import Change, Normalizer
from engine.standins import to_standins
from engine.unicode_classes import WHITE_SPACE
from engine.uploaded_pattern import Deadline, Spans, UploadedPattern, shortened


@cache
def characters_of(ranges: str) -> frozenset[str]:
    """The characters of a table of ``component_data``."""
    found: set[str] = set()
    for item in ranges.split():
        first, _, last = item.partition("-")
        found.update(map(chr, range(int(first, 16), int(last or first, 16) + 1)))
    return frozenset(found)


BLANKS = "".join(chr(code) for first, last in WHITE_SPACE for code in range(first, last + 1))


def check_size(characters: int) -> None:
    """Raise ``TooLong`` if a normalizer makes a text longer than the limit."""
    if characters > NORMALIZED_CHARACTERS:
        raise TooLong(
            f"The tokenizer's normalizer makes {characters:,} characters of this text; "
            f"{NORMALIZED_CHARACTERS:,} is the limit."
        )


def _edits(parts: Iterable[tuple[int, int, str]]) -> Iterator[Change]:
    """Changes from (start, end, written) in order."""
    shift = 0
    for start, end, written in parts:
        begin = start + shift
        yield Change(start, end, begin, begin + len(written))
        shift += len(written) - (end - start)


@dataclass(frozen=True, slots=True)
class PerCharacter:
    """Writes each character by itself: ``Lowercase``, ``StripAccents`` and ``ByteLevel``."""

    name: str
    write: Callable[[str], str]

    def apply(self, text: str) -> str:
        """Every character written."""
        return self.write(text)

    def changes(self, text: str) -> list[Change]:
        """The characters that are written otherwise."""
        written = ((place, self.write(character)) for place, character in enumerate(text))
        return list(_edits((place, place + 1, new) for place, new in written if new != text[place]))


@cache
def _lower_table() -> dict[int, str]:
    pairs = (item.split("=") for item in component_data.LOWER.split())
    return {int(upper, 16): chr(int(lower, 16)) for upper, lower in pairs}


def _lower(text: str) -> str:
    # Python writes a final sigma by its context; the library goes character by character.
    return text.replace("\u03a3", "\u03c3").translate(_lower_table()).lower()


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    marks = characters_of(component_data.MARKS).intersection(text)
    return text.translate(dict.fromkeys(map(ord, marks))) if marks else text


LOWERCASE = PerCharacter("Lowercase", _lower)
STRIP_ACCENTS = PerCharacter("StripAccents", _without_accents)
BYTE_LEVEL = PerCharacter("ByteLevel", lambda text: to_standins(text.encode()))


@dataclass(frozen=True, slots=True)
class Strip:
    """Takes blanks off the ends."""

    left: bool
    right: bool
    name = "Strip"

    def apply(self, text: str) -> str:
        """``text`` without them."""
        if self.left:
            text = text.lstrip(BLANKS)
        return text.rstrip(BLANKS) if self.right else text

    def changes(self, text: str) -> list[Change]:
        """The ends that are taken off."""
        start = len(text) - len(text.lstrip(BLANKS)) if self.left else 0
        end = max(len(text.rstrip(BLANKS)), start) if self.right else len(text)
        ends = [(0, start, ""), (end, len(text), "")]
        return list(_edits(part for part in ends if part[0] < part[1]))


@dataclass(frozen=True, slots=True)
class Prepend:
    """Writes something before a text, unless it is empty."""

    content: str
    name = "Prepend"

    def apply(self, text: str) -> str:
        """``text`` with it in front."""
        return self.content + text if text else ""

    def changes(self, text: str) -> list[Change]:
        """What was written, at the start."""
        return [Change(0, 0, 0, len(self.content))] if text and self.content else []


@dataclass(frozen=True, slots=True)
class Replace:
    """Writes ``content`` for every match, or occurrence of a text."""

    pattern: UploadedPattern | str
    content: str
    name = "Replace"

    def _matches(self, text: str) -> Spans:
        if isinstance(self.pattern, str):
            return [match.span() for match in re.finditer(re.escape(self.pattern), text)]
        matches = self.pattern.find(text, Deadline(len(text)))
        if any(start == end for start, end in matches):
            # The library then loses track of where characters came from, and repeats some.
            raise PatternError(
                f"The pattern {shortened(self.pattern.source)} of a Replace matches nothing "
                "(an empty text) here, which is not run."
            )
        return matches

    def apply(self, text: str) -> str:
        """``text`` with every match written anew.

        Raises:
            PatternError: if the pattern matches an empty stretch.
            PatternTimeout: if it takes too long.
        """
        if isinstance(self.pattern, str):
            check_size(len(text) + text.count(self.pattern) * len(self.content))
            return text.replace(self.pattern, self.content)
        matches = self._matches(text)
        check_size(len(text) + len(matches) * len(self.content))
        output, position = [], 0
        for start, end in matches:
            output += [text[position:start], self.content]
            position = end
        return "".join([*output, text[position:]])

    def changes(self, text: str) -> list[Change]:
        """The matches that are written otherwise."""
        return list(
            _edits(
                (start, end, self.content)
                for start, end in self._matches(text)
                if text[start:end] != self.content
            )
        )


@dataclass(frozen=True, slots=True)
class NormalizerSequence:
    """One normalizer after the other."""

    steps: tuple[Normalizer, ...]

    @property
    def name(self) -> str:
        """The names of all, joined."""
        return ", ".join(step.name for step in self.steps) or "none"

    def apply(self, text: str) -> str:
        """What the last one gives."""
        for step in self.steps:
            text = step.apply(text)
            check_size(len(text))
        return text

    def changes(self, text: str) -> list[Change]:
        """The changes of all, seen from the first text to the last."""
        changes: list[Change] = []
        for step in self.steps:
            changes = compose(changes, step.changes(text))
            text = step.apply(text)
        return changes


def compose(first: list[Change], second: list[Change]) -> list[Change]:
    """The changes from the first text to the third, given those of two steps.

    Stretches of the middle text that either step touches are joined where they overlap or touch.
    """
    touched = sorted(
        [(change.normalized_start, change.normalized_end) for change in first]
        + [(change.original_start, change.original_end) for change in second]
    )
    stretches: list[list[int]] = []
    for start, end in touched:
        if stretches and start <= stretches[-1][1]:
            stretches[-1][1] = max(stretches[-1][1], end)
        else:
            stretches.append([start, end])
    composed = []
    before, after = _Shift(first, backward=True), _Shift(second, backward=False)
    for start, end in stretches:
        original, normalized = before.of(start, end), after.of(start, end)
        composed.append(Change(*original, *normalized))
    return composed


class _Shift:
    """Carries stretches of one text over to the other; they must come in order."""

    def __init__(self, changes: list[Change], *, backward: bool) -> None:
        self._changes = [
            (c.normalized_start, c.normalized_end, c.original_end - c.original_start)
            if backward
            else (c.original_start, c.original_end, c.normalized_end - c.normalized_start)
            for c in changes
        ]
        self._next = 0
        self._shift = 0

    def of(self, start: int, end: int) -> tuple[int, int]:
        """The same stretch over there; no change may reach across its ends."""
        begin = start + self._shift
        while self._next < len(self._changes) and self._changes[self._next][1] <= end:
            first, last, size = self._changes[self._next]
            self._shift += size - (last - first)
            self._next += 1
        return begin, end + self._shift
