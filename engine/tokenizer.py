"""A tokenizer and its result.

Text goes through four stages: added tokens are cut out, the rest is normalized, split into pieces,
and each piece is merged. ``Tokenization`` keeps the result as columns (ids, byte ends); rows are
made only when someone iterates, so a megabyte of text does not become 250,000 objects.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Literal, NamedTuple, Protocol, cast

from engine.chunks import ChunkMemory
from engine.errors import LoneSurrogate, UnknownCharacter, UnknownId
from engine.garbage import no_collection
from engine.graphemes import grapheme_interiors
from engine.normalization import Change, Normalizer
from engine.piece_encoder import PieceEncoder
from engine.pretokenization import Splitter
from engine.special_tokens import AddedToken, AddedTokens, Section, SpecialPolicy
from engine.vocabulary import Vocabulary

Unit = Literal["bytes", "characters"]


class Span(NamedTuple):
    """Tokens of one section: their ids, and their bytes of the section's text.

    ``starts`` and ``ends`` are byte offsets (in the usual case compact arrays, since a megabyte
    of text has 250,000 of them). A token whose id is None is a character that the
    tokenizer has no id for. Text between two tokens was dropped by the tokenizer.
    """

    text: str
    ids: Sequence[int | None]
    starts: Sequence[int]
    ends: Sequence[int]


class SectionEncoder(Protocol):
    """Splits and merges a stretch of normalized text."""

    def ids(self, text: str, *, first: bool) -> list[int]:
        """The ids of ``text``; ``first`` if nothing stands before it."""
        ...

    def count(self, text: str, *, first: bool) -> int:
        """The number of ids of ``text``."""
        ...

    def span(self, text: str, *, first: bool) -> Span | None:
        """Where the tokens lie, or None where they cover the text one after the other."""
        ...

    def pieces(self, text: str, *, first: bool) -> list[str]:
        """The pieces that are merged, for explaining."""
        ...


@dataclass(frozen=True, slots=True)
class Source:
    """A tokenizer.json as it was read, without what the tokenizer itself holds.

    Attributes:
        vocabulary: each token as it is written there, and its id.
        components: normalizer, pre-tokenizer, post-processor and decoder.
        options: of the model.
    """

    vocabulary: Mapping[str, int]
    components: Mapping[str, object]
    options: Mapping[str, object]


class TextDecoder(Protocol):
    """Makes a text of tokens."""

    def text(self, ids: Sequence[int], tokens: Sequence[bytes], errors: str) -> str:
        """The text of ``ids``, whose bytes are ``tokens``."""
        ...


@dataclass(frozen=True, slots=True)
class LosslessEncoder:
    """The usual case: pieces join to the text and tokens to the pieces.

    ``memory`` keeps long stretches of text; only for patterns for which ``engine.chunks`` is right.
    """

    splitter: Splitter
    encoder: PieceEncoder
    memory: ChunkMemory | None = None

    def ids(self, text: str, *, first: bool) -> list[int]:
        """The ids of ``text``."""
        with no_collection():
            return self.memory.ids(text, self._ids) if self.memory else self._ids(text)

    def _ids(self, text: str) -> list[int]:
        return self.encoder.ids(self.splitter.pieces(text))

    def count(self, text: str, *, first: bool) -> int:
        """The number of ids of ``text``."""
        with no_collection():
            return self.encoder.count(self.splitter.pieces(text))

    def forget(self) -> None:
        """Empty all memories (for measuring what a text costs that was never seen)."""
        self.encoder.forget()
        if self.memory:
            self.memory.forget()

    def anew(self) -> LosslessEncoder:
        """Another with empty memories, on the same tables (for measuring beside other users)."""
        memory = None if self.memory is None else ChunkMemory()
        return LosslessEncoder(self.splitter, self.encoder.anew(), memory)

    def span(self, text: str, *, first: bool) -> Span | None:
        """None: lengths of tokens say where they are."""
        return None

    def pieces(self, text: str, *, first: bool) -> list[str]:
        """The pieces of ``text``; they join to it."""
        return self.splitter.pieces(text)


class Token(NamedTuple):
    """One row of a tokenization: ``start_byte`` to ``end_byte`` in the UTF-8 of its text."""

    id: int | None
    data: bytes
    start_byte: int
    end_byte: int


class _Part(NamedTuple):
    """What became of a section: ``size`` tokens, which cover ``text`` unless ``span`` says else."""

    text: str
    size: int
    span: Span | None


class Tokenization:
    """What a tokenizer made of a text. Not changed after it was made.

    Attributes:
        tokenizer: the tokenizer that made it.
        original: the text that was given.
        text: the normalized text, which the tokens cover.
        ids: one id per token; None for a character without one.
        special: the places in ``ids`` that are added tokens, parsed from the text.
    """

    def __init__(
        self, tokenizer: Tokenizer, original: str, policy: SpecialPolicy, sections: list[Section]
    ) -> None:
        self.tokenizer = tokenizer
        self.original = original
        self.policy = policy
        self.ids: list[int | None] = []
        self.special: dict[int, AddedToken] = {}
        self._parts: list[_Part] = []
        for place, section in enumerate(sections):
            self._add(section, first=place == 0)
        self.text = "".join(part.text for part in self._parts)

    def _add(self, section: Section, *, first: bool) -> None:
        encoder, before = self.tokenizer.encoder, len(self.ids)
        ids: Sequence[int | None]
        span = None
        if section.token is not None:
            ids = [section.token.id]
            self.special[before] = section.token
            span = Span(section.text, ids, [0], [len(section.text.encode())])
        elif (span := encoder.span(section.text, first=first)) is not None:
            ids = span.ids
        else:
            ids = encoder.ids(section.text, first=first)
        if before or not isinstance(ids, list):
            self.ids.extend(ids)
        else:
            self.ids = ids
        self._parts.append(_Part(span.text if span else section.text, len(ids), span))

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Token]:
        data = self.data
        for token_id, start, end in zip(self.ids, self.starts_byte, self.ends_byte, strict=True):
            yield Token(token_id, data[start:end], start, end)

    @cached_property
    def data(self) -> bytes:
        """The UTF-8 of ``text``."""
        return self.text.encode()

    @cached_property
    def _columns(self) -> tuple[Sequence[int], Sequence[int]]:
        size_of = self.tokenizer.vocabulary.length_of
        starts, ends, offset = array("I"), array("I"), 0
        for part in self._parts:
            if part.span is None:
                own = cast("list[int]", self.ids[len(ends) : len(ends) + part.size])
                bounds = array("I", accumulate(map(size_of.__getitem__, own), initial=offset))
                starts += bounds[:-1]
                ends += bounds[1:]
            else:
                starts.extend(offset + start for start in part.span.starts)
                ends.extend(offset + end for end in part.span.ends)
            offset += len(part.text.encode())
        return starts, ends

    @property
    def starts_byte(self) -> Sequence[int]:
        """Where each token begins, in bytes of the normalized text."""
        return self._columns[0]

    @property
    def ends_byte(self) -> Sequence[int]:
        """Where each token ends, in bytes of the normalized text."""
        return self._columns[1]

    @cached_property
    def interiors(self) -> Sequence[int]:
        """The code point offsets of the text that lie inside a grapheme."""
        return array("I", grapheme_interiors(self.text))

    @cached_property
    def changes(self) -> list[Change]:
        """Where the tokenizer's normalizer rewrote the text (code point offsets)."""
        if self.original == self.text:
            return []
        return self.tokenizer.normalizer.changes(self.original)


