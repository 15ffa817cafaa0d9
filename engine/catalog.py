"""The bundled tokenizers by name. Nothing is read before one is asked for."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path

from engine import patterns
from engine.chunks import ChunkMemory
from engine.errors import UnknownTokenizer
from engine.normalization import KeepText, Normalizer, UnicodeNormalizer
from engine.patterns import NamedPattern
from engine.piece_encoder import Boundaries, PieceEncoder, RankModel
from engine.pretokenization import NamedSplitter
from engine.special_tokens import AddedToken, AddedTokens
from engine.tokenizer import LosslessEncoder, RankView, Tokenizer
from engine.vocabulary import Vocabulary

FOLDER = Path(__file__).parent / "vocabularies"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundled:
    """What the catalog knows about a tokenizer without reading its table.

    ``first_id`` is the id of the first entry of the table; ``first_merged_id`` that of rank 0;
    ``added`` how many of the added tokens of its table's file it has (None: all).
    """

    name: str
    title: str
    used_by: str
    table: str
    pattern: NamedPattern
    normalizer: Callable[[], Normalizer] = KeepText
    first_id: int = 0
    first_merged_id: int = 0
    added: int | None = None
    model_rows: int | None = None
    origin: str


_QWEN_TABLE = {
    "table": "qwen3",
    "pattern": patterns.QWEN,
    "normalizer": lambda: UnicodeNormalizer("NFC"),
    "first_merged_id": 256,
    "origin": "Alibaba Cloud, Apache-2.0",
}

BUNDLED: dict[str, Bundled] = {
    entry.name: entry
    for entry in (
        Bundled(
            name="gpt2",
            title="GPT-2",
            used_by="GPT-2, GPT-3",
            table="gpt2",
            pattern=patterns.GPT2,
            model_rows=50_257,
            origin="OpenAI, MIT",
        ),
        Bundled(
            name="cl100k_base",
            title="GPT-4 (cl100k)",
            used_by="GPT-3.5, GPT-4",
            table="cl100k_base",
            pattern=patterns.CL100K,
            origin="OpenAI, MIT",
        ),
        Bundled(
            name="o200k_base",
            title="GPT-4o (o200k)",
            used_by="GPT-4o, GPT-4.1, GPT-5, o3",
            table="o200k_base",
            pattern=patterns.O200K,
            origin="OpenAI, MIT",
        ),
        Bundled(
            name="qwen2.5",
            title="Qwen2.5",
            used_by="Qwen2, Qwen2.5",
            added=22,
            **_QWEN_TABLE,  # type: ignore[arg-type]
        ),
        Bundled(
            name="qwen3",
            title="Qwen3",
            used_by="Qwen3",
            model_rows=151_936,
            **_QWEN_TABLE,  # type: ignore[arg-type]
        ),
        Bundled(
            name="deepseek-v3",
            title="DeepSeek-V3",
            used_by="DeepSeek-V3, DeepSeek-R1",
            table="deepseek-v3",
            pattern=patterns.DEEPSEEK,
            first_id=3,
            first_merged_id=259,
            origin="DeepSeek, MIT",
        ),
    )
}


def names() -> list[str]:
    """The names that ``load`` takes, oldest tokenizer first."""
    return list(BUNDLED)


def load(name: str) -> Tokenizer:
    """A bundled tokenizer, read from the package's own files.

    Each call reads the table again (0.1 to 0.3 s) and returns a new object; the caller caches.

    Raises:
        UnknownTokenizer: if ``name`` is none of ``names()``.
    """
    entry = BUNDLED.get(name)
    if entry is None:
        raise UnknownTokenizer(f"There is no tokenizer {name!r}; there are {', '.join(BUNDLED)}.")
    table = read_table((FOLDER / f"{entry.table}.table").read_bytes())
    token_bytes = dict(enumerate(table, entry.first_id))
    ranks = {data: token_id for token_id, data in token_bytes.items()}
    encoder = PieceEncoder(RankModel(ranks, all_made=True), Boundaries(table))
    return Tokenizer(
        name=entry.name,
        vocabulary=Vocabulary(token_bytes),
        added=AddedTokens(added_tokens(entry), entry.normalizer()),
        encoder=LosslessEncoder(NamedSplitter(entry.pattern), encoder, ChunkMemory()),
        ranks=RankView(entry.first_merged_id),
        pattern="\n".join(entry.pattern.steps),
        origin=entry.origin,
        model_rows=entry.model_rows,
    )


def added_tokens(entry: Bundled) -> tuple[AddedToken, ...]:
    """The added tokens of a bundled tokenizer, in order of the publisher's file."""
    rows = json.loads((FOLDER / f"{entry.table}.added.json").read_text("utf-8"))
    return tuple(
        AddedToken(id=row[0], content=row[1], special=row[2], normalized=row[3])
        for row in rows[: entry.added]
    )


def write_table(tokens: list[bytes]) -> bytes:
    """Tokens in order of rank as one compressed block: a byte of length each, then all bytes."""
    lengths = bytes(map(len, tokens))
    return zlib.compress(len(tokens).to_bytes(4, "little") + lengths + b"".join(tokens), 9)


def read_table(block: bytes) -> list[bytes]:
    """What ``write_table`` wrote."""
    data = zlib.decompress(block)
    count = int.from_bytes(data[:4], "little")
    start = 4 + count
    ends = list(accumulate(data[4:start], initial=start))
    return [data[a:b] for a, b in pairwise(ends)]
