"""A conversation as it is edited: its messages, and a template of one's own beside them."""

from __future__ import annotations

import datetime as dt
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pages.reference.chat import ChatError

_KEYS: Final = itertools.count(1)
# What is drawn for each message takes the browser a while.
MOST_MESSAGES: Final = 60
_DEEPEST: Final = 20
_MONTHS: Final = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


@dataclass(frozen=True, slots=True)
class Turn:
    """One message. ``content`` is a text, or what else a JSON file had there.

    ``key`` tells messages apart that are equal; a content that the page sets gets a new one.
    """

    role: str
    content: Any
    key: int = field(default_factory=_KEYS.__next__, compare=False)

    @property
    def text(self) -> str | None:
        """The content, if it is a text."""
        return self.content if isinstance(self.content, str) else None

    def message(self) -> dict[str, Any]:
        """The message as libraries take it."""
        return {"role": self.role, "content": self.content}


@dataclass(frozen=True, slots=True)
class OwnTemplate:
    """A template that somebody brought: its Jinja, the tokens it is given, and its day.

    ``date`` is in ISO form; empty where the template asks for none.
    """

    name: str = "your template"
    source: str = ""
    bos: str = ""
    eos: str = ""
    date: str = ""

    @property
    def asks_for_date(self) -> bool:
        """Whether its text depends on the day."""
        return "strftime_now" in self.source or "date_string" in self.source

    @property
    def date_words(self) -> str:
        """The day as templates write it.

        >>> OwnTemplate(date="2024-07-26").date_words
        '26 Jul 2024'
        """
        day = dt.date.fromisoformat(self.date)
        return f"{day.day:02} {_MONTHS[day.month - 1]} {day.year}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """All that is typed on the page."""

    turns: tuple[Turn, ...]
    own: OwnTemplate | None = None

    def messages(self) -> list[dict[str, Any]]:
        """The messages as libraries take them."""
        return [turn.message() for turn in self.turns]


def of_texts(*turns: tuple[str, str]) -> tuple[Turn, ...]:
    """Messages from roles and texts."""
    return tuple(Turn(role, text) for role, text in turns)


def add(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """With one more message: of the one whose turn it is."""
    last = turns[-1].role if turns else "assistant"
    role = "assistant" if last in ("user", "tool") else "user"
    return (*turns, Turn(role, ""))


def without(turns: Sequence[Turn], key: int) -> tuple[Turn, ...]:
    """Without one message."""
    return tuple(turn for turn in turns if turn.key != key)


def moved(turns: Sequence[Turn], key: int, by: int) -> tuple[Turn, ...]:
    """With one message so many places further down."""
    place = next((i for i, turn in enumerate(turns) if turn.key == key), None)
    if place is None or not 0 <= place + by < len(turns):
        return tuple(turns)
    kept = list(turns)
    kept.insert(place + by, kept.pop(place))
    return tuple(kept)


def changed(turns: Sequence[Turn], key: int, **what: Any) -> tuple[Turn, ...]:
    """With the role or the content of one message changed."""
    return tuple(replace(turn, **what) if turn.key == key else turn for turn in turns)


def put_back(turns: Sequence[Turn], place: int, turn: Turn) -> tuple[Turn, ...]:
    """With a removed message at its place again."""
    return (*turns[:place], turn, *turns[place:])


def read_conversation(text: str) -> tuple[Turn, ...]:
    """Messages from JSON: a list of objects, or an object that has one as ``messages``.

    A content that is no text is kept as it is: the page shows it and says what it does.

    Raises:
        ChatError: if it is no such list, or a message has no role; the sentence names it.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ChatError(f"The conversation is no JSON: {error}.") from None
    if isinstance(found, Mapping):
        found = found.get("messages")
    if not isinstance(found, list) or not found:
        raise ChatError(
            'A conversation is a list with at least one message, as [{"role": "user", "content": '
            '"hi"}].'
        )
    if len(found) > MOST_MESSAGES:
        raise ChatError(f"There are {len(found):,} messages; up to {MOST_MESSAGES} are shown.")
    return tuple(_turn(number, message) for number, message in enumerate(found, 1))


def _turn(number: int, message: object) -> Turn:
    if not isinstance(message, Mapping):
        raise ChatError(f"Message {number} is no object with a role and a content.")
    role = message.get("role")
    if not isinstance(role, str) or not role:
        raise ChatError(
            f"Message {number} has no role, so a template would leave it out. Give it one: system, "
            "user, assistant or tool."
        )
    return Turn(_whole(role)[:40], _whole(message.get("content")))


def _whole(value: Any, depth: int = 0) -> Any:
    """The value with U+FFFD for halves of surrogate pairs, which no text can hold.

    Raises:
        ChatError: if it is nested deeper than any message is.
    """
    if depth > _DEEPEST:
        raise ChatError(f"A content is nested deeper than {_DEEPEST} levels, as no message is.")
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [_whole(one, depth + 1) for one in value]
    if isinstance(value, Mapping):
        return {_whole(name): _whole(one, depth + 1) for name, one in value.items()}
    return value


def other_fields(text: str) -> list[str]:
    """The fields of messages in a JSON text that are not taken over, each once.

    ``text`` is one that ``read_conversation`` has read.
    """
    found = json.loads(text)
    messages = found["messages"] if isinstance(found, Mapping) else found
    names = (name for message in messages for name in message)
    return [name for name in dict.fromkeys(names) if name not in ("role", "content")]


def written(turns: Sequence[Turn]) -> str:
    """The messages as JSON, as ``read_conversation`` reads them."""
    return json.dumps([turn.message() for turn in turns], ensure_ascii=False, indent=1)


def packed_form(conversation: Conversation) -> str:
    """The whole conversation as compact JSON, for a link."""
    own = conversation.own
    document: dict[str, Any] = {"m": [[turn.role, turn.content] for turn in conversation.turns]}
    if own is not None:
        document["t"] = [own.name, own.source, own.bos, own.eos, own.date]
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def from_packed(text: str) -> Conversation:
    """What ``packed_form`` wrote.

    Raises:
        ValueError: if it is something else.
    """
    document = json.loads(text)
    try:
        turns = tuple(Turn(role, _whole(content)) for role, content in document["m"])
        own = OwnTemplate(*document["t"]) if "t" in document else None
    except (KeyError, TypeError, ValueError, ChatError):
        raise ValueError("no conversation") from None
    texts: list[object] = [turn.role for turn in turns]
    if own is not None:
        texts += [own.name, own.source, own.bos, own.eos, own.date]
    if not all(isinstance(one, str) and _whole(one) == one for one in texts):
        raise ValueError("no conversation")
    if not 0 < len(turns) <= MOST_MESSAGES:
        raise ValueError("too many messages")
    if own is not None and own.date:
        dt.date.fromisoformat(own.date)
    return Conversation(turns=turns, own=own)
