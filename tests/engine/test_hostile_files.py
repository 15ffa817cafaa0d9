"""A hundred hostile files: read, or answered by one sentence, in bounded time and memory."""

from __future__ import annotations

import resource
from multiprocessing import get_context
from multiprocessing.connection import Connection

import pytest

import engine
from engine import EngineError
from tests.hostile_files import HostileFile, hostile_files

FILES = hostile_files()
# Files in which nothing is really wrong, and which of the mutations hit nothing that matters.
READ = {"truncation is {}", "truncation is null", "a tower of sequences", "utf-7",
        "the pattern a{1,99999999}"}  # fmt: skip
# Alone, none takes more than 3 s; what says nothing for so long hangs.
HANGS_SECONDS = 40
MOST_BYTES = 1_200_000_000
LONGEST_SENTENCE = 300


def answer(file: HostileFile) -> str:
    """The sentence that the engine gives, nothing if it reads the file."""
    data = file.make()
    pattern = "gpt2" if file.kind == "tiktoken" else None
    try:
        engine.read(data, kind=file.kind, pattern=pattern).encode("low <s> lower", special="parse")
    except EngineError as error:
        return str(error)
    return ""


def in_bounds(names: list[str], pipe: Connection) -> None:
    """Answer for each file, with no more memory than one of them may take; runs in a process."""
    with open("/proc/self/statm") as statm:  # noqa: PTH123
        size = int(statm.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MOST_BYTES, size + MOST_BYTES))
    for file in (file for file in FILES if file.name in names):
        pipe.send((file.name, answer(file)))
    pipe.close()


def answers(names: list[str]) -> dict[str, str]:
    """What the engine says to each file, from a process with limits; less where it hangs."""
    context = get_context("spawn")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=in_bounds, args=(names, sending))
    process.start()
    sending.close()
    found: dict[str, str] = {}
    try:
        while len(found) < len(names) and receiving.poll(HANGS_SECONDS):
            name, said = receiving.recv()
            found[name] = said
    finally:
        process.kill()
        process.join()
        process.close()
        receiving.close()
    return found


def check(found: dict[str, str], names: list[str]) -> None:
    assert found.keys() == set(names)
    for name, said in found.items():
        assert bool(said) != (name in READ), name
        assert len(said) <= LONGEST_SENTENCE, name
        assert "\n" not in said, name


def test_there_are_a_hundred() -> None:
    assert len({file.name for file in FILES}) == 100


SMALL = [file.name for file in FILES if "50 MB" not in file.name]
LARGE = [file.name for file in FILES if "50 MB" in file.name]


def test_small_hostile_files() -> None:
    check(answers(SMALL), SMALL)


@pytest.mark.parametrize("part", range(3))
def test_large_hostile_files(part: int) -> None:
    names = LARGE[part::3]
    check(answers(names), names)
