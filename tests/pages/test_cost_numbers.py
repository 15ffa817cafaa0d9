"""Sentences, digits, letters and speed on the Cost page.

The counts and pieces are those of a published lesson, recomputed with tiktoken and tokenizers.
"""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.piece_encoder import PieceEncoder
from engine.tokenizer import LosslessEncoder
from pages.reference.speed import AGAIN, FIRST, libraries, measured
from pages.ui.cost import long_count
from pages.ui.cost.counting import lengths, paragraph_tokens, stretches
from pages.ui.cost.letters import letter_rows
from pages.ui.cost.numbers import NUMBERS, digit_rows
from pages.ui.cost.own_texts import OwnText
from pages.ui.cost.speed import MOST_BYTES, measured_text, row
from pages.ui.parallel import languages, paragraphs
from tests.pages.running import said
from tests.pages.test_cost_page import figure, page
from tests.shared import NAMES, reference, tokenizer

# cl100k, o200k, Qwen2.5.
COUNTS = {
    "Tất nhiên, tôi sẽ giúp bạn": (16, 8, 8),
    "Trường Đại học Bách khoa Hà Nội": (15, 9, 10),
    "Tiếng Việt": (6, 3, 4),
    "Nguyễn": (5, 2, 3),
    "Hello world": (2, 2, 2),
    "12345678": (3, 3, 8),
    "2026-10-17": (6, 6, 10),
}
TITLES = ("GPT-4<br>(cl100k)", "GPT-4o<br>(o200k)", "Qwen2.5")


def shown(heat: dict[str, Any]) -> dict[tuple[str, str], str]:
    """The cells by sentence and tokenizer."""
    rows = [text.replace("<br>", " ") for text in heat["layout"]["yaxis"]["ticktext"]]
    return {
        (sentence, title): cell
        for sentence, cells in zip(rows, heat["data"][0]["text"], strict=True)
        for title, cell in zip(heat["layout"]["xaxis"]["ticktext"], cells, strict=True)
    }


def test_the_published_sentence_table_comes_out_on_the_page() -> None:
    cells = shown(figure(page(view="numbers"), 0))
    for sentence, counts in COUNTS.items():
        assert tuple(int(cells[sentence, title]) for title in TITLES) == counts


def test_the_published_digits_come_out_on_the_page() -> None:
    app = page(view="numbers")
    cells = app.table[0].value.astype(str).to_numpy().tolist()
    plain = {row[0].replace("\\", ""): row for row in cells}
    parts = {
        title: [cell.replace("\u2068", "").replace("\u2069", "").replace("\\", "") for cell in row]
        for title, row in ((key.strip("\u2068\u2069"), row) for key, row in plain.items())
    }
    for title in ("GPT-4 (cl100k)", "GPT-4o (o200k)"):
        assert parts[title][1:3] == ["123 │ 456 │ 78", "202 │ 6 │ - │ 10 │ - │ 17"]
    assert parts["Qwen2.5"][1] == " │ ".join("12345678")


def test_digits_are_cut_as_the_libraries_cut_them() -> None:
    for name, found in zip(NAMES, digit_rows(NAMES), strict=True):
        for number in NUMBERS:
            ids = reference(name).ids(number, "text")
            assert len(found[number].split(" │ ")) == len(ids)


def test_own_sentences_come_from_the_link_and_are_shown_as_they_are() -> None:
    sentences = "<b>x</b>\n\n$5 *and* `6`"
    app = page(view="numbers", sentences=sentences)
    cells = shown(figure(app, 0))
    for line, label in (("<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"), ("$5 *and* `6`",) * 2):
        assert cells[label, TITLES[1]] == str(len(reference("o200k_base").ids(line, "text")))
    assert app.query_params["sentences"] == sentences


def test_bytes_of_letters() -> None:
    """Published: a is one byte, ê, đ and à two, ẽ and ệ three."""
    rows = {row["script"]: row for row in letter_rows()}
    assert rows["Latin without marks"]["bytes each"] == "1"
    assert rows["Vietnamese, no tone mark"]["bytes each"] == "2"
    assert rows["Vietnamese, tone below"]["bytes each"] == "3"
    assert rows["Emoji"]["bytes each"] == "4"
    text = "".join(paragraphs("ru"))
    assert rows["Cyrillic"]["bytes per character of it"] == pytest.approx(
        len(text.encode()) / engine.count_graphemes(text)
    )


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("name", ["cl100k_base", "qwen3"])
def test_every_library_that_is_measured_gives_the_same_ids(name: str, form: engine.Form) -> None:
    composed = "\n\n".join("".join(paragraphs(tag)[:2]) for tag in ("en", "vi", "th"))
    text = engine.normalize(composed, form)
    kinds = libraries(tokenizer(name), reference(name))
    found = list(measured(tokenizer(name), kinds, text))
    assert [one.title.split(" ")[0] for one in found[2:]] == (
        ["tiktoken", "tokenizers"] if name == "cl100k_base" else ["tokenizers", "tiktoken"]
    )
    assert [one.title for one in found[:2]] == [FIRST, AGAIN]
    assert all(one.equal for one in found[2:])
    assert all(one.seconds and one.seconds > 0 for one in found)
    assert row("T", found[2], 1_000_000)["ids"] == "✓ equal to ours"


