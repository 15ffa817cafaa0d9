"""Replay: the published figures, the rule of every step, and both algorithms beside each other."""

from __future__ import annotations

import json
import random
import tracemalloc
from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import PatternError, TrainingSettings, UnsupportedModel, replay
from engine.catalog import BUNDLED
from engine.encode import merge_plain
from engine.formats import read
from engine.merge_rules import MergeRules, rules_of
from engine.replay_merges import PieceReplay, work_curve
from engine.standins import from_standins, to_standins
from tests import random_text
from tests import random_tokenizer_files as files
from tests.shared import NAMES, records, reference, tokenizer
from tests.strategies import texts


def figure(name: str) -> list[object]:
    return next(row["value"] for row in records("figures.json") if row["id"] == name)


def test_hello_as_published() -> None:
    """The figures of a lesson: the rank of each merge, and the list of tokens after it."""
    played = PieceReplay(rules_of(tokenizer("qwen3")), " hello")
    data = b" hello"
    seen = [
        [None if not after else played.merge(after - 1).rank,
         [[to_standins(data[p.start : p.end]), p.id] for p in played.parts(after)]]
        for after in range(len(played) + 1)
    ]  # fmt: skip
    assert seen == figure("A-replay")
    assert [merge.rank for merge in played.merges] == [45, 49, 129, 4535, 23555]
    assert [part.id for part in played.parts(0)] == [220, 71, 68, 75, 75, 78]
    assert played.ids == (23811,)


def test_chinese_and_english_as_published() -> None:
    replayed = replay(tokenizer("qwen3"), "我想学推理 hello")
    assert [piece.text for piece in replayed.pieces()] == ["我想学推理", " hello"]
    assert sum(len(piece.shown) for piece in replayed.pieces()) == 21
    ids = [i for place in range(2) for i in merges_of(replayed, place).ids]
    assert ids == figure("A-ids") == [104100, 47764, 113272, 23811]
    assert [(p.first_token, p.tokens) for p in replayed.pieces()] == [(0, 3), (3, 1)]


def merges_of(replayed: engine.Replay, place: int) -> PieceReplay:
    played = replayed.merges_of(place)
    assert played is not None
    return played


def test_the_losers_stand_beside_the_winner() -> None:
    played = PieceReplay(rules_of(tokenizer("qwen3")), " hello")
    ranks = [c.found and (c.found.rank, c.wins) for c in played.candidates(0)]
    assert ranks == [(49, False), (127, False), (45, True), (398, False), (129, False)]
    assert [c.found for c in played.candidates(5)] == []


def check_rule(played: PieceReplay, rules: MergeRules) -> None:
    """Every merge is the best rank at that moment, the leftmost of equals; found by asking anew."""
    for after in range(len(played) + 1):
        parts = played.parts(after)
        found = [rules.look_up(a.id, b.id) for a, b in pairwise(parts)]
        ranked = [(f.rank, place) for place, f in enumerate(found) if f is not None]
        assert [c.found for c in played.candidates(after)] == found
        if after == len(played):
            assert not ranked
            continue
        rank, place = min(ranked)
        merge = played.merge(after)
        assert (merge.rank, merge.position) == (rank, played.links(after)[place].position)
        assert (merge.left, merge.right) == (parts[place].id, parts[place + 1].id)
        assert [c.wins for c in played.candidates(after)].index(True) == place


def check_hood(played: PieceReplay) -> None:
    """The heap is one, its live entries are the pairs that merge; the list is linked both ways."""
    for after in range(len(played) + 1):
        heap = played.heap(after)
        assert all(
            heap[i][:2] <= heap[child][:2]
            for i in range(len(heap))
            for child in (2 * i + 1, 2 * i + 2)
            if child < len(heap)
        )
        live = sorted((e.position, e.rank, e.new_id) for e in heap if not e.stale)
        assert live == [
            (c.position, c.found.rank, c.found.id) for c in played.candidates(after) if c.found
        ]
        links = played.links(after)
        assert [link.after for link in links[:-1]] == [link.position for link in links[1:]]
        assert [link.before for link in links[1:]] == [link.position for link in links[:-1]]


