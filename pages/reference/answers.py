"""What a reference library is to us, and the guard around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from engine import SpecialPolicy

Answer = TypeVar("Answer")


class NoReference(Exception):
    """No library can check this tokenizer; the message says why."""


class ReferenceRefused(Exception):
    """The library failed on this input; the message is the library's own."""


class Reference(Protocol):
    """A tokenizer of another library. Never changed after it was made; safe under threads."""

    @property
    def title(self) -> str:
        """The library and its version."""
        ...

    def ids(self, text: str, special: SpecialPolicy) -> list[int]:
        """The ids that the library gives.

        Raises:
            ReferenceRefused: if the library fails on this text.
        """
        ...

    def decode(self, ids: Sequence[int]) -> str:
        """The text that the library gives, broken characters as U+FFFD.

        Raises:
            ReferenceRefused: if the library fails on these ids.
        """
        ...


def guarded(call: Callable[[], Answer]) -> Answer:
    """What ``call`` returns, its failure turned into ``ReferenceRefused``.

    A panic of a Rust library is no ``Exception``, so ``except Exception`` lets it through to end
    the thread. What is neither (an interrupt, an exit, a page that is run again) is passed on.
    """
    try:
        return call()
    except BaseException as error:
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            reason = " ".join(str(error).split()) or type(error).__name__
            raise ReferenceRefused(reason) from None
        raise
