"""Named split patterns, each with its source, and their translation to pinned classes.

The patterns stand here as their publishers write them, so a reader can compare. They are run by
Python's ``re`` after every ``\\p{..}``, ``\\s``, ``\\d`` has been spelled out as a set of code
points of Unicode 16: two to three times as fast as ``regex``, and equal to the reference libraries
(the property tests prove it on all planes).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from engine.errors import PatternError
from engine.unicode_classes import (
    Ranges,
    basic_plane_set,
    complement,
    intersect,
    ranges_of,
    subtract,
    union,
)


@dataclass(frozen=True, slots=True)
class NamedPattern:
    """A published split pattern.

    ``steps`` are applied one after the other, each to the pieces of the one before it; ``source``
    says where it is published.
    """

    name: str
    steps: tuple[str, ...]
    source: str


GPT2 = NamedPattern(
    "gpt2",
    (r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s""",),
    "tiktoken 0.14, tiktoken_ext/openai_public.py, r50k_base",
)
CL100K = NamedPattern(
    "cl100k",
    (
        r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+|"""
        r""" ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s""",
    ),
    "tiktoken 0.14, tiktoken_ext/openai_public.py, cl100k_base",
)
_O200K_WORD = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
O200K = NamedPattern(
    "o200k",
    (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
        + _O200K_WORD
        + r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
        + _O200K_WORD
        + r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "tiktoken 0.14, tiktoken_ext/openai_public.py, o200k_base",
)
QWEN = NamedPattern(
    "qwen",
    (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|"
        r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "Qwen3, tokenizer.json, pre_tokenizer",
)
DEEPSEEK = NamedPattern(
    "deepseek",
    (
        r"\p{N}{1,3}",
        "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
        r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|"""
        r""" ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+""",
    ),
    "DeepSeek-V3, tokenizer.json, pre_tokenizer",
)

NAMED = {pattern.name: pattern for pattern in (GPT2, CL100K, O200K, QWEN, DEEPSEEK)}

_CLASS_ESCAPES = {"s": "White_Space", "d": "Nd"}
_NAMED_CLASS = re.compile(r"([pP])\{(\^?)(\w+)\}")


def _class_at(pattern: str, position: int) -> tuple[Ranges, int] | None:
    """The class escape that starts at the backslash at ``position``, and where it ends."""
    letter = pattern[position + 1 : position + 2]
    if letter.lower() in _CLASS_ESCAPES:
        ranges = ranges_of(_CLASS_ESCAPES[letter.lower()])
        return (complement(ranges) if letter.isupper() else ranges), position + 2
    match = _NAMED_CLASS.match(pattern, position + 1)
    if match is None:
        return None
    try:
        ranges = ranges_of(match[3])
    except KeyError:
        raise PatternError(f"The split pattern names an unknown class {match[0]!r}.") from None
    negated = (match[1] == "P") != bool(match[2])
    return (complement(ranges) if negated else ranges), match.end()


def spelled_out(pattern: str) -> str:
    """``pattern`` with each class written as a set of code points of the basic plane.

    Args:
        pattern: in the common notation of Rust's and Python's ``regex``, matching case as written
            or inside ``(?i:...)`` around ASCII letters only.

    Returns:
        a pattern for Python's ``re``, to be run on text without characters above U+FFFF (see
        ``engine.unicode_classes.without_astral``).

    Raises:
        PatternError: if it names a class that is no general category.
    """
    output, position, in_set = [], 0, False
    while position < len(pattern):
        character = pattern[position]
        found = _class_at(pattern, position) if character == "\\" else None
        if found is not None:
            ranges, position = found
            inside = basic_plane_set(ranges)
            output.append(inside if in_set else f"[{inside}]")
            continue
        if character == "\\":
            output.append(pattern[position : position + 2])
            position += 2
            continue
        if character == "[" and not in_set:
            in_set = True
        elif character == "]" and in_set:
            in_set = False
        elif character == "$" and not in_set:
            # Rust's `$` is the end of the text; Python's also matches before a last line end.
            character = r"\Z"
        output.append(character)
        position += 1
    return "".join(output)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """``pattern`` spelled out and compiled, once per process."""
    return re.compile(spelled_out(pattern))


@cache
def compiled_deepseek() -> re.Pattern[str]:
    """DeepSeek's three splits in one expression that finds the same pieces.

    The first two splits isolate digits and Chinese or Japanese runs; the third then cuts every
    piece by itself. So in one pass the third is tried twice, on the isolated script and on the
    rest, each time with its classes narrowed to that part; the other part ends a run of blanks as
    the end of the text does; and what no branch takes is a piece of its own.
    """
    digits = ranges_of("N")
    script: Ranges = ((0x3040, 0x30FF), (0x4E00, 0x9FA5))
    isolated = union([digits, script])
    blank = basic_plane_set(ranges_of("White_Space"))
    out = basic_plane_set(isolated)

    def within(part: Ranges, *names: str) -> str:
        """The named classes, as far as they lie in ``part``."""
        return basic_plane_set(intersect(union(ranges_of(name) for name in names), part))

    def words_and_signs(part: Ranges) -> tuple[str, str, str]:
        """The third split's word and its run of signs, and what it leaves over, in ``part``."""
        word = f"[{within(part, 'L', 'M')}]"
        before = subtract(part, union([ranges_of(name) for name in ("L", "P", "S")]))
        before = subtract(before, ((0x0A, 0x0A), (0x0D, 0x0D)))
        left = subtract(before, union([ranges_of("M"), ranges_of("White_Space")]))
        return (
            f"[{basic_plane_set(before)}]?{word}+",
            f"[{within(part, 'P', 'S')}]+",
            f"(?:[{basic_plane_set(left)}](?!{word}))+",
        )

    script_word, script_signs, script_left = words_and_signs(script)
    word, signs, left = words_and_signs(complement(isolated))
    return re.compile(
        rf"[{basic_plane_set(digits)}]{{1,3}}|{script_word}|{script_signs}|{script_left}"
        rf"|[!-/:-@\[-`{{-~][A-Za-z]+|{word}| ?{signs}[\r\n]*|[{blank}]*[\r\n]+"
        rf"|[{blank}]+(?![^{blank}{out}])|[{blank}]+|{left}"
    )
