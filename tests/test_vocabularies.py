"""The bundled tables are the publishers', to the byte."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest

from engine.catalog import FOLDER, read_table, write_table
from engine.standins import to_standins
from pages.reference import hf_reference
from tests.shared import NAMES, ROOT, tokenizer
from tests.tools.make_vocabularies import OPENAI_SPECIAL, SHA256

LICENSES = FOLDER / "LICENSES.md"
SOURCES = {"gpt2": "r50k_base", "cl100k_base": "cl100k_base", "o200k_base": "o200k_base"}

# Ids that stand for something; the table's own; added tokens; the largest id.
SIZES = {
    "gpt2": (50_257, 50_256, 1, 50_256),
    "cl100k_base": (100_261, 100_256, 5, 100_276),
    "o200k_base": (200_000, 199_998, 2, 200_018),
    "qwen2.5": (151_665, 151_643, 22, 151_664),
    "qwen3": (151_669, 151_643, 26, 151_668),
    "deepseek-v3": (128_815, 127_997, 818, 128_814),
}
# SHA-256 of the publisher's `model.merges`, one "left right" a line.
MERGES = {
    "qwen3": (151_387, "bbeef245f0b03a9613753068e5799c2496290005594c68f09eed68feedbe6d1f"),
    "deepseek-v3": (127_741, "547bace837acea98652eef5669c9b01cee1c73ad1d2a44d6fdce9e6a81c22147"),
}


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("name", SOURCES)
def test_publishers_tiktoken_file_comes_out_again(name: str) -> None:
    rows = sorted(tokenizer(name).vocabulary.bytes_of.items())
    lines = (base64.b64encode(data) + f" {rank}\n".encode() for rank, data in rows)
    assert sha256(b"".join(lines)) == SHA256[f"{SOURCES[name]}.tiktoken"]


@pytest.mark.parametrize("name", SOURCES)
def test_special_tokens_are_those_that_tiktoken_registers(name: str) -> None:
    from pages.reference.tiktoken_reference import definition

    ranks = {data: i for i, data in tokenizer(name).vocabulary.bytes_of.items()}
    settings = definition(name, ranks)
    added = {token.content: token.id for token in tokenizer(name).added.tokens}
    assert settings["special_tokens"] == added == OPENAI_SPECIAL[SOURCES[name]]
    assert settings["pat_str"] == tokenizer(name).pattern


@pytest.mark.parametrize("name", MERGES)
def test_publishers_merge_list_comes_out_again(name: str) -> None:
    rows = tokenizer(name).vocabulary.bytes_of
    pairs = hf_reference.merges(tokenizer(name))
    lines = [f"{to_standins(rows[a])} {to_standins(rows[b])}" for a, b in pairs]
    assert (len(lines), sha256("\n".join(lines).encode())) == MERGES[name]


@pytest.mark.parametrize("name", NAMES)
def test_sizes(name: str) -> None:
    it = tokenizer(name)
    last = max({*it.vocabulary.bytes_of, *it.added.by_id})
    assert (it.size, len(it.vocabulary), len(it.added.tokens), last) == SIZES[name]
    assert len(it.vocabulary.id_of) == len(it.vocabulary), "no two ids stand for the same bytes"


@pytest.mark.parametrize("name", NAMES)
def test_every_byte_has_an_id(name: str) -> None:
    assert all(bytes([byte]) in tokenizer(name).vocabulary.id_of for byte in range(256))


def test_files_are_those_whose_hashes_are_published() -> None:
    row = re.compile(r"^\| (\S+\.(?:table|added\.json)) \| (\w{64}) \|$", re.MULTILINE)
    listed = dict(row.findall(LICENSES.read_text()))
    found = {path.name: sha256(path.read_bytes()) for path in FOLDER.iterdir() if path != LICENSES}
    assert found == listed


def test_hashes_of_the_publishers_files_are_published() -> None:
    text = LICENSES.read_text()
    assert all(digest in text for digest in SHA256.values())
    for word in ("OpenAI", "Alibaba Cloud", "DeepSeek", "MIT", "Apache-2.0"):
        assert word in text


def test_table_packing_gives_back_what_was_packed() -> None:
    tokens = [b"a", b"\x00\xff", b"x" * 255]
    assert read_table(write_table(tokens)) == tokens


def test_readme_points_to_the_licences() -> None:
    assert "engine/vocabularies/LICENSES.md" in (ROOT / "README.md").read_text("utf-8")
