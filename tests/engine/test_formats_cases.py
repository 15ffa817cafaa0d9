"""Uploaded files that broke some tokenizer tool (``fixtures/cases.json``, area "upload").

Where the library gives ids, ours are equal; where it fails, ours is one sentence that says what is
wrong. Cases of published files run where these are (``tests.published``); everywhere, small
files with the same components stand for them.
"""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from tokenizers import Tokenizer as Library

import engine
from engine import FormatError, PatternError, PatternTimeout, Tokenizer, UnsupportedModel, standins
from engine.text_files import UnknownEncoding, decode_text
from tests.published import published
from tests.shared import records, tokenizer

Case = dict[str, Any]
CASES: dict[str, Case] = {
    case["id"]: case for case in records("cases.json") if case["area"] == "upload"
}

# Case -> what the message says. All are FormatError.
REFUSED = {
    "C019": "merge a+b makes ab, which is not in the vocabulary",
    "C239": "Merge 2 is no text, unlike the merges before it",
    "C241": "Merge 1 is 'a  '",
    "C245": "The model is WordLevel, not BPE",
    "C246": "The model is WordLevel, not BPE",
    "C251": "merge a+b: 'b' is not in the vocabulary",
    "C252": "is -1",
    "C253": "is 4294967296",
    "C256": "'<unk>' is not in the vocabulary",
    "C257": "The file is empty",
    "C258": 'The file has no "model"',
    "C259": "is a list, but must be an object",
    "C261": "'Foo', not BPE",
    "C262": "deep",
    "C263": "NaN",
    "C264": "thousands of digits",
    "C265": "no valid JSON",
    "C266": "deep",
    "C275": "The model is Unigram, not BPE",
    "C276": "The model is WordPiece, not BPE",
    "C277": "Line 2: the rank 0 was already given in line 1",
    "C278": "Line 1: '!!!' is no base64",
    "C279": "255 of the 256 single bytes are missing",
    "C280": "Line 1: expected a token in base64, a blank and a rank",
    "C281": "web page (HTML)",
    "C282": "Line 1: the rank -1",
    "C283": "The file is empty",
    # The sign at the start is no fault; what is left has not all bytes.
    "C284": "255 of the 256 single bytes are missing",
    "C285": "254 of the 256 single bytes are missing",
}
ELSEWHERE = {"C020", "C250", "C260", "C456", "C457"}
NEEDS_FILE = {
    case_id for case_id, case in CASES.items() if case["tokenizer"].startswith("tokenizer.json (")
}
WITH_IDS = sorted(CASES.keys() - REFUSED.keys() - ELSEWHERE - NEEDS_FILE)


def read(case: Case) -> Tokenizer:
    data = (case["input"] * case.get("repeat", 1) + case.get("suffix", "")).encode()
    if case["tokenizer"] == ".tiktoken":
        return engine.read(data, kind="tiktoken", pattern="gpt2")
    return engine.read(data, kind="tokenizer.json")


@pytest.mark.parametrize("case_id", sorted(REFUSED))
def test_refused_with_a_sentence(case_id: str) -> None:
    with pytest.raises(FormatError) as refused:
        read(CASES[case_id])
    assert REFUSED[case_id] in str(refused.value)


@pytest.mark.parametrize("case_id", WITH_IDS)
def test_ids(case_id: str) -> None:
    case = CASES[case_id]
    expected = case["expected"].get("ids", case["expected"].get("ids_with_dropout_off"))
    tokens = read(case).encode(case["text"], special="parse")
    assert tokens.ids == expected


@pytest.mark.parametrize("case_id", sorted(NEEDS_FILE))
def test_published_files(case_id: str) -> None:
    case = CASES[case_id]
    its = published(case["tokenizer"].removeprefix("tokenizer.json (").removesuffix(")"))
    expected = case["expected"]
    assert its.encode(case["input"]).ids == expected["ids"]
    assert its.decode(expected["ids"]) == expected.get("decoded", case["input"])


def test_every_case_is_here() -> None:
    assert len(CASES) == 58
    assert CASES.keys() == REFUSED.keys() | ELSEWHERE | NEEDS_FILE | set(WITH_IDS)


def test_ids_given_twice() -> None:
    case = CASES["C250"]
    tokenizer = read(case)
    assert tokenizer.encode(case["text"]).ids == case["expected"]["ids"]
    assert any("share their id" in note for note in tokenizer.notes)


