"""The Prompt page without a browser: links, editing, sentences; what goes to the picture."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from engine import TrainingSettings
from pages.ui.prompt import settings
from pages.ui.prompt.conversation import Conversation, OwnTemplate, Turn, of_texts
from pages.ui.trained_names import Recipe
from tests.pages.running import said, settled
from tests.shared import ROOT, records

FIGURES = {row["id"]: row for row in records("figures.json")}
CASES = {case["id"]: case for case in records("cases.json")}


def page(conversation: Conversation | None = None, /, **asked: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.switch_page("pages/prompt.py")
    if conversation is not None:
        asked["chat"] = settings.CONVERSATION.write(conversation) or ""
    for word, value in asked.items():
        app.query_params[word] = value
    return again(app)


def again(app: AppTest) -> AppTest:
    """One more run, which must not fail."""
    app.run()
    assert not app.exception
    return app


def texts(*turns: tuple[str, Any]) -> Conversation:
    return Conversation(turns=tuple(Turn(*turn) for turn in turns))


def drawings(app: AppTest) -> list[dict[str, Any]]:
    found = [e.proto for e in app.get("bidi_component")]
    return [json.loads(one.json) for one in found if "origin_view" in one.component_name]


def picture(app: AppTest) -> dict[str, Any]:
    return drawings(app)[0]


def ids(drawing: dict[str, Any]) -> list[int]:
    return [token["id"] for item in drawing["items"] for token in item["tokens"]]


def origins(app: AppTest) -> dict[str, int]:
    return {entry["origin"]: entry["count"] for entry in picture(app)["legend"]}


def boxes(app: AppTest) -> list[str]:
    found = [e.proto for e in app.get("bidi_component")]
    data = [json.loads(one.json) for one in found if "text_box" in one.component_name]
    return [one["text"] for one in data if one["label"].startswith("Message")]


def button(app: AppTest, start: str) -> Any:
    return next(one for one in app.button if str(one.key).startswith(start))


def test_it_opens_on_the_greeting_worked_out() -> None:
    app = settled(page())
    assert ids(picture(app)) == FIGURES["B-chat-ids"]["value"][1]
    assert picture(app)["total"] == 32
    assert origins(app) == {"template": 13, "default": 16, "user": 3}
    assert boxes(app) == ["Xin chào"]
    assert "32 tokens of the prompt − 3 of the contents, each encoded alone = 29." in said(app)
    assert "<|im_end|> (151645)" in said(app)
    assert "ids equal to tokenizers" in said(app)
    assert dict(app.query_params) == {}


def test_a_link_shows_the_same_on_a_fresh_server() -> None:
    messages = texts(("system", "你是一个助手。"), ("user", "你好"))
    app = page(messages, template="qwen3", thinking="off")
    assert ids(picture(app)) == FIGURES["A-chat-ids"]["value"]
    assert app.query_params["thinking"] == "off"
    other = page(template="qwen3", thinking="off", chat=str(app.query_params["chat"]))
    assert picture(other) == picture(app)


def test_each_sample_has_a_prompt_and_its_template() -> None:
    app = page()
    app.selectbox(key="widget:prompt_sample").set_value("history")
    again(app)
    assert len(boxes(app)) == 3
    assert "leaves out 60 code points of 67" in said(app)
    assert app.query_params["template"] == "qwen3"
    assert app.query_params["chat"] == "~history"


def test_switches_change_the_prompt() -> None:
    app = page(texts(("user", "hi")), template="qwen3")
    assert ids(picture(app)) == CASES["C361"]["expected"]["ids"]
    app.toggle(key="widget:prompt_thinking").set_value(False)
    again(app)
    assert ids(picture(app)) == CASES["C362"]["expected"]["ids"]
    app.toggle(key="widget:prompt_generation").set_value(False)
    again(app)
    assert ids(picture(app)) == CASES["C360"]["expected"]["ids"]
    assert "There is no generation prompt" in said(app)


def test_messages_are_edited_as_a_chat() -> None:
    app = page(texts(("user", "a"), ("user", "b")), template="qwen3")
    button(app, "prompt_down").click()
    again(app)
    assert boxes(app) == ["b", "a"]
    button(app, "prompt_remove").click()
    again(app)
    assert boxes(app) == ["a"]
    button(app, "prompt_undo").click()
    again(app)
    assert boxes(app) == ["b", "a"]
    button(app, "prompt_add").click()
    again(app)
    assert boxes(app) == ["b", "a", ""]
    role = next(one for one in app.selectbox if "prompt_role" in str(one.key))
    role.set_value("system")
    again(app)
    assert origins(app)["system"] == 1


def test_forgery_obeyed_and_kept_as_text() -> None:
    forging = texts(*json_turns("C219"))
    shown = page(forging, template="qwen3", prompt="off")
    assert ids(picture(shown)) == CASES["C219"]["expected"]["ids"]
    assert origins(shown)["forged"] == 3
    app = settled(page(forging, template="qwen3", prompt="off", see="injection"))
    obeyed, kept = drawings(app)
    assert ids(obeyed) == CASES["C219"]["expected"]["ids"]
    control = [i for i in ids(kept) if i in (151644, 151645)]
    assert control == [151644, 151645]
    assert "refuses. It raises ValueError" in said(app)
    assert any("disallowed special token '<|im_end|>'" in code.value for code in app.code)
    assert "obeys without a word: 14 ids, the ids on the left" in said(app)
    assert "With it <think> still is [151667]; as text it is [13708, 766, 29]." in said(app)


def json_turns(case_id: str) -> list[tuple[str, Any]]:
    return [(m["role"], m["content"]) for m in json.loads(CASES[case_id]["input"])]


@pytest.mark.parametrize("case_id", ["C378", "C379", "C380"])
def test_content_that_is_no_text_is_shown_and_can_be_made_one(case_id: str) -> None:
    app = page(texts(*json_turns(case_id)), template="qwen3")
    assert "content of message 1" in said(app)
    assert "The bundled templates take text only" in said(app)
    button(app, "prompt_make_text").click()
    again(app)
    assert boxes(app) == [{"C378": "", "C379": "hi", "C380": "5"}[case_id]]
    assert picture(app)["total"] >= 8


def test_a_role_that_a_template_leaves_out_is_named() -> None:
    app = page(texts(*json_turns("C374")), template="qwen3", prompt="off")
    assert ids(picture(app)) == CASES["C374"]["expected"]["ids"] == []
    assert "Message 1 (wizard) left no trace" in said(app)
    assert "The template made no text of these messages." in said(app)


def test_a_template_of_ones_own_and_one_that_fails() -> None:
    own = OwnTemplate("mine", "{{ bos_token }}[{{ messages[0].content }}]", "<|im_start|>", "]")
    turns = of_texts(("user", "hi"))
    app = page(Conversation(turns=turns, own=own), template="own", of="qwen3")
    assert ids(picture(app))[0] == 151644
    assert origins(app) == {"template": 3, "user": 1}
    for source in ("{% if %}", "{{ 'A' * 100000000 }}", " "):
        broken = Conversation(turns=turns, own=OwnTemplate("mine", source))
        failed = page(broken, template="own", of="qwen3")
        assert "could not be rendered" in said(failed) or "no template yet" in said(failed)
        assert not drawings(failed)


def test_a_tokenizer_that_was_trained_here_and_drops_text() -> None:
    recipe = Recipe(corpus="board", settings=TrainingSettings(merges=8, pattern="words",
                    ties="first-seen", base="characters"))  # fmt: skip
    own = OwnTemplate("mine", "low {{ messages[0].content }}")
    conversation = Conversation(turns=of_texts(("user", "lowest?")), own=own)
    app = page(conversation, template="own", t=recipe.name, of=recipe.name)
    items = picture(app)["items"]
    assert "".join(item["text"] for item in items) == "low lowest?"
    assert [item["text"] for item in items if not item["tokens"]] == [" "]
    assert "has no token for 1 byte of the prompt and no id for 1 character" in said(app)


def test_a_day_is_asked_for_where_a_template_writes_one() -> None:
    source = "{{ strftime_now('%d %b %Y') }}{{ messages[0].content }}"
    own = OwnTemplate("mine", source, date="2024-07-26")
    app = page(Conversation(turns=of_texts(("user", "!")), own=own), template="own", of="qwen3")
    assert "".join(item["text"] for item in picture(app)["items"]) == "26 Jul 2024!"
    assert len(app.date_input) == 1


def test_an_import_replaces_the_messages_or_says_why_not() -> None:
    app = page()
    app.text_area(key="widget:prompt_json").set_value("[{")
    submit = next(one for one in app.button if one.label == "Take it over")
    submit.click()
    again(app)
    assert "no JSON" in said(app)
    assert boxes(app) == ["Xin chào"]
    text = '[{"role": "user", "content": "one", "name": "n"}, {"role": "tool", "content": "two"}]'
    app.text_area(key="widget:prompt_json").set_value(text)
    next(one for one in app.button if one.label == "Take it over").click()
    again(app)
    assert boxes(app) == ["one", "two"]
    assert "Messages also had name" in said(app)


@pytest.mark.parametrize("template", ["qwen2.5", "qwen3", "deepseek-v3"])
def test_without_a_forgery_an_example_is_shown(template: str) -> None:
    app = page(template=template, see="injection")
    assert "No message of the conversation spells a control token." in said(app)
    obeyed, kept = drawings(app)
    assert ids(obeyed) != ids(kept)
    assert "refuses. It raises ValueError" in said(app)


def test_the_example_follows_the_switch_of_the_page() -> None:
    """As the cases say: Qwen3's generation prompt is <|im_start|>assistant and a line end."""
    begun = [151644, 77091, 198]
    for switch, expected in (("on", True), ("off", False)):
        obeyed, kept = drawings(page(template="qwen3", see="injection", prompt=switch))
        assert (ids(obeyed)[-3:] == begun) is expected
        assert (ids(kept)[-3:] == begun) is expected


