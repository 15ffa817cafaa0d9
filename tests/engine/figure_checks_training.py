"""Published figures about training."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

import engine
from engine import PRESETS
from engine.train_curve import curve
from engine.training import merges_for, prepare
from pages.ui.corpora import corpora
from tests.engine.figure_checks import Figure, for_ids

LOW = ("low",) * 5, ("lower",) * 2, ("newest",) * 6, ("widest",) * 3
HAND = {"lowest": [259, 257], " newer": [263, 101, 114], " lowly": [260, 108, 121]}


def by_hand(order: tuple[tuple[str, ...], ...] = LOW, **changes: object) -> engine.TrainingRun:
    """The run of lesson C on its four words."""
    text = " ".join(word for words in order for word in words)
    return engine.train(text, replace(PRESETS["lesson C"], **changes))


def hand_ids(run: engine.TrainingRun) -> dict[str, list[int | None]]:
    return {text: run.tokenizer.encode(text).ids for text in HAND}


@for_ids("C-hand-1 C-hand-2")
def words_by_hand(f: Figure) -> None:
    result = by_hand().tokenizer.encode(f["input"])
    assert [[token.data.decode() for token in result], result.ids] == f["value"]


@for_ids("C-hand-ties")
def only_first_seen(f: Figure) -> None:
    assert f["value"] == "ties go to the pair seen first"
    right = [
        ties
        for ties in ("smallest-ids", "first-seen", "largest-pair")
        if hand_ids(by_hand(ties=ties)) == HAND
    ]
    assert right == ["first-seen"]
    run = by_hand()
    learned = [run.token_bytes[step.new_id].decode() for step in run.steps]
    assert learned == ["es", "est", "lo", "low", " low", " n", " ne", " new"]


@for_ids("C-hand-order")
def orders(f: Figure) -> None:
    right = [order for order in permutations(LOW) if hand_ids(by_hand(order)) == HAND]
    assert len(right) == f["value"]
    assert all(order[0][0] in ("low", "lower") for order in right)


@for_ids("A-unseen-1")
def unseen_text_comes_back(f: Figure) -> None:
    run = engine.train(corpora()["en"].text, PRESETS["lesson A"])
    assert len(run.steps) == 150
    ids = run.tokenizer.encode(f["input"]).ids
    assert run.tokenizer.decode(ids) == f["value"]


@for_ids("B-train-table-arith")
def sizes_of_a_table(f: Figure) -> None:
    text = corpora()["en"].text[:22_405]
    rules = replace(PRESETS["lesson B"], merges=0)
    prepared = prepare(text, rules)
    merges = [merges_for(size, prepared, rules) for size, _ in f["value"]]
    assert merges == [0, 100, 500, 1_000, 2_000]
    assert curve(engine.train(text, rules), text).bytes_per_token(0) == f["value"][0][1]


@for_ids("B-gain")
def gain_of_merges(f: Figure) -> None:
    ratios = [1.0, 1.78, 2.74, 3.25, 3.58]  # B-train-table-arith
    assert f["value"] == ["almost half", "9%"]
    assert 1 - ratios[0] / ratios[1] == pytest.approx(0.44, abs=0.005)
    assert 1 - ratios[3] / ratios[4] == pytest.approx(0.09, abs=0.005)


@for_ids("B-parts")
def parts_of_a_corpus(f: Figure) -> None:
    rules = replace(PRESETS["lesson B"], merges=0)
    text = (corpora()["en"].text + corpora()["code"].text).encode().decode("ascii", "ignore")
    parts = text[:37_605], text[37_605 : 37_605 + 22_405]
    assert sum(prepare(part, rules).covered_bytes for part in parts) == f["value"]


@for_ids("D-low-own")
def largest_pair_by_hand(f: Figure) -> None:
    run = engine.train(f["input"], PRESETS["lesson D"])
    found = [
        [run.token_bytes[s.new_id].decode(), [s.left, s.right], s.new_id, s.pair_count]
        for s in run.steps
    ]
    assert found == f["value"]


@for_ids("D-low-counts")
def counts_of_characters(f: Figure) -> None:
    run = engine.train(f["input"], replace(PRESETS["characters"], merges=1))
    assert "('l','o') very frequent, ('o','w') very frequent" in f["value"]
    assert run.steps[0].pair_count == 6
    assert run.steps[0].tied == 2  # lo and ow
    weaker = engine.train(f["input"], replace(PRESETS["characters"], merges=3)).steps[2]
    assert weaker.pair_count == 3  # we


@for_ids("D-60")
def sixty_merges(f: Figure) -> None:
    run = engine.train(corpora()["en"].text, PRESETS["lesson D"])
    assert f["value"] == f"256 + {len(run.steps)}"
    assert run.tokenizer.size == 316


@for_ids("L-hf-trainer")
def rule_of_the_library(f: Figure) -> None:
    """Merges equal to the library's: ``test_train_reference.py``."""
    assert f["value"].startswith("ties to the smallest (left,right) ids")
    run = engine.train("a b", PRESETS["hugging-face"])
    assert run.tokenizer.encode(" ").ids == [220]
