"""Sample rows of hardware for the tests of the report. Values are made up."""

import hashlib
from collections.abc import Iterator
from typing import Any

# Core -> clocks of an update, and of a message beyond its updates; kGE and ps in the first library.
CORES = {
    "aegis128-base": (5, 2, 22.0, 900.0),
    "aegis128-ao1": (100, 17, 11.0, 700.0),
    "aegis128-ao2": (5, 3, 24.0, 450.0),
    "aegis128-to1": (3, 4, 32.0, 500.0),
    "aegis128-to2": (1, 2, 68.0, 800.0),
    "aegis128-interleaved": (1, 2, 76.0, 400.0),
}
LIBRARIES = {"alpha45": 1.0, "beta7": 0.2}
SIZES = (512, 1024, 4096)


def clocks(core: str, size: int) -> int:
    """Of AEGIS-128: ten updates, the message, seven updates."""
    update, extra, *_ = CORES[core]
    own = update * (17 + -(-size // 16)) + extra
    return 3 * own if core.endswith("interleaved") else own


def parameters(core: str) -> dict[str, str]:
    return {"Sbox": "canright" if core.endswith("ao1") else "lut"}


def hardware_rows() -> Iterator[dict[str, Any]]:
    """All design points in one library, three of them in a second; power at sizes for one alone."""
    for core in CORES:
        counted = [
            {"kind": "cycles", "ad_bytes": 0, "msg_bytes": n, "cycles": clocks(core, n)} for n in SIZES
        ]
        if core.endswith("interleaved"):
            counted = [{**t, "interleaved": 3} for t in counted]
        yield simulation(core, counted)
    yield traced("aegis128-to1")
    yield traced("aegis128-ao1")
    yield simulation("aegis128-to2", [], simulator="icarus", failed="stalls")
    yield simulation(
        "aes-iterative",
        [{"blocks": n, "decrypt": False, "cycles": 11 * n} for n in (1, 2, 40)]
        + [{"blocks": 40, "decrypt": True, "cycles": 840}],
    )
    for library, scale in LIBRARIES.items():
        for core, (_, _, kge, period) in CORES.items():
            if library == "alpha45" or core.endswith(("to2", "base", "interleaved")):
                yield synthesis(core, library, "sop", ["delay", "area-delay"], 1.2 * kge, scale * period)
                yield synthesis(core, library, "area", ["area"], kge, 1.4 * scale * period)
    yield synthesis("aes-sbox", "alpha45", "dch", ["delay", "area", "area-delay"], 0.3, 260.0, flops=0)
    for size in (64, 1024, 4096):
        yield power("aegis128-to2", "alpha45", size, 0.2 + 40 / size)
    yield power("aegis128-base", "alpha45", 1024, 0.9)
    yield fpga("ice40", {"ICESTORM_LC": 3210, "ICESTORM_RAM": 16}, 61.5)
    yield fpga("ecp5", {"TRELLIS_COMB": 4012, "TRELLIS_FF": 402, "DP16KD": 0}, 105.5)


def traced(core: str) -> dict[str, Any]:
    """Three stages of two pipelines for TO1; AO1 has a word in its S-box for sixteen of twenty clocks."""
    clocks: list[dict[str, Any]]
    if core.endswith("to1"):
        clocks = [{} for _ in range(60)]
        for k in range(100):  # two words enter in every cycle
            for stage, name in enumerate(("SubBytes", "MixColumns", "AddRoundKey")):
                clocks[1 + k // 2 + stage][f"{name} {'ab'[k % 2]}"] = [k % 5, k // 5, ""]
    else:
        clocks = [
            {"SubBytes": [4 - c // 20 % 5, c % 20]}
            if c % 20 < 16
            else {"MixColumns": [4 - c // 20 % 5, c % 20]}
            for c in range(1000)
        ]
    traces = [{"kind": "trace", "cycle": c, "stages": stages} for c, stages in enumerate(clocks)]
    made = simulation(core, traces, simulator="icarus")
    return {**made, "command": f"roundworks hw-report --drawings --core {core}"}


def simulation(
    core: str, reports: list[dict[str, Any]], simulator: str = "verilator", failed: str = ""
) -> dict[str, Any]:
    tests = [{"name": n, "passed": n != failed, "message": ""} for n in ("vectors", "stalls", "reset")]
    return {
        "kind": "simulation",
        "command": f"roundworks sim {core} --simulator {simulator}",
        "core": core,
        "parameters": parameters(core),
        "simulator": simulator,
        "version": "5.006",
        "netlist": None,
        "seed": 1,
        "tests": tests,
        "reports": reports,
    }


def synthesis(
    core: str, library: str, script: str, best: list[str], kge: float, period: float, flops: int = 700
) -> dict[str, Any]:
    return {
        "kind": "synthesis",
        "command": f"roundworks synth {core} --library {library}.lib",
        "core": core,
        "parameters": parameters(core),
        "library": library,
        "library_sha256": sha256(library),
        "netlist_sha256": netlist(core, script),
        "script": script,
        "target_ps": None,
        "best_for": best,
        "period_ps": period,
        "area_um2": kge * 798,
        "nand2_um2": 0.798,
        "kge": kge,
        "cells": 9000,
        "flops": flops,
        "flop_um2": kge * 199.5,
        "buffers": 12,
        "driver": "BUF_X2",
        "load_ff": 4.0,
    }


def netlist(core: str, script: str) -> str:
    return sha256(f"{core} {script}")


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def power(core: str, library: str, size: int, pj: float) -> dict[str, Any]:
    return {
        "kind": "power",
        "command": f"roundworks power {core} --library {library}.lib",
        "core": core,
        "parameters": parameters(core),
        "library": library,
        "library_sha256": sha256(library),
        "netlist_sha256": netlist(core, "sop"),
        "script": "given",
        "model": "glitch",
        "traffic": f"messages of {size} bytes",
        "message_bytes": size,
        "cycles": 800,
        "clock_mhz": 100.0,
        "leakage_mw": 0.5,
        "internal_mw": 1.5,
        "switching_mw": 1.0,
        "total_mw": 3.0,
        "energy_pj": pj * 8 * size,
        "bits": 8 * size,
        "pj_per_bit": pj,
    }


def fpga(family: str, resources: dict[str, int], fmax: float) -> dict[str, Any]:
    return {
        "kind": "fpga",
        "command": f"roundworks fpga aes-iterative --family {family}",
        "core": "aes-iterative",
        "parameters": {"Sbox": "lut"},
        "family": family,
        "device": "hx8k" if family == "ice40" else "25k",
        "seed": 1,
        "fmax_mhz": fmax,
        "harness": True,
        "harness_flops": 515,
        "resources": resources,
    }
