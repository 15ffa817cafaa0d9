"""Starts the server when all is ready that the first visitor would otherwise wait for.

The default tokenizers are read and the heavy libraries imported before the address is shown. Doing
it meanwhile would save nobody time: it slowed the answers to the first browser by as much.
"""

from __future__ import annotations

import importlib
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from streamlit.web import cli
from streamlit.web.server.starlette import starlette_server

APP: Final = Path(__file__).parents[2] / "app.py"
# Imported by Streamlit when it sends a component's data, and for the code of the link.
_LIBRARIES: Final = ("numpy", "pandas", "pyarrow", "segno")
# A letter of each kind, so that the split patterns are compiled too.
_SAMPLE: Final = "Aế中1 "
# How long a thread may compute while others wait. With Python's 5 ms, forty people who train at
# once got their first answer after 4 s, since the thread that sends was one of forty; now after
# 1.3 s, and all is done 3 % later.
_TURN_SECONDS: Final = 0.0005


def serve(arguments: Sequence[str]) -> None:
    """Run the server until it is stopped; ``arguments`` are those of ``streamlit run``."""
    warm_up()
    take_short_turns()
    send_at_once()
    sys.argv = ["streamlit", "run", str(APP), *arguments]
    cli.main()


def take_short_turns() -> None:
    """Have threads that compute make room for the one that answers."""
    sys.setswitchinterval(_TURN_SECONDS)


def send_at_once() -> None:
    """Have the server send each answer when it is written.

    A page loads a hundred small files, one after the other on a few connections. Streamlit 1.67
    opens its socket without naming the protocol, and for such sockets asyncio leaves the system's
    batching on (Nagle's algorithm): the body of each file then waits until the browser has
    acknowledged its head, which takes 40 ms. Connections inherit the option set here.
    """
    bind = starlette_server._bind_socket  # noqa: SLF001 -- no setting reaches the socket

    def bind_without_delay(address: str, port: int, backlog: int) -> socket.socket:
        listening = bind(address, port, backlog)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening

    starlette_server._bind_socket = bind_without_delay  # noqa: SLF001


def warm_up() -> None:
    """Read the default tokenizers and import what Streamlit imports only when it is used."""
    from pages.ui import cache
    from pages.ui.settings import TOKENIZERS

    for name in TOKENIZERS.default:
        cache.tokenizer(name).encode(_SAMPLE)
    for library in _LIBRARIES:
        importlib.import_module(library)