def plain_merges(rules: MergeRules, piece: str) -> tuple[list[tuple[int, ...]], int]:
    """The merges that the definition takes, and how often it asks the table."""
    taken: list[tuple[int, ...]] = []
    asked = 0

    def rank(left: int | None, right: int | None) -> int | None:
        nonlocal asked
        asked += 1
        found = rules.look_up(left, right)
        return found and found.rank

    def join(left: int | None, right: int | None) -> int:
        found = rules.look_up(left, right)
        assert found is not None
        assert left is not None
        assert right is not None
        taken.append((found.rank, left, right, found.id))
        return found.id

    merge_plain([unit.id for unit in rules.units(piece)], rank, join)
    return taken, asked


def check_piece(rules: MergeRules, piece: str, ids: tuple[int | None, ...]) -> None:
    played = PieceReplay(rules, piece)
    taken, asked = plain_merges(rules, piece)
    assert [(m.rank, m.left, m.right, m.new_id) for m in played.merges] == taken
    assert played.plain_work.look_ups == asked
    assert played.ids == ids


def pieces(name: str, count: int, *, seed: str) -> Iterator[str]:
    """Random pieces, some of random bytes of the tokenizer's own tokens."""
    own, source = tokenizer(name), random.Random(seed)
    tokens = own.vocabulary.ids
    made = 0
    while made < count:
        text = random_text.text(source)
        if source.random() < 0.5:
            drawn = own.decode(source.choices(tokens, k=source.randint(1, 4)))
            text += drawn
        for piece in own.encoder.pieces(own.normalizer.apply(text), first=True):
            if len(piece) < 200:
                made += 1
                yield piece


@pytest.mark.parametrize("name", NAMES)
def test_random_pieces(name: str) -> None:
    """Last state equals encode; plain and heap take the same merges; every step follows the rule.

    The slow version below does ten times as many.
    """
    check_many(name, 300, seed=f"quick {name}")


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", NAMES)
def test_ten_thousand_random_pieces(name: str) -> None:
    check_many(name, 10_000, seed=f"slow {name}")


def check_many(name: str, count: int, *, seed: str) -> None:
    own = tokenizer(name)
    rules = rules_of(own)
    for number, piece in enumerate(pieces(name, count, seed=seed)):
        check_piece(rules, piece, own.encoder.encoder.model.ids(piece))  # type: ignore[attr-defined]
        if number % 10 == 0 and len(piece) < 40:
            played = PieceReplay(rules, piece)
            check_rule(played, rules)
            check_hood(played)


@pytest.mark.parametrize("name", NAMES)
@given(text=texts)
@settings(max_examples=60)
def test_pieces_and_ids_of_a_text(name: str, text: str) -> None:
    """Pieces join to the text, and their ids to those of encode, which equal the library's."""
    replayed = replay(tokenizer(name), text)
    found = replayed.pieces()
    assert "".join(piece.text for piece in found) == replayed.text
    ids = [i for place in range(len(found)) for i in merges_of(replayed, place).ids]
    assert ids == tokenizer(name).encode(text).ids
    for place in range(len(ids)):
        where = replayed.place_of_token(place)
        assert where is not None
        assert found[where].first_token <= place < found[where].first_token + found[where].tokens
    assert replayed.place_of_token(len(ids)) is None


@pytest.mark.parametrize("name", ["qwen2.5", "qwen3", "deepseek-v3"])
def test_pieces_are_those_of_the_library(name: str) -> None:
    """``pre_tokenize_str``, its stand-ins undone, on the library's normalized text."""
    library = reference(name).plain  # type: ignore[attr-defined]
    source = random.Random(name)
    for _ in range(300):
        text = random_text.text(source)
        if library.normalizer is not None:
            normalized = library.normalizer.normalize_str(text)
        else:
            normalized = text
        replayed = replay(tokenizer(name), text)
        assert replayed.text == normalized
        cut = library.pre_tokenizer.pre_tokenize_str(normalized)
        assert [piece.shown for piece in replayed.pieces()] == [from_standins(p) for p, _ in cut]


