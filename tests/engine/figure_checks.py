"""How each published figure comes out of our engine: one small function per kind of record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import engine
from engine import SpecialPolicy, SpecialTokenFound, patterns
from engine.pretokenization import split_plain
from engine.standins import to_standins
from tests.shared import ROOT, records, reference, tokenizer

Figure = dict[str, Any]
Check = Callable[[Figure], None]
CHECKS: dict[str, Check] = {}
THREE = ("cl100k_base", "o200k_base", "qwen2.5")
NAMED = {"cl100k": "cl100k_base", "o200k": "o200k_base", "Qwen2.5": "qwen2.5"}


def for_ids(ids: str) -> Callable[[Check], Check]:
    """Register a check for some records."""

    def register(check: Check) -> Check:
        assert not set(ids.split()) & set(CHECKS)
        CHECKS.update(dict.fromkeys(ids.split(), check))
        return check

    return register


def named(figure: Figure) -> str:
    """The tokenizer that a record's setup names."""
    return "qwen3" if "Qwen3" in figure["setup"].split(":")[-1][:8] else "qwen2.5"


def pieces(name: str, text: str, special: SpecialPolicy = "text") -> list[str]:
    """The tokens as text, broken characters as escapes."""
    result = tokenizer(name).encode(text, special=special)
    return [token.data.decode("utf-8", "backslashreplace") for token in result]


def raw(name: str, text: str) -> list[str]:
    """The tokens in stand-in characters."""
    return [to_standins(token.data) for token in tokenizer(name).encode(text)]


def hexed(data: bytes) -> str:
    return data.hex(" ")


@for_ids("A-q3-encode-1 A-q3-encode-3 B-xin")
def count_and_pieces(f: Figure) -> None:
    found = pieces(named(f), f["input"])
    assert [len(found), found] == f["value"]


@for_ids("B-vi-pieces")
def pieces_only(f: Figure) -> None:
    assert pieces("qwen2.5", f["input"]) == f["value"]


@for_ids("B-cl-pieces")
def pieces_without_blanks(f: Figure) -> None:
    assert [piece.strip() for piece in pieces("cl100k_base", f["input"])] == f["value"]


@for_ids("B-num-1 B-num-2")
def pieces_of_three(f: Figure) -> None:
    for name, expected in zip(THREE, f["value"], strict=True):
        found = pieces(name, f["input"])
        assert expected == (len(found) if isinstance(expected, int) else found)


@for_ids("B-strawberry")
def with_and_without_a_blank(f: Figure) -> None:
    for key, (alone, after_blank) in f["value"].items():
        assert pieces(NAMED[key], f["input"]) == alone
        assert pieces(NAMED[key], " " + f["input"]) == after_blank


@for_ids("B-nfd-pieces")
def decomposed_pieces(f: Figure) -> None:
    found = pieces("o200k_base", engine.normalize("Tiếng Việt", "NFD"))
    assert [len(found), found] == f["value"]


@for_ids("B-sent-0 B-sent-1 B-sent-2 B-sent-3 B-sent-4")
def counts_of_three(f: Figure) -> None:
    assert [tokenizer(name).count(f["input"]) for name in THREE] == f["value"]
    assert " | ".join(str(pieces(name, f["input"])) for name in THREE) in f["note"]


@for_ids("B-intro")
def counts_of_two(f: Figure) -> None:
    assert [tokenizer(name).count(f["input"]) for name in ("qwen2.5", "cl100k_base")] == f["value"]


@for_ids("B-three-ways D-18 C-tokenization")
def text_counts(f: Figure) -> None:
    it = engine.counts(tokenizer("gpt2").encode(f["input"]))
    assert f["value"] in (
        [it.bytes, it.code_points, it.words],
        [it.graphemes, it.words],
        it.graphemes,
    )


@for_ids("A-ids")
def ids_of_text(f: Figure) -> None:
    assert tokenizer("qwen3").encode(f["input"]).ids == f["value"]


