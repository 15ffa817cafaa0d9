"""The Streaming page without a browser: links, sentences, files; what goes to the player."""

from __future__ import annotations

import csv
import io
import json
import struct
from dataclasses import replace
from typing import Any, cast

import pytest
from streamlit.testing.v1 import AppTest

from engine import TrainingSettings
from engine.streaming import WAYS
from pages.reference.answers import NoReference
from pages.ui.settings import LinkError, pack_text
from pages.ui.stream_player import RATES, stream_player
from pages.ui.stream_player.pack import MARK, PlayedStream, pack
from pages.ui.streaming import settings
from pages.ui.streaming.check import compared
from pages.ui.streaming.files import as_json, step_rows
from pages.ui.streaming.played import (
    MOST_BYTES,
    MOST_TOKENS,
    characters_per_token,
    first_tokens,
    opening_step,
    played,
    summary,
)
from pages.ui.token_rows import as_csv
from pages.ui.trained_names import Recipe
from tests.pages.running import said, settled
from tests.shared import ROOT, records, reference, tokenizer

NAME = "Nguyễn Văn A sẽ đến"
FIGURES = {record["id"]: record for record in records("figures.json")}
ALONE, KEPT, PREFIX, WORD = WAYS


def page(text: str | None = None, /, **asked: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.switch_page("pages/streaming.py")
    if text is not None:
        asked["x"] = pack_text(text) or ""
    for word, value in asked.items():
        app.query_params[word] = value
    app.run()
    assert not app.exception
    return app


def block(app: AppTest) -> bytes:
    (found,) = [
        e.proto for e in app.get("bidi_component") if "stream_player" in e.proto.component_name
    ]
    return found.bytes  # type: ignore[no-any-return]


def has_player(app: AppTest) -> bool:
    return any("stream_player" in e.proto.component_name for e in app.get("bidi_component"))


def header(data: bytes) -> dict[str, Any]:
    assert data[:4] == MARK
    (length,) = struct.unpack("<I", data[4:8])
    return json.loads(data[8 : 8 + length])  # type: ignore[no-any-return]


def section(data: bytes, place: list[int]) -> bytes:
    (length,) = struct.unpack("<I", data[4:8])
    start = 8 + length + place[0]
    return data[start : start + place[1]]


def column(data: bytes, place: list[int]) -> list[int]:
    found = section(data, place)
    return list(struct.unpack(f"<{len(found) // 4}I", found))


def shown(data: bytes, way: str) -> list[str]:
    """What a way shows at each step, read back from the block."""
    (its,) = [one for one in header(data)["ways"] if one["name"] == way]
    texts, parts, at = section(data, its["shown"]), [], 0
    for length in column(data, its["lengths"]):
        parts.append(texts[at : at + length].decode())
        at += length
    return parts


def of(name: str, text: str) -> PlayedStream:
    ids = [token_id for token_id in tokenizer(name).encode(text).ids if token_id is not None]
    return played(name, ids, ())


def test_it_opens_on_a_sample_at_a_character_that_is_cut() -> None:
    app = page()
    sent = header(block(app))
    assert sent["step"] == 20
    assert [way["name"] for way in sent["ways"]] == list(WAYS)
    assert "3 end inside a character; decoded alone, 6 signs are wrong" in said(app)
    assert app.query_params == {}


def test_the_published_stream_on_the_page() -> None:
    data = block(page(NAME, t="cl100k_base"))
    figure = FIGURES["B-stream-inc"]
    assert figure["input"] == NAME
    assert shown(data, KEPT) == [*figure["value"], ""]
    assert shown(data, ALONE) == [*FIGURES["B-stream-naive"]["value"], ""]
    (alone, *others) = header(data)["ways"]
    assert list(section(data, alone["wrong"])) == [1, 1, 1, 1]
    assert all(not section(data, other["wrong"]) for other in others)


def test_the_published_ids_on_the_page() -> None:
    ids, parts = FIGURES["A-stream-pieces"]["value"]
    data = block(page(FIGURES["A-stream-pieces"]["input"], t="qwen3"))
    assert column(data, header(data)["ids"]) == ids
    assert [part for part in shown(data, KEPT) if part] == parts
    listed = block(page(t="qwen3", source="ids", ids=str(ids)))
    assert shown(listed, KEPT) == shown(data, KEPT)


def test_a_link_restores_tokenizer_text_step_rate_and_end() -> None:
    app = page(NAME, t="cl100k_base", at="5", rate="20", without="3")
    sent = header(block(app))
    assert (sent["step"], sent["speed"], sent["tokens"]) == (5, "20", 11)
    assert "The stream breaks off: the last 3 tokens are left out." in said(app)
    for word, value in (("at", "5"), ("rate", "20"), ("without", "3")):
        assert app.query_params[word] == value
    app.run()
    assert header(block(app))["step"] == 5


def test_a_link_may_say_nonsense() -> None:
    app = page(NAME, at="-3", rate="7", source="voice", without="99")
    for word in ("at='-3'", "rate='7'", "source='voice'"):
        assert f"The link asks for {word}" in said(app)
    assert header(block(app))["tokens"] == 1
    with pytest.raises(LinkError):
        settings.AT.read("9" * 30)


def test_the_self_check_asks_the_library() -> None:
    app = settled(page(NAME, t="cl100k_base"))
    assert "joined, are the ids decoded as a whole; ✓ text equal to that of tiktoken" in said(app)
    stream = of("qwen3", NAME)
    assert compared("qwen3", stream, reference("qwen3"))[0]
    assert "not compared" in compared("qwen3", stream, NoReference("none"))[1]


class Liar:
    """A library that decodes everything to the same."""

    title = "liar 1.0"

    def ids(self, text: str, special: str) -> list[int]:
        return []

    def decode(self, ids: object) -> str:
        return "x"


def test_a_difference_is_said() -> None:
    equal, sentence = compared("qwen3", of("qwen3", NAME), Liar())
    assert not equal
    assert "✗" in sentence
    assert "liar 1.0" in sentence


def test_a_stream_that_breaks_off_shows_what_each_way_does() -> None:
    app = page("龘龘你好", t="qwen3")
    (button,) = [one for one in app.button if one.label == "Stop inside a character"]
    button.click().run()
    data = block(app)
    sent = header(data)
    assert (sent["tokens"], sent["step"]) == (3, 4)
    assert shown(data, KEPT) == ["", "龘", "", "\ufffd"]
    assert shown(data, PREFIX)[-1] == ""
    (prefix,) = [one for one in sent["ways"] if one["name"] == PREFIX]
    assert column(data, prefix["pending"])[-1] == 2


def test_text_that_really_has_the_sign_is_complete() -> None:
    app = page(s="stream-replacement", t="qwen3")
    data = block(app)
    assert "".join(shown(data, KEPT)) == "caf\ufffd and na\ufffdve, \ufffd\ufffd"
    assert "token by token the text comes out right" in said(app)
    assert not any(section(data, header(data)["ways"][0]["wrong"]))
    (button,) = [one for one in app.button if one.label == "Stop inside a character"]
    assert button.disabled


def test_samples_are_one_click_away() -> None:
    app = page(NAME, without="2", at="3")
    for label, text in (("龘龘你好", "龘龘你好"), ("Emoji families", "👨‍👩‍👧‍👦 👩🏽‍🚀 🇻🇳")):
        (button,) = [one for one in app.button if one.label == label]
        button.click().run()
        assert "".join(shown(block(app), KEPT)) == text


def test_another_text_begins_where_it_pays() -> None:
    app = page(NAME, t="cl100k_base", at="9")
    (button,) = [one for one in app.button if one.label == "龘龘你好"]
    button.click().run()
    assert header(block(app))["step"] == 1


@pytest.mark.parametrize("text", ["\n", "\x00", "\u202e", "<b>hi</b> $x$ :smile:", "a" * 8000])
def test_odd_texts(text: str) -> None:
    assert "".join(shown(block(page(text)), KEPT)).startswith(text[:100])


def test_nothing_to_stream() -> None:
    app = page("")
    assert "Nothing to stream yet" in said(app)
    assert not has_player(app)


def test_ids_that_stand_for_nothing_are_named() -> None:
    app = page(source="ids", ids="[1, 999999]", t="gpt2")
    assert "999999" in said(app)
    assert not has_player(app)
    assert "no whole number" in said(page(source="ids", ids="1 two", t="gpt2"))


def test_control_tokens_come_whole() -> None:
    data = block(page("<think>x</think>y", t="qwen3", special="parse"))
    assert column(data, header(data)["ids"]) == [151667, 87, 151668, 88]
    assert shown(data, KEPT) == ["<think>", "x", "</think>", "y", ""]


def test_a_tokenizer_whose_text_is_not_its_bytes_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = replace(tokenizer("gpt2"), decoder=cast("Any", object()))
    monkeypatch.setattr("pages.ui.streaming.played.tokenizer", {"gpt2": own}.__getitem__)
    app = page("some text that was never streamed", t="gpt2")
    assert "decodes whole texts only" in said(app)
    assert not has_player(app)


def test_characters_without_an_id_are_counted() -> None:
    recipe = Recipe(corpus="board", settings=TrainingSettings(merges=8, pattern="words",
                    ties="first-seen", base="characters"))  # fmt: skip
    app = page("low lower 龘", t=recipe.name)
    assert "1 character of the text has no id in this tokenizer" in said(app)
    assert "龘" not in "".join(shown(block(app), KEPT))


def test_a_long_text_is_played_from_its_beginning() -> None:
    ids = list(range(1000, 1010)) * 1000
    assert len(first_tokens("gpt2", ids)) <= MOST_TOKENS
    long = max(tokenizer("cl100k_base").vocabulary.bytes_of.values(), key=len)
    at = tokenizer("cl100k_base").vocabulary.id_of[long]
    assert len(first_tokens("cl100k_base", [at] * 2000)) == MOST_BYTES // len(long)
    app = page("one two three four " * 2000)
    assert f"The first {MOST_TOKENS:,} of 8,001 tokens are played." in said(app)
    assert header(block(app))["tokens"] == MOST_TOKENS


def test_the_projector_shows_the_player_alone() -> None:
    app = page(NAME, t="cl100k_base", projector="dark")
    assert header(block(app))["projector"] is True
    assert not app.button[:-1]
    assert not app.text
    listed = page(source="ids", ids="[9707, 1879]", t="qwen3", projector="light")
    assert shown(block(listed), KEPT) == ["Hello", " world", ""]
    assert not any("text_box" in e.proto.component_name for e in listed.get("bidi_component"))


def test_languages_are_counted_with_the_tokenizer() -> None:
    languages = dict(characters_per_token("cl100k_base"))
    assert len(languages) >= 12
    assert languages["English"] > languages["Vietnamese"] > languages["Hindi"]
    assert list(languages.values()) == sorted(languages.values(), reverse=True)
    sent = header(block(page(NAME, t="cl100k_base")))
    assert {one["title"]: one["perToken"] for one in sent["languages"]} == languages
    assert sent["characters"] == 19


def test_the_steps_as_files() -> None:
    stream = of("cl100k_base", NAME)
    table = list(csv.DictReader(io.StringIO(as_csv(step_rows(stream)).decode("utf-8-sig"))))
    assert [row["id"] for row in table[:3]] == ["21567", "4168", "5080"]
    assert table[2]["alone: wrong signs"] == "1"
    assert table[2]["bytes kept: held"] == "e1 bb"
    assert table[3]["bytes kept: shown"] == "ễ"
    assert table[5]["words: shown"] == "␣V"
    assert table[-1]["token"] == "the end"
    document = json.loads(as_json(stream, "GPT-4"))
    assert [one["shown"] for one in document["ways"][KEPT]][:-1] == FIGURES["B-stream-inc"]["value"]


def test_equal_ids_are_the_same_object_and_equal_bytes() -> None:
    """So that a rerun sends nothing again."""
    one, other = of("qwen3", NAME), of("qwen3", NAME)
    assert one is other
    assert pack(one, settings={"step": 1}) == pack(one, settings={"step": 1})
    assert header(pack(one))["serial"] != header(pack(of("qwen3", "hi")))["serial"]


def test_where_it_opens_and_what_is_said() -> None:
    assert opening_step(of("cl100k_base", NAME)) == 3
    assert opening_step(of("cl100k_base", "hi")) == 2
    assert "Of one token none" in summary(of("cl100k_base", "hi"))
    assert "one ends" in summary(of("cl100k_base", "😀"))


def test_only_known_rates() -> None:
    with pytest.raises(ValueError, match="a rate is one of"):
        stream_player(of("qwen3", "hi"), key="k", rate="3")
    assert settings.RATE.default in RATES
    script = (ROOT / "pages/ui/stream_player/player/main.js").read_text("utf-8")
    assert f"const RATES = {json.dumps(RATES)};" in script
