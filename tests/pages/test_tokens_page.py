"""The Tokens page without a browser: settings, links, notices, refusals, people side by side."""

from __future__ import annotations

import base64
import json
import random
import string
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

import engine
from engine import PRESETS
from engine.special_tokens import SpecialPolicy
from pages.reference.answers import NoReference
from pages.ui import settings as common
from pages.ui.columns import cut, side_by_side
from pages.ui.settings import pack_text
from pages.ui.tokens import self_check
from pages.ui.trained_names import Recipe
from tests.pages.running import said, settled
from tests.shared import ROOT, tokenizer

GREETING = "Xin chào!"
CHAT = "<|im_start|>user hi<|im_end|>"


def page(**words: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for word, value in words.items():
        app.query_params[word] = value
    return settled(app)


def packed(text: str) -> str:
    found = pack_text(text)
    assert found is not None
    return found


def text_of(app: AppTest) -> str:
    return str(app.session_state["text"].text)


def link_of(app: AppTest) -> dict[str, str]:
    return dict(app.session_state["links"][-1])


def test_a_fresh_visit_shows_the_greetings_and_a_bare_address() -> None:
    app = page()
    assert text_of(app).startswith(GREETING)
    assert link_of(app) == {}
    assert "79 code points · 110 bytes (UTF-8)" in said(app)
    assert said(app).count("✓ ids equal to tiktoken") == 2
    assert "Counts from 29 to 39 tokens: a spread of 34.5 % over the smallest." in said(app)


SETTINGS = {
    "t": "gpt2,qwen3",
    "show": "bytes",
    "colour": "rank",
    "special": "parse",
    "projector": "dark",
    "s": "strawberry",
}


def test_what_a_link_sets_stands_in_the_next_link() -> None:
    assert link_of(page(**SETTINGS)) == SETTINGS


@pytest.mark.parametrize("text", ["", " ", "e\u0323\u0302 \t\x00\ufeff", CHAT, "👨‍👩‍👧" * 50])
def test_a_text_comes_back_from_its_link(text: str) -> None:
    app = page(x=packed(text), t="gpt2")
    assert text_of(app) == text
    assert link_of(app)["x"] == packed(text)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"t": "gpt2,gpt5"}, "The link asks for the tokenizer 'gpt5', which is not here"),
        ({"t": ",".join(engine.names())}, "The link has 6 tokenizers; 1 to 4 are shown."),
        ({"t": ","}, "The link has 0 tokenizers"),
        ({"show": "*b*"}, "The link asks for show='*b*'; there is text, ids"),
        ({"colour": "red"}, "The link asks for colour='red'"),
        ({"special": "obey"}, "The link asks for special='obey'"),
        ({"projector": "on"}, "The link asks for projector='on'; there is off, light, dark."),
        ({"s": "none"}, "The link asks for the sample 'none', not here."),
        ({"x": "eNrT"}, "The text in the link is damaged, so a sample is shown instead."),
        ({"x": packed("a" * 99)[:-6]}, "The text in the link is damaged"),
        ({"x": "A" * 3_000}, "The text in the link is damaged"),
        ({"model": "m" * 61}, "which is not in the table of prices."),
    ],
)
def test_a_wrong_link_is_answered_and_the_default_stands(
    words: dict[str, str], sentence: str
) -> None:
    app = page(**words)
    assert sentence in said(app)
    assert text_of(app).startswith(GREETING)
    assert link_of(app) == {}


def test_a_link_that_unpacks_to_too_much_is_refused() -> None:
    bomb = zlib.compress(b"a" * (engine.limits.LINK_BYTES + 1_000_000), 9)
    words = base64.urlsafe_b64encode(bomb).decode().rstrip("=")
    with pytest.raises(common.LinkError):
        common.unpack_text(words)


