"""Followed texts: they do what plain ones do, and every character knows where it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pages.reference.chat import ChatTemplate, looked_for, rendered
from pages.reference.chat_tracing import TEMPLATE, Run, Traced, between, joined, runs_of

# Each letter occurs once, so a character says itself where it was.
TEXT = "  ab\ncd--eF gh--ij\r\nkl  "


def followed(text: str = TEXT) -> Traced:
    return Traced(text, (Run(len(text), 0, 0),))


def check(found: Any, plain: Any) -> None:
    """Equal, and each character of ours is that at its offset."""
    if isinstance(plain, list | tuple):
        assert len(found) == len(plain)
        for one, other in zip(found, plain, strict=True):
            check(one, other)
        return
    assert str.__str__(found) == plain
    runs = runs_of(found)
    assert sum(run.length for run in runs) == len(plain)
    position = 0
    for length, source, offset in runs:
        part = plain[position : position + length]
        position += length
        if source == 0:
            assert part.lower() == TEXT[offset : offset + length].lower()
        else:
            assert not any(c.isalpha() and c.lower() in TEXT.lower() for c in part)


OPERATIONS: list[Callable[[Any], Any]] = [
    lambda t: t.strip(),
    lambda t: t.strip(" a"),
    lambda t: t.lstrip(),
    lambda t: t.rstrip("l "),
    lambda t: t.strip(TEXT),
    lambda t: t[3:9],
    lambda t: t[-5:],
    lambda t: t[9:3],
    lambda t: t[::-1],
    lambda t: t[4],
    lambda t: t[-3],
    list,
    lambda t: list(reversed(t)),
    lambda t: t.split(),
    lambda t: t.split("--"),
    lambda t: t.split("--", 1),
    lambda t: t.rsplit("--", 1),
    lambda t: t.rsplit(None, 2),
    lambda t: t.splitlines(),
    lambda t: t.splitlines(keepends=True),
    lambda t: t.partition("--"),
    lambda t: t.rpartition("--"),
    lambda t: t.partition("none"),
    lambda t: t.rpartition("none"),
    lambda t: t.replace("--", "!"),
    lambda t: t.replace("--", "", 1),
    lambda t: t.removeprefix("  a"),
    lambda t: t.removesuffix("kl  "),
    lambda t: t.removeprefix("?"),
    lambda t: t + "!",
    lambda t: "?" + t,
    lambda t: t + t,
    lambda t: t * 2,
    lambda t: 2 * t,
    lambda t: t * 0,
    lambda t: t.upper(),
    lambda t: t.lower().strip().split("--")[-1],
    str,
]


@pytest.mark.parametrize("place", range(len(OPERATIONS)))
def test_every_operation_as_of_plain_text(place: int) -> None:
    check(OPERATIONS[place](followed()), OPERATIONS[place](TEXT))


def test_where_every_gap_is_replaced_it_is_plain() -> None:
    assert type(followed().replace("", ".")) is str
    assert followed().replace("", ".") == TEXT.replace("", ".")


def test_joining() -> None:
    one, other = Traced("ab", (Run(2, 0, 0),)), Traced("cd", (Run(2, 0, 2),))
    assert runs_of(joined((one, other))) == (Run(4, 0, 0),)
    assert runs_of(between("-", (one, other)))[1] == Run(1, TEMPLATE, -1)
    assert runs_of(Traced(", ", (Run(2, 7, 0),)).join(["x", "y"]))[1] == Run(2, 7, 0)
    assert type(joined(["a", "b"])) is str


def pieces(source: str, *contents: Any, **options: Any) -> list[tuple[str, int, int]]:
    template = ChatTemplate(name="own", source=source, **options)
    found = rendered(template, [{"role": "user", "content": one} for one in contents])
    assert found.followed
    position, listed = 0, []
    for length, place, offset in found.runs:
        listed.append((found.text[position : position + length], place, offset))
        position += length
    assert position == len(found.text)
    return listed


def test_templates_of_all_kinds_are_followed() -> None:
    assert pieces("{% macro m(x) %}[{{ x | trim }}]{% endmacro %}{{ m(messages[0].content) }}",
                  " hé ") == [("[", -1, -1), ("hé", 0, 1), ("]", -1, -1)]  # fmt: skip
    assert pieces("{% set y %}a{{ messages[0]['content'] }}{% endset %}{{ y ~ 3 ~ y }}", "x") == [
        ("a", -1, -1), ("x", 0, 0), ("3a", -1, -1), ("x", 0, 0),
    ]  # fmt: skip
    assert pieces("{{ messages | map(attribute='content') | join(', ') }}", "x", "y") == [
        ("x", 0, 0), (", ", -1, -1), ("y", 1, 0),
    ]  # fmt: skip
    assert pieces("{{ messages[0].content[0].text }}", [{"type": "text", "text": "x"}]) == [
        ("x", 0, -1)
    ]


def test_what_a_template_spells_out_is_its_own() -> None:
    """JSON is written by the library and not followed."""
    assert pieces("{{ messages[0].content | tojson }}", "x") == [('"x"', -1, -1)]


def test_a_text_that_cannot_be_followed_is_looked_for() -> None:
    messages = [{"role": "user", "content": " hi "}, {"role": "user", "content": "hi"}]
    assert looked_for("[hi][hi]", messages) == (
        Run(1, TEMPLATE, -1),
        Run(2, 0, 1),
        Run(2, TEMPLATE, -1),
        Run(2, 1, 0),
        Run(1, TEMPLATE, -1),
    )
