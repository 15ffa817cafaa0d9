"""The rules of training in words."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine import TrainingRun, TrainingSettings
from engine.training_settings import LESSON_PATTERNS
from pages.ui.formatting import counted
from pages.ui.token_rows import visible

PRESETS: Final = {
    "plain": "Plain BPE, GPT-2 pattern",
    "lesson A": "Lesson A",
    "lesson B": "Lesson B",
    "lesson C": "Lesson C",
    "lesson D": "Lesson D",
    "minbpe": "minbpe, GPT-4 pattern",
    "minbpe basic": "minbpe, whole text",
    "hugging-face": "Hugging Face trainer",
    "characters": "Characters on the board",
}
PATTERNS: Final = {
    "gpt2": "GPT-2",
    "cl100k": "GPT-4 (cl100k)",
    "o200k": "GPT-4o (o200k)",
    "qwen": "Qwen",
    "deepseek": "DeepSeek",
    "lesson A": "Lesson A",
    "lesson B": "Lesson B",
    "lesson C": "Lesson C",
    "words": "Words between blanks",
    "none": "None: the whole text",
    "own": "One's own",
}
TIES: Final = {
    "smallest-ids": "the smaller ids",
    "first-seen": "the one met first",
    "largest-pair": "the larger ids",
}
BASES: Final = {
    "bytes": "bytes, ids 0–255 by value",
    "stand-in bytes": "bytes, ids as Hugging Face numbers them",
    "characters": "characters of the corpus",
}
_TIES_SENTENCE: Final = {
    "smallest-ids": "the one with the smaller ids goes first (left id, then right)",
    "first-seen": "the one met first in the corpus goes first",
    "largest-pair": "the one with the larger ids goes first (left id, then right)",
}
BY_LIBRARY: Final = (
    "The corpus is larger than 10 MB, so the library tokenizers trained on it, by the same rules; "
    "which pairs were tied is not known then."
)


def rules(settings: TrainingSettings) -> str:
    """The rules in one line of plain words."""
    base = {
        "bytes": "Starts from bytes (ids 0–255)",
        "stand-in bytes": "Starts from bytes, numbered by their stand-in characters",
        "characters": "Starts from the characters of the corpus",
    }[settings.base]
    split = {
        "none": "does not split the text",
        "words": "splits at white space, which is dropped",
        "own": "splits by a pattern of one's own",
    }.get(settings.pattern, f"splits by the pattern of {PATTERNS[settings.pattern]}")
    parts = [
        f"{base}; {split}; at most {counted(settings.merges, 'merge')}",
        f"of equally frequent pairs {_TIES_SENTENCE[settings.ties]}",
    ]
    if settings.min_frequency > 1:
        parts.append(f"pairs rarer than {settings.min_frequency:,} stay apart")
    if settings.special_tokens:
        parts.append(f"special tokens: {' '.join(settings.special_tokens)}")
    return "; ".join(parts) + "."


def not_trained(settings: TrainingSettings) -> str:
    """Why the page has not trained by these rules yet, and what to do."""
    if settings.pattern != "own":
        return "Press Train: this much work is not done unasked."
    if not settings.expression:
        return (
            "Your own split pattern is empty: write one under “All rules”, or choose another there."
        )
    return "Press Train to train with a split pattern of your own."


def stop_reason(run: TrainingRun) -> str:
    """Why training ended, as the result that it is."""
    done, asked = len(run.steps), run.settings.merges
    if run.stopped == "merges":
        return f"{counted(done, 'merge was', 'merges were')} asked for and made."
    if run.stopped == "minimum frequency":
        return (
            f"{done:,} of {asked:,} merges: every pair that is left is rarer than "
            f"{run.settings.min_frequency:,}, so there is nothing more to learn by these rules."
        )
    if not done:
        return (
            f"No merge of {asked:,}: no two units stand beside each other in a piece, so there is "
            "nothing to learn."
        )
    return (
        f"{done:,} of {asked:,} merges: each piece has become one token, so no pair is left to "
        "merge."
    )


def dropped(run: TrainingRun) -> str | None:
    """What the pattern drops of this corpus; None if nothing."""
    found = run.corpus.dropped
    if not found:
        return None
    total = sum(found.values())
    named = ", ".join(
        f"{visible(character.encode())} ({count:,})"
        for character, count in Counter(found).most_common(6)
    )
    more = f" and {len(found) - 6:,} more" if len(found) > 6 else ""
    pattern = PATTERNS[run.settings.pattern]
    says = LESSON_PATTERNS[run.settings.pattern].drops
    return (
        f"The pattern “{pattern}” drops {says}. {total:,} characters of this corpus are in no "
        f"token: {named}{more}. So ids do not give back the whole text: this is not lossless."
    )


def special_found(run: TrainingRun) -> str | None:
    """Which special tokens were cut out of the corpus; None if none were."""
    found = run.corpus.special_found
    if not found:
        return None
    named = ", ".join(f"{token} ({count:,})" for token, count in found.items())
    return f"Cut out of the corpus before counting: {named}. No merge reaches across."
