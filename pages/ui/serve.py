"""Starts the server, and makes ready what the first visitor would otherwise wait for.

A browser needs a second to load Streamlit's own files before the first page is asked for. In that
time the default tokenizers are read and the heavy libraries imported.
"""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from streamlit.web import cli

APP: Final = Path(__file__).parents[2] / "app.py"
# Imported by Streamlit when it sends a component's data, and for the code of the link.
_LIBRARIES: Final = ("numpy", "pandas", "pyarrow", "segno")
# A letter of each kind, so that the split patterns are compiled too.
_SAMPLE: Final = "Aế中1 "


def serve(arguments: Sequence[str]) -> None:
    """Run the server until it is stopped; ``arguments`` are those of ``streamlit run``."""
    threading.Thread(target=_warm, name="warm", daemon=True).start()
    sys.argv = ["streamlit", "run", str(APP), *arguments]
    cli.main()


def _warm() -> None:
    from pages.ui import cache
    from pages.ui.settings import TOKENIZERS

    for name in TOKENIZERS.default:
        cache.tokenizer(name).encode(_SAMPLE)
    for library in _LIBRARIES:
        importlib.import_module(library)
