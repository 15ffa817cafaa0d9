"""Files broken on purpose: a sentence or a tokenizer that works, soon, and nothing else."""

from __future__ import annotations

import base64
import json
from random import Random
from typing import Any

import pytest

import engine
from engine import EngineError, FormatError, PatternError, TooLong, limits
from tests import random_tokenizer_files as files

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 2**40, 10**400, "", "a", "x" * 50, [], {}, [1], [[]], {"a": 1},
    "NFC", "ByteLevel", [["a", "b"]], "\ud800", {"type": "Sequence"}, {"type": 5},
    {"type": "Split"}, {"String": ""}, {"Regex": "("},
)  # fmt: skip
PLACES = ("model", "normalizer", "pre_tokenizer", "added_tokens", "decoder", "post_processor")


def inner_places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places inside a document, a few of each list or vocabulary."""
    places = [place] if place else []
    if isinstance(value, dict):
        for key in list(value)[:12]:
            places += inner_places(value[key], (*place, key))
    elif isinstance(value, list):
        for index in range(min(len(value), 4)):
            places += inner_places(value[index], (*place, index))
    return places


def mutated(random: Random, document: Any) -> Any:
    """One to three values removed or replaced."""
    for _ in range(random.choice((1, 1, 2, 3))):
        places = inner_places(document)
        *outer, last = random.choice(places)
        holder = document
        for key in outer:
            holder = holder[key]
        if random.random() < 0.3:
            del holder[last]
        else:
            holder[last] = random.choice(VALUES)
    return document


def damaged(random: Random, data: bytes) -> bytes:
    """Some bytes lost, one written over, or the rest cut off."""
    place = random.randrange(len(data))
    kind = random.random()
    if kind < 0.3:
        return data[:place]
    return data[:place] + random.randbytes(random.randrange(2)) + data[place + 1 :]


def use(data: bytes, random: Random) -> None:
    """Read a file and do everything with it; only the engine's own errors may come."""
    try:
        tokenizer = engine.read(data, kind="tokenizer.json")
    except (FormatError, PatternError, TooLong):
        return
    for _ in range(3):
        try:
            tokens = tokenizer.encode(files.text(random), special="parse")
            list(engine.segments(tokens))
            tokenizer.decode(tokens.ids)
        except EngineError:
            continue
    for write in (engine.write_tokenizer_json, engine.write_tiktoken):
        try:
            write(tokenizer)
        except EngineError:
            continue


@pytest.mark.timeout(240)
@pytest.mark.parametrize("batch", range(8))
def test_mutations_of_files(batch: int) -> None:
    for number in range(120):
        random = Random(batch * 1_000 + number)
        document = files.file(random)
        if random.random() < 0.8:
            document = mutated(random, document)
        data = json.dumps(document).encode()
        if random.random() < 0.3:
            data = damaged(random, data)
        use(data, random)


def test_mutations_of_rank_files() -> None:
    lines = [f"{base64.b64encode(bytes([byte])).decode()} {byte}" for byte in range(256)]
    whole = "\n".join([*lines, "YWI= 256"]).encode()
    assert engine.read(whole, kind="tiktoken", pattern="gpt2").encode("ab").ids == [256]
    for number in range(400):
        random = Random(number)
        try:
            tokenizer = engine.read(damaged(random, whole), kind="tiktoken", pattern="cl100k")
        except FormatError:
            continue
        tokenizer.encode(files.text(random))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS"),
        (b"\n\x0e\n\x05<unk>\x15\0\0\0\0\x18\x02\n", "SentencePiece"),
        (b"<!DOCTYPE html><html></html>", "HTML"),
        (b"PK\x03\x04", "ZIP"),
        (b"\xff\xfe{\0", "UTF-16"),
        (b"\x80\x81", "no JSON"),
        (b" \n ", "empty"),
    ],
)
@pytest.mark.parametrize("kind", ["tokenizer.json", "tiktoken"])
def test_other_files_are_recognised(data: bytes, said: str, kind: Any) -> None:
    if said == "no JSON" and kind == "tiktoken":
        said = "Line 1"
    with pytest.raises(FormatError, match=said):
        engine.read(data, kind=kind, pattern="gpt2")


def test_a_file_that_is_too_large() -> None:
    with pytest.raises(TooLong):
        engine.read(b" " * (limits.TOKENIZER_FILE_BYTES + 1), kind="tokenizer.json")


def test_a_normalizer_that_swells_a_text_is_stopped() -> None:
    swell = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 1_000}
    document = {
        "normalizer": {"type": "Sequence", "normalizers": [swell, swell, swell]},
        "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []},
    }
    tokenizer = engine.read(json.dumps(document).encode(), kind="tokenizer.json")
    with pytest.raises(TooLong):
        tokenizer.encode("a")


def test_sequences_in_sequences_are_bounded() -> None:
    many = {"type": "Sequence", "normalizers": [{"type": "NFC"}] * 500}
    document = {"normalizer": many, "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}
    with pytest.raises(FormatError, match="components"):
        engine.read(json.dumps(document).encode(), kind="tokenizer.json")


@pytest.mark.timeout(60)
def test_long_pieces_take_no_quadratic_time() -> None:
    vocabulary = {"a": 0, "aa": 1, "b": 2, "<unk>": 3}
    document = {
        "model": {
            "type": "BPE",
            "vocab": vocabulary,
            "merges": [["a", "a"]],
            "unk_token": "<unk>",
            "fuse_unk": True,
        }
    }
    tokenizer = engine.read(json.dumps(document).encode(), kind="tokenizer.json")
    assert tokenizer.encode("a" * 100_000).ids == [1] * 50_000
    assert tokenizer.count("z" * 100_000 + "ab" * 50_000) == 100_001
