"""The names of tokenizers that somebody brought: a name says where its file came from.

    OwnName(source="file", digest="3f…", label="my.json").name  # "own~file~3f…~my.json"
    own_of(name)                                                # it again; None if no such

Names stand in links, files do not: a file stays in its session. Only what the server's owner keeps
in a folder (source ``"server"``) is found by its label alone, without a digest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, get_args
from urllib.parse import quote, unquote

Source = Literal["file", "hub", "server"]

LONGEST_LABEL: Final = 80
_FIRST: Final = "own"
_BETWEEN: Final = "~"
_DIGEST: Final = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnName:
    """Where a tokenizer came from, the digest of what was read, and what people call it."""

    source: Source
    digest: str = ""
    label: str

    @property
    def name(self) -> str:
        """All of it as one word, without commas."""
        label = quote(self.label, safe="").replace("~", "%7E")
        return _BETWEEN.join((_FIRST, self.source, self.digest, label))


def own_of(name: str) -> OwnName | None:
    """What a name says; None if it is no name of a tokenizer that somebody brought."""
    parts = name.split(_BETWEEN)
    if len(parts) != 4 or parts[0] != _FIRST:
        return None
    _, source, digest, label = parts[0], parts[1], parts[2], unquote(parts[3])
    if source not in get_args(Source) or not 0 < len(label) <= LONGEST_LABEL:
        return None
    if not (digest == "" if source == "server" else _DIGEST.fullmatch(digest)):
        return None
    return OwnName(source=source, digest=digest, label=label)  # type: ignore[arg-type]
