"""Columns of 32 bits that change words: few operations, and the words that the description has."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from roundworks.lower.columns import found, with_columns
from roundworks.lower.lowering import single
from roundworks.lower.machines import AARCH64, AESNI
from roundworks.lower.maps import layout
from roundworks.lower.program import Program
from roundworks.lower.proof import NotEqual, prove
from roundworks.lower.rounds import runs
from roundworks.reference import Permutation, get_permutation
from roundworks.reference.columns import shuffled


class Moved(Permutation[Any]):
    """Columns of all words in another order, and nothing else."""

    name, rounds, word_bits = "moved", 1, 128

    def __init__(self, source: list[int]) -> None:
        self.source, self.words = source, len(source) // 4

    def round(self, S: Any, i: int) -> list[Any]:
        return shuffled(S, self.source)


def moved(source: list[int]) -> tuple[Program, Any]:
    recording = runs(Moved(source))[0].recording
    return single(recording, AESNI), recording


@pytest.mark.parametrize("words", [2, 3, 4])
def test_any_order_of_columns(words: int) -> None:
    rng = random.Random(words)
    place = layout(128, 128)
    for _ in range(6):
        source = rng.sample(range(4 * words), 4 * words)
        program, recording = moved(source)
        prove(program, recording, place)
        given = {(f"S{i}", 0): rng.getrandbits(128) for i in range(words)}
        made = program.run(given)
        # Column j of a word is its bytes 4 j.., from the lowest.
        before = [given[f"S{j // 4}", 0] >> 32 * (j % 4) & 0xFFFFFFFF for j in range(4 * words)]
        for i in range(words):
            want = sum(before[source[4 * i + k]] << 32 * k for k in range(4))
            assert made[f"S'{i}"] == (want,)


@pytest.mark.parametrize(
    ("name", "most"), [("haraka-256", 2), ("haraka-512", 8), ("pholkos-256", 2), ("pholkos-512", 8)]
)
def test_as_few_operations_as_by_hand(name: str, most: int) -> None:
    recording = max((run.recording for run in runs(get_permutation(name))), key=lambda r: len(r.graph.nodes))
    for machine in (AESNI, AARCH64):
        program = single(recording, machine)
        kinds = [op.kind for op in program.ops]
        assert 0 < kinds.count("columns") <= most and not {"xor", "and", "shuffle"} & set(kinds)
        prove(program, recording, layout(128, 128))
    # One wrong column is found.
    i = kinds.index("columns")
    imm: Any = program.ops[i].imm
    wrong = replace(program.ops[i], imm=(*imm[1:], imm[0]))
    mutant = replace(program, ops=(*program.ops[:i], wrong, *program.ops[i + 1 :]))
    with pytest.raises(NotEqual):
        prove(mutant, recording, layout(128, 128))


def test_a_program_without_columns_stays() -> None:
    program = single(runs(get_permutation("areion-512"))[0].recording, AESNI)
    assert with_columns(program) is program
    assert found((((0, 0), (1, 0), (0, 1), (1, 1)),)) == (((0, 1, (0, 4, 1, 5)),), (2,))
