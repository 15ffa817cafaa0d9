"""What was learned, as curves: how short texts become, how rare pairs get, how long tokens grow."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Final

import streamlit as st

import engine
from engine.train_curve import Curve, curve
from pages.ui.cache import results
from pages.ui.charts import Line, bar_chart, is_dark, label, line_chart, show_chart, shown
from pages.ui.corpora import held_out
from pages.ui.runs import corpus_title
from pages.ui.trained_names import Recipe

if TYPE_CHECKING:
    import plotly.graph_objects as go

Trained = tuple[Recipe, engine.TrainingRun]

# Smaller corpora teach too little for a text of another kind.
_SMALLEST_BYTES: Final = 2_000
_POINTS: Final = 90
_MOST_DOTS: Final = 400
_LOGARITHMIC_FROM: Final = 100
_EXAMPLES: Final = 4
# Four figures with what is said at each point, measured.
_CHART_BYTES: Final = 3_000_000
# Too few merges to speak of two halves.
_FEW: Final = 4
_HUES: Final = {"vi": 0, "zh": 1, "en": 2}
KEYS: Final = ("training_tokens", "training_ratio", "training_counts", "training_lengths")
OVER_MERGES: Final = KEYS[:3]


def show_charts(trained: Sequence[Trained]) -> None:
    """All charts of one run, or of the racers."""
    if not any(run.steps for _, run in trained):
        return
    charts = results().get(_key(trained), lambda: (_charts(trained), _CHART_BYTES))
    for pair in (charts[:2], charts[2:]):
        columns = st.columns(2, gap="large", vertical_alignment="bottom")
        for column, (chart_key, sentence, figure) in zip(columns, pair, strict=True):
            with column:
                show_chart(figure, sentence, key=chart_key)
    if len(trained) > 1:
        _table(trained)


def are_made(trained: Sequence[Trained]) -> bool:
    """Whether the charts are only to be shown again."""
    return results().found(_key(trained)) is not None


def _key(trained: Sequence[Trained]) -> Hashable:
    # With titles: two sessions may have the same text of their own under other names.
    names = tuple((recipe.name, corpus_title(recipe.corpus)) for recipe, _ in trained)
    return "charts", names, is_dark()


def _charts(trained: Sequence[Trained]) -> list[tuple[str, str, go.Figure]]:
    """Each chart with its key and the sentence above it."""
    tokens, ratios = _lengths_of_texts(trained)
    figures = (
        line_chart(tokens, x_title="merges", y_title="tokens"),
        line_chart(ratios, x_title="merges", y_title="bytes per token"),
        line_chart(
            _counts(trained),
            x_title="merge",
            y_title="count of its pair",
            logarithmic=len(trained[0][1].steps) >= _LOGARITHMIC_FROM,
        ),
        bar_chart(_sizes(trained), x_title="bytes of a learned token", y_title="tokens"),
    )
    sentences = (_flattening(trained), _by_language(trained), _rarer(trained), _longest(trained))
    return list(zip(KEYS, sentences, figures, strict=True))


def points(last: int, *, most: int = _POINTS) -> list[int]:
    """Numbers of merges to draw: all of a short run; of a long one more at its beginning.

    >>> points(3), len(points(2000)) <= 90, points(2000)[-1]
    ([0, 1, 2, 3], True, 2000)
    """
    if last < most:
        return list(range(last + 1))
    even = {round(last * i / (most // 2)) for i in range(most // 2 + 1)}
    early = {round(last ** (i / (most // 2 - 2))) for i in range(most // 2 - 2)}
    return sorted(even | early)


def merge_words(run: engine.TrainingRun, merges: int) -> str:
    """The merge that made it so many, for a label."""
    if not merges:
        return "no merge yet"
    step, known = run.steps[merges - 1], run.token_bytes
    return (
        f"merge {merges:,}: <b>{label(known[step.left])}</b> + <b>{label(known[step.right])}</b> "
        f"→ <b>{label(known[step.new_id])}</b> ({step.pair_count:,} ×)"
    )


def held_out_curves(recipe: Recipe, run: engine.TrainingRun) -> dict[str, Curve]:
    """The held-out texts along a run, by language; nothing for a corpus of a few words."""
    if len(run.corpus.text.encode()) < _SMALLEST_BYTES:
        return {}

    def make() -> tuple[dict[str, Curve], int]:
        found = {one.id: curve(run, one.text) for one in held_out()}
        return found, 3 * 8 * len(run.steps) + 1_000

    return results().get(("curves", recipe.name), make)


def _named(trained: Sequence[Trained]) -> list[tuple[str, int]]:
    """What each run's line is called, and its place in the palette."""
    if len(trained) == 1:
        return [("training text", 4)]
    return [
        (corpus_title(recipe.corpus).partition(",")[0], _HUES.get(recipe.corpus, 3 + place))
        for place, (recipe, _) in enumerate(trained)
    ]


