"""The inner functions S . M . S around the matrix of a cipher: which S-boxes are strongest."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations

from .. import spec
from ..analysis import exact, inner
from ..analysis.sms import SmsUnit, sms_unit
from ..errors import DescriptionError
from ..reference import Sbox, get, record_round
from ..reproduce.run import Run
from ..rows import InnerRow, Row
from .result import Result, Table
from .study import Batches, Study, Unit, command_line

SHOWN = 10


@dataclass(frozen=True, slots=True)
class Inner(Study[Result[InnerRow]]):
    """S-boxes around the matrix of ``cipher``, ranked by exact probability and correlation.

    Of every class of optimal 4-bit S-boxes what no linear map behind it goes below; of every 4-bit S-box of
    ``spec/sboxes.toml`` the exact maxima with each of the 24 orders of its output wires, which cost no gate.
    """

    cipher: str = "aether"

    def __post_init__(self) -> None:
        self.unit()

    @property
    def command(self) -> str:
        """The command line of this study."""
        return command_line("inner", self.cipher)

    def unit(self) -> SmsUnit:
        """The inner function whose S-box is exchanged."""
        unit = sms_unit(record_round(get(self.cipher)))
        if unit.sbox.bits != 4:
            raise DescriptionError(f"{self.cipher}: {unit.name}: want cells of 4 bits, got {unit.sbox.bits}")
        return unit

    def plan(self) -> Sequence[Unit]:
        """A unit for each class, and for each S-box."""
        named = [Sbox(name, box.table) for name, box in spec.sboxes().items() if box.bits == 4]
        work = [(f"class {sbox.name}", _class, sbox) for sbox in inner.OPTIMAL_CLASSES]
        work += [(sbox.name, _wired, sbox) for sbox in named]
        return [Unit(title, self.command, partial(do, self, sbox)) for title, do, sbox in work]

    def reduce(self, rows: Sequence[Row]) -> Result[InnerRow]:
        """Classes in their order, and the best orders of wires."""
        ranked = [row for row in rows if isinstance(row, InnerRow)]
        columns = ("S-box", "wires", "maps", "differential", "correlation", "side")
        classes = [row for row in ranked if row.wires is None]
        best = sorted(
            (row for row in ranked if row.wires is not None),
            key=lambda row: (max(row.differential, row.correlation), row.differential + row.correlation),
        )
        tables = (
            Table("classes of optimal S-boxes", columns, tuple(map(_line, classes))),
            Table("orders of output wires", columns, tuple(map(_line, best[:SHOWN]))),
        )
        return Result(tuple(ranked), tables)


def _line(row: InnerRow) -> tuple[object, ...]:
    wires = None if row.wires is None else " ".join(map(str, row.wires))
    return (row.sbox, wires, row.maps, f"{row.differential:.4f}", f"{row.correlation:.4f}", row.side)


def _class(study: Inner, sbox: Sbox, run: Run) -> Batches:
    started = time.perf_counter()
    differential, correlation = inner.class_maxima(sbox, study.unit()).lowest
    yield [
        InnerRow.make(
            command=study.command,
            seconds=time.perf_counter() - started,
            unit=study.cipher,
            sbox=sbox.name,
            wires=None,
            maps=len(inner.linear_maps()),
            differential=differential,
            correlation=correlation,
            side="lower",
            certainty="proven",
        )
    ]


def _wired(study: Inner, sbox: Sbox, run: Run) -> Batches:
    unit = study.unit()
    for wires in permutations(range(4)):
        started = time.perf_counter()
        moved = replace(unit, sbox=inner.rewired(sbox, wires))
        differential = exact.differential_maximum(moved).log2
        correlation = exact.correlation_maximum(moved).log2
        yield [
            InnerRow.make(
                command=study.command,
                seconds=time.perf_counter() - started,
                unit=study.cipher,
                sbox=sbox.name,
                wires=list(wires),
                maps=1,
                differential=differential,
                correlation=correlation,
                side="exact",
                certainty="proven",
            )
        ]
