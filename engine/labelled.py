"""A text made of labelled parts: which part each token comes from, and encoding part by part.

A prompt is put together from what a template says and what people said. The labels (any whole
numbers) say which is which; a token may reach over the border between two parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.special_tokens import AddedTokens, Section
from engine.tokenizer import Tokenization, Tokenizer, check_encodable


class Part(NamedTuple):
    """A stretch of a text and its label."""

    text: str
    label: int


class _Stretch(NamedTuple):
    """Bytes of the normalized text that carry a label."""

    start: int
    end: int
    label: int


def labels_of_tokens(tokenization: Tokenization, parts: Sequence[Part]) -> list[tuple[int, ...]]:
    """The labels of each token, in order of appearance: two or more where it joins parts.

    Args:
        tokenization: of the texts of ``parts``, joined.
        parts: in order. Where the normalizer rewrote a stretch over a border, what it wrote
            belongs to both sides.

    Raises:
        ValueError: if the parts are not those of the text.
    """
    if "".join(part.text for part in parts) != tokenization.original:
        raise ValueError("The parts do not join to the text that was encoded.")
    stretches = list(_stretches(tokenization, parts))
    labels: list[tuple[int, ...]] = []
    first = 0
    for start, end in zip(tokenization.starts_byte, tokenization.ends_byte, strict=True):
        while first < len(stretches) and stretches[first].end <= start < stretches[-1].end:
            first += 1
        found: list[int] = []
        place = first
        while place < len(stretches) and (stretches[place].start < end or not found):
            if stretches[place].label not in found:
                found.append(stretches[place].label)
            place += 1
        labels.append(tuple(found))
    return labels


def _stretches(tokenization: Tokenization, parts: Sequence[Part]) -> Iterator[_Stretch]:
    """The parts as bytes of the normalized text; they overlap where a border was rewritten."""
    moved = _Moved(tokenization)
    offset = 0
    for part in parts:
        start, offset = offset, offset + len(part.text)
        if part.text:
            yield _Stretch(moved.start(start), moved.end(offset), part.label)


class _Moved:
    """Where code points of the given text are in the bytes of the normalized one.

    Asked in order, it walks over the text once.
    """

    def __init__(self, tokenization: Tokenization) -> None:
        self._text = tokenization.text
        self._changes = tokenization.changes
        self._next_change = 0
        self._char = self._byte = 0

    def start(self, original: int) -> int:
        """The first byte of what ``original`` became."""
        return self._at(original, to_end=False)

    def end(self, original: int) -> int:
        """The byte after what stands before ``original``."""
        return self._at(original, to_end=True)

    def _at(self, original: int, *, to_end: bool) -> int:
        changes, place = self._changes, self._next_change
        while place < len(changes) and changes[place].original_end <= original:
            place += 1
        # The change before may still hold the start that is asked for next.
        self._next_change = max(place - 1, 0)
        before = changes[place - 1] if place else None
        shift = before.normalized_end - before.original_end if before else 0
        if place < len(changes) and changes[place].original_start < original:
            inside = changes[place]
            return self._bytes(inside.normalized_end if to_end else inside.normalized_start)
        return self._bytes(original + shift)

    def _bytes(self, char: int) -> int:
        """The byte offset of a code point, counted on from the last one asked for."""
        if char >= self._char:
            self._byte += len(self._text[self._char : char].encode())
        else:
            self._byte -= len(self._text[char : self._char].encode())
        self._char = char
        return self._byte


def encode_parts(tokenizer: Tokenizer, parts: Iterable[tuple[str, bool]]) -> Tokenization:
    """Cut a text into tokens, obeying added tokens only where they may be obeyed.

    Args:
        tokenizer: of the model.
        parts: stretches of the text, each with whether the added tokens that it spells are
            control. All others stay text, also one that begins in one part and ends in the next.
            Apart from that the text is cut as a whole: a border of two parts cuts nothing.

    Raises:
        LoneSurrogate: if the text cannot be written in UTF-8.
    """
    kept = list(parts)
    text = "".join(part for part, _ in kept)
    check_encodable(text)
    return Tokenization(tokenizer, text, "parse", sections_of_parts(tokenizer.added, kept))


def sections_of_parts(added: AddedTokens, parts: Iterable[tuple[str, bool]]) -> list[Section]:
    """The text of ``parts``, normalized and cut at the added tokens that may be obeyed."""
    sections: list[Section] = []
    loose: list[str] = []

    def close() -> None:
        text = added.normalizer.apply("".join(loose))
        loose.clear()
        if text:
            sections.append(Section(text, None))

    for text, obeyed in parts:
        for section in added.raw_sections(text) if obeyed else [Section(text, None)]:
            if section.token is None:
                loose.append(section.text)
            else:
                close()
                sections.append(section)
    close()
    return sections