def _lengths_of_texts(trained: Sequence[Trained]) -> tuple[list[Line], list[Line]]:
    """Tokens, and bytes per token: of the training texts, and of the held-out ones for one run."""
    tokens, ratios = [], []
    for (recipe, run), (name, hue) in zip(trained, _named(trained), strict=True):
        counts = [run.tokens_at_start, *(step.tokens_left for step in run.steps)]
        texts = [(name, hue, counts, run.corpus.covered_bytes)]
        if len(trained) == 1:
            titles = {one.id: one.title for one in held_out()}
            texts += [
                (f"unseen {titles[language]}", _HUES[language], list(found.tokens), found.bytes)
                for language, found in held_out_curves(recipe, run).items()
            ]
        for title, its_hue, its_counts, size in texts:
            tokens.append(_line(run, title, its_hue, its_counts, None))
            ratios.append(_line(run, title, its_hue, its_counts, size))
    return tokens, ratios


def _line(
    run: engine.TrainingRun, name: str, hue: int, counts: Sequence[int], size: int | None
) -> Line:
    """Tokens of a text, or with its ``size`` the bytes per token."""
    at = points(len(run.steps))
    if size is None:
        values: list[float] = [counts[k] for k in at]
        said = [f"{counts[k]:,} tokens" for k in at]
    else:
        values = [size / counts[k] if counts[k] else 0.0 for k in at]
        said = [f"{value:.2f} bytes per token" for value in values]
    hover = [
        f"{name}: <b>{what}</b><br>{merge_words(run, k)}" for k, what in zip(at, said, strict=True)
    ]
    return Line(name=name, x=at, y=values, hue=hue, hover=hover)


def _counts(trained: Sequence[Trained]) -> list[Line]:
    """The count of the pair of each merge, or of some of very many."""
    lines = []
    for (_, run), (name, hue) in zip(trained, _named(trained), strict=True):
        at = [k for k in points(len(run.steps), most=_MOST_DOTS) if k]
        values = [run.steps[k - 1].pair_count for k in at]
        hover = [f"{name}, {merge_words(run, k)}" for k in at]
        lines.append(Line(name=name, x=at, y=values, hue=hue, hover=hover, points=True))
    return [line for line in lines if line.x]


def _sizes(trained: Sequence[Trained]) -> list[Line]:
    """How many learned tokens have so many bytes, with the first merges that made such."""
    lines = []
    for (_, run), (name, hue) in zip(trained, _named(trained), strict=True):
        of_size: dict[int, list[int]] = {}
        for k, step in enumerate(run.steps, 1):
            of_size.setdefault(len(run.token_bytes[step.new_id]), []).append(k)
        sizes = sorted(of_size)
        hover = [
            f"{name}: <b>{len(of_size[size]):,}</b> tokens of {size:,} bytes, the first by<br>"
            + "<br>".join(merge_words(run, k) for k in of_size[size][:_EXAMPLES])
            for size in sizes
        ]
        counts = [len(of_size[size]) for size in sizes]
        lines.append(Line(name=name, x=sizes, y=counts, hue=hue, hover=hover))
    return [line for line in lines if line.x]


