"""The self-check marks: does a reference library give the same ids?"""

from __future__ import annotations

import streamlit as st

import engine
from pages.reference.check import Check, self_check
from pages.ui.cache import fingerprint, results
from pages.ui.columns import SideBySide
from pages.ui.tokenizers import reference


def show_self_check(found: SideBySide) -> None:
    """One line per tokenizer; a failed check is red and says what differs."""
    for place, one in enumerate(found.cuts):
        checks = _checked(one.tokenization)
        with st.container(key=f"check_{place}_{'failed' if _failed(checks) else 'passed'}"):
            st.text(f"{found.columns[place].name}: " + "; ".join(map(_words, checks)))


def _checked(tokenization: engine.Tokenization) -> list[Check]:
    name, policy = tokenization.tokenizer.name, tokenization.policy
    key = ("check", name, policy, fingerprint(tokenization.original))
    return results().get(key, lambda: (self_check(tokenization, reference(name)), 1_000))


def _failed(checks: list[Check]) -> bool:
    return any(check.ok is False for check in checks)


def _words(check: Check) -> str:
    if check.ok:
        return f"✓ {check.label}"
    sign = "✗" if check.ok is False else "–"
    return f"{sign} {check.label} ({check.detail})" if check.detail else f"{sign} {check.label}"
