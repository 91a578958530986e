"""What is known of fewer rounds bounds more of them only where it holds within them: small rounds against all trails."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from math import log2
from typing import Any

import pytest

from roundworks.prove.bitwise import windows
from roundworks.prove.bitwise.instance import bit_instance
from roundworks.prove.bitwise.windows import keeps_differences
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query
from roundworks.prove.solvers import deciding
from roundworks.reference import IntWord, Permutation, get_analysed, record_rounds
from roundworks.reference.recordings import merged, run

WORDS, BITS = 2, 4
ROUNDS = 4


@pytest.fixture(autouse=True)
def no_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    """All is decided weight by weight: these problems are small, and a solver that minimises would be first."""
    monkeypatch.setattr(deciding, "BRIEF", 0.0)


class Small(Permutation[Any]):
    """The same few steps on two words of four bits every round."""

    words, word_bits, rounds = WORDS, BITS, ROUNDS

    def __init__(self, name: str, steps: Callable[[list[Any]], list[Any]]) -> None:
        self.name, self.steps = name, steps

    def round(self, S: Sequence[Any], i: int) -> list[Any]:
        return self.steps(list(S))


def drawn(seed: int, lossy: bool) -> Small:
    """A random round with one layer that is not linear, so that its probabilities are exact; of steps that can be
    undone, or not."""
    rng = random.Random(seed)
    linear, others = ("xxmr", "&&&+n") if lossy else ("xr", "&&&+")
    kinds = [*rng.choices(linear, k=rng.randrange(1, 4)), rng.choice(others), *rng.choices(linear, k=2)]
    plan = [(kind, *(rng.randrange(k) for k in (2, 2, 4, 4, 16))) for kind in kinds]

    def steps(S: list[Any]) -> list[Any]:
        for kind, to, one, a, b, mask in plan:
            x = S[one if lossy else 1 - to].rotl(a)
            two = 1 - one if lossy else 1 - to
            if kind == "&":
                S[to] = S[to] ^ (x & S[two].rotl(b))
            elif kind == "n":
                S[to] = x & S[two].rotl(b)
            elif kind == "x":
                S[to] = S[to] ^ x
            elif kind == "+":
                S[to] = S[to] + S[1 - to]
            elif kind == "m":
                S[to] = S[to] & (mask | 1 << a)
            else:
                S = [S[1], S[0].rotl(a)]
        return S

    return Small(f"drawn-{seed}", steps)


def lightest(it: Small, rounds: int) -> list[float]:
    """The minimum weight over 1, 2, .. rounds, every pair of states tried in each."""
    recording = merged(record_rounds(it, 1))
    watched = [n.id for n in recording.graph.nodes if n.op in ("and", "add")]
    outputs = [recording.outputs[f"S'{i}"] for i in range(WORDS)]
    size = 1 << WORDS * BITS
    seen, after = [], []
    for state in range(size):
        words = {f"S{i}": IntWord(state >> i * BITS & 15, BITS) for i in range(WORDS)}
        values = run(recording, words)
        seen.append(sum(values[node].value << i * BITS for i, node in enumerate(watched)))
        after.append(sum(values[node].value << i * BITS for i, node in enumerate(outputs)))
    step: dict[tuple[int, int], float] = {}
    for d in range(size):
        pairs = Counter((seen[x] ^ seen[x ^ d], after[x] ^ after[x ^ d]) for x in range(size))
        for (_, to), times in pairs.items():
            step[d, to] = min(step.get((d, to), 99.0), log2(size / times))
    best, minima = dict.fromkeys(range(1, size), 0.0), []
    for _ in range(rounds):
        further: dict[int, float] = {}
        for (d, to), weight in step.items():
            if d in best:
                further[to] = min(further.get(to, 9999.0), best[d] + weight)
        best = further
        minima.append(min(best.values()))
    return minima


def values(it: Permutation[Any], rounds: int, solver: str = "auto", measure: str = "trail") -> list[float]:
    """Over 1, 2, .. rounds."""
    results = bounds_of(it, measure, Query(rounds, solvers=(solver,)))
    return [r.bound.value for r in results if r.bound.value is not None]


# Seeds of which the bounds of fewer rounds would be above the truth, or contradict it, if they were used; then others.
@pytest.mark.parametrize("seed", [25, 32, 38, 39, 6, 43])
def test_rounds_that_lose_differences_against_all_trails(seed: int) -> None:
    cipher = drawn(seed, lossy=True)
    assert values(cipher, ROUNDS) == lightest(cipher, ROUNDS)
    assert not bit_instance(cipher, ROUNDS).by_round()


@pytest.mark.parametrize("seed", [15, 18, 22, 45])
def test_bijections_against_all_trails(seed: int) -> None:
    cipher = drawn(seed, lossy=False)
    assert bit_instance(cipher, ROUNDS).by_round()
    assert values(cipher, ROUNDS) == lightest(cipher, ROUNDS)


def test_gates_whose_inputs_are_sums_of_others_are_not_independent() -> None:
    """Each group of gates by itself is exact; together some of their changes cannot be, and others weigh less."""
    cipher = drawn(30, lossy=False)
    *_, result = (r.bound for r in bounds_of(cipher, "trail", Query(ROUNDS)))
    assert (result.certainty, result.side) == ("heuristic", "lower")
    assert "AND gates that share an input taken as independent; " in result.method
    assert "trail not checked" in result.method  # no values follow it


@pytest.mark.parametrize(("seconds", "solver"), [(0.0, "Kissat"), (60.0, "CaDiCaL")])
def test_a_minimum_that_is_soon_found_needs_no_decision(
    monkeypatch: pytest.MonkeyPatch, seconds: float, solver: str
) -> None:
    monkeypatch.setattr(deciding, "BRIEF", seconds)
    *_, result = (r.bound for r in bounds_of(get_analysed("speck-32-64"), "trail", Query(4)))
    assert (result.value, result.side) == (5, "exact")
    assert solver in str(result.solver)


class Register(Permutation[Any]):
    """A feedback shift register of words: the gates of one round share an input with those of the next one."""

    name, words, word_bits, rounds = "register", 3, 4, 6

    def round(self, S: Sequence[Any], i: int) -> list[Any]:
        return [S[1], S[2], (S[0] ^ S[1].rotl(1) & S[2].rotl(2)).rotl(3)]


@pytest.mark.parametrize("measure", ["trail", "trail-sboxes"])
def test_rounds_that_weigh_less_together(measure: str) -> None:
    cipher = Register()
    assert keeps_differences(merged(record_rounds(cipher, 1)))
    assert not bit_instance(cipher, 6).by_round()
    assert values(cipher, 6, measure=measure) == values(cipher, 6, "cadical", measure)


@pytest.mark.parametrize("name", ["speck-32-64", "simon-32-64", "ascon-p"])
@pytest.mark.parametrize("active_only", [False, True])
def test_ciphers_keep_differences(name: str, active_only: bool) -> None:
    by_round = bit_instance(get_analysed(name), 2, active_only=active_only).by_round()
    assert len(by_round) == 2 and all(by_round)


def test_without_a_result_fewer_rounds_bound_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    speck = get_analysed("speck-32-64")
    monkeypatch.setattr(windows, "_keeps", windows._keeps.__wrapped__)
    assert bit_instance(speck, 3).by_round()
    monkeypatch.setattr(windows, "SECONDS", 0.0)
    assert not bit_instance(speck, 3).by_round()
    assert values(speck, 3) == [0, 1, 3]
