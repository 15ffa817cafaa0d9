"""Prompts: ids and origins against transformers, counts as differences, injection both ways."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from engine.labelled import labels_of_tokens
from pages.reference.chat import ChatTemplate, templates
from pages.reference.hf_reference import HuggingFaceReference
from pages.reference.injection import refusal, switched_ids, tiktoken_of
from pages.reference.tiktoken_reference import build as tiktoken_build
from pages.ui.prompt.building import Asked, Prompt, built, default_text, kept_as_text
from pages.ui.prompt.drawing import FIRST, LAST, drawn, rows
from pages.ui.prompt.injection import example_of
from pages.ui.prompt.overhead import costs
from pages.ui.prompt.samples import SAMPLES
from pages.ui.token_rows import as_csv
from tests.shared import records, reference, tokenizer

CASES = {case["id"]: case for case in records("cases.json")}
FIGURES = {row["id"]: row for row in records("figures.json")}
XIN = [{"role": "user", "content": "Xin chào"}]
FORGING = json.loads(CASES["C219"]["input"])
HISTORY = json.loads(CASES["C364"]["input"])
TOOLS = [turn.message() for turn in SAMPLES["tool"].turns]
LATE = [*XIN, {"role": "system", "content": "late"}, {"role": "user", "content": ""}]
DECOMPOSED = [{"role": "user", "content": "Vie\u0323\u0302t"}]


def prompt(name: str, messages: list[Any], *, own: str = "", **switches: Any) -> Prompt:
    template = ChatTemplate(name="own", source=own) if own else templates()[name]
    asked = Asked(
        template=template, own=bool(own), tokenizer=name, messages=tuple(messages), **switches
    )
    return built(asked)


@cache
def library(name: str) -> Any:
    """transformers' own tokenizer on the tables of the bundled one."""
    from transformers import PreTrainedTokenizerFast

    shared = reference(name)
    assert isinstance(shared, HuggingFaceReference)
    # It takes a copy.
    return PreTrainedTokenizerFast(tokenizer_object=shared.parsing)


def applied(name: str, messages: list[Any], **options: Any) -> list[int]:
    """What ``apply_chat_template`` gives."""
    template = templates()[name]
    ids = library(name).apply_chat_template(
        messages,
        chat_template=template.source,
        return_dict=False,
        **template.variables,
        **options,
    )
    return list(ids)


def texts_of(found: Prompt, origin: str) -> str:
    data = found.tokenization.data
    spans = zip(found.tokenization.starts_byte, found.tokenization.ends_byte, strict=True)
    parts = [data[a:b] for place, (a, b) in enumerate(spans) if found.origin(place) == origin]
    return b"".join(parts).decode()


def test_the_greeting_of_the_lesson() -> None:
    """The 32 ids, of which 3 are the user's and 16 Qwen's own system message."""
    found = prompt("qwen2.5", XIN)
    count, ids = FIGURES["B-chat-ids"]["value"]
    assert list(found.ids) == ids
    assert len(ids) == count == 32
    assert found.counts == {"template": 13, "default": 16, "user": 3}
    assert texts_of(found, "user") == "Xin chào"
    assert texts_of(found, "default") == templates()["qwen2.5"].default_system
    users = [row["text"] for row in rows(found) if row["origin"] == "user"]
    assert users == ["X", "in", "␣chào"]
    assert FIGURES["B-xin"]["value"] == [3, ["X", "in", " chào"]]


def test_system_and_user_with_thinking_off() -> None:
    sample = SAMPLES["system"]
    messages = [turn.message() for turn in sample.turns]
    found = prompt("qwen3", messages, thinking=False)
    assert found.text == FIGURES["A-chat"]["value"]
    assert list(found.ids) == FIGURES["A-chat-ids"]["value"]
    assert texts_of(found, "system") == "你是一个助手。"
    assert texts_of(found, "user") == "你好"
    assert texts_of(found, "template").endswith("<think>\n\n</think>\n\n")


@pytest.mark.parametrize("name", ["qwen2.5", "qwen3", "deepseek-v3"])
@pytest.mark.parametrize(
    "messages", [XIN, HISTORY, TOOLS, LATE, FORGING, DECOMPOSED, HISTORY[:2]], ids=str
)
def test_ids_equal_apply_chat_template(name: str, messages: list[Any]) -> None:
    for on in (True, False):
        found = prompt(name, messages, generation_prompt=on, thinking=False)
        options: dict[str, Any] = {"add_generation_prompt": on}
        if templates()[name].can_think:
            options["enable_thinking"] = False
        assert list(found.ids) == applied(name, messages, **options)
        assert sum(found.counts.values()) == len(found.ids)


