"""Random tokenizer.json files and texts: our ids are those of ``tokenizers``, or it is refused."""

from __future__ import annotations

import json
from random import Random

import pytest
from tokenizers import Tokenizer as Library

import engine
from engine import PatternError, Tokenizer, UnsupportedModel
from tests import random_tokenizer_files as files

BATCHES = 12
FILES_A_BATCH = 60
TEXTS_A_FILE = 12


def check_text(tokenizer: Tokenizer, text: str, expected: list[int]) -> None:
    """Ids, count, and tokens and segments that lie in order on the text that is shown."""
    try:
        tokens = tokenizer.encode(text, special="parse")
    except PatternError:
        return
    assert tokens.ids == expected
    assert tokenizer.count(text, special="parse") == len(expected)
    starts, ends = list(tokens.starts_byte), list(tokens.ends_byte)
    assert all(start <= end for start, end in zip(starts, ends, strict=True))
    assert starts == sorted(starts)
    assert ends == sorted(ends)
    segments = list(engine.segments(tokens))
    assert "".join(segment.text for segment in segments) == tokens.text
    assert [s.first_token for s in segments[1:]] == [s.last_token for s in segments[:-1]]


@pytest.mark.parametrize("batch", range(BATCHES))
def test_ids_equal_the_library(batch: int, capfd: pytest.CaptureFixture[str]) -> None:
    compared = 0
    for number in range(FILES_A_BATCH):
        random = Random(batch * 10_000 + number)
        data = json.dumps(files.file(random))
        library = Library.from_str(data)
        try:
            tokenizer = engine.read(data.encode(), kind="tokenizer.json")
        except (UnsupportedModel, PatternError):
            continue
        for _ in range(TEXTS_A_FILE):
            text = files.text(random)
            expected = files.library_ids(library, text)
            if expected is not None:
                check_text(tokenizer, text, expected)
                compared += 1
    capfd.readouterr()  # what the library prints when it panics
    assert compared > FILES_A_BATCH * TEXTS_A_FILE / 2
