"""The Cost page without a browser: counts, sentences, tables, charts, links."""

from __future__ import annotations

import csv
import io
import json
import statistics
from dataclasses import replace
from math import ceil
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import engine
from pages.ui import parallel
from pages.ui.cost import counting, settings
from pages.ui.cost.check import compared as checked
from pages.ui.cost.comparison import compared, table
from pages.ui.cost.counting import Column
from pages.ui.cost.files import as_json
from pages.ui.cost.money import decimals
from pages.ui.cost.words import said_of_normalizers
from pages.ui.prices import prices
from pages.ui.samples import FOLDER
from pages.ui.token_rows import as_csv
from tests.pages.running import said
from tests.shared import NAMES, ROOT, reference, tokenizer

TITLES = {tag: language.title for tag, language in parallel.languages().items()}


def page(**asked: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.switch_page("pages/cost.py")
    for word, value in asked.items():
        app.query_params[word] = value
    app.run()
    assert not app.exception
    return app


def figure(app: AppTest, place: int) -> dict[str, Any]:
    return json.loads(app.get("plotly_chart")[place].proto.spec)  # type: ignore[no-any-return]


def shown_table(app: AppTest, place: int) -> list[dict[str, Any]]:
    return app.dataframe[place].value.to_dict("records")  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", NAMES)
def test_counts_equal_the_reference_libraries(name: str) -> None:
    """Every bundled text in every form; a text that a form leaves as it is is asked for once."""
    groups = [parallel.paragraphs(tag) for tag in parallel.languages()]
    groups += [(file.read_bytes().decode(),) for file in FOLDER.glob("t*/*")]
    assert len(groups) > 13 + 20
    for texts in groups:
        known: dict[str, int] = {}
        for form in engine.FORMS:
            written = [engine.normalize(text, form) for text in texts]
            for text in set(written) - set(known):
                known[text] = len(reference(name).ids(text, "text"))
            theirs = tuple(known[text] for text in written)
            assert counting.paragraph_tokens(name, form, texts) == theirs


def test_it_opens_on_all_languages_worked_out() -> None:
    app = page(only="1")
    rows = shown_table(app, 0)
    assert len(rows) == 13 * 2
    (row,) = (r for r in rows if (r["language"], r["tokenizer"]) == ("Thai", "GPT-4 (cl100k)"))
    theirs, base = (
        [len(reference("cl100k_base").ids(text, "text")) for text in parallel.paragraphs(tag)]
        for tag in ("th", "en")
    )
    single = [a / b for a, b in zip(theirs, base, strict=True)]
    assert row["tokens"] == sum(theirs)
    assert row["premium over English"] == pytest.approx(sum(theirs) / sum(base))
    assert row["mean of paragraphs"] == pytest.approx(statistics.fmean(single))
    assert (row["smallest"], row["largest"]) == pytest.approx((min(single), max(single)))
    assert row["paragraphs"] == 30
    text = "".join(parallel.paragraphs("th"))
    assert row["bytes (UTF-8)"] == len(text.encode())
    assert row["code points"] == len(text)
    assert "(Hindi, GPT-4 (cl100k)). Exact counts over 30 paragraphs." in said(app)
    assert app.query_params == {"only": "1"}


def test_all_bundled_tokenizers_stand_beside_the_chosen_ones() -> None:
    app = page(t="qwen3")
    heat = figure(app, 0)
    assert heat["layout"]["xaxis"]["ticktext"][0] == "Qwen3"
    assert len(heat["layout"]["xaxis"]["ticktext"]) == len(NAMES)
    labels = [label.split("<br>") for label in heat["layout"]["yaxis"]["ticktext"]]
    assert [label[0] for label in labels] == list(TITLES.values())
    assert [label[-1] for label in labels] == [one.name for one in parallel.languages().values()]
    assert [trace["name"] for trace in figure(app, 1)["data"] if trace["type"] == "bar"] == [
        "Qwen3"
    ]


def test_baseline_kind_form_and_measure_come_from_the_link() -> None:
    words = {"from": "vi", "kind": "news", "form": "NFD", "measure": "tokens"}
    app = page(t="o200k_base", only="1", **words)
    rows = shown_table(app, 0)
    assert {row["paragraphs"] for row in rows} == {6}
    (vietnamese,) = (row for row in rows if row["language"] == "Vietnamese")
    assert vietnamese["premium over Vietnamese"] == 1
    expected = sum(
        len(reference("o200k_base").ids(engine.normalize(text, "NFD"), "text"))
        for text in parallel.paragraphs("vi", "news")
    )
    assert vietnamese["tokens"] == expected
    heat = figure(app, 0)["data"][0]
    assert heat["text"][1] == [f"{expected:,}"]
    assert {word: app.query_params[word] for word in words} == words


def test_a_link_may_say_nonsense() -> None:
    app = page(form="NFX", lang="tlh", only="1", **{"from": "xx"})
    text = said(app)
    for word in ("form='NFX'", "lang='tlh'", "from='xx'"):
        assert f"The link asks for {word}" in text
    assert len(app.dataframe) >= 1


def test_forms_of_vietnamese_cost_what_is_known_of_them() -> None:
    """Taken apart it costs about double, but nothing where the tokenizer composes it again."""
    app = page()
    heat = figure(app, 2)
    ratio = {
        (form.split("<br>")[0], tokenizer_title): float(text)
        for form, texts in zip(
            heat["layout"]["yaxis"]["ticktext"], heat["data"][0]["text"], strict=True
        )
        for tokenizer_title, text in zip(heat["layout"]["xaxis"]["ticktext"], texts, strict=True)
    }
    for dear in ("GPT-4<br>(cl100k)", "GPT-4o<br>(o200k)", "DeepSeek-V3"):
        assert 1.7 < ratio["NFD", dear] < 2.4
    for same in ("Qwen2.5", "Qwen3"):
        assert ratio["NFD", same] == ratio["Mixed", same] == ratio["NFC", same] == 1
    assert ratio["No marks", "GPT-4<br>(cl100k)"] < 0.8
    assert ratio["No marks", "GPT-4o<br>(o200k)"] > 1
    assert ratio["No marks", "Qwen3"] > 1


def test_each_tokenizer_says_whether_it_normalizes() -> None:
    assert said_of_normalizers(
        {name: tokenizer(name).normalizer for name in ("gpt2", "qwen3", "deepseek-v3")}
    ) == [
        "gpt2 and deepseek-v3 do not normalize: each form of a text has its own count.",
        "qwen3 normalizes every text first (NFC): forms that come out the same cost the same.",
    ]


def column(tokens: dict[str, tuple[int, ...]]) -> Column:
    return Column(name="gpt2", title="=GPT-2", tokens=tokens)


def test_a_wrong_count_is_found() -> None:
    texts = {"en": ("Hello", "Good day")}
    right = {"en": counting.paragraph_tokens("gpt2", "none", texts["en"])}
    assert checked(column(right), "none", texts, reference("gpt2")).equal is True
    verdict = checked(column({"en": (1, 9)}), "none", texts, reference("gpt2"))
    assert verdict.equal is False
    assert verdict.words == "✗ 1 of 2 counts differ from tiktoken 0.14.0"


def test_files_hold_what_the_table_shows() -> None:
    lengths = {tag: counting.lengths("none", ("ab cd",)) for tag in ("en", "th")}
    cells = compared(column({"en": (2,), "th": (5,)}), TITLES, lengths, "en")
    rows = list(table(cells, "English"))
    found = list(csv.DictReader(io.StringIO(as_csv(rows).decode("utf-8-sig"))))
    assert found[1]["tokenizer"] == "'=GPT-2"
    assert float(found[1]["premium over English"]) == 2.5
    document = json.loads(as_json(rows, {"form": "none"}))
    assert document["form"] == "none"
    assert document["rows"][1]["words per token"] == 2 / 5


def test_words_are_counted_only_where_blanks_stand_between_them() -> None:
    assert counting.lengths("none", parallel.paragraphs("th")).words is None
    english = parallel.paragraphs("en")
    assert counting.lengths("none", english).words == sum(len(text.split()) for text in english)


def test_projector_shows_the_heat_map_alone() -> None:
    app = page(projector="dark", only="1")
    assert len(app.get("plotly_chart")) == 1
    assert figure(app, 0)["layout"]["font"]["color"] == "#f4f5f7"
    assert not app.dataframe


def test_every_form_has_a_title_and_words() -> None:
    assert list(settings.FORM_TITLES) == list(settings.FORM_WORDS) == list(engine.FORMS)


def test_the_bill_of_the_same_content_in_each_language() -> None:
    """By hand from the reference's counts: 2,000 characters in, half of them cached, 500 out."""
    app = page(view="money", model="gpt-4o")
    found = {row["language"]: row for row in shown_table(app, 0)}
    characters = sum(engine.count_graphemes(text) for text in parallel.paragraphs("en"))
    tokens = sum(len(reference("o200k_base").ids(t, "text")) for t in parallel.paragraphs("th"))
    sent, cached, written = (ceil(n * tokens / characters) for n in (2_000, 1_000, 500))
    thai = found["Thai"]
    assert (thai["tokens in, a request"], thai["tokens out, a request"]) == (sent, written)
    million = ((sent - cached) * 2.5 + cached * 1.25 + written * 10) * 10_000
    assert thai["USD per day"] == pytest.approx(million / 1e6)
    assert thai["% of the context"] == pytest.approx((sent + written) / 128_000 * 100)
    own = sum(engine.count_graphemes(text) for text in parallel.paragraphs("th"))
    assert thai["characters per second"] == pytest.approx(50 * own / tokens)
    assert "2026-11, public price map" in said(app)


def test_a_tiny_bill_is_not_zero() -> None:
    words = {"view": "money", "model": "gpt-5-nano", "requests": "1", "in": "1", "out": "0"}
    app = page(**words, cached="0")
    assert shown_table(app, 0)[0]["USD per day"] == pytest.approx(0.05e-6)
    assert "from ≈ $0.00000005 (English)" in said(app)
    assert decimals([5e-8]) == 10


def test_the_compute_behind_a_prefix() -> None:
    text = said(page(view="money"))
    assert "100,000,000 requests × 300 tokens = 30,000,000,000 tokens a day" in text
    assert "7,000,000,000 parameters = 4.2 × 10²⁰ operations" in text
    assert "(10¹⁵ a second × 50% used) ≈ 9.7 days of one device" in text
    assert "At gpt-4o, $75,000.00 a day; $37,500.00 where it is cached." in text
    halved = said(page(view="money", used="100", billions="3.5"))
    assert "≈ 2.4 days of one device" in halved


def test_an_edited_price_is_reckoned_with() -> None:
    app = page(view="money", model="gpt-4")
    assert "$30.00 per million tokens in, nothing off for a cached prefix" in said(app)
    kept = dict(prices()) | {"gpt-4": replace(prices()["gpt-4"], input_usd=0.125, exact=False)}
    app.session_state["prices"] = kept
    app.run()
    assert "$0.125 per million tokens in" in said(app)
    assert "an estimate: the provider names no vocabulary" in said(app)
    app.session_state["prices"] = {"x": replace(prices()["gpt-4"], model="x", tokenizer="lost")}
    app.run()
    assert not app.exception
    assert "x with lost" in said(app)


def test_a_model_that_is_in_no_table_is_said_and_not_silently_another() -> None:
    text = said(page(view="money", model="gpt-4.5"))
    assert "The model gpt-4.5 is not in this table of prices" in text
    assert "gpt-4o is reckoned with." in text
    assert "is not in this table" not in said(page(view="money", model="gpt-4"))


def test_nothing_to_pay_is_said_so() -> None:
    assert "Nothing is to be paid" in said(page(view="money", requests="0"))


@pytest.mark.parametrize("word", ["nan", "inf", "1e400", "1e-320", "0.05", "-1", "fast"])
def test_a_speed_that_is_none_is_said(word: str) -> None:
    assert f"The link asks for tps='{word}'; there is 0.1 to 1,000,000." in said(
        page(view="money", tps=word)
    )
