"""The self-check marks: does a reference library give the same ids?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

import engine
from pages.reference.answers import NoReference, Reference
from pages.reference.check import Check, ids_equal, own_checks
from pages.ui.cache import fingerprint, results
from pages.ui.columns import SideBySide
from pages.ui.tokenizers import reference

# A library, why there is none, or None while it is made ready.
Library = Reference | NoReference | None
CHECKING: Final = "being compared with a library"
_LOOK_SECONDS: Final = 0.5


def show_self_check(found: SideBySide) -> None:
    """One line per tokenizer; a failed check is red and says what differs."""
    with_libraries(found.names, lambda libraries: _lines(found, libraries))


def with_libraries(names: Sequence[str], draw: Callable[[Sequence[Library]], None]) -> None:
    """Call ``draw`` with the library of each tokenizer.

    Those that are not ready are None; the marks then turn by themselves, and no edit waits.
    """
    libraries = [reference(name) for name in names]
    if None in libraries:
        _until_ready(names, draw)
    else:
        draw(libraries)


@st.fragment(run_every=_LOOK_SECONDS)
def _until_ready(names: Sequence[str], draw: Callable[[Sequence[Library]], None]) -> None:
    libraries = [reference(name) for name in names]
    if None not in libraries:
        st.rerun()  # of the whole page: it has no clock then
    draw(libraries)


def _lines(found: SideBySide, libraries: Sequence[Library]) -> None:
    for place, (one, library) in enumerate(zip(found.cuts, libraries, strict=True)):
        checks = _checked(found.names[place], one.tokenization, library)
        kind = "failed" if any(check and check.ok is False for check in checks) else "passed"
        with st.container(key=f"check_{place}_{kind}"):
            st.text(f"{found.columns[place].name}: " + "; ".join(map(_words, checks)))


def _checked(name: str, tokenization: engine.Tokenization, library: Library) -> list[Check | None]:
    """All checks; the one against the library is None while that is not ready."""
    key = (
        name,
        tokenization.policy,
        fingerprint(tokenization.original),
    )
    own = results().get(("own checks", *key), lambda: (own_checks(tokenization), 1_000))
    if library is None:
        return [None, *own]
    equal = results().get(("ids equal", *key), lambda: (ids_equal(tokenization, library), 300))
    return [equal, *own]


def _words(check: Check | None) -> str:
    if check is None:
        return f"… ids {CHECKING}"
    if check.ok:
        return f"✓ {check.label}"
    sign = "✗" if check.ok is False else "–"
    return f"{sign} {check.label} ({check.detail})" if check.detail else f"{sign} {check.label}"