@for_ids("A-chat-ids C-chat-ids")
def ids_of_chat(f: Figure) -> None:
    text = next(r for r in records("figures.json") if r["id"] == f["id"].removesuffix("-ids"))[
        "value"
    ]
    assert tokenizer("qwen3").encode(text, special="parse").ids == f["value"]


@for_ids("A-capital-prompt")
def ids_of_prompt(f: Figure) -> None:
    question = f["input"].split(" ")[0]
    text = f"<|im_start|>user\n{question}<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
    assert tokenizer("qwen3").encode(text, special="parse").ids == f["value"]


@for_ids("B-chat-ids B-chat-pieces")
def chat_of_qwen(_: Figure) -> None:
    by_id = {r["id"]: r["value"] for r in records("figures.json")}
    count, ids = by_id["B-chat-ids"]
    found = tokenizer("qwen2.5").encode("".join(by_id["B-chat-pieces"]), special="parse")
    assert (len(found), found.ids) == (count, ids)
    assert [token.data.decode() for token in found] == by_id["B-chat-pieces"]


@for_ids("A-special-ids B-special-ids")
def ids_of_special_tokens(f: Figure) -> None:
    names = f["input"].split(", ")
    assert [tokenizer("qwen3").added.by_content[name].id for name in names] == f["value"]
    assert tokenizer("qwen2.5").encode("".join(names), special="parse").ids == f["value"]


@for_ids("B-special-default")
def parsed_special(f: Figure) -> None:
    assert tokenizer("qwen2.5").encode(f["input"], special="parse").ids == f["value"]


@for_ids("B-special-split")
def special_as_text(f: Figure) -> None:
    assert tokenizer("qwen2.5").encode(f["input"].split(" ")[0]).ids == f["value"]


@for_ids("B-special-pieces")
def special_as_text_pieces(f: Figure) -> None:
    assert pieces("qwen2.5", "<|im_start|>") == f["value"]


@for_ids("C-typed-special")
def typed_special(f: Figure) -> None:
    assert pieces("qwen3", f["input"].split(" ")[0])[:3] == f["value"]


@for_ids("A-special-first")
def special_first(f: Figure) -> None:
    assert "before pre-tokenization" in f["value"]
    assert pieces("qwen3", f["input"], "parse") == ["a", "<|im_start|>", "b"]


@for_ids("A-eos B-eos")
def end_of_answer(f: Figure) -> None:
    for name in ("qwen2.5", "qwen3"):
        assert tokenizer(name).added.by_content[f["value"]].special


@for_ids("B-tiktoken-special")
def refused_special(f: Figure) -> None:
    with pytest.raises(SpecialTokenFound, match="endoftext"):
        tokenizer("cl100k_base").encode("<|endoftext|>", special="error")
    assert f["value"] == "ValueError"
    with pytest.raises(ValueError, match="endoftext"):
        reference("cl100k_base").encoding.encode("<|endoftext|>")  # type: ignore[attr-defined]


@for_ids("B-tiktoken-special-modes")
def special_modes(f: Figure) -> None:
    it, (parsed, plain) = tokenizer("cl100k_base"), f["value"].values()
    assert it.encode(f["input"], special="parse").ids == parsed
    assert it.encode(f["input"], special="text").ids == plain


@for_ids("A-raw-tuili A-tokens B-raw")
def raw_tokens(f: Figure) -> None:
    assert raw(named(f), f["input"]) == f["value"]


@for_ids("A-pretok")
def raw_pieces(f: Figure) -> None:
    parts = tokenizer("qwen3").encoder.pieces(f["input"], first=True)
    assert [to_standins(part.encode()) for part in parts] == f["value"]


@for_ids("B-contraction")
def split_o200k(f: Figure) -> None:
    assert split_plain(patterns.O200K, f["input"]) == f["value"]


@for_ids("D-split")
def split_gpt2(f: Figure) -> None:
    assert split_plain(patterns.GPT2, f["input"]) == f["value"]