def test_special_tokens_are_cut_out_first() -> None:
    text = "hi <|im_end|>there"
    replayed = replay(tokenizer("qwen3"), text, special="parse")
    assert [(p.text, p.token and p.token.id) for p in replayed.pieces()] == [
        ("hi", None), (" ", None), ("<|im_end|>", 151645), ("there", None),
    ]  # fmt: skip
    assert replayed.merges_of(2) is None
    assert replayed.place_of_token(2) == 2
    as_text = [piece.text for piece in replay(tokenizer("qwen3"), text).pieces()]
    assert as_text == ["hi", " <|", "im", "_end", "|>", "there"]


def test_what_normalization_changed() -> None:
    replayed = replay(tokenizer("qwen3"), "Vie\u0323\u0302t")
    assert replayed.text == "Vi\u1ec7t"
    (change,) = replayed.changes
    assert (change.original_start, change.original_end) == (2, 5)
    assert (change.normalized_start, change.normalized_end) == (2, 3)
    assert replay(tokenizer("cl100k_base"), "Vie\u0323\u0302t").changes == []


@pytest.mark.timeout(60)
def test_a_long_run_in_little_memory() -> None:
    """Case C016: 7,000 merges that, kept as lists of tokens, would be 31 million entries."""
    rules = rules_of(tokenizer("cl100k_base"))
    played = PieceReplay(rules, "a" * 8000)
    assert len(played) == 7000
    assert played.ids == (70540,) * 1000
    assert len(played.parts(3500)) == 4500
    assert played.plain_work.look_ups == sum(range(1000 - 1, 8000))
    tracemalloc.start()
    kept = PieceReplay(rules, "a" * 8000)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 3_000_000, "what is kept of it"
    assert len(kept) == 7000


def test_work_grows_as_n_squared_against_n_log_n() -> None:
    points = work_curve(rules_of(tokenizer("qwen3")), " hello")
    assert [p.units for p in points[:4]] == [6, 12, 24, 48]
    for one, other in pairwise(points[3:]):
        assert 3.8 < other.plain.total / one.plain.total < 4.2
        assert 2.0 < other.fast.total / one.fast.total < 2.5
    assert points[0].plain == (5 + 4 + 3 + 2 + 1, 4 + 3 + 2 + 1 + 0), "counted by hand"
    assert points[0].fast.look_ups == 5 + 1 + 1 + 1 + 1 + 1, "counted by hand"


def test_comparisons_are_really_counted() -> None:
    """The same coming and going of entries, counted by a counter of another make."""
    played = PieceReplay(rules_of(tokenizer("qwen3")), "unbelievably")

    class Seen(tuple[int, ...]):
        __slots__ = ()
        count = 0

        def __lt__(self, other: tuple[int, ...]) -> bool:
            Seen.count += 1
            return tuple.__lt__(self, other)

    known = played.entries
    rows = list(zip(known.ranks, known.positions, known.born, strict=True))
    heap = [Seen(row[:2]) for row in rows if not row[2]]
    heapify(heap)
    for time_ in range(1, len(played) + 2):
        for _ in range(list(known.removed).count(time_)):
            heappop(heap)
        for row in rows:
            if row[2] == time_:
                heappush(heap, Seen(row[:2]))
    assert not heap, "in the end everything was taken out"
    assert Seen.count == played.fast_work.comparisons