def hostile_queries() -> list[dict[str, str]]:
    """Fifty addresses that nobody wrote on purpose."""
    random_words = random.Random(7)
    names = ["t", "x", "s", "show", "colour", "special", "model", "part", "ids", "q", "by", "of"]
    odd = [
        "", "\x00", "\ud7ff", "<script>alert(1)</script>", "../../etc/passwd", "%00", "{}",
        "__import__('os')", "a" * 5_000, "龘" * 50, "-1", "NaN", "1e999", "\u202e", "text,ids",
    ]  # fmt: skip
    queries = []
    for _ in range(50):
        chosen = random_words.sample(names, random_words.randint(1, 5))
        junk = "".join(random_words.choices(string.printable, k=random_words.randint(1, 60)))
        queries.append({name: random_words.choice([*odd, junk]) for name in chosen})
    return queries


def test_no_address_brings_the_page_down() -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for query in hostile_queries():
        app.query_params.clear()
        for word, value in query.items():
            app.query_params[word] = value
        settled(app)


def test_an_address_that_was_on_its_way_undoes_nothing() -> None:
    app = page(t="gpt2")
    app.button_group(key="widget:special").set_value("parse").run()
    app.button_group(key="widget:special").set_value("error").run()
    assert link_of(app) == {"t": "gpt2", "special": "error"}
    # The browser has not seen that yet: it sends the address before.
    app.query_params.clear()
    app.query_params["t"] = "gpt2"
    app.query_params["special"] = "parse"
    before, newest = {"t": "gpt2", "special": "parse"}, link_of(app)
    app.session_state["links"] = [before, newest]
    settled(app)
    assert link_of(app) == newest
    # Also long after, if something was done.
    app.session_state["links"] = [before, newest]
    app.session_state["links written"] -= 60
    app.button_group(key="widget:special").set_value("text").run()
    assert link_of(app) == {"t": "gpt2"}
    app.button_group(key="widget:special").set_value("error").run()
    # With nothing done, the same address is the Back button.
    app.query_params["t"] = "gpt2"
    app.query_params["special"] = "parse"
    app.session_state["links"] = [before, newest]
    app.session_state["links written"] -= 60
    settled(app)
    assert link_of(app) == before
    # An address from elsewhere is a link.
    app.query_params.clear()
    app.query_params["t"] = "o200k_base"
    settled(app)
    assert link_of(app) == {"t": "o200k_base"}


def test_a_sample_can_be_chosen_and_says_what_it_shows() -> None:
    app = page(t="gpt2")
    app.selectbox(key="widget:sample").set_value("line-ends").run()
    assert not app.exception
    assert "This text has carriage returns. They are kept here and counted" in said(app)
    assert link_of(app)["s"] == "line-ends"


def test_special_tokens_are_warned_of_and_refused_on_wish() -> None:
    app = page(t="qwen2.5,gpt2", x=packed(CHAT))
    assert "This text spells special tokens." in said(app)
    table = app.dataframe[0].value
    text, control = (
        len(tokenizer("qwen2.5").encode(CHAT, special=way)) for way in ("text", "parse")
    )
    assert list(table["tokenizer"]) == ["Qwen2.5"]
    assert list(table["tokens as text"]) == [text]
    assert list(table["tokens as control tokens"]) == [control]
    app.button_group(key="widget:special").set_value("error").run()
    assert not app.exception
    assert (
        "The text spells the special token <|im_start|> (after 0 code points), and such texts "
        "are refused." in said(app)
    )
    assert "✓ ids equal" not in said(app)
    assert "This text spells special tokens." in said(app)


def test_what_a_tokenizer_rewrites_is_said() -> None:
    app = page(t="qwen3,gpt2", s="vietnamese-nfd")
    assert "Qwen3 first normalizes the text (NFC)" in said(app)
    assert "GPT-2 first normalizes" not in said(app)


def test_no_tokenizer_is_a_sentence() -> None:
    app = page()
    app.multiselect(key="widget:t").set_value([]).run()
    assert not app.exception
    assert "Choose one to four tokenizers in the sidebar." in said(app)


class Wrong:
    """A library that gives an id too few."""

    title = "a wrong library"

    def ids(self, text: str, special: SpecialPolicy) -> list[int]:
        return [i for i in tokenizer("gpt2").encode(text).ids[1:] if i is not None]

    def decode(self, ids: object) -> str:
        return ""


