"""Turns: never more at once than allowed, the urgent first, and nobody's failure blocks others."""

from __future__ import annotations

import threading
import time

import pytest

from pages.ui.turns import Turns, Urgency


def test_never_more_at_once_than_allowed() -> None:
    turns, lock = Turns(2), threading.Lock()
    now = most = done = 0

    def work(place: int) -> None:
        nonlocal now, most, done
        with turns.turn(lambda _: None, Urgency(place % 3)):
            with lock:
                now += 1
                most = max(most, now)
            time.sleep(0.01)
            with lock:
                now -= 1
                done += 1

    threads = [threading.Thread(target=work, args=(place,)) for place in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most, done, now) == (2, 20, 0)


def test_the_urgent_go_first() -> None:
    turns, order = Turns(1), list[Urgency]()
    waiting = threading.Semaphore(0)

    def work(urgency: Urgency) -> None:
        def wait(_: int) -> None:
            waiting.release()

        with turns.turn(wait, urgency):
            order.append(urgency)

    with turns.turn(lambda _: None):
        threads = [threading.Thread(target=work, args=(name,)) for name in reversed(Urgency)]
        for thread in threads:
            thread.start()
            assert waiting.acquire(timeout=10)
    for thread in threads:
        thread.join()
    assert order == [Urgency.DRAWING, Urgency.COMPUTING, Urgency.EXTRAS]


def test_equals_go_in_the_order_they_came_and_know_their_place() -> None:
    turns, order, places = Turns(1), list[int](), dict[int, int]()
    waiting = threading.Semaphore(0)

    def work(number: int) -> None:
        def wait(before: int) -> None:
            if number not in places:
                places[number] = before
                waiting.release()

        with turns.turn(wait, Urgency.DRAWING if number == 9 else Urgency.EXTRAS):
            order.append(number)

    with turns.turn(lambda _: None):
        threads = [threading.Thread(target=work, args=(number,)) for number in (1, 2, 3, 9)]
        for thread in threads:
            thread.start()
            assert waiting.acquire(timeout=10)
    for thread in threads:
        thread.join()
    assert order == [9, 1, 2, 3]
    assert places == {1: 0, 2: 1, 3: 2, 9: 0}


class Stopped(BaseException):
    """What Streamlit raises to end a run."""


def test_who_stops_waiting_or_working_blocks_nobody() -> None:
    turns = Turns(1)

    def stop(_: int) -> None:
        raise Stopped

    with turns.turn(stop), pytest.raises(Stopped), turns.turn(stop):
        pass
    with pytest.raises(Stopped), turns.turn(stop, Urgency.EXTRAS):
        raise Stopped
    with turns.turn(stop, Urgency.EXTRAS):
        pass
