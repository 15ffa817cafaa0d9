"""Tokens of every paragraph, counted once for all users; long counting shows how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

import engine
from engine.chunks import chunks
from engine.tokenizer import LosslessEncoder
from pages.ui import cache, parallel, tokenizers
from pages.ui.cost.settings import ALL_KINDS
from pages.ui.formatting import escaped

# Counting that is over by then needs no bar.
_QUIET_SECONDS: Final = 0.3
# A tuple of small numbers, with its key.
_BYTES_A_COUNT: Final = 40
# A tenth of a second of counting, between two looks at whether it is still wanted.
_LOOK_BYTES: Final = 200_000

Paragraphs = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One tokenizer: its tokens of each paragraph, by language.

    ``problem`` says why it cannot count these texts; there are no tokens then.
    """

    name: str
    title: str
    tokens: Mapping[str, tuple[int, ...]]
    problem: str = ""


def texts(kind: str) -> dict[str, Paragraphs]:
    """The parallel paragraphs of a kind (or of all kinds), by language."""
    wanted = None if kind == ALL_KINDS else kind
    return {tag: parallel.paragraphs(tag, wanted) for tag in parallel.languages()}


def columns(
    names: Sequence[str], form: engine.Form, wanted: Mapping[str, Paragraphs]
) -> list[Column]:
    """What each tokenizer makes of all languages, with a bar while that takes time."""
    place, started = st.empty(), time.monotonic()
    jobs, done = len(names) * len(wanted), 0
    made = []
    for name in names:
        title, tokens, problem = tokenizers.title(name), {}, ""
        try:
            for tag, counts in _languages(name, form, wanted):
                tokens[tag] = counts
                done += 1
                if time.monotonic() - started > _QUIET_SECONDS:
                    place.progress(done / jobs, f"Counting with {escaped(title)}")
        except engine.EngineError as error:
            tokens, problem = {}, str(error)
        made.append(Column(name=name, title=title, tokens=tokens, problem=problem))
    place.empty()
    return made


def _languages(
    name: str, form: engine.Form, wanted: Mapping[str, Paragraphs]
) -> Iterator[tuple[str, tuple[int, ...]]]:
    for tag, paragraphs in wanted.items():
        yield tag, paragraph_tokens(name, form, paragraphs)


def paragraph_tokens(
    name: str,
    form: engine.Form,
    paragraphs: Paragraphs,
    told: Callable[[int], None] | None = None,
) -> tuple[int, ...]:
    """The tokens of each paragraph in a form; ``told`` is called with the bytes done so far.

    Raises:
        EngineError: if the tokenizer or the form cannot take one of them.
    """

    def make() -> tuple[tuple[int, ...], int]:
        made = count_tokens(tokenizers.tokenizer(name), form, paragraphs, told)
        return made, 500 + _BYTES_A_COUNT * len(made)

    return cache.results().get(tokens_key(name, form, paragraphs), make)


def count_tokens(
    tokenizer: engine.Tokenizer,
    form: engine.Form,
    paragraphs: Paragraphs,
    told: Callable[[int], None] | None = None,
) -> tuple[int, ...]:
    """As ``paragraph_tokens``, counted anew."""
    made, done, next_look = [], 0, _LOOK_BYTES
    for one in paragraphs:
        count = 0
        for part in stretches(tokenizer, engine.normalize(one, form)):
            count += tokenizer.count(part)
            if told is not None:
                done += len(part.encode())
                if done >= next_look:
                    told(done)
                    next_look = done + _LOOK_BYTES
        made.append(count)
    return tuple(made)


def stretches(tokenizer: engine.Tokenizer, text: str) -> Iterator[str]:
    """A long text in parts whose tokens are together its tokens, where it can be cut so."""
    encoder = tokenizer.encoder
    cuts = isinstance(encoder, LosslessEncoder) and encoder.memory is not None
    if not cuts or len(text) < _LOOK_BYTES:
        yield text
        return
    gathered: list[str] = []
    characters = 0
    for chunk in chunks(text):
        gathered.append(chunk)
        characters += len(chunk)
        if characters >= _LOOK_BYTES:
            yield "".join(gathered)
            gathered, characters = [], 0
    if gathered:
        yield "".join(gathered)


def lengths(form: engine.Form, paragraphs: Paragraphs) -> engine.TextCounts:
    """How long all paragraphs together are in a form; line ends between them are not counted."""

    def make() -> tuple[engine.TextCounts, int]:
        # At once, which takes a fifth of the time. A control character joins no grapheme.
        whole = "\0".join(engine.normalize(one, form) for one in paragraphs)
        found, joints = engine.text_counts(whole), len(paragraphs) - 1
        total = engine.TextCounts(
            bytes=found.bytes - joints,
            code_points=found.code_points - joints,
            graphemes=found.graphemes - joints,
            words=None if found.words is None else _words(whole),
        )
        return total, 500

    return cache.results().get(lengths_key(form, paragraphs), make)


def _words(joined: str) -> int:
    """Words of paragraphs that are joined by NUL."""
    return len(joined.replace("\0", " ").split())


def lengths_key(form: engine.Form, paragraphs: Paragraphs) -> tuple[object, ...]:
    """Under what the lengths are kept."""
    return ("paragraph lengths", form, _mark(paragraphs))


def tokens_key(name: str, form: engine.Form, paragraphs: Paragraphs) -> tuple[object, ...]:
    """Under what the tokens are kept."""
    return ("paragraph tokens", name, form, _mark(paragraphs))


def _mark(paragraphs: Paragraphs) -> bytes:
    return cache.fingerprint("\0".join(paragraphs))