def test_byte_order_mark_is_told() -> None:
    tokenizer = read(CASES["C260"])
    assert tokenizer.encode("a").ids == [0]
    assert any("byte-order mark" in note for note in tokenizer.notes)


def test_a_pattern_that_backtracks_is_stopped_and_named() -> None:
    case = CASES["C020"]
    tokenizer = read(case)
    # The engine in use finds this one out (no match, so one piece), where the library gives up.
    assert tokenizer.encode(case["text"]).ids == [0] * 24 + [1]
    file = case["input"].replace("(a+)+$", "(a|a)+$|(a|aa)+$")
    slow = engine.read(file.encode(), kind="tokenizer.json")
    with pytest.raises(PatternTimeout, match=r"\(a\|aa\)\+\$' took more than 2 seconds"):
        slow.encode("a" * 60 + "b")


def test_settings_that_falsify_counts_are_told() -> None:
    document = json.loads(CASES["C247"]["input"])
    document["truncation"] = json.loads(CASES["C245"]["input"])["truncation"]
    document["padding"] = json.loads(CASES["C246"]["input"])["padding"]
    tokenizer = engine.read(json.dumps(document).encode(), kind="tokenizer.json")
    notes = " ".join(tokenizer.notes)
    assert "dropout 0.5" in notes
    assert "cuts every text to 3 tokens" in notes
    assert "pads" in notes
    assert tokenizer.encode("abc" * 9).ids == [4] * 9


def test_ids_that_the_file_writes_for_added_tokens_are_corrected() -> None:
    notes = " ".join(read(CASES["C235"]).notes)
    assert "'<p>' has the id 8, not 999" in notes


def test_text_in_another_encoding() -> None:
    case = CASES["C456"]
    text = decode_text(base64.b64decode(case["input"])).text
    assert text == case["expected"]["text"]
    assert tokenizer("cl100k_base").encode(text).ids == case["expected"]["cl100k_ids"]


def test_text_in_no_known_encoding() -> None:
    data = base64.b64decode(CASES["C457"]["input"])
    with pytest.raises(UnknownEncoding) as asked:
        decode_text(data)
    assert "cp1252" in asked.value.offered
    assert decode_text(data, "cp1252").text == "café"


# Small files with the components of published ones that are not here.
_FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
LLAMA_3 = {
    "pre_tokenizer": {
        "type": "Sequence",
        "pretokenizers": [
            {
                "type": "Split",
                "pattern": {
                    "Regex": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|"
                    r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
                },
                "behavior": "Isolated",
                "invert": False,
            },
            {
                "type": "ByteLevel",
                "add_prefix_space": False,
                "trim_offsets": True,
                "use_regex": False,
            },
        ],
    },
    "post_processor": {
        "type": "TemplateProcessing",
        "single": [
            {"SpecialToken": {"id": "<|begin|>", "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
        ],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"<|begin|>": {"id": "<|begin|>", "ids": [259], "tokens": ["<|begin|>"]}},
    },
    "added_tokens": [{"id": 259, "content": "<|begin|>", "special": True, **_FLAGS}],
}


def llama_3(*, ignore_merges: bool) -> bytes:
    """All bytes, `hi` by a merge, and ` hi`, which no merge makes."""
    signs = list(standins.STANDIN_OF_BYTE.values())
    vocabulary = {sign: place for place, sign in enumerate([*signs, "hi", "Ġhi", "ih"])}
    model = {
        "type": "BPE",
        "ignore_merges": ignore_merges,
        "vocab": vocabulary,
        "merges": [["h", "i"], ["i", "h"]],
    }
    return json.dumps({"version": "1.0", **LLAMA_3, "model": model}).encode()


def test_whole_piece_before_merges() -> None:
    with_flag = engine.read(llama_3(ignore_merges=True), kind="tokenizer.json")
    without = engine.read(llama_3(ignore_merges=False), kind="tokenizer.json")
    assert with_flag.encode(" hi").ids == [257]
    assert without.encode(" hi").ids == [without.encode(" ").ids[0], 256]
    assert any("<|begin|> (259) before every text" in note for note in with_flag.notes)
    assert with_flag.pattern.startswith("(?i:'s")


GEMMA_3 = {
    "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
    "pre_tokenizer": {
        "type": "Split",
        "pattern": {"String": " "},
        "behavior": "MergedWithPrevious",
        "invert": False,
    },
    "decoder": {
        "type": "Sequence",
        "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
            {"type": "ByteFallback"},
            {"type": "Fuse"},
        ],
    },
}
LLAMA_2 = {
    "normalizer": {
        "type": "Sequence",
        "normalizers": [{"type": "Prepend", "prepend": "▁"}, GEMMA_3["normalizer"]],
    },
    "decoder": {
        "type": "Sequence",
        "decoders": [
            *GEMMA_3["decoder"]["decoders"],
            {"type": "Strip", "content": " ", "start": 1, "stop": 0},
        ],
    },
}
METASPACE = {
    "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
    "decoder": {
        "type": "Sequence",
        "decoders": [
            {"type": "ByteFallback"},
            {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
        ],
    },
}


def sentencepiece(components: dict[str, Any]) -> str:
    """Letters, a few merges, and a token for every byte."""
    tokens = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), *"▁abcde\n", "▁a", "▁▁", "▁▁▁"]
    merges = [["▁", "▁"], ["▁▁", "▁"], ["▁", "a"]]
    model = {
        "type": "BPE",
        "unk_token": "<unk>",
        "fuse_unk": True,
        "byte_fallback": True,
        "vocab": {token: place for place, token in enumerate(tokens)},
        "merges": merges,
    }
    return json.dumps({"version": "1.0", "added_tokens": [], **components, "model": model})


