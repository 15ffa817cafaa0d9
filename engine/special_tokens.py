"""Special and other added tokens: found in the text before anything else, or left as text.

Three policies: ``"text"`` ignores them (what a user typed stays text), ``"parse"`` turns each into
its id, ``"error"`` refuses. Matching follows ``tokenizers``: the leftmost, and of those the
longest; tokens flagged ``normalized`` are looked for after normalization, the others before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, get_args

from engine.errors import SpecialTokenFound
from engine.normalization import Normalizer
from engine.unicode_classes import category

SpecialPolicy = Literal["text", "parse", "error"]
POLICIES: tuple[SpecialPolicy, ...] = get_args(SpecialPolicy)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedToken:
    """A token beside the merged vocabulary, with the flags of tokenizer.json.

    ``special`` marks control tokens; ``normalized`` says that it is looked for after
    normalization; ``single_word`` that no word character may touch it; ``lstrip`` and ``rstrip``
    that it swallows the blanks on that side.
    """

    id: int
    content: str
    special: bool = True
    normalized: bool = False
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False


class Section(NamedTuple):
    """A stretch of normalized text; ``token`` is set where it is an added token."""

    text: str
    token: AddedToken | None


# Circled and squared letters are alphabetic, though their category is "other symbol".
_ALPHABETIC_SIGNS = re.compile(
    "[\u24b6-\u24e9\U0001f130-\U0001f149\U0001f150-\U0001f169\U0001f170-\U0001f189]"
)


def _is_word(character: str) -> bool:
    """Whether ``\\w`` of Rust's ``regex`` takes it."""
    kind = category(character)
    if kind == "So":
        return _ALPHABETIC_SIGNS.match(character) is not None
    return kind[0] in "LM" or kind in ("Nd", "Nl", "Pc") or character in "\u200c\u200d"


def _is_blank(character: str) -> bool:
    return character.isspace() and character not in "\x1c\x1d\x1e\x1f"


class _Matcher:
    """Finds a set of added tokens in a text."""

    def __init__(self, contents: Iterable[tuple[str, AddedToken]]) -> None:
        self._tokens = dict(contents)
        longest_first = sorted(self._tokens, key=len, reverse=True)
        self._expression = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")

    def sections(self, text: str) -> Iterator[Section]:
        """``text`` cut at the tokens; empty stretches are left out."""
        position = 0
        # An expression that matches nowhere would still be tried at every character.
        matches = self._expression.finditer(text) if self._tokens else ()
        for match in matches:
            token = self._tokens[match[0]]
            start, end = match.span()
            if token.single_word and self._touches_word(text, start, end):
                continue
            if token.lstrip:
                while start > position and _is_blank(text[start - 1]):
                    start -= 1
                # The token before may have swallowed this one, if it is a blank itself.
                start = max(start, position)
                if start >= end:
                    continue
            if token.rstrip:
                while end < len(text) and _is_blank(text[end]):
                    end += 1
            if start > position:
                yield Section(text[position:start], None)
            yield Section(text[start:end], token)
            position = end
        if position < len(text):
            yield Section(text[position:], None)

    def first(self, text: str) -> tuple[str, int] | None:
        """The first token spelled in ``text`` and its code point offset."""
        match = self._expression.search(text)
        return (match[0], match.start()) if match else None

    @staticmethod
    def _touches_word(text: str, start: int, end: int) -> bool:
        return (start > 0 and _is_word(text[start - 1])) or (
            end < len(text) and _is_word(text[end])
        )


@dataclass(frozen=True)
class AddedTokens:
    """The added tokens of one tokenizer and how its text is cut at them."""

    tokens: tuple[AddedToken, ...]
    normalizer: Normalizer

    @cached_property
    def by_id(self) -> dict[int, AddedToken]:
        """The tokens by id."""
        return {token.id: token for token in self.tokens}

    @cached_property
    def by_content(self) -> dict[str, AddedToken]:
        """The tokens by the text that spells them."""
        return {token.content: token for token in self.tokens}

    @cached_property
    def _before(self) -> _Matcher:
        return _Matcher((t.content, t) for t in self.tokens if not t.normalized and t.content)

    @cached_property
    def _after(self) -> _Matcher:
        return _Matcher(
            (self.normalizer.apply(t.content), t)
            for t in self.tokens
            if t.normalized and self.normalizer.apply(t.content)
        )

    def sections(self, text: str, policy: SpecialPolicy) -> list[Section]:
        """``text`` normalized and cut at its added tokens, as the policy says.

        Raises:
            SpecialTokenFound: with the policy ``"error"``, if the text spells an added token.
            ValueError: if ``policy`` is none of the three.
        """
        if policy not in POLICIES:
            raise ValueError(f"No policy {policy!r}; there are {', '.join(POLICIES)}.")
        if policy == "text":
            normalized = self.normalizer.apply(text)
            return [Section(normalized, None)] if normalized else []
        sections = list(self._parsed(text))
        if policy == "error":
            self._refuse(sections)
        return sections

    def found_in(self, text: str) -> list[AddedToken]:
        """The added tokens that ``text`` spells, each once, in order of first appearance."""
        found = (section.token for section in self._parsed(text))
        return list(dict.fromkeys(token for token in found if token is not None))

    def raw_sections(self, text: str) -> Iterator[Section]:
        """``text`` cut at the added tokens that it spells, ordinary stretches as they were given.

        Only where a stretch has tokens that are looked for after normalization is it normalized.
        """
        for section in self._before.sections(text):
            if section.token is not None:
                yield section
                continue
            found = list(self._after.sections(self.normalizer.apply(section.text)))
            if any(part.token is not None for part in found):
                yield from found
            else:
                yield section

    def _parsed(self, text: str) -> Iterator[Section]:
        for section in self._before.sections(text):
            if section.token is not None:
                yield section
            else:
                yield from self._after.sections(self.normalizer.apply(section.text))

    @staticmethod
    def _refuse(sections: list[Section]) -> None:
        position = 0
        for section in sections:
            if section.token is not None:
                raise SpecialTokenFound(section.token.content, position)
            position += len(section.text)
