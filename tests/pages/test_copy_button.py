"""A press of the copy button, also one whose run was given up before it called back."""

from __future__ import annotations

from typing import Any

import pytest

from pages.ui import copy_button as module
from pages.ui import state


class RunAgainError(Exception):
    """What asking for another run does to this one."""


def test_a_press_counts_once_even_if_nobody_called_back(monkeypatch: pytest.MonkeyPatch) -> None:
    session: dict[str, Any] = {}
    said: dict[str, Any] = {}

    def run_again() -> None:
        raise RunAgainError

    monkeypatch.setattr(state, "recall", session.get)
    monkeypatch.setattr(state, "remember", session.__setitem__)
    monkeypatch.setattr(module, "_component", lambda **_: said)
    monkeypatch.setattr(module.st, "rerun", run_again)
    copied: list[str] = []

    def draw() -> None:
        module.copy_button("Copy", "text", key="k", on_copy=lambda: copied.append("text"))

    draw()
    assert copied == []
    said["pressed"] = 1_700
    with pytest.raises(RunAgainError):
        draw()
    draw()
    assert copied == ["text"]
    said["pressed"] = 1_701
    with pytest.raises(RunAgainError):
        draw()
    assert copied == ["text", "text"]
