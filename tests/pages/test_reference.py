"""The adapters to the reference libraries, the self-check, and files by name."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import engine
from engine import Tokenization
from engine.limits import TOKENIZER_FILE_BYTES
from pages.reference import hf_reference, hub, tiktoken_reference
from pages.reference.answers import NoReference, ReferenceRefused, guarded
from pages.reference.check import Check, reference_for, self_check
from tests.shared import NAMES, reference, tokenizer

TEXT = "Tiếng Việt e\u0301 <|endoftext|> <think> <｜User｜> 👩‍🚀 中文\r\n\0"


def by_label(checks: list[Check]) -> list[bool | None]:
    return [check.ok for check in checks]


@pytest.mark.parametrize("special", ["text", "parse"])
@pytest.mark.parametrize("name", NAMES)
def test_bundled_tokenizers_pass(name: str, special: engine.SpecialPolicy) -> None:
    checks = self_check(tokenizer(name).encode(TEXT, special=special), reference(name))
    assert by_label(checks) == [True] * 4
    library = "tokenizers 0.23.3" if name in hf_reference.NAMES else "tiktoken 0.14.0"
    assert checks[0].label == f"ids equal to {library}"
    assert all(check.detail for check in checks)


def test_empty_text_and_refusing_policy() -> None:
    for text in ("", "plain"):
        result = tokenizer("gpt2").encode(text, special="error")
        assert by_label(self_check(result, reference("gpt2"))) == [True] * 4


def test_reference_is_built_where_none_is_given() -> None:
    assert by_label(self_check(tokenizer("gpt2").encode("a"))) == [True] * 4


def tampered(given: str, **changes: object) -> Tokenization:
    """A tokenization that is wrong in some way."""
    result = tokenizer("gpt2").encode(given)
    list(result)
    for name, value in changes.items():
        setattr(result, name, value)
    return result


def test_wrong_ids_are_seen() -> None:
    first, *_, last = self_check(tampered("one two", ids=[1, 2, 3]), reference("gpt2"))
    assert first.ok is False
    assert (
        "3 ids here, 2 there; the first difference is at token 0: 1 here, 505 there" in first.detail
    )
    assert last.ok is False


def test_missing_ids_are_seen() -> None:
    ids = tokenizer("gpt2").encode("one two").ids
    first, *_ = self_check(tampered("one two", ids=ids[:1]), reference("gpt2"))
    assert first.ok is False
    assert "no id here" in first.detail


def test_wrong_text_is_seen() -> None:
    checks = self_check(tampered("one two", text="one two three"), reference("gpt2"))
    assert False in by_label(checks[1:])


def test_dropped_text_is_a_fault_only_where_nothing_may_be_dropped() -> None:
    whole = tokenizer("gpt2").encode("one two")
    short = tampered("one two", ids=whole.ids[:1], _columns=([0], [3]))
    assert by_label(self_check(short, reference("gpt2")))[1] is False


def test_other_tokenizers_have_no_reference_and_say_so() -> None:
    own = replace(tokenizer("gpt2"), name="trained on a song", origin="trained here")
    first, *others = self_check(own.encode("a b"))
    assert first.ok is None
    assert "trained on a song" in first.detail
    assert by_label(others) == [True] * 3
    uploaded = replace(tokenizer("gpt2"), origin="somebody's file")
    with pytest.raises(NoReference):
        reference_for(uploaded)


def test_a_text_that_the_reference_refuses() -> None:
    first, *others = self_check(
        tokenizer("o200k_base").encode(" " * 1_000_000), reference("o200k_base")
    )
    assert first.ok is None
    assert first.detail.startswith("the reference refuses this text: ")
    assert "stack" in first.detail
    assert by_label(others) == [True] * 3


def test_building_leaves_the_libraries_as_they_were() -> None:
    from tiktoken_ext import openai_public

    before = openai_public.load_tiktoken_bpe
    with ThreadPoolExecutor(4) as pool:
        builds = pool.map(lambda _: tiktoken_reference.build(tokenizer("cl100k_base")), range(4))
        assert [openai_public.load_tiktoken_bpe is before for _ in builds] == [True] * 4


def test_references_are_only_for_their_own() -> None:
    with pytest.raises(NoReference, match="qwen3"):
        tiktoken_reference.build(tokenizer("qwen3"))
    with pytest.raises(NoReference, match="gpt2"):
        hf_reference.build(tokenizer("gpt2"))


def test_policies_in_threads_never_mix() -> None:
    library = reference("qwen3")
    with ThreadPoolExecutor(8) as pool:
        policies: list[engine.SpecialPolicy] = ["parse", "text"] * 200
        firsts = list(pool.map(lambda p: library.ids("<|im_start|> hello", p)[0], policies))
    assert firsts == [151644, 27] * 200


def test_uploaded_table_has_a_reference() -> None:
    ranks = dict(tokenizer("gpt2").vocabulary.id_of)
    library = tiktoken_reference.of_table("mine", ranks, tokenizer("gpt2").pattern)
    assert library.ids("hello world", "parse") == tokenizer("gpt2").encode("hello world").ids
    assert library.decode(library.ids("é", "text")) == "é"
    with pytest.raises(ReferenceRefused):
        tiktoken_reference.of_table("mine", ranks, "(")
    with pytest.raises(ReferenceRefused):  # a panic, since two tokens have one rank
        tiktoken_reference.of_table("mine", {b"a": 0, b"b": 0}, ".")


BROKEN = {
    "a merge longer than every token panics": {
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": [["a", "b"]]}
    },
    "no model": {},
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_are_refused_not_fatal(name: str) -> None:
    library = hub.reference_of_file(json.dumps(BROKEN[name]).encode())
    with pytest.raises(ReferenceRefused):
        library.ids("ab", "text")


def test_pattern_that_panics_is_refused() -> None:
    split = {
        "type": "Split",
        "pattern": {"Regex": "(a+)+$"},
        "behavior": "Isolated",
        "invert": False,
    }
    file = {
        "pre_tokenizer": split,
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []},
    }
    library = hub.reference_of_file(json.dumps(file).encode())
    with pytest.raises(ReferenceRefused):
        library.ids("a" * 24 + "b", "text")


def test_uploaded_file_is_read_as_it_counts() -> None:
    """A byte-order mark is no fault; truncation, padding and dropout would falsify counts."""
    file = {
        "truncation": {
            "direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0
        },
        "added_tokens": [
            {"id": 3, "content": "<x>", "single_word": False, "lstrip": False, "rstrip": False,
             "normalized": False, "special": False}
        ],
        "model": {
            "type": "BPE", "dropout": 0.9, "vocab": {"a": 0, "b": 1, "ab": 2},
            "merges": [["a", "b"]],
        },
    }  # fmt: skip
    library = hub.reference_of_file("\ufeff".encode() + json.dumps(file).encode())
    assert {tuple(library.ids("ababab", "text")) for _ in range(20)} == {(2, 2, 2)}
    assert library.ids("ab<x>", "parse") == [2, 3]
    assert library.ids("ab<x>", "text") == [2]
    assert library.decode([2, 3]) in ("ab<x>", "ab <x>")


def test_files_that_are_no_text_are_refused() -> None:
    with pytest.raises(ReferenceRefused, match="byte 0"):
        hub.reference_of_file(b"\xff\xfe")
    with pytest.raises(ReferenceRefused, match="64 MB"):
        hub.reference_of_file(b" " * (TOKENIZER_FILE_BYTES + 1))


class PanicException(BaseException):
    """Named like that of Rust libraries."""


def fail(error: BaseException) -> None:
    raise error


def test_guard_takes_panics_and_lets_interrupts_pass() -> None:
    for error in (PanicException("index out of range"), ValueError("no\n good")):
        with pytest.raises(ReferenceRefused, match=r"index out of range|no good"):
            guarded(lambda error=error: fail(error))  # type: ignore[misc]
    for kind in (KeyboardInterrupt, SystemExit, GeneratorExit):
        with pytest.raises(kind):
            guarded(lambda kind=kind: fail(kind()))  # type: ignore[misc]
    with pytest.raises(ReferenceRefused, match="RuntimeError"):
        guarded(lambda: fail(RuntimeError()))


class Repositories(BaseHTTPRequestHandler):
    """A small hub: what it answers depends on the name of the repository."""

    def do_GET(self) -> None:
        name = self.path.split("/resolve/")[0].strip("/")
        assert "Authorization" not in self.headers
        if name == "owner/moved":
            self.send_response(302)
            self.send_header("Location", "/owner/model/resolve/main/tokenizer.json")
            self.end_headers()
            return
        self.send_response(
            {"owner/gone": 404, "owner/gated": 401, "owner/broken": 500}.get(name, 200)
        )
        self.end_headers()
        if name == "owner/slow":
            for _ in range(50):
                self.wfile.write(b" ")
                time.sleep(0.05)
        elif name == "owner/huge":
            self.wfile.write(b" " * 5_000)
        else:
            self.wfile.write(f'{{"from": "{self.path}"}}'.encode())

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Repositories)
    server.handle_error = lambda *_: None  # type: ignore[assignment] -- a client that hangs up
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_file_by_name(endpoint: str) -> None:
    data = hub.fetch("owner/model", endpoint=endpoint)
    assert json.loads(data) == {"from": "/owner/model/resolve/main/tokenizer.json"}
    data = hub.fetch("owner/model", "tokenizer_config.json", revision="v1", endpoint=endpoint)
    assert json.loads(data) == {"from": "/owner/model/resolve/v1/tokenizer_config.json"}
    assert b"owner/model" in hub.fetch("owner/moved", endpoint=endpoint)
    assert b"owner/model" in hub.fetch(" https://huggingface.co/owner/model/ ", endpoint=endpoint)


@pytest.mark.parametrize("name", ["owner/gone", "owner/gated"])
def test_repository_that_gives_nothing(name: str, endpoint: str) -> None:
    with pytest.raises(hub.HubError, match=f"{name} has no public tokenizer.json"):
        hub.fetch(name, endpoint=endpoint)


def test_hub_that_fails(endpoint: str) -> None:
    with pytest.raises(hub.HubError, match="cannot be reached"):
        hub.fetch("owner/broken", endpoint=endpoint)


def test_download_is_bounded(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(hub.HubError, match="did not arrive within"):
        hub.fetch("owner/slow", endpoint=endpoint, seconds=0.3)
    monkeypatch.setattr(hub, "TOKENIZER_FILE_BYTES", 1_000)
    with pytest.raises(hub.HubError, match="larger than"):
        hub.fetch("owner/huge", endpoint=endpoint)


def test_without_a_network() -> None:
    with pytest.raises(hub.HubError, match="upload its tokenizer") as caught:
        hub.fetch("owner/model", endpoint="http://127.0.0.1:9", seconds=2)
    assert caught.value.__suppress_context__
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    ["", "../etc/passwd", "a/b/c", "a b", "owner/..", "http://evil.example/x", "a--b", "ä/b"],
)
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(hub.HubError, match="is no name of a repository"):
        hub.fetch(name, endpoint="http://127.0.0.1:9")


def test_streamlit_stays_out() -> None:
    assert "streamlit" not in {
        module
        for name in list(sys.modules)
        if name.startswith("pages.reference")
        for module in vars(sys.modules[name])
    }
