"""What must not become a figure: cores and cells of which a netlist would be made all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware_tools import need, need_osu018
from roundworks.errors import HardwareError
from roundworks.hardware.cores import Core, core
from roundworks.hardware.library import load
from roundworks.hardware.synthesise import elaborated, synthesise


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
        'top = "mine"\nfiles = ["mine.sv"]\n'
        + ('clock = "clk_i"\nreset = "rst_ni"\n' if clocked else "")
    )
    return core("mine", folder / "cores.toml")


LATCH = "  logic [7:0] held;\n  always_latch if (en_i) held = a_i;\n"
FLOP = "  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) b_o <= '0; else b_o <= "


# -- sources ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("body", "clocked", "message"),
    [
        ("  always_comb if (en_i) b_o = a_i;", False,
         "mine: want logic without a loop, got one through b_o; give it a value in every branch"),
        ("  logic x;\n  assign x = ~(x & en_i);\n  assign b_o = a_i ^ {8{x}};", False,
         "mine: want logic without a loop, got one through x; give it a value in every branch"),
        (LATCH + FLOP + "held;", True,
         "mine: want flip-flops alone, got a latch for held; write it with always_ff"),
        ("  wire [7:0] sum;\n  assign sum = a_i;\n  assign sum = {8{en_i}};\n  assign b_o = sum;", False,
         r"mine: yosys: multiple conflicting drivers for mine.\a_i [0]; all of it is in "),
    ],
)  # fmt: skip
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