@for_ids("A-bytes")
def byte_counts(f: Figure) -> None:
    data = f["input"].encode()
    first = tokenizer("qwen3").encode(f["input"]).data
    assert [len(data), list(data[:3]), list(data[-6:])] == f["value"]
    assert first == data


@for_ids("B-utf8-0 B-utf8-1 B-utf8-2 B-utf8-3 B-utf8-4 B-utf8-5")
def bytes_in_hex(f: Figure) -> None:
    assert hexed(tokenizer("gpt2").encode(f["input"]).data) == f["value"]


@for_ids("C-e C-check D-bytes D-nihao")
def bytes_as_numbers(f: Figure) -> None:
    it = tokenizer("gpt2")
    assert list(it.decode_bytes(it.encode(f["input"]).ids)) == f["value"]


@for_ids("B-utf8-len")
def bytes_per_character(f: Figure) -> None:
    for group, size in zip(f["input"].split(" | "), f["value"], strict=True):
        assert {len(character.encode()) for character in group.split(" ")} == {size}


@for_ids("B-1ea0")
def first_bytes(f: Figure) -> None:
    assert sorted({hexed(chr(c).encode()[:2]) for c in range(0x1EA0, 0x1EFA)}) == f["value"]


@for_ids("B-standins")
def standins(f: Figure) -> None:
    assert [to_standins(character.encode()) for character in (" ", "à", "ệ")] == f["value"]


@for_ids("B-raw-6bytes")
def standins_of_a_word(f: Figure) -> None:
    (token,) = tokenizer("qwen2.5").encode(" Việt")
    assert to_standins(token.data) in f["input"]
    assert len(token.data) == f["value"]


@for_ids("A-long")
def broken_character(f: Figure) -> None:
    it = tokenizer("qwen3")
    ids = it.encode(f["input"]).ids
    assert [ids, [it.decode([i]) for i in ids]] == f["value"]


@for_ids("A-long-dec")
def whole_character(f: Figure) -> None:
    it = tokenizer("qwen3")
    assert it.decode(it.encode(f["input"]).ids) == f["value"]


@for_ids("A-long-bytes")
def bytes_of_tokens(f: Figure) -> None:
    assert [hexed(token.data) for token in tokenizer("qwen3").encode(f["input"])] == f["value"]


@for_ids("B-stream-naive")
def each_id_alone(f: Figure) -> None:
    it = tokenizer("cl100k_base")
    assert [it.decode([i]) for i in it.encode(f["input"]).ids] == f["value"]


@for_ids("C-22670")
def text_of_an_id(f: Figure) -> None:
    assert tokenizer("qwen3").decode([f["input"]]) == f["value"]


@for_ids("B-nfc")
def one_character_two_ways(f: Figure) -> None:
    composed, decomposed = (engine.normalize(f["input"], form) for form in ("NFC", "NFD"))
    sizes = len(composed.encode()), len(decomposed), len(decomposed.encode())
    points = [[ord(c) for c in text] for text in (composed, decomposed)]
    assert [points[0], sizes[0], points[1], *sizes[1:]] == f["value"]


@for_ids("B-nfd-tv")
def two_words_two_ways(f: Figure) -> None:
    composed, decomposed = (engine.normalize(f["input"], form) for form in ("NFC", "NFD"))
    sizes = [f"{len(text)} {len(text.encode())}" for text in (composed, decomposed)]
    assert f"{sizes[0]} | {sizes[1]} | equal: {composed == decomposed}" == f["value"]


@for_ids("B-normalizers")
def normalizers(f: Figure) -> None:
    assert f["value"].startswith("NFC()")
    assert [tokenizer(n).normalizer.name for n in ("qwen2.5", "deepseek-v3")] == ["NFC", "none"]


@for_ids("B-nfd-qwen")
def qwen_normalizes(f: Figure) -> None:
    text = (ROOT / "sample_texts/training/heldout_vi.txt").read_text("utf-8")
    it = tokenizer("qwen2.5")
    same = it.encode(text).ids == it.encode(engine.normalize(text, "NFD")).ids
    assert same is f["value"]
