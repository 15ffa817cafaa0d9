"""What libraries do with a text that spells control tokens, asked live."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine import Tokenizer
from pages.reference.answers import ReferenceRefused
from pages.reference.hf_reference import HuggingFaceReference
from pages.reference.tiktoken_reference import TiktokenReference, of_table

# tiktoken's own encodings have few special tokens; for other models it is given theirs.
_LONGEST: Final = 600


class Refusal(NamedTuple):
    """What ``tiktoken.Encoding.encode`` raised, by its name, and the library's sentence."""

    error: str
    sentence: str


def tiktoken_of(tokenizer: Tokenizer) -> TiktokenReference:
    """tiktoken with the table, the pattern and all added tokens of a tokenizer; takes 0.3 s.

    Raises:
        ReferenceRefused: if tiktoken refuses the table or the pattern.
    """
    ranks = {data: token_id for token_id, data in tokenizer.vocabulary.bytes_of.items()}
    special = {token.content: token.id for token in tokenizer.added.tokens}
    return of_table(tokenizer.name, ranks, tokenizer.pattern.replace("\n", "|"), special)


def refusal(library: TiktokenReference, text: str) -> Refusal | None:
    """What tiktoken says when it is simply asked for the ids of ``text``; None if it gives them."""
    try:
        library.encoding.encode(text)
    except ValueError as error:
        return Refusal(type(error).__name__, str(error)[:_LONGEST])
    return None


def switched_ids(library: HuggingFaceReference, tokenizer: Tokenizer, text: str) -> list[int]:
    """The ids with the library's own switch for special tokens as text.

    It spares the added tokens that are not flagged special. Set on an object of its own: the other
    is shared.

    Raises:
        ReferenceRefused: if the library fails.
    """
    import tokenizers

    shared = library.parsing
    switched = tokenizers.Tokenizer(shared.model)
    switched.normalizer = shared.normalizer
    switched.pre_tokenizer = shared.pre_tokenizer
    for token in tokenizer.added.tokens:
        added = tokenizers.AddedToken(
            token.content,
            single_word=token.single_word,
            lstrip=token.lstrip,
            rstrip=token.rstrip,
            normalized=token.normalized,
            special=token.special,
        )
        add = switched.add_special_tokens if token.special else switched.add_tokens
        add([added])
    switched.encode_special_tokens = True
    ids = list(switched.encode(text, add_special_tokens=False).ids)
    if unknown := [i for i in ids if tokenizer.bytes_of(i) is None]:
        raise ReferenceRefused(f"the library numbers its added tokens otherwise ({unknown[0]})")
    return ids
