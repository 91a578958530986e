"""The parts of the search for circuits, each against its definition."""

import random
from itertools import product

import numpy as np
import pytest

from roundworks.lower.beam import Costs, beam, signals_of
from roundworks.lower.cofactors import Cofactors
from roundworks.lower.gates import LogicCircuit, LogicGate, Signals, apply, columns, finish, variables
from roundworks.lower.linear import sums, transposed


def normal(table: tuple[int, ...]) -> list[int]:
    full = (1 << len(table)) - 1
    return [f ^ full * (f & 1) for f in columns(table)]


@pytest.mark.parametrize("flips", list(product((0, 1), repeat=3)))
def test_complements_are_put_in_wherever_they_are_wanted(flips: tuple[int, ...]) -> None:
    ways = [
        [LogicGate("and", 0, 1)],
        [LogicGate("or", 3, 2)],
        [LogicGate("andnot", 4, 0)],
        [LogicGate("xor", 4, 5)],
    ]
    plain = finish(3, ways, (3, 5, 6), (0, 0, 0))
    assert [g.op for g in plain.gates] == ["and", "or", "andnot", "xor"]
    made = finish(3, ways, (3, 5, 6), flips)
    want = [f ^ 0xFF * flip for f, flip in zip(plain.evaluate(variables(3)), flips, strict=True)]
    assert [f & 0xFF for f in made.evaluate(variables(3))] == [f & 0xFF for f in want]
    assert sum(g.op == "not" for g in made.gates) <= sum(flips)


def nots(made: LogicCircuit) -> int:
    return sum(g.op == "not" for g in made.gates)


def test_one_complement_serves_two_outputs() -> None:
    assert nots(finish(2, [[LogicGate("and", 0, 1)], [LogicGate("xor", 2, 0)]], (2, 3), (1, 1))) == 1


def test_another_way_to_make_a_signal_may_save_a_complement() -> None:
    # ~(a & b) and ~(a | b): as (a ^ b) ^ (a & b) the second follows the sign of the first.
    first, ways = (
        [[LogicGate("xor", 0, 1)], [LogicGate("and", 0, 1)]],
        [LogicGate("or", 0, 1), LogicGate("xor", 2, 3)],
    )
    assert nots(finish(2, [*first, ways[:1]], (2, 3, 4), (0, 1, 1))) == 2
    assert nots(finish(2, [*first, ways], (2, 3, 4), (0, 1, 1))) == 1


def test_gates_that_nothing_reads_are_left_out() -> None:
    signals = Signals(2)
    signals.add("and", 0, 1)
    signals.add("xor", 0, 1)
    assert signals.circuit([0b0110]).gates == (LogicGate("xor", 0, 1),)


def test_costs_of_formulas_are_those_of_a_plain_search() -> None:
    """Three variables, by sets: the cheapest formula of every function that is 0 at 0."""
    costs = dict.fromkeys((0, *variables(3)), 0)
    levels = [list(variables(3))]
    while levels[-1]:
        fresh = set()
        for i, level in enumerate(levels):
            for a, b in product(level, levels[-1 - i]):
                fresh |= {
                    apply(op, *two) for op in ("xor", "and", "or", "andnot") for two in ((a, b), (b, a))
                }
        levels.append(sorted(fresh - costs.keys()))
        costs |= dict.fromkeys(levels[-1], len(levels) - 1)
    result = Costs(3)(np.arange(0, 256, 2, dtype=np.uint8))
    assert dict(enumerate(result.tolist())) == {f // 2: c for f, c in costs.items()}


@pytest.mark.parametrize("bits", [2, 3, 4, 5])
def test_a_beam_ends_with_sets_that_gates_make(bits: int) -> None:
    table = tuple(x * 3 % (1 << bits) for x in range(1 << bits))
    targets = [f for f in normal(table) if f not in variables(bits)]
    result = beam(bits, targets, width=20, seed=1)
    assert len({len(one) for one in result}) == 1
    for one in result:
        signals = signals_of(bits, one)
        assert len(signals.gates) == len(one) - bits
        assert all(t in signals.place for t in targets)


def test_a_beam_returns_nothing_that_is_no_better() -> None:
    targets = [0b10010110, 0b11101000]
    gates = len(beam(3, targets, width=20, seed=0)[0]) - 3
    assert beam(3, targets, width=20, seed=0, fewer_than=gates) == []
    assert len(beam(3, targets, width=20, seed=0, fewer_than=gates + 1)[0]) == gates + 3


def test_a_full_adder_takes_five_gates() -> None:
    assert len(beam(3, [0b10010110, 0b11101000], width=50, seed=0)[0]) == 3 + 5


@pytest.mark.parametrize("bits", [3, 4, 5, 6, 7])
def test_cofactors_reach_all_targets(bits: int) -> None:
    rng = random.Random(bits)
    targets = [rng.getrandbits(1 << bits) & ~1 for _ in range(bits)]
    signals = Cofactors(bits, 0, {16: 2}).run(targets, rounds=1)
    made = signals.circuit(targets)
    full = (1 << (1 << bits)) - 1
    assert [f & full for f in made.evaluate(variables(bits))] == targets


def test_signals_are_made_once() -> None:
    signals = Signals(2)
    assert signals.add("xor", 0, 1) == signals.add("xor", 1, 0) == 2
    assert len(signals.gates) == 1
    assert signals.shorten(0) == [LogicGate("xor", 0, 1)]
    assert signals.add("and", 0, 1) == 2


def test_sums_make_their_forms_and_the_transposed_ones() -> None:
    rng = random.Random(1)
    forms = [rng.randrange(1, 256) for _ in range(20)]
    made, ends = sums(8, forms)
    signals = [1 << i for i in range(8)]
    for a, b in made:
        signals.append(signals[a] ^ signals[b])
    assert [signals[e] for e in ends] == forms
    assert len(made) < sum(f.bit_count() - 1 for f in forms)

    terms = transposed(8, made, ends)
    values: dict[int, int] = {-1 - k: 1 << k for k in range(20)}
    for i in reversed(range(len(terms))):
        values[i] = 0
        for term in terms[i]:
            values[i] ^= values[term]
    assert [values[i] for i in range(8)] == [
        sum((f >> i & 1) << k for k, f in enumerate(forms)) for i in range(8)
    ]
