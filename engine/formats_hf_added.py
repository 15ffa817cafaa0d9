"""The added tokens of a tokenizer.json, with the ids that the library really gives them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine.errors import FormatError
from engine.json_document import Field
from engine.special_tokens import AddedToken

_SHOWN = 3


def read_added_tokens(
    entries: Field, vocabulary: Mapping[str, int]
) -> tuple[tuple[AddedToken, ...], tuple[str, ...]]:
    """The added tokens of a file, and notes where its ids are not the ids one gets.

    The library ignores the id that is written: a token that is in the model's vocabulary has the
    id it has there; the others are numbered from the size of the vocabulary on. Where ids have
    gaps, a number may already be taken; then the later token takes the place of the earlier one.

    Raises:
        FormatError: if an entry is described wrongly, or two contradict each other.
    """
    tokens: dict[str, AddedToken] = {}
    written: dict[str, int] = {}
    ids = _Ids(vocabulary)
    for entry in entries.items():
        token = _entry(entry, ids)
        if not token.content:
            continue
        if tokens.setdefault(token.content, token) != token:
            raise FormatError(
                f'"{entry.place}" is {token.content[:60]!r}, which was already added with other '
                "flags."
            )
        written.setdefault(token.content, entry.get("id").token_id())
    by_id = {token.id: token for token in tokens.values()}
    moved = [
        f"{token.content[:60]!r} has the id {token.id}, not {written[token.content]}"
        for token in by_id.values()
        if token.id != written[token.content]
    ]
    lost = [token.content for token in tokens.values() if by_id[token.id] is not token]
    return tuple(by_id.values()), tuple(_notes(moved, lost))


def _notes(moved: list[str], lost: list[str]) -> Iterator[str]:
    if moved:
        yield (
            "The ids that the file writes for added tokens are not the ids that the library gives: "
            f"{_some(moved)}."
        )
    if lost:
        yield (
            "The library numbers added tokens from the size of the vocabulary on, and so gives "
            f"away the ids of {_some(list(map(repr, lost)))}; these are not recognised any more."
        )


def _some(items: list[str]) -> str:
    more = f", and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
    return "; ".join(items[:_SHOWN]) + more


class _Ids:
    """Gives added tokens their ids, one after the other."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._known = dict(vocabulary)
        self._next = len(vocabulary)

    def of(self, content: str) -> int:
        """The id of its string, else the next number."""
        found = self._known.get(content)
        if found is None:
            found = self._known[content] = self._next
            self._next += 1
        return found


def _entry(entry: Field, ids: _Ids) -> AddedToken:
    written = entry.need("id").token_id()
    content = entry.need("content").text()
    return AddedToken(
        id=ids.of(content) if content else written,
        content=content,
        special=entry.need("special").flag(),
        normalized=entry.need("normalized").flag(),
        single_word=entry.need("single_word").flag(),
        lstrip=entry.need("lstrip").flag(),
        rstrip=entry.need("rstrip").flag(),
    )


def ids_given(vocabulary: Mapping[str, int], contents: Iterable[str]) -> list[int]:
    """The ids that the library gives added tokens in this order."""
    ids = _Ids(vocabulary)
    return [ids.of(content) for content in contents]
