"""Reading JSON that nobody vouches for: every fault becomes one sentence that names the place.

``parse`` refuses what the reference library's reader refuses and Python's accepts (NaN, lone
surrogates), and what would bring Python's down (deep nesting, numbers of thousands of digits).
``Field`` is a value together with where it stands, so that a wrong type can be named.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from engine.errors import FormatError, TooLong
from engine.limits import (
    JSON_COMMAS,
    JSON_DEPTH,
    JSON_LISTS,
    JSON_MEMBERS,
    JSON_OBJECTS,
    LARGEST_ID,
)

_NAMES: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "null",
}


def _refuse_constant(name: str) -> NoReturn:
    raise FormatError(f"The file says {name}, which is no number in JSON.")


def parse(data: bytes) -> Field:
    """The value that ``data`` spells, UTF-8 with or without a byte-order mark.

    Raises:
        FormatError: if it is no JSON, or JSON that no tokenizer file needs.
        TooLong: if it has more values than any such file.
    """
    _check_counts(data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"The file is not UTF-8 text (byte {error.start} cannot be read), so it is no JSON."
        ) from None
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise FormatError(
            f"The file is no valid JSON: {error.msg}, at line {error.lineno}, column {error.colno}."
        ) from None
    except RecursionError:
        raise FormatError(_TOO_DEEP) from None
    except ValueError:
        raise FormatError("The file holds a number of thousands of digits.") from None
    _check_depth(value)
    _check_surrogates(text, value)
    return Field(value, "")


_COUNTED = (
    (b"{", "opening braces", JSON_OBJECTS),
    (b"[", "opening brackets", JSON_LISTS),
    (b",", "commas", JSON_COMMAS),
)


def _check_counts(data: bytes) -> None:
    """Refuse what would take gigabytes or minutes; a count in bytes takes a hundredth of a second.

    What stands inside texts is counted too, which the limits allow for.
    """
    for sign, name, most in _COUNTED:
        count = data.count(sign)
        if count > most:
            raise TooLong(
                f"The file has {count:,} {name}; tokenizer files are read with up to {most:,}."
            )


_TOO_DEEP = f"The file nests lists or objects more than {JSON_DEPTH} deep."


def _check_depth(value: object) -> None:
    level = [value]
    for _ in range(JSON_DEPTH + 1):
        level = [inner for outer in level for inner in _containers_in(outer)]
        if not level:
            return
    raise FormatError(_TOO_DEEP)


# A tuple and not a union of types, which takes twice as long to ask for a million values.
_CONTAINERS = (dict, list)


def _containers_in(value: object) -> list[object]:
    if isinstance(value, dict):
        return [inner for inner in value.values() if isinstance(inner, _CONTAINERS)]
    if isinstance(value, list):
        return [inner for inner in value if isinstance(inner, _CONTAINERS)]
    return []


# It begins with two fixed characters, for which the search is fast; one that looks whether the
# backslash is itself escaped would take ten seconds for 50 MB.
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _check_surrogates(text: str, value: object) -> None:
    """Only an escape can spell half of a surrogate pair, and few files have such escapes."""
    if not _SURROGATE.search(text):
        return
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise FormatError("The file spells half of a surrogate pair, which is no text.") from None


@dataclass(frozen=True, slots=True)
class Field:
    """A JSON value and its place, such as ``model.merges[3]``. Reading raises ``FormatError``."""

    value: object
    place: str

    def wrong(self, wanted: str) -> NoReturn:
        """Raise the error that says what stands here and what was wanted."""
        found = _NAMES[type(self.value)]
        where = f'"{self.place}"' if self.place else "The whole file"
        raise FormatError(f"{where} is {found}, but must be {wanted}.")

    @property
    def is_null(self) -> bool:
        """Whether the value is null, or was not given."""
        return self.value is None

    def _inner(self, key: str) -> str:
        return f"{self.place}.{key}" if self.place else key

    def members(self) -> dict[str, Field]:
        """The members of an object, unless there are more than any object but a vocabulary has."""
        if not isinstance(self.value, dict):
            self.wrong("an object")
        if len(self.value) > JSON_MEMBERS:
            where = f'"{self.place}"' if self.place else "The whole file"
            raise FormatError(
                f"{where} has {len(self.value):,} members; up to {JSON_MEMBERS:,} are read."
            )
        return {key: Field(value, self._inner(key)) for key, value in self.value.items()}

    def raw_object(self) -> dict[str, object]:
        """An object as it was read, for large ones."""
        if not isinstance(self.value, dict):
            self.wrong("an object")
        return self.value

    def get(self, key: str) -> Field:
        """A member of an object, null if it is not given."""
        if not isinstance(self.value, dict):
            self.wrong("an object")
        return Field(self.value.get(key), self._inner(key))

    def need(self, key: str) -> Field:
        """A member of an object that must be given."""
        if not isinstance(self.value, dict):
            self.wrong("an object")
        if key not in self.value:
            where = f'"{self.place}"' if self.place else "The file"
            raise FormatError(f'{where} does not say "{key}".')
        return Field(self.value[key], self._inner(key))

    def raw_list(self) -> list[object]:
        """A list as it was read, for long ones."""
        if not isinstance(self.value, list):
            self.wrong("a list")
        return self.value

    def items(self) -> Iterator[Field]:
        """The members of a list."""
        for place, value in enumerate(self.raw_list()):
            yield Field(value, f"{self.place}[{place}]")

    def text(self) -> str:
        """A text."""
        if not isinstance(self.value, str):
            self.wrong("a text")
        return self.value

    def character(self) -> str:
        """A text of exactly one character."""
        text = self.text()
        if len(text) != 1:
            raise FormatError(f'"{self.place}" is {text!r}, but must be one character.')
        return text

    def flag(self, default: bool | None = None) -> bool:
        """True or false; ``default`` where null is allowed."""
        if self.value is None and default is not None:
            return default
        if not isinstance(self.value, bool):
            self.wrong("true or false")
        return self.value

    def choice(self, *allowed: str) -> str:
        """One of a few words."""
        text = self.text()
        if text not in allowed:
            raise FormatError(f'"{self.place}" is {text!r}, but must be {", ".join(allowed)}.')
        return text

    def number(self) -> float:
        """A finite number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            self.wrong("a number")
        if isinstance(self.value, float) and not math.isfinite(self.value):
            raise FormatError(f'"{self.place}" is too large a number.')
        return self.value

    def token_id(self) -> int:
        """A whole number that can be an id."""
        return check_id(self.value, self.place)


def check_id(value: object, place: str) -> int:
    """``value`` if it can be an id.

    Raises:
        FormatError: if it is no whole number, negative, or larger than ids go.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        Field(value, place).wrong("a whole number")
    if not 0 <= value <= LARGEST_ID:
        shown = str(value) if abs(value) < 10**40 else "a very large number"
        raise FormatError(f'"{place}" is {shown}; an id is a whole number from 0 to {LARGEST_ID}.')
    return value
