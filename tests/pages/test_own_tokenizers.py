"""Tokenizers that somebody brings: uploaded, kept, shown, removed, named in links."""

from __future__ import annotations

import base64
import gc
import json
from pathlib import Path
from urllib.parse import unquote

import pytest
from streamlit.testing.v1 import AppTest

import engine
from engine.errors import FormatError, TooLong
from pages.reference import hub
from pages.ui import own_files, own_panel, state
from pages.ui.cache import SizedCache
from pages.ui.columns import DROPPED, _entries
from pages.ui.file_store import FileStore
from pages.ui.own_files import Upload
from pages.ui.own_names import OwnName, own_of
from tests.hostile_files import hostile_files
from tests.pages.running import said, settled
from tests.shared import ROOT

DIGEST = "0123456789abcdef" * 2
SMALL = {
    "version": "1.0",
    "truncation": {"max_length": 2, "stride": 0, "strategy": "LongestFirst"},
    "added_tokens": [],
    "model": {
        "type": "BPE",
        "vocab": {"l": 0, "o": 1, "w": 2, "lo": 3, "low": 4},
        "merges": [["l", "o"], ["lo", "w"]],
    },
}


def small(**changes: object) -> bytes:
    return json.dumps({**SMALL, **changes}).encode()


def table(*more: bytes) -> bytes:
    tokens = [*(bytes([byte]) for byte in range(256)), *more]
    lines = (b"%s %d\n" % (base64.b64encode(token), i) for i, token in enumerate(tokens))
    return b"".join(lines)


