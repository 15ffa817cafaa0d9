"""How a tokenizer that was trained here is said in a tokenizer.json, where its own parts cannot.

The patterns of lessons mean Python's ``re``; here they are spelled for Oniguruma, in which a class
may be another. Newest letters aside (Python's tables may be older), both find the same pieces.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from engine.errors import PatternError
from engine.patterns import NAMED
from engine.standins import to_standins
from engine.tokenizer import Source
from engine.training_settings import LESSON_PATTERNS, OWN_PATTERN, TrainingSettings
from engine.uploaded_pattern import UploadedPattern, oniguruma_steps

UNKNOWN = "<unk>"

# What Python's `\s` takes, the four separators of ASCII included, for use inside a set.
_BLANK = "\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
ONIGURUMA = {
    "lesson A": (
        rf" ?[\p{{L}}\p{{Nl}}\p{{No}}]+| ?\p{{Nd}}{{1,3}}| ?[^{_BLANK}\p{{L}}\p{{N}}_]+|[{_BLANK}]+"
    ),
    "lesson B": rf" ?[\p{{L}}\p{{N}}_]+| ?[^\p{{L}}\p{{N}}_{_BLANK}]+|[{_BLANK}]+",
    "lesson C": (
        r"'s|'t|'re|'ve|'m|'ll|'d| ?[A-Za-z]+| ?[0-9]+"
        rf"| ?[^{_BLANK}A-Za-z0-9]+|[{_BLANK}]+(?![^{_BLANK}])|[{_BLANK}]+"
    ),
    "words": f"[^{_BLANK}]+",
}
"""The patterns of lessons in Oniguruma's notation."""


def shown_pattern(settings: TrainingSettings) -> str:
    """The split pattern as its publisher writes it, "" if there is none."""
    if settings.pattern in LESSON_PATTERNS:
        return LESSON_PATTERNS[settings.pattern].expression
    if settings.pattern in NAMED:
        return "\n".join(NAMED[settings.pattern].steps)
    return settings.expression


def source_of(settings: TrainingSettings, tokens: Sequence[bytes]) -> Source | None:
    """The tokenizer as a file says it; None where its own parts say it, or no file can."""
    characters = settings.base == "characters"
    if settings.pattern not in ONIGURUMA and not characters:
        return None
    byte_level = {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": True,
        "use_regex": False,
    }
    try:
        steps = _splits(settings) if characters else [*_splits(settings), byte_level]
    except PatternError:
        return None
    components: dict[str, object] = {
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": steps} if steps else None,
        "post_processor": None,
        "decoder": {"type": "Fuse"} if characters else byte_level,
    }
    if not characters:
        vocabulary = {to_standins(data): place for place, data in enumerate(tokens)}
        return Source(vocabulary, components, {})
    vocabulary = {data.decode(): place for place, data in enumerate(tokens)}
    unknown = _unknown({*vocabulary, *settings.special_tokens})
    # After the special tokens, which come after the tokens.
    vocabulary[unknown] = len(vocabulary) + len(settings.special_tokens)
    return Source(vocabulary, components, {"unk_token": unknown})


def _splits(settings: TrainingSettings) -> list[dict[str, object]]:
    """The split pattern; a lesson's keeps its matches only."""
    lesson = settings.pattern in ONIGURUMA
    if lesson:
        patterns: Sequence[str] = (ONIGURUMA[settings.pattern],)
    elif settings.pattern in NAMED:
        patterns = oniguruma_steps(NAMED[settings.pattern])
    else:
        own = settings.expression
        patterns = (UploadedPattern(own, "rust").for_oniguruma(),) if own else ()
    return [
        {
            "type": "Split",
            "pattern": {"Regex": pattern},
            "behavior": "Removed" if lesson else "Isolated",
            "invert": lesson,
        }
        for pattern in patterns
    ]


def _unknown(taken: Container[str]) -> str:
    """A name for the unknown token that no token has."""
    name = UNKNOWN
    while name in taken:
        name = f"<{name}>"
    return name


def tiktoken_pattern(settings: TrainingSettings) -> str | None:
    """The split pattern to give to tiktoken beside the table; None if none does the same.

    tiktoken leaves out what a pattern does not take, which a pattern of one's own may do.
    """
    if settings.base == "characters" or settings.pattern in ("lesson A", "words", OWN_PATTERN):
        return None
    if settings.pattern in ONIGURUMA:
        return ONIGURUMA[settings.pattern]
    if settings.pattern in NAMED:
        steps = NAMED[settings.pattern].steps
        return steps[0] if len(steps) == 1 else None
    return r"(?s:.+)"
