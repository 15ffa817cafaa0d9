"""How each tokenizer groups digits, and what short sentences cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import streamlit as st

import engine
from engine.errors import EngineError
from pages.ui import state, tokenizers
from pages.ui.cost import charts, settings
from pages.ui.cost.controls import say
from pages.ui.cost.files import offer_charts, offer_table
from pages.ui.cost.letters import show_letters
from pages.ui.formatting import escaped
from pages.ui.notices import notice
from pages.ui.settings import PROJECTOR, TOKENIZERS, shortened
from pages.ui.text_box import TextEdit, text_box
from pages.ui.token_rows import visible

# The greeting, the university, the names and the two numbers of a published lesson, and more.
SENTENCES: Final = (
    "Tất nhiên, tôi sẽ giúp bạn",
    "Trường Đại học Bách khoa Hà Nội",
    "Tiếng Việt",
    "Nguyễn",
    "12345678",
    "2026-10-17",
    "Hello world",
)
NUMBERS: Final = ("12345678", "2026-10-17", "1,234,567.89", "+84 912 345 678", "١٢٣٤٥", "１２３４")
MOST_OWN: Final = 20
_PART: Final = " │ "
_LONGEST: Final = 34
# Around what is set by itself (FSI and PDI).
_ISOLATE, _END = "\u2068", "\u2069"
# What the box holds, with its version.
_BOX: Final = "own sentences"


def show_numbers() -> None:
    """Sentences, digits and letters; in projector mode the sentences alone."""
    names = _names()
    texts = (*SENTENCES, *own_sentences())
    rows = _counted(names, texts)
    say(_sentence(rows), key="sentences")
    picture = charts.heat_map(_grid(names, texts, rows))
    charts.show(picture, key="cost_sentences")
    if state.get(PROJECTOR) != "off":
        return
    _own()
    offer_table("sentences", rows, {"what": "tokens of short sentences"})
    offer_charts({"Sentences": picture})
    _digits(names)
    show_letters()


def _names() -> list[str]:
    """The chosen tokenizers and the other bundled ones, in the order of the list."""
    return list(dict.fromkeys((*engine.names(), *state.get(TOKENIZERS))))


def own_sentences() -> tuple[str, ...]:
    """What somebody added, a sentence a line, empty lines left out."""
    lines = state.get(settings.SENTENCES).splitlines()
    return tuple(line for line in lines if line.strip())[:MOST_OWN]


def _own() -> None:
    """A box for more sentences."""
    st.text("Your own sentences, one a line; they are in the link while it is short enough.")
    version, typed = state.recall(_BOX) or (0, "")
    if state.get(settings.SENTENCES) != typed:
        # A link brought others: they fill the box anew, which what is typed here does not.
        version += 1
        state.remember(_BOX, (version, state.get(settings.SENTENCES)))
    text_box(
        key="own_sentences",
        text=state.get(settings.SENTENCES),
        version=version,
        label="Own sentences",
        placeholder="A name, a price, an address",
        max_bytes=100_000,
        height=90,
        on_edit=_take,
    )
    lines = sum(bool(line.strip()) for line in state.get(settings.SENTENCES).splitlines())
    if lines > MOST_OWN:
        notice(
            f"The first {MOST_OWN} of {lines:,} lines are shown.", kind="note", key="own_sentences"
        )


def _take(edit: TextEdit) -> None:
    state.acted()
    state.put(settings.SENTENCES, edit.text)
    state.remember(_BOX, (edit.version, edit.text))


def _counted(names: Sequence[str], texts: Sequence[str]) -> list[dict[str, Any]]:
    """One row a sentence and tokenizer."""
    rows = []
    for text in texts:
        for name in names:
            parts = pieces(name, text)
            rows.append(
                {
                    "sentence": text,
                    "tokenizer": tokenizers.title(name),
                    "tokens": None if parts is None else len(parts),
                    "pieces": None if parts is None else _PART.join(parts),
                }
            )
    return rows


def pieces(name: str, text: str) -> list[str] | None:
    """The tokens of a short text as text that can be seen; None if it cannot be cut."""
    try:
        tokenization = tokenizers.tokenizer(name).encode(text)
    except EngineError:
        return None
    data = tokenization.data
    spans = zip(tokenization.starts_byte, tokenization.ends_byte, strict=True)
    return [visible(data[start:end]) for start, end in spans]


def _sentence(rows: Sequence[dict[str, Any]]) -> str:
    counts: dict[str, list[int]] = {}
    for row in rows:
        if row["tokens"] is not None:
            counts.setdefault(row["sentence"], []).append(row["tokens"])
    text, found = max(counts.items(), key=lambda item: max(item[1]) / (min(item[1]) or 1))
    return (
        "Tokens of short sentences, exact counts. The widest apart: "
        f"“{shortened(text, _LONGEST)}”, {min(found):,} to {max(found):,} tokens."
    )


def _grid(
    names: Sequence[str], texts: Sequence[str], rows: Sequence[dict[str, Any]]
) -> charts.Grid:
    """The counts, sentence by sentence; hovering shows the tokens."""
    wide = len(names)
    lines = [rows[place * wide : (place + 1) * wide] for place in range(len(texts))]
    return charts.Grid(
        rows=[shortened(visible_line(text), _LONGEST) for text in texts],
        columns=[tokenizers.title(name) for name in names],
        values=[[row["tokens"] for row in line] for line in lines],
        texts=[
            ["–" if row["tokens"] is None else f"{row['tokens']:,}" for row in line]
            for line in lines
        ],
        hovers=[[_hover(row) for row in line] for line in lines],
    )


def visible_line(text: str) -> str:
    """A sentence as a label: invisible characters by their signs, ordinary blanks as they are."""
    return visible(text.encode()).replace("␣", " ")


def _hover(row: dict[str, Any]) -> str:
    shown = shortened(row["pieces"] or "it cannot be cut", 120)
    return charts.in_html(f"{row['tokenizer']}: {shown}")


def _digits(names: Sequence[str]) -> None:
    """One row a tokenizer and a column a number, cut where the tokens end."""
    st.markdown("#### How each tokenizer groups digits")
    st.text(
        "Most take up to three digits from the left, so 12345678 is 123, 456, 78 and groups do not "
        "line up with thousands; Qwen takes digit by digit; GPT-2 merges whatever was frequent."
    )
    table = digit_rows(names)
    with st.container(key="digits_table"):
        st.table(
            [{escaped(key): escaped(_apart(value)) for key, value in row.items()} for row in table],
            hide_index=True,
        )
    offer_table("digits", table, {"what": "numbers cut into tokens"})


def _apart(cell: str) -> str:
    """Pieces in the order of the tokens: each by itself, whichever way its script runs."""
    return _PART.join(f"{_ISOLATE}{part}{_END}" for part in cell.split(_PART))


def digit_rows(names: Sequence[str]) -> list[dict[str, Any]]:
    """How each tokenizer cuts the numbers."""
    return [
        {"tokenizer": tokenizers.title(name)}
        | {number: _PART.join(pieces(name, number) or ["–"]) for number in NUMBERS}
        for name in names
    ]
