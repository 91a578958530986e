"""AES-256-GCM in hardware: clocks by formula, the multiplication proven and tried, short benches."""

from __future__ import annotations

import re
import shutil

import pytest

from calls import cases
from roundworks import spec
from roundworks.hardware.cores import core, cores
from roundworks.hardware.cycles.aead import formula
from roundworks.hardware.flow.equivalence import prove
from roundworks.hardware.flow.simulate import simulate

RTL = spec.root() / "rtl" / "gcm"
icarus = pytest.mark.skipif(shutil.which("iverilog") is None, reason="no iverilog")


@pytest.mark.parametrize(
    ("name", "sizes", "clocks"),
    [
        # 1 + 14 for H, 1 + 13 for the lengths, the response; 14 more for a block of message.
        ("aes256-gcm", (0, 0), 30),
        ("aes256-gcm", (1, 0), 43),
        ("aes256-gcm", (0, 16), 56),
        ("aes256-gcm", (16, 16), 56),
        ("aes256-gcm", (17, 17), 83),
        ("aes256-gcm-pipelined", (0, 0), 21),
        ("aes256-gcm-pipelined", (17, 33), 26),
    ],
)
def test_formulas(name: str, sizes: tuple[int, int], clocks: int) -> None:
    assert formula(core(name).cycles).cycles(*sizes) == clocks


@pytest.mark.parametrize("name", [c.name for c in cores() if c.family == "gcm" and c.cycles])
def test_a_block_more_of_message_is_an_update_more(name: str) -> None:
    one = formula(core(name).cycles)
    for ad in (0, 1, 16, 40):
        assert one.cycles(ad, 33) - one.cycles(ad, 32) == one.update
    assert one.cycles(16, 16) == one.cycles(1, 1)


def test_the_reduction_is_that_of_spec() -> None:
    """There the coefficient of x^0 is the highest bit, here the lowest."""
    match = re.search(r"Reduction = 128'h([0-9a-f]+);", (RTL / "gcm_pkg.sv").read_text())
    assert match
    bit_reversed = int(f"{int(match[1], 16):0128b}"[::-1], 2)
    assert bit_reversed == spec.cipher("aes-128-gcm").constants["REDUCTION"]


CIRCUITS = [{"Levels": "1"}, {"Levels": "2"}, {"Levels": "3"}, {"Digit": "3"}, {"Digit": "10"}]


@pytest.mark.parametrize("circuit", cases(CIRCUITS, short=[{"Digit": "3"}]), ids=str)
def test_a_multiplication_is_the_one_of_shifts_and_sums(circuit: dict[str, str]) -> None:
    """In the field of 2^8, by the modules that the cores have with 128 bits."""
    pytest.importorskip("pyosys")
    proof = prove(core("ghash-times"), {"Bits": "8", **circuit}, {"Bits": "8"})
    assert proof.certainty == "proven"


@icarus
@pytest.mark.parametrize("circuit", [{"Levels": "2"}, {"Digit": "10"}], ids=str)
@pytest.mark.long
def test_a_multiplication_of_128_bits_is_the_description(circuit: dict[str, str]) -> None:
    pytest.importorskip("cocotb")
    done = simulate(core("ghash-times"), circuit, simulator="icarus")
    assert not done.failed and done.tests, done.failed


# Icarus follows every glitch of fourteen rounds: `roundworks sim` has the rest.
@icarus
@pytest.mark.parametrize(
    ("name", "tests"),
    [
        pytest.param("aes256-gcm", ("back_to_back", "wrong"), marks=pytest.mark.long),
        pytest.param("aes256-gcm-pipelined", ("back_to_back",), marks=pytest.mark.long),
    ],
)
def test_the_short_bench_passes(name: str, tests: tuple[str, ...]) -> None:
    pytest.importorskip("cocotb")
    done = simulate(core(name), simulator="icarus", tests=tests)
    assert not done.failed and done.tests, done.failed
