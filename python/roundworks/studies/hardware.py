"""Hardware cores: which one is meant, simulation next to the reference, place and route."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import DescriptionError, unknown
from ..hardware import cores
from ..hardware.flow import fpga
from ..hardware.flow.simulate import Simulation
from ..hardware.flow.simulate import simulate as run_simulation
from ..hardware.flow.tools import version, versions
from ..hardware.library import load
from ..hardware.library.models import models_of
from ..reference import Permutation, Roundwise, StreamAead
from ..rows import FpgaRow, SimulationRow
from .described import described
from .result import Result, Table, text_of


@dataclass(frozen=True, slots=True)
class CoreChoice:
    """A core, the choice of each of its parameters, and the words of a command line that name both.

    Of a file only its name is in the words, never where it lies.
    """

    core: cores.Core
    parameters: dict[str, str]
    name: tuple[str, ...]
    options: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """As a command line takes them, quoted for a shell."""
        chosen = [word for k, v in self.parameters.items() for word in ("--parameter", f"{k}={v}")]
        return shlex.join([*self.name, *chosen, *self.options])


def choose(
    name: str | None = None,
    parameters: Mapping[str, str] | None = None,
    *,
    cores_file: Path | None = None,
    sbox: Path | None = None,
    matrix: Path | None = None,
) -> CoreChoice:
    """A core of ``rtl/cores.toml``, of a file in the same form, or of a file with one S-box or matrix.

    Raises
    ------
    DescriptionError
        ``want one of --cores, --sbox and --matrix``
    UnknownName, SpecError
    """
    from ..hardware.generate import component_files
    from ..hardware.generate.components import core_of

    files = {"--cores": cores_file, "--sbox": sbox, "--matrix": matrix}
    given = {option: file for option, file in files.items() if file is not None}
    if len(given) > 1:
        raise DescriptionError("want one of --cores, --sbox and --matrix")
    if sbox is not None:
        core = cores.own(core_of(component_files.sbox(sbox, name)), sbox)
    elif matrix is not None:
        core = cores.own(core_of(component_files.matrix(matrix, name)), matrix)
    elif name is None:
        raise DescriptionError("want CORE, or --file, --sbox or --matrix with a file")
    else:
        core = cores.core(name, cores_file)
    options = tuple(word for option, file in given.items() for word in (option, file.name))
    return CoreChoice(core, core.chosen(parameters or {}), (name,) if name else (), options)


def choose_generated(
    subject: str | Path | Roundwise,
    parameters: Mapping[str, str] | None = None,
    *,
    name: str | None = None,
    simulated: bool = True,
    progress: Callable[[str], object] = lambda text: None,
) -> CoreChoice:
    """The core that is generated from a description, by name, by file or as an object; kept by its content.

    ``name`` is another core of it than the first one. The core does a few messages first, once, unless not
    ``simulated``: what is computed from a core that is wrong is of no use.

    Raises
    ------
    DescriptionError
        ``...: a mode of blocks; cores are generated from streaming ciphers and permutations``
    NotEqual
        A layer or the round is not the description's, or a message comes out wrong.
    """
    from ..generate.verilog_target import cached_core

    it, words = described(subject)
    if not isinstance(it, StreamAead | Permutation):
        raise DescriptionError(
            f"{it.name}: a mode of blocks; cores are generated from streaming ciphers and permutations"
        )
    progress(f"{it.name}: core, proven equal to the description")
    core = cached_core(it, name, simulated=simulated)
    chosen = core.chosen(parameters or {})
    if words[0] == "--file":
        return CoreChoice(core, chosen, (core.name,), tuple(words))
    return CoreChoice(core, chosen, tuple(words), ("--generated",))


def library_words(libraries: Iterable[Path]) -> str:
    """The option of each file of a library, with a blank before it."""
    return "".join(f" --library {shlex.quote(file.name)}" for file in libraries)


def power_tools(core: cores.Core) -> dict[str, str]:
    """Tools behind a row of power; a combinational core needs no bench."""
    return versions("sta", "iverilog", *(("cocotb",) if core.clock else ()))


def simulate(
    choice: CoreChoice,
    simulator: str | None = None,
    *,
    seed: int = 1,
    tests: Sequence[str] = (),
    netlist: Path | None = None,
    libraries: Sequence[Path] = (),
    waves: Path | None = None,
) -> Result[SimulationRow]:
    """Run a core's bench, which compares it with the Python reference.

    Parameters
    ----------
    simulator : str, optional
        ``verilator`` unless given; with ``waves`` ``icarus``, which can record every core.
    tests : sequence of str
        Of the bench; all unless given.
    netlist, libraries : Path
        Verilog that is simulated in place of the source, and the Liberty files of its cells.
    waves : Path, optional
        A file for every signal, in VCD.
    """
    simulator = simulator or ("icarus" if waves else "verilator")
    done = run_simulation(
        choice.core,
        choice.parameters,
        simulator=simulator,
        seed=seed,
        netlist=netlist,
        models=(models_of(netlist, load(libraries)),) if netlist else (),
        tests=tests,
        waves=waves,
    )
    command = f"roundworks sim {choice.words} --simulator {simulator}"
    command += (f" --netlist {netlist.name}" if netlist else "") + f" --seed {seed}"
    command += library_words(libraries) + "".join(f" --test {test}" for test in tests)
    row = SimulationRow.make(command=command, **simulation_fields(done))
    where = f"{done.simulator} {done.version}" + (", netlist" if netlist else "")
    lines = tuple((t.name, "passed" if t.passed else "failed", t.message) for t in done.tests)
    title = f"{done.core}  {cores.label(done.parameters)}  {where}"
    reports = ["  ".join(f"{k} {text_of(v)}" for k, v in report.items()) for report in done.reports]
    passed = len(done.tests) - len(done.failed)
    summary = f"{passed:,} passed, {len(done.failed):,} failed, seed {seed}"
    return Result((row,), (Table(title, ("test", "result", ""), lines),), (*reports, summary))


def simulation_fields(done: Simulation) -> dict[str, Any]:
    """Fields of a row."""
    made = asdict(done) | {"tests": [asdict(t) for t in done.tests], "reports": list(done.reports)}
    if done.source_sha256 is None:
        del made["source_sha256"]
    program = "iverilog" if done.simulator == "icarus" else done.simulator
    return made | {"tools": versions(program, "cocotb")}


def route(
    choice: CoreChoice,
    families: Sequence[str] = (),
    seeds: Sequence[int] = (),
    *,
    block_ram: bool = False,
    progress: Callable[[str], object] = lambda text: None,
) -> Result[FpgaRow]:
    """Place and route a core on FPGAs: maximum clock frequency and resources.

    Parameters
    ----------
    families : sequence of str
        Of `hardware.flow.fpga.FAMILIES`; all unless given.
    seeds : sequence of int
        Of the placer, a run for each; 1 unless given.
    block_ram : bool
        Tables of the source may become block memories.
    """
    routed = []
    for family in families or fpga.FAMILIES:
        for seed in seeds or (1,):
            progress(f"{choice.core.name}: {family}, seed {seed}")
            routed.append(fpga.route(choice.core, choice.parameters, family, seed=seed, block_ram=block_ram))
    command = f"roundworks fpga {choice.words}" + "".join(f" --family {family}" for family in families)
    command += "".join(f" --seed {seed}" for seed in seeds) + " --block-ram" * block_ram
    rows = tuple(
        FpgaRow.make(
            command=command, tools=versions("pyosys", fpga.FAMILIES[one.family].place[0]), **asdict(one)
        )
        for one in routed
    )
    lines = tuple((r.family, r.device, r.seed, f"{r.fmax_mhz:,.1f}", _resources(r.resources)) for r in routed)
    columns = ("family", "device", "seed", "MHz", "resources")
    title = f"{choice.core.name}  {cores.label(choice.parameters)}"
    note = f"{routed[0].harness_flops:,} of these flip-flops are the chains at the ports"
    return Result(rows, (Table(title, columns, lines),), (note,))


def prove(
    choice: CoreChoice,
    driver: str,
    *,
    tests: Sequence[str] = (),
    seed: int = 1,
    progress: Callable[[str], object] = lambda text: None,
) -> Result[SimulationRow]:
    """Prove of an AEAD core what a simulation shows of some messages.

    Parameters
    ----------
    driver : str
        ``symbolic``: messages of up to three blocks, every bit unknown, give what the description gives;
        ``control``: ready and valid keep to the interface, whatever user and data do; ``leakage``, of a
        masked core: its function, its probes, and t-tests of `seed`.
    tests : sequence of str
        Cases or properties; all unless given.

    Raises
    ------
    HardwareError
        ``aes-sbox: want an AEAD core; ...``
    """
    from ..hardware.formal import proofs
    from ..hardware.leakage import checks

    started, core = time.perf_counter(), choice.core
    known = checks.names(core) if driver == "leakage" else proofs.names(core, driver)
    done = []
    for name in tests or known:
        if name not in known:
            raise unknown(f"{core.name}: test", name, known)
        progress(f"{core.name}: {name}")
        if driver == "leakage":
            done.append(checks.check_one(core, choice.parameters, name, seed))
        else:
            done.append(proofs.prove_one(core, choice.parameters, driver, name))
    command = f"roundworks sim {choice.words} --driver {driver}"
    command += "".join(f" --test {shlex.quote(test)}" for test in tests)
    command += f" --seed {seed}" if driver == "leakage" else ""
    row = SimulationRow.make(
        command=command,
        core=core.name,
        parameters=choice.parameters,
        source_sha256=core.source_sha256(choice.parameters),
        driver=driver,
        simulator="yosys",
        version=version("pyosys"),
        netlist=None,
        seed=seed,
        tests=[asdict(test) for test in done],
        reports=[],
        seconds=time.perf_counter() - started,
        tools=versions("pyosys"),
    )
    passed = "passed" if driver == "leakage" else "proven"
    lines = tuple((t.name, passed if t.passed else "failed", t.message) for t in done)
    title = f"{core.name}  {cores.label(choice.parameters)}  {driver}"
    summary = f"{sum(t.passed for t in done):,} of {len(done):,} {passed}"
    return Result((row,), (Table(title, ("test", "result", ""), lines),), (summary,))


def _resources(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {cell}" for cell, count in sorted(counts.items()))