def _said(trained: Sequence[Trained], say: Callable[[engine.TrainingRun], str]) -> str:
    """What is said of each racer, one after the other."""
    named = zip(trained, _named(trained), strict=True)
    return "; ".join(f"{name}: {say(run)}" for (_, run), (name, _) in named) + "."


def _flattening(trained: Sequence[Trained]) -> str:
    """How much the first half of the merges shortened the text, and how little the second."""
    run = trained[0][1]
    merges, start = len(run.steps), run.tokens_at_start
    end = _at_end(run)
    if len(trained) > 1:
        return "Tokens before and after the same number of merges: " + _said(
            trained, lambda run: f"{run.tokens_at_start:,} → {_at_end(run):,}"
        )
    if merges < _FEW:
        return f"{merges:,} merges make {end:,} tokens of {start:,}."
    first, rest = merges // 2, merges - merges // 2
    half = run.steps[first - 1].tokens_left
    less = ": the later ones save less" if (half - end) * first < (start - half) * rest else ""
    return (
        f"The first {first:,} merges shorten the text from {start:,} tokens to {half:,}, "
        f"the next {rest:,} to {end:,}{less}."
    )


def _by_language(trained: Sequence[Trained]) -> str:
    recipe, run = trained[0]
    if len(trained) > 1:
        return "Bytes per token at the end: " + _said(
            trained,
            lambda run: f"{run.corpus.covered_bytes / (_at_end(run) or 1):.2f}",
        )
    found = held_out_curves(recipe, run)
    if not found:
        return "The longer the tokens, the more bytes each of them holds."
    said = ", ".join(
        f"{found[one.id].tokens[-1]:,} tokens in {one.title} "
        f"({found[one.id].bytes_per_token(len(run.steps)):.2f} bytes each)"
        for one in held_out()
    )
    return f"Unseen texts of the same content in three languages take {said}."


def _at_end(run: engine.TrainingRun) -> int:
    """The length of the training text after all merges."""
    return run.steps[-1].tokens_left if run.steps else run.tokens_at_start


def _rarer(trained: Sequence[Trained]) -> str:
    run = trained[0][1]
    if len(trained) > 1 or not run.steps:
        return "The count of the pair that is merged falls fast: few pairs are frequent."
    return (
        f"The pair of the first merge stood {run.steps[0].pair_count:,} × in the corpus, that of "
        f"the last {run.steps[-1].pair_count:,} ×: few pairs are frequent."
    )


def _longest(trained: Sequence[Trained]) -> str:
    if len(trained) > 1:
        return "The longest token learned: " + _said(trained, lambda run: shown(_longest_of(run)))
    run = trained[0][1]
    longest = _longest_of(run)
    average = sum(len(run.token_bytes[step.new_id]) for step in run.steps) / len(run.steps)
    return (
        f"The longest token learned has {len(longest):,} bytes: {shown(longest)}. "
        f"On average a learned token has {average:.1f}."
    )


def _longest_of(run: engine.TrainingRun) -> bytes:
    return max((run.token_bytes[step.new_id] for step in run.steps), key=len, default=b"")


def _table(trained: Sequence[Trained]) -> None:
    """What each racer's merges do for the other languages."""
    rows = []
    for (recipe, run), (name, _) in zip(trained, _named(trained), strict=True):
        found = held_out_curves(recipe, run)
        row: dict[str, object] = {"trained on": name}
        for one in held_out():
            if one.id in found:
                row[f"tokens, unseen {one.title}"] = found[one.id].tokens[-1]
        rows.append(row)
    st.text(
        "Each learned its own language: the same unseen content takes the fewest tokens where the "
        "training text had its language."
    )
    st.dataframe(rows, hide_index=True, key="race_table", width="content")