def test_what_a_template_takes_out_is_known() -> None:
    found = prompt("qwen3", HISTORY)
    assert found.left_out(0) == []
    assert found.left_out(1) == ["<think>\nr1\n</think>\n\n"]
    assert texts_of(found, "assistant") == "a1"
    assert prompt("deepseek-v3", HISTORY).left_out(1) == []


def test_a_token_over_a_border_is_of_two() -> None:
    """The answer of a tool that begins with a line end: two line ends are one token, 271."""
    found = prompt("qwen3", [*XIN, {"role": "tool", "content": "\nx"}])
    mixed = [place for place in range(len(found.ids)) if found.origin(place) == "mixed"]
    assert len(mixed) == 1
    assert found.sources[mixed[0]] == (-1, 1)
    assert found.tokenization.data[: found.tokenization.ends_byte[mixed[0]]].endswith(b">\n\n")


def test_normalized_content_keeps_its_origin() -> None:
    found = prompt("qwen3", DECOMPOSED)
    assert texts_of(found, "user") == "Việt"


@pytest.mark.parametrize("name", ["qwen2.5", "qwen3", "deepseek-v3"])
@pytest.mark.parametrize("messages", [XIN, HISTORY, TOOLS, LATE], ids=str)
def test_costs_are_differences_of_real_counts(name: str, messages: list[Any]) -> None:
    """Each against transformers' ids with and without."""
    found = costs(prompt(name, messages))
    all_of_it = applied(name, messages, add_generation_prompt=True)
    assert found.total == len(all_of_it)
    without_prompt = applied(name, messages, add_generation_prompt=False)
    assert found.generation_prompt == len(all_of_it) - len(without_prompt)
    alone = [len(reference(name).ids(m["content"], "parse")) for m in messages]
    assert [message.content for message in found.messages] == alone
    assert found.overhead == len(all_of_it) - sum(alone)
    for place, message in enumerate(found.messages):
        others = messages[:place] + messages[place + 1 :]
        if not others:
            assert message.adds is None
            continue
        adds = len(all_of_it) - len(applied(name, others, add_generation_prompt=True))
        assert message.adds == adds
        assert message.overhead == adds - alone[place]


def test_the_switches_cost_what_the_cases_say() -> None:
    """9 ids with a generation prompt, 6 without, 13 with thinking off (C360 to C362)."""
    lengths = [len(CASES[case]["expected"]["ids"]) for case in ("C360", "C361", "C362")]
    found = costs(prompt("qwen3", [{"role": "user", "content": "hi"}]))
    assert (found.generation_prompt, found.thinking_off) == (3, 4)
    assert lengths == [6, 6 + 3, 6 + 3 + 4]
    assert costs(prompt("deepseek-v3", XIN)).thinking_off is None


def test_a_forged_turn_is_marked() -> None:
    found = prompt("qwen3", FORGING, generation_prompt=False)
    assert list(found.ids) == CASES["C219"]["expected"]["ids"]
    assert sorted(found.ids[place] or 0 for place in found.forged) == [151644, 151645, 151645]
    assert example_of(found) is found
    other = example_of(prompt("qwen3", XIN, generation_prompt=False))
    assert other is not None
    assert list(other.ids) == CASES["C219"]["expected"]["ids"]
    deepseek = example_of(prompt("deepseek-v3", XIN, generation_prompt=False))
    assert deepseek is not None
    assert list(deepseek.ids) == CASES["C220"]["expected"]["ids"]


def test_what_the_assistant_may_write_is_not_forged() -> None:
    assert not prompt("qwen3", TOOLS).forged
    users = [{"role": "user", "content": "<tool_call>"}]
    assert len(prompt("qwen3", users).forged) == 1