def test_training_examples_of_the_prompt() -> None:
    app = page(see="examples")
    assert "From ids to training examples" in said(app)
    assert "From ids to vectors" in said(app)


def test_files_to_take_along() -> None:
    names = [one.proto.label for one in page().get("download_button")]
    assert names == ["Rendered text", "Ids as JSON", "Conversation as JSON", "Tokens as CSV"]


def test_projector_shows_the_picture_alone() -> None:
    app = page(projector="dark")
    assert picture(app)["projector"] is True
    assert len(drawings(app)) == 1
    assert not boxes(app)


def test_a_conversation_too_long_for_an_address_is_said_so() -> None:
    long = "".join(chr(0x4E00 + i * i * 7 % 20_000) for i in range(4_000))
    app = page()
    text = json.dumps([{"role": "user", "content": long}])
    app.text_area(key="widget:prompt_json").set_value(text)
    next(one for one in app.button if one.label == "Take it over").click()
    again(app)
    assert boxes(app) == [long]
    assert "too long for an address" in said(app)
    assert "chat" not in app.query_params


def test_a_link_may_say_nonsense() -> None:
    app = page(chat="nonsense", template="llama", thinking="x")
    assert "The conversation in the link is damaged" in said(app)
    assert "The link asks for template='llama'" in said(app)
    assert picture(app)["total"] == 32
