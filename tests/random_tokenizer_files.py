"""Random tokenizer.json files: every component, model and flag of added tokens, small and odd.

Ids of such a file mean nothing; they are compared with what ``tokenizers`` gives for the same file.
"""

from __future__ import annotations

from random import Random
from typing import Any

from tokenizers import Tokenizer as Library

from engine.standins import STANDIN_OF_BYTE

Json = dict[str, Any]

# Characters and strings at which components differ: marks, blanks, letters of several Unicode
# versions, what normalizes, what looks like a token of the file.
PIECES = (
    *"aabbcABC  \t\n.,'s!12é1ß▁_-ΣσςİǅÀ\u0300́中文字ーのกำا\u0928\u093e\u094d١٢½Ⅷ²",
    *"\u00a0\u3000\u2028\u200b\u200d\u200c\ufeff\x1c\x85\x00\ue000\ufffd\u0378ﬁﷺ𝒜😀👨\u20dd\u0903",
    *"ⒶⓏ\U0001f130\U000105c0\U00016ff4\U00011de0\ua7ce\U00016ea0\u088f\u0295\u1e9e\u212b가가\u0489",
    "ll", "'ll", "<s>", "<m>", " <s> ", "abc", "hello", "Ġ", "\u1cf2", "\u0301\u0316",
)  # fmt: skip
BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
PATTERNS = (
    r"a+", r"\w+", r"\W", r"\s+", r"[^\s\w]+", r" ?\p{L}+", r"\p{N}{1,3}", r"\s+(?!\S)|\s+",
    r"(?i:'s|'ll|'t)", r"[\r\n]", r"$", r"^", r"b|", r"\p{P}", r"[a-zé]+|\d", r"(?<=a)b", r"\b",
    r"\B", r".", r"[[:punct:]]+", r"[[:alpha:]]+", r"[\w&&[^a]]+", r"\h+", r"\p{Han}+", r"x*",
    r"[\u4e00-\u9fa5]+", r"\p{M}+|\p{Lu}", r"\p{Cn}", r"\p{L}{2}+", r"a{1,2}+", r"[^\p{L}\p{N}\s]",
    r"\Z", r"\z", r"(?m:a.)", r"[\u0370-\u03ff]+", r"[^\x00-\x7f]+",
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+",
)  # fmt: skip
ADDED = ("<s>", "<m>", "hello", " ", "a", "ab", "É", "中文", "\n", "<S>", "é", "b ", "ﬁ")


def text(random: Random) -> str:
    """A short text."""
    return "".join(random.choice(PIECES) for _ in range(random.randrange(14)))


def chance(random: Random, probability: float) -> bool:
    return random.random() < probability


def pattern(random: Random) -> Json:
    if chance(random, 0.7):
        return {"Regex": random.choice(PATTERNS)}
    return {"String": random.choice(("a", " ", "ab", "▁", "'", "\n"))}


