"""What a stream of ids shows wrongly, and where one ends inside a character.

Decoding bytes that are no UTF-8 gives U+FFFD, one for each stretch that makes no character. A way
of streaming that shows more of them than decoding the whole does has broken characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.streaming import Moment
from engine.tokenizer import Tokenizer

_SIGN: Final = "\ufffd"
_SIGN_BYTES: Final = _SIGN.encode()
_LONGEST_CHARACTER: Final = 4


def sign_places(data: bytes) -> list[int]:
    """At which bytes the signs U+FFFD of the decoded text begin, real ones and stand-ins.

    >>> sign_places(b"a\\xe9\\xbe b\\xef\\xbf\\xbd")
    [1, 5]
    """
    places: list[int] = []
    position = 0
    while position < len(data):
        try:
            data[position:].decode()
            valid, following = len(data), len(data)
        except UnicodeDecodeError as error:
            valid, following = position + error.start, position + error.end
        found = data.find(_SIGN_BYTES, position, valid)
        while found >= 0:
            places.append(found)
            found = data.find(_SIGN_BYTES, found + 1, valid)
        if valid < len(data):
            places.append(valid)
        position = following
    return places


def wrong_signs(
    tokenizer: Tokenizer, ids: Sequence[int], moments: Sequence[Moment]
) -> list[tuple[bool, ...]]:
    """Of every U+FFFD that a way shows: whether the text has none there.

    Args:
        tokenizer, ids: what was streamed.
        moments: what ``streaming.stream`` gave for them.

    Returns:
        one tuple for each moment, with an entry for each sign in its ``shown``, in order.
    """
    tokens = [tokenizer.decode_bytes([token_id]) for token_id in ids]
    whole = b"".join(tokens)
    text = whole.decode("utf-8", "replace")
    if text.startswith("".join(moment.shown for moment in moments)):
        return [(False,) * moment.shown.count(_SIGN) for moment in moments]
    right = set(sign_places(whole))
    return _by_token(tokens, moments, right)


def _by_token(
    tokens: Sequence[bytes], moments: Sequence[Moment], right: set[int]
) -> list[tuple[bool, ...]]:
    """As ``wrong_signs`` where each moment shows its token by itself."""
    found = []
    start = 0
    for moment, data in zip(moments, (*tokens, b""), strict=True):
        signs = sign_places(data) if moment.shown else []
        found.append(tuple(start + place not in right for place in signs))
        start += len(data)
    return found


def unfinished_end(tokenizer: Tokenizer, ids: Sequence[int]) -> int | None:
    """How many tokens to leave out at the end, one at least, so that it falls inside a character.

    None if no token of the text ends there. The fewest are left out.
    """
    for kept in range(len(ids) - 1, 0, -1):
        tail = tokenizer.decode_bytes(ids[max(0, kept - _LONGEST_CHARACTER) : kept])
        following = tokenizer.decode_bytes(ids[kept : kept + 1])
        if _is_unfinished(tail) and following[:1] and following[0] & 0xC0 == 0x80:
            return len(ids) - kept
    return None


def _is_unfinished(data: bytes) -> bool:
    """Whether the bytes end in the middle of a character.

    >>> _is_unfinished(b"a\\xe9\\xbe"), _is_unfinished(b"a"), _is_unfinished(b"\\xbe")
    (True, False, False)
    """
    for length in range(1, min(_LONGEST_CHARACTER, len(data) + 1)):
        try:
            data[-length:].decode()
        except UnicodeDecodeError as error:
            if error.start == 0 and error.reason == "unexpected end of data":
                return True
    return False
