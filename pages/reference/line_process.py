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


class LineProcess:
    """Runs ``python -m module``, one question at a time. Safe under threads.

    A process that gives no answer in time, or breaks down, is ended; the next question starts a
    new one.

    Args:
        module: what is run; it reads questions on standard input until that ends.
        start_seconds: within which a new process says that it is ready.
        seconds: within which it answers a question.
    """

    def __init__(self, module: str, *, start_seconds: float, seconds: float) -> None:
        self._module = module
        self._start_seconds = start_seconds
        self._seconds = seconds
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, question: object) -> Any:
        """The answer to ``question`` (any JSON value).

        Raises:
            ReferenceRefused: if the process refuses, breaks down or is too slow.
        """
        with self._lock:
            process = self._process
            if process is None or process.poll() is not None:
                process = self._start()
            return self._exchange(process, json.dumps(question).encode() + b"\n", self._seconds)

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def __del__(self) -> None:
        self.close()

    def _start(self) -> subprocess.Popen[bytes]:
        self.close()
        self._process = subprocess.Popen(  # noqa: S603 -- a module of our own
            [sys.executable, "-m", self._module],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._exchange(self._process, b"", self._start_seconds)
        return self._process

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
            raise ReferenceRefused(
                f"it took longer than {seconds:g} seconds" if late.is_set() else "it broke down"
            )
        said = json.loads(answer)
        if "refused" in said:
            raise ReferenceRefused(said["refused"])
        return said["answer"]
