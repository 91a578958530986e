"""Ascon in hardware: clocks by formula, constants as in spec/, short benches."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from roundworks import spec
from roundworks.hardware.cores import core, cores
from roundworks.hardware.cycles.aead import formula
from roundworks.hardware.flow.simulate import simulate

RTL = spec.root() / "rtl" / "ascon"
CORES = [c.name for c in cores() if c.family == "ascon"]
# What differs: member, rounds per cycle. The long form takes all.
SHORT = ["ascon128a-8", "ascon-aead128"]
icarus = pytest.mark.skipif(shutil.which("iverilog") is None, reason="no iverilog")


@pytest.mark.parametrize(
    ("name", "sizes", "clocks"),
    [
        ("ascon128a", (0, 0), 26),
        ("ascon128a", (0, 15), 26),
        ("ascon128a", (0, 16), 34),
        ("ascon128a", (1, 0), 34),
        ("ascon128a", (16, 0), 42),
        ("ascon128a-2", (16, 16), 26),
        ("ascon128a-4", (15, 33), 14),
        ("ascon128a-8", (0, 0), 6),
        ("ascon-aead128", (0, 16), 34),
    ],
)
def test_formulas(name: str, sizes: tuple[int, int], clocks: int) -> None:
    assert formula(core(name).cycles).cycles(*sizes) == clocks


def test_cycles_are_compared_with_the_paper() -> None:
    """It counts 12 + blocks. With one block per cycle the padding of associated data is one more here,
    and six clocks are around them."""
    printed = spec.paper("aether").table("figure-6")
    cycles = formula(core("ascon128a-8").cycles)
    for column, sizes, less in (("cycles, short", (128, 128), 5), ("cycles, long", (0, 160_000), 6)):
        value = printed.value("Ascon-128a", column)
        assert isinstance(value, int)
        assert cycles.cycles(*sizes) == value - less


@pytest.mark.parametrize("name", CORES)
def test_a_core_has_the_rounds_of_its_formula(name: str) -> None:
    one = formula(core(name).cycles)
    per_cycle = core(name).numbers({}).get("PerCycle", 1)
    assert one.update * per_cycle == spec.cipher(one.cipher).rounds == 8
    assert one.cycles(0, 32) - one.cycles(0, 16) == one.update


def test_the_package_has_the_constants_of_spec() -> None:
    text = (RTL / "ascon_pkg.sv").read_text()
    matches = re.findall(r"logic \[63:0\] Iv(\w+) += 64'h([0-9a-f_]+);", text)
    ours = {f"IV_{name.upper()}": int(digits.replace("_", ""), 16) for name, digits in matches}
    assert ours == dict(spec.cipher("ascon-128a").constants)


@icarus
@pytest.mark.parametrize("name", CORES if os.environ.get("ROUNDWORKS_FULL") else SHORT)
def test_the_short_bench_passes(name: str) -> None:
    pytest.importorskip("cocotb")
    done = simulate(core(name), simulator="icarus", tests=("back_to_back", "wrong"))
    assert not done.failed and done.tests, done.failed


@icarus
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("Member=2", "ascon: Member: want 0 or 1, got 2; see ascon_pkg::member_e"),
        ("PerCycle=3", "ascon: PerCycle: want 1, 2, 4 or 8, got 3"),
    ],
)
def test_other_parameters_are_refused_at_time_zero(tmp_path: Path, given: str, message: str) -> None:
    it, program = core("ascon128a"), tmp_path / "simulation"
    subprocess.run(
        ["iverilog", "-g2012", "-o", program, "-s", it.top, f"-Pascon.{given}", *it.files], check=True
    )
    done = subprocess.run(["vvp", "-n", program], capture_output=True, text=True)
    assert done.returncode != 0
    assert message in done.stdout + done.stderr
