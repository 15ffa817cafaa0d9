"""Writing a tokenizer as tokenizer.json, so that ``tokenizers`` gives the same ids."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise

from engine.dropping_encoder import DroppingEncoder
from engine.encode_fast import Ranks
from engine.errors import FormatError
from engine.formats_hf_added import ids_given
from engine.general_encoder import GeneralEncoder
from engine.normalization import KeepText, UnicodeNormalizer
from engine.piece_encoder import PairModel, RankModel
from engine.pretokenization import NamedSplitter, WholeText
from engine.special_tokens import AddedToken
from engine.standins import to_standins
from engine.tokenizer import LosslessEncoder, SectionEncoder, Tokenizer
from engine.trained_encoder import TrainedEncoder
from engine.uploaded_pattern import PatternSplitter, oniguruma_steps

_SHIFT, _LOW = 32, (1 << 32) - 1


def write_tokenizer_json(tokenizer: Tokenizer) -> bytes:
    """``tokenizer`` as a tokenizer.json with merges as lists.

    Raises:
        FormatError: if it has a part that such a file cannot say.
    """
    vocabulary, merges, ignore_merges = _model(tokenizer)
    _check_added_ids(tokenizer, vocabulary)
    components, options = _components(tokenizer)
    document = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_added(token) for token in tokenizer.added.tokens],
        **components,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            **options,
            "ignore_merges": ignore_merges,
            "vocab": vocabulary,
            "merges": merges,
        },
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def _added(token: AddedToken) -> dict[str, object]:
    return {
        "id": token.id,
        "content": token.content,
        "single_word": token.single_word,
        "lstrip": token.lstrip,
        "rstrip": token.rstrip,
        "normalized": token.normalized,
        "special": token.special,
    }


def _check_added_ids(tokenizer: Tokenizer, vocabulary: dict[str, int]) -> None:
    """Put added tokens into the vocabulary where the library would give them other ids.

    It takes the next free id for a token that is not in the vocabulary, whatever the file says.
    """
    tokens = tokenizer.added.tokens
    contents = [token.content for token in tokens]
    if ids_given(vocabulary, contents) == [token.id for token in tokens]:
        return
    for token in tokens:
        if vocabulary.setdefault(token.content, token.id) != token.id:
            raise FormatError(
                f"The added token {token.content!r} has another id than the same string in the "
                "vocabulary, which a tokenizer.json cannot say."
            )


Merges = list[list[str]]


def _model(tokenizer: Tokenizer) -> tuple[dict[str, int], Merges, bool]:
    """The vocabulary, the merges, and whether whole pieces are looked up before any merge."""
    match tokenizer.encoder:
        case GeneralEncoder(model=model):
            return dict(model.vocabulary), _merges(model.pairs, model.vocabulary), model.whole_first
        case TrainedEncoder(pairs=pairs) if tokenizer.source is not None:
            vocabulary = dict(tokenizer.source.vocabulary)
            return vocabulary, _merges(pairs, vocabulary), False
        case LosslessEncoder(encoder=encoder) | DroppingEncoder(encoder=encoder):
            match encoder.model:
                case PairModel(pairs=pairs, whole=whole):
                    source = tokenizer.source
                    vocabulary = dict(source.vocabulary) if source else _in_standins(tokenizer)
                    return vocabulary, _merges(pairs, vocabulary), bool(whole)
                case RankModel(ranks=ranks):
                    merges, complete = merges_of_ranks(ranks)
                    written = [[to_standins(left), to_standins(right)] for left, right in merges]
                    return _in_standins(tokenizer), written, not complete
    raise FormatError(f"{tokenizer.name} has a model that a tokenizer.json cannot say.")


def _in_standins(tokenizer: Tokenizer) -> dict[str, int]:
    return {
        to_standins(data): token_id
        for token_id, data in sorted(tokenizer.vocabulary.bytes_of.items())
    }


def _merges(pairs: Mapping[int, int], vocabulary: Mapping[str, int]) -> Merges:
    token_of = {token_id: token for token, token_id in vocabulary.items()}
    if len(token_of) != len(vocabulary):
        raise FormatError("Tokens share their ids, so its merges cannot be written.")
    by_rank = sorted(pairs.items(), key=lambda item: item[1])
    return [[token_of[key >> _SHIFT], token_of[key & _LOW]] for key, _ in by_rank]


def merges_of_ranks(ranks: Ranks) -> tuple[list[tuple[bytes, bytes]], bool]:
    """The merges of a rank table, in order, and whether they reach every token.

    A rank table says what merges make, not of what. Each token is merged with the merges of lower
    rank; the two parts that are left are those of its own merge. A token of which more parts are
    left can only be found as a whole piece.
    """
    merges: list[tuple[bytes, bytes]] = []
    complete = True
    for token, rank in sorted(ranks.items(), key=lambda item: item[1]):
        if len(token) < 2:
            continue
        parts = _merged_below(token, ranks, rank)
        if len(parts) == 2:
            merges.append((parts[0], parts[1]))
        else:
            complete = False
    return merges, complete


def _merged_below(token: bytes, ranks: Ranks, limit: int) -> list[bytes]:
    """The parts of ``token`` after all merges of a rank below ``limit``."""
    parts = [token[place : place + 1] for place in range(len(token))]
    while len(parts) > 2:
        best = [ranks.get(a + b, limit) for a, b in pairwise(parts)]
        lowest = min(best)
        if lowest >= limit:
            break
        place = best.index(lowest)
        parts[place : place + 2] = [parts[place] + parts[place + 1]]
    return parts


def _components(tokenizer: Tokenizer) -> tuple[dict[str, object], dict[str, object]]:
    """Normalizer, pre-tokenizer, post-processor and decoder, and the options of the model."""
    if tokenizer.source is not None:
        return dict(tokenizer.source.components), dict(tokenizer.source.options)
    byte_level = {"add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    splits = list(_splits(tokenizer.encoder))
    return {
        "normalizer": _normalizer(tokenizer),
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [*splits, {"type": "ByteLevel", **byte_level}],
        },
        "post_processor": None,
        "decoder": {"type": "ByteLevel", **byte_level},
    }, {}


def _split(pattern: str, behavior: str = "Isolated", *, invert: bool = False) -> dict[str, object]:
    return {
        "type": "Split",
        "pattern": {"Regex": pattern},
        "behavior": behavior,
        "invert": invert,
    }


def _splits(encoder: SectionEncoder) -> Iterator[dict[str, object]]:
    """The splits of an encoder, with patterns written for Oniguruma."""
    match encoder:
        case LosslessEncoder(splitter=NamedSplitter(pattern=pattern)):
            yield from map(_split, oniguruma_steps(pattern))
        case LosslessEncoder(splitter=PatternSplitter(pattern=uploaded)):
            yield _split(uploaded.for_oniguruma())
        case LosslessEncoder(splitter=WholeText()):
            return
        case DroppingEncoder(pattern=uploaded):
            # What does not match is removed.
            yield _split(uploaded.for_oniguruma(), "Removed", invert=True)
        case _:
            raise FormatError("It splits in a way that a tokenizer.json cannot say.")


def _normalizer(tokenizer: Tokenizer) -> dict[str, object] | None:
    match tokenizer.normalizer:
        case KeepText():
            return None
        case UnicodeNormalizer(form=("NFC" | "NFD" | "NFKC" | "NFKD") as form):
            return {"type": form}
    raise FormatError(
        f"Its normalizer {tokenizer.normalizer.name} cannot be said in a tokenizer.json."
    )
