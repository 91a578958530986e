"""Permutations lowered: what the files of every language have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from ..errors import DescriptionError
from ..lower.lowering import (
    AARCH64,
    AESNI,
    GFNI,
    MACHINES,
    PORTABLE,
    VAES256,
    VAES512,
    Machine,
    byte_order,
    single,
)
from ..lower.rounds import RoundRun, runs
from ..reference import Permutation
from .functions import SINGLE, Bodies, Function, prove_read

BLOCKWISE = (*SINGLE, VAES256, VAES512)
"""Machines of the C file: registers of 256 and 512 bits have words of several blocks."""
REGISTERS = {AESNI: 12, GFNI: 12, VAES256: 12}
"""The words of as many blocks as fit are under way at once: on these of 16 registers, which also have round
keys and sums; on others, which have 32, in 16."""


class Lowered:
    """A permutation on one machine, the same program on every block of a register."""

    def __init__(self, cipher: Permutation[Any], steps: Sequence[RoundRun], machine: Machine) -> None:
        self.cipher, self.machine = cipher, machine
        self.order = byte_order(machine, [run.recording for run in steps])
        self.functions = [
            Function(f"rounds_{i}", single(run.recording, machine, self.order), run.recording)
            for i, run in enumerate(steps, 1)
        ]
        self.layout = machine.layout(cipher.word_bits, self.order)
        self.alone = [
            self._alone(f, i) if machine.aes and machine.lanes == 1 else f
            for i, f in enumerate(self.functions, 1)
        ]
        """Those of one block, which waits for nothing but itself."""
        operations = sum(len(f.program.ops) * run.times for f, run in zip(self.functions, steps, strict=True))
        self.operations = operations / machine.lanes
        """Operations of a block, counted as parts of registers."""

    def _alone(self, f: Function, number: int) -> Function:
        program = single(f.recording, self.machine, self.order, alone=True)
        return f if program == f.program else Function(f"alone_{number}", program, f.recording)

    @property
    def groups(self) -> int:
        """Registers of blocks under way at once, each with a block in every lane."""
        words = self.cipher.words * self.layout.parts
        return max(1, REGISTERS.get(self.machine, 16) // words) if self.machine.bits == 128 else 1

    @cached_property
    def pairs(self) -> list[Function]:
        """The functions of the rounds on two blocks, each value of both; none where a value is a register."""
        return [replace(f, name=f"{f.name}_pair") for f in self.functions] if self.machine.bits == 64 else []

    def all(self) -> list[Function]:
        """The functions of the rounds."""
        return self.functions + [f for f in self.alone if f not in self.functions]


def lowered(
    cipher: Permutation[Any], machines: Sequence[str] = (), among: Sequence[Machine] = SINGLE
) -> list[Lowered]:
    """The permutation on the machines named; else on the portable one and on each of ``among`` on which a
    block takes fewer operations than on all before it of its kind."""
    steps, result = runs(cipher), list[Lowered]()
    for machine in [MACHINES[name] for name in machines] or among:
        if machine not in among:
            raise DescriptionError(
                f"{cipher.name}: {machine.name}: of a permutation code is generated for"
                f" {', '.join(m.name for m in among)}"
            )
        try:
            new = Lowered(cipher, steps, machine)
        except DescriptionError:
            if machines or machine is PORTABLE:
                raise
            continue
        before = [f for f in result if f.machine is PORTABLE or machine is not AARCH64]
        if machines or all(new.operations < f.operations for f in before):
            result.append(new)
    return result


def prove_permutation(cipher: Permutation[Any], read: Bodies) -> dict[str, Any]:
    """Every function that was read from a file, proven; see `c.prove`."""
    steps, proofs = runs(cipher), dict[str, Any]()
    for name in dict.fromkeys(machine for _, machine in read):
        made = Lowered(cipher, steps, MACHINES[name])
        wanted = made.all() + [f for f in made.pairs if (f.name, name) in read]
        proofs[name] = prove_read(wanted, read, name, made.layout)
    return proofs
