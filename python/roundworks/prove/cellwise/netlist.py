"""What a recorded graph does to single cells: S-boxes, sums, ANDs and linear maps between wires.

A wire is a value that differs or not. The netlist of a description is made in `build`, and
transposed for masks in `masks`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...analysis.codes import CodeMap
from ...reference import Sbox

Sum = frozenset[int]  # of atoms; empty for what never changes
Wire = int


@dataclass(frozen=True, slots=True)
class SboxCell:
    """``times``: how often the description executes it."""

    input: Wire
    output: Wire
    sbox: Sbox
    times: int
    line: str


@dataclass(frozen=True, slots=True)
class Xor:
    """The sum of wires."""

    operands: tuple[Wire, ...]
    output: Wire


@dataclass(frozen=True, slots=True)
class Linear:
    """``map`` from operands to outputs; an operand that never changes is None.

    ``places``: the nodes that do this, and which of their cells come in.
    """

    map: CodeMap
    operands: tuple[Wire | None, ...]
    outputs: tuple[Wire, ...]
    places: tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class And:
    """The operands that change; the output may change as soon as one of them does."""

    operands: tuple[Wire, ...]
    output: Wire


Op = SboxCell | Xor | Linear | And
Cells = tuple[Sum, ...]


@dataclass
class CellNetlist:
    """``ops`` in topological order. Wires that no op gives are the cells of the free inputs.

    ``values`` has the cells of every node of the graph that was looked at, cell 0 first; a sum has
    a wire in ``wires`` unless it stands in one larger sum only, which is ``opened_into``.
    """

    cell_bits: int
    ops: list[Op] = field(default_factory=list)
    count: int = 0
    inputs: dict[str, tuple[Wire | None, ...]] = field(default_factory=dict)
    outputs: dict[str, tuple[Wire | None, ...]] = field(default_factory=dict)
    values: dict[int, Cells] = field(default_factory=dict)
    wires: dict[Sum, Wire] = field(default_factory=dict)
    opened_into: dict[Sum, Sum] = field(default_factory=dict)
    parts: dict[Sum, tuple[Sum, Sum]] = field(default_factory=dict)

    def wire(self) -> Wire:
        """A new wire."""
        self.count += 1
        return self.count - 1

    @property
    def sboxes(self) -> list[SboxCell]:
        """Its S-boxes, in order."""
        return [op for op in self.ops if isinstance(op, SboxCell)]
