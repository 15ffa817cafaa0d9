"""A hundred files that mean harm or are broken, each named for what is wrong with it."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from engine.formats import Kind
from tests import random_tokenizer_files

LARGE = 50_000_000
Document = dict[str, Any]


@dataclass(frozen=True)
class HostileFile:
    """A file; ``make`` gives its bytes, since some are large."""

    name: str
    kind: Kind
    make: Callable[[], bytes]


def good() -> Document:
    """A small file in which nothing is wrong."""
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": 5, "content": "<s>", "single_word": False, "lstrip": False,
                "rstrip": False, "normalized": False, "special": True,
            }
        ],
        "normalizer": None,
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "BPE",
            "vocab": {"l": 0, "o": 1, "w": 2, "lo": 3, "low": 4, "<s>": 5},
            "merges": [["l", "o"], ["lo", "w"]],
        },
    }  # fmt: skip


def changed(place: str, value: Any) -> Callable[[], bytes]:
    """The good file with another value at a place such as ``model.vocab.l``."""

    def make() -> bytes:
        document = good()
        *outer, last = place.split(".")
        holder: Any = document
        for key in outer:
            holder = holder[int(key)] if isinstance(holder, list) else holder[key]
        holder[last] = value
        return json.dumps(document).encode()

    return make


def spliced(before: str, insert: Callable[[], bytes]) -> Callable[[], bytes]:
    """The good file with bytes put in before a text of it, as no JSON writer would."""

    def make() -> bytes:
        data = json.dumps(good()).encode()
        place = data.index(before.encode())
        return data[:place] + insert() + data[place:]

    return make


def nested(opening: bytes, closing: bytes, depth: int) -> Callable[[], bytes]:
    return lambda: b'{"model": ' + opening * depth + b"1" + closing * depth + b"}"


def wrong_types() -> Iterator[HostileFile]:
    values: tuple[Any, ...] = (None, True, -1, 1.5, "", "x", [], {}, [[]], {"type": 5}, [None])
    random = Random(1)
    places = (
        "added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder", "model",
        "truncation", "padding", "model.vocab", "model.merges", "model.vocab.l", "version",
    )  # fmt: skip
    for place in places:
        for value in random.sample(values, 2):
            name = f"{place} is {json.dumps(value)}"
            yield HostileFile(name, "tokenizer.json", changed(place, value))


def numbers() -> Iterator[HostileFile]:
    for digits in (11, 400, 5_000, 1_000_000):
        name = f"an id of {digits} digits"
        yield HostileFile(name, "tokenizer.json", spliced("0, ", lambda n=digits: b"9" * n))
    for word in (b"NaN", b"-Infinity", b"1e999", b"-0.0", b"1E400"):
        made = spliced('{"l": 0', lambda w=word: b'{"q": ' + w + b', "vocab": ')
        yield HostileFile(f"the number {word.decode()}", "tokenizer.json", made)
    for value in (1e308, -1, 2**70):
        yield HostileFile(f"dropout {value}", "tokenizer.json", changed("model.dropout", value))


def recursive() -> Iterator[HostileFile]:
    for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
        for depth in (70, 3_000, 1_000_000):
            name = f"{depth} times {opening.decode()}"
            yield HostileFile(name, "tokenizer.json", nested(opening, closing, depth))
    deep: Any = {"type": "NFC"}
    wide: Any = {"type": "NFC"}
    for _ in range(30):
        deep = {"type": "Sequence", "normalizers": [deep]}
    for _ in range(4):
        wide = {"type": "Sequence", "normalizers": [wide] * 20}
    yield HostileFile("a tower of sequences", "tokenizer.json", changed("normalizer", deep))
    yield HostileFile("a tree of sequences", "tokenizer.json", changed("normalizer", wide))


def encodings() -> Iterator[HostileFile]:
    text = json.dumps(good())
    for encoding in ("utf-16", "utf-16-le", "utf-32", "utf-7", "cp037"):
        yield HostileFile(encoding, "tokenizer.json", lambda e=encoding: text.encode(e))
    yield HostileFile("latin-1", "tokenizer.json", lambda: text.replace("lo", "ö").encode("cp1252"))
    yield HostileFile("bytes at random", "tokenizer.json", lambda: Random(2).randbytes(100_000))
    yield HostileFile(
        "half a pair", "tokenizer.json", lambda: text.replace('"lo"', r'"\ud83d"').encode()
    )
    yield HostileFile("NUL", "tokenizer.json", lambda: b"\0" * 1_000)


def bombs() -> Iterator[HostileFile]:
    def in_zip() -> bytes:
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("tokenizer.json", b" " * LARGE)
        return archive.getvalue()

    yield HostileFile("a ZIP bomb", "tokenizer.json", in_zip)
    yield HostileFile("a gzip bomb", "tokenizer.json", lambda: gzip.compress(b"[" * LARGE, 1))
    yield HostileFile("an xz bomb", "tiktoken", lambda: lzma.compress(b"0" * LARGE, preset=0))
    yield HostileFile("a bzip2 bomb", "tiktoken", lambda: bz2.compress(b"0" * LARGE, 1))


def large() -> Iterator[HostileFile]:
    """Files of 50 MB, each large in another way."""

    def vocabulary() -> bytes:
        rows = b",".join(b'"%d":%d' % (i, i) for i in range(LARGE // 17))
        return b'{"model":{"type":"BPE","merges":[],"vocab":{' + rows + b"}}}"

    def merges() -> bytes:
        rows = b",".join([b'["l","o"]'] * (LARGE // 10))
        return json.dumps(good()).encode().replace(b'["l", "o"]', rows)

    def added() -> bytes:
        row = json.dumps(good()["added_tokens"][0])
        rows = (row.replace("<s>", f"<{i}>") for i in range(LARGE // (len(row) + 8)))
        return json.dumps(good()).replace(row, ",".join(rows)).encode()

    made: dict[str, Callable[[], bytes]] = {
        "blanks": lambda: b" " * LARGE,
        "one text": lambda: b'{"model": "' + b"a" * LARGE + b'"}',
        "one token": changed("model.vocab", {"a" * LARGE: 0}),
        "one escape after the other": lambda: b'{"model": "' + b"\\u0041" * (LARGE // 6) + b'"}',
        "empty lists": lambda: b"[" + b"[]," * (LARGE // 3) + b"[]]",
        "empty objects": lambda: b"[" + b"{}," * (LARGE // 3) + b"{}]",
        "zeros": lambda: b"[" + b"0," * (LARGE // 2) + b"0]",
        "fractions": lambda: b"[" + b"1.5," * (LARGE // 4) + b"0]",
        "short texts": lambda: b"[" + b'"",' * (LARGE // 3) + b'""]',
        "keys": lambda: b"{" + b",".join(b'"%d":0' % i for i in range(LARGE // 11)) + b"}",
        "a vocabulary": vocabulary,
        "merges": merges,
        "added tokens": added,
        "a pattern": changed(
            "pre_tokenizer",
            {
                "type": "Split", "pattern": {"Regex": "a?" * (LARGE // 2)},
                "behavior": "Isolated", "invert": False,
            },
        ),
    }  # fmt: skip
    for what, make in made.items():
        yield HostileFile(f"50 MB of {what}", "tokenizer.json", make)
    yield HostileFile(
        "more than is read", "tokenizer.json", lambda: b'{"model": "' + b"a" * 64_000_000
    )


def patterns() -> Iterator[HostileFile]:
    for pattern in ("(", "[a", "(?R)", r"(?P>x)", "a{1,99999999}", "(" * 5_000 + ")" * 5_000):
        split = {
            "type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated",
            "invert": False,
        }  # fmt: skip
        name = f"the pattern {pattern[:20]}"
        yield HostileFile(name, "tokenizer.json", changed("pre_tokenizer", split))


def tables() -> Iterator[HostileFile]:
    lines = [b"%s %d" % (base64.b64encode(bytes([byte])), byte) for byte in range(256)]

    def table(*more: bytes) -> bytes:
        return b"\n".join([*lines, *more])

    made: dict[str, Callable[[], bytes]] = {
        "a rank given twice": lambda: table(b"YWI= 5"),
        "a token given twice": lambda: table(b"YQ== 300"),
        "a missing byte": lambda: b"\n".join(lines[1:]),
        "no base64": lambda: table(b"*** 300"),
        "a rank of 10,000 digits": lambda: table(b"YWI= " + b"9" * 10_000),
        "a negative rank": lambda: table(b"YWI= -1"),
        "three parts": lambda: table(b"YWI= 300 301"),
        "a web page": lambda: b"<!DOCTYPE html><html><body>404</body></html>",
        "a Git LFS pointer": lambda: b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
        "50 MB in one line": lambda: b"A" * LARGE,
        "50 MB of line ends": lambda: b"\n" * LARGE,
        "50 MB of the same line": lambda: b"YWI= 300\n" * (LARGE // 9),
        "50 MB of tokens": lambda: table(
            *(
                b"%s %d" % (base64.b64encode(b"%08d" % i), 256 + i)
                for i in range(LARGE // 21)
            )
        ),
    }  # fmt: skip
    for what, make in made.items():
        yield HostileFile(f"a table with {what}", "tiktoken", make)


def mutated(count: int) -> Iterator[HostileFile]:
    """Random files with a byte changed, or cut off."""
    for seed in range(count):

        def make(seed: int = seed) -> bytes:
            random = Random(seed)
            data = bytearray(json.dumps(random_tokenizer_files.file(random)).encode())
            place = random.randrange(len(data))
            if seed % 2:
                return bytes(data[:place])
            data[place] = random.choice(b'{}[]",:\\\x00\xff')
            return bytes(data)

        yield HostileFile(f"damage {seed}", "tokenizer.json", make)


def hostile_files() -> list[HostileFile]:
    """All of them: a hundred."""
    found = [
        *wrong_types(), *numbers(), *recursive(), *encodings(), *bombs(), *large(), *patterns(),
        *tables(),
    ]  # fmt: skip
    return [*found, *mutated(100 - len(found))]
