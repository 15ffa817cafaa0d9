"""The process of ``pages.reference.apart``: reads one file, then answers until nobody asks.

On standard input comes a line that describes the file, the file, and a line for each question; on
standard output goes a line for the file and for each question. All lines are JSON.
"""

from __future__ import annotations

import base64
import json
import resource
import select
import sys
from typing import Any, BinaryIO, Final

from engine.patterns import NAMED
from pages.reference.answers import Reference, ReferenceRefused
from pages.reference.hub import reference_of_file
from pages.reference.tiktoken_reference import of_table

# The largest published file needs a tenth of it.
_MEMORY_BYTES: Final = 6_000_000_000
_IDLE_SECONDS: Final = 120


def main() -> None:
    """Answer until the input ends, or is silent for long."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    head = json.loads(questions.readline())
    try:
        reference = _read(head, questions.read(head["size"]))
        # The library reads a tokenizer.json when it is first asked.
        reference.ids("", "text")
    except ReferenceRefused as reason:
        _say(answers, {"refused": str(reason)})
        return
    _say(answers, {"answer": True})
    while select.select([questions], [], [], _IDLE_SECONDS)[0]:
        line = questions.readline()
        if not line:
            return
        try:
            _say(answers, {"answer": _answer(reference, json.loads(line))})
        except ReferenceRefused as reason:
            _say(answers, {"refused": str(reason)})


def _read(head: dict[str, Any], data: bytes) -> Reference:
    if head["kind"] == "tokenizer.json":
        return reference_of_file(data)
    rows = (line.split() for line in data.removeprefix(b"\xef\xbb\xbf").splitlines() if line)
    ranks = {base64.b64decode(token): int(rank) for token, rank in rows}
    named = NAMED.get(head["pattern"])
    if named is not None and len(named.steps) > 1:
        raise ReferenceRefused(f"it has no patterns in several steps, such as {named.name}")
    pattern = named.steps[0] if named else head["pattern"]
    return of_table("uploaded", ranks, pattern, head["special"])


def _answer(reference: Reference, question: dict[str, Any]) -> object:
    if "decode" in question:
        return reference.decode(question["decode"])
    return reference.ids(question["ids"], question["special"])


def _say(answers: BinaryIO, answer: dict[str, object]) -> None:
    answers.write(json.dumps(answer).encode() + b"\n")
    answers.flush()


if __name__ == "__main__":
    main()
