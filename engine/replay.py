"""The whole path of one text, stage by stage: normalized, cut into pieces, merged, looked up.

    replayed = replay(tokenizer, "我想学推理 hello")
    replayed.changes                        # what normalization rewrote
    replayed.piece(1)                       # the second piece, and the branch that took it
    replayed.merges_of(1)                   # a PieceReplay: every merge, every state

Nothing is computed before it is asked for, so a long text costs what is looked at of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from threading import Lock
from typing import NamedTuple

from engine.general_encoder import GeneralEncoder
from engine.merge_rules import rules_of
from engine.normalization import Change
from engine.piece_encoder import Ids, PieceEncoder
from engine.replay_merges import PieceReplay
from engine.replay_splits import split_steps, split_traced
from engine.special_tokens import AddedToken, SpecialPolicy
from engine.standins import from_standins
from engine.tokenizer import Tokenizer, check_encodable


class ReplayedPiece(NamedTuple):
    """A piece of the text, in its place.

    Attributes:
        text: as the model sees it; ``shown`` the bytes that it stands for.
        kept: False for a stretch that the tokenizer drops.
        taken: per split step the branch that took it, None where none did.
        token: the added token that it is, if it is one.
        first_token: the place of its first token among those of the text.
        tokens: how many tokens it becomes.
        start: where it begins in the normalized text, in code points; near it, where the
            tokenizer writes blanks that are not in the text.
    """

    text: str
    shown: bytes
    kept: bool
    taken: tuple[int | None, ...]
    token: AddedToken | None
    first_token: int
    tokens: int
    start: int


class CacheUse(NamedTuple):
    """How a memory of pieces fares on a text: which were found in it and which had to be merged.

    ``hits`` and ``misses`` add up to the number of pieces; ``times`` is how often each distinct
    piece was asked for, in order of first appearance.
    """

    hits: int
    misses: int
    times: Mapping[str, int]


class Replay:
    """One text on its way through one tokenizer. Safe under threads.

    Attributes:
        tokenizer: whose way it is.
        original: the text that was given.
        sections: the text normalized, and cut at its added tokens.
        text: the normalized text.
        steps: how sections are split into pieces.
        rules: the tables that are asked what merges.
    """

    def __init__(self, tokenizer: Tokenizer, text: str, special: SpecialPolicy) -> None:
        self.tokenizer = tokenizer
        self.original = text
        self.sections = tokenizer.added.sections(text, special)
        self.text = "".join(section.text for section in self.sections)
        self.steps = split_steps(tokenizer)
        self.rules = rules_of(tokenizer)
        self._lock = Lock()
        self._walked: list[ReplayedPiece] = []
        self._walk = self._walking()

    @cached_property
    def changes(self) -> list[Change]:
        """Where normalization rewrote the text, as code point offsets before and after."""
        if self.original == self.text:
            return []
        return self.tokenizer.normalizer.changes(self.original)

    def pieces(self, most: int | None = None) -> list[ReplayedPiece]:
        """The pieces of the text in order, dropped stretches and added tokens too.

        Args:
            most: how many of them; None for all.

        Raises:
            PatternTimeout: if a pattern from outside takes too long.
        """
        self._walk_to(most)
        return self._walked[:most]

    def _walk_to(self, most: int | None) -> None:
        with self._lock:
            missing = None if most is None else max(most - len(self._walked), 0)
            self._walked += islice(self._walk, missing)

    def piece(self, place: int) -> ReplayedPiece | None:
        """The piece at ``place``, from 0; None past the end."""
        self._walk_to(place + 1)
        return self._walked[place] if place < len(self._walked) else None

    def place_of_token(self, token: int) -> int | None:
        """The place of the piece that the token at that place of the text belongs to."""
        place = 0
        while (piece := self.piece(place)) is not None:
            if piece.first_token <= token < piece.first_token + piece.tokens:
                return place
            place += 1
        return None

    def longest_piece(self, among: int) -> int:
        """The place of the piece with the most bytes among the first so many; 0 if there is none.

        Added tokens, and what the tokenizer drops, are left out.
        """
        sizes = [len(piece.shown) if self.is_merged(piece) else 0 for piece in self.pieces(among)]
        return sizes.index(max(sizes)) if sizes else 0

    def original_start(self, piece: ReplayedPiece) -> int:
        """Where a piece begins in the text that was given, in code points."""
        shift = 0
        for change in self.changes:
            if change.normalized_start > piece.start:
                break
            if change.normalized_end > piece.start:
                return change.original_start
            shift = change.original_end - change.normalized_end
        return piece.start + shift

    def place_at(self, original: int) -> int | None:
        """The place of the piece in which that code point of the given text lies."""
        offset, place = self._normalized(original), 0
        while self.piece(place) is not None:
            following = self.piece(place + 1)
            if following is None or following.start > offset:
                return place
            place += 1
        return None

    def _normalized(self, original: int) -> int:
        """The code point of the normalized text that stands for one of the given text."""
        shift = 0
        for change in self.changes:
            if change.original_start > original:
                break
            if change.original_end > original:
                return change.normalized_start
            shift = change.normalized_end - change.original_end
        return original + shift

    def merges_of(self, place: int) -> PieceReplay | None:
        """The merges of the piece at ``place``; None for what is not merged."""
        piece = self.piece(place)
        if piece is None or not self.is_merged(piece):
            return None
        return PieceReplay(self.rules, piece.text)

    @staticmethod
    def is_merged(piece: ReplayedPiece) -> bool:
        """Whether a piece goes through the merges: what is dropped or an added token does not."""
        return piece.kept and piece.token is None

    def _walking(self) -> Iterator[ReplayedPiece]:
        tokens = start = 0
        counted = PieceEncoder(_Counting(self))
        for number, section in enumerate(self.sections):
            if section.token is not None:
                shown = section.text.encode()
                yield ReplayedPiece(section.text, shown, True, (), section.token, tokens, 1, start)
                tokens += 1
                start += len(section.text)
                continue
            for cut in split_traced(self.steps, section.text, first=not number):
                size = counted.count([cut.text]) if cut.kept else 0
                shown = self._shown(cut.text)
                yield ReplayedPiece(cut.text, shown, cut.kept, cut.taken, None, tokens, size, start)
                tokens += size
                start += len(shown.decode("utf-8", "replace"))

    def _shown(self, text: str) -> bytes:
        """What a piece stands for, if the model sees it in stand-ins."""
        encoder = self.tokenizer.encoder
        if isinstance(encoder, GeneralEncoder) and encoder.written_in == "standins":
            return from_standins(text) or text.encode()
        return text.encode()

    def cache_use(self) -> CacheUse:
        """What the memory of pieces does on this text, beginning empty."""
        counting = _Counting(self)
        memory = PieceEncoder(counting)
        times: dict[str, int] = {}
        asked = 0
        for number, section in enumerate(self.sections):
            if section.token is not None:
                continue
            for piece in self.tokenizer.encoder.pieces(section.text, first=not number):
                memory.count([piece])
                times[piece] = times.get(piece, 0) + 1
                asked += 1
        return CacheUse(asked - counting.merged, counting.merged, times)


class _Counting:
    """The merging of a tokenizer as a model of pieces, which counts what it is asked."""

    def __init__(self, replay: Replay) -> None:
        self._rules = replay.rules
        self.merged = 0

    def ids(self, piece: str) -> Ids:
        """As many ids as the piece has; an unknown character counts as one."""
        self.merged += 1
        return tuple(-1 if found is None else found for found in self._rules.ids(piece))


def replay(tokenizer: Tokenizer, text: str, *, special: SpecialPolicy = "text") -> Replay:
    """The path of ``text`` through ``tokenizer``, to be looked at stage by stage.

    Args:
        tokenizer: any.
        text: any text without lone surrogates.
        special: as in ``Tokenizer.encode``.

    Raises:
        LoneSurrogate: if the text cannot be written in UTF-8.
        SpecialTokenFound: with ``special="error"``.
        UnsupportedModel: if the tokenizer has no merges.
    """
    check_encodable(text)
    return Replay(tokenizer, text, special)
