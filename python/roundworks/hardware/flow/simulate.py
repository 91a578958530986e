"""A core's bench on Verilator or Icarus, on its source or on a netlist made from it.

The bench is Python that runs inside the simulator's process, by cocotb. What it reports beyond
passed and failed, cycle counts above all, it writes with `benches.common.report`.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ... import cache
from ...errors import HardwareError, unknown
from ..cores import Core, wants_bench
from . import SIMULATORS, tools

# Assertions stand under this macro: Icarus 11 cannot read them, and is not given it.
_ASSERTIONS = "ROUNDWORKS_ASSERT"
# Of every build with Verilator: the program is ../simulation, the class Vtop.
VERILATOR = (
    "--assert",
    "--Mdir",
    "work",
    "--prefix",
    "Vtop",
    "-o",
    "../simulation",
    "-Wno-fatal",
    "-Wno-lint",
    "-Wno-style",
    "-Wno-ENUMVALUE",
    f"+define+{_ASSERTIONS}",
    # 5.006 folds trees of sums and loses a negation: a GHASH of XNOR gates went wrong.
    "-fno-const-bit-op-tree",
)
# lowRISC's names of ports: a bench knows no others.
_PORTS = ("*_i", "*_o", "*_ni", "*_no", "*_io")
_DUMP = """module roundworks_dump;
  string name;
  initial if ($value$plusargs("waves=%s", name)) begin
    $dumpfile(name);
    $dumpvars(0, TOP);
  end
endmodule
"""


@dataclass(frozen=True, slots=True)
class Test:
    """One test of a bench: whether it passed, and what it said."""

    name: str
    passed: bool
    message: str


@dataclass(frozen=True, slots=True)
class Simulation:
    """What one run said. ``netlist`` is the name of the file simulated instead of the source, of which
    there is then no hash."""

    core: str
    parameters: dict[str, str]
    source_sha256: str | None
    simulator: str
    version: str
    netlist: str | None
    seed: int
    tests: tuple[Test, ...]
    reports: tuple[dict[str, Any], ...]
    seconds: float

    @property
    def failed(self) -> tuple[Test, ...]:
        """The tests that did not pass."""
        return tuple(test for test in self.tests if not test.passed)


def simulate(
    core: Core,
    parameters: Mapping[str, str] | None = None,
    *,
    simulator: str = "verilator",
    seed: int = 1,
    netlist: Path | None = None,
    models: Sequence[Path] = (),
    tests: Sequence[str] = (),
    waves: Path | None = None,
    env: Mapping[str, str] | None = None,
    limit: float = 1800,
) -> Simulation:
    """Build, unless that was done before, and run the bench.

    `netlist` with the Verilog `models` of its cells stands in for the core's source; its parameters
    were fixed when it was made and must be given all the same, for the bench reads them. `waves`
    is a file to be written in VCD. `tests` are those of the core unless given. `env` is for benches
    that take more than a seed.
    """
    if simulator not in SIMULATORS:
        raise unknown("simulator", simulator, SIMULATORS)
    if not core.bench:
        raise HardwareError(wants_bench(core, "no bench; name one in cores.toml"))
    started = time.perf_counter()
    chosen = core.chosen(parameters or {})
    program = build(core, chosen, simulator, netlist=netlist, models=models, waves=bool(waves))
    found, reports = _run(
        core=core,
        chosen=chosen,
        simulator=simulator,
        program=program,
        seed=seed,
        on_netlist=netlist is not None,
        tests=tests or core.tests,
        waves=waves,
        env=env or {},
        limit=limit,
    )
    version = tools.version("verilator" if simulator == "verilator" else "iverilog")
    return Simulation(
        core=core.name,
        parameters=chosen,
        source_sha256=None if netlist else core.source_sha256(chosen),
        simulator=simulator,
        version=version,
        netlist=netlist.name if netlist else None,
        seed=seed,
        tests=found,
        reports=reports,
        seconds=time.perf_counter() - started,
    )


def build(
    core: Core,
    parameters: Mapping[str, str],
    simulator: str,
    *,
    netlist: Path | None = None,
    models: Sequence[Path] = (),
    waves: bool = False,
) -> Path:
    """The simulator's program for a core, from the cache where it was built before."""
    tools.need_python("cocotb")
    # Absolute: the tools run in a folder of their own.
    files = [file.resolve() for file in ([*models, netlist] if netlist else core.files)]
    numbers = {} if netlist else core.numbers(parameters)
    make = _verilator if simulator == "verilator" else _icarus
    program = "verilator" if simulator == "verilator" else "iverilog"
    tools.find(program)
    for file in files:
        if not file.is_file():
            raise HardwareError(f"{file}: no such file to simulate")
    facts = {
        "top": core.top,
        "numbers": numbers,
        "waves": waves,
        "visible": core.visible,
        "tools": [tools.version(program), tools.version("cocotb"), sys.version],
        "form": 4,
    }
    name = f"{core.name}-{simulator}-{cache.key(files, facts)}"
    folder = cache.home() / "sim" / name
    if not folder.is_dir():
        log = cache.home() / "logs" / f"{name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with cache.making(folder) as part:
            make(core, files, numbers, waves, part, log)
    return folder / "simulation"


