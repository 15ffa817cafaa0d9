"""The process of ``pages.reference.chat``: renders chat templates in the library's own sandbox.

A question is ``{"template", "messages", "options"}``, with ``"date"`` (ISO) the day that a
template is told, where it asks. The answer is ``{"text", "runs"}``: the library's text, and from
where its characters came (see ``chat_tracing``), None if that could not be followed. Each
question has a child of its own with limits of memory and time: whatever a template does ends with
that child, and this process, which is slow to start, goes on.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any, Final, TextIO

from pages.reference.chat_tracing import follow_concatenation, render_traced, runs_of

# What a template may use beyond what the library itself takes.
MEMORY_BYTES: Final = 300_000_000
# One that takes longer never ends.
SECONDS: Final = 2.0
# A template may write what it is given several times, and so much beside it. More it would cost
# everyone: the text is cut into tokens in the server itself.
MOST_CHARACTERS: Final = 500_000
MOST_TIMES: Final = 4


class _TooLongError(Exception):
    """A template writes more than is allowed; the message says how much."""


def main() -> None:
    """Say that the library is there, then answer until the input ends."""
    from transformers.utils.chat_template_utils import render_jinja_template

    follow_concatenation()
    _say(sys.stdout, {"answer": True})
    for line in sys.stdin:
        sys.stdout.write(_answered_apart(render_jinja_template, line))
        sys.stdout.flush()


def _answered_apart(render: Any, line: str) -> str:
    """The line that a child of this process answers, or why it gave none."""
    mine, its = os.pipe()
    child = os.fork()
    if not child:
        try:
            # Ends the child wherever it is, also within a long operation of the interpreter.
            signal.setitimer(signal.ITIMER_REAL, SECONDS)
            _limit_memory()
            with os.fdopen(its, "w") as answers:
                _say(answers, _answer(render, line))
        finally:
            os._exit(0)
    os.close(its)
    with os.fdopen(mine) as answers:
        answer = answers.read()
    _, status = os.waitpid(child, 0)
    if answer.endswith("\n"):
        return answer
    late = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM
    reason = f"it did not answer within {SECONDS:g} seconds" if late else "it broke down"
    return json.dumps({"refused": reason}) + "\n"


def _answer(render: Any, line: str) -> dict[str, object]:
    try:
        return {"answer": _rendered(render, json.loads(line))}
    except MemoryError:
        return {"refused": "it asks for too much memory"}
    except _TooLongError as error:
        return {"refused": str(error)}
    # Whatever a template raises is its answer.
    except Exception as error:  # noqa: BLE001
        name = type(error).__name__
        reason = " ".join(str(error).split())[:300]
        return {"refused": f"{name}: {reason}" if reason else name}


def _rendered(render: Any, question: dict[str, Any]) -> dict[str, Any]:
    _tell_day(question.get("date"))
    texts, _ = render(
        conversations=[question["messages"]],
        chat_template=question["template"],
        **question["options"],
    )
    text = str(texts[0])
    most = MOST_CHARACTERS + MOST_TIMES * len(json.dumps(question, ensure_ascii=False))
    if len(text) > most:
        raise _TooLongError(
            f"it makes a text of {len(text):,} characters, and {most:,} are allowed"
        )
    return {"text": text, "runs": _runs(question, text)}


def _tell_day(day: str | None) -> None:
    """Make the library tell templates that day (ISO) as today's; None leaves it the real one."""
    from transformers.utils import chat_template_utils

    date = dt.date.fromisoformat(day) if day else None

    class Clock(dt.datetime):
        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> Clock:
            return cls(date.year, date.month, date.day) if date else super().now(tz)

    chat_template_utils.datetime = Clock


def _runs(question: dict[str, Any], text: str) -> list[Any] | None:
    """From where the characters of ``text`` came; None where that cannot be said."""
    try:
        traced = render_traced(question["template"], question["messages"], question["options"])
    except MemoryError:
        raise
    # A template that does what a followed text cannot has its text all the same.
    except Exception:  # noqa: BLE001
        return None
    return [list(run) for run in runs_of(traced)] if traced == text else None


def _limit_memory() -> None:
    """Allow so much more than what is used now (Linux; elsewhere only time is limited)."""
    status = Path("/proc/self/statm")
    if status.exists():
        used = int(status.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY_BYTES, used + MEMORY_BYTES))


def _say(answers: TextIO, answer: dict[str, object]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