@dataclass(frozen=True, slots=True)
class RankView:
    """The rank of an id: its place in the order of merges.

    In a rank table (.tiktoken) every id has a rank, single bytes too; in a merge list
    (tokenizer.json) only the results of merges have one.
    """

    first_id: int = 0
    of_id: dict[int, int] | None = None

    def rank(self, token_id: int) -> int | None:
        """The rank, None for what no merge makes."""
        if self.of_id is not None:
            return self.of_id.get(token_id)
        return token_id - self.first_id if token_id >= self.first_id else None


@dataclass(frozen=True, kw_only=True, eq=False)
class Tokenizer:
    """Everything that turns text into ids and back. Frozen; safe to share between threads.

    Attributes:
        name: what a person calls it.
        vocabulary: ids and their bytes, without the added tokens.
        added: special and other added tokens.
        normalizer: applied before splitting.
        encoder: splits and merges.
        unit: what is merged, bytes or characters.
        ranks: the rank of each id.
        pattern: the split pattern, as published, for showing.
        origin: publisher and licence, or the file it was read from.
        model_rows: rows of the embedding table of its models, if published.
        notes: what was left aside when it was read, in sentences for the user.
        decoder: how tokens become text where their bytes, joined, are not the text.
        source: the components as its tokenizer.json describes them, for writing it again.
    """

    name: str
    vocabulary: Vocabulary
    added: AddedTokens
    encoder: SectionEncoder
    unit: Unit = "bytes"
    ranks: RankView
    pattern: str = ""
    origin: str = ""
    model_rows: int | None = None
    notes: tuple[str, ...] = ()
    decoder: TextDecoder | None = None
    source: Source | None = None

    @property
    def normalizer(self) -> Normalizer:
        """What is applied to a text before it is split."""
        return self.added.normalizer

    def encode(self, text: str, *, special: SpecialPolicy = "text") -> Tokenization:
        """Cut ``text`` into tokens.

        Args:
            text: any text without lone surrogates.
            special: ``"text"`` keeps what spells a special token as text, ``"parse"`` makes it
                that token, ``"error"`` refuses it.

        Raises:
            LoneSurrogate: if the text cannot be written in UTF-8.
            SpecialTokenFound: with ``special="error"``.
        """
        check_encodable(text)
        return Tokenization(self, text, special, self.added.sections(text, special))

    def count(self, text: str, *, special: SpecialPolicy = "text") -> int:
        """The number of tokens of ``text``, without building anything else. Raises as `encode`."""
        check_encodable(text)
        return sum(
            1 if section.token else self.encoder.count(section.text, first=place == 0)
            for place, section in enumerate(self.added.sections(text, special))
        )

    def rank_of(self, token_id: int) -> int | None:
        """The rank of an id; None for an added token and for what no merge makes."""
        return self.ranks.rank(token_id) if token_id in self.vocabulary else None

    def bytes_of(self, token_id: int) -> bytes | None:
        """The bytes that an id stands for, added tokens included; None if it has none."""
        data = self.vocabulary.bytes_of.get(token_id)
        if data is None and (token := self.added.by_id.get(token_id)) is not None:
            return token.content.encode()
        return data

    def decode_bytes(self, ids: Sequence[int | None]) -> bytes:
        """The bytes of ``ids``, joined.

        Raises:
            UnknownId: if an id is no whole number or stands for no token.
            UnknownCharacter: if an id is None.
        """
        known = self.vocabulary.bytes_of
        try:
            return b"".join(map(known.__getitem__, ids))  # type: ignore[arg-type]
        except (KeyError, TypeError):
            return b"".join(self._bytes_at(place, i) for place, i in enumerate(ids))

    def _bytes_at(self, place: int, token_id: object) -> bytes:
        if token_id is None:
            raise UnknownCharacter(
                f"The token at position {place} is a character that {self.name} never saw; "
                "it has no id and cannot be decoded."
            )
        data = None
        if isinstance(token_id, int) and not isinstance(token_id, bool):
            data = self.bytes_of(token_id)
        if data is None:
            raise UnknownId(token_id, place, self.name)
        return data

    def decode(self, ids: Sequence[int | None], *, errors: str = "replace") -> str:
        """The text of ``ids``; ``errors`` as in ``bytes.decode``. Raises as ``decode_bytes``."""
        if self.decoder is not None:
            tokens = [self._bytes_at(place, token_id) for place, token_id in enumerate(ids)]
            return self.decoder.text(cast("Sequence[int]", ids), tokens, errors)
        return self.decode_bytes(ids).decode("utf-8", errors)

    @cached_property
    def size(self) -> int:
        """How many ids stand for a token, added tokens included."""
        extra = sum(token.id not in self.vocabulary for token in self.added.by_id.values())
        return len(self.vocabulary) + extra


def check_encodable(text: str) -> None:
    """Raise ``LoneSurrogate`` if ``text`` cannot be written in UTF-8."""
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise LoneSurrogate(text, error.start) from None