def _verilator(
    core: Core, files: Sequence[Path], numbers: Mapping[str, int], waves: bool, folder: Path, log: Path
) -> None:
    import cocotb.config

    # Only these modules' signals: a design with all of them public is slow to build and to run.
    # Of the top its ports: where all of it is public, 5.006 cannot build a loop of `genvar`.
    seen = [f'public_flat_rw -module "{core.top}" -var "{port}"' for port in _PORTS]
    seen += [f'public_flat_rw -module "{m}" -var "*"' for m in core.visible]
    (folder / "visible.vlt").write_text("`verilator_config\n" + "\n".join(seen) + "\n")
    library = Path(cocotb.config.libs_dir)
    wrapper = Path(cocotb.config.share_dir) / "lib" / "verilator" / "verilator.cpp"
    tools.run(
        [
            tools.find("verilator"),
            "--cc",
            "--exe",
            "--vpi",
            "--top-module",
            core.top,
            *VERILATOR,
            *(["--trace"] if waves else []),
            "-LDFLAGS",
            f"-Wl,-rpath,{library} -L{library} -lcocotbvpi_verilator",
            *(f"-G{name}={value}" for name, value in numbers.items()),
            "visible.vlt",
            wrapper,
            *files,
        ],
        folder,
        log=log,
        what=f"{core.name}: verilator",
    )
    # Verilator's own part is the same for every design, and most of the work for a small one. Not so
    # verilator.o, the main program: it knows the size of the design's class.
    facts = {"tools": [tools.version("verilator"), tools.version("cocotb")], "waves": waves, "form": 2}
    common = cache.home() / "sim" / f"verilated-{cache.key([], facts)}"
    for ready in common.glob("*"):
        shutil.copy(ready, folder / "work")
    # No optimisation: Python takes most of a run's time, and the compiler would most of the build's.
    tools.run(
        [tools.find("make"), "-j2", "-C", "work", "-f", "Vtop.mk", "OPT_FAST=-O0"],
        folder,
        log=log,
        what=f"{core.name}: building the simulation",
    )
    if not common.is_dir():
        with cache.making(common) as part:
            for made in (folder / "work").glob("verilated*.[od]"):
                shutil.copy(made, part)
    shutil.rmtree(folder / "work")  # ten times the program


def _icarus(
    core: Core, files: Sequence[Path], numbers: Mapping[str, int], waves: bool, folder: Path, log: Path
) -> None:
    # Without it one tick is a second.
    (folder / "timescale.f").write_text("+timescale+1ns/1ps\n")
    more: list[str | Path] = ["-f", "timescale.f"]
    if waves:
        (folder / "dump.sv").write_text(_DUMP.replace("TOP", core.top))
        more += ["-s", "roundworks_dump", "dump.sv"]
    tools.run(
        [
            tools.find("iverilog"),
            "-g2012",
            "-o",
            "simulation",
            "-s",
            core.top,
            *(f"-P{core.top}.{name}={value}" for name, value in numbers.items()),
            *more,
            *files,
        ],
        folder,
        log=log,
        what=f"{core.name}: iverilog",
    )


