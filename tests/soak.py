"""Long comparison with the reference libraries, for a night or a coffee.

``python -m tests.soak --strings 200000 --seed 1`` compares random texts on all bundled tokenizers;
``--real`` compares some ten megabytes of text found on this machine instead. Differences are
printed with what is needed to see them again, and make the exit code 1.
"""

from __future__ import annotations

import argparse
import gzip
import multiprocessing
import os
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import engine
from engine import SpecialPolicy, Tokenizer
from pages.reference.answers import ReferenceRefused
from pages.reference.hf_reference import HuggingFaceReference
from tests.random_text import text as random_text
from tests.shared import NAMES, ROOT, reference, tokenizer

BATCH = 1_000
PROCESSES = 2
REAL_BYTES = 10_000_000
FILE_BYTES = 150_000
FORMS: tuple[engine.Form, ...] = ("NFC", "NFD", "NFKC", "NFKD")


class Result(NamedTuple):
    """What a batch came to."""

    texts: int
    characters: int
    tokens: int
    refused: int
    differences: list[str]


def references(name: str, texts: list[str], special: SpecialPolicy) -> list[list[int] | None]:
    """The library's ids for each text; None where it refuses the text."""
    library = reference(name)
    if isinstance(library, HuggingFaceReference):
        it = library.parsing if special == "parse" else library.plain
        return [list(e.ids) for e in it.encode_batch_fast(texts, add_special_tokens=False)]
    found: list[list[int] | None] = []
    for text in texts:
        try:
            found.append(library.ids(text, special))
        except ReferenceRefused:
            found.append(None)
    return found


def compare(texts: list[str], special: SpecialPolicy) -> Result:
    """All tokenizers on some texts."""
    found: list[str] = []
    tokens = refused = 0
    for name in NAMES:
        it = tokenizer(name)
        for place, (text, theirs) in enumerate(
            zip(texts, references(name, texts, special), strict=True)
        ):
            result = it.encode(text, special=special)
            tokens += len(result)
            refused += theirs is None
            if theirs is not None and result.ids != theirs:
                found.append(f"ids: {name} special={special!r} {text!r}: {result.ids} != {theirs}")
            if it.decode_bytes(result.ids) != result.data:
                found.append(f"bytes: {name} special={special!r} {text!r}")
            if place % 4 == 0:
                found += inner_checks(it, result, special)
    found += normalization(texts[::4])
    return Result(len(texts), sum(map(len, texts)), tokens, refused, found)


def inner_checks(it: Tokenizer, result: engine.Tokenization, special: SpecialPolicy) -> list[str]:
    """What must agree within the engine."""
    found = []
    if it.count(result.original, special=special) != len(result):
        found.append(f"count: {it.name} special={special!r} {result.original!r}")
    parts = list(engine.segments(result))
    starts = [part.first_token for part in parts]
    ends = [part.last_token for part in parts]
    if (
        "".join(part.text for part in parts) != result.text
        or starts != [0, *ends[:-1]][: len(starts)]
        or (ends or [0])[-1] != len(result)
    ):
        found.append(f"segments: {it.name} special={special!r} {result.original!r}")
    return found


def normalization(texts: list[str]) -> list[str]:
    """The four forms, as the library's normalizers give them."""
    from tokenizers import normalizers

    found = []
    for form in FORMS:
        theirs = getattr(normalizers, form)()
        found += [
            f"normalize: {form} {text!r}"
            for text in texts
            if engine.normalize(text, form) != theirs.normalize_str(text)
        ]
    return found


def random_batch(task: tuple[int, int]) -> Result:
    """One batch of random texts."""
    seed, count = task
    random = Random(seed)
    texts = [random_text(random) for _ in range(count)]
    return compare(texts, "parse" if seed % 2 else "text")


def real_file(path: Path) -> Result:
    """One file, both policies."""
    text = read(path)
    assert text is not None
    first, second = compare([text], "text"), compare([text], "parse")
    differences = [f"{path}: {d[:2000]}" for d in first.differences + second.differences]
    return Result(1, len(text), first.tokens, first.refused + second.refused, differences)


def read(path: Path) -> str | None:
    """The beginning of a text file, or None if it is none."""
    try:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        return (
            data.decode()
            if len(data) <= FILE_BYTES
            else data[:FILE_BYTES].decode("utf-8", "ignore")
        )
    except (OSError, UnicodeDecodeError, EOFError, gzip.BadGzipFile):
        return None


def real_files() -> Iterator[tuple[Path, int]]:
    """Our samples, then texts of this machine: a part of each kind, the non-ASCII ones first."""
    library, packages = Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))
    kinds = (
        (ROOT / "sample_texts", "**/*.txt", REAL_BYTES // 5),
        (Path("/usr/share/doc"), "**/*", REAL_BYTES // 4),
        (library, "**/*.py", REAL_BYTES // 4),
        (packages, "**/*.py", REAL_BYTES // 4),
        (packages, "**/*.js", REAL_BYTES // 20),
        (packages, "**/*.md", REAL_BYTES // 20),
    )
    for folder, pattern, limit in kinds:
        sized = []
        for path in sorted(folder.glob(pattern)):
            if (
                path.is_file()
                and path.stat().st_size
                and "site-packages" not in str(path.relative_to(folder))
            ):
                text = read(path)
                if text:
                    sized.append((text.isascii(), path, len(text.encode())))
            if sum(size for *_, size in sized) > 8 * limit:
                break
        taken = 0
        for _, path, size in sorted(sized):
            if taken < limit:
                taken += size
                yield path, size


def main() -> int:
    """Run, report, and tell by the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strings", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", action="store_true")
    options = parser.parse_args()
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    started = time.monotonic()
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
        if options.real:
            files = list(real_files())
            for path, size in files:
                print(f"{size:9,}  {path}")
            print(f"{len(files):,} files, {sum(size for _, size in files):,} bytes", flush=True)
            results = pool.imap_unordered(real_file, [path for path, _ in files])
            total = len(files)
        else:
            batches = -(-options.strings // BATCH)
            tasks = [(options.seed * 1_000_003 + i, BATCH) for i in range(batches)]
            results = pool.imap_unordered(random_batch, tasks)
            total = batches * BATCH
        return report(results, total, started)


def report(results: Iterator[Result], total: int, started: float) -> int:
    """Print progress and the sum; 1 if anything differed."""
    texts = characters = tokens = refused = different = 0
    shown = 0.0
    for result in results:
        texts += result.texts
        characters += result.characters
        tokens += result.tokens
        refused += result.refused
        different += len(result.differences)
        for line in result.differences:
            print(f"\nDIFFERENCE {line}", flush=True)
        if time.monotonic() - shown > 10 or texts == total:
            shown = time.monotonic()
            print(
                f"{texts:,} of {total:,} texts, {characters:,} characters, {tokens:,} tokens on "
                f"{len(NAMES)} tokenizers, {refused} refused by a reference, "
                f"{different} differences, {shown - started:.0f} s",
                flush=True,
            )
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
