"""The names of tokenizers that were trained here: a name says how to train it again.

    Recipe(corpus="vi", settings=rules).name    # 'trained~vi~300~gpt2~smallest-ids~bytes'
    recipe_of(name)                             # the recipe, None for any other name

So a name in a link means the same tokenizer everywhere, if its corpus is one of ours. A text of
one's own is named by its fingerprint; the text itself stays in its session.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote

from engine import TrainingSettings
from engine.train import TIES
from engine.training_settings import BASES, PATTERNS
from pages.ui.corpora import corpora

MOST_MERGES: Final = 50_000
MOST_FREQUENCY: Final = 1_000_000
MOST_SPECIAL: Final = 16
LONGEST_EXPRESSION: Final = 500
OWN: Final = "own-"
_FIRST: Final = "trained"
_BETWEEN: Final = "~"
# What the last parts are where a name leaves them out.
_LEFT_OUT: Final = ("", "", "", "", "", "1", "", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What is trained on, and how."""

    corpus: str
    settings: TrainingSettings

    @property
    def name(self) -> str:
        """The recipe as one word, without commas."""
        chosen = self.settings
        special = " ".join(quote(token, safe="") for token in chosen.special_tokens)
        parts = [
            self.corpus, str(chosen.merges), chosen.pattern, chosen.ties, chosen.base,
            str(chosen.min_frequency), chosen.expression, special,
        ]  # fmt: skip
        while len(parts) > 5 and parts[-1] == _LEFT_OUT[len(parts) - 1]:
            parts.pop()
        return _BETWEEN.join(
            [_FIRST, *(quote(part, safe="").replace("~", "%7E") for part in parts)]
        )

    @property
    def own(self) -> bool:
        """Whether the corpus is a text of one's own."""
        return self.corpus.startswith(OWN)


def recipe_of(name: str) -> Recipe | None:
    """The recipe that a name says; None if it is no name of a trained tokenizer."""
    first, *parts = name.split(_BETWEEN)
    if first != _FIRST or not 5 <= len(parts) <= len(_LEFT_OUT):
        return None
    parts += _LEFT_OUT[len(parts) :]
    corpus, merges, pattern, ties, base, frequency, expression, special = map(unquote, parts)
    if corpus not in corpora() and not corpus.startswith(OWN):
        return None
    if pattern not in PATTERNS or ties not in TIES or base not in BASES:
        return None
    if not _within(merges, 0, MOST_MERGES) or not _within(frequency, 1, MOST_FREQUENCY):
        return None
    tokens = tuple(unquote(token) for token in special.split())
    if len(expression) > LONGEST_EXPRESSION or len(tokens) > MOST_SPECIAL:
        return None
    settings = TrainingSettings(
        merges=int(merges),
        pattern=pattern,
        expression=expression,
        ties=ties,
        base=base,
        min_frequency=int(frequency),
        special_tokens=tokens,
    )
    return Recipe(corpus=corpus, settings=settings)


def _within(number: str, least: int, most: int) -> bool:
    return (
        number.isascii() and number.isdigit() and len(number) < 9 and least <= int(number) <= most
    )
