"""``python -m engine``: what it prints, against the reference library."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import engine
from tests.shared import ROOT, reference

TEXT = "Tiếng Việt 中文 English <|endoftext|>\r\n"


def run(*words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "engine", *words]
    return subprocess.run(command, input=given, capture_output=True, cwd=ROOT, check=False)


def test_count_is_that_of_the_library(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(TEXT.encode())
    expected = len(reference("o200k_base").ids(TEXT, "text"))
    for words in (["--tokenizer", "o200k_base", str(file)], [str(file)]):
        assert run("count", *words).stdout.split() == [str(expected).encode()]
    assert run("count", given=TEXT.encode()).stdout.split() == [str(expected).encode()]
    parsed = len(reference("o200k_base").ids(TEXT, "parse"))
    answer = run("count", "--special", "parse", given=TEXT.encode())
    assert answer.stdout.split() == [str(parsed).encode()]


def test_encode_and_decode_are_inverse() -> None:
    printed = run("encode", "--tokenizer", "qwen3", given=TEXT.encode()).stdout
    assert json.loads(printed) == reference("qwen3").ids(TEXT, "text")
    back = run("decode", "--tokenizer", "qwen3", given=printed).stdout
    assert back == TEXT.encode() + b"\n"


def test_explain_prints_the_four_stages() -> None:
    """Id and rank as published for Qwen3."""
    printed = run("explain", "--tokenizer", "qwen3", given=b" hello").stdout.decode()
    stages = [line.split()[1] for line in printed.splitlines() if line[:1].isdigit()]
    assert stages == ["normalization", "pieces", "merges", "ids"]
    assert "20 68 65 6c 6c 6f" in printed
    assert "rank 23555" in printed
    assert "[23811]" in printed


def test_list_names_all() -> None:
    printed = run("list").stdout.decode()
    assert [line.split()[0] for line in printed.splitlines()] == engine.names()


@pytest.mark.parametrize(
    ("encoding", "data", "text"),
    [("latin-1", b"caf\xe9", "café"), ("gb18030", "中文".encode("gb18030"), "中文")],
)
def test_an_encoding_may_be_named(encoding: str, data: bytes, text: str) -> None:
    printed = run("encode", "--encoding", encoding, given=data).stdout
    assert json.loads(printed) == reference("o200k_base").ids(text, "text")


@pytest.mark.parametrize(
    ("words", "given", "sentence"),
    [
        (["count"], b"abc\xff", "not UTF-8"),
        (["count", "--encoding", "nope"], b"abc", "no encoding 'nope'"),
        (["count", "--tokenizer", "nope"], b"abc", "no tokenizer 'nope'"),
        (["decode"], b"1, x", "Entry 2"),
        (["count", "/there/is/none"], b"", "/there/is/none"),
    ],
)
def test_a_bad_input_is_one_line(words: list[str], given: bytes, sentence: str) -> None:
    answer = run(*words, given=given)
    assert answer.returncode == 1
    assert answer.stdout == b""
    lines = answer.stderr.decode().splitlines()
    assert len(lines) == 1
    assert sentence in lines[0]
