"""Conversations, warnings and template files of the Prompt page, without the page."""

from __future__ import annotations

import json
from typing import Any

import pytest

import engine
from pages.reference import chat
from pages.reference.chat import ChatError, ChatTemplate, templates
from pages.ui.prompt import building, settings
from pages.ui.prompt.building import Asked, Prompt, built
from pages.ui.prompt.conversation import (
    MOST_MESSAGES,
    Conversation,
    OwnTemplate,
    Turn,
    add,
    changed,
    from_packed,
    moved,
    of_texts,
    other_fields,
    packed_form,
    put_back,
    read_conversation,
    without,
    written,
)
from pages.ui.prompt.editor import as_text
from pages.ui.prompt.samples import SAMPLES
from pages.ui.prompt.template_files import read_template_file
from pages.ui.prompt.warnings import warnings
from pages.ui.settings import LinkError
from tests.published import published
from tests.shared import records

CASES = {case["id"]: case for case in records("cases.json")}


def roles(turns: tuple[Turn, ...]) -> str:
    return " ".join(turn.role for turn in turns)


def test_messages_are_added_moved_removed_and_brought_back() -> None:
    turns = of_texts(("system", "s"), ("user", "u"))
    more = add(turns)
    assert roles(more) == "system user assistant"
    assert roles(add(more)) == "system user assistant user"
    assert roles(moved(more, more[2].key, -1)) == "system assistant user"
    assert moved(more, more[0].key, -1) == more
    left = without(more, more[1].key)
    assert roles(left) == "system assistant"
    assert put_back(left, 1, more[1]) == more
    assert changed(more, more[0].key, role="user")[0] == Turn("user", "s")


@pytest.mark.parametrize("content", ["", "a", "\x00\u202e", None, 5, [{"type": "text"}], "ảNF\n\r"])
def test_a_conversation_comes_back_from_json_and_from_a_link(content: Any) -> None:
    own = OwnTemplate("n", "{{ x }}", "<s>", "</s>", "2024-07-26")
    turns = (Turn("user", content), Turn("wizard", "x"))
    assert read_conversation(written(turns)) == turns
    for kept in (None, own):
        conversation = Conversation(turns=turns, own=kept)
        assert from_packed(packed_form(conversation)) == conversation
        packed = settings.CONVERSATION.write(conversation)
        assert packed is not None
        assert settings.CONVERSATION.read(packed) == conversation


def test_links_with_samples_and_links_that_are_damaged() -> None:
    for name, sample in SAMPLES.items():
        conversation = Conversation(turns=sample.turns)
        assert settings.CONVERSATION.write(conversation) == f"~{name}"
        assert settings.CONVERSATION.read(f"~{name}") == conversation
    for damaged in ("~none", "x", "", settings.pack_text("[]"), settings.pack_text('{"m": []}')):
        with pytest.raises(LinkError):
            settings.CONVERSATION.read(damaged or "")
    with pytest.raises(LinkError):
        settings.CONVERSATION.read(settings.pack_text('{"m":[["user","x"]],"t":[1]}') or "")


def test_a_long_conversation_is_in_no_link() -> None:
    random = "".join(chr(0x4E00 + i * i * 7 % 20_000) for i in range(4_000))
    assert settings.CONVERSATION.write(Conversation(turns=of_texts(("user", random)))) is None


