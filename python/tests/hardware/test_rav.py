"""Cores that release nothing before the tag is checked: what is written, clocks, short benches."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from calls import cases
from hardware_tools import need
from roundworks import spec
from roundworks.errors import HardwareError
from roundworks.hardware.cores import core, cores
from roundworks.hardware.cycles.aead import formula
from roundworks.hardware.flow.lint import lint
from roundworks.hardware.flow.simulate import simulate
from roundworks.hardware.generate import rav
from roundworks.hardware.generate.rav import wrapper

RTL = spec.root() / "rtl"
FULL = bool(os.environ.get("ROUNDWORKS_FULL"))
TOPS = {c.top: c for c in rav.rav_cores().values()}
# Keys of 16 and 32 bytes, blocks and tags too; the long form takes all.
SHORT = ["ascon128a-8-rav", "aegis256-rav"]
icarus = pytest.mark.skipif(shutil.which("iverilog") is None, reason="no iverilog")


def test_every_aead_core_has_a_rav_form_but_those_that_interleave() -> None:
    bare = {c.name for c in cores() if c.bench == "aead"}
    assert {f"{name}-rav" for name in bare - {"aegis128-interleaved"}} == set(rav.rav_cores())


def test_committed_verilog_is_current(tmp_path: Path) -> None:
    for name, text in rav.sources().items():
        assert (RTL / name).read_text(encoding="utf-8") == text, f"{name}: stale; run make netlists"
    assert {p.relative_to(tmp_path) for p in rav.write(tmp_path)} == set(rav.sources())
    assert rav.write(tmp_path) == []
    assert {p.relative_to(RTL) for p in RTL.glob("*/*_rav.sv")} == set(rav.sources())


@pytest.mark.parametrize(
    ("name", "sizes", "bare", "blocks"),
    [
        ("aegis128-to2-rav", (0, 17), 21, 2),
        ("aegis256-rav", (1, 16), 27, 1),
        ("aether-lb-rav", (0, 49), 45, 2),
        ("aether-two-rav", (96, 97), 25, 2),
        ("ascon128a-rav", (0, 17), 34, 2),
        ("rocca-s-rav", (33, 64), 38, 2),
        ("aes256-gcm-rav", (0, 0), 30, 0),
        ("aes256-gcm-pipelined-rav", (0, 17), 23, 2),
    ],
)
def test_a_decryption_has_its_blocks_once_more(
    name: str, sizes: tuple[int, int], bare: int, blocks: int
) -> None:
    one = formula(core(name).cycles)
    assert one.cycles(*sizes) == bare
    assert one.cycles(*sizes, decrypt=True) == bare + blocks + 1


# What differs from the core alone, which is linted too, is the same in all.
@pytest.mark.parametrize(
    "name", cases(TOPS, short=set(TOPS) - {"gcm_pipelined_rav", "rocca_s_rav", "aegis256_rav"})
)
def test_what_is_written_is_lint_clean(name: str) -> None:
    need("verilator", "verible-verilog-lint")
    assert lint(TOPS[name]) == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rsp_ok_o,", "rsp_good_o,", "aegis128: want a port rsp_ok_o, as every AEAD core has it"),
        (
            "input  logic         rst_ni",
            "input  wire          rst_ni",
            "aegis128: want a port of type logic, got 'input  wire          rst_ni,'",
        ),
        (
            "parameter int Sbox",
            "parameter Sbox",
            "aegis128: want parameter int Name = value, got 'parameter Sbox = aes_pkg::SboxLut'",
        ),
        (") (\n", ")\n(\n", "source: want a module with parameters and ports, a line for each"),
    ],
)
def test_another_interface_is_refused(old: str, new: str, message: str) -> None:
    source = (RTL / "aegis" / "aegis128.sv").read_text()
    assert old in source
    with pytest.raises(HardwareError) as caught:
        wrapper(source.replace(old, new, 1))
    assert str(caught.value) == message


@icarus
@pytest.mark.parametrize("name", list(rav.rav_cores()) if FULL else SHORT)
def test_nothing_is_released_of_a_wrong_or_a_long_message(name: str) -> None:
    pytest.importorskip("cocotb")
    # Icarus takes seconds for a cycle of three rounds or more.
    simulator = "verilator" if name.startswith(("aether-three", "aether-four")) else "icarus"
    done = simulate(core(name), {"Depth": "4"}, simulator=simulator, tests=("released",))
    assert not done.failed and done.tests, done.failed


@icarus
def test_a_buffer_that_gives_out_a_wrong_message_is_found(tmp_path: Path) -> None:
    pytest.importorskip("cocotb")
    one = core("ascon128a-8-rav")
    *files, hold, top = one.files
    broken = tmp_path / hold.name
    text = hold.read_text(encoding="utf-8")
    right = "assign good = core_rsp_ok_i & ~long_q;"
    assert right in text
    broken.write_text(text.replace(right, "assign good = ~long_q;"))
    other = replace(one, files=(*files, broken, top))
    done = simulate(other, {"Depth": "4"}, simulator="icarus", tests=("released",))
    assert done.failed
