"""The Training page without a browser: links, rules, notes, files, and its tokenizer elsewhere."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

import engine
from engine import PRESETS, TrainingSettings
from engine.training_settings import PATTERNS
from pages.ui.corpora import corpora, held_out
from pages.ui.settings import TOKENIZERS, LinkError
from pages.ui.trained_names import OWN, Recipe, recipe_of
from pages.ui.training import words
from pages.ui.training.charts import KEYS, merge_words, points
from pages.ui.training.keep import NoTrainingFile, pack, unpack
from pages.ui.training.try_it import UNKNOWN, pieces_to_try
from tests.pages.running import said, settled
from tests.shared import ROOT, records


def page(file: str = "training", /, **asked: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.switch_page(f"pages/{file}.py")
    for word, value in asked.items():
        app.query_params[word] = value
    return settled(app)


def charts(app: AppTest) -> list[dict[str, object]]:
    return [json.loads(element.proto.spec) for element in app.get("plotly_chart")]


def test_it_opens_on_a_lesson_worked_out() -> None:
    app = page()
    assert "Small enough to count by hand" in said(app)
    assert "at most 8 merges; of equally frequent pairs the one met first" in said(app)
    assert "from 94 tokens to 62, the next 4 to 38" in said(app)
    assert len(charts(app)) == len(KEYS)


def test_a_link_sets_corpus_and_rules() -> None:
    app = page(c="vi", m="700", p="gpt2", ties="smallest-ids", base="stand-in bytes", k="3")
    assert app.selectbox(key="widget:preset").value == "hugging-face"
    assert "at most 700 merges" in said(app)
    assert "Unseen texts of the same content in three languages take" in said(app)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_trains(preset: str) -> None:
    rules = replace(PRESETS[preset], merges=20)
    asked = {"p": rules.pattern, "ties": rules.ties, "base": rules.base}
    app = page(c="nghe", m="20", **asked)
    assert app.selectbox(key="widget:preset").value == preset
    assert words.rules(rules) in said(app)


def test_choosing_a_preset_sets_its_rules() -> None:
    app = page()
    app.selectbox(key="widget:preset").set_value("lesson D").run()
    assert not app.exception
    assert "the one with the larger ids goes first" in said(app)


def test_choosing_a_corpus_brings_rules_that_fit() -> None:
    app = page()
    app.selectbox(key="widget:c").set_value("zh").run()
    assert not app.exception
    assert "at most 2,000 merges" in said(app)


@pytest.mark.parametrize(
    "asked",
    [
        {"c": "nowhere"}, {"m": "-1"}, {"m": "1e9"}, {"p": "x"}, {"ties": "x"}, {"base": "x"},
        {"f": "0"}, {"race": "2"}, {"racers": "vi,nowhere"}, {"k": "x"}, {"px": "a" * 501},
        {"beside": "x"},
    ],
)  # fmt: skip
def test_what_a_link_cannot_ask_is_said(asked: dict[str, str]) -> None:
    assert "link" in said(page(**asked))


def test_a_link_to_a_text_of_ones_own_falls_back() -> None:
    app = page(c=f"{OWN}{'0' * 32}", m="5")
    assert "The link was made with a text of somebody's own" in said(app)
    assert "at most 5 merges" in said(app)


def test_dropped_characters_are_said() -> None:
    app = page(c="code", m="10", p="lesson A", ties="smallest-ids")
    assert "drops the underscore _." in said(app)
    assert "this is not lossless" in said(app)
    assert "No .tiktoken file" in said(app)


def test_running_dry_is_a_result() -> None:
    app = page(c="aaab", m="300", p="none")
    assert "of 300 merges: each piece has become one token" in said(app)


def test_special_tokens_are_said() -> None:
    app = page(c="board", m="3", sp="low", p="words", base="characters")
    assert "Cut out of the corpus before counting: low (" in said(app)


def test_a_wild_pattern_is_asked_for_and_refused() -> None:
    app = page(p="own", px="(")
    assert "Press Train" in said(app)
    next(button for button in app.button if button.label == "Train").click().run()
    assert not app.exception
    assert "cannot be used" in said(app)


def test_an_empty_pattern_is_asked_for_and_something_is_shown() -> None:
    app = page(p="own")
    assert "Your own split pattern is empty" in said(app)
    assert len(charts(app)) == len(KEYS)


def test_large_work_waits_for_the_button() -> None:
    app = page(c="vi", m="20000", p="gpt2", ties="smallest-ids")
    assert "Press Train" in said(app)
    next(button for button in app.button if button.label == "Train").click().run()
    assert not app.exception
    assert "of 20,000 merges: each piece has become one token" in said(app)


def test_race() -> None:
    app = page(race="1", m="300", p="gpt2", ties="smallest-ids")
    table = app.dataframe[0].value
    assert list(table["trained on"]) == ["Vietnamese", "Chinese", "English"]
    for place, language in enumerate(("Vietnamese", "Chinese", "English")):
        column = list(table[f"tokens, unseen {language}"])
        assert min(column) == column[place]


def test_racing_brings_rules_that_fit_and_takes_them_back() -> None:
    app = page()
    app.toggle(key="widget:race").set_value(True).run()
    assert not app.exception
    assert "at most 2,000 merges" in said(app)
    app.toggle(key="widget:race").set_value(False).run()
    assert "at most 8 merges" in said(app)


def test_racing_keeps_rules_of_ones_own() -> None:
    app = page(m="5")
    app.toggle(key="widget:race").set_value(True).run()
    assert "at most 5 merges" in said(app)


def test_a_tokenizer_is_named_by_the_merges_that_were_made() -> None:
    """Of ``aaab`` with no pattern, all is one token long before 300 merges."""
    app = page(c="aaab", m="300", p="none")
    made = len(
        engine.train(corpora()["aaab"].text, TrainingSettings(merges=300, pattern="none")).steps
    )
    assert made < 300
    offered = app.run().sidebar.multiselect[0].options
    assert f"Trained: {corpora()['aaab'].title} ({made} merges)" in offered


def test_training_costs_more_in_other_languages() -> None:
    for own, other in (("vi", "en"), ("en", "vi")):
        run = engine.train(corpora()[own].text, replace(PRESETS["plain"], merges=1_000))
        count = {one.id: run.tokenizer.count(one.text) for one in held_out()}
        assert count[own] < 0.7 * count[other]


def test_charts_say_the_merge() -> None:
    run = engine.train("<s><s>&b", PRESETS["minbpe basic"])
    assert merge_words(run, 1) == "merge 1: <b>&lt;</b> + <b>s</b> → <b>&lt;s</b> (2 ×)"
    assert merge_words(run, 0) == "no merge yet"
    first = charts(page(c="four-words"))[0]["data"][0]  # type: ignore[index]
    assert first["customdata"][1].endswith("merge 1: <b>e</b> + <b>s</b> → <b>es</b> (9 ×)")


def test_points_begin_and_end_a_run() -> None:
    for last in (0, 1, 89, 90, 500, 50_000):
        at = points(last)
        assert at == sorted(set(at))
        assert (at[0], at[-1]) == (0, last)
        assert len(at) <= 90


NAMED = [
    Recipe(corpus="vi", settings=PRESETS["plain"]),
    Recipe(corpus="four-words", settings=PRESETS["lesson C"]),
    Recipe(
        corpus="en",
        settings=TrainingSettings(
            merges=0,
            pattern="own",
            expression=r"\p{L}+|~,| %",
            min_frequency=1,
            special_tokens=("<|a~b|>", "a,b", "é%"),
        ),
    ),
    Recipe(corpus=f"{OWN}abc", settings=TrainingSettings(min_frequency=7)),
]


@pytest.mark.parametrize("recipe", NAMED)
def test_a_name_says_the_recipe(recipe: Recipe) -> None:
    assert recipe_of(recipe.name) == recipe
    assert "," not in recipe.name
    assert TOKENIZERS.read(recipe.name) == (recipe.name,)


@pytest.mark.parametrize(
    "name",
    [
        "gpt2", "trained", "trained~vi", "trained~nowhere~1~gpt2~first-seen~bytes",
        "trained~vi~-1~gpt2~first-seen~bytes", "trained~vi~1~x~first-seen~bytes",
        "trained~vi~99999999~gpt2~first-seen~bytes", "trained~vi~1~gpt2~x~bytes",
        "trained~vi~1~gpt2~first-seen~x", "trained~vi~1~gpt2~first-seen~bytes~0",
        "trained~vi~1~gpt2~first-seen~bytes~1~~~more",
    ],
)  # fmt: skip
def test_other_names_say_none(name: str) -> None:
    assert recipe_of(name) is None
    if name != "gpt2":
        with pytest.raises(LinkError):
            TOKENIZERS.read(name)


def test_the_trained_tokenizer_on_the_tokens_page() -> None:
    recipe = Recipe(corpus="vi", settings=PRESETS["plain"])
    app = page("tokens", t=f"{recipe.name},gpt2")
    assert "Trained: Vietnamese, 50 kB (300 merges): ✓ ids equal to tokenizers" in said(app)
    assert "✗" not in said(app)


def test_a_lossy_one_is_not_called_lossless_nor_failed() -> None:
    recipe = Recipe(corpus="code", settings=PRESETS["lesson A"])
    app = page("tokens", t=recipe.name, x=_packed("snake_case"))
    assert "✓ ids equal to tokenizers" in said(app)
    assert "✓ ids decode to the text" not in said(app)
    assert "✗" not in said(app)


def test_characters_never_seen_on_the_tokens_page() -> None:
    recipe = Recipe(corpus="board", settings=PRESETS["characters"])
    app = page("tokens", t=recipe.name, x=_packed("slow zoo"))
    assert "some characters have no id" in said(app)
    assert "✗" not in said(app)


@pytest.mark.parametrize("part", ["ids", "vocabulary"])
def test_the_other_parts_of_the_tokens_page(part: str) -> None:
    recipe = Recipe(corpus="zh", settings=PRESETS["plain"])
    assert "✗" not in said(page("tokens", t=recipe.name, part=part))


def test_a_tokenizer_of_somebody_elses_text_is_not_here() -> None:
    recipe = Recipe(corpus=f"{OWN}{'0' * 32}", settings=PRESETS["plain"])
    app = page("tokens", t=f"{recipe.name},gpt2")
    assert "trained on a text of somebody's own" in said(app)
    assert app.multiselect[0].value == ["gpt2"]


def _packed(text: str) -> str:
    from pages.ui.settings import pack_text

    packed = pack_text(text)
    assert packed is not None
    return packed


def test_corpus_and_settings_come_back() -> None:
    recipe = Recipe(
        corpus="four-words", settings=replace(PRESETS["lesson C"], special_tokens=("x",))
    )
    title, rules, text = unpack(pack(recipe, "a\r\nb\0é"))
    assert (title, rules, text) == ("low, lower, newest, widest", recipe.settings, "a\r\nb\0é")


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("merges", -1), ("merges", 10**9), ("merges", "8"), ("pattern", "x"), ("ties", 1),
        ("base", None), ("min_frequency", 0), ("unknown", 1), ("special_tokens", 3),
    ],
)  # fmt: skip
def test_a_changed_file_is_refused(change: str, value: object) -> None:
    document = json.loads(pack(NAMED[1], "text"))
    document["settings"][change] = value
    with pytest.raises(NoTrainingFile):
        unpack(json.dumps(document).encode())


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("special_tokens", ["a"] * 17),
        ("special_tokens", ["a b"]),
        ("special_tokens", [""]),
        ("expression", "a" * 501),
    ],
)
def test_settings_that_no_control_can_show_are_refused(change: str, value: object) -> None:
    document = json.loads(pack(NAMED[1], "text"))
    document["settings"][change] = value
    with pytest.raises(NoTrainingFile, match="cannot be set here"):
        unpack(json.dumps(document).encode())


LONE = [one["input"] for one in records("cases.json") if one["id"] in ("C183", "C186")]


@pytest.mark.parametrize("lone", LONE)
@pytest.mark.parametrize("place", ["title", "corpus", "expression", "special_tokens"])
def test_half_a_surrogate_pair_in_a_file_is_a_sentence(place: str, lone: str) -> None:
    document = json.loads(pack(NAMED[1], "text"))
    where = document if place in document else document["settings"]
    where[place] = [lone] if place == "special_tokens" else f"a {lone}"
    for as_escapes in (True, False):
        data = json.dumps(document, ensure_ascii=as_escapes).encode("utf-8", "surrogatepass")
        with pytest.raises(NoTrainingFile, match="half of a surrogate pair"):
            unpack(data)


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"tokenarium training": 2}', b"\xff", b"3"])
def test_another_file_is_refused(data: bytes) -> None:
    with pytest.raises(NoTrainingFile):
        unpack(data)


def test_pieces_to_try_have_unknown_units() -> None:
    run = engine.train("low", PRESETS["characters"])
    assert pieces_to_try(run, "lox w") == [[0, 1, UNKNOWN], [2]]


def test_presets_have_names() -> None:
    assert set(words.PRESETS) == set(PRESETS)
    assert set(words.PATTERNS) == set(PATTERNS)


def test_corpora_are_exact_and_listed() -> None:
    folder = ROOT / "sample_texts" / "training"
    contents = json.loads((folder / "contents.json").read_text("utf-8"))
    entries = [*contents["corpora"], *contents["held_out"]]
    used = {entry["file"] for entry in entries if "file" in entry}
    used |= {name for entry in entries for name in entry.get("mix", [])}
    there = {path.name for path in folder.iterdir()} - {"README.md", "contents.json"}
    assert used == there
    for corpus in corpora().values():
        assert engine.normalize(corpus.text, "NFC") == corpus.text
        assert corpus.preset in PRESETS
        run = engine.train(corpus.text, replace(PRESETS[corpus.preset], merges=corpus.merges))
        assert len(run.steps) > 2
    assert 10_000 < len(corpora()["code"].text) < 30_000


def test_an_empty_file_leaves_the_corpus() -> None:
    app = page()
    uploader = next(one for one in app.file_uploader if one.key == "widget:training_files")
    uploader.set_value([("none.txt", b"", "text/plain")]).run()
    assert not app.exception
    assert "none.txt is empty" in said(app)
    assert "Small enough to count by hand" in said(app)
