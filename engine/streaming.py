"""From ids that come one after the other to text: four ways, of which one is right.

A token is a string of bytes and may end in the middle of a character, so what a model streams is
not text yet. ``StreamDecoder`` keeps the bytes of an unfinished character back; the others are what
programs and libraries do instead, with what it costs them:

    decoder = StreamDecoder(tokenizer)
    shown = [decoder.feed(token_id) for token_id in ids] + [decoder.flush()]

All of them count their work: how many bytes they turned into text, and in how many calls.
"""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from engine.errors import EngineError
from engine.tokenizer import Tokenizer

_UNFINISHED = "\ufffd"


class NotStreamable(EngineError):
    """The tokenizer's text is not the bytes of its tokens, joined."""


class Streamed(Protocol):
    """Takes ids one by one and gives the text that may be shown.

    Attributes:
        work: bytes turned into text so far, each as often as it was.
        calls: how often bytes were given to a decoder so far.
    """

    work: int
    calls: int

    @property
    def pending(self) -> bytes:
        """The bytes that came and are not shown yet."""
        ...

    def feed(self, token_id: int) -> str:
        """What can be shown after one more id. Raises ``UnknownId`` if it stands for no token."""
        ...

    def flush(self) -> str:
        """What is shown when no more ids come."""
        ...


def _bytes_of(tokenizer: Tokenizer, token_id: int) -> bytes:
    return tokenizer.decode_bytes([token_id])


def _check(tokenizer: Tokenizer) -> None:
    if tokenizer.decoder is not None:
        raise NotStreamable(
            f"{tokenizer.name} decodes whole texts only: its tokens' bytes, joined, are not the "
            "text, so it cannot be streamed byte by byte."
        )


class StreamDecoder:
    """The right way: bytes are kept until their character is whole.

    What is fed and flushed, joined, is ``tokenizer.decode`` of all ids; at most three bytes are
    held back. Whether bytes are whole is decided on the bytes, so a U+FFFD that really stands in
    the text is not waited for.

    Args:
        tokenizer: any whose text is the bytes of its tokens.
        prompt: ids that came before; a character they left unfinished belongs to the stream.

    Raises:
        NotStreamable: if the text of the tokenizer's tokens is not their bytes, joined.
        UnknownId: if an id of the prompt stands for no token.
    """

    def __init__(self, tokenizer: Tokenizer, prompt: Sequence[int] = ()) -> None:
        _check(tokenizer)
        self._tokenizer = tokenizer
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._decoder.decode(tokenizer.decode_bytes(prompt))
        self.work = self.calls = 0

    @property
    def pending(self) -> bytes:
        """The bytes of a character that is not whole yet, three at most."""
        return self._decoder.getstate()[0]

    def feed(self, token_id: int) -> str:
        """The characters that became whole with one more id; often none, often several."""
        data = _bytes_of(self._tokenizer, token_id)
        self.work += len(data)
        self.calls += 1
        return self._decoder.decode(data)

    def flush(self) -> str:
        """The end: an unfinished character is shown as U+FFFD."""
        self.calls += 1
        return self._decoder.decode(b"", final=True)


class AloneDecoder:
    """The naive way: each token by itself, with U+FFFD for every piece of a character."""

    pending = b""

    def __init__(self, tokenizer: Tokenizer) -> None:
        _check(tokenizer)
        self._tokenizer = tokenizer
        self.work = self.calls = 0

    def feed(self, token_id: int) -> str:
        """The text of one token."""
        data = _bytes_of(self._tokenizer, token_id)
        self.work += len(data)
        self.calls += 1
        return data.decode("utf-8", "replace")

    def flush(self) -> str:
        """Nothing is ever held back."""
        return ""


