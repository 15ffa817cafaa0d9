"""Byte pair encoding, exact and readable: the engine of Tokenarium.

    text ──► added tokens cut out ──► normalized ──► pieces ──► merged by rank ──► ids
             special_tokens           normalization  pretokenization  encode, encode_fast

``load`` gives a bundled tokenizer, ``read`` one from a file; both are a ``Tokenizer``, whose
``encode`` gives a ``Tokenization``: columns of ids and byte ends, and the normalized text that they
cover. ``replay`` shows how it came about, merge by merge. ``segments`` groups tokens into whole
graphemes for drawing; ``train`` learns merges from a text. Ids equal those of tiktoken and Hugging
Face tokenizers, which the engine never imports.
"""

from engine import limits
from engine.alignment import Rewritten, Segment, closes, rewritten, segments
from engine.catalog import BUNDLED, load, names
from engine.comparison import Difference, Differences, differences
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
from engine.formats import read, write_tiktoken, write_tokenizer_json
from engine.graphemes import count_graphemes
from engine.metrics import WORD_SEGMENTER, Counts, TextCounts, counts, premium, spread, text_counts
from engine.normalization import FORMS, Change, Form, WrittenForm, normalize, written_form
from engine.replay import Replay, ReplayedPiece, replay
from engine.replay_merges import PieceReplay, work_curve
from engine.special_tokens import AddedToken, SpecialPolicy
from engine.streaming import WAYS, Moment, NotStreamable, StreamDecoder, stream
from engine.tokenizer import Token, Tokenization, Tokenizer
from engine.train import MergeStep
from engine.training import train, train_steps
from engine.training_run import TrainingRun
from engine.training_settings import PRESETS, TrainingSettings
from engine.vocabulary import Merge, Vocabulary

__all__ = [
    "BUNDLED",
    "FORMS",
    "PRESETS",
    "WAYS",
    "WORD_SEGMENTER",
    "AddedToken",
    "Change",
    "Counts",
    "Difference",
    "Differences",
    "EngineError",
    "Form",
    "FormatError",
    "LoneSurrogate",
    "Merge",
    "MergeStep",
    "Moment",
    "NotStreamable",
    "PatternError",
    "PatternTimeout",
    "PieceReplay",
    "Replay",
    "ReplayedPiece",
    "Rewritten",
    "Segment",
    "SpecialPolicy",
    "SpecialTokenFound",
    "StreamDecoder",
    "TextCounts",
    "TextError",
    "Token",
    "Tokenization",
    "Tokenizer",
    "TooLong",
    "TrainingRun",
    "TrainingSettings",
    "UnknownCharacter",
    "UnknownId",
    "UnknownTokenizer",
    "UnsupportedModel",
    "Vocabulary",
    "WrittenForm",
    "closes",
    "count_graphemes",
    "counts",
    "differences",
    "limits",
    "load",
    "names",
    "normalize",
    "premium",
    "read",
    "replay",
    "rewritten",
    "segments",
    "spread",
    "stream",
    "text_counts",
    "train",
    "train_steps",
    "work_curve",
    "write_tiktoken",
    "write_tokenizer_json",
    "written_form",
]
