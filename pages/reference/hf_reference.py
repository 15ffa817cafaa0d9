"""Hugging Face ``tokenizers`` as the reference, built offline as a tokenizer.json of our tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

from engine import BUNDLED, AddedToken, SpecialPolicy, Tokenizer
from engine.encode_fast import merge_by_rank
from engine.standins import to_standins
from pages.reference.answers import NoReference, guarded

if TYPE_CHECKING:
    import tokenizers

NAMES = ("qwen2.5", "qwen3", "deepseek-v3")


def merges(tokenizer: Tokenizer) -> list[tuple[int, int]]:
    """The merge list of a tokenizer in order of rank, as pairs of ids, found from its table.

    A merged token that is taken out of the table comes apart into the pair that made it.

    Raises:
        NoReference: if a token is not made of two others, so no merge list gives this table.
    """
    rows = tokenizer.vocabulary.bytes_of
    ranks = {data: token_id for token_id, data in rows.items()}
    pairs = []
    for token_id in sorted(i for i in rows if tokenizer.rank_of(i) is not None):
        data = rows[token_id]
        del ranks[data]
        parts = merge_by_rank(data, ranks)
        ranks[data] = token_id
        if len(parts) != 2:
            raise NoReference(f"The table of {tokenizer.name} is not one of a merge list.")
        pairs.append((parts[0], parts[1]))
    return pairs


def tokenizer_json(tokenizer: Tokenizer) -> str:
    """A bundled tokenizer as its publisher's tokenizer.json has it; takes 2 to 4 s.

    Args:
        tokenizer: one whose name is in ``NAMES``.
    """
    spelled = {i: to_standins(data) for i, data in tokenizer.vocabulary.bytes_of.items()}
    added = tokenizer.added.tokens
    # The library numbers an added token anew unless the vocabulary has it, or it comes next.
    before = {token.content: token.id for token in added if token.id < min(spelled)}
    vocabulary = before | {text: i for i, text in spelled.items()}
    byte_level = {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": False,
        "use_regex": False,
    }
    document = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_added_row(token) for token in added],
        "normalizer": {"type": "NFC"} if tokenizer.normalizer.name == "NFC" else None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [*_splits(tokenizer), byte_level]},
        "post_processor": byte_level,
        "decoder": byte_level,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": vocabulary,
            "merges": [[spelled[a], spelled[b]] for a, b in merges(tokenizer)],
        },
    }
    return json.dumps(document, ensure_ascii=False)


def _splits(tokenizer: Tokenizer) -> list[dict[str, Any]]:
    return [
        {"type": "Split", "pattern": {"Regex": step}, "behavior": "Isolated", "invert": False}
        for step in BUNDLED[tokenizer.name].pattern.steps
    ]


def _added_row(token: AddedToken) -> dict[str, Any]:
    return {
        "id": token.id,
        "content": token.content,
        "single_word": token.single_word,
        "lstrip": token.lstrip,
        "rstrip": token.rstrip,
        "normalized": token.normalized,
        "special": token.special,
    }


def read(data: str) -> tokenizers.Tokenizer:
    """A ``tokenizers.Tokenizer`` from a tokenizer.json, what would falsify counts turned off.

    Raises:
        ReferenceRefused: if the library refuses the file, a panic included.
    """
    from tokenizers import Tokenizer as LibraryTokenizer

    tokenizer = guarded(lambda: LibraryTokenizer.from_str(data))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    if getattr(tokenizer.model, "dropout", None) is not None:
        tokenizer.model.dropout = None
    return tokenizer


def without_added(tokenizer: tokenizers.Tokenizer) -> tokenizers.Tokenizer:
    """A second tokenizer on the same vocabulary that knows no added tokens.

    The only way to have all of them as plain text: the library's own switch spares those that are
    not flagged special, and turning it on a shared tokenizer would change others' answers.
    """
    from tokenizers import Tokenizer as LibraryTokenizer

    plain = LibraryTokenizer(tokenizer.model)
    if tokenizer.normalizer is not None:
        plain.normalizer = tokenizer.normalizer
    if tokenizer.pre_tokenizer is not None:
        plain.pre_tokenizer = tokenizer.pre_tokenizer
    if tokenizer.decoder is not None:
        plain.decoder = tokenizer.decoder
    return plain


def build(tokenizer: Tokenizer) -> HuggingFaceReference:
    """The reference for a bundled tokenizer; the work is done when it is first asked.

    Raises:
        NoReference: if it is not one of ``NAMES``.
    """
    if tokenizer.name not in NAMES:
        raise NoReference(f"tokenizers is no reference for {tokenizer.name}.")
    return HuggingFaceReference(lambda: tokenizer_json(tokenizer))


class HuggingFaceReference:
    """Two tokenizers of the library, with and without added tokens; no setting is ever changed.

    Args:
        document: gives the text of a tokenizer.json, when it is first needed.
    """

    def __init__(self, document: Callable[[], str]) -> None:
        self._document = document
        self._lock = Lock()
        self._pair: tuple[tokenizers.Tokenizer, tokenizers.Tokenizer] | None = None

    @property
    def title(self) -> str:
        """The library and its version."""
        from tokenizers import __version__ as version

        return f"tokenizers {version}"

    def _built(self) -> tuple[tokenizers.Tokenizer, tokenizers.Tokenizer]:
        with self._lock:
            if self._pair is None:
                parsing = read(self._document())
                self._pair = parsing, without_added(parsing)
            return self._pair

    @property
    def parsing(self) -> tokenizers.Tokenizer:
        """Sees the added tokens in a text."""
        return self._built()[0]

    @property
    def plain(self) -> tokenizers.Tokenizer:
        """Takes everything as text."""
        return self._built()[1]

    def ids(self, text: str, special: SpecialPolicy) -> list[int]:
        """The ids of ``text``; raises ``ReferenceRefused``."""
        tokenizer = self.parsing if special == "parse" else self.plain
        return guarded(
            lambda: list(tokenizer.encode_batch_fast([text], add_special_tokens=False)[0].ids)
        )

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ``ids``; raises ``ReferenceRefused``."""
        return guarded(lambda: str(self.parsing.decode(list(ids), skip_special_tokens=False)))
