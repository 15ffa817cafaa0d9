"""Inputs that broke some tokenizer tool (``fixtures/cases.json``), on our engine.

The areas named in ``ELSEWHERE`` are tested by others; none is forgotten.
"""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import engine
from engine import LoneSurrogate, SpecialPolicy, UnknownId
from engine.normalization import FORMS
from pages.reference import hf_reference
from tests.published import published
from tests.shared import records, reference, tokenizer

Case = dict[str, Any]
CASES: list[Case] = records("cases.json")

ELSEWHERE = {
    "upload": "reading files: tests/engine/test_formats_*.py",
    "chat": "tests/pages/test_chat.py and test_prompt_*.py",
    "train": "tests/engine/test_train.py",
    "stream": "tests/engine/test_streaming.py",
    "replay": "replay of merges",
    "cost": "the Cost page",
    "ui": "browser tests",
}
# A case about a file that is not bundled.
NEEDS_FILE = {"C459"}
TO_TEST = {
    case["id"] for case in CASES if case["area"] not in ELSEWHERE and case["id"] not in NEEDS_FILE
}


def of(*areas: str) -> list[Any]:
    """The cases of some areas, as parameters named by their id."""
    return [
        pytest.param(case, id=case["id"])
        for case in CASES
        if case["area"] in areas and case["id"] not in NEEDS_FILE
    ]


def text_of(case: Case) -> str:
    """The text of a case."""
    return str(
        case.get("prefix", "") + case["input"] * case.get("repeat", 1) + case.get("suffix", "")
    )


def policy_of(case: Case) -> SpecialPolicy:
    """Plain text on tiktoken; Hugging Face tokenizers were run as they are."""
    hugging_face = tokenizer(case["tokenizer"]).name in hf_reference.NAMES
    return "parse" if hugging_face or case.get("special_mode") == "special" else "text"


def ids_of(case: Case, text: str, special: SpecialPolicy | None = None) -> list[int | None]:
    """Our ids, with the columns that a screen draws checked on the way."""
    result = tokenizer(case["tokenizer"]).encode(text, special=special or policy_of(case))
    parts = list(engine.segments(result))
    assert "".join(part.text for part in parts) == result.text
    assert sum(part.last_token - part.first_token for part in parts) == len(result)
    assert tokenizer(case["tokenizer"]).decode_bytes(result.ids) == result.data
    return result.ids


