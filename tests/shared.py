"""What many tests need: each bundled tokenizer and its reference, read once per process."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

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
def published(name: str) -> Tokenizer:
    """A published tokenizer.json that is not in the repository; without it, the test is skipped.

    It is looked for in the folder that ``TOKENARIUM_TEST_FILES`` names, as ``name`` and ``.json``.
    """
    folder = os.environ.get("TOKENARIUM_TEST_FILES")
    path = Path(folder or ROOT / "nowhere") / f"{name}.json"
    if not path.is_file():
        pytest.skip(f"the published file of {name} is not here")
    return engine.read(path.read_bytes(), kind="tokenizer.json", name=name)


@cache
def records(file: str) -> list[dict[str, Any]]:
    """The records of a fixture file."""
    return json.loads((FIXTURES / file).read_text("utf-8"))
