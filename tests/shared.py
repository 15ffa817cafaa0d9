"""What many tests need: each bundled tokenizer and its reference, read once per process."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import engine
from engine import Tokenizer
from pages.reference.answers import Reference
from pages.reference.check import reference_for

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "tests" / "fixtures"
NAMES = engine.names()


@cache
def tokenizer(name: str) -> Tokenizer:
    """A bundled tokenizer; fixtures write some names with an underscore."""
    return engine.load(name.replace("_v3", "-v3"))


@cache
def reference(name: str) -> Reference:
    """The reference library's tokenizer of that name."""
    return reference_for(tokenizer(name))


@cache
def records(file: str) -> list[dict[str, Any]]:
    """The records of a fixture file."""
    return json.loads((FIXTURES / file).read_text("utf-8"))
