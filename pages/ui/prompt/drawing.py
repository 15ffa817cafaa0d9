"""A prompt's tokens as the picture takes them, and as rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

import engine
from pages.reference.chat_tracing import DEFAULT, TEMPLATE
from pages.ui.origin_view import Legend, OriginItem, OriginToken
from pages.ui.prompt.building import Prompt
from pages.ui.token_rows import visible

# Tokens drawn of a long prompt: its beginning and its end.
FIRST: Final = 2_000
LAST: Final = 500

WORDS: Final = {
    "template": "template",
    "default": "default text of the template",
    "system": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "other": "another role",
    "mixed": "joins two origins",
}


class Drawn(NamedTuple):
    """What is drawn: the items, and how many tokens are left out after which of them."""

    items: tuple[OriginItem, ...]
    left_out: int = 0
    gap_after: int = -1


def who_of(prompt: Prompt, source: int) -> str:
    """In full where a character came from."""
    if source == TEMPLATE:
        return "template"
    if source == DEFAULT:
        return "default text"
    role = str(prompt.asked.messages[source].get("role"))
    return f"{role} · message {source + 1}"


def _who(prompt: Prompt, sources: Sequence[int]) -> str:
    return " + ".join(who_of(prompt, source) for source in sources)


def _what(prompt: Prompt, tokenization: engine.Tokenization, place: int) -> str:
    token = tokenization.special.get(place)
    if token is None:
        return "ordinary token"
    kind = "control token" if token.special else "added token, not flagged special"
    return f"{kind}, written by a message" if place in prompt.forged else kind


def drawn(
    prompt: Prompt,
    tokenization: engine.Tokenization | None = None,
    sources: Sequence[tuple[int, ...]] | None = None,
) -> Drawn:
    """The items of a prompt; of another tokenization of its text if one is given."""
    shown = prompt.tokenization if tokenization is None else tokenization
    labels = prompt.sources if sources is None else sources
    data = shown.data
    starts, ends = shown.starts_byte, shown.ends_byte
    total = len(shown.ids)

    def token(place: int) -> OriginToken:
        origins = {prompt.origin_of(source) for source in labels[place]}
        special = place in shown.special
        return OriginToken(
            place=place + 1,
            id=shown.ids[place],
            data=data[starts[place] : ends[place]].hex(" "),
            origin=origins.pop() if len(origins) == 1 else "mixed",
            who=_who(prompt, labels[place]),
            what=_what(prompt, shown, place) if tokenization is None else _kind(special),
            control=special,
            forged=tokenization is None and place in prompt.forged,
        )

    items: list[OriginItem] = []
    left_out, gap_after = 0, -1
    for segment in engine.segments(shown):
        if FIRST < segment.last_token <= total - LAST:
            if not left_out:
                gap_after = len(items) - 1
            left_out += segment.last_token - segment.first_token
            continue
        places = range(segment.first_token, segment.last_token)
        # What a tokenizer drops has no token: it is shown where it was.
        who = _who(prompt, labels[places[0]]) if places else items[-1].who if items else ""
        if segment.text or places:
            items.append(OriginItem(text=segment.text, who=who, tokens=tuple(map(token, places))))
    return Drawn(tuple(items), left_out, gap_after)


def _kind(special: bool) -> str:
    return "control token of the template" if special else "ordinary token"


def legend(prompt: Prompt) -> list[Legend]:
    """The origins that occur, with their counts."""
    found = [
        Legend(origin=name, words=WORDS[name], count=count) for name, count in prompt.counts.items()
    ]
    if prompt.forged:
        words = "control and added tokens that a message spells (counted above)"
        found.append(Legend(origin="forged", words=words, count=len(prompt.forged)))
    return found


def rows(prompt: Prompt, most: int | None = None) -> Iterator[dict[str, Any]]:
    """One row a token."""
    for place, token in enumerate(islice(prompt.tokenization, most)):
        yield {
            "token": place + 1,
            "id": token.id,
            "text": visible(token.data),
            "bytes (hex)": token.data.hex(" "),
            "origin": prompt.origin(place),
            "from": _who(prompt, prompt.sources[place]),
            "kind": _what(prompt, prompt.tokenization, place),
        }
