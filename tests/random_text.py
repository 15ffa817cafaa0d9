"""Random text that reaches what tokenizers stumble over, for the soak and the property tests.

A text is a few fragments of different kinds next to each other, since most faults sit at a border:
a mark after a blank, a digit after a contraction, half of a special token before an emoji.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

from engine.unicode_classes import WHITE_SPACE, Ranges, ranges_of
from tests.shared import NAMES, tokenizer

Fragment = Callable[[Random], str]

CATEGORIES = (
    "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co Cn".split()
)
SURROGATES = range(0xD800, 0xE000)
# Blanks by one definition or another, and what is taken for one.
BLANKS = [chr(c) for a, b in WHITE_SPACE for c in range(a, b + 1)] + list(
    "\x1c\x1d\x1e\x1f\u200b\u180e\u2060\ufeff"
)
PLAIN_BLANKS = (" ", " ", " ", "\n", "\n", "\r", "\t", "\r\n", "  ", "    ", "\n\n")
APOSTROPHES = "'\u2019\uff07`"
CONTRACTED = "s t re ve m ll d S T RE VE M LL D Ll rE \u017f \u017ft \u212a n't".split()
NONCHARACTERS = [chr(c) for c in range(0xFDD0, 0xFDF0)] + [
    chr(plane << 16 | c) for plane in range(17) for c in (0xFFFE, 0xFFFF)
]
CLUSTERS = (
    "👨‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈 🇻🇳 🇩🇪🇫🇷 1️⃣ #️⃣ ☝🏿 ❤️ 🧑🏻‍❤️‍💋‍🧑🏿 🏴\U000e0067\U000e0062\U000e007f 😀 🀄︎ "
    "क्षि த்ரீ ক্ষ ไทย ကြို དཀྱིལ ሰላም हिन्दी नमस्ते שָׁלוֹם العَرَبِيَّة ภาษาไทย 한국어 각 が ガ ﾊﾟ ĳ ﬁ"
).split()
# Compositions, exclusions, singletons, long decompositions, marks in several orders.
NORMALIZED = (
    *"éẹ́ǭếṩ각갂가\u0958\ufb2a\u212b\u2126\uf900\ufdfa\u0344\u0f73\U0001d160\u1f82\u2adc",
    "e\u0301", "e\u0323\u0302", "e\u0302\u0323", "u\u031b\u0323", "\u1100\u1161\u11a8",
    "\u1100\u1161", "\u11a8", "\u3042\u3099", "\u0915\u093c", "\u05e9\u05c1\u05bc",
    "a\u0315\u0300\u05ae\u0316", "\u09c7\u09be", "\U00011131\U00011127", "\U000105d2\u0307",
    "\U00016121\u0300",
)  # fmt: skip
CODE = (
    "def f(x):\n\treturn x**2  # ok", "https://a.b/c?d=e&f=%20", "<div class=\"x\">&amp;</div>",
    "{\"a\": [1, 2.5e-3]}", "a_b__c", "foo.bar()", "/usr/lib/../", "0x1F600", "C++ -> => != ===",
    "1,234,567.89", "2026-10-17T03:04:05Z", "naïve café", "I'll we've it's DON'T", "$x^2$", "~~~",
    "//////", "\\n\\t", "rfid501.go", "日本語テキスト。", "中文，标点！", "Tiếng Việt",
)  # fmt: skip
SPECIAL = tuple(
    {
        token.content
        for name in NAMES
        for token in tokenizer(name).added.tokens
        if "holder" not in token.content or token.id % 100 == 0
    }
)


def character(random: Random, ranges: Ranges) -> str:
    """One character: first a range, then a place in it, so that small ranges are reached."""
    while True:
        first, last = random.choice(ranges)
        code = random.randint(first, last)
        if code not in SURROGATES:
            return chr(code)


def one_category(random: Random) -> str:
    ranges = ranges_of(random.choice(CATEGORIES))
    return "".join(character(random, ranges) for _ in range(random.randint(1, 5)))


def any_plane(random: Random) -> str:
    plane = random.randrange(17) if random.random() < 0.7 else 0
    return character(random, ((plane << 16, (plane << 16) + 0xFFFF),))


def low(random: Random) -> str:
    return "".join(chr(random.randrange(0x250)) for _ in range(random.randint(1, 6)))


def blanks(random: Random) -> str:
    pool = PLAIN_BLANKS if random.random() < 0.6 else BLANKS
    return "".join(random.choice(pool) for _ in range(random.randint(1, 6)))


def contraction(random: Random) -> str:
    word = random.choice(("it", "I", "ROCK", "n", "", "\u00e9", "1", "中", " "))
    return word + random.choice(APOSTROPHES) + random.choice(CONTRACTED)


def digits(random: Random) -> str:
    ranges = ranges_of(random.choice(("Nd", "Nd", "Nl", "No")))
    if random.random() < 0.4:
        ranges = ((0x30, 0x39),)
    return "".join(character(random, ranges) for _ in range(random.randint(1, 9)))


def marks(random: Random) -> str:
    base = random.choice(("a", "", " ", "1", "!", "\u1100", "中", "\n"))
    ranges = ranges_of(random.choice(("Mn", "Mn", "Mc", "Me")))
    return base + "".join(character(random, ranges) for _ in range(random.randint(1, 6)))


def normalized(random: Random) -> str:
    return "".join(random.choice(NORMALIZED) for _ in range(random.randint(1, 3)))


def ideographs(random: Random) -> str:
    ranges: Ranges = (
        (0x4E00, 0x5FFF),
        (0x4E00, 0x9FFF),
        (0x3040, 0x30FF),
        (0xAC00, 0xD7A3),
        (0x0E00, 0x0E5F),
    )
    return "".join(character(random, ranges) for _ in range(random.randint(1, 12)))


def cluster(random: Random) -> str:
    text = random.choice(CLUSTERS)
    return text[: random.randint(1, len(text))] if random.random() < 0.3 else text


def edge(random: Random) -> str:
    return random.choice(
        (*NONCHARACTERS, "\0", "\ufeff", "\ufffd", "\x7f", "\x85", "\xad", "\ufffc")
    )


def code(random: Random) -> str:
    return random.choice(CODE)


def special(random: Random) -> str:
    text = random.choice(SPECIAL)
    return text[: random.randint(1, len(text))] if random.random() < 0.2 else text


@cache
def _words(name: str) -> tuple[str, ...]:
    rows = tokenizer(name).vocabulary.bytes_of.values()
    return tuple(text for text in (data.decode("utf-8", "ignore") for data in rows) if text)


def words(random: Random) -> str:
    pool = _words(random.choice(NAMES))
    return "".join(random.choice(pool) for _ in range(random.randint(1, 4)))


def run(random: Random) -> str:
    """One short text repeated, at times beyond the length at which algorithms change."""
    unit = random.choice((words, any_plane, blanks, low, ideographs, marks))(random)[:3]
    longest = 400 if random.random() < 0.1 else 40
    return unit * random.randint(2, longest)


FRAGMENTS: tuple[Fragment, ...] = (
    one_category, one_category, any_plane, low, blanks, blanks, contraction, digits, marks,
    normalized, ideographs, cluster, edge, code, special, words, words, run,
)  # fmt: skip


def text(random: Random) -> str:
    """A random text of one to eight fragments."""
    return "".join(random.choice(FRAGMENTS)(random) for _ in range(random.randint(1, 8)))
