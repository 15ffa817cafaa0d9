"""Texts that remember where their characters came from while a template works on them.

A chat template takes the contents of messages apart and puts them together again: it trims them,
splits them at ``</think>``, joins them. A ``Traced`` text goes through all that as its plain twin
would, and says at the end which characters are the template's and which are whose.

Whatever a template does that is not followed here gives plain text, which counts as the template's;
the caller compares the text with the one that the library renders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Self, SupportsIndex

TEMPLATE: Final = -1
DEFAULT: Final = -2
_NOWHERE: Final = -1


class Run(NamedTuple):
    """Characters in a row from one source.

    ``source`` is the number of a message from 0, or ``TEMPLATE``, or ``DEFAULT`` (a text that is
    put in where a message is missing); ``offset`` is where in its content they were, -1 for what
    is no part of a content.
    """

    length: int
    source: int
    offset: int


def runs_of(text: str) -> tuple[Run, ...]:
    """Where the characters of a text came from; those of a plain one are the template's."""
    if isinstance(text, Traced):
        return text._runs  # noqa: SLF001 -- its own module
    return (Run(len(text), TEMPLATE, _NOWHERE),) if text else ()


def joined(parts: Iterable[str]) -> str:
    """The parts joined; plain if all of them are."""
    kept = list(parts)
    text = "".join(kept)
    if not any(isinstance(part, Traced) for part in kept):
        return text
    return Traced(text, _merged(run for part in kept for run in runs_of(part)))


def _merged(runs: Iterable[Run]) -> tuple[Run, ...]:
    """The runs with those that continue each other made one."""
    merged: list[Run] = []
    for run in runs:
        last = merged[-1] if merged else None
        if last and last.source == run.source and _continues(last, run):
            merged[-1] = last._replace(length=last.length + run.length)
        elif run.length:
            merged.append(run)
    return tuple(merged)


def _continues(last: Run, run: Run) -> bool:
    if _NOWHERE in (last.offset, run.offset):
        return last.offset == run.offset
    return last.offset + last.length == run.offset


def _cut(runs: Sequence[Run], start: int, end: int) -> tuple[Run, ...]:
    """The runs of the characters from ``start`` to ``end``."""
    cut: list[Run] = []
    position = 0
    for length, source, offset in runs:
        first, last = max(start, position), min(end, position + length)
        if first < last:
            at = offset if offset == _NOWHERE else offset + first - position
            cut.append(Run(last - first, source, at))
        position += length
        if position >= end:
            break
    return tuple(cut)


