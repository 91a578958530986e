"""The section of hardware: libraries, goals, figures, FPGAs, simulations.

Everything here is of rows; what a row is missing for, a command is named for that makes it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from roundworks import spec
from roundworks.report import hardware_figures as figures
from roundworks.report.frame import MAKERS, Figure, made_by
from roundworks.report.hardware_components import part_names
from roundworks.report.hardware_goals import GoalVerdict, verdicts
from roundworks.report.hardware_pipelines import is_trace, pipelines
from roundworks.report.hardware_rows import (
    NetlistLine,
    Printed,
    command,
    conditions_note,
    counts,
    is_part,
    library_words,
    lines,
    newest_runs,
    printed_of,
    script_words,
    words,
)
from roundworks.report.hardware_sources import Sources, is_older, sources
from roundworks.rows import Row

# Cells by the names that the tools give them.
_LOGIC = ("ICESTORM_LC", "SB_LUT4", "TRELLIS_COMB", "TRELLIS_SLICE", "LUT4")
_FLOPS = ("SB_DFF", "TRELLIS_FF")
_MEMORY = ("ICESTORM_RAM", "SB_RAM40_4K", "DP16KD")


@dataclass(frozen=True, slots=True)
class LibrarySection:
    """One cell library: what was synthesised to it, and the printed points next to it."""

    name: str
    lines: tuple[NetlistLine | Printed, ...]
    parts: tuple[NetlistLine, ...]
    nand2_um2: float

    @property
    def rows(self) -> list[Row]:
        """The rows of ours behind the section."""
        return [line.row for line in (*self.lines, *self.parts) if isinstance(line, NetlistLine)]

    @property
    def conditions(self) -> str:
        """A note on powers estimated under older boundary conditions; empty if there is none."""
        return conditions_note(
            line.power for line in self.lines if isinstance(line, NetlistLine) and line.power
        )


@dataclass(frozen=True, slots=True)
class Fpga:
    """A row of place and route; ``printed`` is the clock of a paper for such a core, ``older`` whether
    another row of it names a newer source."""

    row: Row
    printed: spec.PrintedClock | None
    older: bool = False

    def used(self, names: Sequence[str]) -> int | None:
        """Cells of the first of these names that the tool counts; None where it has none."""
        cells = self.row["resources"]
        for name in names:
            same = [n for cell, n in cells.items() if cell.upper().startswith(name)]
            if same:
                return int(sum(same))
        return None

    def facts(self) -> dict[str, Any]:
        """The same as one JSON object."""
        kept = ("core", "parameters", "family", "device", "fmax_mhz", "harness_flops", "resources")
        return {k: self.row[k] for k in kept} | {
            "printed_mhz": self.printed.mhz if self.printed else None,
            "luts": self.logic,
            "flops": self.flops,
            "memories": self.memory,
            "older_source": self.older,
        }

    @property
    def logic(self) -> int | None:
        """Logic cells."""
        return self.used(_LOGIC)

    @property
    def flops(self) -> int | None:
        """Flip-flops."""
        return self.used(_FLOPS)

    @property
    def memory(self) -> int:
        """Memory blocks."""
        return self.used(_MEMORY) or 0

    @property
    def parameters(self) -> str:
        """Parameters of the core, for a table."""
        return words(self.row["parameters"])


@dataclass(frozen=True, slots=True)
class RunSection:
    """A bench on a simulator; ``counted`` are the cycle counts it reports, ``older`` as above."""

    row: Row
    older: bool = False

    @property
    def parameters(self) -> str:
        """Parameters of the core, for a table."""
        return words(self.row["parameters"])

    @property
    def of(self) -> int:
        """Tests that the bench has."""
        return len(self.row["tests"])

    @property
    def passed(self) -> int:
        """Tests that passed."""
        return sum(test["passed"] for test in self.row["tests"])

    @property
    def failed(self) -> str:
        """Names of the tests that failed."""
        return ", ".join(test["name"] for test in self.row["tests"] if not test["passed"])

    @property
    def counted(self) -> int:
        """Messages whose cycles were counted."""
        return sum("cycles" in report for report in self.row["reports"])

    def facts(self) -> dict[str, Any]:
        """The same as one JSON object."""
        kept = ("core", "parameters", "simulator", "version", "netlist", "seed")
        return {k: self.row[k] for k in kept} | {
            "tests": self.of,
            "passed": self.passed,
            "cycle_counts": self.counted,
            "older_source": self.older,
        }


@dataclass(frozen=True, slots=True)
class Missing:
    """A cell of the tables above that is empty: ``kind`` says of which column, ``name`` of which line."""

    core: str
    kind: str
    name: str
    library: str
    command: str

    @property
    def what(self) -> str:
        """What is missing, in words."""
        return f"{self.kind} of {self.name}" + (f", {self.library}" if self.library else "")


@dataclass(frozen=True, slots=True)
class Hardware:
    """What the page says of our cores."""

    libraries: tuple[LibrarySection, ...]
    verdicts: tuple[GoalVerdict, ...]
    areas: tuple[Figure, ...]
    energies: tuple[Figure, ...]
    pipelines: tuple[Figure, ...]
    fpgas: tuple[Fpga, ...]
    runs: tuple[RunSection, ...]
    missing: tuple[Missing, ...]

    def reached(self, state: str) -> int:
        """How many goals are in this state."""
        return sum(verdict.state == state for verdict in self.verdicts)


def hardware(
    simulations: Sequence[Row],
    synthesis: Sequence[Row],
    powers: Sequence[Row],
    fpgas: Sequence[Row],
    *,
    newest: Sources | None = None,
) -> Hardware:
    """`newest`: where these are not all rows, the sources that all of them name."""
    newest = sources(simulations, synthesis, fpgas) if newest is None else newest
    cycles = counts(row for row in simulations if not is_older(row, newest))
    netlists = [replace(line, older=is_older(line.row, newest)) for line in lines(synthesis, powers, cycles)]
    cores = [line for line in netlists if not is_part(line)]
    return Hardware(
        libraries=tuple(_libraries(netlists)),
        verdicts=tuple(verdicts(cores)),
        areas=tuple(_areas(cores)),
        energies=tuple(_energies(cores, powers)),
        pipelines=tuple(pipelines(simulations)),
        fpgas=tuple(
            Fpga(row, _clock(row), is_older(row, newest))
            for row in newest_runs(fpgas, "family", "device", "block_ram", "seed")
        ),
        runs=tuple(
            RunSection(row, is_older(row, newest))
            for row in newest_runs(_benches(simulations), "simulator", "netlist")
        ),
        missing=tuple(missing(cores, simulations)),
    )


def _areas(cores: Sequence[NetlistLine]) -> Iterator[Figure]:
    title, maker = "Area against throughput", MAKERS["synthesis"]
    points = figures.area_points(cores)
    if not points:
        yield Figure("area", title, "", Markup(""), None, maker)
    for family in sorted({p["family"] for p in points}):
        here = [p for p in points if p["family"] == family]
        hollow = "Hollow: [AEGIS-HW, table 1], its clock frequency times bits per cycle. "
        caption = Markup(
            "Filled: ours, before layout, at the period of OpenSTA. {}Long messages, without initialisation. "
        ).format(hollow if any(p["printed"] for p in here) else "")
        caption += made_by([line.row for line in cores if figures.family(line.core) == family])
        yield Figure(
            f"area-{family}",
            f"{title}: {family}",
            figures.say_area(here),
            caption,
            figures.figure_area(here),
            maker,
        )


def _energies(cores: Sequence[NetlistLine], powers: Sequence[Row]) -> Iterator[Figure]:
    """Of each library; ciphers that are compared have figures of their own."""
    title, maker = "Energy per bit against message size", MAKERS["power"]
    compared = {compared.core for compared in spec.compared_ciphers()}
    estimated = [line for line in cores if line.power and line.core not in compared]
    points = figures.energy_points(estimated, powers)
    if not points:
        yield Figure("energy", title, "", Markup(""), None, maker)
    for library in dict.fromkeys(p["library"] for p in points):
        here = [p for p in points if p["library"] == library]
        behind = [line.power for line in estimated if line.power and line.row["library"] == library]
        caption = Markup("Leakage included, no associated data. {} ").format(conditions_note(behind))
        caption += made_by(behind)
        yield Figure(
            f"energy-{library}",
            f"{title}: {library}",
            figures.say_energy(here),
            caption,
            figures.figure_energy(here),
            maker,
        )


def _libraries(found: Sequence[NetlistLine]) -> list[LibrarySection]:
    made = []
    for name in dict.fromkeys(str(line.row["library"]) for line in found):
        here = [line for line in found if line.row["library"] == name]
        cores = [line for line in here if not is_part(line)]
        shown: list[NetlistLine | Printed] = []
        # The printed points stand behind the last line of their design.
        for place, line in enumerate(cores):
            shown.append(line)
            later = [other.design for other in cores[place + 1 :]]
            if line.design and line.design not in later:
                shown += printed_of([line])
        # Those of tables 3 to 5 have tables of their own.
        parts = tuple(line for line in here if is_part(line) and line.core not in part_names())
        made.append(LibrarySection(name, tuple(shown), parts, float(here[0].row["nand2_um2"])))
    return made


def _benches(simulations: Iterable[Row]) -> list[Row]:
    """Whole runs: one of a single test, or of a trace, takes nothing back."""
    whole = [row for row in simulations if not is_trace(row) and " --test " not in row["command"]]
    return [row for row in whole if "driver" not in row]


def _clock(row: Row) -> spec.PrintedClock | None:
    return next((c for c in spec.printed_clocks() if row["core"] in c.cores), None)


def missing(cores: Iterable[NetlistLine], simulations: Sequence[Row]) -> list[Missing]:
    """Rows without which a cell above is empty, and what makes them."""
    cores = list(cores)
    gaps: list[Missing] = []
    for design in spec.designs():
        if design.core not in {line.core for line in cores}:
            gaps.append(
                Missing(design.core, "area and clock", design.name, "", command("synth", design.core, {}))
            )
        if design.core not in {row["core"] for row in simulations}:
            gaps.append(Missing(design.core, "clocks", design.name, "", command("sim", design.core, {})))
    for line in cores:
        chosen, name = line.row["parameters"], f"{line.core} {line.parameters}".strip()
        if line.rate is None:
            gaps.append(Missing(line.core, "clocks", name, "", command("sim", line.core, chosen)))
        if line.power is None:
            cells, kept = library_words(line.row), f" --netlist {line.core}.v"
            gaps.append(
                Missing(
                    line.core,
                    "power",
                    name,
                    str(line.row["library"]),
                    f"{command('synth', line.core, chosen, cells + script_words(line.row) + kept)} && "
                    + command("power", line.core, chosen, cells + kept),
                )
            )
    return list({each.command: each for each in gaps}.values())
