"""How many tokens a text is after each merge of a run, from merging each of its pieces once.

What a text looks like after k merges is what it looks like after all of them, with the later ones
undone; and each merge undone makes one token two. So the tokens at the end, and how often each
merge stands in them, say all counts. Equal to encoding with ``run.at(k)`` (property test).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.training import prepare
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
    corpus = prepare(text, run.settings)
    special = corpus.special_found
    # uses[i]: how often token i stands in the result, or in what one of its tokens was made of.
    uses: Counter[int | None] = Counter()
    for ids, times in zip(run.piece_ids(corpus.pieces), corpus.pieces.values(), strict=True):
        for token_id in ids:
            uses[token_id] += times
    tokens = [uses.total() + sum(special.values())]
    for step in reversed(run.steps):
        times = uses[step.new_id]
        uses[step.left] += times
        uses[step.right] += times
        tokens.append(tokens[-1] + times)
    cut_out = sum(len(content.encode()) * times for content, times in special.items())
    return Curve(tokens=tokens[::-1], bytes=corpus.covered_bytes + cut_out, unknown=uses[None])
