"""First-order probes of a masked pipeline, each seen with the glitches of its gates; exact.

A probe on a wire shows what every register and input in front of it holds, for gates that glitch may show
any function of those. Whatever a synthesis makes of the gates, a wire sees no more as long as the registers
stay, and no output of the gates reads other registers than before. With transitions a probe shows two cycles one
after the other. [GLITCHES]

Inputs: ``random_i`` is uniform and new in every cycle; of every other input the low and the high half are
two shares of a secret value, uniform and new in every cycle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...errors import HardwareError
from ..cores import Core, label
from ..formal.netlist import BitNetlist, netlist
from .sums import ONE, ZERO, Expression, Sums

RANDOM = "random_i"
CLOCK = "clk_i"


@dataclass(frozen=True, slots=True)
class ProbingProof:
    """``probes``: sets of registers and inputs that a wire reads, of which none is part of another.

    ``widest``: bits of the largest of them. ``enumerated``: variables of the largest enumeration, after uniform
    bits that nothing else depends on were left out.
    """

    core: str
    transitions: bool
    probes: int
    widest: int
    enumerated: int
    certainty: str = "proven"


def prove_probes(core: Core, parameters: Mapping[str, str], *, transitions: bool = False) -> ProbingProof:
    """Prove that what any one probe shows does not depend on the secret values.

    Raises
    ------
    HardwareError
        ``aes-sbox-masked: what leads to u_high.mixed_q[0][2] depends on the secret, by 9 bits that it reads``
    """
    circuit = netlist(core, parameters)
    unrolled = Unrolled(core, circuit)
    cones = _cones(circuit)
    enumerated, undecided = 0, ""
    for bits, place in cones.items():
        seen = [unrolled.value(bit, age) for bit in sorted(bits) for age in range(1 + transitions)]
        try:
            same, variables = unrolled.sums.independent(seen)
        except ValueError as error:
            undecided = undecided or f"{core.name}: {place}: not decided: {error}"
            continue
        if not same:
            given = label(core.chosen(parameters))
            raise HardwareError(
                f"{core.name} {given}: what leads to {place} depends on the secret, by {len(bits)} bits"
                " that it reads"
            )
        enumerated = max(enumerated, variables)
    if undecided:
        raise HardwareError(undecided)
    return ProbingProof(core.name, transitions, len(cones), max(map(len, cones)), enumerated)


def _cones(circuit: BitNetlist) -> dict[frozenset[int], str]:
    """What each register and output reads: registers and inputs, without those that are part of another;
    the name of one place that reads it."""
    reads: dict[int, frozenset[int]] = {0: frozenset(), 1: frozenset()}
    sources = {bit for port in circuit.inputs.values() for bit in port} | {q for q, _ in circuit.flops}
    reads |= {bit: frozenset({bit}) for bit in sources}
    for cell in circuit.cells:
        for bit in cell.outputs:
            reads[bit] = frozenset().union(*(reads[i] for i in cell.inputs))
    places: dict[frozenset[int], str] = {}
    for port, bits in circuit.outputs.items():
        for i, bit in enumerate(bits):
            places.setdefault(reads[bit], f"{port}[{i}]")
    for q, d in circuit.flops:
        places.setdefault(reads[d], circuit.names.get(q, f"register {q}"))
    return {
        bits: place for bits, place in places.items() if bits and not any(bits < other for other in places)
    }


class Unrolled:
    """Bits of a pipeline as expressions in the inputs of this cycle and of those before it."""

    def __init__(self, core: Core, circuit: BitNetlist) -> None:
        self.sums = Sums()
        self._core = core
        self._cell = {bit: cell for cell in circuit.cells for bit in cell.outputs}
        self._next = dict(circuit.flops)
        self._port = {bit: (port, i) for port, bits in circuit.inputs.items() for i, bit in enumerate(bits)}
        self._halves = {port: len(bits) // 2 for port, bits in circuit.inputs.items()}
        self._known: dict[tuple[int, int], Expression] = {}
        self._inputs: dict[tuple[str, int, int], Expression] = {}
        for port, bits in circuit.inputs.items():
            if port not in (RANDOM, CLOCK) and len(bits) % 2:
                raise HardwareError(f"{core.name}: {port}: want two shares, got {len(bits)} bits")

    @property
    def inputs(self) -> Mapping[tuple[str, int, int], Expression]:
        """Port, bit of it and age of each input that was read so far -> its variable."""
        return self._inputs

    def value(self, bit: int, age: int) -> Expression:
        """What a bit was, `age` cycles ago."""
        if bit < 2:
            return ONE if bit else ZERO
        if (bit, age) not in self._known:
            if age > len(self._next) + 1:
                raise HardwareError(f"{self._core.name}: want a pipeline, got registers that feed themselves")
            self._known[bit, age] = self._made(bit, age)
        return self._known[bit, age]

    def _made(self, bit: int, age: int) -> Expression:
        if bit in self._next:
            return self.value(self._next[bit], age + 1)
        if bit in self._port:
            return self._input(*self._port[bit], age)
        cell, of = self._cell[bit], self.sums
        given = [self.value(i, age) for i in cell.inputs]
        match cell.kind:
            case "$_XOR_":
                return given[0] ^ given[1]
            case "$_XNOR_":
                return given[0] ^ given[1] ^ ONE
            case "$_NOT_":
                return given[0] ^ ONE
            case "$_BUF_":
                return given[0]
            case "$_AND_":
                return of.both(given[0], given[1])
            case "$_NAND_":
                return of.both(given[0], given[1]) ^ ONE
            case "$_OR_":
                return of.both(given[0] ^ ONE, given[1] ^ ONE) ^ ONE
            case "$_NOR_":
                return of.both(given[0] ^ ONE, given[1] ^ ONE)
            case "$_MUX_":
                return of.both(given[0] ^ given[1], given[2]) ^ given[0]
        raise HardwareError(f"{self._core.name}: want gates alone, got {cell.kind}")

    def _input(self, port: str, place: int, age: int) -> Expression:
        half = self._halves[port]
        if port == RANDOM or place < half:
            return self._variable(port, place, age)
        secret = self._variable(port, place, age, secret=True)
        return secret ^ self._variable(port, place - half, age)

    def _variable(self, port: str, place: int, age: int, *, secret: bool = False) -> Expression:
        key = (port, place, age)
        if key not in self._inputs:
            self._inputs[key] = self.sums.variable(secret=secret)
        return self._inputs[key]
