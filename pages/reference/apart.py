"""A reference library in a process of its own, for files that nobody vouches for.

A library written in Rust can hang in a pattern, ask for all memory, or end the process it is in,
and no ``except`` helps against that. Here it may: the process has limits, and what becomes of it
is told as a refusal. Nor do the users of the app wait while a large file is read.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from engine import SpecialPolicy
from engine.formats import Kind
from pages.reference.answers import ReferenceRefused

ROOT: Final = Path(__file__).parents[2]
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
        self._file = file
        self._seconds = seconds
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._failure: str | None = None
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
        self._ask(None)

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            process, self._process = self._process, None
            process.kill()
            process.communicate()

    def __del__(self) -> None:
        self.close()

    def _ask(self, question: dict[str, Any] | None) -> Any:
        with self._lock:
            if self._failure is not None:
                raise ReferenceRefused(self._failure)
            process = self._running()
            return self._exchange(process, _line(question)) if question is not None else None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "pages.reference.apart_worker"],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            file = self._file
            head = {"kind": file.kind, "pattern": file.pattern, "special": dict(file.special)}
            introduction = _line({**head, "size": len(file.data)}) + file.data
            try:
                self._exchange(self._process, introduction)
            except ReferenceRefused as reason:
                self._failure = str(reason)
                self.close()
                raise
        return self._process

    def _exchange(self, process: subprocess.Popen[bytes], message: bytes) -> Any:
        """Send and wait for the answer; a process that gives none in time is ended."""
        assert process.stdin is not None  # noqa: S101 -- both are pipes
        assert process.stdout is not None  # noqa: S101
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(self._seconds, end)
        timer.start()
        try:
            process.stdin.write(message)
            process.stdin.flush()
            answer = process.stdout.readline()
        except OSError:
            answer = b""
        finally:
            timer.cancel()
        if not answer:
            self._failure = (
                f"it did not answer within {self._seconds:g} seconds"
                if late.is_set()
                else "it broke down"
            )
            self.close()
            raise ReferenceRefused(self._failure)
        said = json.loads(answer)
        if "refused" in said:
            raise ReferenceRefused(said["refused"])
        return said["answer"]


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"
