"""A corpus made ready, and the run that it gave: merges, and the tokenizer after any of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from engine.encode_fast import Pairs, pair_key, pair_value
from engine.normalization import KeepText
from engine.piece_encoder import Boundaries, PairModel, PieceEncoder
from engine.special_tokens import AddedToken, AddedTokens
from engine.tokenizer import LosslessEncoder, RankView, SectionEncoder, Tokenizer, Unit
from engine.train import MergeStep, StopReason, Words
from engine.trained_encoder import TrainedEncoder, units_of
from engine.trained_source import shown_pattern, source_of
from engine.training_settings import TrainingError, TrainingSettings, splitter_of
from engine.vocabulary import Vocabulary


@dataclass(frozen=True)
class Corpus:
    """A text made ready for training.

    Attributes:
        text: the whole text.
        pieces: the distinct pieces with their frequencies, in order of first appearance.
        base: the units that the first ids stand for, in UTF-8.
        unit: whether a piece is taken apart into bytes or characters.
        dropped: the characters that the pattern took nowhere, with their numbers.
        special_found: how often each special token was cut out.
    """

    text: str
    pieces: Mapping[str, int]
    base: tuple[bytes, ...]
    unit: Unit
    dropped: Mapping[str, int]
    special_found: Mapping[str, int]

    @cached_property
    def id_of(self) -> dict[bytes, int]:
        """The id of each base unit."""
        return {unit: place for place, unit in enumerate(self.base)}

    @cached_property
    def covered_bytes(self) -> int:
        """The UTF-8 of all pieces: the text but for what was dropped or cut out."""
        return sum(len(piece.encode()) * count for piece, count in self.pieces.items())

    @cached_property
    def words(self) -> Words:
        """The pieces as base ids."""
        if self.unit == "bytes":
            id_of_byte = bytes(self.id_of[bytes([byte])] for byte in range(256))
            return {
                tuple(piece.encode().translate(id_of_byte)): count
                for piece, count in self.pieces.items()
            }
        id_of = self.id_of
        return {
            tuple(id_of[unit] for unit in units_of(piece, self.unit)): count
            for piece, count in self.pieces.items()
        }


def added_tokens(settings: TrainingSettings, first_id: int) -> tuple[AddedToken, ...]:
    """The special tokens of the settings, with ids from ``first_id`` on."""
    return tuple(
        AddedToken(id=token_id, content=content)
        for token_id, content in enumerate(settings.special_tokens, first_id)
    )


@dataclass(frozen=True)
class TrainingRun:
    """What a corpus taught: its merges, and why they ended."""

    settings: TrainingSettings
    corpus: Corpus
    steps: Sequence[MergeStep]
    stopped: StopReason

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer after all merges."""
        return self.at(len(self.steps))

    @cached_property
    def token_bytes(self) -> tuple[bytes, ...]:
        """The bytes of each id: base units, then the results of merges."""
        known = list(self.corpus.base)
        for step in self.steps:
            known.append(known[step.left] + known[step.right])
        return tuple(known)

    @cached_property
    def tokens_at_start(self) -> int:
        """The length of the corpus in base units."""
        return sum(len(word) * count for word, count in self.corpus.words.items())

    def piece_ids(self, pieces: Iterable[str]) -> list[Sequence[int | None]]:
        """The ids of each piece after all merges; None for a character without one.

        For pieces that are met once: none is remembered, and none looked at for places to cut.
        """
        # One of the two that ``_encoder`` makes.
        encoder = cast("LosslessEncoder | TrainedEncoder", self.tokenizer.encoder)
        return list(map(encoder.encoder.model.ids, pieces))

    def at(self, merges: int) -> Tokenizer:
        """The tokenizer as it stood after ``merges`` merges.

        Raises:
            TrainingError: if the run has fewer.
        """
        if not 0 <= merges <= len(self.steps):
            raise TrainingError(f"The run has {len(self.steps)} merges; {merges} were asked for.")
        steps, base = self.steps[:merges], len(self.corpus.base)
        size = base + merges
        pairs = {pair_key(s.left, s.right): pair_value(s.rank, s.new_id) for s in steps}
        tokens = self.token_bytes[:size]
        added = added_tokens(self.settings, size)
        return Tokenizer(
            name="trained",
            vocabulary=Vocabulary(dict(enumerate(tokens))),
            added=AddedTokens(added, KeepText()),
            encoder=self._encoder(pairs, tokens),
            unit=self.corpus.unit,
            ranks=RankView(base),
            pattern=shown_pattern(self.settings),
            origin="trained here",
            source=source_of(self.settings, tokens),
        )

    def _encoder(self, pairs: Pairs, tokens: Sequence[bytes]) -> SectionEncoder:
        splitter, unit = splitter_of(self.settings), self.corpus.unit
        if unit == "characters" or not splitter.lossless:
            return TrainedEncoder(splitter, self.corpus.id_of, pairs, unit)
        byte_ids = [self.corpus.id_of[bytes([byte])] for byte in range(256)]
        model = PairModel(byte_ids=byte_ids, pairs=pairs, whole={})
        return LosslessEncoder(splitter.splitter, PieceEncoder(model, Boundaries(tokens)))
