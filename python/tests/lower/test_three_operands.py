"""Logic of two operands joined into functions of three bits."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from roundworks.lower.lowering import lower
from roundworks.lower.machines import AESNI, EVEX128
from roundworks.lower.plan import plan
from roundworks.lower.program import Builder, Program, finished
from roundworks.lower.three_operands import three_operands
from roundworks.reference import get_stream

INPUTS = tuple((f"S{i}", 0) for i in range(6))


def logic(rng: random.Random, count: int) -> Program:
    """Operations of logic, mostly on what no other one takes, between a few of another kind."""
    builder = Builder(128, INPUTS)
    values = list(range(len(INPUTS)))
    for _ in range(count):
        kind = rng.choice(["xor", "xor", "and", "andnot", "or", "not", "aesenc"])
        args = rng.sample(values[-8:], 1 if kind == "not" else 2)
        values.append(builder.op(kind, *args))
    return finished(builder, "logic", {f"S'{i}": (v,) for i, v in enumerate(values[-3:])}, ())


@pytest.mark.parametrize("seed", range(40))
def test_the_same_is_computed_by_fewer_operations(seed: int) -> None:
    rng = random.Random(seed)
    program = logic(rng, rng.randrange(1, 40))
    joined = three_operands(program)
    words = {name: rng.getrandbits(128) for name in INPUTS}
    assert joined.run(words) == program.run(words)
    assert len(joined.ops) <= len(program.ops)


def added(count: int) -> Program:
    builder = Builder(128, tuple((f"S{i}", 0) for i in range(count)))
    return finished(builder, "added", {"S'0": (builder.xor(*range(count)),)}, ())


@pytest.mark.parametrize(("count", "most"), [(2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (9, 4), (27, 13)])
def test_terms_are_added_up_three_at_a_time(count: int, most: int) -> None:
    joined = three_operands(added(count))
    assert len(joined.ops) == most
    # As a tree: no sum of 27 waits for twelve others.
    depth = [0] * joined.first
    for op in joined.ops:
        depth.append(1 + max(depth[a] for a in op.args))
    assert max(depth) <= most if count < 9 else max(depth) == {9: 2, 27: 3}[count]
    words = {name: 1 << k for k, name in enumerate(joined.inputs)}
    assert joined.run(words)["S'0"] == ((1 << count) - 1,)


def test_a_term_that_is_there_late_is_added_last() -> None:
    builder = Builder(128, INPUTS)
    late = builder.op("aesenc", 0, 1)
    total = builder.op("xor", builder.op("xor", late, 2), builder.op("xor", builder.op("xor", 3, 4), 5))
    joined = three_operands(finished(builder, "late", {"S'0": (total,)}, ()))
    assert [op.kind for op in joined.ops] == ["aesenc", "ternary", "ternary"]
    assert joined.first in joined.ops[-1].args


def test_a_block_of_aegis_takes_two_operations_a_word() -> None:
    """Ciphertext is m ^ s1 ^ s6 ^ (s2 & s3)."""
    recording = plan(get_stream("aegis-128l")).seal
    two, three = (lower(recording, machine) for machine in (AESNI, EVEX128))
    assert sum(op.kind in ("xor", "and") for op in two.ops) == 10
    assert [op.kind for op in three.ops if op.kind != "aesenc"].count("ternary") == 4
    assert len(three.ops) == len(two.ops) - 4


def test_what_another_operation_takes_stays() -> None:
    builder = Builder(128, INPUTS)
    shared = builder.op("and", 0, 1)
    sums = [builder.op("xor", shared, k) for k in (2, 3)]
    outputs: dict[str, tuple[int, ...]] = {f"S'{i}": (v,) for i, v in enumerate(sums)}
    program = finished(builder, "shared", outputs, ((7, (shared,)),))
    assert three_operands(program) == program
    alone = replace(program, outputs={"S'0": (sums[0],)}, ops=program.ops[:2])
    assert three_operands(alone).cuts == ()
