"""The cycle model: what a description costs on a CPU, from its graph and the CPU's instructions.

Three limits that no program beats, and an order of the instructions that a list scheduler finds:
the critical path (latency), the ports, and the registers, which say how many blocks can be under
way at once. `paper_rule` is the rule of [AESNI-PERM, section 5.1], which knows latency alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import Any

from .. import spec
from ..errors import DescriptionError
from ..reference import BlockCipher, Permutation, Recording, Sponge, record_rounds
from ..reference.aead import Rounds
from ..reference.record import Roundwise
from .instructions import instructions
from .schedule import crowded_limit, makespan, port_limit

_AES = ("aesenc", "aesenclast")


@dataclass(frozen=True, slots=True)
class Cycles:
    """Cycles of one block of ``block_bytes``, ``blocks`` of them interleaved.

    ``latency``, ``ports`` and ``registers`` are limits for one of the blocks; ``minimum`` is the
    maximum of them, and ``binds`` names it. ``scheduled`` is reached by an order, from the first
    start to the last result. ``crowded`` is the limit of the ports if all that can takes those of
    AES; ``registers_avx2`` the limit of the registers that AES-NI and AVX2 can name.
    """

    cipher: str
    cpu: str
    rounds: float
    bits: int
    blocks: int
    block_bytes: int
    aes: int
    mixing: int
    logic: int
    live: int
    path: int
    latency: float
    ports: float
    crowded: float
    registers: float
    registers_avx2: float
    busiest: tuple[str, ...]
    bypass_delays: int
    scheduled: float
    shared: bool

    @property
    def vectors(self) -> int:
        """Registers that a word of all blocks takes: as often is each instruction executed."""
        return _vectors(self.blocks, self.bits)

    @property
    def minimum(self) -> float:
        """The largest of the three limits, in cycles."""
        return max(self.latency, self.ports, self.registers)

    @property
    def binds(self) -> str:
        """latency, ports or registers; `schedule` where they get into each other's way."""
        if self.vectors == 1 and self.scheduled > 1.02 * self.minimum:
            return "schedule"
        limits = {"latency": self.latency, "ports": self.ports, "registers": self.registers}
        return max(limits, key=lambda name: limits[name])

    @property
    def expected(self) -> float:
        """Blocks of one vector take what its schedule takes; several vectors overlap the ends of theirs."""
        return self.scheduled if self.vectors == 1 else self.minimum

    @property
    def cycles_per_byte(self) -> float:
        """Expected cycles per byte of a block."""
        return self.expected / self.block_bytes

    @property
    def fields(self) -> dict[str, Any]:
        """All of it, for a row of kind cycles."""
        result = asdict(self) | {"busiest": list(self.busiest)}
        for name in ("minimum", "binds", "expected", "cycles_per_byte"):
            result[name] = getattr(self, name)
        return result


def default_blocks(cpu: spec.Cpu) -> int:
    """As many as [AESNI-PERM, section 5.2] interleaves: one for four registers."""
    return cpu.registers // 4


def cycles(
    it: Roundwise,
    cpu: spec.Cpu,
    rounds: int | None = None,
    *,
    bits: int = 128,
    blocks: int = 1,
    shared: bool = False,
) -> Cycles:
    """What ``rounds`` of a description take, 128-bit words of ``bits`` / 128 blocks in a register.

    A permutation has its own rounds unless given, a sponge those between two blocks of its rate; of another
    cipher that streams, a block is what eight rounds encrypt. Round constants are operands in memory; loads
    and stores are not counted.

    Raises
    ------
    DescriptionError
        ``aether.py:30: sub Orthros: no AES instruction does it; want SubBytes, ...``
    UnknownName
        ``cpu skylake: bits of aesenc '512': not known; one of 128``
    """
    cpu.timing("aesenc", bits)
    if blocks < 1:
        raise DescriptionError(f"blocks: want at least 1, got {blocks}")
    rounds = rounds or (it.rounds if isinstance(it, Permutation | BlockCipher | Sponge) else 8)
    recording = record_rounds(it, rounds, encrypting=True)
    program = instructions(recording, cpu, bits, shared=shared)
    vectors = _vectors(blocks, bits)
    count = Counter(instruction.kind for instruction in program.code)

    def ports(kind: str) -> tuple[str, ...]:
        return cpu.timing(kind, bits).ports

    def latency(kind: str, user: str) -> int:
        return cpu.latency(kind, user, bits)

    def of_registers(have: int) -> float:
        """With no more vectors under way than fit, at least one."""
        fit = min(vectors, max(1, have // live))
        return program.latency * vectors / fit / blocks

    live = program.registers()
    busy, names = port_limit(count, ports)
    return Cycles(
        cipher=it.name,
        cpu=cpu.name,
        rounds=it.counted(rounds) if isinstance(it, Permutation) else rounds,
        bits=bits,
        blocks=blocks,
        block_bytes=_block_bytes(it, rounds),
        aes=program.aes,
        mixing=program.mixing,
        logic=program.count("logic"),
        live=live,
        path=program.latency,
        latency=program.latency / blocks,
        ports=float(busy * vectors / blocks),
        crowded=float(crowded_limit(count, ports, _AES) * vectors / blocks),
        registers=of_registers(cpu.registers),
        registers_avx2=of_registers(cpu.registers_avx2),
        busiest=names,
        bypass_delays=_bypass_delays(recording, cpu),
        scheduled=makespan(program, latency, ports, vectors) / blocks,
        shared=shared,
    )


def _vectors(blocks: int, bits: int) -> int:
    return -(-blocks * 128 // bits)


def _block_bytes(it: Roundwise, rounds: int) -> int:
    if isinstance(it, Sponge):
        return it.rate_bytes
    if isinstance(it, Permutation | Rounds | BlockCipher):
        return it.words * it.word_bits // 8
    return rounds * it.rate_bytes


def _bypass_delays(recording: Recording, cpu: spec.Cpu) -> int:
    """How often the critical path leaves the AES instructions for others and comes back: what it
    gains on a CPU that takes one cycle more for it."""
    plain = instructions(recording, _slower(cpu, 0)).latency
    return instructions(recording, _slower(cpu, 1)).latency - plain


def _slower(cpu: spec.Cpu, by: int) -> spec.Cpu:
    """The CPU with ``by`` more cycles from an AES instruction to another kind than to AES."""
    timings = tuple(
        replace(t, latency_to_others=t.latency + by) if t.kind in _AES else t for t in cpu.timings
    )
    return replace(cpu, timings=timings)


def paper_rule(it: Permutation[Any], rounds: int, latency: int) -> int:
    """[AESNI-PERM, section 5.1]: the AES instructions of the longest function of a round one after
    another, times the rounds. Read off the graph: the longest chain of them in one round."""
    graph = record_rounds(it, 1).graph
    depth: dict[int, int] = {}
    for node in graph.nodes:
        here = max((depth[i] for i in node.inputs), default=0)
        depth[node.id] = here + (node.op == "sub")
    return max(depth.values()) * rounds * latency
