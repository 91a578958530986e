"""What must not become a figure: cores and cells of which a netlist would be made all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware_tools import OSU018, need, need_osu018
from roundworks.errors import HardwareError
from roundworks.hardware.cores import Core, core
from roundworks.hardware.flow import opensta
from roundworks.hardware.flow.synthesis import elaborated, synthesise
from roundworks.hardware.library import load
from roundworks.hardware.library.models import models_of
from roundworks.hardware.power import gates


@pytest.fixture(autouse=True)
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDWORKS_BUILD", str(tmp_path / "build"))


def mine(folder: Path, body: str, clocked: bool = False) -> Core:
    """A core of one module, with a byte in and a byte out."""
    clock = "input logic clk_i, input logic rst_ni, " if clocked else ""
    (folder / "mine.sv").write_text(
        f"module mine ({clock}input logic en_i, input logic [7:0] a_i, output logic [7:0] b_o);\n"
        f"{body}\nendmodule\n"
    )
    (folder / "cores.toml").write_text(
        'schema = "cores-v1"\n[[cores]]\nname = "mine"\nfamily = "test"\ntitle = "mine"\n'
        'top = "mine"\nfiles = ["mine.sv"]\n' + ('clock = "clk_i"\nreset = "rst_ni"\n' if clocked else "")
    )
    return core("mine", folder / "cores.toml")


LATCH = "  logic [7:0] latched;\n  always_latch if (en_i) latched = a_i;\n"
FLOP = "  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) b_o <= '0; else b_o <= "


# -- sources ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("body", "clocked", "message"),
    [
        (
            "  always_comb if (en_i) b_o = a_i;",
            False,
            "mine: want logic without a loop, got one through b_o; give it a value in every branch",
        ),
        (
            "  logic x;\n  assign x = ~(x & en_i);\n  assign b_o = a_i ^ {8{x}};",
            False,
            "mine: want logic without a loop, got one through x; give it a value in every branch",
        ),
        (
            LATCH + FLOP + "latched;",
            True,
            "mine: want flip-flops alone, got a latch for latched; write it with always_ff",
        ),
        (
            "  wire [7:0] sum;\n  assign sum = a_i;\n  assign sum = {8{en_i}};\n  assign b_o = sum;",
            False,
            r"mine: yosys: multiple conflicting drivers for mine.\a_i [0]; all of it is in ",
        ),
    ],
)
def test_what_no_library_makes_good_has_no_netlist(
    tmp_path: Path, body: str, clocked: bool, message: str
) -> None:
    need("pyosys", "sta")
    need_osu018()
    for _ in range(2):  # and nothing is kept that a second call would take
        with pytest.raises(HardwareError) as caught:
            synthesise(mine(tmp_path, body, clocked), {}, load(), [("nf", None)])
        assert str(caught.value).startswith(message)


def test_a_register_that_feeds_itself_is_no_loop(tmp_path: Path) -> None:
    need("pyosys")
    assert elaborated(mine(tmp_path, FLOP + "en_i ? b_o ^ a_i : b_o;", True), {}).is_dir()


@pytest.mark.parametrize("body", ["  assign b_o = a_i;", "  assign b_o = 8'h1f;"])
def test_what_needs_no_gate_has_no_netlist(tmp_path: Path, body: str) -> None:
    need("pyosys", "sta")
    need_osu018()
    with pytest.raises(HardwareError, match=r"^mine: want gates, got none: its outputs are const"):
        synthesise(mine(tmp_path, body), {}, load(), [("dch", None), ("nf", None)])


def test_a_netlist_without_a_path_has_no_period(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert opensta.period("  -799.5000   slack (VIOLATED)\n 2.0 slack (MET)\n", "mine", log) == 800.5
    for text in ("No paths found.\n", "  1e+42  slack (MET)\n"):
        with pytest.raises(HardwareError, match="^mine: sta: found no path to time; "):
            opensta.period(text, "mine", log)


# -- cells -----------------------------------------------------------------------------------
@pytest.mark.parametrize("names", [{}, {"BUFX": "CLKX"}, {"BUFX4": "DLYX4", "CLKBUF": "CLKDELAY"}])
def test_delay_cells_are_left_alone_and_every_other_buffer_counts(
    tmp_path: Path, names: dict[str, str]
) -> None:
    need("pyosys", "sta")
    text = need_osu018().read_text()
    for old, new in names.items():
        text = text.replace(f"cell ({old}", f"cell ({new}")
    (tmp_path / "mine.lib").write_text(text)
    it, cells = mine(tmp_path, "  assign b_o = a_i ^ {8{en_i}};"), load([tmp_path / "mine.lib"])
    (made,) = synthesise(it, {}, cells, [("dch", None)])
    used = [gate.cell for gate in gates.read(made.netlist).gates]
    assert made.buffers == sum("BUF" in cell or "CLKX" in cell for cell in used) > 0
    assert not any("DLY" in cell or "DELAY" in cell for cell in used)


# -- netlists --------------------------------------------------------------------------------
def test_a_netlist_that_is_no_text_is_one_line(tmp_path: Path) -> None:
    need("liberty")
    need_osu018()
    file = tmp_path / "core.v.gz"
    file.write_bytes(b"\x1f\x8b\x08\x00\xff\xfe")
    for read in (gates.read, lambda it: models_of(it, load([OSU018]))):
        with pytest.raises(HardwareError) as caught:
            read(file)
        assert str(caught.value) == (f"{file}: want Verilog, got bytes that are no UTF-8; name a netlist")


@pytest.mark.parametrize("number", ["inf", "nan", "1e999"])
def test_period_and_target_are_numbers(run, number: str) -> None:  # type: ignore[no-untyped-def]
    for words in (("power", "aes-sbox", "--clock"), ("synth", "aes-sbox", "--script", "nf", "--target")):
        done = run(*words, number)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"want a finite number, got {number}" in done.stderr and "Traceback" not in done.stderr