@pytest.mark.parametrize("components", [GEMMA_3, LLAMA_2, METASPACE])
@pytest.mark.parametrize(
    "text",
    ["깰", "a ▁ b", "▁", "\r\n", "\0", "abc  de", " a", "ab é 中 d", "", "   ", "a\u0301 😀e"],
)
def test_sentencepiece_style(components: dict[str, Any], text: str) -> None:
    """C270 to C274 and their like: ids and decoded text are the library's."""
    data = sentencepiece(components)
    library, ours = Library.from_str(data), engine.read(data.encode(), kind="tokenizer.json")
    expected = library.encode(text, add_special_tokens=False).ids
    tokens = ours.encode(text)
    assert ours.unit == "characters"
    assert tokens.ids == expected
    assert ours.decode(tokens.ids) == library.decode(expected, skip_special_tokens=False)
    assert ours.decode_bytes(tokens.ids) == tokens.data
    assert any("cannot be told from a blank" in note for note in ours.notes)


def test_broken_bytes_are_decoded_as_the_library_does() -> None:
    data = sentencepiece(GEMMA_3)
    library, ours = Library.from_str(data), engine.read(data.encode(), kind="tokenizer.json")
    for broken in (b"\xf0\x9f", b"\xc3\xa9\xff", b"\xe4\xb8"):
        ids = [byte + 1 for byte in broken]
        assert ours.decode(ids) == library.decode(ids) == "\ufffd" * len(broken)


def test_other_components_are_refused_by_name() -> None:
    document = json.loads(sentencepiece({}))
    for place, component in (
        ("normalizer", {"type": "Nmt"}),
        ("normalizer", {"type": "Precompiled", "precompiled_charsmap": ""}),
        ("normalizer", {"type": "BertNormalizer"}),
        ("pre_tokenizer", {"type": "BertPreTokenizer"}),
        ("pre_tokenizer", {"type": "UnicodeScripts"}),
        ("post_processor", {"type": "Other"}),
        ("decoder", {"type": "Other"}),
    ):
        data = json.dumps({**document, place: component}).encode()
        with pytest.raises(UnsupportedModel, match=component["type"]):
            engine.read(data, kind="tokenizer.json")


@pytest.mark.parametrize("pattern", ["(?<x>a)", r"\X", "[a", "(a", r"\p{Foo}", "(?s)a", "a{2}+"])
def test_patterns_are_refused_with_a_reason(pattern: str) -> None:
    split = {
        "type": "Split",
        "pattern": {"Regex": pattern},
        "behavior": "Isolated",
        "invert": False,
    }
    data = sentencepiece({"pre_tokenizer": split})
    with pytest.raises(PatternError) as refused:
        engine.read(data.encode(), kind="tokenizer.json")
    assert repr(pattern) in str(refused.value)
