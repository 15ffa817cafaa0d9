"""Streamlit with a library that answers wrongly for one tokenizer: a failed check must be seen."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from streamlit.web.cli import main

from engine import SpecialPolicy
from pages.reference.answers import NoReference, Reference
from pages.ui import cache
from pages.ui.tokens import self_check


class Wrong:
    """Gives an id too few."""

    title = "a wrong library"

    def ids(self, text: str, special: SpecialPolicy) -> list[int]:
        return cache.tokenizer("cl100k_base").encode(text).ids[1:]

    def decode(self, ids: Sequence[int]) -> str:
        return ""


def reference(name: str) -> Reference | NoReference:
    return Wrong() if name == "cl100k_base" else NoReference("not asked in this test")


self_check.reference = reference
if __name__ == "__main__":
    main()
