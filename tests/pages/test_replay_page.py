"""The Replay page without a browser: links, stages, sentences; what goes to the player."""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from streamlit.testing.v1 import AppTest

import engine
from engine import TrainingSettings
from engine.replay import CacheUse
from pages.ui.own_names import OwnName
from pages.ui.replay import settings
from pages.ui.replay.files import as_json, merge_rows
from pages.ui.replay.pieces import code_points, names_of, took
from pages.ui.replay.tree_picture import tree_svg
from pages.ui.replay.way import lane, replayed
from pages.ui.replay.work import cache_words
from pages.ui.replay_player.pack import MARK, Lane, pack
from pages.ui.settings import LinkError, pack_text
from pages.ui.token_rows import as_csv
from pages.ui.trained_names import Recipe
from tests.shared import ROOT

SVG = "{http://www.w3.org/2000/svg}"
LESSON = "我想学推理 hello"


def page(text: str | None = None, /, **asked: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.switch_page("pages/replay.py")
    if text is not None:
        asked["x"] = pack_text(text) or ""
    for word, value in asked.items():
        app.query_params[word] = value
    app.run()
    assert not app.exception
    return app


def said(app: AppTest) -> str:
    return "\n".join(element.value for element in [*app.text, *app.markdown, *app.caption])


def component(app: AppTest, name: str) -> Any:
    found = [e.proto for e in app.get("bidi_component") if name in e.proto.component_name]
    return found[0] if found else None


def strip(app: AppTest) -> dict[str, Any]:
    return json.loads(component(app, "piece_strip").json)  # type: ignore[no-any-return]


def header(block: bytes) -> dict[str, Any]:
    assert block[:4] == MARK
    (length,) = struct.unpack("<I", block[4:8])
    return json.loads(block[8 : 8 + length])  # type: ignore[no-any-return]


def player(app: AppTest) -> dict[str, Any]:
    return header(component(app, "replay_player").bytes)


def column(block: bytes, place: list[int]) -> list[int]:
    (length,) = struct.unpack("<I", block[4:8])
    start = 8 + length + place[0]
    return list(struct.unpack(f"<{place[1] // 4}I", block[start : start + place[1]]))


def test_it_opens_on_a_sample_worked_out() -> None:
    app = page()
    shown = strip(app)
    assert [piece["text"] for piece in shown["pieces"][:3]] == ["Xin", " chào", "!"]
    assert shown["pieces"][shown["chosen"]]["text"] == "！很高兴认识你"
    assert player(app)["step"] == 0
    assert len(app.get("plotly_chart")) == 1


def test_a_link_restores_tokenizer_text_piece_and_step() -> None:
    app = page(LESSON, t="qwen3", piece="1", step="3")
    assert [piece["text"] for piece in strip(app)["pieces"]] == ["我想学推理", " hello"]
    assert strip(app)["chosen"] == 1
    assert player(app)["step"] == 3
    assert player(app)["lanes"][0]["title"] == "Qwen3"
    assert app.query_params["piece"] == "1"
    assert app.query_params["step"] == "3"
    assert "The piece is token 4 of the text." in said(app)
    assert "ids equal to tokenizers" in said(app) or "being compared" in said(app)


def test_the_columns_that_the_player_gets() -> None:
    """Ranks and ids of the published merges, read back from the block."""
    block = component(page(LESSON, t="qwen3", piece="1"), "replay_player").bytes
    (found,) = header(block)["lanes"]
    winners = column(block, found["winners"])
    ranks, ids = (column(block, found["entries"][name]) for name in ("ranks", "new_ids"))
    assert [ranks[number] for number in winners] == [45, 49, 129, 4535, 23555]
    assert [ids[number] for number in winners] == [301, 305, 385, 4791, 23811]
    assert column(block, found["unitIds"]) == [220, 71, 68, 75, 75, 78]
    assert found["tables"] == "ranks"
    assert found["whole"] is None


def test_branches_are_said_with_the_pieces_they_took() -> None:
    (step,) = strip(page("it's 42!", t="qwen3"))["steps"]
    assert [took for _, _, took in step["branches"]] == [1, 1, 2, 1, 0, 0, 1]
    assert "English ending" in step["branches"][0][1]
    three = strip(page("a1你", t="deepseek-v3"))
    assert len(three["steps"]) == 3
    assert [piece["took"] for piece in three["pieces"]] == [[2, 1], [0, 0], [2, 1]]


def test_normalization_is_told_code_point_by_code_point() -> None:
    app = page("Vie\u0323\u0302t", t="qwen3")
    assert "Normalization (NFC) rewrote one place: 6 code points became 4." in said(app)
    assert "does not normalize" in said(page("Vie\u0323\u0302t", t="gpt2"))
    assert "nothing to change" in said(page("hi", t="qwen3"))
    assert code_points("e\u0323") == "U+0065 U+0323"
    assert names_of("e\u0323") == "LATIN SMALL LETTER E + COMBINING DOT BELOW"


def test_special_tokens_are_cut_out_visibly() -> None:
    app = page("hi<|im_end|>", t="qwen3", special="parse", piece="1")
    assert "One added token was cut out first" in said(app)
    assert strip(app)["pieces"][1]["kind"] == "added"
    assert "one id, and nothing is merged" in said(app)
    refused = page("hi<|im_end|>", t="qwen3", special="error")
    assert "<|im_end|>" in said(refused)
    assert component(refused, "replay_player") is None


def test_two_tokenizers_at_the_same_place() -> None:
    app = page("DON'T stop", t="cl100k_base", piece="0", **{"with": "o200k_base"})
    assert [lane["title"] for lane in player(app)["lanes"]] == ["GPT-4 (cl100k)", "GPT-4o (o200k)"]
    assert "its piece is \"DON'T\", and not 'DON'" in said(app)
    same = page("DON'T stop", t="cl100k_base", piece="2", **{"with": "o200k_base"})
    assert "cuts here otherwise" not in said(same)


def test_a_tokenizer_that_was_trained_here() -> None:
    recipe = Recipe(corpus="board", settings=TrainingSettings(merges=8, pattern="words",
                    ties="first-seen", base="characters"))  # fmt: skip
    app = page("low?low er", t=recipe.name, piece="0")
    pieces = strip(app)["pieces"]
    assert [(piece["text"], piece["kind"]) for piece in pieces] == [
        ("low?low", "piece"), (" ", "dropped"), ("er", "piece"),
    ]  # fmt: skip
    assert player(app)["lanes"][0]["ofBytes"] is False
    dropped = page("low?low er", t=recipe.name, piece="1")
    assert "no branch of its pattern takes it" in said(dropped)
    assert component(dropped, "replay_player") is None


@pytest.mark.parametrize("text", ["", "\n", "\x00", "\u202e", "a" * 8000])
def test_odd_texts(text: str) -> None:
    app = page(text, t="o200k_base", piece="99", step="999999")
    if text:
        assert component(app, "replay_player") is not None
    else:
        assert "No text yet" in said(app)


def test_a_link_may_say_nonsense() -> None:
    app = page("hi", piece="-3", step="x", **{"with": "nobody"})
    assert "The link asks for piece='-3'" in said(app)
    assert len(player(app)["lanes"]) == 1
    with pytest.raises(LinkError):
        settings.PIECE.read("9" * 30)


@pytest.mark.parametrize(
    ("asked", "sentence", "kept"),
    [
        ({"piece": "9999999"}, "asks for piece 9,999,999, and the last one of this text is 1", "1"),
        ({"step": "9999999"}, "the state after 9,999,999 merges; this piece has 12.", "12"),
        ({"of": "gpt2"}, "The link asks for GPT-2, which is not among its tokenizers.", None),
        ({"of": "nobody"}, "The link asks for the tokenizer 'nobody', which is not here", None),
        ({"with": "nobody"}, "The link asks for the tokenizer 'nobody', which is not here", None),
        (
            {"with": f"own~file~{'0' * 32}~mine.json"},
            "The tokenizer mine.json was read from somebody's file, which is in no link",
            None,
        ),
    ],
)
def test_what_a_link_asks_in_vain_is_said_and_stands_in_no_link(
    asked: dict[str, str], sentence: str, kept: str | None
) -> None:
    """The published lesson: two pieces, the first of 15 bytes that become 3 tokens."""
    app = page(LESSON, t="qwen3", **asked)
    assert sentence in said(app)
    assert component(app, "replay_player") is not None
    (word,) = asked
    assert app.query_params.get(word) == kept
    app.run()
    assert sentence in said(app)
    app.toggle[0].set_value(True).run()
    assert sentence not in said(app)


def test_a_second_tokenizer_that_was_trained_comes_back_from_a_link() -> None:
    recipe = Recipe(corpus="board", settings=TrainingSettings(merges=8))
    app = page("low", t="gpt2", **{"with": recipe.name})
    assert [one["title"] for one in player(app)["lanes"]][1].startswith("Trained: ")


def test_a_long_name_is_a_tokenizer_too() -> None:
    """A model of the server with a label of 80 signs, each of nine in an address."""
    long = OwnName(source="server", label="令" * 80).name
    assert len(long) > 700
    assert settings.OF.read(long) == settings.BESIDE.read(long) == long


def test_projector_shows_pieces_and_player_alone() -> None:
    app = page(LESSON, t="qwen3", projector="dark")
    assert player(app)["projector"] is True
    assert not app.get("plotly_chart")
    assert component(app, "text_box") is None


def test_work_and_memory_in_sentences() -> None:
    app = page(" hello", t="qwen3", piece="0")
    assert "6 bytes, 5 merges" in said(app)
    assert "25 by looking at every pair again at each merge, 35 with a heap" in said(app)
    assert "the first grew 4.0 times (n squared: 4)" in said(app)
    words = cache_words(CacheUse(3, 5, {}))
    assert "Of 8 pieces 5 had to be merged (misses) and 3 were found in memory (hits, 38%)" in words
    assert cache_words(CacheUse(0, 0, {})) == "The text has no pieces to merge."


def test_equal_lanes_are_the_same_object_and_equal_bytes() -> None:
    """So that a rerun sends nothing again."""
    way = replayed("qwen3", "hello hello", "text")
    one, other = lane("qwen3", way, 0), lane("qwen3", replayed("qwen3", "hello you", "text"), 0)
    assert one is other
    assert isinstance(one, Lane)
    assert pack([one], settings={"step": 1}) == pack([one], settings={"step": 1})


def test_the_merges_as_files() -> None:
    own = lane("qwen3", replayed("qwen3", " hello", "text"), 0)
    assert own is not None
    table = as_csv(merge_rows(own)).decode("utf-8-sig").splitlines()
    assert table[0].startswith("merge,rank,position,left id,left,")
    assert table[1] == "1,45,2,68,e,75,l,301,el"
    assert table[5] == "5,23555,0,305,␣h,4791,ello,23811,␣hello"
    document = json.loads(as_json(own, "qwen3"))
    assert document["units"] == [220, 71, 68, 75, 75, 78]
    assert document["ids"] == [23811]
    assert [row["rank"] for row in document["merges"]] == [45, 49, 129, 4535, 23555]


def test_the_tree_as_a_picture() -> None:
    """The published merges: " h", "el", "lo", "ello", " hello" above six units."""
    own = lane("qwen3", replayed("qwen3", " hello", "text"), 0)
    assert own is not None
    root = ET.fromstring(tree_svg(own))
    words = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert words[:6] == ["␣", "h", "e", "l", "l", "o"]
    assert words[6:] == ["el 45", "␣h 49", "lo 129", "ello 4,535", "␣hello 23,555"]
    tiles = [group.find(f"{SVG}rect") for group in root.iter(f"{SVG}g")]
    places = [(tile.get("x"), tile.get("width")) for tile in tiles if tile is not None]
    assert places[10] == (places[0][0], str(6 * 64 - 4))


@pytest.mark.parametrize(
    "piece", ["</svg><script>", "&amp;\x00\x1b", "\ufffe\uffff", "a" * 8000, "\u202e\u200dé"]
)
def test_the_picture_of_any_piece_is_xml(piece: str) -> None:
    for place in range(4):
        own = lane("gpt2", replayed("gpt2", piece, "text"), place)
        if own is not None:
            picture = tree_svg(own)
            assert ET.fromstring(picture).tag == f"{SVG}svg"
            assert b"<script" not in picture
            assert len(picture) < 500_000


def test_which_table_is_asked_is_said() -> None:
    assert "a table of ranks" in said(page("hi", t="gpt2"))
    recipe = Recipe(corpus="board", settings=TrainingSettings(merges=8))
    assert "a list of merges" in said(page("low", t=recipe.name))


def test_typing_begins_anew_and_a_link_does_not() -> None:
    app = page(LESSON, t="qwen3", piece="1", step="3")
    app.session_state["text"] = replace(app.session_state["text"], text="a word", source="typed")
    app.run()
    assert player(app)["step"] == 0
    app.query_params["x"] = pack_text(LESSON)
    app.query_params["step"] = "2"
    app.run()
    assert player(app)["step"] == 2


def test_the_branch_that_took_a_piece() -> None:
    (first, *_) = engine.replay(engine.load("gpt2"), "hi").pieces()
    assert took(first) == (0, 1)
    assert took(first._replace(taken=(0, None, 2))) == (2, 2)
    assert took(first._replace(taken=(None, None))) is None


def test_long_counts_are_made_when_asked_for() -> None:
    """Pieces of a text that fits no link, counted by a click."""
    app = page(t="gpt2")
    long = "ab " * 110_000
    uploader = next(one for one in app.file_uploader if one.key == "widget:file")
    uploader.set_value(("long.txt", long.encode(), "text/plain")).run(timeout=60)
    assert "were found in memory" not in said(app)
    app.button(key="count_pieces").click().run(timeout=60)
    assert not app.exception
    # Once "ab" at the start, once " " at the end, and between them always " ab".
    words = "Of 110,001 pieces 3 had to be merged (misses) and 109,998 were found in memory"
    assert words in " ".join(said(app).split())
