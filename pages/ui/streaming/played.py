"""From ids to what the player plays, kept between runs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import Final

import engine
from engine.graphemes import count_graphemes
from engine.stream_ends import wrong_signs
from engine.streaming import WAYS, stream
from pages.ui import parallel
from pages.ui.cache import results
from pages.ui.cost import counting
from pages.ui.cost.settings import ALL_KINDS
from pages.ui.stream_player import PlayedStream, PlayedWay
from pages.ui.tokenizers import tokenizer

# A class watches no more; with them the browser draws in a blink.
MOST_TOKENS: Final = 2_000
# Word by word decodes a line again with every token.
MOST_BYTES: Final = 40_000
# A token in four ways: its texts, its bytes, its numbers.
_TOKEN_BYTES: Final = 1_500
ALONE: Final = "token by token"
KEPT: Final = "bytes kept back"


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """How a way is called and told."""

    title: str
    short: str
    about: str


WORDS: Final[dict[str, Words]] = {
    ALONE: Words(
        title="Each token alone",
        short="alone",
        about="Decode each token by itself. Where it holds part of a character, � is shown.",
    ),
    KEPT: Words(
        title="Bytes kept back",
        short="bytes kept",
        about="Incremental UTF-8, the right way: the bytes of an unfinished character wait, "
        "three at most.",
    ),
    "decoded again from a prefix": Words(
        title="Decoded again from a prefix",
        short="prefix",
        about="As serving libraries do: the last tokens are decoded again, and what ends in � "
        "waits, also where � really is the text.",
    ),
    "word by word": Words(
        title="Word at a time",
        short="words",
        about="As console streamers do: the whole line is decoded again, and what ends in another "
        "sign than a letter or digit waits for a blank.",
    ),
}


def first_tokens(name: str, ids: Sequence[int]) -> Sequence[int]:
    """As many of the ids from the beginning as are played. Raises ``UnknownId``."""
    own, head = tokenizer(name), ids[:MOST_TOKENS]
    ends = accumulate(len(own.decode_bytes([token_id])) for token_id in head)
    return head[: len(list(takewhile(lambda end: end <= MOST_BYTES, ends)))]


def played(name: str, ids: Sequence[int], languages: tuple[tuple[str, float], ...]) -> PlayedStream:
    """What the four ways make of the ids; the same object for the same ids.

    Raises:
        NotStreamable: if the text of the tokenizer's tokens is not their bytes, joined.
        UnknownId: if an id stands for no token.
    """

    def make() -> tuple[PlayedStream, int]:
        own = tokenizer(name)
        made = PlayedStream(
            ids=tuple(ids),
            tokens=tuple(own.decode_bytes([token_id]) for token_id in ids),
            ways=tuple(_way(own, ids, way) for way in WAYS),
            characters=count_graphemes(own.decode(ids)),
            languages=languages,
        )
        return made, 10_000 + _TOKEN_BYTES * len(ids)

    key: Hashable = ("stream", name, tuple(ids), languages)
    return results().get(key, make)


def _way(own: engine.Tokenizer, ids: Sequence[int], way: str) -> PlayedWay:
    moments, words = stream(own, ids, way), WORDS[way]
    return PlayedWay(
        name=way,
        title=words.title,
        short=words.short,
        about=words.about,
        moments=moments,
        wrong=wrong_signs(own, ids, moments),
    )


def way_of(stream: PlayedStream, name: str) -> PlayedWay:
    """One of the ways by its name."""
    return next(way for way in stream.ways if way.name == name)


def opening_step(stream: PlayedStream) -> int:
    """The first step at which bytes of a character are held; the end if none ever are."""
    moments = way_of(stream, KEPT).moments[: len(stream.ids)]
    held = (step for step, moment in enumerate(moments, 1) if moment.pending)
    return next(held, len(stream.ids) + 1)


def summary(stream: PlayedStream) -> str:
    """How often characters are cut in this stream, and what that does to each way."""
    total = len(stream.ids)
    inside = sum(bool(m.pending) for m in way_of(stream, KEPT).moments[:total])
    tokens = f"{total:,} tokens" if total != 1 else "one token"
    if not inside:
        return f"Of {tokens} none ends inside a character: token by token the text comes out right."
    wrong = sum(map(sum, way_of(stream, ALONE).wrong))
    ends = "one ends" if inside == 1 else f"{inside:,} end"
    signs = "one sign is" if wrong == 1 else f"{wrong:,} signs are"
    if not wrong:
        return f"Of {tokens} {ends} inside a character."
    return f"Of {tokens} {ends} inside a character; decoded alone, {signs} wrong."


def characters_per_token(name: str) -> tuple[tuple[str, float], ...]:
    """Of each language its title and the characters that a token makes in our parallel texts.

    The most first; none where the tokenizer cannot count them.
    """
    texts = counting.texts(ALL_KINDS)
    (column,) = counting.columns([name], "none", texts)
    if column.problem:
        return ()
    titles = parallel.languages()
    found = [
        (titles[tag].title, counting.lengths("none", texts[tag]).graphemes / sum(tokens))
        for tag, tokens in column.tokens.items()
    ]
    return tuple(sorted(found, key=lambda one: -one[1]))
