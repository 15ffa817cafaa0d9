"""Uploaded tokenizer.json files: ids of a thousand random texts are those of ``tokenizers``.

The bundled tables written as such files, and the oldest form (a GPT-2 vocabulary, merges as texts,
the split built in). Published files are compared too where a folder of them is named in
``TOKENARIUM_TEST_FILES``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random

import pytest

import engine
from engine.text_files import decode_text
from pages.reference.hf_reference import HuggingFaceReference
from tests import random_text
from tests.shared import NAMES, tokenizer

TEXTS = 1_000
FOLDER = os.environ.get("TOKENARIUM_TEST_FILES", "")
PUBLISHED = sorted(Path(FOLDER).glob("*.json")) if FOLDER else []
# The two left out of the quick run: the largest table, and the table of Qwen3 once more.
WRITTEN = [
    pytest.param(name, marks=pytest.mark.slow) if name in ("o200k_base", "qwen2.5") else name
    for name in NAMES
]


def compare(data: bytes, seed: str) -> None:
    """Ids with added tokens as text and obeyed; and text from ids."""
    ours = engine.read(data, kind="tokenizer.json")
    text_of_file = decode_text(data).text
    library = HuggingFaceReference(lambda: text_of_file)
    random = Random(seed)
    for number in range(TEXTS):
        text = random_text.text(random)
        policy: engine.SpecialPolicy = "parse" if number % 2 else "text"
        expected = library.ids(text, policy)
        assert ours.encode(text, special=policy).ids == expected, (text, policy)
        assert ours.count(text, special=policy) == len(expected)
        assert ours.decode(expected) == library.decode(expected), text


@pytest.mark.parametrize("name", WRITTEN)
def test_bundled_tables(name: str) -> None:
    compare(engine.write_tokenizer_json(tokenizer(name)), name)


def test_vocabulary_and_merges_of_gpt2() -> None:
    model = json.loads(engine.write_tokenizer_json(tokenizer("gpt2")))["model"]
    listed = [" ".join(pair) for pair in model["merges"]]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    document = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": byte_level,
        "post_processor": byte_level,
        "decoder": byte_level,
        "model": {
            "vocab": model["vocab"],
            "merges": ["#version: 0.2", *listed],
        },
    }
    # Some merges begin with the sign of a comment.
    assert "# #" in listed
    compare(json.dumps(document).encode(), "gpt2 as it was")


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.name)
def test_published_files(path: Path) -> None:
    compare(path.read_bytes(), path.name)
