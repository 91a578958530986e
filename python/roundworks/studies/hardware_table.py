"""The hardware tables of a paper: a unit for each core with its parameters, which makes its netlists and estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..hardware.cores import Core, core, label
from ..hardware.cycles.aead import of as cycles_of
from ..hardware.flow.synthesis import Job, Synthesis, synthesise
from ..hardware.flow.synthesis import Progress as Netlists
from ..hardware.library import load
from ..hardware.power.core import Settings
from ..hardware.power.estimates import estimates
from ..reproduce.run import Run
from ..rows import PowerRow, Row, Store, SynthesisRow
from .hardware import power_tools
from .netlists import synthesis_fields
from .study import Batches, Study, Unit

_COMPONENTS_MHZ, _CIPHERS_MHZ = 100.0, 10.0  # the paper's clocks
_SHORT = 128  # bytes of associated data and of message: the paper's short run
_STEADY = 768  # of message: what it takes more than the short run is blocks of message
_LONG = 160_000  # the paper's long run, 1.28e6 bits: by the formula of clocks, not gate by gate
_LENGTHS = (0, 16, 64, 256, 1024, 4096, 16384, 65536, _LONG)


@dataclass(frozen=True, slots=True)
class HardwareTable(Study[tuple[Row, ...]]):
    """Netlists of cores, and the power of each: rows that the store of the machine lacks.

    Parameters
    ----------
    subjects : tuple of (core, parameters)
        Parameters as pairs of name and choice.
    libraries : tuple of Path
        Files of the cell library, which every worker must have at the same place.
    library_sha256 : str
        Of their content.
    jobs : tuple of Job
        Scripts and targets.
    model : str
        Toggle model.
    steady : bool
        Whether a longer message is estimated, too.
    command : str
        What the rows say made them.
    cores_file : Path, optional
        The cores.toml of the subjects; ours unless given. Every worker must have it at the same place.
    """

    subjects: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    libraries: tuple[Path, ...]
    library_sha256: str
    jobs: tuple[Job, ...]
    model: str
    steady: bool
    command: str
    cores_file: Path | None = None

    def plan(self) -> Sequence[Unit]:
        """A unit for each core with its parameters."""
        how = (self.libraries, self.library_sha256, self.jobs, self.model, self.steady, self.command)
        # Units of our own cores keep the name that they have in ledgers.
        measured = partial(_measured, cores_file=self.cores_file) if self.cores_file else _measured
        return [
            Unit(f"{name} {label(dict(chosen))}", self.command, partial(measured, name, chosen, *how))
            for name, chosen in self.subjects
        ]

    def reduce(self, rows: Sequence[Row]) -> tuple[Row, ...]:
        """The rows that are not stored yet; a unit of before may have some that are."""
        stored = Stored(Store())
        return tuple(row for row in rows if not stored.has(row))


def _measured(
    name: str,
    chosen: tuple[tuple[str, str], ...],
    libraries: tuple[Path, ...],
    library_sha256: str,
    jobs: tuple[Job, ...],
    model: str,
    steady: bool,
    command: str,
    run: Run,
    cores_file: Path | None = None,
) -> Batches:
    """Rows of its netlists if one of them is new, then a row for each power that is not stored."""
    it, parameters = core(name, cores_file), dict(chosen)
    library, stored = load(libraries), Stored(Store())
    if library.sha256 != library_sha256:
        raise ValueError(
            f"{library.name}: another file of that name is on this machine; copy that of the client"
        )

    def progress(p: Netlists) -> None:
        run.counted(p.done, p.total)

    made = synthesise(it, parameters, library, jobs, progress=progress)
    netlists = [SynthesisRow.make(command=command, **synthesis_fields(one)) for one in made]
    if not all(map(stored.has, netlists)):
        yield netlists
    more = {"tools": power_tools(it), **({"message_cycles": _message_cycles(it)} if it.clock else {})}
    for found in estimates(it, made, library, _settings(it, model, steady), stored.power):
        yield [PowerRow.make(command=command, **found.fields | more)]


def _settings(it: Core, model: str, steady: bool) -> list[Settings]:
    if not it.clock:
        return [Settings(model, message=1, clock_mhz=_COMPONENTS_MHZ)]
    short = Settings(model, message=_SHORT, ad=_SHORT, clock_mhz=_CIPHERS_MHZ)
    return [short, Settings(model, message=_STEADY, clock_mhz=_CIPHERS_MHZ)] if steady else [short]


def _message_cycles(it: Core) -> list[dict[str, int]]:
    """Cycles of messages by the core's formula, which its bench compares with simulation."""
    one = cycles_of(it)
    runs = [(_SHORT, _SHORT), *((0, size) for size in _LENGTHS)]
    return [{"ad_bytes": ad, "msg_bytes": n, "cycles": one.cycles(ad, n)} for ad, n in runs]


class Stored:
    """What has its row already."""

    def __init__(self, store: Store) -> None:
        self._netlists = {_netlist(row) for row in store.read("synthesis")}
        # One under older boundary conditions is estimated again.
        self._powers = {_power(row) for row in store.read("power") if "driver" in row}

    def has(self, row: Row) -> bool:
        """Whether a row of a netlist or of its power is stored."""
        return _netlist(row) in self._netlists if row.kind == "synthesis" else _power(row) in self._powers

    def power(self, one: Synthesis, settings: Settings) -> bool:
        """Whether an estimate with these settings is stored."""
        message = settings.message if settings.message > 1 else 0
        wanted = (settings.model, settings.clock_mhz, message, settings.ad)
        return (*_of(synthesis_fields(one)), *wanted) in self._powers


def _of(row: Mapping[str, Any]) -> tuple[Any, ...]:
    chosen = tuple(sorted(row["parameters"].items()))
    return row["core"], chosen, row["library_sha256"], row.get("netlist_sha256")


def _netlist(row: Mapping[str, Any]) -> tuple[Any, ...]:
    # The same gates of another source are shown with that source: they have a row of their own.
    return (*_of(row), row.get("source_sha256"), row["script"], row["target_ps"])


def _power(row: Mapping[str, Any]) -> tuple[Any, ...]:
    # The random inputs of a component follow from its ports.
    message = 0 if row["traffic"].startswith("random") else row.get("message_bytes", 0)
    return (*_of(row), row["model"], round(row["clock_mhz"], 6), message, row.get("ad_bytes", 0))
