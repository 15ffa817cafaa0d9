"""A reference library in a process of its own, for files that nobody vouches for.

A library written in Rust can hang in a pattern, ask for all memory, or end the process it is in,
and no ``except`` helps against that. Here it may: the process has limits, and what becomes of it
is told as a refusal. Nor do the users of the app wait while a large file is read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, Final

from engine import SpecialPolicy
from engine.formats import Kind
from pages.reference.answers import ReferenceRefused
from pages.reference.line_process import LineProcess, ProcessFailed

# A published file takes 1 to 4 s to read; 5 MB of text take 3 s.
ANSWER_SECONDS: Final = 30.0
_LIBRARIES: Final[dict[Kind, str]] = {"tokenizer.json": "tokenizers", "tiktoken": "tiktoken"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignFile:
    """A tokenizer file, and what a ``.tiktoken`` file does not say itself."""

    kind: Kind
    data: bytes
    pattern: str = ""
    special: Mapping[str, int] = field(default_factory=dict)


class ApartReference:
    """A ``Reference`` that answers from a process of its own.

    The process is started when it is first asked, ends by itself when nobody asks, and is started
    again then. Once it fails to answer it is not asked again.
    """

    def __init__(self, file: ForeignFile, *, seconds: float = ANSWER_SECONDS) -> None:
        head = {"kind": file.kind, "pattern": file.pattern, "special": dict(file.special)}
        described = json.dumps({**head, "size": len(file.data)}).encode() + b"\n"
        self._process = LineProcess(
            "pages.reference.apart_worker",
            start_seconds=seconds,
            seconds=seconds,
            introduction=described + file.data,
        )
        self._failure: ProcessFailed | None = None
        library = _LIBRARIES[file.kind]
        self.title = f"{library} {version(library)}"

    def ids(self, text: str, special: SpecialPolicy) -> list[int]:
        """The ids of ``text``; raises ``ReferenceRefused``."""
        found: list[int] = self._ask({"ids": text, "special": special})
        return found

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ``ids``; raises ``ReferenceRefused``."""
        return str(self._ask({"decode": list(ids)}))

    def start(self) -> None:
        """Have the file read now.

        Raises:
            ReferenceRefused: if the library refuses it, or does not come back.
        """
        self._guarded(self._process.start)

    def close(self) -> None:
        """End the process, if there is one."""
        self._process.close()

    def _ask(self, question: dict[str, Any]) -> Any:
        return self._guarded(lambda: self._process.ask(question))

    def _guarded(self, call: Callable[[], Any]) -> Any:
        if self._failure is not None:
            raise ReferenceRefused(str(self._failure))
        try:
            return call()
        except ProcessFailed as failure:
            self._failure = failure
            raise
