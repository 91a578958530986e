"""AETHER in hardware: clocks by formula, F proven, constants as in spec/, short benches."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest

from roundworks import spec
from roundworks.hardware.cores import core, cores
from roundworks.hardware.cycles.aead import formula
from roundworks.hardware.flow.equivalence import prove_definition
from roundworks.hardware.flow.simulate import simulate
from roundworks.hardware.generate import components

RTL = spec.root() / "rtl" / "aether"
icarus = pytest.mark.skipif(shutil.which("iverilog") is None, reason="no iverilog")


def test_cycles_are_compared_with_the_paper() -> None:
    """It counts 43 + blocks: 49 for 1024 bits of each part, 3377 for 1.28e6 bits of message."""
    printed = spec.paper("aether").table("figure-6")
    cycles = formula(core("aether").cycles)
    for column, sizes in (("cycles, short", (128, 128)), ("cycles, long", (0, 160_000))):
        assert cycles.cycles(*sizes) == printed.value("AETHER", column) - 1  # type: ignore[operator]
    assert formula(core("aether-lb").cycles).cycles(128, 128) == 49


@pytest.mark.parametrize(
    ("name", "sizes", "clocks"),
    [
        ("aether", (0, 0), 42),
        ("aether", (1, 48), 44),
        ("aether", (49, 0), 44),
        ("aether-lb", (0, 0), 43),
        ("aether-always-pad", (0, 0), 44),
        ("aether-always-pad", (47, 48), 45),
        ("aether-two", (0, 0), 22),
        ("aether-two", (96, 97), 25),
        ("aether-half", (0, 0), 82),
        ("aether-three", (0, 0), 16),
        ("aether-three", (144, 145), 19),
        ("aether-four", (0, 0), 12),
        ("aether-four", (1, 193), 15),
        ("aether-half", (1, 49), 88),
        ("aether-isolated", (1, 49), 45),
        ("aether-gated", (1, 49), 45),
        ("aether-isolated-gated", (1, 49), 45),
        ("aether-half-gated", (1, 49), 88),
    ],
)
def test_formulas(name: str, sizes: tuple[int, int], clocks: int) -> None:
    assert formula(core(name).cycles).cycles(*sizes) == clocks


@pytest.mark.parametrize(("sbox", "mix"), list(product(("table", "dse"), ("plain", "shared"))))
def test_f_is_the_description(sbox: str, mix: str) -> None:
    want = components.definition(components.components()["inner-f-16"])
    proof = prove_definition(core("aether-f"), {"Sbox": sbox, "Mix": mix}, want)
    assert proof.certainty == "proven"


def test_committed_verilog_is_current(tmp_path: Path) -> None:
    for name, text in components.committed().items():
        assert (RTL / name).read_text(encoding="utf-8") == text, f"{name}: stale; run make netlists"
    assert {p.name for p in components.write(tmp_path)} == set(components.committed())
    assert components.write(tmp_path) == []


def test_the_package_has_the_constants_of_spec() -> None:
    text = (RTL / "aether_pkg.sv").read_text()
    matches = re.findall(r"logic \[127:0\] (Z\d) = 128'h([0-9a-f_]+);", text)
    words = {name: bytes.fromhex(digits.replace("_", ""))[::-1] for name, digits in matches}
    facts = spec.cipher("aether")
    assert words == {z: v.to_bytes(16, "big") for z, v in facts.constants.items()}
    for name, number in re.findall(r"^ +(?:Member|Point)(\w+) += (\d)", text, re.MULTILINE):
        choice = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()
        choice = "aether-lb" if choice == "lb" else choice
        if choice != "one":  # the default of the source, and of no core's parameters
            assert int(number) in [p.choices.get(choice) for c in cores() for p in c.parameters]


# Icarus follows every glitch of twelve or twenty-four F: two members have all the phases between
# them, and each of the other circuits has a test of its own. Half a round per cycle and gates are both
# in the last one.
@icarus
@pytest.mark.parametrize(
    "name", ["aether-lb", "aether-always-pad", "aether-two", "aether-isolated", "aether-half-gated"]
)
@pytest.mark.long
def test_the_short_bench_passes(name: str) -> None:
    pytest.importorskip("cocotb")
    done = simulate(core(name), simulator="icarus", tests=("back_to_back",))
    assert not done.failed and done.tests, done.failed


# A cycle of three rounds takes Icarus seconds. Of twenty it leaves two.
@pytest.mark.long
@pytest.mark.skipif(shutil.which("verilator") is None, reason="no verilator")
def test_the_short_bench_passes_with_three_rounds_per_cycle() -> None:
    pytest.importorskip("cocotb")
    done = simulate(core("aether-three"), tests=("back_to_back", "lengths"))
    assert not done.failed and len(done.tests) == 2, done.failed


@icarus
@pytest.mark.parametrize(
    ("parameter", "number", "message"),
    [
        ("Member", 3, "aether: Member: want 0 to 2, got 3; see aether_pkg::member_e"),
        ("Point", 6, "aether: Point: want 0 to 5, got 6; see aether_pkg::point_e"),
        ("Gated", 2, "aether: Gated: want 0 or 1, got 2"),
    ],
)
def test_others_are_refused_at_time_zero(parameter: str, number: int, message: str, tmp_path: Path) -> None:
    it, program = core("aether"), tmp_path / "simulation"
    subprocess.run(
        ["iverilog", "-g2012", "-o", program, "-s", it.top, f"-Paether.{parameter}={number}", *it.files],
        check=True,
    )
    done = subprocess.run(["vvp", "-n", program], capture_output=True, text=True)
    assert done.returncode != 0
    assert message in done.stdout + done.stderr
