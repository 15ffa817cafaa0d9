"""Unicode normalization forms, pinned to the tables of the ``tokenizers`` library.

``unicodedata`` does the work. Three things are added: characters that the library's (older) tables
leave alone are kept out of it; long runs of combining marks, which ``unicodedata`` sorts by
insertion in quadratic time, are sorted before; and a text that would become too long is refused.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, Protocol, get_args

import regex

from engine import unicode_data
from engine.errors import TooLong
from engine.limits import LONG_MARK_RUN, NORMALIZED_CHARACTERS
from engine.unicode_classes import basic_plane_set, category, has_astral, ranges_of, union
from engine.vietnamese_marks import tones_apart, tones_joined

Form = Literal["none", "NFC", "NFD", "NFKC", "NFKD", "no-marks", "mixed"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)

WrittenForm = Literal["NFC", "NFD", "mixed", "other"]

_UnicodeForm = Literal["NFC", "NFD", "NFKC", "NFKD"]


@cache
def _inert() -> frozenset[str]:
    characters: set[str] = set()
    for item in unicode_data.NORMALIZATION_INERT.split():
        first, _, last = item.partition("-")
        characters.update(map(chr, range(int(first, 16), int(last or first, 16) + 1)))
    return frozenset(characters)


@cache
def _basic_inert() -> re.Pattern[str]:
    """The inert characters of the basic plane."""
    ranges = union(((ord(character), ord(character)),) for character in _inert())
    return re.compile(f"[{basic_plane_set(ranges)}]")


@cache
def _basic_special() -> re.Pattern[str]:
    """What needs care in the basic plane: inert characters and combining marks."""
    inert = union(((ord(character), ord(character)),) for character in _inert())
    return re.compile(f"[{basic_plane_set(union([inert, ranges_of('M')]))}]")


# The half-width voicing marks of katakana are letters that NFKD makes marks of; no others are.
_COMPATIBLE_MARKS = "\uff9e\uff9f"


@cache
def _long_runs() -> re.Pattern[str]:
    """Runs long enough to be slow; any character above the basic plane may be a mark."""
    marks = basic_plane_set(ranges_of("M")) + _COMPATIBLE_MARKS
    return re.compile(f"[{marks}\U00010000-\U0010ffff]{{{LONG_MARK_RUN},}}")


@cache
def _basic_long_runs() -> re.Pattern[str]:
    marks = basic_plane_set(ranges_of("M")) + _COMPATIBLE_MARKS
    return re.compile(f"[{marks}]{{{LONG_MARK_RUN},}}")


def _marks_in_order(run: str, form: _UnicodeForm) -> str:
    """``run`` decomposed by ``form``, each stretch of marks in canonical order."""
    output: list[str] = []
    marks: list[str] = []
    for character in "".join(unicodedata.normalize(form, character) for character in run):
        if unicodedata.combining(character):
            marks.append(character)
            continue
        output += sorted(marks, key=unicodedata.combining)
        output.append(character)
        marks.clear()
    output += sorted(marks, key=unicodedata.combining)
    return "".join(output)


def _normalize_known(form: _UnicodeForm, text: str) -> str:
    """Normalize a text without inert characters, in time that grows no faster than n log n."""
    runs = _long_runs() if has_astral(text) else _basic_long_runs()
    if runs.search(text):
        decomposed = _DECOMPOSED[form]
        text = runs.sub(lambda match: _marks_in_order(match[0], decomposed), text)
    return unicodedata.normalize(form, text)


# Each form begins by decomposing: with the most code points that one becomes by it (Unicode 16;
# the longest is U+FDFA, a phrase in one character).
_DECOMPOSED: Final[dict[_UnicodeForm, Literal["NFD", "NFKD"]]] = {
    "NFC": "NFD",
    "NFD": "NFD",
    "NFKC": "NFKD",
    "NFKD": "NFKD",
}
_MOST_FROM_ONE: Final = {"NFD": 4, "NFKD": 18}
# So many characters are taken apart at a time to count what they become.
_BLOCK: Final = 100_000


def _check_size(form: _UnicodeForm, text: str) -> None:
    """Refuse what ``form`` would make too long, before much memory is spent on it."""
    decomposed = _DECOMPOSED[form]
    if len(text) * _MOST_FROM_ONE[decomposed] <= NORMALIZED_CHARACTERS:
        return
    characters = 0
    # Characters are taken apart one by one, so a cut anywhere leaves their number as it is.
    for start in range(0, len(text), _BLOCK):
        characters += len(_unicode_form(decomposed, text[start : start + _BLOCK]))
        if characters > NORMALIZED_CHARACTERS:
            raise TooLong(
                f"Form {form} takes this text of {len(text):,} characters apart into more than "
                f"{NORMALIZED_CHARACTERS:,}, which is the limit."
            )


def _unicode_form(form: _UnicodeForm, text: str) -> str:
    if text.isascii():
        return text
    _check_size(form, text)
    # Quick searches spare most texts from being walked character by character.
    inert = frozenset[str]()
    astral = has_astral(text)
    if not astral and not _basic_special().search(text):
        return unicodedata.normalize(form, text)
    if astral or _basic_inert().search(text):
        inert = _inert().intersection(text)
    if not inert:
        return _normalize_known(form, text)
    # An inert character takes part in nothing, so it separates what stands beside it.
    parts = re.split(f"([{re.escape(''.join(sorted(inert)))}])", text)
    return "".join(
        part if part in inert else _normalize_known(form, part) for part in parts if part
    )


_WITHOUT_STROKE = str.maketrans("đĐ", "dD")


@cache
def _basic_nonspacing() -> re.Pattern[str]:
    return re.compile(f"[{basic_plane_set(ranges_of('Mn'))}]+")


def _without_marks(text: str) -> str:
    kept = _basic_nonspacing().sub("", _unicode_form("NFD", text))
    if has_astral(kept):
        kept = "".join(c for c in kept if c <= "\uffff" or category(c) != "Mn")
    return _unicode_form("NFC", kept).translate(_WITHOUT_STROKE)


def normalize(text: str, form: Form) -> str:
    """``text`` in a normalization form.

    Args:
        text: any text without lone surrogates.
        form: ``"none"``, one of the four Unicode forms, or

            - ``"no-marks"``: decomposed, nonspacing marks removed, composed again, and đ written d
              (its stroke is no mark);
            - ``"mixed"``: as NFC, but the tone of a Vietnamese vowel is a combining mark behind it,
              as Windows code page 1258 and keyboards made for it write it.

    Returns:
        the text in that form; in the Unicode forms equal to what the normalizers of ``tokenizers``
        give.

    Raises:
        ValueError: if ``form`` is none of those.
        TooLong: if the text taken apart has more than ``NORMALIZED_CHARACTERS``.
    """
    if form == "none":
        return text
    if form == "no-marks":
        return _without_marks(text)
    if form == "mixed":
        return tones_apart(_unicode_form("NFC", text))
    if form not in FORMS:
        raise ValueError(f"No normalization form {form!r}; there are {', '.join(FORMS)}.")
    return _unicode_form(form, text)


def written_form(text: str) -> WrittenForm:
    """How the letters with marks of ``text`` are written.

    Returns:
        ``"NFC"`` if composed, as by most keyboards, or where nothing could be composed; ``"NFD"``
        if taken apart, as in file names of macOS; ``"mixed"`` if only tone marks of Vietnamese
        vowels stand apart, all of them or those that code page 1258 has no composed letter for;
        ``"other"`` for any other text that NFC would change, such as one put together from several.

    Raises:
        TooLong: as ``normalize``.
    """
    composed = normalize(text, "NFC")
    if composed == text:
        return "NFC"
    if normalize(text, "NFD") == text:
        return "NFD"
    return "mixed" if tones_joined(text) == composed else "other"


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch that normalization rewrote: code point offsets before and after."""

    original_start: int
    original_end: int
    normalized_start: int
    normalized_end: int


