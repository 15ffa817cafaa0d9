"""The ``model`` of a tokenizer.json: its vocabulary and its merges, checked one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.encode_fast import pair_key, pair_value
from engine.errors import FormatError, TooLong, UnsupportedModel
from engine.json_document import Field, check_id
from engine.limits import TABLE_ROWS

_OTHER_MODELS = {
    "Unigram": "it picks the most probable segmentation",
    "WordPiece": "it takes the longest word piece from the left",
    "WordLevel": "it looks whole words up",
}


@dataclass(frozen=True, kw_only=True)
class BpeFile:
    """A BPE model as a file describes it.

    Attributes:
        vocabulary: token, as written, to id.
        pairs: see ``encode_fast.Pairs``.
        merges: the pairs of tokens as written, in order of rank.
        unknown: the unknown token, if there is one.
        prefix, suffix: see ``sentencepiece_bpe.CharacterModel``.
        notes: what was left aside.
    """

    vocabulary: dict[str, int]
    pairs: dict[int, int]
    merges: list[tuple[str, str]]
    unknown: str | None
    prefix: str
    suffix: str
    fuse_unknown: bool
    byte_fallback: bool
    ignore_merges: bool
    notes: tuple[str, ...]

    @property
    def unknown_id(self) -> int | None:
        """The id of the unknown token."""
        return None if self.unknown is None else self.vocabulary[self.unknown]


def read_model(model: Field) -> BpeFile:
    """The BPE model of a file.

    Raises:
        UnsupportedModel: if it is another model; the message says what that does.
        FormatError: if something in it is wrong; the message names the place.
        TooLong: if its tables are larger than any published ones.
    """
    _check_type(model)
    vocabulary = _vocabulary(model.need("vocab"))
    prefix = _optional_text(model, "continuing_subword_prefix")
    merges = list(_merges(model.need("merges")))
    unknown = model.get("unk_token")
    if not unknown.is_null and unknown.text() not in vocabulary:
        raise FormatError(f"The unknown token {unknown.text()!r} is not in the vocabulary.")
    return BpeFile(
        vocabulary=vocabulary,
        pairs=_pairs(merges, vocabulary, prefix),
        merges=merges,
        unknown=None if unknown.is_null else unknown.text(),
        prefix=prefix,
        suffix=_optional_text(model, "end_of_word_suffix"),
        fuse_unknown=model.get("fuse_unk").flag(default=False),
        byte_fallback=model.get("byte_fallback").flag(default=False),
        ignore_merges=model.get("ignore_merges").flag(default=False),
        notes=tuple(_notes(model, vocabulary)),
    )


def _check_type(model: Field) -> None:
    members = model.raw_object()
    if "type" not in members:
        if "merges" in members:
            return
        raise FormatError('"model" does not say "type", and has no "merges".')
    kind = model.get("type").text()
    if kind in _OTHER_MODELS:
        raise UnsupportedModel(
            f"The model is {kind}, not BPE: {_OTHER_MODELS[kind]}, so there are no merges to show."
        )
    if kind != "BPE":
        raise UnsupportedModel(f"The model is {kind[:60]!r}, not BPE; it cannot be run here.")


def _optional_text(model: Field, key: str) -> str:
    """A text; nothing if it is null, which the library treats alike."""
    value = model.get(key)
    return "" if value.is_null else value.text()


def _notes(model: Field, vocabulary: dict[str, int]) -> Iterator[str]:
    dropout = model.get("dropout")
    if not dropout.is_null:
        if not 0 <= dropout.number() <= 1:
            raise FormatError('"model.dropout" must be from 0 to 1.')
        if dropout.number() > 0:
            yield (
                f"The file sets dropout {dropout.number():g}, which makes results random; "
                "it is switched off here."
            )
    shared = len(vocabulary) - len(set(vocabulary.values()))
    if shared:
        token, token_id = _first_shared(vocabulary)
        yield (
            f"{shared} tokens share their id with another, such as {token!r} (id {token_id}); "
            "decoding cannot tell them apart."
        )


def _first_shared(vocabulary: dict[str, int]) -> tuple[str, int]:
    seen: set[int] = set()
    for token, token_id in vocabulary.items():
        if token_id in seen:
            return token, token_id
        seen.add(token_id)
    raise AssertionError("every id is given once")


def _check_rows(count: int, what: str) -> None:
    if count > TABLE_ROWS:
        raise TooLong(f"The file has {count:,} {what}; up to {TABLE_ROWS:,} are read.")


def _vocabulary(vocab: Field) -> dict[str, int]:
    vocabulary: dict[str, int] = {}
    _check_rows(len(vocab.raw_object()), "tokens")
    for token, token_id in vocab.raw_object().items():
        vocabulary[token] = check_id(token_id, f"{vocab.place}[{token[:40]!r}]")
    return vocabulary


def _merges(merges: Field) -> Iterator[tuple[str, str]]:
    """The merges in order, written as texts or as lists of two."""
    entries = merges.raw_list()
    _check_rows(len(entries), "merges")
    if entries and isinstance(entries[0], str):
        yield from _merges_of_texts(entries)
    else:
        yield from _merges_of_lists(entries)


def _merges_of_texts(entries: Sequence[object]) -> Iterator[tuple[str, str]]:
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, str):
            raise FormatError(f"Merge {number} is no text, unlike the merges before it.")
        if entry.startswith("#version"):
            continue
        parts = entry.split(" ")
        if len(parts) != 2:
            raise FormatError(
                f"Merge {number} is {entry[:60]!r}: two tokens with one blank between are needed; "
                "a token with a blank needs the form of a list."
            )
        yield parts[0], parts[1]


def _merges_of_lists(entries: Sequence[object]) -> Iterator[tuple[str, str]]:
    for number, entry in enumerate(entries, start=1):
        match entry:
            case [str(left), str(right)]:
                yield left, right
            case str():
                raise FormatError(f"Merge {number} is a text, unlike the merges before it.")
            case _:
                raise FormatError(f"Merge {number} is not a list of two texts.")


def _pairs(
    merges: list[tuple[str, str]], vocabulary: dict[str, int], prefix: str
) -> dict[int, int]:
    pairs: dict[int, int] = {}
    skipped = len(prefix.encode())
    for rank, (left, right) in enumerate(merges):
        left_id, right_id = vocabulary.get(left), vocabulary.get(right)
        joined = left + (right if not skipped else _without_prefix(right, skipped))
        new_id = vocabulary.get(joined)
        if left_id is None or right_id is None or new_id is None:
            raise FormatError(_missing(left, right, joined, vocabulary))
        # A pair that is listed twice has its last rank, as in the library.
        pairs[pair_key(left_id, right_id)] = pair_value(rank, new_id)
    return pairs


def _without_prefix(token: str, skipped: int) -> str:
    """``token`` without as many bytes as the prefix has; the library does not look at them."""
    data = token.encode()
    try:
        if len(data) < skipped:
            raise ValueError
        return data[skipped:].decode()
    except ValueError:
        raise FormatError(
            f"A merge has {token[:60]!r} on its right, which does not begin with the prefix."
        ) from None


def _missing(left: str, right: str, joined: str, vocabulary: dict[str, int]) -> str:
    merge = f"merge {left[:60]}+{right[:60]}"
    for part in (left, right):
        if part not in vocabulary:
            return f"{merge}: {part[:60]!r} is not in the vocabulary"
    return f"{merge} makes {joined[:120]}, which is not in the vocabulary"
