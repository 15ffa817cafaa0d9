"""The stage: the corpus, the pair about to merge, the race of counts, the learned tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import engine
from pages.ui import state
from pages.ui.merge_player import PlayerResult, PlayerRun, merge_player
from pages.ui.runs import corpus_title
from pages.ui.settings import PROJECTOR
from pages.ui.trained_names import Recipe
from pages.ui.training import settings, words
from pages.ui.training.charts import OVER_MERGES
from pages.ui.training.try_it import pieces_to_try, text_to_try

_MADE: Final = "player runs"
# When Train was pressed last: what is new since then plays by itself.
PLAY: Final = "play asked"


def show_stage(trained: Sequence[tuple[Recipe, engine.TrainingRun]]) -> PlayerResult:
    """One stage, or one beside the other for a race; says where it stands."""
    runs = _runs(trained)
    text = text_to_try()
    pieces = pieces_to_try(trained[0][1], text) if len(trained) == 1 else ()
    return merge_player(
        runs,
        key="training_player",
        step=state.get(settings.STEP),
        predict=state.get(settings.PREDICT),
        play=state.recall(PLAY) or 0,
        projector=state.get(PROJECTOR) != "off",
        chart_keys=OVER_MERGES,
        try_text=text,
        try_pieces=pieces,
    )


def _runs(trained: Sequence[tuple[Recipe, engine.TrainingRun]]) -> list[PlayerRun]:
    """The same objects again for the same runs, so that nothing is packed and sent twice."""
    names = tuple(recipe.name for recipe, _ in trained)
    made = state.recall(_MADE)
    if made is None or made[0] != names:
        made = (names, [_player_run(recipe, run) for recipe, run in trained])
        state.remember(_MADE, made)
    runs: list[PlayerRun] = made[1]
    return runs


def _player_run(recipe: Recipe, run: engine.TrainingRun) -> PlayerRun:
    steps = run.steps
    return PlayerRun(
        title=corpus_title(recipe.corpus),
        words=list(run.corpus.words.items()),
        token_bytes=run.token_bytes,
        lefts=[step.left for step in steps],
        rights=[step.right for step in steps],
        new_ids=[step.new_id for step in steps],
        pair_counts=[step.pair_count for step in steps],
        merged=[step.merged for step in steps],
        tied=[step.tied for step in steps],
        tokens_left=[step.tokens_left for step in steps],
        base_size=len(run.corpus.base),
        tokens_at_start=run.tokens_at_start,
        bytes_total=run.corpus.covered_bytes,
        ties=words.TIES[run.settings.ties],
        stopped=words.stop_reason(run),
    )
