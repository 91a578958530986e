"""Drawings of hardware cores for the report: their blocks, and which word stands where."""

from __future__ import annotations

import time
from pathlib import Path

from ..hardware.cores import assignments, core, cores
from ..hardware.drawing.graphviz import drawing
from ..hardware.drawing.pipeline import trace
from ..hardware.flow.tools import versions
from ..rows import DrawingRow, Row, SimulationRow
from .hardware import choose, simulation_fields
from .result import Result


def draw(name: str | None = None, parameters: tuple[str, ...] = (), file: Path | None = None) -> Result[Row]:
    """A row for each drawing of blocks, from the elaborated source; and for each trace, simulated.

    ``name``: one core, or every core of ``file`` or of ours; ``parameters`` as ``Sbox=lut``.
    """
    rows: list[Row] = []
    notes = []
    for subject in [core(name, file)] if name else cores(file):
        started = time.perf_counter()
        given = subject.chosen(assignments(parameters))
        fields = drawing(subject, given)
        words = f"roundworks hw-report --drawings --core {choose(subject.name, given, cores_file=file).words}"
        spent, tools = time.perf_counter() - started, versions("pyosys")
        rows.append(DrawingRow.make(command=words, seconds=spent, tools=tools, **fields))
        notes.append(f"drew {fields['title']}")
        # A trace is of the defaults: its pattern is that of the design, not of a circuit in it.
        if subject.trace and not parameters and not file:
            traced = simulation_fields(trace(subject.name)[0])
            rows.append(SimulationRow.make(command=words, **traced))
            notes[-1] += ", and which word is where"
    return Result(tuple(rows), (), tuple(notes))
