"""The process of ``pages.reference.chat``: renders chat templates in the library's own sandbox.

A question is ``{"template", "messages", "options"}``, an answer the text. Memory is limited, so a
template that asks for more fails here and nowhere else; the limit of time is the parent's.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path
from typing import Any, Final, TextIO

# What a template may use beyond what the library itself takes.
MEMORY_BYTES: Final = 300_000_000
# A conversation of the paste limit, with its template, stays far below.
MOST_CHARACTERS: Final = 20_000_000


def main() -> None:
    """Say that the library is there, then answer until the input ends."""
    from transformers.utils.chat_template_utils import render_jinja_template

    _limit_memory()
    _say(sys.stdout, {"answer": True})
    for line in sys.stdin:
        try:
            _say(sys.stdout, {"answer": _rendered(render_jinja_template, json.loads(line))})
        except MemoryError:
            _say(sys.stdout, {"refused": "it asks for too much memory"})
        # Whatever a template raises is its answer.
        except Exception as error:  # noqa: BLE001
            name = type(error).__name__
            reason = " ".join(str(error).split())[:300]
            _say(sys.stdout, {"refused": f"{name}: {reason}" if reason else name})


def _rendered(render: Any, question: dict[str, Any]) -> str:
    texts, _ = render(
        conversations=[question["messages"]],
        chat_template=question["template"],
        **question["options"],
    )
    text = str(texts[0])
    if len(text) > MOST_CHARACTERS:
        raise MemoryError
    return text


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
