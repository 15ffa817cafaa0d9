"""References for people's own files: made once, kept a few, never started anew while made."""

from __future__ import annotations

import threading

from pages.reference.answers import NoReference
from pages.ui.foreign import ForeignReferences


def test_what_is_being_made_is_not_started_again() -> None:
    references, go, made = ForeignReferences(2), threading.Event(), []

    def make() -> NoReference:
        go.wait(10)
        made.append(1)
        return NoReference("a")

    first = references.get("a", make)
    # More wait than are kept; each asks again and again.
    others = [references.get(key, lambda: NoReference("other")) for key in "bcd"]
    assert all(references.get("a", make) is first for _ in range(5))
    assert not first.done()
    go.set()
    assert str(first.result(10)) == "a"
    assert [str(other.result(10)) for other in others] == ["other"] * 3
    assert made == [1]


def test_the_ones_used_last_are_kept() -> None:
    references, made = ForeignReferences(2), []

    def get(key: str) -> None:
        def make() -> NoReference:
            made.append(key)
            return NoReference(key)

        references.get(key, make).result(10)
        # The end of one is noted before the next begins.
        references._executor.submit(int).result(10)

    for key in "ababcab":
        get(key)
    assert "".join(made) == "abcab"