def test_a_failed_check_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_check, "reference", lambda _: Wrong())
    app = page(t="gpt2", x=packed("only for the failed check"))
    assert "✗ ids equal to a wrong library (5 ids here, 4 there; the first difference" in said(app)
    monkeypatch.setattr(self_check, "reference", lambda _: NoReference("No library has it."))
    app = page(t="gpt2", x=packed("only for the missing library"))
    assert "– ids equal to a reference (No library has it.)" in said(app)
    assert "✗" not in said(app)


def test_a_library_that_is_not_ready_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "only for the library that takes long"
    with monkeypatch.context() as patched:
        patched.setattr(self_check, "reference", lambda _: None)
        for part in ({"x": packed(text)}, {"part": "ids", "ids": "464 582"}):
            app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
            for word, value in {"t": "gpt2", **part}.items():
                app.query_params[word] = value
            app.run()
            assert not app.exception
            assert len(pictures(app)) == 1
            assert "being compared with a library" in said(app)
            assert "✓ ids equal" not in said(app)
    assert "GPT-2: ✓ ids equal to tiktoken" in said(page(t="gpt2", x=packed(text)))


def test_threads_with_different_policies_never_mix() -> None:
    ways: tuple[SpecialPolicy, ...] = ("text", "parse")
    right = {way: tokenizer("qwen2.5").encode(CHAT, special=way).ids for way in ways}

    def one(turn: int) -> bool:
        way = ways[turn % 2]
        # A text of its own each time, so that nothing comes from the cache.
        own = f"{CHAT} {turn // 2 % 40}"
        single = cut("qwen2.5", own, way).tokenization.ids
        whole = side_by_side(("qwen2.5", "gpt2"), own, way).cuts[0].tokenization.ids
        return single[: len(right[way])] == whole[: len(right[way])] == right[way]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(one, range(400)))


def pictures(app: AppTest) -> list[tuple[bool, list[str]]]:
    """Whether each picture of tokens is an earlier one, and the texts in it."""
    found = []
    for element in app.get("bidi_component"):
        if element.proto.component_name == "tokenarium_token_view":
            block = element.proto.bytes
            length = int.from_bytes(block[4:8], "little")
            header = json.loads(block[8 : 8 + length])
            places = (text["place"] for text in header["texts"])
            body = block[8 + length :]
            texts = [body[at : at + size].decode() for at, size in places]
            found.append((header["earlier"], texts))
    return found


EARLIER = "The picture below is from before this was refused."


def test_a_refused_text_leaves_the_picture_before() -> None:
    app = page(t="gpt2", special="error", x=packed("good"))
    assert pictures(app) == [(False, ["good"])]
    assert EARLIER not in said(app)
    for refused in ("a <|endoftext|>", "another <|endoftext|>"):
        app.query_params["x"] = packed(refused)
        settled(app)
        assert pictures(app) == [(True, ["good"])]
        assert said(app).index("such texts are refused") < said(app).index(EARLIER)
    app.query_params["x"] = packed("good again")
    assert pictures(settled(app)) == [(False, ["good again"])]
    assert EARLIER not in said(app)


def test_refused_ids_leave_the_picture_before() -> None:
    app = page(part="ids", t="gpt2", ids="15496 995")
    assert pictures(app) == [(False, ["Hello world"])]
    app.query_params["ids"] = "15496, two"
    settled(app)
    assert pictures(app) == [(True, ["Hello world"])]
    assert said(app).index("is no whole number.") < said(app).index(EARLIER)


def test_with_no_picture_before_there_is_only_the_sentence() -> None:
    app = page(t="gpt2", special="error", x=packed("a <|endoftext|>"))
    assert "such texts are refused" in said(app)
    assert pictures(app) == []
    assert EARLIER not in said(app)


def test_a_pattern_that_takes_too_long_on_this_text_is_a_sentence() -> None:
    wild = replace(PRESETS["plain"], merges=5, pattern="own", expression="(q|q|qq)+$")
    name = Recipe(corpus="four-words", settings=wild).name
    app = page(t=name, x=packed("good"))
    app.query_params["x"] = packed("q" * 60 + "!")
    settled(app)
    assert "seconds on this text and was stopped." in said(app)
    assert pictures(app) == [(True, ["good"])]
