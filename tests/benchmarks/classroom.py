"""A class of forty that opens Training at once, each with another corpus, on a fresh server.

Forty connections speak to the server as browsers do, without drawing anything. One more person is
there before them and asks again and again.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

from tests.benchmarks.measure import Row, at_most, duration
from tests.browser.driver import running_app

PEOPLE = 40
FROZEN = 2.0
_WAIT = 120
_CORPORA = ("en", "vi", "zh", "code", "mixed")
# The stage is the first answer of such a size.
_STAGE_BYTES = 20_000
_DONE = ForwardMsg.ScriptFinishedStatus.Value("FINISHED_SUCCESSFULLY")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What somebody saw, in seconds since asking; ``silence`` is the longest without a word."""

    first: float
    stage: float
    done: float
    silence: float


@contextmanager
def _connected(url: str) -> Iterator[ClientConnection]:
    address = f"ws{url.removeprefix('http')}/_stcore/stream"
    with connect(address, subprotocols=["streamlit"], max_size=None, ping_timeout=None) as socket:  # type: ignore[list-item]
        yield socket


def _ask(socket: ClientConnection, merges: int) -> Answered:
    """Open Training on a corpus of 40 KB with so many merges, and wait until all is there."""
    question = BackMsg()
    corpus = _CORPORA[merges % len(_CORPORA)]
    question.rerun_script.query_string = f"c={corpus}&m={merges}&p=gpt2&ties=smallest-ids"
    question.rerun_script.page_name = "training"
    started = last = time.perf_counter()
    socket.send(question.SerializeToString())
    first = stage = silence = 0.0
    while True:
        message = ForwardMsg()
        data = socket.recv(timeout=_WAIT)
        assert isinstance(data, bytes)
        message.ParseFromString(data)
        now = time.perf_counter()
        silence, last = max(silence, now - last), now
        if message.HasField("delta"):
            first = first or now - started
            if len(data) > _STAGE_BYTES:
                stage = stage or now - started
        elif message.HasField("script_finished") and message.script_finished == _DONE:
            return Answered(first=first, stage=stage, done=now - started, silence=silence)


def _class(url: str) -> list[Answered]:
    """All ask at the same moment."""
    together = threading.Barrier(PEOPLE)
    answers: list[Answered] = []

    def person(number: int) -> None:
        with _connected(url) as socket:
            together.wait()
            answers.append(_ask(socket, 1_960 + number))

    _all([lambda number=number: person(number) for number in range(PEOPLE)])
    assert len(answers) == PEOPLE
    return answers


def _all(calls: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _with_bystander(url: str) -> tuple[list[Answered], list[Answered]]:
    """The class, and the answers to one who asks all the time meanwhile."""
    answers: list[Answered] = []
    meanwhile: list[Answered] = []
    over = threading.Event()

    def bystander() -> None:
        with _connected(url) as socket:
            _ask(socket, 1_900)
            ready.set()
            while not over.is_set():
                meanwhile.append(_ask(socket, 1_900))
                time.sleep(0.2)

    def pupils() -> None:
        ready.wait(_WAIT)
        answers.extend(_class(url))
        over.set()

    ready = threading.Event()
    _all([bystander, pupils])
    return answers, meanwhile


def _rows(title: str, answers: list[Answered]) -> Iterator[Row]:
    yield at_most(f"{title}: the first answer, latest", max(a.first for a in answers), FROZEN)
    yield at_most(f"{title}: longest without a word", max(a.silence for a in answers), FROZEN)
    for what, seconds in (
        ("the stage", [a.stage for a in answers]),
        ("all charts", [a.done for a in answers]),
    ):
        ours = f"{duration(statistics.median(seconds))}, latest {duration(max(seconds))}"
        yield Row(work=f"{title}: {what}, median", ours=ours)


def rows() -> Iterator[Row]:
    """The whole part."""
    people = f"{PEOPLE} people train at once"
    with running_app() as app:
        answers, meanwhile = _with_bystander(app.url)
        yield from _rows(people, answers)
        yield at_most(
            "one who is there already, meanwhile: longest until an answer",
            max(a.first for a in meanwhile),
            FROZEN,
        )
        yield Row(
            work="and until all is there again",
            ours=f"{duration(statistics.median(a.done for a in meanwhile))}, "
            f"longest {duration(max(a.done for a in meanwhile))}",
        )
        yield from _rows("the same again, by others", _class(app.url))