def page(**words: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for word, value in words.items():
        app.query_params[word] = value
    return settled(app)


def upload(app: AppTest, name: str, data: bytes) -> AppTest:
    uploader = next(u for u in app.file_uploader if "own_file" in str(u.key))
    uploader.set_value((name, data, "application/octet-stream"))
    return settled(app)


def chosen(app: AppTest) -> list[str]:
    return [app.multiselect[0].format_func(name) for name in app.multiselect[0].value]


# Names.


@pytest.mark.parametrize("label", ["tokenizer.json", "a~b, c%7E", "Qwen/Qwen3-8B", "令牌 :smile:"])
def test_a_name_says_what_it_was_made_of(label: str) -> None:
    own = OwnName(source="hub", digest=DIGEST, label=label)
    assert own_of(own.name) == own
    assert "," not in own.name
    own = OwnName(source="server", label=label)
    assert own_of(own.name) == own


@pytest.mark.parametrize(
    "name",
    [
        "gpt2", "own", "own~file~~x", f"own~file~{DIGEST}~", f"own~disk~{DIGEST}~x",
        f"own~server~{DIGEST}~x", f"own~file~{DIGEST[:-1]}~x", f"own~file~{DIGEST}~{'x' * 81}",
        f"own~file~{DIGEST}~x~y", "trained~vi~300~gpt2~smallest-ids~bytes",
    ],
)  # fmt: skip
def test_other_names_are_none_of_ours(name: str) -> None:
    assert own_of(name) is None


def test_a_digest_is_of_all_that_makes_the_tokenizer() -> None:
    one = Upload(kind="tiktoken", data=b"x", pattern="gpt2", special={"<a>": 1})
    others = [
        Upload(kind="tokenizer.json", data=b"x", pattern="gpt2", special={"<a>": 1}),
        Upload(kind="tiktoken", data=b"y", pattern="gpt2", special={"<a>": 1}),
        Upload(kind="tiktoken", data=b"x", pattern="qwen", special={"<a>": 1}),
        Upload(kind="tiktoken", data=b"x", pattern="gpt2", special={"<a>": 2}),
    ]
    assert len({one.digest, *(other.digest for other in others)}) == 5
    assert len(one.digest) == 32


# What is kept, and how much.


def test_a_file_is_stored_once_and_goes_with_its_last_holder() -> None:
    store = FileStore(most_bytes=300)
    first = store.put("a", b"x" * 10_000)
    assert first.data() == b"x" * 10_000
    assert first.held < 100
    assert store.put("a", b"x" * 10_000) is first
    kept = [store.put("b", bytes(range(200)))]
    with pytest.raises(TooLong, match="as many files"):
        store.put("c", bytes(range(50, 250)))
    kept.clear()
    gc.collect()
    assert store.put("c", bytes(range(50, 250))).size == 200


def test_what_is_dropped_is_told_and_what_hangs_on_it_forgotten() -> None:
    results = SizedCache(1_000)
    tables = SizedCache(100, dropped=lambda digest: results.forget(str(digest)))
    tables.get("first", lambda: (1, 60))
    results.get(("cut", "own~file~first~x", b"text"), lambda: (1, 10))
    results.get(("side", ("gpt2", "own~file~first~x")), lambda: (2, 10))
    results.get(("cut", "gpt2", b"text"), lambda: (3, 10))
    tables.get("second", lambda: (2, 60))
    assert tables.found("first") is None
    assert tables.found("second") == 2
    assert results.found(("cut", "own~file~first~x", b"text")) is None
    assert results.found(("side", ("gpt2", "own~file~first~x"))) is None
    assert results.found(("cut", "gpt2", b"text")) == 3


# On the page.


def test_an_uploaded_file_is_chosen_told_and_checked() -> None:
    app = upload(page(t="gpt2", show="bytes"), "low.json", small())
    assert chosen(app) == ["GPT-2", "low.json"]
    assert "The file cuts every text to 2 tokens" in said(app).replace("\n", " ")
    assert "low.json: ✓ ids equal to tokenizers 0.23.3" in said(app)
    link = app.session_state["links"][-1]
    assert link["show"] == "bytes"
    assert unquote(link["t"]).endswith("~low.json")


def test_a_file_is_removed() -> None:
    app = upload(page(t="gpt2"), "low.json", small())
    app.button(key="own_remove_0").click()
    settled(app)
    assert chosen(app) == ["GPT-2"]
    assert app.session_state["links"][-1] == {"t": "gpt2"}


def test_a_file_is_called_otherwise() -> None:
    app = upload(page(t="gpt2"), "tokenizer.json", small())
    box = next(box for box in app.text_input if "own_label" in str(box.key))
    box.set_value("Low, lower: *mine*")
    assert chosen(settled(app)) == ["GPT-2", "Low, lower: *mine*"]


def test_the_same_file_is_kept_once_and_four_at_most() -> None:
    app = page(t="gpt2")
    for name in ("a.json", "b.json"):
        upload(app, name, small())
    assert chosen(app) == ["GPT-2", "a.json"]
    for length in (3, 4, 5):
        upload(app, f"{length}.json", small(truncation={"max_length": length}))
    assert chosen(app) == ["GPT-2", "a.json", "3.json", "5.json"]
    upload(app, "6.json", small(truncation=None))
    assert "6.json: A session keeps 4 tokenizers of its own; remove one first." in said(app)


def test_a_rank_table_with_pattern_and_special_tokens() -> None:
    app = upload(page(t="gpt2"), "mine.tiktoken", table(b"ab"))
    app.selectbox(key="widget:own_pattern").set_value("typed").run()
    app.text_input(key="widget:own_typed").set_value("[a-z]+|[^a-z]+")
    app.text_area(key="widget:own_special").set_value("<|end|> 300\n<two words> 301")
    app.button(key="own_read").click()
    settled(app)
    assert chosen(app) == ["GPT-2", "mine.tiktoken"]
    assert "mine.tiktoken: ✓ ids equal to tiktoken 0.14.0" in said(app)
    assert "tiktoken drops what a pattern does not match" in said(app)


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("bert.json", small(model={"type": "WordPiece"}), "The model is WordPiece, not BPE"),
        ("t5.json", small(model={"type": "Unigram"}), "The model is Unigram, not BPE"),
        ("deep.json", b"[" * 100_000, "deep"),
        ("zip.json", b"PK\x03\x04", "This is a ZIP archive"),
        ("*bold*.json", b"{", "no valid JSON"),
    ],
)
def test_a_bad_file_is_answered_by_its_sentence(name: str, data: bytes, sentence: str) -> None:
    app = upload(page(t="gpt2"), name, data)
    problem = next(text.value for text in app.text if text.value.startswith(name))
    assert sentence in problem
    assert "\n" not in problem
    assert chosen(app) == ["GPT-2"]
    upload(app, "low.json", small())
    assert sentence not in said(app)
    assert chosen(app) == ["GPT-2", "low.json"]


def test_the_page_lives_through_hostile_files() -> None:
    """One page, one file after the other: a sentence, or a tokenizer that is shown and removed."""
    app = page(t="gpt2")
    for file in (file for file in hostile_files() if "50 MB" not in file.name):
        name = "f.tiktoken" if file.kind == "tiktoken" else "f.json"
        upload(app, name, file.make())
        if any(button.key == "own_read" for button in app.button):
            app.button(key="own_read").click()
            settled(app)
        if len(chosen(app)) > 1:
            assert "✗" not in said(app), file.name
            app.button(key="own_remove_0").click()
            settled(app)
        else:
            assert f"\n{name}: " in said(app), file.name
        assert chosen(app) == ["GPT-2"]


def test_an_upload_is_freed_once_it_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    freed: list[str] = []
    monkeypatch.setattr(state, "forget_upload", lambda file: freed.append(file.name))
    upload(upload(page(t="gpt2"), "low.json", small()), "bad.json", b"{")
    assert freed == ["low.json", "bad.json"]


def test_bad_special_tokens_are_answered_by_their_sentence() -> None:
    app = upload(page(t="gpt2"), "mine.tiktoken", table())
    app.text_area(key="widget:own_special").set_value("<|end|>")
    app.button(key="own_read").click()
    assert "Line 1 of the special tokens must be" in said(settled(app))
    app.text_area(key="widget:own_special").set_value("<|end|> 300")
    app.button(key="own_read").click()
    assert chosen(settled(app)) == ["GPT-2", "mine.tiktoken"]


