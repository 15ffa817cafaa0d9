"""Reading tokenizer.json, the file of Hugging Face ``tokenizers``: validated, then assembled.

Ids equal those of ``Tokenizer.encode(text, add_special_tokens=False)`` of the library. What the
file says beside that (truncation, padding, dropout, tokens put around a text) is left aside, each
with a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from engine.components import normalizer, pre_tokenizer
from engine.decoding import sentencepiece_decoder
from engine.errors import FormatError, UnsupportedModel
from engine.formats_hf_added import read_added_tokens
from engine.formats_hf_model import BpeFile, read_model
from engine.formats_hf_notes import decoder_steps, post_processor_notes, settings_notes
from engine.general_encoder import GeneralEncoder
from engine.json_document import Field, parse
from engine.normalization import Normalizer
from engine.normalizers import BYTE_LEVEL, NormalizerSequence, Replace
from engine.piece_encoder import Boundaries, PairModel, PieceEncoder
from engine.pre_tokenizers import ByteLevel, Metaspace, PrefixSpace
from engine.recognise import refuse_other_files
from engine.sentencepiece_bpe import CharacterModel
from engine.special_tokens import AddedToken, AddedTokens
from engine.splitters import pattern_of_steps, splitter_of
from engine.standins import STANDIN_OF_BYTE, from_standins
from engine.tokenizer import LosslessEncoder, RankView, SectionEncoder, Source, Tokenizer
from engine.vocabulary import Vocabulary

_TOP_LEVEL = frozenset(
    "version truncation padding added_tokens normalizer pre_tokenizer post_processor decoder "
    "model".split()
)
_BYTE_TOKEN = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_LOW = (1 << 32) - 1


def read_tokenizer_json(data: bytes, *, name: str) -> Tokenizer:
    """A tokenizer from a tokenizer.json.

    Args:
        data: the file.
        name: what to call the tokenizer.

    Raises:
        TooLong: if the file is larger than the limit.
        FormatError: if something in it is wrong; the message names the place.
        UnsupportedModel: if its model or a component is not one that this engine runs.
        PatternError: if a pattern in it cannot be used.
    """
    refuse_other_files(data)
    top = parse(data)
    _check_top_level(top)
    model = read_model(top.get("model"))
    reading = _Reading(top, model)
    notes = [
        *_bom_note(data),
        *model.notes,
        *settings_notes(top),
        *post_processor_notes(top.get("post_processor")),
        *reading.added_notes,
        *reading.notes(),
    ]
    return reading.tokenizer(name, tuple(notes))


def _bom_note(data: bytes) -> Iterator[str]:
    if data.startswith(b"\xef\xbb\xbf"):
        yield (
            "The file begins with a byte-order mark, which was left aside; the library itself "
            "refuses such a file."
        )


def _check_top_level(top: Field) -> None:
    members = top.members()
    if top.get("model").is_null:
        raise FormatError('The file has no "model", so it is no tokenizer.json.')
    for key in members:
        if key not in _TOP_LEVEL:
            raise FormatError(f"The file says {key[:60]!r}, which no tokenizer.json has.")
    if "version" in members and members["version"].text() != "1.0":
        raise FormatError(f"The version {members['version'].text()[:20]!r} is not known; 1.0 is.")


class _Reading:
    """The parts of one file on their way to a tokenizer."""

    def __init__(self, top: Field, model: BpeFile) -> None:
        self.top = top
        self.model = model
        self.normalizer: Normalizer = normalizer(top.get("normalizer"))
        self.steps = pre_tokenizer(top.get("pre_tokenizer"))
        self.decoder = decoder_steps(top.get("decoder"))
        self.added: tuple[AddedToken, ...] = ()
        self.added_notes: tuple[str, ...] = ()
        if "added_tokens" in top.raw_object():
            self.added, self.added_notes = read_added_tokens(
                top.get("added_tokens"), model.vocabulary
            )
        self.byte_level = self._normalizes_to_bytes or any(
            isinstance(step, ByteLevel) for step in self.steps
        )
        self.blank_sign = "" if self.byte_level else self._find_blank_sign()
        self.lossless = self._is_lossless()
        self._refuse_first_after_rewriting()
        self._refuse_odd_tokens()

    @property
    def _normal_steps(self) -> tuple[Normalizer, ...]:
        if isinstance(self.normalizer, NormalizerSequence):
            return self.normalizer.steps
        return (self.normalizer,)

    @property
    def _normalizes_to_bytes(self) -> bool:
        return BYTE_LEVEL in self._normal_steps

    def _find_blank_sign(self) -> str:
        """The character that stands for a blank, by what decodes it, else by what writes it."""
        for step in self.decoder:
            kind = step.need("type").value
            if kind == "Metaspace":
                return step.need("replacement").character()
            if kind == "Replace" and step.need("content").value == " ":
                sign = step.need("pattern").get("String").value
                if isinstance(sign, str) and len(sign) == 1:
                    return sign
        if self.decoder:
            return ""
        for pre in self.steps:
            if isinstance(pre, Metaspace):
                return pre.sign
        for normal in self._normal_steps:
            if isinstance(normal, Replace) and normal.pattern == " " and len(normal.content) == 1:
                return normal.content
        return ""

    def _is_lossless(self) -> bool:
        """Whether pieces join to the text and every byte of it is a unit of its own."""
        model, vocabulary = self.model, self.model.vocabulary
        return (
            bool(self.steps)
            and isinstance(self.steps[-1], ByteLevel)
            and all(step.only_cuts for step in self.steps[:-1])
            and not self._normalizes_to_bytes
            and not (model.prefix or model.suffix)
            and all(sign in vocabulary for sign in STANDIN_OF_BYTE.values())
            and len(set(vocabulary.values())) == len(vocabulary)
        )

    def _refuse_first_after_rewriting(self) -> None:
        """Where a text begins is lost when a normalizer rewrites its start as a whole."""
        keeping = {"NFC", "NFD", "NFKC", "NFKD", "Lowercase", "Prepend", "none"}
        places = [
            place
            for place, step in enumerate(self.steps)
            if isinstance(step, Metaspace) and step.scheme == "first"
        ]
        if not places:
            return
        rewriting = [
            step.name
            for step in self._normal_steps
            if step.name not in keeping and not _keeps_length(step)
        ]
        if places[0] and any(step.name == "Prepend" for step in self._normal_steps):
            rewriting.append("Prepend")
        if any(isinstance(s, PrefixSpace | Metaspace) for s in self.steps[: places[-1]]):
            rewriting.append("pre-tokenizer that prepends")
        if rewriting:
            raise UnsupportedModel(
                f'A Metaspace with "prepend_scheme": "first" after a {rewriting[0]} is not run by '
                "this app; ids could be wrong."
            )

    def _refuse_odd_tokens(self) -> None:
        """A normalized token must stay something, and something of its own.

        The library cuts at every character for one that is normalized to nothing, and does not say
        which of two alike it takes.
        """
        spelled: dict[str, str] = {}
        for token in self.added:
            if not token.normalized:
                continue
            text = self.normalizer.apply(token.content)
            if not text or spelled.setdefault(text, token.content) != token.content:
                raise UnsupportedModel(
                    f"The added token {token.content[:60]!r} is normalized to {text[:60]!r}, like "
                    "another or like none; this app does not run that."
                )

    def encoder(self) -> SectionEncoder:
        """The encoder of the file."""
        model = self.model
        if self.lossless:
            return LosslessEncoder(splitter_of(self.steps[:-1]), self._byte_encoder())
        return GeneralEncoder(
            steps=self.steps,
            model=CharacterModel(
                vocabulary=model.vocabulary,
                pairs=model.pairs,
                unknown=model.unknown_id,
                fuse_unknown=model.fuse_unknown,
                byte_fallback=model.byte_fallback,
                prefix=model.prefix,
                suffix=model.suffix,
                whole_first=model.ignore_merges,
            ),
            written_in="standins" if self.byte_level else "text",
            blank_sign=self.blank_sign,
        )

    @cached_property
    def _standin_bytes(self) -> dict[str, bytes | None]:
        return {token: from_standins(token) for token in self.model.vocabulary}

    def _byte_encoder(self) -> PieceEncoder:
        model = self.model
        in_bytes = {
            data: model.vocabulary[token]
            for token, data in self._standin_bytes.items()
            if data is not None
        }
        pair_model = PairModel(
            byte_ids=[model.vocabulary[STANDIN_OF_BYTE[byte]] for byte in range(256)],
            pairs=model.pairs,
            whole=in_bytes if model.ignore_merges else {},
        )
        return PieceEncoder(pair_model, Boundaries(in_bytes))

    def token_bytes(self) -> dict[int, bytes]:
        """What each id stands for, without the added tokens that no text is merged to."""
        unmerged = self._added_only()
        return {
            token_id: self._bytes_of(token)
            for token, token_id in self.model.vocabulary.items()
            if token not in unmerged
        }

    def _added_only(self) -> set[str]:
        """Added tokens in the vocabulary that are neither a unit nor part of a merge."""
        if self.model.ignore_merges:
            return set()
        merged = {part for merge in self.model.merges for part in merge}
        products = {value & _LOW for value in self.model.pairs.values()}
        return {
            token.content
            for token in self.added
            if token.content in self.model.vocabulary
            and len(token.content) > 1
            and token.content != self.model.unknown
            and token.content not in merged
            and token.id not in products
        }

    def _bytes_of(self, token: str) -> bytes:
        if self.byte_level:
            data = self._standin_bytes[token]
            return token.encode() if data is None else data
        match = _BYTE_TOKEN.fullmatch(token) if self.model.byte_fallback else None
        if match is not None:
            return bytes([int(match[1], 16)])
        model = self.model
        text = token.removeprefix(model.prefix)
        if model.suffix and text.endswith(model.suffix):
            after = " " if any(s.get("type").value == "BPEDecoder" for s in self.decoder) else ""
            text = text.removesuffix(model.suffix) + after
        return text.replace(self.blank_sign, " ").encode() if self.blank_sign else text.encode()

    def notes(self) -> Iterator[str]:
        """What this engine or the file itself loses."""
        model = self.model
        if self.byte_level:
            missing = sum(s not in model.vocabulary for s in STANDIN_OF_BYTE.values())
            if missing and model.unknown is None:
                yield (
                    f"{missing} of the 256 bytes have no token, and the file has no unknown token: "
                    "the library drops them, so the text cannot be had back from its ids."
                )
        elif not model.byte_fallback and model.unknown is None:
            yield (
                "Characters that are not in the vocabulary are dropped, as the library does; "
                "dropped text is shown between the tokens."
            )
        if self.blank_sign:
            yield (
                f"Blanks are written {self.blank_sign}: a real {self.blank_sign} in a text cannot "
                "be told from a blank, so decoding may lose it."
            )
        if any(not step.only_cuts and step.__class__.__name__ == "Split" for step in self.steps):
            yield "The pre-tokenizer drops part of the text; it is shown between the tokens."

    def tokenizer(self, name: str, notes: tuple[str, ...]) -> Tokenizer:
        """The tokenizer."""
        byte_ids = frozenset(
            token_id
            for token, token_id in self.model.vocabulary.items()
            if _BYTE_TOKEN.fullmatch(token)
        )
        return Tokenizer(
            name=name,
            vocabulary=Vocabulary(self.token_bytes()),
            added=AddedTokens(self.added, self.normalizer),
            encoder=self.encoder(),
            unit="bytes" if self.byte_level else "characters",
            ranks=RankView(of_id=_ranks(self.model.pairs)),
            pattern=pattern_of_steps(self.steps),
            origin=f"uploaded file {name}",
            notes=notes,
            decoder=None if self.byte_level else sentencepiece_decoder(self.decoder, byte_ids),
            source=self._source(),
        )

    def _source(self) -> Source:
        """The file without its vocabulary, merges and added tokens, for writing it again."""
        model = self.top.get("model").raw_object()
        left_out = ("vocab", "merges", "dropout", "ignore_merges")
        components = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
        return Source(
            vocabulary=self.model.vocabulary,
            components={key: self.top.get(key).value for key in components},
            options={key: value for key, value in model.items() if key not in left_out},
        )


def _keeps_length(step: Normalizer) -> bool:
    """Whether a normalizer writes one character for one, always."""
    return (
        isinstance(step, Replace)
        and isinstance(step.pattern, str)
        and len(step.pattern) == len(step.content) == 1
    )


def _ranks(pairs: Mapping[int, int]) -> dict[int, int]:
    """The rank of each id that a merge makes; of several the lowest."""
    ranks: dict[int, int] = {}
    for value in sorted(pairs.values(), reverse=True):
        ranks[value & _LOW] = value >> 32
    return ranks
