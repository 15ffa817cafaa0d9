"""Published files that are not in the repository."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

import engine
from engine import Tokenizer
from tests.shared import ROOT


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