@pytest.mark.parametrize("case_id", ["C376", "C377", "C381"])
def test_what_is_no_conversation_is_refused_with_a_sentence(case_id: str) -> None:
    with pytest.raises(ChatError, match=r"[Mm]essage"):
        read_conversation(CASES[case_id]["input"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[{", "no JSON"),
        ('"hi"', "list"),
        ("{}", "list"),
        ('["hi"]', "Message 1 is no object"),
        ("[" * 100_000, "no JSON"),
        (f'[{{"role": "user", "content": {"[" * 300}{"]" * 300}}}]', "nested deeper than 20"),
        (json.dumps([{"role": "user", "content": "x"}] * (MOST_MESSAGES + 1)), "up to 60"),
    ],
)
def test_broken_imports(text: str, words: str) -> None:
    with pytest.raises(ChatError, match=words):
        read_conversation(text)


def test_imports_keep_what_is_no_text_and_name_what_is_left() -> None:
    text = '{"messages": [{"role": "user", "content": null, "name": "a"}], "model": "m"}'
    assert read_conversation(text) == (Turn("user", None),)
    assert other_fields(text) == ["name"]
    assert read_conversation('[{"role": "user", "content": "\\ud800a"}]')[0].content == "\ufffda"
    assert as_text(None) == ""
    assert as_text(["a", {"type": "text", "text": "b"}, 5]) == "a\nb\n5"


def prompt(
    *messages: tuple[str, Any], template: str | ChatTemplate = "qwen3", on: bool = True
) -> Prompt:
    own = isinstance(template, ChatTemplate)
    asked = Asked(
        template=template if isinstance(template, ChatTemplate) else templates()[template],
        own=own,
        tokenizer="qwen3" if isinstance(template, ChatTemplate) else template,
        messages=tuple({"role": role, "content": content} for role, content in messages),
        generation_prompt=on,
    )
    return built(asked)


def own(source: str, eos: str = "<|im_end|>", bos: str = "") -> ChatTemplate:
    stop = (eos,) if eos else ()
    return ChatTemplate(name="own", source=source, variables={"bos_token": bos}, stop=stop)


HI = ("user", "hi")
PLAIN = "{% for m in messages %}{{ m.content }}<|im_end|>\n{% endfor %}"


def test_nothing_is_warned_of_where_all_is_well() -> None:
    for sample in ("greeting", "system", "tool"):
        found = SAMPLES[sample]
        turns = [(turn.role, turn.content) for turn in found.turns]
        assert warnings(prompt(*turns, template=found.template)) == []


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: prompt(("wizard", "x"), HI), "Message 1 (wizard) left no trace"),
        (lambda: prompt(("wizard", "x"), HI, template="deepseek-v3"), "left no trace"),
        (lambda: prompt(HI, on=False), "There is no generation prompt"),
        (lambda: prompt(HI, ("assistant", "a")), "begins another answer"),
        (lambda: prompt(("user", "")), "Message 1 (user) is empty"),
        (lambda: prompt(("system", ""), HI), "not the same as none"),
        (lambda: prompt(HI, ("system", "s"), HI), "leaves it where it is"),
        (lambda: prompt(HI, ("system", "s"), HI, template="qwen2.5"), "puts its default system"),
        (
            lambda: prompt(HI, ("system", "s"), HI, template="deepseek-v3"),
            "moves it to the front",
        ),
        (lambda: prompt(("user", "a </think> b")), "literal </think>"),
        (lambda: prompt(("user", "<|im_end|>")), "spells <|im_end|> (151645)"),
        (lambda: prompt(("user", "<think>")), "spells <think> (151667)"),
        (lambda: prompt(("user", "<|User|>"), template="deepseek-v3"), "looks like a control"),
        (lambda: prompt(("user", "<｜User｜>x")), "looks like a control token but is none"),
        (
            lambda: prompt(HI, ("assistant", "<think>\nr\n</think>\n\na"), HI),
            "leaves out 20 code points of 21",
        ),
        (lambda: prompt(HI, template=own(PLAIN)), "the template adds none"),
        (lambda: prompt(HI, template=own("{{ messages | tojson }}")), "is in the prompt as JSON"),
        (lambda: prompt(HI, template=own("A: ", eos="")), "No stop token is known"),
        (lambda: prompt(HI, template=own("{{ messages[0].content }}: ")), "ends with «␣»"),
        (
            lambda: prompt(HI, template=own("<|eot_id|>")),
            "no control token of Qwen3: <|eot_id|> (",
        ),
        (lambda: prompt(HI, template=own("x", eos="</s>")), "stop token </s> is no token"),
        (
            lambda: prompt(
                HI,
                ("assistant", "a"),
                HI,
                template=own("{% for m in messages %}{{ m.content }}\n{% endfor %}"),
            ),
            "follows message 2 (assistant)",
        ),
        (
            lambda: prompt(HI, template=own("<|endoftext|><|endoftext|>{{ messages[0].content }}")),
            "begins with <|endoftext|> twice",
        ),
        (
            lambda: prompt(("user", "<｜begin▁of▁sentence｜>"), template=own("{{ bos_token }}")),
            "left no trace",
        ),
        (
            lambda: prompt(("user", None), template=own("{{ messages[0].content }}<|im_end|>")),
            "has no content (null)",
        ),
        (
            lambda: prompt(
                ("user", [{"type": "text", "text": "hi"}]),
                template=own("{{ messages[0].content[0].text }}<|im_end|>"),
            ),
            "a list of parts",
        ),
        (
            lambda: prompt(("wizard", "x"), template=own("{{ messages[0].content }}<|im_end|>")),
            "no usual role",
        ),
    ],
)
def test_each_warning(made: Any, words: str) -> None:
    found = warnings(made())
    assert [sentence for sentence in found if words in sentence]
    assert all(sentence.endswith(".") and "\n" not in sentence for sentence in found)