class Normalizer(Protocol):
    """What a tokenizer does to a text before anything else."""

    @property
    def name(self) -> str:
        """What a person reads, such as ``NFC``."""
        ...

    def apply(self, text: str) -> str:
        """The normalized text."""
        ...

    def changes(self, text: str) -> list[Change]:
        """Where ``apply`` rewrites ``text``, in order; between them nothing moves or changes."""
        ...


class KeepText:
    """No normalization."""

    name = "none"

    def apply(self, text: str) -> str:
        """``text`` itself."""
        return text

    def changes(self, text: str) -> list[Change]:
        """Nothing."""
        return []


# Characters that are no marks themselves but whose decomposition begins with one, or with a
# Hangul letter that may join the one before.
_MARKS_INSIDE = r"\u0f73\u0f75\u0f81"
_COMPATIBLE_MARKS_INSIDE = (
    r"\u3133\u3135\u3136\u313a-\u313f\u314f-\u3163\uff9e\uff9f\uffa3\uffa5\uffa6\uffaa-\uffaf"
    r"\uffc2-\uffc7\uffca-\uffcf\uffd2-\uffd7\uffda-\uffdc"
)


@cache
def _clusters(form: Form) -> regex.Pattern[str]:
    """One character and those after it that may combine with it: normalized by themselves."""
    more = _COMPATIBLE_MARKS_INSIDE if form in ("NFKC", "NFKD") else ""
    return regex.compile(rf"(?s).[\P{{ccc=0}}\p{{NFC_QC=Maybe}}{_MARKS_INSIDE}{more}]*+")


@dataclass(frozen=True, slots=True)
class UnicodeNormalizer:
    """One of the forms as a tokenizer's first step."""

    form: Form

    @property
    def name(self) -> str:
        """The form's name."""
        return self.form

    def apply(self, text: str) -> str:
        """``text`` in the form."""
        return normalize(text, self.form)

    def changes(self, text: str) -> list[Change]:
        """The clusters that the form rewrites."""
        return [] if self.apply(text) == text else list(self._changed_clusters(text))

    def _changed_clusters(self, text: str) -> Iterator[Change]:
        shift = 0
        for match in _clusters(self.form).finditer(text):
            cluster = match[0]
            if cluster.isascii():
                continue
            written = self.apply(cluster)
            if written == cluster:
                continue
            start = match.start() + shift
            yield Change(match.start(), match.end(), start, start + len(written))
            shift += len(written) - len(cluster)
