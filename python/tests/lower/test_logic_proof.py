"""Rounds of logic: their programs are proven on every machine, also where one multiplies sums out, and an operation
that computes something else is caught."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from calls import cases
from roundworks.lower.lowering import lower
from roundworks.lower.machines import EVEX128, MACHINES
from roundworks.lower.maps import layout
from roundworks.lower.program import Program
from roundworks.lower.proof import NotEqual, prove
from roundworks.reference import Permutation, Recording, record_round
from roundworks.reference.aes import SUB_BYTES

Round = Callable[[list[Any]], list[Any]]


class Logic(Permutation[Any]):
    """Words of 128 bits, and a round that is no bijection."""

    name, rounds, word_bits = "logic", 1, 128

    def __init__(self, words: int, made: Round) -> None:
        self.words, self.made = words, made

    def round(self, S: Any, i: int) -> list[Any]:
        return self.made(S)


def recorded(words: int, made: Round) -> Recording:
    return record_round(Logic(words, made))


def select(S: list[Any]) -> list[Any]:
    a, b, c, d, x = S
    return [d ^ (a & (b ^ c)) ^ x, a.rotl(8), b, c, x]


def twice(S: list[Any]) -> list[Any]:
    a, b, c, x = S
    t = x & (a ^ b)
    u = t ^ c
    return [u, b, u ^ a, x]


def three_factors(S: list[Any]) -> list[Any]:
    a, b, c, d = S
    return [a & (b & (c ^ d)), (b ^ a) & (b ^ c) ^ d, (a & (b ^ c)) & (c ^ d), d & a.rotl(1) & a]


def of_sboxes(S: list[Any]) -> list[Any]:
    a, b, c = S
    return [a.sub(SUB_BYTES) & (b.sub(SUB_BYTES) ^ c) ^ b, a, b & c]


ROUNDS = {"select": (5, select), "twice": (4, twice), "factors": (4, three_factors), "sboxes": (3, of_sboxes)}


def random_round(seed: int) -> Recording:
    """Mostly of words that nothing else takes."""
    rng = random.Random(seed)
    count = rng.randrange(2, 6)
    steps = [(rng.choice("^^&&|~r"), rng.sample(range(8), 2), rng.randrange(1, 128)) for _ in range(12)]

    def made(S: list[Any]) -> list[Any]:
        words = list(S)
        for kind, (i, j), by in steps:
            a, b = words[-1 - i % len(words)], words[-1 - j % len(words)]
            made = {"^": a ^ b, "&": a & b, "|": a | b, "~": ~a, "r": a.rotl(by)}[kind]
            words.append(made)
        return words[-count:]

    return recorded(count, made)


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
@pytest.mark.parametrize("name", ROUNDS)
def test_products_of_sums(name: str, machine: Any) -> None:
    recording = recorded(*ROUNDS[name])
    prove(lower(recording, machine), recording, layout(128, machine.bits))


@pytest.mark.parametrize("seed", cases(range(12), short=range(3)))
def test_random_rounds(seed: int) -> None:
    recording = random_round(seed)
    for machine in MACHINES.values():
        prove(lower(recording, machine), recording, layout(128, machine.bits))


def changed(program: Program) -> list[Program]:
    """Each with one value of the table of one operation inverted."""
    made = []
    for i, op in enumerate(program.ops):
        if op.kind == "ternary":
            assert isinstance(op.imm, int)
            others = [replace(op, imm=op.imm ^ 1 << row) for row in range(8)]
            made += [replace(program, ops=(*program.ops[:i], op, *program.ops[i + 1 :])) for op in others]
    return made


def equal(program: Program, recording: Recording) -> bool:
    try:
        prove(program, recording, layout(128, 128))
    except NotEqual:
        return False
    return True


@pytest.mark.parametrize("seed", [*ROUNDS, *cases(range(12), short=range(3))])
def test_a_wrong_value_of_a_table_is_caught_where_it_is_taken(seed: str | int) -> None:
    recording = recorded(*ROUNDS[seed]) if isinstance(seed, str) else random_round(seed)
    program, rng = lower(recording, EVEX128), random.Random(seed)
    words = {name: rng.getrandbits(128) for name in program.inputs}
    for wrong in changed(program):
        # A cut may differ that no output shows.
        assert wrong.run(words) == program.run(words) or not equal(wrong, recording)
