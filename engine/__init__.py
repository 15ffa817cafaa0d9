"""Byte pair encoding, exact and readable: the engine of Tokenarium.

    text ──► added tokens cut out ──► normalized ──► pieces ──► merged by rank ──► ids
             special_tokens           normalization  pretokenization  encode, encode_fast

``load`` gives a bundled tokenizer, ``read`` one from a file; both are a ``Tokenizer``, whose
``encode`` gives a ``Tokenization``: columns of ids and byte ends, and the normalized text that they
cover. ``segments`` groups tokens into whole graphemes for drawing. Ids equal those of tiktoken and
Hugging Face tokenizers, which the engine itself never imports.
"""

from engine import limits
from engine.alignment import Segment, closes, segments
from engine.catalog import BUNDLED, load, names
from engine.comparison import Difference, differences
from engine.errors import (
    EngineError,
    FormatError,
    LoneSurrogate,
    PatternError,
    PatternTimeout,
    SpecialTokenFound,
    TextError,
    TooLong,
    UnknownCharacter,
    UnknownId,
    UnknownTokenizer,
    UnsupportedModel,
)
from engine.graphemes import count_graphemes
from engine.metrics import WORD_SEGMENTER, Counts, counts, premium, spread
from engine.normalization import FORMS, Change, Form, normalize
from engine.special_tokens import AddedToken, SpecialPolicy
from engine.tokenizer import Token, Tokenization, Tokenizer
from engine.vocabulary import Merge, Vocabulary

__all__ = [
    "BUNDLED",
    "FORMS",
    "WORD_SEGMENTER",
    "AddedToken",
    "Change",
    "Counts",
    "Difference",
    "EngineError",
    "Form",
    "FormatError",
    "LoneSurrogate",
    "Merge",
    "PatternError",
    "PatternTimeout",
    "Segment",
    "SpecialPolicy",
    "SpecialTokenFound",
    "TextError",
    "Token",
    "Tokenization",
    "Tokenizer",
    "TooLong",
    "UnknownCharacter",
    "UnknownId",
    "UnknownTokenizer",
    "UnsupportedModel",
    "Vocabulary",
    "closes",
    "count_graphemes",
    "counts",
    "differences",
    "limits",
    "load",
    "names",
    "normalize",
    "premium",
    "segments",
    "spread",
]
