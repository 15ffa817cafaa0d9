"""The vocabulary of a tokenizer: how large it is, and what stands in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from engine import vocabulary_search as search
from engine.id_text import why_unknown
from pages.ui import state
from pages.ui.cache import results
from pages.ui.downloads import offer_file
from pages.ui.formatting import escaped
from pages.ui.notices import notice
from pages.ui.token_rows import added_rows, as_csv, rows
from pages.ui.tokenizers import title, tokenizer
from pages.ui.tokens import settings
from pages.ui.tokens.chosen import chosen_tokenizer
from pages.ui.tokens.size import show_share, show_size

MOST_ROWS: Final = 1_000
_LABELS: Final = {
    "text": "Text",
    "bytes": "Bytes",
    "id": "Id",
    "pattern": "Pattern",
    "script": "Script",
    "longest": "Longest",
    "special": "Special",
}
# What is looked for while nothing is written.
EXAMPLES: Final = {
    "text": "token",
    "bytes": "e4 bd",
    "id": "0-255",
    "pattern": r"^ ?\p{Lu}+$",
    "script": "Han",
}
_HELP: Final = {
    "text": "As it stands, blanks too; tokens that begin with it come first.",
    "bytes": "In hexadecimal: e4 bd a0, or e4bda0.",
    "id": "One id, a range such as 100-120, or several with commas.",
    "pattern": r"A regular expression, looked for in the text of each token: ^ ?\p{Lu}+$",
    "script": "Tokens with at least one letter of the script. Vietnamese means the letters ă đ ơ ư "
    "and those from U+1EA0 to U+1EF9, which hardly any other language has.",
}


def show_vocabulary() -> None:
    """Size, search, and the tokens found."""
    name = chosen_tokenizer()
    if name is None:
        return
    show_size(tokenizer(name), title(name))
    show_share(tokenizer(name))
    by = state.get(settings.QUERY_BY)
    query = _asked(by)
    try:
        ids = _found(name, by, query)
    except search.QueryError as error:
        notice(str(error), kind="problem", key="query")
        return
    _summary(name, by, query, ids)
    _table(name, by, ids)


def _asked(by: str) -> str:
    """The controls of the search; returns what is looked for."""
    binding = state.bound(settings.QUERY_BY)
    st.segmented_control(
        "Look for tokens by",
        list(_LABELS),
        format_func=_LABELS.__getitem__,
        required=True,
        key=binding["key"],
        on_change=_emptying(binding["on_change"]),
    )
    if by not in EXAMPLES:
        return ""
    if by == "script":
        return _script()
    with st.container(horizontal=True, vertical_alignment="bottom", key="query"):
        st.text_input(
            "Stand-ins (Ġ is a blank)" if _in_standins(by) else _LABELS[by],
            placeholder=EXAMPLES[by],
            help=_HELP[by],
            width=360,
            **state.bound(settings.QUERY),
        )
        if by == "text":
            st.toggle(
                "written in stand-ins",
                help="Read what is written as stand-ins, one for each byte: Ġ is a blank.",
                **state.bound(settings.STANDINS),
            )
    return state.get(settings.QUERY) or EXAMPLES[by]


def _emptying(changed: Callable[[], None]) -> Callable[[], None]:
    """Also empty the question: bytes are no pattern, and a script is no id."""

    def both() -> None:
        changed()
        state.put(settings.QUERY, "")

    return both


def _script() -> str:
    scripts = (search.VIETNAMESE, *search.SCRIPTS)
    asked = state.get(settings.QUERY)
    if asked and asked not in scripts:
        return asked
    state.put(settings.QUERY, asked or EXAMPLES["script"])
    st.selectbox(
        "Script",
        scripts,
        format_func=lambda script: script.replace("_", " "),
        help=_HELP["script"],
        width=360,
        **state.bound(settings.QUERY),
    )
    return state.get(settings.QUERY)


def _in_standins(by: str) -> bool:
    return by == "text" and state.get(settings.STANDINS)


def _found(name: str, by: str, query: str) -> Sequence[int]:
    """The ids that the search gives, kept between runs. Raises QueryError."""

    def make() -> tuple[Sequence[int], int]:
        found = _search(name, by, query)
        return found, 40 * len(found)

    return results().get(("vocabulary", name, by, _in_standins(by), query), make)


def _search(name: str, by: str, query: str) -> Sequence[int]:
    if by == "special":
        return sorted(tokenizer(name).added.by_id)
    entries = _entries(name)
    if by == "longest":
        return search.longest(entries)
    if _in_standins(by):
        return search.by_standins(entries, query)
    searches: dict[str, Callable[[search.Entries, str], list[int]]] = {
        "text": search.by_text,
        "bytes": search.by_bytes,
        "id": search.by_id,
        "pattern": search.by_pattern,
        "script": search.by_script,
    }
    return searches[by](entries, query)


def _entries(name: str) -> search.Entries:
    def make() -> tuple[search.Entries, int]:
        entries = search.entries_of(tokenizer(name))
        # Python keeps 50 to 80 bytes beside each text, and a number for each id.
        return entries, sum(map(len, entries.texts)) + 130 * len(entries.ids)

    return results().get(("entries", name), make)


def _summary(name: str, by: str, query: str, ids: Sequence[int]) -> None:
    """What was found, in one sentence."""
    count = f"**{len(ids):,}** {'token' if len(ids) == 1 else 'tokens'}"
    what = {
        "text": f"with “{query.replace(' ', '␣')}” in the text",
        "bytes": f"with the bytes {query}",
        "id": f"with the id {query}",
        "pattern": f"in which {query} finds something",
        "script": f"with a {query.replace('_', ' ')} letter",
        "longest": "in all, the longest first",
        "special": "beside the table: control tokens and other added ones",
    }[by]
    shown = f"; the first {MOST_ROWS:,} are shown, the file has all" if len(ids) > MOST_ROWS else ""
    example = by in EXAMPLES and by != "script" and not state.get(settings.QUERY)
    with st.container(key="query_found"):
        st.markdown(
            f"{count} {escaped(f'{what}{shown}.')}{' This is an example.' if example else ''}"
        )
    if by == "id" and not ids:
        first, last = search.id_ranges(query)[0]
        if first == last:
            notice(why_unknown(tokenizer(name), first), kind="note", key="id")


def _table(name: str, by: str, ids: Sequence[int]) -> None:
    if not ids:
        return
    # Half a second to import, and the other parts of the page do without.
    import pandas as pd

    make = added_rows if by == "special" else rows
    table = pd.DataFrame(make(tokenizer(name), ids[:MOST_ROWS]))
    if "rank" in table:
        table["rank"] = table["rank"].astype("Int64")
    st.dataframe(
        table,
        hide_index=True,
        key="vocabulary_table",
        height="auto" if len(ids) < 10 else 420,
        column_config={
            "id": st.column_config.NumberColumn(format="%d", width=80),
            "rank": st.column_config.NumberColumn(
                format="%d",
                width=80,
                help="The place in the order of merges; none for base bytes and added tokens.",
            ),
            "text": st.column_config.TextColumn(
                width=180, help="␣ is a blank; ‹e4› is a byte that makes no character."
            ),
            "bytes (hex)": st.column_config.TextColumn(width=170),
            "stand-ins": st.column_config.TextColumn(width=130),
            "bytes": st.column_config.NumberColumn(format="%d", width=70),
            "code points": st.column_config.NumberColumn(
                format="%d", width=100, help="Whole ones; parts of a character are not counted."
            ),
        },
    )
    offer_file(
        f"Download all {len(ids):,} as CSV",
        lambda: as_csv(make(tokenizer(name), ids)),
        f"{name}-{by}.csv",
    )