def cleaned(text: str) -> str:
    """What the border of the app does to lone surrogates: pairs joined, the rest replaced."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def test_every_case_is_tested_or_named() -> None:
    tested = {
        case.id
        for areas in (PLAIN, ("encode-perf",), ("special",), ("decode",), OTHER)
        for case in of(*areas)
    }
    assert tested == TO_TEST
    assert {case["area"] for case in CASES} >= set(ELSEWHERE)
    assert len({case["id"] for case in CASES}) == len(CASES) == 343


PLAIN = ("encode", "visualize")
OTHER = ("normalize", "normalize-perf", "concurrency")


@pytest.mark.parametrize("case", of(*PLAIN))
def test_encode(case: Case) -> None:
    text, expected = text_of(case), case["expected"]
    if case["id"] == "C185":  # JSON joins the two escapes that the case is about
        text = chr(0xD83D) + chr(0xDE00)
    surrogates = [place for place, c in enumerate(text) if 0xD800 <= ord(c) < 0xE000]
    if surrogates:
        with pytest.raises(LoneSurrogate, match=f"code point {surrogates[0]}") as caught:
            tokenizer(case["tokenizer"]).encode(text)
        assert caught.value.position == surrogates[0]
        text = cleaned(text)
        assert text == expected.get("round_trip", text)
    ids = ids_of(case, text)
    assert ids == expected.get("ids", ids)
    pieces = tokenizer(case["tokenizer"]).encoder.pieces(text, first=True)
    assert pieces == expected.get("pieces_tiktoken_0_14", pieces)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("case", of("encode-perf"))
def test_encode_long_runs(case: Case) -> None:
    expected = case["expected"]
    ids = ids_of(case, text_of(case))
    if "ids_sha256" in expected:
        data = json.dumps(ids, separators=(",", ":")).encode()
        assert len(ids) == expected["n"]
        assert hashlib.sha256(data).hexdigest() == expected["ids_sha256"]
    else:  # tiktoken refuses these; ours counts them
        assert len(ids) == {"C011": 7813, "C012": 7814}[case["id"]]


@pytest.mark.parametrize("case", of("special"))
def test_special(case: Case) -> None:
    text, expected = text_of(case), dict(case["expected"])
    library = expected.pop("encode_special_tokens_true", None)
    policies: dict[str, SpecialPolicy] = {
        "as_text": "text",
        "plain_text": "text",
        "as_special": "parse",
        "default": "parse",
        "ids": policy_of(case),
    }
    assert expected
    for key, ids in expected.items():
        assert ids_of(case, text, policies[key]) == ids, key
    if library is not None:
        assert switched(case, text) == library


def switched(case: Case, text: str) -> list[int]:
    """The library with its switch for special tokens as text, on an object of its own.

    Ours leaves every added token as text; the switch spares those not flagged special.
    """
    it = tokenizer(case["tokenizer"])
    library = hf_reference.read(reference(it.name).parsing.to_str())  # type: ignore[attr-defined]
    library.encode_special_tokens = True
    return list(library.encode(text, add_special_tokens=False).ids)


@pytest.mark.parametrize("case", of("decode"))
def test_decode_names_an_id_that_stands_for_nothing(case: Case) -> None:
    ids = json.loads(case["input"])
    with pytest.raises(UnknownId, match=f"Id {ids[0]} at position 0") as caught:
        tokenizer(case["tokenizer"]).decode(ids)
    assert caught.value.token_id == ids[0]


@pytest.mark.parametrize("case", of("normalize"))
def test_normalize(case: Case) -> None:
    text, expected = text_of(case), case["expected"]
    nfkc = engine.normalize(text, "NFKC")
    if case["id"] == "C015":
        plain = tokenizer("cl100k_base")
        assert len(nfkc) == expected["nfkc_len"]
        assert plain.count(text) == expected["cl100k_nfc"]
        assert plain.count(nfkc) == expected["cl100k_nfkc"]
        return
    if "nfkc_text" in expected:
        assert nfkc == expected["nfkc_text"]
    if "nfkc_ids" in expected:
        assert ids_of(case, nfkc) == expected["nfkc_ids"]
        assert ids_of(case, engine.normalize(text, "NFC")) == expected["nfc_ids"]
    if "nfkc_ids_special_mode" in expected:
        assert ids_of(case, nfkc, "parse") == expected["nfkc_ids_special_mode"]
        assert len(ids_of(case, nfkc, "text")) > 1
    if "ids" in expected:
        assert ids_of(case, text) == expected["ids"]
    if "decoded" in expected:
        it = tokenizer(case["tokenizer"])
        assert it.decode(expected["ids"]) == expected["decoded"] == it.encode(text).text
        assert (expected["decoded"] == text) is expected["lossless"]


def test_a_published_file_that_must_not_clean_up_blanks() -> None:
    (case,) = (case for case in CASES if case["id"] == "C459")
    its, expected = published("llama3_1"), case["expected"]
    assert its.encode(case["input"]).ids == expected["ids"]
    assert its.decode(expected["ids"]) == expected["decoded"] == case["input"]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("case", of("normalize-perf"))
def test_normalize_long_runs_of_marks(case: Case) -> None:
    from tokenizers import normalizers

    text = text_of(case)
    ours = {form: engine.normalize(text, form) for form in FORMS}
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert ours[form] == getattr(normalizers, form)().normalize_str(text)


@pytest.mark.parametrize("case", of("concurrency"))
def test_two_policies_at_once_never_mix(case: Case) -> None:
    it, text = tokenizer(case["tokenizer"]), case["input"]
    policies: tuple[SpecialPolicy, ...] = ("parse", "text") * case["repeat"]
    with ThreadPoolExecutor(8) as pool:
        firsts = list(pool.map(lambda policy: it.encode(text, special=policy).ids[0], policies))
    assert firsts == [151644, 27] * case["repeat"]
