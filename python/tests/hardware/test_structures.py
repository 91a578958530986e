"""Rounds of searched structures: their cores, their estimates, their rows."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hardware_tools import need
from power_circuits import osu018
from roundworks.analysis.search import search, structure_of
from roundworks.errors import HardwareError, UnknownName
from roundworks.hardware.flow.lint import lint
from roundworks.hardware.generate.structures import Cost, adder, estimate, round_core, simulated
from roundworks.reference import get_stream
from roundworks.report.hardware_estimates import estimates


@pytest.mark.long
def test_the_round_of_a_structure_is_the_reference() -> None:
    need("iverilog", "cocotb")
    first, other = search(4, 1, 8, keep=2).structures
    core = round_core(4, first, "inner-f-aes")
    simulated(core, 4, first, "inner-f-aes")
    with pytest.raises(HardwareError, match="round-0-pi-3-0-1: one_round: .*word "):
        simulated(core, 4, other, "inner-f-aes")


def test_aethers_own_round_is_one_of_them() -> None:
    need("iverilog", "cocotb")
    own = structure_of(get_stream("aether"))
    assert own is not None
    core = round_core(9, own)
    assert core.name == "round-0-3-5-pi-3-6-4-8-2-0"
    simulated(core, 9, own, "inner-f-16")


def test_what_is_written_is_clean() -> None:
    need("verilator")
    for core in (adder(), round_core(4, ((0,), (3, 0, 1)))):
        assert lint(core) == ()


def test_wrong_use_is_named() -> None:
    with pytest.raises(HardwareError, match="structure: want 5 words, got 1 positions and 3"):
        round_core(5, ((0,), (3, 0, 1)))
    with pytest.raises(UnknownName, match="inner-f-64"):
        round_core(4, ((0,), (3, 0, 1)), "inner-f-64")


def test_an_estimate_adds_up_by_hand() -> None:
    cost = estimate(4, Cost(100.0, 20.0, 3.0), Cost(10.0, 2.0, 0.5))
    assert cost == Cost(440.0, 22.0, 14.0)


def row(structure: Any, **made: float) -> dict[str, Any]:
    return {
        "kind": "estimate",
        "words": 4,
        "inputs": 1,
        "active": 8,
        "found": 16,
        "inner": "inner-f-16",
        "library": "a",
        "model": "zero-delay",
        "structure": structure,
        "area_um2": 110.0,
        "delay_ps": 20.0,
        "energy_pj": 0.5,
        "time": "2026-11-22T10:00:00Z",
        **made,
    }


def test_errors_are_of_what_was_made() -> None:
    made = {"made_area_um2": 100.0, "made_delay_ps": 25.0, "made_energy_pj": 0.5}
    costs = estimates([row(None), row([[0], [3, 0, 1]], **made)])
    (each,), (check,) = costs.classes, costs.checks
    assert (each.bits, each.tbits) == (128, 6.4)
    assert [round(check.error(f)) for f in ("area_um2", "delay_ps", "energy_pj")] == [10, -20, 0]
    assert costs.said == (
        "Mean error over 1 that were: area 10 % (at most 10 %), delay 20 % (at most"
        " 20 %), energy 0 % (at most 0 %)."
    )
    assert estimates([row(None)]).said == "None was synthesised in full yet."


def test_a_class_without_a_structure_is_no(run) -> None:  # type: ignore[no-untyped-def]
    osu018()
    done = run("hw-estimate", "--words", "4", "--inputs", "2")
    assert (done.returncode, done.stdout) == (1, "")
    assert "(4,2): no structure has 8 active F" in done.stderr


@pytest.mark.long  # a flow of steps that have tests of their own
def test_estimate_and_check_on_a_library(run) -> None:  # type: ignore[no-untyped-def]
    need("iverilog", "sta", "pyosys", "cocotb")
    osu018()
    done = run(
        "hw-estimate", "--words", "4", "--inputs", "1", "--inner", "inner-f-16", "--check", "1", "--json"
    )
    assert done.returncode == 0, done.stderr
    whole, one = (json.loads(line) for line in done.stdout.splitlines())
    assert (whole["structure"], whole["found"], len(one["structure"][1])) == (None, 16, 3)
    for figure in ("area_um2", "delay_ps", "energy_pj"):
        assert one[figure] == whole[figure]
        assert 0.5 < one[f"made_{figure}"] / one[figure] < 1.5
