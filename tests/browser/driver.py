"""A running app and a real browser, for tests and for measuring."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[2]
# Quiet without a network, and able to start as root.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
START_SECONDS = 60
# As long as this nothing may be added to the page before it counts as drawn.
STILL_MS = 400
# Elements are counted in shadow roots too: each of our components draws into one.
_SETTLED = """(still) => {
    const elements = (root) => [...root.querySelectorAll('*')].reduce(
        (sum, { shadowRoot }) => sum + 1 + (shadowRoot ? elements(shadowRoot) : 0), 0);
    const app = document.querySelector('[data-testid=stApp]');
    const idle = app?.dataset.testScriptState === 'notRunning'
        && !document.querySelector('[data-stale=true]');
    const now = { idle, count: idle && elements(document), at: performance.now() };
    const before = window.settling;
    if (!idle || now.count !== before?.count) window.settling = now;
    return idle && now.at - window.settling.at >= still;
}"""
LAUNCHER = ("app.py",)


def browser_path() -> str | None:
    """The browser to use: named in TOKENARIUM_BROWSER, or an installed one."""
    named = os.environ.get("TOKENARIUM_BROWSER")
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return named or next((path for name in names if (path := shutil.which(name))), None)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port: int = probe.getsockname()[1]
        return port


class App:
    """A server of our own on a free port; ``process`` is ended by its owner."""

    def __init__(self, launcher: Sequence[str] = LAUNCHER) -> None:
        port = _free_port()
        self.url = f"http://localhost:{port}"
        command = [sys.executable, *launcher]
        options = ["--server.port", str(port), "--server.headless", "true"]
        self.process = subprocess.Popen(
            command + options,
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=1) as answer:
                    if answer.read() == b"ok":
                        return
            except OSError:
                time.sleep(0.1)
        self.stop()
        raise RuntimeError("The app did not start.")

    def stop(self) -> None:
        """End the server."""
        self.process.terminate()
        self.process.wait(timeout=20)

    def memory_mb(self) -> float:
        """Resident memory of the server now (Linux)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024


@contextmanager
def running_app(launcher: Sequence[str] = LAUNCHER) -> Iterator[App]:
    """A fresh server, ended at the end."""
    app = App(launcher)
    try:
        yield app
    finally:
        app.stop()


@contextmanager
def running_browser() -> Iterator[Browser]:
    """A headless Chromium, closed at the end."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


def open_page(page: Page, url: str) -> None:
    """Go to a page of the app and wait for its first drawn tokens."""
    page.goto(url)
    page.wait_for_selector("[data-token]", timeout=60_000)


def settle(page: Page, *, timeout: float = 60_000) -> None:
    """Wait until the server has nothing more to say and the page has stopped growing.

    A script may end while a component is still being mounted, and a page that waits for an answer
    runs again by itself, so being idle once is not enough. ``timeout`` is in milliseconds.
    """
    page.wait_for_function(_SETTLED, arg=STILL_MS, timeout=timeout)


def painted(page: Page) -> str:
    """The mark of the data that the token view last painted."""
    mark = page.evaluate(
        "() => [...document.querySelectorAll('[data-painted]')].at(-1)?.dataset.painted ?? ''"
    )
    return str(mark)


def paste(page: Page, text: str) -> None:
    """Replace the text in the box as a paste does."""
    box = page.locator("textarea").first
    box.focus()
    box.evaluate(
        """(area, text) => {
            area.select();
            const data = new DataTransfer();
            data.setData('text/plain', text);
            const event = new ClipboardEvent('paste', {
                clipboardData: data, bubbles: true, cancelable: true, composed: true,
            });
            if (area.dispatchEvent(event)) {
                document.execCommand('insertText', false, text);
            }
        }""",
        text,
    )


def wait_for_new_paint(page: Page, before: str, *, timeout: float = 60_000) -> None:
    """Wait until the view has painted something else than ``before``."""
    page.wait_for_function(
        """(before) => {
            const marks = [...document.querySelectorAll('[data-painted]')];
            const now = marks.at(-1)?.dataset.painted;
            return now !== undefined && now !== before;
        }""",
        arg=before,
        timeout=timeout,
    )
