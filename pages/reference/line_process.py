"""A process of our own that answers lines with lines, within a time limit.

What may hang, ask for all memory or end its process is done there. Both directions carry one JSON
value a line; an answer is ``{"answer": ...}`` or ``{"refused": "why"}``.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from pages.reference.answers import ReferenceRefused

ROOT = Path(__file__).parents[2]


class ProcessFailed(ReferenceRefused):
    """The process would not start, broke down or was too slow; the message says which."""


class LineProcess:
    """Runs ``python -m module``, one question at a time. Safe under threads.

    A process that gives no answer in time, or breaks down, is ended; the next question starts a
    new one.

    Args:
        module: what is run; it reads questions on standard input until that ends.
        start_seconds: within which a new process says that it is ready.
        seconds: within which it answers a question.
        introduction: what a new process is sent first.
    """

    def __init__(
        self, module: str, *, start_seconds: float, seconds: float, introduction: bytes = b""
    ) -> None:
        self._module = module
        self._start_seconds = start_seconds
        self._seconds = seconds
        self._introduction = introduction
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The number of the process that runs now, None if there is none."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def start(self) -> None:
        """Start the process now, if there is none.

        Raises:
            ProcessFailed: if it refuses its introduction, breaks down or is too slow.
        """
        with self._lock:
            self._running()

    def ask(self, question: object) -> Any:
        """The answer to ``question`` (any JSON value).

        Raises:
            ReferenceRefused: if the process refuses this question.
            ProcessFailed: if it breaks down or is too slow, or cannot be started.
        """
        with self._lock:
            process = self._running()
            return self._exchange(process, json.dumps(question).encode() + b"\n", self._seconds)

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def __del__(self) -> None:
        self.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.close()
        self._process = subprocess.Popen(  # noqa: S603 -- a module of our own
            [sys.executable, "-m", self._module],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        process = self._process
        try:
            self._exchange(process, self._introduction, self._start_seconds)
        except ReferenceRefused as reason:
            self.close()
            raise ProcessFailed(str(reason)) from None
        return process

    def _exchange(self, process: subprocess.Popen[bytes], line: bytes, seconds: float) -> Any:
        """Send and wait for one line; what does not come in time is ended."""
        assert process.stdin is not None  # noqa: S101 -- both are pipes
        assert process.stdout is not None  # noqa: S101
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(seconds, end)
        timer.start()
        try:
            process.stdin.write(line)
            process.stdin.flush()
            answer = process.stdout.readline()
        except OSError:
            answer = b""
        finally:
            timer.cancel()
        if not answer.endswith(b"\n"):
            self.close()
            raise ProcessFailed(
                f"it did not answer within {seconds:g} seconds"
                if late.is_set()
                else "it broke down"
            )
        said = json.loads(answer)
        if "refused" in said:
            raise ReferenceRefused(said["refused"])
        return said["answer"]
