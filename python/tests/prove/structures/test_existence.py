"""Whether a class has a structure, against every structure of the class."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

from roundworks import _native
from roundworks.analysis.cost_law import fewest_f, permits, tree
from roundworks.analysis.search import search
from roundworks.prove.structures.existence import Refinement, chain_lengths, decide

CLASSES = [(words, inputs) for words in range(3, 7) for inputs in range(1, words)]


@pytest.mark.parametrize(("words", "inputs"), CLASSES)
def test_every_small_class_is_decided_as_by_enumeration(words: int, inputs: int) -> None:
    for active in range(2, 12):
        count = search(words, inputs, active, threads=1).found
        decision = decide(words, inputs, active)
        assert decision.exists == (count > 0), active
        assert not count or permits(words, inputs, active)


@pytest.mark.parametrize(("words", "inputs"), [(3, 1), (4, 1), (4, 2), (5, 2), (5, 3)])
def test_classes_with_words_named_several_times_are_decided_as_by_enumeration(
    words: int, inputs: int
) -> None:
    every: list[int] = []
    for chains in chain_lengths(words, inputs):
        search = Refinement(chains, 8, repeats=True)
        for sources in product(range(words), repeat=len(search.positions)):
            named = dict(zip(search.positions, sources, strict=True))
            every.append(_cheapest(tuple(named.get(at) for at in range(words)), 99))
    for active in range(2, 12):
        decision = decide(words, inputs, active, repeats=True)
        assert decision.exists == (max(every) >= active) and decision.repeats, active


@pytest.mark.parametrize("words", [7, 8])
def test_the_law_holds_for_every_structure(words: int) -> None:
    closed = 0
    for inputs in range(2, words):
        for active in range(2, 10):
            if not permits(words, inputs, active):
                closed += 1
                assert search(words, inputs, active, threads=1).found == 0
    assert closed > 20


def test_the_law_meets_the_classes_that_are_just_open() -> None:
    """It is not weaker than needed: 17 words are the first that absorb 6 blocks at 8 active F."""
    first = next((s, m) for s in range(2, 32) for m in range(1, s) if s < 3 * m and permits(s, m, 8))
    assert first == (17, 6) and tree(8) == 15 and 17 / 6 > fewest_f(8) > 14 / 5


@pytest.mark.long
def test_fewer_than_three_f_for_each_block_at_eight_active_f() -> None:
    decision = decide(17, 6, 8)
    assert decision.exists and decision.added is not None and decision.added.count(None) == 6
    sources = [word for word in decision.added if word is not None]
    assert len(set(sources)) == 11
    assert _cheapest(decision.added, 9) == 8 and not decide(17, 6, 9).exists


def _cheapest(added: tuple[int | None, ...], limit: int) -> int:
    """Active F of the cheapest internal collision, by shortest paths over the round as a program."""
    words, inputs = len(added), added.count(None)
    first, message = words + inputs, iter(range(words, words + inputs))
    nodes = [("f", [word], 1) for word in range(words)]
    for at, source in enumerate(added):
        other = next(message) if source is None else source
        nodes.append(("xor", [first + (at - 1) % words, other], 0))
    cost, _ = _native.word_collision((words, inputs, nodes, [first + words + at for at in range(words)])) or (
        limit,
        None,
    )
    return cost


def _has(added: tuple[int | None, ...], path: tuple[int, ...]) -> bool:
    """The definition: of what an XOR reads and gives, not exactly one is active."""
    return all(
        source is None or (old >> (i - 1) % len(added) & 1) + (old >> source & 1) + (new >> i & 1) != 1
        for old, new in zip((0, *path), (*path, 0), strict=True)
        for i, source in enumerate(added)
    )


def test_a_clause_excludes_exactly_the_structures_with_the_path() -> None:
    draw, both = random.Random(7), set()
    for chains in [(3, 2), (2, 2, 1), (4, 1)]:
        search = Refinement(chains, 8)
        for _ in range(150):
            path = tuple(draw.randrange(1, 1 << search.words) for _ in range(draw.randrange(1, 3)))
            if draw.random() < 0.8:  # with a path that some structure has
                other = _structure(search, draw)
                path = tuple(draw.choice(_native.structure_collisions(other, 20, 50)))
            heads = sum(1 << head for head in search.heads)
            if path[0] & ~heads:
                continue
            clause, added = search.clause(path), _structure(search, draw)
            true = {search.x[i, w] for i, w in enumerate(added) if w is not None}
            true |= {v for (i, words), v in search.among.items() if (words >> (added[i] or 0)) & 1}
            excluded = not any((literal > 0) == (abs(literal) - 1 in true) for literal in clause)
            assert excluded == _has(added, path)
            both.add(excluded)
    assert both == {True, False}


def _structure(search: Refinement, draw: random.Random) -> tuple[int | None, ...]:
    sources = iter(draw.sample(range(search.words), len(search.positions)))
    return tuple(None if i in search.heads else next(sources) for i in range(search.words))


def test_an_exclusion_can_be_proven(tmp_path: Path) -> None:
    decision = decide(6, 2, 9, certificates=tmp_path)
    assert (decision.exists, decision.certainty) == (False, "proven")
    assert len(list(tmp_path.glob("*.lrat"))) == len(chain_lengths(6, 2)) == 3


def test_what_time_does_not_suffice_for_is_undecided() -> None:
    decision = decide(9, 3, 9, over=lambda: True)
    assert decision.exists is None and len(decision.undecided) == 7


def test_structures_of_three_f_and_fewer_for_each_block() -> None:
    """Structures that `decide` printed: fewer F than AETHER at 8 active, and the same F at 10."""
    assert not decide(17, 6, 9).exists and not decide(14, 5, 8).exists
    added: tuple[int | None, ...] = (None, 15, 8, None, 11, 3, None, 2, 14, None, 0, 12, None, 5, 16, None, 6)
    assert _native.structure_collisions(added, 8, 1) == [] != _native.structure_collisions(added, 9, 1)
    added = (None, 7, 6, None, 14, 3, None, 9, 8, None, 11, 12, None, 5, 2)
    assert _native.structure_collisions(added, 10, 1) == [] and _cheapest(added, 99) == 10