def test_hits_and_misses_add_up() -> None:
    replayed = replay(tokenizer("gpt2"), "the cat and the dog and the cat")
    use = replayed.cache_use()
    assert use.times == {"the": 1, " cat": 2, " and": 2, " the": 2, " dog": 1}
    assert (use.hits, use.misses) == (3, 5)
    assert use.hits + use.misses == len(replayed.pieces()) == sum(use.times.values())
    long = replay(tokenizer("gpt2"), "a" * 300 + " " + "a" * 300 + " b").cache_use()
    assert (long.hits, long.misses) == (0, 3), "long pieces are not kept"


# Tokenizers from files and from training -----------------------------------------------------


def tokenizer_json(**model: object) -> bytes:
    document = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": model.pop("pre_tokenizer", None),
        "decoder": None,
        "model": {"type": "BPE", **model},
    }
    return json.dumps(document).encode()


def test_merge_by_pair_is_not_merge_by_product() -> None:
    """Case C166: the same tokens and order of merges, two kinds of table, two results."""
    vocabulary = {"a": 0, "b": 1, "c": 2, "x": 3, "ab": 4, "bc": 5, "abc": 6}
    merges = [["a", "b"], ["b", "c"], ["a", "bc"]]
    by_pair = read(tokenizer_json(vocab=vocabulary, merges=merges), kind="tokenizer.json")
    played = merges_of(replay(by_pair, "xabcx"), 0)
    assert played.ids == (3, 4, 2, 3)
    assert [(m.rank, m.left, m.right, m.new_id) for m in played.merges] == [(0, 0, 1, 4)]
    assert rules_of(by_pair).tables == "pairs"
    assert rules_of(tokenizer("gpt2")).tables == "ranks"


def byte_level(merges: list[list[str]], **options: object) -> engine.Tokenizer:
    tokens = [to_standins(bytes([b])) for b in range(256)]
    vocabulary = {token: place for place, token in enumerate(tokens)}
    for left, right in merges:
        vocabulary.setdefault(left + right, len(vocabulary))
    extra = options.pop("extra", ())
    for token in extra:  # type: ignore[attr-defined]
        vocabulary.setdefault(token, len(vocabulary))
    steps = {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "use_regex": True,
        "trim_offsets": True,
    }
    document = tokenizer_json(vocab=vocabulary, merges=merges, pre_tokenizer=steps, **options)
    return read(document, kind="tokenizer.json")


def test_a_whole_piece_is_looked_up_before_merging() -> None:
    """As Llama 3 does (case C163): a token that no merges make."""
    own = byte_level([["a", "b"]], extra=["abc"], ignore_merges=True)
    played = merges_of(replay(own, "abc"), 0)
    assert played.ids == (257,) == tuple(own.encode("abc").ids)
    assert played.merged_ids == (256, ord("c"))
    assert not played.merges_count
    assert merges_of(replay(own, "ab"), 0).merges_count


def test_characters_that_training_never_saw() -> None:
    run = engine.train(
        "low low low lower", TrainingSettings(merges=4, pattern="words", base="characters")
    )
    played = merges_of(replay(run.tokenizer, "low?low"), 0)
    assert None in played.ids
    assert list(played.ids) == run.tokenizer.encode("low?low").ids
    assert [(part.start, part.end) for part in played.parts(len(played))] == [
        (0, 3),
        (3, 4),
        (4, 7),
    ]


@pytest.mark.parametrize("preset", engine.PRESETS)
def test_trained_tokenizers(preset: str) -> None:
    text = "Newest low lower, widest 1234!  it's_new\nnow"
    run = engine.train(text * 3, engine.PRESETS[preset])
    replayed = replay(run.tokenizer, text)
    kept = [p.text for p in replayed.pieces() if p.kept]
    assert kept == run.tokenizer.encoder.pieces(text, first=True)
    assert "".join(p.text for p in replayed.pieces()) == text
    ids: list[int | None] = []
    for place in range(len(replayed.pieces())):
        played = replayed.merges_of(place)
        if played is not None:
            ids += played.ids
            check_rule(played, replayed.rules)
    assert ids == run.tokenizer.encode(text).ids


