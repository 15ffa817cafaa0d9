"""tiktoken as the reference, built offline: its own patterns, our table of the same publisher."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import FunctionType, MappingProxyType
from typing import TYPE_CHECKING, Any

from engine import SpecialPolicy, Tokenizer
from pages.reference.answers import NoReference, guarded

if TYPE_CHECKING:
    import tiktoken

_NONE: Mapping[str, int] = MappingProxyType({})
# The names under which tiktoken's definitions call their readers of downloaded tables.
_READERS = ("load_tiktoken_bpe", "data_gym_to_mergeable_bpe_ranks")


def definition(name: str, ranks: dict[bytes, int]) -> dict[str, Any]:
    """tiktoken's own definition of an encoding, with ``ranks`` in place of a download.

    The definition is a function of tiktoken's; a copy of it runs here with other globals, so the
    library itself is not touched and other threads see nothing of it.

    Raises:
        NoReference: if this tiktoken has no such encoding.
    """
    from tiktoken_ext import openai_public  # type: ignore[import-untyped]

    constructor = openai_public.ENCODING_CONSTRUCTORS.get(name)
    if not isinstance(constructor, FunctionType):
        raise NoReference(f"tiktoken has no encoding named {name}.")

    def no_download(*_: object, **__: object) -> dict[bytes, int]:
        return ranks

    names = {**constructor.__globals__, **dict.fromkeys(_READERS, no_download)}
    return dict(FunctionType(constructor.__code__, names)())


def build(tokenizer: Tokenizer) -> TiktokenReference:
    """The reference for a bundled tokenizer of OpenAI's; takes 0.1 to 0.3 s.

    Raises:
        NoReference: if tiktoken has no encoding of that name.
    """
    import tiktoken

    ranks = {data: token_id for token_id, data in tokenizer.vocabulary.bytes_of.items()}
    settings = definition(tokenizer.name, ranks)
    return TiktokenReference(tiktoken.Encoding(**settings), tiktoken.__version__)


def of_table(
    name: str, ranks: dict[bytes, int], pattern: str, special: Mapping[str, int] = _NONE
) -> TiktokenReference:
    """The reference for an uploaded .tiktoken file, with the special tokens that somebody said.

    Raises:
        ReferenceRefused: if tiktoken refuses the table or the pattern, a panic included.
    """
    import tiktoken

    encoding = guarded(
        lambda: tiktoken.Encoding(
            name, pat_str=pattern, mergeable_ranks=ranks, special_tokens=dict(special)
        )
    )
    return TiktokenReference(encoding, tiktoken.__version__)


class TiktokenReference:
    """A ``tiktoken.Encoding`` that answers for a policy."""

    def __init__(self, encoding: tiktoken.Encoding, version: str) -> None:
        self.encoding = encoding
        self.title = f"tiktoken {version}"

    def ids(self, text: str, special: SpecialPolicy) -> list[int]:
        """The ids of ``text``; raises ``ReferenceRefused``, as on a million blanks."""
        encoding = self.encoding
        if special == "parse":
            return guarded(lambda: encoding.encode(text, allowed_special="all"))
        return guarded(lambda: encoding.encode(text, disallowed_special=()))

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ``ids``; raises ``ReferenceRefused``."""
        return guarded(lambda: self.encoding.decode(ids, errors="replace"))
