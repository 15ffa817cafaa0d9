"""Libraries in processes of their own: what they answer, and what becomes of bad files."""

from __future__ import annotations

import base64
import json
import os
import signal
import time

import pytest

import engine
from pages.reference.answers import ReferenceRefused
from pages.reference.apart import ApartReference, ForeignFile
from tests.shared import tokenizer

TEXT = "Tiếng Việt <|im_start|> e\u0301 中文\r\n\0 <think>"


def whole_table(*more: bytes) -> bytes:
    tokens = [*(bytes([byte]) for byte in range(256)), *more]
    lines = (b"%s %d\n" % (base64.b64encode(token), i) for i, token in enumerate(tokens))
    return b"".join(lines)


@pytest.fixture
def qwen() -> ApartReference:
    data = engine.write_tokenizer_json(tokenizer("qwen3"))
    return ApartReference(ForeignFile(kind="tokenizer.json", data=data))


def test_tokenizers_answers(qwen: ApartReference) -> None:
    ours = tokenizer("qwen3")
    for special in ("text", "parse"):
        assert qwen.ids(TEXT, special) == ours.encode(TEXT, special=special).ids
    # As published: " hello" of Qwen3.
    assert qwen.ids(" hello", "text") == [23811]
    assert qwen.decode([23811]) == " hello"
    assert qwen.title == "tokenizers 0.23.3"
    qwen.close()


def test_a_process_that_ended_is_started_again(qwen: ApartReference) -> None:
    assert qwen.ids(" hello", "text") == [23811]
    first = qwen._process.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    while qwen._process.pid is not None:
        time.sleep(0.01)
    assert qwen.ids(" hello", "text") == [23811]
    qwen.close()


def test_tiktoken_answers_with_special_tokens() -> None:
    file = ForeignFile(
        kind="tiktoken",
        data=b"\xef\xbb\xbf" + whole_table(b"ab"),
        pattern="gpt2",
        special={"<|end|>": 300},
    )
    library = ApartReference(file)
    assert library.ids("abc <|end|>", "parse") == [256, 99, 32, 300]
    assert library.ids("<|", "text") == [60, 124]
    assert library.title == "tiktoken 0.14.0"
    library.close()


@pytest.mark.parametrize(
    ("file", "said"),
    [
        # A merge whose product is longer than every token: the library panics.
        (
            ForeignFile(
                kind="tokenizer.json",
                data=b'{"model":{"type":"BPE","vocab":{"a":0,"b":1},"merges":[["a","b"]]}}',
            ),
            ".",
        ),
        (ForeignFile(kind="tokenizer.json", data=b"[" * 1_000_000), "."),
        (ForeignFile(kind="tiktoken", data=whole_table(), pattern="("), "."),
        (ForeignFile(kind="tiktoken", data=whole_table(), pattern="deepseek"), "several steps"),
        # Not even a table: the process ends with an error of its own.
        (ForeignFile(kind="tiktoken", data=b"one two three", pattern="gpt2"), "broke down"),
    ],
)
def test_files_that_a_library_does_not_survive(file: ForeignFile, said: str) -> None:
    library = ApartReference(file)
    for _ in range(2):
        with pytest.raises(ReferenceRefused, match=said):
            library.start()
    assert library._process.pid is None


@pytest.mark.timeout(120)
def test_a_library_that_does_not_come_back_is_ended() -> None:
    """The pattern is one at which backtracking engines go on for ever."""
    split = {"type": "Split", "pattern": {"Regex": "(a|a)*b"}, "behavior": "Isolated"}
    document = {
        "version": "1.0",
        "added_tokens": [],
        "pre_tokenizer": {**split, "invert": False},
        "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []},
    }
    data = json.dumps(document).encode()
    library = ApartReference(ForeignFile(kind="tokenizer.json", data=data), seconds=3)
    library.start()
    # Just below the library's own limit of steps, at every letter of many words; the last letter
    # keeps it from seeing at once that nothing matches.
    for text in (("a" * 17 + "c") * 20_000 + "b", "a"):
        with pytest.raises(ReferenceRefused, match="did not answer within 3 seconds"):
            library.ids(text, "text")