@given(
    pairs=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), unique=True),
    text=st.text("abc", max_size=12),
)
def test_any_merge_list(pairs: list[tuple[str, str]], text: str) -> None:
    own = byte_level([list(pair) for pair in pairs])
    replayed = replay(own, text)
    for place, piece in enumerate(replayed.pieces()):
        played = merges_of(replayed, place)
        check_rule(played, replayed.rules)
        check_hood(played)
        assert list(played.ids) == own.encode(piece.text).ids


def test_the_ways_of_loading_a_table_are_all_replayed() -> None:
    assert [rules_of(tokenizer(name)).tables for name in BUNDLED] == ["ranks"] * len(BUNDLED)


def test_the_second_tokenizer_stands_at_the_same_place_of_the_text() -> None:
    """Qwen normalizes, so its code points are counted anew after every rewritten letter."""
    text = "Vie\u0323\u0302t Nam, tie\u0302\u0301ng Vie\u0323\u0302t hello"
    nfc, as_given = replay(tokenizer("qwen3"), text), replay(tokenizer("gpt2"), text)
    place = [piece.text for piece in nfc.pieces()].index(" hello")
    assert nfc.original_start(nfc.pieces()[place]) == text.index(" hello")
    other = as_given.place_at(text.index(" hello"))
    assert other is not None
    assert as_given.pieces()[other].text == " hello"
    assert nfc.place_at(text.index(" hello")) == place
    word = nfc.place_at(text.index("tie\u0302"))
    assert word is not None
    assert nfc.pieces()[word].text == " ti\u1ebfng"
    assert nfc.place_at(10_000) == len(nfc.pieces()) - 1
    assert replay(tokenizer("gpt2"), "").place_at(0) is None


def test_the_piece_that_shows_most() -> None:
    assert replay(tokenizer("qwen3"), "a bc 你好 d").longest_piece(20) == 2
    assert replay(tokenizer("qwen3"), "a bc 你好 d").longest_piece(2) == 1
    assert replay(tokenizer("qwen3"), "").longest_piece(20) == 0


def test_a_long_piece_grows_from_its_beginning() -> None:
    units = [p.units for p in work_curve(rules_of(tokenizer("gpt2")), "a" * 8000)]
    assert units == [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]
    assert work_curve(rules_of(tokenizer("gpt2")), "") == []


@pytest.mark.parametrize("batch", range(4))
def test_any_tokenizer_file(batch: int) -> None:
    """Random files with every component: pieces, ids and every step."""
    replayed_pieces = 0
    for number in range(60):
        source = random.Random(f"replay {batch} {number}")
        try:
            own = read(json.dumps(files.file(source)).encode(), kind="tokenizer.json")
        except (UnsupportedModel, PatternError):
            continue
        for _ in range(6):
            text = files.text(source)
            try:
                expected = own.encode(text, special="parse")
                replayed = replay(own, text, special="parse")
                found = replayed.pieces()
            except PatternError:
                continue
            kept = [piece.text for piece in found if piece.kept and piece.token is None]
            assert kept == pieces_of(replayed)
            ids: list[int | None] = []
            for place, piece in enumerate(found):
                assert piece.first_token == len(ids) or not piece.kept
                if piece.token is not None:
                    ids.append(piece.token.id)
                elif (played := replayed.merges_of(place)) is not None:
                    ids += played.ids
                    check_rule(played, replayed.rules)
                    replayed_pieces += 1
            assert ids == expected.ids
            use = replayed.cache_use()
            assert use.hits + use.misses == len(kept)
    assert replayed_pieces > 300


def pieces_of(replayed: engine.Replay) -> list[str]:
    """What encoding merges, section by section."""
    return [
        piece
        for place, section in enumerate(replayed.sections)
        if section.token is None
        for piece in replayed.tokenizer.encoder.pieces(section.text, first=place == 0)
    ]
