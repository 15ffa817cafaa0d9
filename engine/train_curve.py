"""How many tokens a text is after each merge of a run, from encoding it once.

What a text looks like after k merges is what it looks like after all of them, with the later ones
undone; and each merge undone makes one token two. So the tokens at the end, and how often each
merge stands in them, say all counts. Equal to encoding with ``run.at(k)`` (property test).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.training_run import TrainingRun


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """The length of a text under a run.

    Attributes:
        tokens: how many tokens the text is after 0, 1, 2, ... merges.
        bytes: the UTF-8 of what the tokens cover: all but what the pattern drops.
        unknown: characters without an id, each counted as one token.
    """

    tokens: Sequence[int]
    bytes: int
    unknown: int

    def bytes_per_token(self, merges: int) -> float:
        """Bytes that the tokens cover, per token, after so many merges; 0 for an empty text."""
        tokens = self.tokens[merges]
        return self.bytes / tokens if tokens else 0.0


def curve(run: TrainingRun, text: str) -> Curve:
    """The length of ``text`` along ``run``, whether it was seen in training or not.

    Raises:
        LoneSurrogate, PatternError: as ``Tokenizer.encode``.
    """
    result = run.tokenizer.encode(text, special="parse")
    # uses[i]: how often token i stands in the result, or in what one of its tokens was made of.
    uses = Counter(result.ids)
    tokens = [len(result.ids)]
    for step in reversed(run.steps):
        times = uses[step.new_id]
        uses[step.left] += times
        uses[step.right] += times
        tokens.append(tokens[-1] + times)
    covered = sum(map(int.__sub__, result.ends_byte, result.starts_byte))
    return Curve(tokens=tokens[::-1], bytes=covered, unknown=uses[None])
