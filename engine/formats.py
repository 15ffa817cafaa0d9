"""Tokenizer files: read from bytes, and written so that the reference libraries load them.

Two kinds are known: ``.tiktoken`` (a rank table, run by tiktoken) and ``tokenizer.json`` (run by
Hugging Face ``tokenizers``). Uploaded files are not trusted: sizes, depths and times are bounded,
and what is not known is refused by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, get_args

from engine.formats_hf import read_tokenizer_json
from engine.formats_tiktoken import read_tiktoken, write_tiktoken
from engine.formats_write import write_tokenizer_json
from engine.tokenizer import Tokenizer

Kind = Literal["tokenizer.json", "tiktoken"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

_NONE: Mapping[str, int] = MappingProxyType({})

__all__ = ["KINDS", "Kind", "read", "write_tiktoken", "write_tokenizer_json"]


def read(
    data: bytes,
    *,
    kind: Kind,
    name: str = "uploaded",
    pattern: str | None = None,
    special: Mapping[str, int] = _NONE,
) -> Tokenizer:
    """A tokenizer from the bytes of a file.

    Args:
        data: the file.
        kind: what kind of file it is.
        name: what to call the tokenizer.
        pattern: for ``"tiktoken"``: a name of ``engine.patterns.NAMED`` or a pattern.
        special: for ``"tiktoken"``: special tokens and their ids.

    Raises:
        TooLong: if the file is larger than the limit.
        FormatError: if it is no such file or something in it is wrong; the message says where.
        UnsupportedModel: if it is right, but not something that this engine runs.
        PatternError: if a split pattern is missing or cannot be used.
        ValueError: if ``kind`` is none of the two.
    """
    if kind == "tiktoken":
        return read_tiktoken(data, name=name, pattern=pattern, special=special)
    if kind == "tokenizer.json":
        return read_tokenizer_json(data, name=name)
    raise ValueError(f"No kind {kind!r}; there are {', '.join(KINDS)}.")
