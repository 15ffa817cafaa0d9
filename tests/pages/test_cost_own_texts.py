"""Own texts on the Cost page: cut, aligned, counted, converted."""

from __future__ import annotations

import unicodedata

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import parallel
from pages.ui.cost.own import cost_of_form
from pages.ui.cost.own_texts import OwnText, aligned, paragraphs
from tests.pages.running import said
from tests.pages.test_cost_page import page, shown_table
from tests.shared import reference


def own(*texts: str) -> tuple[OwnText, ...]:
    return tuple(OwnText(name=f"T{place}", text=text) for place, text in enumerate(texts))


def tokens(name: str, text: str) -> int:
    return len(reference(name).ids(text, "text"))


def opened(*texts: str) -> AppTest:
    app = page(view="own", t="cl100k_base,o200k_base")
    if texts:
        app.session_state["cost texts"] = own(*texts)
        app.run()
        assert not app.exception
    return app


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ()),
        (" \n\n ", ()),
        ("one", ("one",)),
        ("a\r\n\r\nb", ("a", "b")),
        ("a\n \t\n\n\nb\nc\n", ("a", "b\nc")),
    ],
)
def test_paragraphs_stand_between_blank_lines(text: str, parts: tuple[str, ...]) -> None:
    assert paragraphs(text) == parts


def test_unequal_texts_are_compared_as_wholes() -> None:
    texts, words = aligned(own("a\n\nb", "c", "", "d\n\ne\n\nf"))
    assert texts == {"0": ("a\n\nb",), "1": ("c",), "3": ("d\n\ne\n\nf",)}
    assert "parts between blank lines: T0 2, T1 1, T3 3." in words
    assert aligned(own("a\n\nb", "c\n\nd")) == ({"0": ("a", "b"), "1": ("c", "d")}, "")


def test_it_opens_on_a_sample_that_is_not_in_nfc() -> None:
    app = opened()
    composed = "\n\n".join(parallel.paragraphs("vi")[:3])
    now, then = (tokens("cl100k_base", unicodedata.normalize(f, composed)) for f in ("NFD", "NFC"))
    assert "This text is in NFD, taken apart." in said(app)
    assert cost_of_form("GPT-4 (cl100k)", now, then) in said(app)


def test_the_mixed_form_is_recognised() -> None:
    app = opened("Vietnamese", "tiê\u0301ng Viê\u0323t")
    assert "This text is in the mixed form: tone marks stand apart." in said(app)


def test_counts_and_premium_of_own_texts() -> None:
    app = opened("Good morning\n\nThank you", "Chào buổi sáng\n\nCảm ơn bạn")
    rows = {(row["language"], row["tokenizer"]): row for row in shown_table(app, 0)}
    row = rows["T1", "GPT-4o (o200k)"]
    expected = [tokens("o200k_base", text) for text in ("Chào buổi sáng", "Cảm ơn bạn")]
    base = [tokens("o200k_base", text) for text in ("Good morning", "Thank you")]
    assert row["tokens"] == sum(expected)
    assert row["premium over T0"] == pytest.approx(sum(expected) / sum(base))
    assert row["paragraphs"] == 2


@pytest.mark.parametrize("text", ["<script>*a*</script>", "=1+1", "\x00", "\u202e", "a" * 20_000])
def test_odd_texts_and_names(text: str) -> None:
    app = opened(text, text)
    app.session_state["cost texts"] = (
        OwnText(name="<s>*x*</s>", text=text),
        OwnText(name="=1", text=text),
    )
    app.run()
    assert not app.exception
    assert {row["premium over <s>*x*</s>"] for row in shown_table(app, 0)} == {1.0}


def test_one_text_is_nothing_to_compare() -> None:
    assert "Paste at least two texts to compare." in said(opened("only one", " "))


def test_texts_are_added_and_removed() -> None:
    app = opened()
    app.button[[b.label for b in app.button].index("Another text")].click().run()
    assert len(app.session_state["cost texts"]) == 3
    app.button[[b.label for b in app.button].index("One text fewer")].click().run()
    assert len(app.session_state["cost texts"]) == 2


def test_the_baseline_of_own_texts_is_changed() -> None:
    app = opened("Good morning", "Chào buổi sáng", "สวัสดีตอนเช้า")
    (baseline,) = (one for one in app.selectbox if one.label == "Baseline")
    assert baseline.options == ["T0", "T1", "T2"]
    baseline.select_index(2).run()
    assert not app.exception
    rows = {(row["language"], row["tokenizer"]): row for row in shown_table(app, 0)}
    base = tokens("cl100k_base", "สวัสดีตอนเช้า")
    for name, text in (("T0", "Good morning"), ("T2", "สวัสดีตอนเช้า")):
        premium = rows[name, "GPT-4 (cl100k)"]["premium over T2"]
        assert premium == pytest.approx(tokens("cl100k_base", text) / base)
    assert "The texts against T2." in said(app)
    # The text that was the baseline may go: another takes its place.
    app.button[[b.label for b in app.button].index("One text fewer")].click().run()
    assert not app.exception
    assert "The texts against T0." in said(app)
