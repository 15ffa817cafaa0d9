"""From the JSON of tokenizer.json to its normalizers and pre-tokenizers.

A component that is not listed here is refused by its name, and so is a setting that is not known:
a guess would give wrong ids without a sign. Fields that change no ids are checked for their type,
as the library does, and left aside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from engine.errors import FormatError, UnsupportedModel
from engine.json_document import Field
from engine.limits import COMPONENTS
from engine.normalization import KeepText, Normalizer, UnicodeNormalizer
from engine.normalizers import (
    BYTE_LEVEL,
    LOWERCASE,
    STRIP_ACCENTS,
    NormalizerSequence,
    Prepend,
    Replace,
    Strip,
)
from engine.patterns import GPT2
from engine.pre_tokenizers import (
    Behavior,
    ByteLevel,
    Finder,
    Metaspace,
    NamedSplit,
    Occurrences,
    PrefixSpace,
    PrependScheme,
    PreTokenizer,
    Split,
    digits,
    one_of,
    punctuation,
    whitespace,
    whitespace_split,
)
from engine.uploaded_pattern import UploadedPattern, published

_BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")


def _flattened(component: Field, members: str) -> Iterator[Field]:
    """A component, or those of a ``Sequence`` one after the other, with no sequence left."""
    waiting, seen = [component], 0
    while waiting:
        component = waiting.pop()
        seen += 1
        if seen > 2 * COMPONENTS:
            raise FormatError(f'"{component.place}": there are more than {COMPONENTS} components.')
        if component.need("type").value == "Sequence":
            waiting += reversed(list(component.need(members).items()))
        else:
            yield component


def _unknown(component: Field, kind: str) -> UnsupportedModel:
    name = component.need("type").text()
    return UnsupportedModel(
        f'"{component.place}" is the {kind} {name[:60]!r}, which this app does not run; '
        "ids without it would be wrong."
    )


def normalizer(component: Field) -> Normalizer:
    """The normalizer that a file describes.

    Raises:
        FormatError: if it is described wrongly.
        UnsupportedModel: if it is none of those that this engine runs.
        PatternError: if a pattern cannot be used.
    """
    if component.is_null:
        return KeepText()
    steps = tuple(_normalizer(step) for step in _flattened(component, "normalizers"))
    if not steps:
        return KeepText()
    plain = len(steps) == 1 and isinstance(steps[0], UnicodeNormalizer)
    return steps[0] if plain else NormalizerSequence(steps)


def _strip(component: Field) -> Normalizer:
    return Strip(component.need("strip_left").flag(), component.need("strip_right").flag())


def _prepend(component: Field) -> Normalizer:
    content = component.need("prepend").text()
    if not content:
        # The library then writes some first characters twice.
        raise UnsupportedModel(f'"{component.place}" prepends nothing, which is not run here.')
    return Prepend(content)


def _replace(component: Field) -> Normalizer:
    pattern, regular = _pattern(component)
    content = component.need("content").text()
    if not pattern:
        raise UnsupportedModel(f'"{component.place}" replaces nothing, which is not run here.')
    return Replace(UploadedPattern(pattern, "oniguruma") if regular else pattern, content)


_NORMALIZERS: dict[str, Callable[[Field], Normalizer]] = {
    "NFC": lambda _: UnicodeNormalizer("NFC"),
    "NFD": lambda _: UnicodeNormalizer("NFD"),
    "NFKC": lambda _: UnicodeNormalizer("NFKC"),
    "NFKD": lambda _: UnicodeNormalizer("NFKD"),
    "Lowercase": lambda _: LOWERCASE,
    "StripAccents": lambda _: STRIP_ACCENTS,
    "ByteLevel": lambda _: BYTE_LEVEL,
    "Strip": _strip,
    "Prepend": _prepend,
    "Replace": _replace,
}


def _normalizer(component: Field) -> Normalizer:
    make = _NORMALIZERS.get(component.need("type").text())
    if make is None:
        raise _unknown(component, "normalizer")
    return make(component)


def _pattern(component: Field) -> tuple[str, bool]:
    """The text of a pattern, and whether it is a regular expression."""
    members = component.need("pattern").members()
    if len(members) != 1 or (kind := next(iter(members))) not in ("String", "Regex"):
        raise FormatError(f'"{component.place}.pattern" must have "String" or "Regex".')
    return members[kind].text(), kind == "Regex"


def pre_tokenizer(component: Field) -> tuple[PreTokenizer, ...]:
    """The steps of the pre-tokenizer that a file describes. Raises as ``normalizer``."""
    if component.is_null:
        return ()
    steps: list[PreTokenizer] = []
    waiting = list(_flattened(component, "pretokenizers"))
    while waiting:
        fast, taken = _published(waiting)
        steps += fast or _pre_tokenizer(waiting[0])
        del waiting[:taken]
    return tuple(steps)


def _published(components: list[Field]) -> tuple[list[PreTokenizer], int]:
    """The next one to three components as a published pattern, and how many they are."""
    sources: list[str] = []
    for component in components[:3]:
        if component.need("type").value != "Split":
            break
        pattern, regular = _pattern(component)
        isolated = component.need("behavior").value == "Isolated"
        if not (regular and isolated and component.need("invert").value is False):
            break
        sources.append(pattern)
    for taken in range(len(sources), 0, -1):
        found = published(tuple(sources[:taken]), "oniguruma")
        if found is not None:
            return [NamedSplit(found)], taken
    return [], 1


def _split(component: Field) -> list[PreTokenizer]:
    pattern, regular = _pattern(component)
    finder: Finder = UploadedPattern(pattern, "oniguruma") if regular else Occurrences(pattern)
    behavior = cast("Behavior", component.need("behavior").choice(*_BEHAVIORS))
    return [Split(finder, behavior, component.need("invert").flag())]


def _byte_level(component: Field) -> list[PreTokenizer]:
    component.need("trim_offsets").flag()
    steps: list[PreTokenizer] = []
    if component.need("add_prefix_space").flag():
        steps.append(PrefixSpace())
    if "use_regex" not in component.raw_object() or component.get("use_regex").flag():
        steps.append(NamedSplit(GPT2))
    return [*steps, ByteLevel()]


def _punctuation(component: Field) -> list[PreTokenizer]:
    if "behavior" not in component.raw_object():
        return [punctuation("Isolated")]
    return [punctuation(cast("Behavior", component.get("behavior").choice(*_BEHAVIORS)))]


def _metaspace(component: Field) -> list[PreTokenizer]:
    """Older files say ``add_prefix_space``, newer ones ``prepend_scheme``, which decides."""
    scheme: PrependScheme = "always"
    if "prepend_scheme" in component.raw_object():
        written = component.get("prepend_scheme").choice("always", "first", "never")
        scheme = cast("PrependScheme", written)
    prefix = component.get("add_prefix_space")
    if not prefix.is_null and not prefix.flag():
        if scheme != "never" and "prepend_scheme" in component.raw_object():
            raise FormatError(f'"{prefix.place}" contradicts "prepend_scheme".')
        scheme = "never"
    split = component.get("split").flag(default=True)
    return [Metaspace(component.need("replacement").character(), scheme, split)]


_PRE_TOKENIZERS: dict[str, Callable[[Field], list[PreTokenizer]]] = {
    "Split": _split,
    "ByteLevel": _byte_level,
    "Digits": lambda part: [digits(individual=part.need("individual_digits").flag())],
    "Punctuation": _punctuation,
    "Whitespace": lambda _: [whitespace()],
    "WhitespaceSplit": lambda _: [whitespace_split()],
    "Metaspace": _metaspace,
    "CharDelimiterSplit": lambda part: [
        Split(one_of(part.need("delimiter").character()), "Removed")
    ],
}


def _pre_tokenizer(component: Field) -> list[PreTokenizer]:
    make = _PRE_TOKENIZERS.get(component.need("type").text())
    if make is None:
        raise _unknown(component, "pre-tokenizer")
    return make(component)