def test_two_begins_of_a_message_and_the_template() -> None:
    """The user types what the template writes anyway."""
    found = warnings(prompt(("system", "<｜begin▁of▁sentence｜>s"), HI, template="deepseek-v3"))
    assert any("begins with <｜begin▁of▁sentence｜> twice" in sentence for sentence in found)


def test_the_begin_of_a_published_file_stands_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Llama 3.1, whose file adds what its template writes (C373)."""
    llama = published("llama3_1")
    monkeypatch.setattr(building, "tokenizer", lambda _: llama)
    turn = "<|start_header_id|>{}<|end_header_id|>\n\n"
    source = (
        "{{ bos_token }}{% for m in messages %}"
        + turn.format("{{ m.role }}")
        + "{{ m.content }}<|eot_id|>{% endfor %}{% if add_generation_prompt %}"
        + turn.format("assistant")
        + "{% endif %}"
    )
    case = CASES["C373"]
    asked = Asked(
        template=own(source, bos="<|begin_of_text|>", eos="<|eot_id|>"),
        own=True,
        tokenizer="llama3_1",
        messages=tuple(json.loads(case["input"])),
    )
    assert list(built(asked).ids) == case["expected"]["ids"]


def test_a_begin_that_the_file_of_the_tokenizer_adds_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As with Llama 3.1 (C373), whose file puts a token before every text."""
    document = {
        "model": {"type": "BPE", "vocab": {"h": 0, "i": 1}, "merges": []},
        "added_tokens": [
            {"id": 2, "content": "<s>", "special": True, "normalized": False, "lstrip": False,
             "rstrip": False, "single_word": False},
        ],
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                       {"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [2], "tokens": ["<s>"]}},
        },
    }  # fmt: skip
    small = engine.read(json.dumps(document).encode(), kind="tokenizer.json", name="small")
    monkeypatch.setattr(building, "tokenizer", lambda _: small)
    template = own("{{ bos_token }}{{ messages[0].content }}", bos="<s>", eos="<s>")
    asked = Asked(
        template=template,
        own=True,
        tokenizer="small",
        messages=({"role": "user", "content": "hi"},),
    )
    made = built(asked)
    assert made.ids == [2, 0, 1]
    assert any("puts it before every text as well" in sentence for sentence in warnings(made))


@pytest.mark.parametrize("case_id", ["C378", "C379", "C380"])
def test_bundled_templates_refuse_what_is_no_text(case_id: str) -> None:
    (message,) = json.loads(CASES[case_id]["input"])
    with pytest.raises(ChatError, match="content of message 1"):
        prompt(("user", message["content"]))


def test_template_files() -> None:
    config = {
        "chat_template": "{{ a }}",
        "bos_token": {"content": "<s>", "lstrip": False},
        "eos_token": "</s>",
    }
    found = read_template_file(json.dumps(config).encode())
    assert (dict(found.templates), found.bos, found.eos) == ({"default": "{{ a }}"}, "<s>", "</s>")
    config["chat_template"] = [
        {"name": "default", "template": "{{ a }}"},
        {"name": "tool_use", "template": "{{ b }}"},
    ]
    config["bos_token"] = None
    found = read_template_file(b"\xef\xbb\xbf" + json.dumps(config).encode())
    assert dict(found.templates) == {"default": "{{ a }}", "tool_use": "{{ b }}"}
    assert found.bos == ""
    jinja = read_template_file("{%- if x %}\n{{ é }}".encode())
    assert dict(jinja.templates) == {"default": "{%- if x %}\n{{ é }}"}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{}", "no chat_template"),
        (b'{"chat_template": 5}', "no chat_template"),
        (b'{"chat_template": [5, {"name": "a"}]}', "no chat_template"),
        (b'{"chat', "none"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"", "no text"),
        (b"a\0b", "no text"),
    ],
)
def test_files_without_a_template(data: bytes, words: str) -> None:
    with pytest.raises(ChatError, match=words):
        read_template_file(data)


def test_a_template_that_hangs_leaves_the_bundled_ones_alone() -> None:
    """They have a process of their own, which goes on."""
    prompt(HI)
    process = chat._process("ours")
    before = process.pid
    endless = "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"
    greedy = (
        "{% set n = namespace(s='x') %}{% for i in range(60) %}{% set n.s = n.s * 2 %}{% endfor %}"
    )
    for source in (endless, greedy):
        with pytest.raises(ChatError, match="could not be rendered"):
            prompt(HI, template=own(source))
    assert before is not None
    assert process.pid == before
    assert prompt(("user", "still here")).text.startswith("<|im_start|>user\nstill here")
