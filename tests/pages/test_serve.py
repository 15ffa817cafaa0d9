"""What the server makes ready before the first visitor comes."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest
from streamlit.web.server.starlette import starlette_server

from pages.ui import cache, serve
from pages.ui.settings import TOKENIZERS


def test_the_default_tokenizers_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    load = cache.tokenizer

    def recorded(name: str) -> object:
        read.append(name)
        return load(name)

    monkeypatch.setattr(cache, "tokenizer", recorded)
    serve.warm_up()
    assert tuple(read) == TOKENIZERS.default
    assert set(serve._LIBRARIES) <= set(sys.modules)


def test_the_thread_that_answers_waits_a_millisecond_at_most() -> None:
    before = sys.getswitchinterval()
    try:
        serve.take_short_turns()
        assert sys.getswitchinterval() <= 0.001
    finally:
        sys.setswitchinterval(before)


def test_connections_send_without_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else each small file of a page waits 40 ms for the browser to acknowledge its head."""
    monkeypatch.setattr(starlette_server, "_bind_socket", starlette_server._bind_socket)
    serve.send_at_once()
    with (
        starlette_server._bind_socket("127.0.0.1", 0, 1) as listening,
        socket.create_connection(listening.getsockname()),
    ):
        listening.setblocking(True)
        connection, _ = listening.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_arguments_go_to_streamlit() -> None:
    """A wrong option is answered by Streamlit, whose own command knows which there are."""
    command = [sys.executable, str(serve.APP), "--no.such.option", "1"]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert answer.returncode != 0
    assert "no.such.option" in answer.stderr


def test_a_spawned_process_starts_no_second_server() -> None:
    """What multiprocessing does in a process that it spawns from the app."""
    command = [
        sys.executable,
        "-c",
        f"import runpy; runpy.run_path({str(serve.APP)!r}, run_name='__mp_main__')",
    ]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert answer.returncode == 0, answer.stderr
