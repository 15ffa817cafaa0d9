"""The self-check: is what we show what the reference library gives, and nothing lost?"""

from __future__ import annotations

from dataclasses import dataclass

from engine import BUNDLED, Tokenization, Tokenizer, segments
from pages.reference import hf_reference, tiktoken_reference
from pages.reference.answers import NoReference, Reference, ReferenceRefused


@dataclass(frozen=True, slots=True)
class Check:
    """One thing checked. ``ok`` is None where nothing could be said; ``detail`` says why."""

    label: str
    ok: bool | None
    detail: str


def reference_for(tokenizer: Tokenizer) -> Reference:
    """The reference of a bundled tokenizer, to be kept by the caller.

    Takes up to 0.3 s; one of Hugging Face takes 2 to 4 s more when it is first asked.

    Raises:
        NoReference: if no library can check this tokenizer; the message says why.
    """
    entry = BUNDLED.get(tokenizer.name)
    if entry is None or entry.origin != tokenizer.origin:
        raise NoReference(f"No reference library has a tokenizer of its own for {tokenizer.name}.")
    if tokenizer.name in hf_reference.NAMES:
        return hf_reference.build(tokenizer)
    return tiktoken_reference.build(tokenizer)


def self_check(
    tokenization: Tokenization, reference: Reference | NoReference | None = None
) -> list[Check]:
    """Check a tokenization against the reference library and against itself.

    Args:
        tokenization: what is shown.
        reference: what ``reference_for`` gave or raised; built here if left out.

    Returns:
        four checks, the one against the library first; it never raises.
    """
    if reference is None:
        try:
            reference = reference_for(tokenization.tokenizer)
        except NoReference as reason:
            reference = reason
    return [ids_equal(tokenization, reference), *own_checks(tokenization)]


def own_checks(tokenization: Tokenization) -> list[Check]:
    """The three checks that need no library; they never raise."""
    return [_bytes_shown(tokenization), _all_drawn(tokenization), _round_trip(tokenization)]


def ids_equal(tokenization: Tokenization, reference: Reference | NoReference) -> Check:
    """The check against a library; it never raises."""
    if isinstance(reference, NoReference):
        return Check("ids equal to a reference", None, str(reference))
    label = f"ids equal to {reference.title}"
    try:
        # What passed "error" spells no special token, so it equals "text".
        theirs = reference.ids(tokenization.original, tokenization.policy)
    except ReferenceRefused as reason:
        return Check(label, None, f"the reference refuses this text: {reason}")
    except NoReference as reason:
        return Check(label, None, str(reason))
    ours = tokenization.ids
    if ours == theirs:
        return Check(label, True, f"all {len(ours):,} ids are equal")
    place = next(
        (i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b),
        min(len(ours), len(theirs)),
    )
    here, there = (str(ids[place]) if place < len(ids) else "no id" for ids in (ours, theirs))
    return Check(
        label,
        False,
        f"{len(ours):,} ids here, {len(theirs):,} there; "
        f"the first difference is at token {place}: {here} here, {there} there",
    )


def _keeps_all(tokenizer: Tokenizer) -> bool:
    """Whether it is one whose tokens cover every text; an uploaded one may drop text by design."""
    return tokenizer.encoder.span("", first=True) is None


def _bytes_shown(tokenization: Tokenization) -> Check:
    """Every byte of the text lies in exactly one token."""
    label = "bytes shown = bytes encoded"
    position = dropped = 0
    for start, end in zip(tokenization.starts_byte, tokenization.ends_byte, strict=True):
        if start < position or end < start:
            return Check(label, False, f"tokens overlap at byte {start:,}")
        dropped += start - position
        position = end
    size = len(tokenization.data)
    if position > size:
        return Check(label, False, f"tokens cover {position:,} bytes of {size:,}")
    dropped += size - position
    if dropped:
        ok = False if _keeps_all(tokenization.tokenizer) else None
        return Check(label, ok, f"{dropped:,} of {size:,} bytes have no token")
    return Check(label, True, f"all {size:,} bytes are in tokens")


def _all_drawn(tokenization: Tokenization) -> Check:
    """The segments join to the text and to all tokens."""
    label = "tokens drawn = ids"
    drawn, texts = 0, []
    for segment in segments(tokenization):
        if segment.first_token != drawn:
            return Check(label, False, f"the drawing loses its place at token {drawn:,}")
        drawn = segment.last_token
        texts.append(segment.text)
    if drawn != len(tokenization):
        return Check(label, False, f"{drawn:,} tokens drawn of {len(tokenization):,}")
    if "".join(texts) != tokenization.text:
        return Check(label, False, "the text drawn is not the text encoded")
    return Check(label, True, f"all {drawn:,} tokens are drawn")


def _round_trip(tokenization: Tokenization) -> Check:
    """The ids alone give back every byte of the (normalized) text."""
    label = "ids decode to the text"
    if None in tokenization.ids:
        return Check(label, None, "some characters have no id, so the ids cannot be decoded")
    data = tokenization.tokenizer.decode_bytes(tokenization.ids)
    if data != tokenization.data:
        ok = False if _keeps_all(tokenization.tokenizer) else None
        return Check(label, ok, f"{len(data):,} bytes decoded, {len(tokenization.data):,} given")
    if tokenization.text != tokenization.original:
        return Check(label, True, "every byte of the text as the tokenizer normalized it")
    return Check(label, True, "every byte of the text")
