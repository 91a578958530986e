"""Permutations lowered: what the files of every language have in common."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

from ..errors import DescriptionError
from ..lower.lowering import byte_order, single
from ..lower.machines import MACHINES, PLANES, PORTABLE, VAES256, VAES512, Machine, machines_named
from ..lower.rounds import RoundRun, copies, runs
from ..reference import Permutation, Sbox
from .functions import SINGLE, Bodies, Function, prove_read, sliced_words, worthwhile

BLOCKWISE = (*SINGLE, VAES256, VAES512)
"""Machines of the C file: registers of 256 and 512 bits have words of several blocks."""
CLEARLY = 0.6
"""Words are in planes where that takes this share of operations or less."""


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
        self.together, self.many = self._together(steps) if machine.cell else (1, [])
        """Blocks whose words are made planes together, and the functions on all of them."""
        operations = _operations(self.many or self.functions, steps)
        self.cost = operations / machine.lanes / self.together
        """Operations of a block, counted as parts of registers."""

    def _together(self, steps: Sequence[RoundRun]) -> tuple[int, list[Function]]:
        """As many blocks as take the fewest operations each; no functions if that is one."""
        best: tuple[float, int, list[Function]] = (_operations(self.functions, steps), 1, [])
        for blocks in (2, 4, 8):
            made = []
            for i, run in enumerate(steps, 1):
                recording = copies(run.recording, blocks)
                program = single(recording, self.machine, self.order)
                made.append(Function(f"rounds_{i}_many", program, recording))
            cost = _operations(made, steps) / blocks
            if cost < best[0]:
                best = cost, blocks, made
        return best[1:]

    @property
    def slices(self) -> list[Function]:
        """A word in the order of memory to planes and back, where the machine has words in planes."""
        return sliced_words(self.machine) if self.machine.cell else []

    def _alone(self, f: Function, number: int) -> Function:
        program = single(f.recording, self.machine, self.order, alone=True)
        return f if program == f.program else Function(f"alone_{number}", program, f.recording)

    @property
    def groups(self) -> int:
        """Registers of blocks under way at once, each with a block in every lane: as many as have their words in
        12 of 16 registers, where round keys and sums are as well, or in 16 of 32."""
        words = self.cipher.words * self.layout.parts
        alone = self.machine.bits == 64 or self.machine.cell
        return 1 if alone else max(1, (12 if self.machine.registers == 16 else 16) // words)

    @cached_property
    def pairs(self) -> list[Function]:
        """The functions of the rounds on two blocks, each value of both; none where a value is a register."""
        return [replace(f, name=f"{f.name}_pair") for f in self.functions] if self.machine.bits == 64 else []

    def all(self) -> list[Function]:
        """The functions of the rounds."""
        return self.functions + [f for f in self.alone if f not in self.functions] + self.many


def _operations(made: Sequence[Function], steps: Sequence[RoundRun]) -> float:
    return sum(len(f.program.ops) * run.times for f, run in zip(made, steps, strict=True))


@lru_cache(maxsize=16)
def _lowered(cipher: Permutation[Any], machine: Machine, planes: bool) -> Lowered:
    """On that machine; on the portable one with words in planes if a file can have them and it pays."""
    steps = runs(cipher)
    made = Lowered(cipher, steps, machine)
    if planes and machine is PORTABLE and cipher.word_bits == 128:
        nodes = [n for run in steps for n in run.recording.graph.nodes if n.op == "sub"]
        for cell in {n.detail.bits for n in nodes if isinstance(n.detail, Sbox)} & set(PLANES):
            with suppress(DescriptionError):
                other = Lowered(cipher, steps, PLANES[cell])
                # Two blocks share a value, see `pairs`; straight lines of few operations are in the cache too.
                if other.cost < CLEARLY * made.cost / 2:
                    made = other
    return made


def lowered(
    cipher: Permutation[Any], machines: Sequence[str] = (), among: Sequence[Machine] = SINGLE
) -> list[Lowered]:
    """The permutation on the machines named; else on the portable one and on each of ``among`` on which a
    block takes fewer operations than on all others that its CPUs have."""
    result = list[Lowered]()
    for machine in machines_named(machines) or among:
        if machine not in among:
            raise DescriptionError(
                f"{cipher.name}: {machine.name}: of a permutation code is generated for"
                f" {', '.join(m.name for m in among)}"
            )
        try:
            new = _lowered(cipher, machine, among is BLOCKWISE)
        except DescriptionError:
            if machines or machine is PORTABLE:
                raise
            continue
        if machines or all(new.cost < f.cost for f in result if machine.has(f.machine)):
            result.append(new)
    return result if machines else worthwhile(result)


def prove_permutation(
    cipher: Permutation[Any], read: Bodies, among: Sequence[Machine] = BLOCKWISE
) -> dict[str, Any]:
    """Every function that was read from a file, proven; see `c.prove`."""
    proofs = dict[str, Any]()
    for name in dict.fromkeys(machine for _, machine in read):
        made = _lowered(cipher, MACHINES[name], among is BLOCKWISE)
        wanted = made.slices + made.all() + [f for f in made.pairs if (f.name, name) in read]
        proofs[name] = prove_read(wanted, read, name, made.layout)
    return proofs
