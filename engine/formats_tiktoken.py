"""``.tiktoken`` files: one line per token, its bytes in base64 and its rank, which is its id.

The file has neither split pattern nor special tokens; whoever reads it must say them.
Source of the format: tiktoken 0.14, ``load.py``.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping

from engine.dropping_encoder import DroppingEncoder
from engine.encode_fast import Ranks
from engine.errors import FormatError, TooLong
from engine.formats_write import merges_of_ranks
from engine.limits import LARGEST_ID, TABLE_ROWS
from engine.normalization import KeepText
from engine.piece_encoder import Boundaries, PairModel, PieceEncoder, RankModel
from engine.pretokenization import Splitter, WholeText
from engine.recognise import refuse_other_files
from engine.special_tokens import AddedToken, AddedTokens
from engine.tokenizer import LosslessEncoder, RankView, SectionEncoder, Tokenizer
from engine.uploaded_pattern import PatternSplitter, pattern_shown, rust_splitter
from engine.vocabulary import Vocabulary


def read_tiktoken(
    data: bytes, *, name: str, pattern: str | None, special: Mapping[str, int]
) -> Tokenizer:
    """A tokenizer from a rank file.

    Args:
        data: the file.
        name: what to call the tokenizer.
        pattern: a name of ``engine.patterns.NAMED``, or a pattern in Rust's notation.
        special: special tokens and their ids.

    Raises:
        FormatError: if the file or a special token is not right; the message names the line.
        TooLong: if it has more lines than any published one.
        PatternError: if there is no pattern or it cannot be used.
    """
    refuse_other_files(data)
    ranks = _ranks(data)
    splitter: Splitter = rust_splitter(pattern)
    token_bytes = {rank: token for token, rank in ranks.items()}
    vocabulary = Vocabulary(token_bytes)
    return Tokenizer(
        name=name,
        vocabulary=vocabulary,
        added=AddedTokens(_special_tokens(special, token_bytes), KeepText()),
        encoder=_encoder(splitter, ranks, vocabulary),
        ranks=RankView(),
        pattern=pattern_shown(splitter),
        origin=f"uploaded file {name}",
        notes=_notes(data, splitter),
    )


def _encoder(splitter: Splitter, ranks: Ranks, vocabulary: Vocabulary) -> SectionEncoder:
    encoder = PieceEncoder(RankModel(ranks), Boundaries(ranks))
    if isinstance(splitter, PatternSplitter):
        return DroppingEncoder(splitter.pattern, encoder, vocabulary.length_of)
    return LosslessEncoder(splitter, encoder)


def _notes(data: bytes, splitter: Splitter) -> tuple[str, ...]:
    notes = []
    if data.startswith(b"\xef\xbb\xbf"):
        notes.append("The file began with a byte-order mark, which was left aside.")
    if isinstance(splitter, WholeText):
        notes.append("There is no split pattern: the whole text is merged as one piece.")
    if isinstance(splitter, PatternSplitter):
        notes.append(
            "tiktoken drops what a pattern does not match; dropped text is shown between tokens."
        )
    return tuple(notes)


def _ranks(data: bytes) -> dict[bytes, int]:
    ranks: dict[bytes, int] = {}
    line_of: dict[int, int] = {}
    lines = data.count(b"\n") + data.count(b"\r")
    if lines > 2 * TABLE_ROWS:
        raise TooLong(f"The file has {lines:,} lines; up to {TABLE_ROWS:,} are read.")
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), start=1):
        if not line:
            continue
        token, rank = _entry(line, number)
        if token in ranks:
            raise FormatError(f"Line {number}: the token {token!r} was already given.")
        if rank in line_of:
            raise FormatError(
                f"Line {number}: the rank {rank} was already given in line {line_of[rank]}."
            )
        ranks[token] = rank
        line_of[rank] = number
    missing = [byte for byte in range(256) if bytes([byte]) not in ranks]
    if missing:
        raise FormatError(
            f"{len(missing)} of the 256 single bytes are missing, the first is "
            f"0x{missing[0]:02X}; without them some texts cannot be encoded."
        )
    return ranks


def _entry(line: bytes, number: int) -> tuple[bytes, int]:
    parts = line.split()
    if len(parts) != 2:
        raise FormatError(
            f"Line {number}: expected a token in base64, a blank and a rank, "
            f"found {_shortened(line)!r}."
        )
    try:
        token = base64.b64decode(parts[0], validate=True)
    except binascii.Error:
        raise FormatError(f"Line {number}: {_shortened(parts[0])!r} is no base64.") from None
    if not token:
        raise FormatError(f"Line {number}: the token is empty.")
    digits = parts[1].removeprefix(b"-")
    if not digits.isdigit() or len(digits) > 20:
        raise FormatError(f"Line {number}: {_shortened(parts[1])!r} is no rank.")
    rank = int(parts[1])
    if not 0 <= rank <= LARGEST_ID:
        raise FormatError(f"Line {number}: the rank {rank} is not a number from 0 to {LARGEST_ID}.")
    return token, rank


def _shortened(line: bytes) -> str:
    text = line[:60].decode("utf-8", "replace")
    return text if len(line) <= 60 else f"{text}..."


def _special_tokens(
    special: Mapping[str, int], token_bytes: Mapping[int, bytes]
) -> tuple[AddedToken, ...]:
    tokens: dict[int, AddedToken] = {}
    for content, token_id in special.items():
        if not content:
            raise FormatError("A special token is empty.")
        if not 0 <= token_id <= LARGEST_ID:
            raise FormatError(f"The special token {content!r} has the id {token_id}.")
        if token_id in token_bytes or token_id in tokens:
            raise FormatError(
                f"The special token {content!r} has the id {token_id}, which another token has."
            )
        tokens[token_id] = AddedToken(id=token_id, content=content)
    return tuple(tokens.values())


def write_tiktoken(tokenizer: Tokenizer) -> bytes:
    """The rank table of ``tokenizer`` as a ``.tiktoken`` file, in order of rank.

    Pattern, normalizer and added tokens are not in it; the format has no place for them.

    Raises:
        FormatError: if its merges are no rank table; the message says why.
    """
    ranks = _rank_table(tokenizer)
    by_rank = sorted(ranks.items(), key=lambda entry: entry[1])
    return b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for token, rank in by_rank)


def _rank_table(tokenizer: Tokenizer) -> Ranks:
    if not isinstance(tokenizer.encoder, LosslessEncoder | DroppingEncoder):
        raise FormatError(
            f"{tokenizer.name} is not a byte-level tokenizer that keeps every byte, so a .tiktoken "
            "file cannot hold it; write a tokenizer.json."
        )
    model = tokenizer.encoder.encoder.model
    if isinstance(model, RankModel):
        return model.ranks
    if not isinstance(model, PairModel):
        raise FormatError(f"{tokenizer.name} has a model that a .tiktoken file cannot hold.")
    return _ranks_of_pairs(tokenizer, model)


def _ranks_of_pairs(tokenizer: Tokenizer, model: PairModel) -> Ranks:
    """The bytes of every token with its id as rank, if a merge list says no more than that.

    tiktoken merges any two neighbours whose bytes are a token, the lower id first, and looks a
    whole piece up before. So ids must grow with ranks, and every token must come from one merge,
    the one that a rank table implies.
    """
    token_bytes = tokenizer.vocabulary.bytes_of
    ranks = {data: token_id for token_id, data in token_bytes.items()}
    merges, complete = merges_of_ranks(ranks)
    implied = [(ranks[left], ranks[right]) for left, right in merges]
    listed = [
        (key >> 32, key & LARGEST_ID)
        for key, _ in sorted(model.pairs.items(), key=lambda item: item[1])
    ]
    if implied != listed or not (complete or model.whole):
        raise FormatError(
            f"{tokenizer.name} merges listed pairs, and tiktoken merges whatever makes a token; "
            "here the two differ, so a .tiktoken file would give other ids."
        )
    return ranks
