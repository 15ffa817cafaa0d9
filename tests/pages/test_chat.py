"""Chat templates: documented outputs of the published ones, and what becomes of bad ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pages.reference import chat
from pages.reference.chat import ChatError, ChatTemplate, check, read_messages, render, templates
from tests.shared import records, tokenizer

CASES = [case for case in records("cases.json") if case["area"] == "chat"]
BY_ID = {case["id"]: case for case in CASES}
RENDERED = [case for case in CASES if "text" in case["expected"]]
# Refused before a template would leave them out without a word.
WITHOUT_ROLE = ("C376", "C377")
FIGURES = {row["id"]: row for row in records("figures.json")}


def template_of(case: dict[str, Any]) -> ChatTemplate:
    return templates()[case["tokenizer"].replace("_", "-")]


def rendered(case: dict[str, Any]) -> str:
    options = case.get("options", {})
    return render(
        template_of(case),
        json.loads(case["input"]),
        generation_prompt=options.get("add_generation_prompt", False),
        thinking=options.get("enable_thinking", True),
    )


@pytest.mark.parametrize("case", RENDERED, ids=lambda case: case["id"])
def test_documented_texts_and_ids(case: dict[str, Any]) -> None:
    text = rendered(case)
    assert text == case["expected"]["text"]
    ids = tokenizer(template_of(case).name).encode(text, special="parse").ids
    assert ids == case["expected"]["ids"]


@pytest.mark.parametrize("case_id", ["C219", "C220"])
def test_content_that_spells_control_tokens(case_id: str) -> None:
    case = BY_ID[case_id]
    found = tokenizer(template_of(case).name).encode(rendered(case), special="parse").ids
    assert found == case["expected"]["ids"]


def test_default_system_message_of_qwen2_5() -> None:
    text = render(templates()["qwen2.5"], [{"role": "user", "content": "Xin chào"}])
    default = BY_ID["C370"]
    assert text.startswith(default["input"])
    it = tokenizer("qwen2.5")
    assert it.encode(default["input"], special="parse").ids == default["expected"]["ids"]
    prompted = render(
        templates()["qwen2.5"], [{"role": "user", "content": "Xin chào"}], generation_prompt=True
    )
    count, ids = FIGURES["B-chat-ids"]["value"]
    assert it.encode(prompted, special="parse").ids == ids
    assert len(ids) == count


def test_a_system_message_of_ones_own_replaces_the_default_even_when_empty() -> None:
    messages = [{"role": "system", "content": ""}, {"role": "user", "content": "hi"}]
    text = render(templates()["qwen2.5"], messages)
    assert text == "<|im_start|>system\n<|im_end|>\n<|im_start|>user\nhi<|im_end|>\n"


def test_figures() -> None:
    qwen3 = templates()["qwen3"]
    system = {"role": "system", "content": "你是一个助手。"}
    user = {"role": "user", "content": "你好"}
    text = render(qwen3, [system, user], generation_prompt=True, thinking=False)
    assert text == FIGURES["A-chat"]["value"]
    without = render(qwen3, [system, user])
    with_prompt = render(qwen3, [system, user], generation_prompt=True)
    assert with_prompt.removeprefix(without) == FIGURES["A-genprompt"]["value"]
    row = FIGURES["C-chat"]
    message = {"role": "user", "content": row["input"]}
    assert render(qwen3, [message], generation_prompt=True) == row["value"]


def test_answers_of_tools_stand_in_one_turn() -> None:
    """As documented for ChatML: several answers in a row make one user turn."""
    messages = [
        {"role": "user", "content": "q"},
        {"role": "tool", "content": "1"},
        {"role": "tool", "content": "2"},
    ]
    turn = (
        "<|im_start|>user\n<tool_response>\n1\n</tool_response>\n"
        "<tool_response>\n2\n</tool_response><|im_end|>\n"
    )
    for name in ("qwen2.5", "qwen3"):
        assert render(templates()[name], messages).endswith(turn)


@pytest.mark.parametrize("case_id", ["C378", "C379", "C380", "C381", *WITHOUT_ROLE])
def test_conversations_that_templates_fail_at_are_named(case_id: str) -> None:
    with pytest.raises(ChatError, match=r"[Mm]essage"):
        read_messages(BY_ID[case_id]["input"])


def test_what_a_template_would_leave_out_is_told() -> None:
    messages = read_messages(BY_ID["C374"]["input"])
    assert chat.unknown_roles(messages) == [(1, "wizard")]
    with pytest.raises(ChatError, match="no JSON"):
        read_messages("[{")
    with pytest.raises(ChatError, match="Message 2 is no object"):
        check([{"role": "user", "content": "x"}, "hi"])


HOSTILE = {
    "C385": BY_ID["C385"]["input"],
    "C386": BY_ID["C386"]["input"],
    "C387": BY_ID["C387"]["input"],
    "memory, bit by bit": (
        "{% set n = namespace(s='x') %}"
        "{% for i in range(60) %}{% set n.s = n.s + n.s %}{% endfor %}"
    ),
    "memory of others": "{% for i in range(90000) %}0123456789{% endfor %}",
    "no Jinja": "{% if %}",
    "a name that is not there": "{{ nothing.at.all }}",
    "a refusal of its own": "{{ raise_exception('roles must alternate') }}",
}


@pytest.mark.timeout(120)
@pytest.mark.parametrize("title", HOSTILE)
def test_templates_that_fail_end_with_a_sentence(title: str) -> None:
    user = [{"role": "user", "content": "hi"}]
    render(templates()["qwen3"], user)  # the process is there
    with pytest.raises(ChatError, match="could not be rendered") as caught:
        render(ChatTemplate(name="own", source=HOSTILE[title]), user)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500
    assert render(templates()["qwen3"], user) == "<|im_start|>user\nhi<|im_end|>\n"


def test_templates_that_never_end_leave_the_process_to_others() -> None:
    user = [{"role": "user", "content": "hi"}]
    greeting = ChatTemplate(name="own", source="{{ messages[0].content }}!")
    assert render(greeting, user) == "hi!"
    process = chat._process("theirs").pid
    for source in HOSTILE.values():
        with pytest.raises(ChatError):
            render(ChatTemplate(name="own", source=source), user)
        assert render(greeting, user) == "hi!"
    assert chat._process("theirs").pid == process