def _run(
    core: Core,
    chosen: Mapping[str, str],
    simulator: str,
    program: Path,
    seed: int,
    on_netlist: bool,
    tests: Sequence[str],
    waves: Path | None,
    env: Mapping[str, str],
    limit: float,
) -> tuple[tuple[Test, ...], tuple[dict[str, Any], ...]]:
    """One run of the simulator in an empty folder."""
    import cocotb.config
    import find_libpython

    runs = cache.home() / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    logs = cache.home() / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    own = core.bench.endswith(".py")
    module = Path(core.bench).stem if own else f"roundworks.hardware.benches.{core.bench}"
    path = [str(core.folder)] * own + [p for p in sys.path if p]
    vcd = waves and waves.with_name(waves.name + ".part").resolve()
    if simulator == "verilator":
        argv: list[str | Path] = [program]
        argv += ["--trace", "--trace-file", vcd] if vcd else []
    else:
        argv = [tools.find("vvp"), "-M", cocotb.config.libs_dir, "-m", "libcocotbvpi_icarus"]
        argv += [program, *([f"+waves={vcd}"] if vcd else [])]
    with tempfile.TemporaryDirectory(dir=runs) as name:
        folder = Path(name)
        environment = os.environ | {
            "MODULE": module,
            "TOPLEVEL": core.top,
            "TOPLEVEL_LANG": "verilog",
            "RANDOM_SEED": str(seed),
            "COCOTB_RESULTS_FILE": str(folder / "results.xml"),
            "COCOTB_ANSI_OUTPUT": "0",
            "PYTHONPATH": os.pathsep.join(path),
            "PYGPI_PYTHON_BIN": sys.executable,
            "PYTHONPYCACHEPREFIX": str(cache.home() / "pycache"),
            "LIBPYTHON_LOC": str(find_libpython.find_libpython()),
            "ROUNDWORKS_CORE": core.name,
            "ROUNDWORKS_CORES": str(core.file or ""),
            "ROUNDWORKS_CLOCK": core.clock,
            "ROUNDWORKS_RESET": core.reset,
            "ROUNDWORKS_PARAMETERS": json.dumps(dict(chosen)),
            "ROUNDWORKS_NETLIST": "1" if on_netlist else "",
            "ROUNDWORKS_REPORT": str(folder / "report.jsonl"),
            **env,
        }
        # cocotb has pytest rewrite the assertions of every module: once, not in every run.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment.pop("TESTCASE", None)
        if tests:
            environment["TESTCASE"] = ",".join(tests)
        log = logs / f"{program.parent.name}-run.log"
        try:
            text = tools.run(
                argv, folder, log=log, what=f"{core.name}: simulation", env=environment, limit=limit
            )
        except HardwareError as error:
            if waves and simulator == "verilator":
                # 5.006 records the AES cores into memory that is not its own, and dies.
                raise HardwareError(f"{error}; Icarus records every core: --simulator icarus") from None
            raise
        if waves and vcd:
            if not vcd.is_file():
                raise HardwareError(
                    f"{core.name}: simulation: no waves in {waves}; can it be written? {log} has the"
                    " simulator's words"
                )
            vcd.replace(waves)
        results = folder / "results.xml"
        if not results.is_file():
            raise HardwareError(
                f"{core.name}: simulation: ended before its tests: {tools.complaint(text)};"
                f" all of it is in {log}"
            )
        report = folder / "report.jsonl"
        lines = report.read_text(encoding="utf-8").splitlines() if report.exists() else []
        outcomes = _results(results, text)
    if not outcomes:
        raise HardwareError(f"{core.name}: simulation: {module} has no tests; {log} says why")
    return outcomes, tuple(json.loads(line) for line in lines)


def _results(file: Path, text: str) -> tuple[Test, ...]:
    tests = []
    for case in ET.parse(file).getroot().iter("testcase"):
        name = case.get("name", "")
        if case.find("skipped") is not None:
            continue
        failed = case.find("failure") is not None or case.find("error") is not None
        tests.append(Test(name, not failed, _why(name, text) if failed else ""))
    return tuple(tests)


def _why(name: str, text: str) -> str:
    """The exception's line of the log of a test that failed."""
    _, mark, after = text.partition(f"{name} failed")
    if not mark:
        return "failed"
    for line in after.splitlines()[1:]:
        words = line.strip()
        if words and not line.startswith(" " * 60) and "Error" in words.split(":")[0]:
            return words
        head, _, _ = words.partition(":")
        if head.endswith(("Error", "Exception", "Failure", "Timeout")):
            return words
    return "failed"