class Traced(str):
    """A text with the runs of its characters; what is made of it keeps them."""

    __slots__ = ("_runs",)
    _runs: tuple[Run, ...]

    def __new__(cls, text: str, runs: Sequence[Run]) -> Self:
        """``text`` with the sources of its characters, which must be as many."""
        made = super().__new__(cls, str.__str__(text))
        made._runs = tuple(runs)
        return made

    def __str__(self) -> str:
        return self

    def _part(self, start: int, end: int) -> str:
        return Traced(str.__getitem__(self, slice(start, end)), _cut(self._runs, start, end))

    def __getitem__(self, place: SupportsIndex | slice) -> str:
        if isinstance(place, slice):
            start, stop, step = place.indices(len(self))
            if step == 1:
                return self._part(start, max(start, stop))
            return joined(self._part(i, i + 1) for i in range(start, stop, step))
        start = range(len(self))[place]
        return self._part(start, start + 1)

    def __iter__(self) -> Iterator[str]:
        return (self._part(place, place + 1) for place in range(len(self)))

    def __add__(self, other: str) -> str:
        return joined((self, other))

    def __radd__(self, other: str) -> str:
        return joined((other, self))

    def __mul__(self, times: SupportsIndex) -> str:
        text = str.__mul__(self, times)
        return Traced(text, self._runs * (len(text) // len(self))) if text else ""

    __rmul__ = __mul__

    def lstrip(self, chars: str | None = None) -> str:
        """As of ``str``."""
        return self._part(len(self) - len(str.lstrip(self, chars)), len(self))

    def rstrip(self, chars: str | None = None) -> str:
        """As of ``str``."""
        return self._part(0, len(str.rstrip(self, chars)))

    def strip(self, chars: str | None = None) -> str:
        """As of ``str``."""
        start = len(self) - len(str.lstrip(self, chars))
        return self._part(start, start + len(str.strip(self, chars)))

    def removeprefix(self, prefix: str) -> str:
        """As of ``str``."""
        return self._part(len(self) - len(str.removeprefix(self, prefix)), len(self))

    def removesuffix(self, suffix: str) -> str:
        """As of ``str``."""
        return self._part(0, len(str.removesuffix(self, suffix)))

    def _found(self, parts: Iterable[str]) -> list[str]:
        """Parts of this text, found one after the other."""
        found, position = [], 0
        for part in parts:
            start = str.index(self, part, position)
            position = start + len(part)
            found.append(self._part(start, position))
        return found

    def split(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        """As of ``str``."""
        return self._split(str.split(self, sep, maxsplit), sep)

    def rsplit(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        """As of ``str``."""
        return self._split(str.rsplit(self, sep, maxsplit), sep)

    def _split(self, parts: list[str], sep: str | None) -> list[str]:
        if sep is None:
            return self._found(parts)
        found, position = [], 0
        for part in parts:
            found.append(self._part(position, position + len(part)))
            position += len(part) + len(sep)
        return found

    def splitlines(self, keepends: bool = False) -> list[str]:
        """As of ``str``."""
        lines = self._found(str.splitlines(self, keepends=True))
        if keepends:
            return lines
        plain = str.splitlines(self)
        return [line[: len(text)] for line, text in zip(lines, plain, strict=True)]

    def partition(self, sep: str) -> tuple[str, str, str]:
        """As of ``str``."""
        before, between, after = str.partition(self, sep)
        return self._three(len(before), len(between), len(after))

    def rpartition(self, sep: str) -> tuple[str, str, str]:
        """As of ``str``."""
        before, between, after = str.rpartition(self, sep)
        return self._three(len(before), len(between), len(after))

    def _three(self, before: int, between: int, after: int) -> tuple[str, str, str]:
        end = before + between
        return self._part(0, before), self._part(before, end), self._part(end, end + after)

    def replace(self, old: str, new: str, count: SupportsIndex = -1) -> str:
        """As of ``str``; not followed where every gap between characters is replaced."""
        if not old:
            return str.replace(self, old, new, count)
        return between(new, self.split(old, count))

    def join(self, parts: Iterable[str]) -> str:
        """As of ``str``."""
        return between(self, parts)

    def _recased(self, text: str) -> str:
        return Traced(text, self._runs) if len(text) == len(self) else text

    def lower(self) -> str:
        """As of ``str``."""
        return self._recased(str.lower(self))

    def upper(self) -> str:
        """As of ``str``."""
        return self._recased(str.upper(self))

    def capitalize(self) -> str:
        """As of ``str``."""
        return self._recased(str.capitalize(self))

    def title(self) -> str:
        """As of ``str``."""
        return self._recased(str.title(self))


def between(separator: str, parts: Iterable[str]) -> str:
    """The parts with the separator between them."""
    kept: list[str] = []
    for part in parts:
        kept += (separator, part) if kept else (part,)
    return joined(kept)


def traced_messages(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The messages with every text but their roles followed."""
    return [
        {
            name: value if name == "role" else _followed(value, number, known=name == "content")
            for name, value in message.items()
        }
        for number, message in enumerate(messages)
    ]


def _followed(value: Any, number: int, *, known: bool) -> Any:
    if isinstance(value, str):
        return Traced(value, (Run(len(value), number, 0 if known else _NOWHERE),) if value else ())
    if isinstance(value, list):
        return [_followed(one, number, known=False) for one in value]
    if isinstance(value, Mapping):
        return {
            name: one if name == "type" else _followed(one, number, known=False)
            for name, one in value.items()
        }
    return value


def render_traced(
    source: str, messages: Sequence[Mapping[str, Any]], options: Mapping[str, Any]
) -> str:
    """What a template makes of the messages, followed. Raises as the template does.

    The sandbox is the library's; only how it joins texts is another.
    """
    from transformers.utils.chat_template_utils import _compile_jinja_template

    environment = _compile_jinja_template(source).environment.overlay()
    environment.concat = joined
    environment.filters = {**environment.filters, "join": _join_filter(environment)}
    given = dict(options)
    default = given.get("default_system")
    if isinstance(default, str) and default:
        given["default_system"] = Traced(default, (Run(len(default), DEFAULT, 0),))
    template = environment.from_string(source)
    return str(
        template.render(messages=traced_messages(messages), tools=None, documents=None, **given)
    )


def _join_filter(environment: Any) -> Any:
    """Jinja's ``join``, which would make its separator a plain text."""
    from jinja2.filters import make_attrgetter

    def join(value: Iterable[Any], d: str = "", attribute: str | int | None = None) -> str:
        items = value if attribute is None else map(make_attrgetter(environment, attribute), value)
        return between(str(d), map(str, items))

    return join


def follow_concatenation() -> None:
    """Make Jinja's ``~`` follow its texts, in this whole process."""
    import jinja2.runtime

    jinja2.runtime.str_join = lambda texts: joined(map(str, texts))  # type: ignore[assignment]