def normalizer(random: Random, depth: int = 0) -> Json:
    if depth < 2 and chance(random, 0.15):
        inner = [normalizer(random, depth + 1) for _ in range(random.randrange(4))]
        return {"type": "Sequence", "normalizers": inner}
    flags = {"strip_left": chance(random, 0.5), "strip_right": chance(random, 0.5)}
    content = random.choice(("▁", "", "x", "ab"))
    return random.choice(
        (
            *({"type": form} for form in ("NFC", "NFD", "NFKC", "NFKD")),
            {"type": "Lowercase"},
            {"type": "StripAccents"},
            {"type": "Strip", **flags},
            {"type": "Prepend", "prepend": random.choice(("▁", "ab"))},
            {"type": "Replace", "pattern": pattern(random), "content": content},
            {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
            {"type": "ByteLevel"} if chance(random, 0.3) else {"type": "NFC"},
        )
    )


def byte_level(random: Random) -> Json:
    component = {"type": "ByteLevel", "trim_offsets": True}
    component["add_prefix_space"] = chance(random, 0.3)
    if chance(random, 0.7):
        component["use_regex"] = chance(random, 0.5)
    return component


def metaspace(random: Random) -> Json:
    component: Json = {"type": "Metaspace", "replacement": random.choice("▁▁▁_")}
    if chance(random, 0.8):
        component["prepend_scheme"] = random.choice(("always", "first", "never"))
    return {**component, "split": chance(random, 0.7)}


def pre_tokenizer(random: Random, depth: int = 0) -> Json:
    if depth < 2 and chance(random, 0.25):
        inner = [pre_tokenizer(random, depth + 1) for _ in range(random.randrange(4))]
        return {"type": "Sequence", "pretokenizers": inner}
    behavior, flag = random.choice(BEHAVIORS), chance(random, 0.3)
    return random.choice(
        (
            {"type": "Split", "pattern": pattern(random), "behavior": behavior, "invert": flag},
            {"type": "Split", "pattern": pattern(random), "behavior": behavior, "invert": flag},
            byte_level(random),
            {"type": "Digits", "individual_digits": chance(random, 0.5)},
            {"type": "Punctuation", "behavior": behavior},
            {"type": "Whitespace"},
            {"type": "WhitespaceSplit"},
            metaspace(random),
            {"type": "CharDelimiterSplit", "delimiter": random.choice("a ,")},
        )
    )


class _Vocabulary:
    """Tokens in order, each once."""

    def __init__(self) -> None:
        self.tokens: dict[str, None] = {}

    def add(self, token: str) -> None:
        self.tokens.setdefault(token)

    def ids(self, random: Random) -> dict[str, int]:
        """Ids in order, with gaps, or shuffled."""
        count = len(self.tokens)
        ids = list(range(count))
        if chance(random, 0.3):
            ids = sorted(random.sample(range(count * 2), count))
        if chance(random, 0.3):
            random.shuffle(ids)
        return dict(zip(self.tokens, ids, strict=True))


def model(random: Random, *, of_bytes: bool) -> Json:
    """A BPE model; one of bytes has stand-ins, with or without gaps."""
    prefix = "##" if not of_bytes and chance(random, 0.15) else ""
    suffix = "</w>" if not of_bytes and chance(random, 0.15) else ""
    vocabulary = _Vocabulary()
    _add_units(random, vocabulary, prefix, suffix, of_bytes=of_bytes)
    options: Json = {
        "ignore_merges": chance(random, 0.3),
        "fuse_unk": chance(random, 0.5),
        "byte_fallback": chance(random, 0.5),
    }
    if chance(random, 0.5):
        options["unk_token"] = "a" if chance(random, 0.3) else "<unk>"
        vocabulary.add(options["unk_token"])
    if options["byte_fallback"]:
        for byte in range(256):
            if byte == 0x61 or chance(random, 0.9):
                vocabulary.add(f"<0x{byte:02X}>")
    if prefix:
        options["continuing_subword_prefix"] = prefix
    if suffix:
        options["end_of_word_suffix"] = suffix
    merges = _merges(random, vocabulary, prefix, suffix)
    for token in random.sample(("ab", "hello", "abc", " a", "▁a", "<s>"), random.randrange(4)):
        vocabulary.add(token)
    as_texts = chance(random, 0.5) and all(" " not in part for pair in merges for part in pair)
    return {
        "type": "BPE",
        **options,
        "vocab": vocabulary.ids(random),
        "merges": [" ".join(pair) for pair in merges] if as_texts else merges,
    }


def _add_units(
    random: Random, vocabulary: _Vocabulary, prefix: str, suffix: str, *, of_bytes: bool
) -> None:
    units = list(STANDIN_OF_BYTE.values()) if of_bytes else list("abcABC ▁'.,12shelo_Ġ")
    complete = of_bytes and chance(random, 0.6)
    units += random.sample([piece for piece in PIECES if len(piece) == 1], 12)
    for unit in dict.fromkeys(units):
        if complete or chance(random, 0.9):
            vocabulary.add(unit)
        for form in (prefix + unit, unit + suffix, prefix + unit + suffix):
            if form != unit:
                vocabulary.add(form)


def _merges(random: Random, vocabulary: _Vocabulary, prefix: str, suffix: str) -> list[list[str]]:
    merges = []
    for _ in range(random.randrange(80)):
        known = list(vocabulary.tokens)
        common = [token for token in known if token.removeprefix(prefix)[:1] in set("abhelos▁'Ġ")]
        left, right = (random.choice(known if chance(random, 0.3) else common) for _ in range(2))
        byte_tokens = left.startswith("<0x") or right.startswith("<0x")
        if byte_tokens and chance(random, 0.9):
            continue
        if not right.startswith(prefix) or (suffix and left.endswith(suffix)):
            continue
        joined = left + right.removeprefix(prefix)
        if len(joined) <= 20:
            vocabulary.add(joined)
            merges.append([left, right])
    if chance(random, 0.3):
        random.shuffle(merges)
    return merges


def added_tokens(random: Random) -> list[Json]:
    return [
        {
            "id": random.randrange(500),
            "content": content,
            "single_word": chance(random, 0.3),
            "lstrip": chance(random, 0.3),
            "rstrip": chance(random, 0.3),
            "normalized": chance(random, 0.4),
            "special": chance(random, 0.5),
        }
        for content in random.sample(ADDED, random.randrange(4))
    ]


def file(random: Random) -> Json:
    """A whole file; two in five are of bytes, mostly with the pre-tokenizer that goes with it."""
    of_bytes = chance(random, 0.4)
    splitting: Json | None = pre_tokenizer(random) if chance(random, 0.8) else None
    if of_bytes and chance(random, 0.9):
        steps = [step for step in (splitting, byte_level(random)) if step]
        splitting = {"type": "Sequence", "pretokenizers": steps}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added_tokens(random) if chance(random, 0.6) else [],
        "normalizer": normalizer(random) if chance(random, 0.5) else None,
        "pre_tokenizer": splitting,
        "post_processor": None,
        "decoder": None,
        "model": model(random, of_bytes=of_bytes),
    }


def library_ids(library: Library, text: str) -> list[int] | None:
    """The library's ids, None where it panics (on overlapping added tokens, for example)."""
    try:
        return library.encode(text, add_special_tokens=False).ids
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        return None