def test_a_bad_table_is_answered_by_its_sentence() -> None:
    app = upload(page(t="gpt2"), "few.tiktoken", b"YQ== 0\nYg== 0\n")
    app.button(key="own_read").click()
    assert "few.tiktoken: Line 2: the rank 0 was already given in line 1." in said(settled(app))


def test_a_link_to_a_file_says_that_it_must_be_uploaded_and_keeps_the_rest() -> None:
    words = {"t": f"gpt2,own~file~{DIGEST}~my%20model.json", "show": "bytes", "colour": "rank"}
    app = page(**words)
    assert "The tokenizer my model.json was read from somebody's file" in said(app)
    assert "upload it again" in said(app)
    assert app.session_state["links"][-1] == {"t": "gpt2", "show": "bytes", "colour": "rank"}


def test_a_link_to_a_fetched_one_asks_for_its_name() -> None:
    app = page(t=f"own~hub~{DIGEST}~Qwen%2FQwen3-8B")
    assert "The tokenizer Qwen/Qwen3-8B was fetched from Hugging Face: load it" in said(app)


def test_a_model_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(name: str) -> bytes:
        if name == "owner/model":
            return small()
        raise hub.HubError("Hugging Face cannot be reached from here.")

    monkeypatch.setattr(own_panel, "fetch", fetch)
    app = page(t="gpt2")
    for name in ("owner/other", "owner/model"):
        app.text_input(key="widget:own_hub").set_value(name)
        next(button for button in app.button if button.label == "Load").click()
        settled(app)
        assert ("cannot be reached" in said(app)) == (name == "owner/other")
    assert chosen(app) == ["GPT-2", "owner/model"]
    assert app.session_state["links"][-1]["t"].startswith("gpt2,own~hub~")


def test_models_of_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, data in (("owner/low", small()), ("broken", b"{"), ("empty", None)):
        (tmp_path / folder).mkdir(parents=True)
        if data is not None:
            (tmp_path / folder / "tokenizer.json").write_bytes(data)
    monkeypatch.setenv(own_files.MODELS, str(tmp_path))
    app = page(t="gpt2,own~server~~owner%2Flow")
    assert chosen(app) == ["GPT-2", "owner/low"]
    assert [own.label for own in own_files.server_models()] == ["broken", "owner/low"]
    assert "owner/low: ✓ ids equal to tokenizers 0.23.3" in said(app)
    app = page(t="own~server~~broken,own~server~~..%2Fetc,gpt2")
    assert "The file is no valid JSON" in said(app)
    assert "The tokenizer ../etc is a model in the folder of another server" in said(app)
    assert chosen(app) == ["GPT-2"]


def test_one_model_as_the_servers_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tokenizer.json").write_bytes(small())
    monkeypatch.setenv(own_files.MODELS, str(tmp_path))
    assert [own.label for own in own_files.server_models()] == [tmp_path.name]


def test_what_is_dropped_is_drawn_between_the_tokens() -> None:
    """ô has the bytes 2 and 3; a combining mark belongs to the character before it."""
    tokenizer = engine.read(small(), kind="tokenizer.json")
    found = _entries(tokenizer.encode("lôw!o\u0301"))
    assert found["ids"] == [0, None, 2, None, 1, None]
    assert list(found["ends_byte"]) == [1, 3, 4, 5, 6, 8]
    assert found["kinds"] == bytes([0, DROPPED, 0, DROPPED, 0, DROPPED])
    assert found["closes"] == bytes([1, 1, 1, 1, 0, 1])
    assert _entries(tokenizer.encode("??"))["ids"] == [None]
    assert _entries(tokenizer.encode(""))["ids"] == []
    assert _entries(tokenizer.encode("low"))["kinds"] == bytes([0])


# Special tokens of a rank table.


def test_special_tokens_are_read_from_lines() -> None:
    read = own_files.special_tokens
    assert read("<|end|> 300\n\n <a b>  7 \r\n") == {"<|end|>": 300, "<a b>": 7}
    assert read("") == {}


@pytest.mark.parametrize(
    "line", ["<|end|>", "300", "<|end|> x", "<|end|> -1", "<|end|> ٣", "a 99999999999"]
)
def test_special_tokens_of_no_form_are_refused(line: str) -> None:
    with pytest.raises(FormatError, match="Line 2 of the special tokens"):
        own_files.special_tokens(f"<a> 1\n{line}")


def test_a_special_token_has_one_id() -> None:
    with pytest.raises(FormatError, match="two ids"):
        own_files.special_tokens("<a> 1\n<a> 2")


def test_the_engine_reads_what_is_kept() -> None:
    """The file above, by hand: `low` merges to one token, `wol` to none."""
    read = engine.read(small(), kind="tokenizer.json")
    assert read.encode("lowwol").ids == [4, 2, 1, 0]
