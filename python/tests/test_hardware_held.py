"""Cores that release nothing before the tag is checked: what is written, clocks, short benches."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import cases
from hardware_tools import need
from roundworks import spec
from roundworks.errors import HardwareError
from roundworks.hardware import held
from roundworks.hardware.cores import core, cores
from roundworks.hardware.cycles.aead import formula
from roundworks.hardware.held_verilog import wrapper
from roundworks.hardware.lint import lint
from roundworks.hardware.simulate import simulate

RTL = spec.root() / "rtl"
FULL = bool(os.environ.get("ROUNDWORKS_FULL"))
TOPS = {c.top: c for c in held.held().values()}
# Keys of 16 and 32 bytes, blocks and tags too; the long form takes all.
SHORT = ["ascon128a-8-held", "aegis256-held", "rocca-s-held"]
icarus = pytest.mark.skipif(shutil.which("iverilog") is None, reason="no iverilog")


def test_every_aead_core_is_held_but_those_that_take_turns() -> None:
    bare = {c.name for c in cores() if c.bench == "aead"}
    assert {f"{name}-held" for name in bare - {"aegis128-turns"}} == set(held.held())


def test_committed_verilog_is_current(tmp_path: Path) -> None:
    for name, text in held.sources().items():
        assert (RTL / name).read_text(encoding="utf-8") == text, f"{name}: stale; run make netlists"
    assert {p.relative_to(tmp_path) for p in held.write(tmp_path)} == set(held.sources())
    assert held.write(tmp_path) == []
    assert {p.relative_to(RTL) for p in RTL.glob("*/*_held.sv")} == set(held.sources())


@pytest.mark.parametrize(
    ("name", "sizes", "bare", "blocks"),
    [
        ("aegis128-to2-held", (0, 17), 21, 2), ("aegis256-held", (1, 16), 27, 1),
        ("aether-lb-held", (0, 49), 45, 2), ("aether-two-held", (96, 97), 25, 2),
        ("ascon128a-held", (0, 17), 34, 2), ("rocca-s-held", (33, 64), 38, 2),
        ("aes256-gcm-held", (0, 0), 30, 0), ("aes256-gcm-pipelined-held", (0, 17), 23, 2),
    ],
)  # fmt: skip
def test_a_decryption_has_its_blocks_once_more(
    name: str, sizes: tuple[int, int], bare: int, blocks: int
) -> None:
    one = formula(core(name).cycles)
    assert one.cycles(*sizes) == bare
    assert one.cycles(*sizes, decrypt=True) == bare + blocks + 1


# What differs from the core alone, which is linted too, is the same in all.
@pytest.mark.parametrize("name", cases(TOPS, short=set(TOPS) - {"gcm_pipelined_held"}))
def test_what_is_written_is_lint_clean(name: str) -> None:
    need("verilator", "verible-verilog-lint")
    assert lint(TOPS[name]) == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rsp_ok_o,", "rsp_good_o,", "aegis128: want a port rsp_ok_o, as every AEAD core has it"),
        ("input  logic         rst_ni", "input  wire          rst_ni",
         "aegis128: want a port of type logic, got 'input  wire          rst_ni,'"),
        ("parameter int Sbox", "parameter Sbox",
         "aegis128: want parameter int Name = value, got 'parameter Sbox = aes_pkg::SboxLut'"),
        (") (\n", ")\n(\n", "AEAD core: want a module with parameters and ports, a line for each"),
    ],
)  # fmt: skip
def test_another_border_is_refused(old: str, new: str, message: str) -> None:
    source = (RTL / "aegis" / "aegis128.sv").read_text()
    assert old in source
    with pytest.raises(HardwareError) as caught:
        wrapper(source.replace(old, new, 1))
    assert str(caught.value) == message


@icarus
@pytest.mark.parametrize("name", list(held.held()) if FULL else SHORT)
def test_nothing_is_released_of_a_wrong_or_a_long_message(name: str) -> None:
    pytest.importorskip("cocotb")
    # Icarus takes seconds for a clock of three rounds or more.
    simulator = "verilator" if name.startswith(("aether-three", "aether-four")) else "icarus"
    done = simulate(core(name), {"Depth": "4"}, simulator=simulator, tests=("released",))
    assert not done.failed and done.tests, done.failed


@icarus
def test_a_buffer_that_gives_out_a_wrong_message_is_found(tmp_path: Path) -> None:
    pytest.importorskip("cocotb")
    one = core("ascon128a-8-held")
    *files, hold, top = one.files
    broken = tmp_path / hold.name
    text = hold.read_text(encoding="utf-8")
    right = "assign good = core_rsp_ok_i & ~long_q;"
    assert right in text
    broken.write_text(text.replace(right, "assign good = ~long_q;"))
    other = replace(one, files=(*files, broken, top))
    done = simulate(other, {"Depth": "4"}, simulator="icarus", tests=("released",))
    assert done.failed
