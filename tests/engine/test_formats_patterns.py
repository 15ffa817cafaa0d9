"""Uploaded patterns cut where their own engines cut: Oniguruma and Rust, over all characters."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
import tiktoken
from tokenizers import Regex, pre_tokenizers

from engine.errors import PatternError
from engine.pattern_dialects import _PROPERTIES, _SCRIPTS, Dialect
from engine.patterns import NAMED
from engine.pre_tokenizers import CutSplitter, Split
from engine.pretokenization import NamedSplitter
from engine.uploaded_pattern import (
    GPT2_OLD,
    GPT2_SHORT,
    LLAMA3,
    Deadline,
    PatternSplitter,
    UploadedPattern,
    changed_characters,
    oniguruma_steps,
    published,
)
from tests import random_text

# All of the planes where properties change often, all that changed since Unicode 16, and one of
# many of the long uniform stretches (ideographs, syllables, unassigned, private).
DENSE = (
    *range(0x3400), *range(0xA000, 0xAC00), *range(0xF900, 0x12000), *range(0x16000, 0x19000),
    *range(0x1B000, 0x20000),
)  # fmt: skip
SPARSE = (c for c in range(0x3400, 0x110000, 251) if not 0xD800 <= c < 0xE000)
EVERYTHING = "".join(sorted({*map(chr, DENSE), *map(chr, SPARSE), *changed_characters()}))
CHUNK = 20_000
CLASSES = (
    r"\w", r"\W", r"[\w]", r"[^\w\s]", r"\s", r"\S", r"\d", r"\D", r"\h", ".", "[^a]",
    "[[:alpha:]]", "[[:digit:]]", "[[:alnum:]]", "[[:space:]]", "[[:punct:]]", r"\p{^L}",
    r"[\p{L}\p{M}&&[^a-z]]", r"[^\r\n\p{L}\p{N}]", r"[\u0250-\u02af]", r"[\u0370-\u03ff\p{Lu}]",
    r"[\p{Cn}\x{1f000}-\x{1faff}]", "(?i:s)", "(?i:k)", "(?i:i)", "(?i:[a-z])", "(?i:é)",
    "(?i:[à-ü])",
)  # fmt: skip
PATTERNS = (
    r"\b", r"\B", "^", "$", r"\A", r"\z", r"a{1,2}+", r"[ab]{2,}", r"a*?b", r"(?>a+)b", r"a++b",
    r"(?<!a)b", r"(?<=a|b)1", r"(a|b)+", r"x?", r"|a", r"a|", r"(?:)", r"\r\n|\n", r"[a\-z]+",
    r"[\[\]]", r"a{,2}", r"{", r"a{x}", r"(?i)'s|'T", r"\u0041|\x42", r"\x{e9}", r"[-a]", r"[a-]",
    r"\.", r"\e|\t", r"(?=a)",
)  # fmt: skip
ONLY_ONIGURUMA = ("(?i:é)", r"\Z", "(?m:a.)", r"\p{Han}", r"a{2,3}+", r"a{1}+")
ONLY_RUST = (
    "[a--b]",
    r"[\w--[a-z]]",
    r"\pL",
    "(?s:.)",
    "(?s)a.",
    r"\u{e9}",
    r"a{2}+",
    "[[:upper:]]",
)


def library_pieces(pattern: str, dialect: Dialect, text: str) -> list[str] | None:
    """The pieces of the engine itself; None if it refuses the pattern."""
    try:
        if dialect == "oniguruma":
            split = pre_tokenizers.Split(Regex(pattern), "isolated")
            return [piece for piece, _ in split.pre_tokenize_str(text)]
        return rust_pieces(pattern, text)
    except BaseException as error:
        # A panic (of an empty match in tiktoken, for example) is no Exception.
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        return None


def rust_pieces(pattern: str, text: str) -> list[str]:
    """Matches only: tiktoken drops what lies between."""
    single_bytes = {bytes([byte]): byte for byte in range(256)}
    probe = tiktoken.Encoding(
        "probe", pat_str=pattern, mergeable_ranks=single_bytes, special_tokens={}
    )
    return [bytes(probe.encode_ordinary(text)).decode()]


def our_pieces(pattern: str, dialect: Dialect, text: str) -> list[str]:
    uploaded = UploadedPattern(pattern, dialect)
    if dialect == "oniguruma":
        return PatternSplitter(uploaded).pieces(text)
    return ["".join(text[start:end] for start, end in uploaded.find(text, Deadline(len(text))))]


def chunks(text: str) -> Iterator[str]:
    for start in range(0, len(text), CHUNK):
        yield text[start : start + CHUNK]


@pytest.mark.parametrize("dialect", ["oniguruma", "rust"])
@pytest.mark.parametrize("pattern", CLASSES)
def test_classes_of_every_character(pattern: str, dialect: Dialect) -> None:
    repeated = f"(?:{pattern})+"
    if library_pieces(repeated, dialect, "a") is None:
        pytest.skip("the engine refuses it")
    if dialect == "oniguruma" and pattern in ("(?i:é)", "(?i:[à-ü])"):
        pytest.skip("refused here: its folding of case joins characters")
    for text in chunks(EVERYTHING):
        assert our_pieces(repeated, dialect, text) == library_pieces(repeated, dialect, text)


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["oniguruma", "rust"])
@pytest.mark.parametrize("name", sorted(_PROPERTIES))
def test_properties_of_every_character(name: str, dialect: Dialect) -> None:
    pattern = rf"\p{{{name}}}+"
    if library_pieces(pattern, dialect, "a") is None:
        pytest.skip("the engine refuses it")
    for text in chunks(EVERYTHING):
        assert our_pieces(pattern, dialect, text) == library_pieces(pattern, dialect, text)


TEXTS = (
    "",
    "a",
    "aab\nb\n",
    "a1b2 x{y}",
    "aaaaab",
    "A.B[c]-z",
    "'s'T'S it's",
    "é\té\r\nb\x1b",
    "a{x}{",
)


@pytest.mark.parametrize("dialect", ["oniguruma", "rust"])
@pytest.mark.parametrize("pattern", [*PATTERNS, *ONLY_ONIGURUMA, *ONLY_RUST])
def test_syntax(pattern: str, dialect: Dialect) -> None:
    """What an engine takes is cut as it cuts, or refused here."""
    random = Random(pattern)
    texts = [*TEXTS, *("".join(random.choices("ab1 \n.é'sT{x}-[", k=9)) for _ in range(60))]
    if all(library_pieces(pattern, dialect, text) is None for text in texts):
        pytest.skip("the engine refuses it")
    if (pattern, dialect) in REFUSED:
        with pytest.raises(PatternError, match="position"):
            UploadedPattern(pattern, dialect)
        return
    for text in texts:
        expected = library_pieces(pattern, dialect, text)
        assert expected in (None, our_pieces(pattern, dialect, text)), text


# What an engine takes and we do not run, because it could not be run exactly.
REFUSED = {
    ("(?i:é)", "oniguruma"),
    (r"\pL", "oniguruma"),
    ("a{2}+", "oniguruma"),
    ("[[:upper:]]", "oniguruma"),
    ("(?m:a.)", "rust"),
    (r"\Z", "rust"),
}


@pytest.mark.parametrize("steps", [oniguruma_steps(p) for p in (*NAMED.values(), LLAMA3)])
def test_published_patterns_are_recognised_and_cut_alike(steps: tuple[str, ...]) -> None:
    named = published(steps, "oniguruma")
    assert named is not None
    fast = NamedSplitter(named)
    plain = CutSplitter(
        tuple(Split(UploadedPattern(step, "oniguruma"), "Isolated") for step in steps)
    )
    library = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(step), "isolated") for step in steps]
    )
    random = Random(named.name)
    for _ in range(150):
        text = random_text.text(random)
        pieces = [piece for piece, _ in library.pre_tokenize_str(text)] if text else []
        assert fast.pieces(text) == plain.pieces(text) == pieces


@pytest.mark.parametrize("pattern", [GPT2_OLD, GPT2_SHORT])
def test_older_spellings(pattern: str) -> None:
    for dialect in ("oniguruma", "rust"):
        assert published((pattern,), dialect) is NAMED["gpt2"]
    plain, fast = PatternSplitter(UploadedPattern(pattern, "rust")), NamedSplitter(NAMED["gpt2"])
    random = Random(pattern)
    for _ in range(150):
        text = random_text.text(random)
        assert fast.pieces(text) == plain.pieces(text)


def test_scripts_are_few_and_known() -> None:
    assert len(_SCRIPTS) == 29
