"""What a tokenizer.json says beside ids: checked, and told in notes."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import UnsupportedModel
from engine.json_document import Field

# How the note on tokens around every text begins; the first of them follows.
PUTS = "The library puts"
_PLAIN_PROCESSORS = ("ByteLevel",)
_PAIR_PROCESSORS = ("BertProcessing", "RobertaProcessing")
_DECODERS = frozenset(
    "BPEDecoder ByteLevel WordPiece Metaspace CTC Sequence Replace Fuse Strip ByteFallback".split()
)


def settings_notes(top: Field) -> Iterator[str]:
    """Notes on truncation and padding, which would change how many ids there are."""
    truncation, padding = top.get("truncation"), top.get("padding")
    if not truncation.is_null:
        size = truncation.get("max_length")
        limit = "" if size.is_null else f" to {size.number():g} tokens"
        yield f"The file cuts every text{limit}; that is switched off here, so counts are whole."
    if not padding.is_null:
        padding.members()
        yield "The file pads texts with extra tokens; that is switched off here."


def post_processor_notes(processor: Field) -> Iterator[str]:
    """Notes on the tokens that a file puts around every text; they are not counted here.

    Raises:
        FormatError: if it is described wrongly.
        UnsupportedModel: if it is none of the library's.
    """
    if processor.is_null:
        return
    kind = processor.need("type").text()
    if kind == "Sequence":
        for inner in processor.need("processors").items():
            yield from post_processor_notes(inner)
    elif kind == "TemplateProcessing":
        yield from _template_notes(processor)
    elif kind in _PAIR_PROCESSORS:
        around = [_name_and_id(processor.need(key)) for key in ("cls", "sep")]
        yield _note(around[:1], around[1:])
    elif kind not in _PLAIN_PROCESSORS:
        raise UnsupportedModel(f'"{processor.place}" is {kind[:60]!r}, which is not known here.')


def _name_and_id(pair: Field) -> str:
    members = list(pair.items())
    if len(members) != 2:
        pair.wrong("a token and its id")
    return f"{members[0].text()} ({members[1].token_id()})"


def _template_notes(processor: Field) -> Iterator[str]:
    ids = processor.need("special_tokens")
    before: list[str] = []
    after: list[str] = []
    target = before
    for item in processor.need("single").items():
        members = item.members()
        if "Sequence" in members:
            target = after
        elif "SpecialToken" in members:
            name = members["SpecialToken"].need("id").text()
            numbers = [n.token_id() for n in ids.need(name).need("ids").items()]
            target.append(f"{name} ({', '.join(map(str, numbers))})")
    if before or after:
        yield _note(before, after)


def _note(before: list[str], after: list[str]) -> str:
    parts = [
        f"{' '.join(names)} {where}"
        for names, where in ((before, "before"), (after, "after"))
        if names
    ]
    return f"{PUTS} {' and '.join(parts)} every text unless told not to; they are not counted here."


def decoder_steps(decoder: Field) -> list[Field]:
    """The steps of a decoder, sequences opened.

    Raises:
        FormatError: if it is described wrongly.
        UnsupportedModel: if a step is none of the library's.
    """
    if decoder.is_null:
        return []
    kind = decoder.need("type").text()
    if kind not in _DECODERS:
        raise UnsupportedModel(f'"{decoder.place}" is {kind[:60]!r}, which is not known here.')
    if kind != "Sequence":
        return [decoder]
    return [step for inner in decoder.need("decoders").items() for step in decoder_steps(inner)]
