"""Published figures about tokens that arrive one by one."""

from __future__ import annotations

from typing import cast

from engine.streaming import StreamDecoder, Streamed, WordDecoder
from tests.engine.figure_checks import Figure, for_ids
from tests.shared import tokenizer


def shown(decoder: Streamed, name: str, text: str) -> list[str]:
    """What comes out token by token, and at the end."""
    ids = cast("list[int]", tokenizer(name).encode(text).ids)
    return [*(decoder.feed(token_id) for token_id in ids), decoder.flush()]


@for_ids("A-stream-asserts A-stream-pieces")
def rare_ideographs(f: Figure) -> None:
    it, text = tokenizer("qwen3"), f["input"]
    ids = it.encode(text).ids
    parts = [part for part in shown(StreamDecoder(it), "qwen3", text) if part]
    if f["id"] == "A-stream-pieces":
        assert [ids, parts] == f["value"]
    else:
        assert ["".join(parts) == text, not any("\ufffd" in part for part in parts)] == f["value"]


@for_ids("B-stream-inc")
def vietnamese(f: Figure) -> None:
    found = shown(StreamDecoder(tokenizer("cl100k_base")), "cl100k_base", f["input"])
    assert found == [*f["value"], ""]


@for_ids("B-textstreamer-524")
def words(f: Figure) -> None:
    found = shown(WordDecoder(tokenizer("qwen2.5")), "qwen2.5", f["input"])
    assert [part for part in found if part] == f["value"]


@for_ids("B-textstreamer-cl")
def words_of_two_versions(f: Figure) -> None:
    """The second list is that of the version whose behaviour is shown."""
    found = shown(WordDecoder(tokenizer("qwen2.5")), "qwen2.5", f["input"])
    assert found == f["value"][1]
