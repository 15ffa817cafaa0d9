"""The four stages of a text in words, for the command line."""

from __future__ import annotations

from collections.abc import Iterator

from engine.special_tokens import SpecialPolicy
from engine.tokenizer import Tokenizer, check_encodable


def explain(tokenizer: Tokenizer, text: str, *, special: SpecialPolicy = "text") -> str:
    """What happens to ``text``, stage by stage, as lines of text.

    Raises as ``Tokenizer.encode``.
    """
    check_encodable(text)
    return "\n".join(_lines(tokenizer, text, special))


def _lines(tokenizer: Tokenizer, text: str, special: SpecialPolicy) -> Iterator[str]:
    tokenization = tokenizer.encode(text, special=special)
    sections = tokenizer.added.sections(text, special)
    yield f"text            {text!r}, {len(text)} code points, {len(text.encode())} bytes"
    yield f"1 normalization {tokenizer.normalizer.name}: {_normalized(text, tokenization.text)}"
    yield "2 pieces"
    for place, section in enumerate(sections):
        if section.token is not None:
            yield f"    {section.text!r} is the added token {section.token.id}"
            continue
        for piece in tokenizer.encoder.pieces(section.text, first=place == 0):
            yield f"    {piece!r}"
    yield "3 merges"
    for token in tokenization:
        rank = None if token.id is None else tokenizer.rank_of(token.id)
        made = "one unit, or added" if rank is None else f"rank {rank}"
        yield f"    {token.data.hex(' '):<30} {_shown(token.data):<20} {made}"
    yield f"4 ids           {tokenization.ids}"
    yield f"                {len(tokenization)} tokens"


def _normalized(before: str, after: str) -> str:
    return "nothing to change" if before == after else f"{after!r}, {len(after)} code points"


def _shown(data: bytes) -> str:
    """The text of a token, or a word for one that is part of a character."""
    try:
        return repr(data.decode())
    except UnicodeDecodeError:
        return "(part of a character)"