def test_measuring_empties_no_memory_that_others_use(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[str] = []
    encoder = tokenizer("qwen3").encoder
    assert isinstance(encoder, LosslessEncoder)
    for method in ("forget", "ids"):
        shared = getattr(PieceEncoder, method)

        def noted(self: PieceEncoder, *args: Any, _shared: Any = shared) -> Any:
            if self is encoder.encoder:
                used.append(_shared.__name__)
            return _shared(self, *args)

        monkeypatch.setattr(PieceEncoder, method, noted)
    found = list(measured(tokenizer("qwen3"), [reference("qwen3")], "Xin chào, 你好"))
    assert [one.title for one in found[:2]] == [FIRST, AGAIN]
    assert found[2].equal
    assert used == []
    assert tokenizer("qwen3").encode("Xin chào").ids == reference("qwen3").ids("Xin chào", "text")
    assert used == ["ids"]


def test_what_is_measured_has_at_most_a_megabyte_and_whole_characters() -> None:
    text = measured_text(["中" * 900_000, "b"])
    assert len(text.encode()) <= MOST_BYTES
    assert set(text) == {"中"}


def test_long_texts_are_counted_in_parts_that_add_up() -> None:
    for tag in ("vi", "zh-Hans", "th"):
        once = " ".join(paragraphs(tag))
        text = " and then ".join([once] * (450_000 // len(once)))
        parts = list(stretches(tokenizer("qwen3"), text))
        assert "".join(parts) == text
        assert len(parts) > 1
        told: list[int] = []
        (count,) = paragraph_tokens("qwen3", "none", (text,), told.append)
        assert count == len(reference("qwen3").ids(text, "text"))
        assert told


def test_lengths_of_paragraphs_are_those_of_each_together() -> None:
    for tag in languages():
        parts = paragraphs(tag)
        each = [engine.text_counts(part) for part in parts]
        found = lengths("NFD", tuple(engine.normalize(part, "NFC") for part in parts))
        assert found.graphemes == sum(one.graphemes for one in each)
        found = lengths("none", parts)
        assert (found.bytes, found.code_points) == (
            sum(one.bytes for one in each),
            sum(one.code_points for one in each),
        )


def test_a_long_count_that_was_stopped_waits() -> None:
    text = "\n\n".join(f"{place} {part}" for place in range(60) for part in paragraphs("en"))
    assert len(text) > long_count.LIVE_BYTES
    app = page(view="own", t="gpt2")
    app.session_state["cost texts"] = (OwnText(name="A", text=text), OwnText(name="B", text="b"))
    shape = [("0", 1, len(text)), ("1", 1, 1)]
    app.session_state["cost count stopped"] = repr((("gpt2",), shape, []))
    app.run()
    assert not app.exception
    assert "Counting was stopped" in said(app)
    app.button[[b.label for b in app.button].index("Go on counting")].click().run()
    assert "Counting was stopped" not in said(app)
    (counts,) = [r for r in app.dataframe[0].value.to_dict("records") if r["language"] == "A"]
    assert counts["tokens"] == len(reference("gpt2").ids(text, "text"))


def test_long_texts_that_are_taken_apart_are_counted_under_one_bar() -> None:
    """In parts against each other, and as a whole to tell what NFC would save."""
    composed = "\n\n".join(f"{place} {part}" for place in range(30) for part in paragraphs("vi"))
    texts = [engine.normalize(composed, "NFD"), engine.normalize(composed, "mixed")]
    assert all(len(text.encode()) > long_count.LIVE_BYTES for text in texts)
    app = page(view="own", t="o200k_base")
    app.session_state["cost texts"] = tuple(
        OwnText(name=name, text=text, brought=True) for name, text in zip("AB", texts, strict=True)
    )
    app.run()
    assert not app.exception
    after = len(reference("o200k_base").ids(composed, "text"))
    for text in texts:
        now = len(reference("o200k_base").ids(text, "text"))
        assert f"{now:,} tokens now, {after:,} after NFC" in said(app)