class PrefixDecoder:
    """Decoding again from a little before: what serving libraries do (``DecodeStream``).

    Two places in the ids are kept: what was shown ends at the second, and decoding begins at the
    first. New text is shown when it does not end in U+FFFD, so a text that really ends so is never
    shown; what is held at the end is lost.

    Source: behaviour of ``DecodeStream`` of tokenizers 0.23.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        _check(tokenizer)
        self._tokenizer = tokenizer
        self._window: list[bytes] = []
        self._shown_tokens = 0
        self._shown = ""
        self.work = self.calls = 0

    def _text(self) -> str:
        data = b"".join(self._window)
        self.work += len(data)
        self.calls += 1
        return data.decode("utf-8", "replace")

    @property
    def pending(self) -> bytes:
        """The bytes of the tokens that are not shown yet."""
        return b"".join(self._window[self._shown_tokens :])

    def feed(self, token_id: int) -> str:
        """The text that is new, unless it seems unfinished."""
        self._window.append(_bytes_of(self._tokenizer, token_id))
        text = self._text()
        # The library measures in bytes of UTF-8.
        longer = len(text.encode()) > len(self._shown.encode())
        if not longer or text.endswith(_UNFINISHED):
            return ""
        new = text.removeprefix(self._shown)
        # What was shown before this token is no longer needed as context.
        del self._window[: self._shown_tokens]
        self._shown_tokens = len(self._window)
        self._shown = self._text()
        return new

    def flush(self) -> str:
        """The library has no end: what is held back is never shown."""
        return ""


# CJK ideographs as the streamer of transformers knows them: those are shown at once.
_IDEOGRAPHS = (
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF),
    (0x2A700, 0x2CEAF), (0x2F800, 0x2FA1F),
)  # fmt: skip


class WordDecoder:
    """Word by word: what the console streamer of transformers does (``TextStreamer``).

    Everything since the last line end is decoded again with each token. Letters, marks, digits and
    blanks are shown at once; after any other sign only what ends in a blank.

    Source: behaviour of ``TextStreamer`` of transformers 5.24.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        _check(tokenizer)
        self._tokenizer = tokenizer
        self._line: list[bytes] = []
        self._shown = 0
        self.work = self.calls = 0

    def _text(self, tokens: Iterable[bytes]) -> str:
        data = b"".join(tokens)
        self.work += len(data)
        self.calls += 1
        return data.decode("utf-8", "replace")

    @property
    def pending(self) -> bytes:
        """The bytes of this line that are not shown yet."""
        return _after(b"".join(self._line), self._shown)

    def feed(self, token_id: int) -> str:
        """What the rule lets out after one more token."""
        self._line.append(_bytes_of(self._tokenizer, token_id))
        text = self._text(self._line)
        new = text[self._shown :]
        if text.endswith("\n"):
            del self._line[:-1]
            self._shown = len(self._text(self._line))
            return new
        if not (_is_ideograph(text[-1:]) or all(map(_is_plain, new))):
            new = text[self._shown : text.rfind(" ") + 1]
        self._shown += len(new)
        return new

    def flush(self) -> str:
        """All that is left of the line, an unfinished character as U+FFFD."""
        text = self._text(self._line)
        new = text[self._shown :]
        self._line.clear()
        self._shown = 0
        return new


def _is_ideograph(character: str) -> bool:
    return any(chr(first) <= character <= chr(last) for first, last in _IDEOGRAPHS)


def _is_plain(character: str) -> bool:
    return character.isspace() or unicodedata.category(character)[0] in "LMN"


def _after(data: bytes, characters: int) -> bytes:
    """The bytes of ``data`` that come after so many characters of its text."""
    before = data.decode("utf-8", "replace")[:characters]
    if _UNFINISHED not in before:
        return data[len(before.encode()) :]
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    place = 0
    while characters > 0 and place < len(data):
        characters -= len(decoder.decode(data[place : place + 1]))
        place += 1
    return data[place:]


WAYS: Final[Mapping[str, Callable[[Tokenizer], Streamed]]] = {
    "token by token": AloneDecoder,
    "bytes kept back": StreamDecoder,
    "decoded again from a prefix": PrefixDecoder,
    "word by word": WordDecoder,
}
"""The four ways by name, the naive one first."""


class Moment(NamedTuple):
    """One way after one token (``token_id`` None: after the end).

    ``shown`` is the new text, ``pending`` the bytes kept back, ``work`` and ``calls`` as there.
    """

    token_id: int | None
    shown: str
    pending: bytes
    work: int
    calls: int


def stream(tokenizer: Tokenizer, ids: Sequence[int], way: str) -> list[Moment]:
    """What a way shows token by token, and at the end.

    Args:
        tokenizer: any whose text is the bytes of its tokens.
        ids: the tokens in the order of their arrival.
        way: one of ``WAYS``.

    Raises:
        NotStreamable: if the text of the tokenizer's tokens is not their bytes, joined.
        UnknownId: if an id stands for no token.
    """
    decoder = WAYS[way](tokenizer)
    moments = []
    for token_id in ids:
        shown = decoder.feed(token_id)
        moments.append(Moment(token_id, shown, decoder.pending, decoder.work, decoder.calls))
    held = decoder.pending
    shown = decoder.flush()
    # What a way holds back and does not show at the end is lost, and stays to be seen.
    lost = b"" if shown else held
    return [*moments, Moment(None, shown, lost, decoder.work, decoder.calls)]
