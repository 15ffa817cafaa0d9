"""What may merge, asked pair by pair, whichever kind of table a tokenizer has.

``rules_of(tokenizer)`` gives the units a piece begins as and the answer for two neighbours. A rank
table is asked for the joined bytes, a merge list for the pair of ids.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from engine.dropping_encoder import DroppingEncoder
from engine.encode_fast import Pairs, Ranks, pair_key
from engine.errors import UnsupportedModel
from engine.general_encoder import GeneralEncoder
from engine.piece_encoder import PairModel, RankModel
from engine.sentencepiece_bpe import CharacterModel
from engine.tokenizer import LosslessEncoder, Tokenizer
from engine.trained_encoder import TrainedEncoder, units_of

Tables = Literal["ranks", "pairs"]
"""``"ranks"``: any neighbours whose joined bytes are a token merge; ``"pairs"``: listed ones do."""

_LOW = (1 << 32) - 1


class Part(NamedTuple):
    """A token of a piece on its way: ``start`` to ``end`` are bytes of the piece's UTF-8.

    ``id`` is None for a character that the tokenizer has no id for.
    """

    id: int | None
    start: int
    end: int


class Found(NamedTuple):
    """What a table says about a pair: its rank, and the id of what it becomes."""

    rank: int
    id: int


class MergeRules(Protocol):
    """The tables of a tokenizer, as merging asks them."""

    @property
    def tables(self) -> Tables:
        """Which kind of table is asked."""
        ...

    def units(self, piece: str) -> list[Part]:
        """What merging a piece begins with."""
        ...

    def look_up(self, left: int | None, right: int | None) -> Found | None:
        """The rank of two neighbours and what they become; None if they do not merge."""
        ...

    def whole(self, piece: str) -> int | None:
        """The id of a piece that is looked up as a whole before any merge; else None."""
        ...

    def ids(self, piece: str) -> tuple[int | None, ...]:
        """The ids of a piece, as encoding gives them."""
        ...


@dataclass(frozen=True, slots=True)
class RankRules:
    """A rank table over bytes; ``first_id`` is the id of rank 0."""

    model: RankModel
    bytes_of: Mapping[int, bytes]
    first_id: int
    tables: Tables = "ranks"

    def units(self, piece: str) -> list[Part]:
        """One byte each."""
        ranks: Ranks = self.model.ranks
        data = piece.encode()
        return [Part(ranks[data[i : i + 1]], i, i + 1) for i in range(len(data))]

    def look_up(self, left: int | None, right: int | None) -> Found | None:
        """The joined bytes in the table."""
        if left is None or right is None:
            return None
        made = self.model.ranks.get(self.bytes_of[left] + self.bytes_of[right])
        return None if made is None else Found(made - self.first_id, made)

    def whole(self, piece: str) -> int | None:
        """Every piece is looked up first."""
        return self.model.ranks.get(piece.encode())

    def ids(self, piece: str) -> tuple[int | None, ...]:
        """The ids of ``piece``."""
        return self.model.ids(piece)


def _listed(pairs: Pairs, left: int | None, right: int | None) -> Found | None:
    if left is None or right is None:
        return None
    value = pairs.get(pair_key(left, right))
    return None if value is None else Found(value >> 32, value & _LOW)


@dataclass(frozen=True, slots=True)
class BytePairRules:
    """A merge list over bytes."""

    model: PairModel
    tables: Tables = "pairs"

    def units(self, piece: str) -> list[Part]:
        """One byte each."""
        byte_ids = self.model.byte_ids
        return [Part(byte_ids[byte], i, i + 1) for i, byte in enumerate(piece.encode())]

    def look_up(self, left: int | None, right: int | None) -> Found | None:
        """The pair in the list."""
        return _listed(self.model.pairs, left, right)

    def whole(self, piece: str) -> int | None:
        """Only if the file says so (``ignore_merges``)."""
        return self.model.whole.get(piece.encode())

    def ids(self, piece: str) -> tuple[int | None, ...]:
        """The ids of ``piece``."""
        return self.model.ids(piece)


@dataclass(frozen=True, slots=True)
class CharacterRules:
    """A merge list over characters, those without an id falling back to bytes or to unknown."""

    model: CharacterModel
    tables: Tables = "pairs"

    def units(self, piece: str) -> list[Part]:
        """Characters, or their bytes, or unknown tokens."""
        return [Part(*unit) for unit in self.model.units(piece)]

    def look_up(self, left: int | None, right: int | None) -> Found | None:
        """The pair in the list."""
        return _listed(self.model.pairs, left, right)

    def whole(self, piece: str) -> int | None:
        """Only if the file says so (``ignore_merges``)."""
        return self.model.vocabulary.get(piece) if self.model.whole_first else None

    def ids(self, piece: str) -> tuple[int | None, ...]:
        """The ids of ``piece``."""
        return self.model.ids(piece)


@dataclass(frozen=True, slots=True)
class TrainedRules:
    """The merges of a training run; a character that it never saw has no id and never merges."""

    encoder: TrainedEncoder
    tables: Tables = "pairs"

    def units(self, piece: str) -> list[Part]:
        """Bytes or characters, as it was trained."""
        parts, offset = [], 0
        for unit in units_of(piece, self.encoder.unit):
            parts.append(Part(self.encoder.id_of.get(unit), offset, offset + len(unit)))
            offset += len(unit)
        return parts

    def look_up(self, left: int | None, right: int | None) -> Found | None:
        """The pair among the merges."""
        return _listed(self.encoder.pairs, left, right)

    def whole(self, piece: str) -> int | None:
        """Never."""
        return None

    def ids(self, piece: str) -> tuple[int | None, ...]:
        """The ids of ``piece``."""
        return tuple(token_id for token_id, _ in self.encoder.tokens(piece))


def rules_of(tokenizer: Tokenizer) -> MergeRules:
    """The tables of ``tokenizer``.

    Raises:
        UnsupportedModel: if it has none that merges.
    """
    match tokenizer.encoder:
        case LosslessEncoder(encoder=pieces) | DroppingEncoder(encoder=pieces):
            match pieces.model:
                case RankModel() as ranked:
                    first = tokenizer.ranks.first_id
                    return RankRules(ranked, tokenizer.vocabulary.bytes_of, first)
                case PairModel() as listed:
                    return BytePairRules(listed)
        case GeneralEncoder(model=characters):
            return CharacterRules(characters)
        case TrainedEncoder() as encoder:
            return TrainedRules(encoder)
    raise UnsupportedModel(f"{tokenizer.name} has no merges that can be replayed.")
