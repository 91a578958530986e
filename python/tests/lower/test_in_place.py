"""The order of a program in which a new word takes the place of the old one."""

from __future__ import annotations

import random

import pytest

from roundworks.lower.in_place import in_place
from roundworks.lower.lowering import single
from roundworks.lower.machines import AESNI, VAES256
from roundworks.lower.pack import packed
from roundworks.lower.program import Op, Program
from roundworks.reference import get_stream, record_round


def _late(program: Program) -> list[str]:
    """The words of the state that are read behind the operation that makes the new one."""
    lanes, first = program.lanes, program.first
    given = {name: at // lanes for at, name in enumerate(program.inputs)}
    late = []
    for name, (value,) in program.outputs.items():
        old = given.get((f"S{name[2:]}", 0)) if name.startswith("S'") else None
        made = value // lanes - first
        if old is not None and any(old in op.args for op in program.ops[made + 1 :]):
            late.append(name)
    return late


@pytest.mark.parametrize(("name", "lanes"), [("aegis-128", 1), ("aegis-256x2", 1), ("aegis-256x2", 2)])
def test_no_word_of_the_state_is_read_behind_its_replacement(name: str, lanes: int) -> None:
    program = single(record_round(get_stream(name)), VAES256 if lanes == 2 else AESNI)
    if lanes == 2:
        program = packed(program, 2)
    ordered, rng = in_place(program), random.Random(1)
    assert _late(program) and not _late(ordered)
    assert sorted(op.kind for op in ordered.ops) == sorted(op.kind for op in program.ops)
    words = {each: rng.getrandbits(128) for each in program.inputs if each[0]}
    assert ordered.run(words) == program.run(words)
    assert {node for node, _ in ordered.cuts} == {node for node, _ in program.cuts}


def test_two_words_that_change_places_stay_as_they_are() -> None:
    """Each new word is read behind the other old one: a circle, of which one edge is left out."""
    ops = (Op("aesenc", (1, 0)), Op("aesenc", (0, 1)))
    swap = Program("f", 128, (("S0", 0), ("S1", 0)), ops, {"S'0": (2,), "S'1": (3,)}, ())
    assert in_place(swap).ops in (ops, ops[::-1])
    words = {("S0", 0): 1, ("S1", 0): 2}
    assert in_place(swap).run(words) == swap.run(words)
