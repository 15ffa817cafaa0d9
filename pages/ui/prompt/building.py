"""From a conversation to the prompt: rendered, cut into tokens, each token with its origin."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import engine
from engine.labelled import Part, encode_parts, labels_of_tokens
from pages.reference.chat import ROLES, ChatTemplate, Rendered, check, rendered
from pages.reference.chat_tracing import DEFAULT, TEMPLATE
from pages.ui.cache import fingerprint, results
from pages.ui.tokenizers import tokenizer

# Who a token is of; "mixed" where it joins characters of two.
ORIGINS: Final = ("template", "default", "system", "user", "assistant", "tool", "other", "mixed")
_BYTES_PER_TOKEN: Final = 250
# A line of a template with so many words says something, and is no marker.
_SAYING_WORDS: Final = 3
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_BRACKETED: Final = re.compile(r"<[^<>\n]*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What decides a prompt: the template, the tokenizer's name, the messages, the switches."""

    template: ChatTemplate
    own: bool
    tokenizer: str
    messages: tuple[dict[str, Any], ...]
    generation_prompt: bool = True
    thinking: bool = True

    @property
    def key(self) -> bytes:
        """A short key for all of it."""
        of_template = (
            self.template.source,
            dict(self.template.variables),
            self.template.date,
            self.template.can_think,
        )
        switches = (self.own, self.generation_prompt, self.thinking)
        return fingerprint(
            json.dumps([of_template, self.tokenizer, self.messages, switches], ensure_ascii=True)
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Prompt:
    """A rendered conversation and its tokens.

    Attributes:
        asked: what it was made of.
        rendered: the text, and where its characters came from.
        parts: the text in stretches of one origin; labels are numbers of messages from 0, or those
            of ``chat_tracing`` for the template and its default text.
        tokenization: of the whole text, control tokens obeyed wherever they stand.
        sources: the labels of each token.
    """

    asked: Asked
    rendered: Rendered
    parts: tuple[Part, ...]
    tokenization: engine.Tokenization
    sources: Sequence[tuple[int, ...]]

    @property
    def text(self) -> str:
        """What the model receives, as text."""
        return self.rendered.text

    @property
    def ids(self) -> Sequence[int | None]:
        """What the model receives."""
        return self.tokenization.ids

    def origin_of(self, source: int) -> str:
        """One of ``ORIGINS`` for a label."""
        if source == TEMPLATE:
            return "template"
        if source == DEFAULT:
            return "default"
        role = self.asked.messages[source].get("role")
        return role if role in ROLES else "other"

    def origin(self, place: int) -> str:
        """One of ``ORIGINS`` for a token."""
        found = {self.origin_of(source) for source in self.sources[place]}
        return found.pop() if len(found) == 1 else "mixed"

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many tokens are of each origin; all that occur, in order of ``ORIGINS``."""
        found = Counter(map(self.origin, range(len(self.ids))))
        return {name: found[name] for name in ORIGINS if found[name]}

    @cached_property
    def forged(self) -> frozenset[int]:
        """The places of added tokens that a message spells, wholly or in part.

        What a model writes itself, as ``<tool_call>``, is none in a message of the assistant.
        """
        return frozenset(
            place
            for place, token in self.tokenization.special.items()
            if any(
                source >= 0 and (token.special or self.origin_of(source) != "assistant")
                for source in self.sources[place]
            )
        )

    def kept(self, number: int) -> list[tuple[int, int]]:
        """Which stretches of a message's content are in the prompt, in order, joined."""
        found = sorted(
            (run.offset, run.offset + run.length)
            for run in self.rendered.runs
            if run.source == number and run.offset >= 0
        )
        joined: list[tuple[int, int]] = []
        for start, end in found:
            if joined and start <= joined[-1][1]:
                joined[-1] = joined[-1][0], max(end, joined[-1][1])
            else:
                joined.append((start, end))
        return joined

    def left_out(self, number: int) -> list[str]:
        """The stretches of a message's content that the template left out."""
        content = self.asked.messages[number].get("content")
        if not isinstance(content, str):
            return []
        left, position = [], 0
        for start, end in [*self.kept(number), (len(content), len(content))]:
            if start > position:
                left.append(content[position:start])
            position = end
        return left


def built(asked: Asked) -> Prompt:
    """The prompt, made once for all who ask for the same.

    Raises:
        ChatError: if the template fails, or a bundled one would fail at the messages.
        EngineError: if the text cannot be encoded.
    """

    def make() -> tuple[Prompt, int]:
        made = _made(asked)
        return made, 4 * len(made.text) + _BYTES_PER_TOKEN * len(made.ids) + 10_000

    return results().get(("prompt", asked.tokenizer, asked.key), make)


def count(asked: Asked) -> int:
    """The number of tokens of a prompt. Raises as ``built``."""

    def make() -> tuple[int, int]:
        own = tokenizer(asked.tokenizer)
        return own.count(_rendered(asked).text, special="parse"), 200

    return results().get(("prompt count", asked.tokenizer, asked.key), make)


def _rendered(asked: Asked) -> Rendered:
    if not asked.own:
        check(list(asked.messages))
    return rendered(
        asked.template,
        asked.messages,
        generation_prompt=asked.generation_prompt,
        thinking=asked.thinking,
    )


def _made(asked: Asked) -> Prompt:
    found = _rendered(asked)
    own = tokenizer(asked.tokenizer)
    parts = tuple(_parts(found, own, saying=asked.own))
    tokenization = own.encode(found.text, special="parse")
    return Prompt(
        asked=asked,
        rendered=found,
        parts=parts,
        tokenization=tokenization,
        sources=labels_of_tokens(tokenization, parts),
    )


def _parts(found: Rendered, own: engine.Tokenizer, *, saying: bool) -> Iterator[Part]:
    """The text by origin; ``saying`` looks for default text among what the template says."""
    position = 0
    for run in found.runs:
        text = found.text[position : position + run.length]
        position += run.length
        if saying and run.source == TEMPLATE:
            yield from default_text(text, own)
        else:
            yield Part(text, run.source)


def default_text(text: str, own: engine.Tokenizer) -> Iterator[Part]:
    """What a template says, apart into its markers and its default text.

    A template of somebody's own does not tell the two apart. A line between two control tokens
    that has three words or more outside of angle brackets is taken for default text: a system
    message, or a date.
    """
    for section in own.added.raw_sections(text):
        if section.token is not None:
            yield Part(section.text, TEMPLATE)
            continue
        for line in section.text.splitlines(keepends=True):
            says = len(_WORD.findall(_BRACKETED.sub("", line))) >= _SAYING_WORDS
            yield Part(line, DEFAULT if says else TEMPLATE)


def kept_as_text(prompt: Prompt) -> engine.Tokenization:
    """The safe way: control tokens of the template are obeyed, those in messages stay text."""
    obeyed = (TEMPLATE, DEFAULT)
    return encode_parts(
        prompt.tokenization.tokenizer,
        [(part.text, part.label in obeyed) for part in prompt.parts],
    )
