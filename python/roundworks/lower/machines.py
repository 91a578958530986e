"""Instruction sets that programs are made for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..errors import named
from .maps import Layout, layout
from .planes import planar


@dataclass(frozen=True, slots=True)
class Machine:
    """An instruction set: bits of a word in a value, how many a value has, and what there is beyond
    logic and shifts."""

    name: str
    bits: int
    aes: bool = False
    gfni: bool = False
    pairs: bool = False
    """Whether it joins half bytes by a multiplication of bytes and a packing of numbers."""
    ternary: bool = False
    """Whether any function of three bits is one operation."""
    registers: int = 16
    """Of vectors."""
    lanes: int = 1
    cell: int = 0
    """Bits of a cell where words are in bit planes."""

    @property
    def _vaes(self) -> bool:
        return self.ternary or (self.aes and self.lanes > 1)

    def has(self, other: Machine) -> bool:
        """Whether every CPU that this one is for has the other one, too. Of those for x86 each has AES-NI, and CPUs
        with AVX-512 that lack GFNI or VAES have none of ours for AVX-512."""
        if self.name == other.name or other.name == PORTABLE.name:
            return True
        if {self.name, other.name} & {PORTABLE.name, AARCH64.name}:
            return False
        lanes = 4 if self.ternary else self.lanes
        return (
            other.lanes <= lanes
            and other.gfni <= self.gfni
            and other.ternary <= self.ternary
            and other._vaes <= self._vaes
        )

    def layout(self, word_bits: int, order: str = "little") -> Layout:
        """Where the bits of a word stand in its values."""
        return planar(self.cell) if self.cell else layout(word_bits, self.bits, order)


PORTABLE = Machine("portable", 64)
PLANES = {cell: Machine("portable", 128, cell=cell) for cell in (4, 8)}
"""The portable machine with words of 128 bits in planes, by the bits of a cell: operations on 128 bits that
every CPU has, and which a compiler makes of two of 64 bits where it has not."""
AESNI = Machine("aesni", 128, aes=True, pairs=True)
GFNI = Machine("gfni", 128, aes=True, gfni=True, pairs=True)
AVX2 = Machine("avx2", 128, lanes=2, pairs=True)
VAES256 = Machine("vaes256", 128, aes=True, lanes=2, pairs=True)
VAES512 = Machine("vaes512", 128, aes=True, gfni=True, lanes=4, pairs=True, ternary=True, registers=32)
AVX512 = replace(VAES512, name="avx512", aes=False)
EVEX128, EVEX256 = (replace(VAES512, name=f"evex{128 * lanes}", lanes=lanes) for lanes in (1, 2))
"""What a CPU with `vaes512` does on shorter registers, which are enough for a cipher of few words."""
AARCH64 = Machine("aarch64", 128, aes=True, registers=32)
MACHINES = {
    machine.name: machine
    for machine in (PORTABLE, AESNI, GFNI, EVEX128, AVX2, AVX512, VAES256, EVEX256, VAES512, AARCH64)
}


def machines_named(names: Sequence[str]) -> list[Machine]:
    """Each once, in the order given.

    Raises
    ------
    UnknownName
        ``back end 'sse': not known; one of portable, aesni, ...``
    """
    return [named("back end", name, MACHINES) for name in dict.fromkeys(names)]
