"""Permutations lowered: what the files of every language have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import DescriptionError
from ..lower.lowering import MACHINES, PORTABLE, Machine, byte_order, lower
from ..lower.maps import layout
from ..lower.rounds import RoundRun, runs
from ..reference import Permutation
from .functions import SINGLE, Bodies, Function, prove_read

REGISTERS = 16
"""Of 128 bits: the words of as many blocks as fit are under way at once."""


class Lowered:
    """A permutation on one machine."""

    def __init__(self, cipher: Permutation[Any], steps: Sequence[RoundRun], machine: Machine) -> None:
        self.cipher, self.machine = cipher, machine
        self.order = byte_order(machine, [run.recording for run in steps])
        self.functions = [
            Function(f"rounds_{i}", lower(run.recording, machine, self.order), run.recording)
            for i, run in enumerate(steps, 1)
        ]
        self.layout = layout(cipher.word_bits, machine.bits, self.order)
        self.operations = sum(
            len(f.program.ops) * run.times for f, run in zip(self.functions, steps, strict=True)
        )

    def all(self) -> list[Function]:
        """The functions of the rounds."""
        return self.functions


def lowered(cipher: Permutation[Any], machines: Sequence[str] = ()) -> list[Lowered]:
    """The permutation on every machine that has it and gains by it, or on those named."""
    steps = runs(cipher)
    result = []
    for machine in [MACHINES[name] for name in machines] or SINGLE:
        if machine.lanes > 1:
            raise DescriptionError(
                f"{cipher.name}: {machine.name} is for streaming ciphers in C; of a permutation code is"
                f" generated for {', '.join(m.name for m in SINGLE)}"
            )
        try:
            result.append(Lowered(cipher, steps, machine))
        except DescriptionError:
            if machines or machine is PORTABLE:
                raise
    portable = next((f for f in result if f.machine is PORTABLE), None)
    if machines or portable is None:
        return result
    return [f for f in result if f is portable or f.operations < portable.operations]


def prove_permutation(cipher: Permutation[Any], read: Bodies) -> dict[str, Any]:
    """Every function that was read from a file, proven; see `c.prove`."""
    steps, proofs = runs(cipher), dict[str, Any]()
    for name in dict.fromkeys(machine for _, machine in read):
        made = Lowered(cipher, steps, MACHINES[name])
        proofs[name] = prove_read(made.functions, read, name, made.layout)
    return proofs
