"""Rounds of sums: the engine of the search against that of recorded rounds, and the search itself."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from roundworks import _native
from roundworks.analysis.sums import SumsClass, SumsRound, _changed, _random, local_search
from roundworks.errors import DescriptionError
from roundworks.reference import get
from roundworks.reproduce.run import Run
from roundworks.rows import SumsRow
from roundworks.studies import Sums


def drawn(seed: int) -> tuple[SumsClass, SumsRound]:
    random = Random(seed)
    words = random.randint(3, 6)
    of = SumsClass(words, random.randint(1, 2), random.randint(1, words), random.randint(0, 3))
    round_ = _random(of, random)
    for _ in range(random.randint(0, 20)):
        round_ = _changed(of, round_, random)
    return of, round_


@pytest.mark.parametrize("seed", range(40))
def test_two_engines_agree(seed: int) -> None:
    of, round_ = drawn(seed)
    assert sum(round_.through) == of.functions and max(map(len, round_.added)) <= of.most
    again = _native.word_collision(round_.program(of.inputs).native())
    assert again is not None and round_.collision(of.inputs, 30) == min(again[0], 30)


@pytest.mark.parametrize("seed", range(40))
def test_an_invertible_round_is_a_bijection(seed: int) -> None:
    """With words of two bits and a bijection for F, for each set of blocks."""
    of, round_ = drawn(seed)
    if not round_.is_invertible() or of.words > 5:
        return
    f = (1, 3, 0, 2)
    seen = set()
    for state in product(range(4), repeat=of.words):
        new = []
        for at in range(of.words):
            word = f[state[at - 1]] if round_.through[at] else state[at - 1]
            for other in round_.added[at]:
                word ^= state[other]
            new.append(word)
        seen.add(tuple(new))
    assert len(seen) == 4**of.words


def test_the_round_of_aether_is_one() -> None:
    added: list[tuple[int, ...]] = [(), (3,), (6,), (), (4,), (), (8,), (2,), (0,)]
    entering: list[tuple[int, ...]] = [(0,), (), (), (1,), (), (2,), (), (), ()]
    round_ = SumsRound((True,) * 9, tuple(added), tuple(entering))
    assert round_.collision(3, 20) == 8 and round_.is_invertible() and get("aether").words == 9
    assert round_.equations()[1] == "S'1 = F0 ^ S3"
    # S'0 = S0 ^ S1 = S'1 has no inverse.
    assert not SumsRound((False, False), ((0,), (1,)), ((0,), ())).is_invertible()


def test_two_f_for_each_block_are_enough() -> None:
    study = Sums(6, 1, 2, starts=2)
    rows = [row for unit in study.plan() for batch in unit.work(Run()) for row in batch]
    result = study.reduce(rows)
    assert result.rows[0].active == 8 and result.tables[0].lines[0][3] == "2.000"
    assert isinstance(result.rows[0], SumsRow) and len(result.rows[0].equations) == 6
    again = local_search(SumsClass(6, 1, 2, 2), 8, 0, 5000)
    assert again == local_search(SumsClass(6, 1, 2, 2), 8, 0, 5000)
    assert local_search(SumsClass(2, 1, 1, 0), 8, 0, 50)[2] <= 50


def test_patterns_are_checked() -> None:
    with pytest.raises(DescriptionError, match=r"^pattern: want 0 to 3, got 4$"):
        _native.sums_collision(4, [0, 0], [1], 5)
    with pytest.raises(DescriptionError, match=r"^added: want 0 or more, got -1$"):
        _native.sums_collision(1, [-1, 0], [1], 5)
    with pytest.raises(DescriptionError, match=r"^inputs: want 1 to 8, got 0$"):
        _native.sums_collision(1, [0, 0], [], 5)
