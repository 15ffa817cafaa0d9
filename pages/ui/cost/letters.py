"""How many bytes a letter of each script is, before any tokenizer has seen it."""

from __future__ import annotations

from typing import Any, Final

import streamlit as st

import engine
from pages.ui import parallel
from pages.ui.cost.files import offer_table
from pages.ui.formatting import escaped

# A script or a part of one, its letters, and the language of ours that is written in it.
LETTERS: Final = (
    ("Latin without marks", "a e o u", "en"),
    ("Latin with marks", "é ü ñ ç", "fr"),
    ("Vietnamese, no tone mark", "ă â ê ô ơ ư đ", ""),
    ("Vietnamese, tone below", "ạ ả ẽ ệ ế ữ ỹ", "vi"),
    ("Cyrillic", "а ж я", "ru"),
    ("Arabic", "ا ب ع", "ar"),
    ("Devanagari", "अ क ह", "hi"),
    ("Thai", "ก ข ม", "th"),
    ("Hangul", "가 한 글", "ko"),
    ("Kana", "あ ア ん", "ja"),
    ("Chinese, common", "中 文 学", "zh-Hans"),
    ("Chinese, rare", "𠮷 𡃁 𠮟", ""),
    ("Emoji", "😀 🎓 🚀", ""),
)


def show_letters() -> None:
    """The table, with the mean of our texts where one is written so."""
    st.markdown("#### Bytes of letters")
    st.text(
        "A byte-level tokenizer starts from UTF-8: a letter of one script is one byte, of another "
        "three, and NFD makes more of a letter with marks. What merging then saves is learned."
    )
    table = letter_rows()
    with st.container(key="letters_table"):
        st.table(
            [{key: escaped(_shown(value)) for key, value in row.items()} for row in table],
            hide_index=True,
        )
    offer_table("letters", table, {"what": "bytes of letters in UTF-8"})


def letter_rows() -> list[dict[str, Any]]:
    """One row a script: bytes of its letters in NFC and NFD, and of our text a character."""
    return [
        {
            "script": script,
            "letters": letters,
            "bytes each": _each(letters, "NFC"),
            "in NFD": _each(letters, "NFD"),
            "the first in hex": letters.split()[0].encode().hex(" "),
            "our text": parallel.languages()[tag].title if tag else None,
            "bytes per character of it": _mean(tag) if tag else None,
        }
        for script, letters, tag in LETTERS
    ]


def _each(letters: str, form: engine.Form) -> str:
    """The bytes of a letter, or from the fewest to the most."""
    sizes = {len(engine.normalize(letter, form).encode()) for letter in letters.split()}
    return "–".join(map(str, sorted({min(sizes), max(sizes)})))


def _mean(tag: str) -> float:
    """Bytes per grapheme over all our paragraphs of a language."""
    found = engine.text_counts("".join(parallel.paragraphs(tag)))
    return found.bytes / found.graphemes


def _shown(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.2f}" if isinstance(value, float) else str(value)
