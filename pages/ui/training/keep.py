"""What is left when the page is closed: the tokenizer as files, the corpus with its settings."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Final

import streamlit as st

import engine
from engine.train import TIES
from engine.trained_source import tiktoken_pattern
from engine.training_settings import BASES, PATTERNS
from pages.ui import state
from pages.ui.downloads import offer_file
from pages.ui.formatting import counted
from pages.ui.runs import as_made, corpus_title
from pages.ui.settings import MOST_TOKENIZERS, TOKENIZERS, shortened
from pages.ui.trained_names import (
    LONGEST_EXPRESSION,
    MOST_FREQUENCY,
    MOST_MERGES,
    MOST_SPECIAL,
    Recipe,
)

FILE_ENDING: Final = ".training.json"
_VERSION: Final = 1
_LONGEST_TITLE: Final = 100


def show_keep(recipe: Recipe, run: engine.TrainingRun) -> None:
    """Downloads, and the way to the other pages."""
    st.markdown("**Keep it**")
    with st.container(horizontal=True, vertical_alignment="center", key="keep"):
        if st.button(
            "Open on the Tokens page",
            icon=":material/segment:",
            help=f"With all its {counted(len(run.steps), 'merge')}, whichever step is shown above. "
            "It stands in the list of tokenizers from now on.",
        ):
            _open(recipe, run)
        problems = [
            _download(run, "tokenizer.json", engine.write_tokenizer_json),
            _download(run, "trained.tiktoken", engine.write_tiktoken),
        ]
        offer_file(
            "Corpus and settings",
            lambda: pack(recipe, run.corpus.text),
            f"{_file_name(recipe)}{FILE_ENDING}",
            help="One file with the text and the rules; load it under “Own text”.",
        )
    for problem in filter(None, problems):
        st.text(problem)
    _how_to_load(run)


def _open(recipe: Recipe, run: engine.TrainingRun) -> None:
    whole = as_made(recipe, run).name
    kept = [name for name in state.get(TOKENIZERS) if name != whole]
    state.put(TOKENIZERS, (whole, *kept[: MOST_TOKENIZERS - 1]))
    st.switch_page("pages/tokens.py")


def _download(
    run: engine.TrainingRun, name: str, write: Callable[[engine.Tokenizer], bytes]
) -> str | None:
    """A button for a file; why there is none, if the format cannot say this tokenizer."""
    try:
        # What a format cannot say, it cannot say before the first merge either.
        write(replace(run.at(0), name="This tokenizer"))
    except engine.EngineError as reason:
        return f"No .{name.rpartition('.')[2]} file: {reason}"
    offer_file(name, lambda: write(run.tokenizer), name)
    return None


def _how_to_load(run: engine.TrainingRun) -> None:
    box = st.expander("Load it in Python", key="how_to_load", on_change="rerun")
    if not box.open:
        return
    lines = [
        "import tokenizers",
        'theirs = tokenizers.Tokenizer.from_file("tokenizer.json")',
        "",
        "from transformers import PreTrainedTokenizerFast",
        'theirs = PreTrainedTokenizerFast(tokenizer_file="tokenizer.json")',
    ]
    pattern = tiktoken_pattern(run.settings)
    if pattern is not None:
        special = {token.content: token.id for token in run.tokenizer.added.tokens}
        lines += [
            "",
            "import tiktoken, tiktoken.load",
            "theirs = tiktoken.Encoding(",
            '    "trained",',
            f"    pat_str={pattern!r},",
            '    mergeable_ranks=tiktoken.load.load_tiktoken_bpe("trained.tiktoken"),',
            f"    special_tokens={special!r},",
            ")",
        ]
    with box:
        st.code("\n".join(lines), language="python", wrap_lines=True)


def _file_name(recipe: Recipe) -> str:
    title = corpus_title(recipe.corpus).partition(",")[0]
    return "".join(c if c.isalnum() else "-" for c in title).strip("-") or "corpus"


def pack(recipe: Recipe, text: str) -> bytes:
    """Corpus and settings as one file."""
    document = {
        "tokenarium training": _VERSION,
        "title": corpus_title(recipe.corpus),
        "settings": asdict(recipe.settings),
        "corpus": text,
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


class NoTrainingFile(ValueError):
    """A file is not what ``pack`` wrote; the message is a sentence for the user."""


def unpack(data: bytes) -> tuple[str, engine.TrainingSettings, str]:
    """Title, settings and text of a file that ``pack`` wrote.

    Raises:
        NoTrainingFile: if it is none, or was changed to say what cannot be.
    """
    try:
        document = json.loads(data)
        if document["tokenarium training"] != _VERSION:
            raise NoTrainingFile("The file was written by another version of this page.")
        given = dict(document["settings"])
        given["expression"] = str(given["expression"])
        given["special_tokens"] = tuple(map(str, given["special_tokens"]))
        settings = replace(engine.TrainingSettings(), **given)
        title, text = shortened(str(document["title"]), _LONGEST_TITLE), str(document["corpus"])
        # JSON can say half of a surrogate pair, which is in no text and no settings.
        "".join((title, text, settings.expression, *settings.special_tokens)).encode()
        valid = _can_be_set(settings)
    except NoTrainingFile:
        raise
    except UnicodeEncodeError:
        raise NoTrainingFile(
            "The file holds half of a surrogate pair, which is no character: take out the lone "
            "\\ud800 to \\udfff in it."
        ) from None
    except (KeyError, TypeError, ValueError, RecursionError):
        raise NoTrainingFile("The file is no corpus with settings of this page.") from None
    if not valid:
        raise NoTrainingFile("The settings in the file cannot be set here.")
    return title, settings, text


def _can_be_set(settings: engine.TrainingSettings) -> bool:
    """Whether the controls and the names of tokenizers know such settings."""
    special = settings.special_tokens
    return (
        settings.pattern in PATTERNS
        and settings.ties in TIES
        and settings.base in BASES
        and type(settings.merges) is type(settings.min_frequency) is int
        and 0 <= settings.merges <= MOST_MERGES
        and 1 <= settings.min_frequency <= MOST_FREQUENCY
        and len(settings.expression) <= LONGEST_EXPRESSION
        and len(special) <= MOST_SPECIAL
        and " ".join(special).split() == list(special)
    )
