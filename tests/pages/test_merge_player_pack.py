"""What is packed for the player can be read back exactly, and its wrapper keeps the place."""

from __future__ import annotations

import json
import unicodedata
from array import array
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.training import train
from engine.training_settings import TrainingSettings
from pages.ui.merge_player import SPEEDS, PlayerRun, merge_player
from pages.ui.merge_player.pack import COLUMNS, NO_UNIT, pack


def player_run(text: str, *, merges: int = 8, base: Any = "bytes", **changes: Any) -> PlayerRun:
    """A real training, as the page hands it over."""
    run = train(text, TrainingSettings(merges=merges, base=base))
    fields: dict[str, Any] = {
        "title": "test",
        "words": list(run.corpus.words.items()),
        "token_bytes": run.token_bytes,
        "lefts": [step.left for step in run.steps],
        "rights": [step.right for step in run.steps],
        "new_ids": [step.new_id for step in run.steps],
        "pair_counts": [step.pair_count for step in run.steps],
        "merged": [step.merged for step in run.steps],
        "tied": [step.tied for step in run.steps],
        "tokens_left": [step.tokens_left for step in run.steps],
        "base_size": len(run.corpus.base),
        "tokens_at_start": run.tokens_at_start,
        "bytes_total": len(text.encode()),
        "ties": "the smaller ids go first",
        "stopped": "done",
    }
    return PlayerRun(**fields | changes)


class Reader:
    """An independent reader of the layout described in ``pages.ui.packing``."""

    def __init__(self, block: bytes) -> None:
        assert block[:4] == b"TKP1"
        length = int.from_bytes(block[4:8], "little")
        assert length % 4 == 0, "sections must be aligned for typed arrays"
        self.header = json.loads(block[8 : 8 + length])
        self.body = block[8 + length :]

    def section(self, place: list[int]) -> bytes:
        at, length = place
        assert at % 4 == 0
        assert at + length <= len(self.body)
        return self.body[at : at + length]

    def numbers(self, place: list[int]) -> list[int]:
        return array("I", self.section(place)).tolist()

    def pieces(self, packed: dict[str, Any]) -> list[list[int]]:
        wide = packed["width"] == 4
        units = self.numbers(packed["units"]) if wide else list(self.section(packed["units"]))
        pieces, at = [], 0
        for length in self.numbers(packed["lengths"]):
            pieces.append([-1 if u == NO_UNIT else u for u in units[at : at + length]])
            at += length
        assert at == len(units)
        return pieces


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@given(TEXTS, st.sampled_from(["bytes", "characters", "stand-in bytes"]))
def test_a_run_comes_back(text: str, base: str) -> None:
    run = player_run(text, base=base)
    reader = Reader(pack([run]))
    header = reader.header["runs"][0]
    assert reader.pieces(header["words"]) == [list(word) for word, _ in run.words]
    assert reader.numbers(header["frequencies"]) == [frequency for _, frequency in run.words]
    for name in COLUMNS:
        assert reader.numbers(header["columns"][name]) == list(getattr(run, name))
    data, at = reader.section(header["baseBytes"]), 0
    for token, length in zip(run.token_bytes, reader.numbers(header["baseLengths"]), strict=False):
        assert data[at : at + length] == token
        at += length
    assert at == len(data)
    assert len(reader.numbers(header["baseLengths"])) == run.base_size


def test_a_large_base_takes_wider_units() -> None:
    run = player_run(" ".join(map(chr, range(0x4E00, 0x4E00 + 300))), base="characters")
    reader = Reader(pack([run]))
    assert reader.header["runs"][0]["words"]["width"] == 4
    assert reader.pieces(reader.header["runs"][0]["words"]) == [list(w) for w, _ in run.words]


def test_units_that_the_base_does_not_have() -> None:
    run = player_run("low lower", try_pieces=[[108, -1], [], [119]])
    reader = Reader(pack([run]))
    assert reader.pieces(reader.header["runs"][0]["tried"]) == [[108, -1], [], [119]]


def test_equal_input_gives_equal_bytes() -> None:
    assert pack([player_run("a b a b")]) == pack([player_run("a b a b")])


def test_the_serial_names_the_runs_only() -> None:
    run = player_run("low lower lowest")
    plain = Reader(pack([run], settings={"step": 0})).header
    moved = Reader(pack([run], settings={"step": 5, "predict": True})).header
    tried = Reader(pack([replace(run, try_pieces=[[1, 2]])])).header
    other = Reader(pack([player_run("low lower newest")])).header
    assert plain["serial"] == moved["serial"] == tried["serial"] != other["serial"]
    assert plain["tried"] == moved["tried"] != tried["tried"]


def test_names_of_unseen_characters_only() -> None:
    header = Reader(pack([player_run("é\u200b 好\u00a0x\ty")])).header
    named = ("\u200b", "\u00a0")
    assert header["names"] == {f"{ord(c):x}": unicodedata.name(c) for c in named}


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="one entry a merge"):
        replace(player_run("low low"), tied=())


def test_a_base_larger_than_the_tokens_is_refused() -> None:
    with pytest.raises(ValueError, match="base of 300"):
        player_run("low low", merges=1, base_size=300)


def test_a_text_that_teaches_nothing() -> None:
    for text in ("", "a"):
        header = Reader(pack([player_run(text)])).header
        assert header["runs"][0]["columns"]["lefts"][1] == 0


def test_number_of_runs_and_speed_are_checked() -> None:
    run = player_run("low low")
    with pytest.raises(ValueError, match="one to 3 runs"):
        merge_player([], key="p")
    with pytest.raises(ValueError, match="one to 3 runs"):
        merge_player([run] * 4, key="p")
    with pytest.raises(ValueError, match="speed is one of"):
        merge_player([run], key="p", speed="3")  # type: ignore[arg-type]
    assert SPEEDS[0] == "0.5"