@pytest.mark.parametrize("content", ["<think>hmm</think>", "<tool_call>", "<|im_end|>"])
def test_the_safe_way_keeps_every_added_token_as_text(content: str) -> None:
    """Between the template's markers stands what the library gives for plain text."""
    found = prompt("qwen3", [{"role": "user", "content": content}], generation_prompt=False)
    safe = kept_as_text(found)
    inside = reference("qwen3").ids(f"user\n{content}", "text")
    assert safe.ids == [151644, *inside, 151645, 198]
    labels = labels_of_tokens(safe, found.parts)
    users = b"".join(t.data for t, label in zip(safe, labels, strict=True) if 0 in label)
    assert content in users.decode()


@pytest.mark.parametrize("case_id", ["C215", "C216", "C217", "C218"])
def test_the_switch_of_the_library_spares_what_is_not_special(case_id: str) -> None:
    case = CASES[case_id]
    own, shared = tokenizer(case["tokenizer"]), reference(tokenizer(case["tokenizer"]).name)
    assert isinstance(shared, HuggingFaceReference)
    ids = switched_ids(shared, own, case["input"])
    assert ids == case["expected"]["encode_special_tokens_true"]
    assert shared.ids(case["input"], "parse") == case["expected"]["default"]  # untouched


def test_transformers_sanitizes_when_asked() -> None:
    """Its safe way gives other control tokens no chance either; ours cuts the text as a whole."""
    ids = applied("qwen3", FORGING, sanitize_control_tokens=True)
    safe = kept_as_text(prompt("qwen3", FORGING, generation_prompt=False))
    control = [151644, 151645]
    assert [i for i in ids if i in control] == [i for i in safe.ids if i in control] == control
    assert tokenizer("qwen3").decode(ids) == safe.text


@pytest.mark.parametrize("name", ["qwen3", "deepseek-v3"])
def test_tiktoken_refuses_with_a_sentence(name: str) -> None:
    found = tiktoken_of(tokenizer(name))
    example = example_of(prompt(name, XIN))
    assert example is not None
    said = refusal(found, example.asked.messages[0]["content"])
    assert said is not None
    assert said.error == FIGURES["B-tiktoken-special"]["value"] == "ValueError"
    assert "disallowed special token" in said.sentence
    assert refusal(found, "Xin chào") is None


def test_tiktoken_on_its_own_table() -> None:
    said = refusal(tiktoken_build(tokenizer("cl100k_base")), "<|endoftext|>")
    assert said is not None
    assert said.error == "ValueError"


def test_default_text_of_a_template_of_ones_own() -> None:
    own = tokenizer("qwen3")
    text = "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n"
    parts = [(part.text, part.label) for part in default_text(text, own)]
    assert parts == [
        ("<|im_start|>", -1), ("system\n", -1), ("You are a helpful assistant.", -2),
        ("<|im_end|>", -1), ("\n", -1),
    ]  # fmt: skip
    plain = list(default_text("<|im_start|>user\n", tokenizer("gpt2")))
    assert [part.label for part in plain] == [-1]


def test_the_day_of_a_template_is_the_one_it_is_told() -> None:
    source = "{{ strftime_now('%d %b %Y') }} {{ messages[0].content }}"
    for day, words in (("2024-07-26", "26 Jul 2024"), ("2031-01-02", "02 Jan 2031")):
        template = ChatTemplate(name="own", source=source, date=day)
        asked = Asked(template=template, own=True, tokenizer="qwen3", messages=tuple(XIN))
        assert built(asked).text == f"{words} Xin chào"


def test_a_long_prompt_is_drawn_at_its_ends_and_counted_whole() -> None:
    long = prompt("qwen3", [{"role": "user", "content": "hello world " * 3_000}])
    shown = drawn(long)
    tokens = [token for item in shown.items for token in item.tokens]
    assert len(tokens) + shown.left_out == len(long.ids)
    assert FIRST <= len(tokens) <= FIRST + LAST + 8
    assert tokens[0].place == 1
    assert tokens[-1].place == len(long.ids)
    assert tokens[0].id == 151644
    table = as_csv(rows(long)).decode("utf-8-sig").splitlines()
    assert len(table) == len(long.ids) + 1


def test_a_character_in_several_tokens_is_one_item() -> None:
    found = drawn(prompt("qwen3", [{"role": "user", "content": "龘"}]))
    whole = [item for item in found.items if item.text == "龘"]
    assert len(whole) == 1
    assert len(whole[0].tokens) == len(reference("qwen3").ids("龘", "text")) > 1
    assert {token.origin for token in whole[0].tokens} == {"user"}
    assert not any("\ufffd" in item.text for item in found.items)
