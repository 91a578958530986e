"""A core with AXI4-Stream. test_fusesoc.py has how a chip takes one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from calls import cases
from hardware_tools import need
from roundworks.errors import HardwareError
from roundworks.hardware.cores import Core, core
from roundworks.hardware.flow.lint import lint
from roundworks.hardware.flow.simulate import simulate
from roundworks.hardware.formal.messages import MessageCase, prove_message


@pytest.fixture(autouse=True)
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDWORKS_BUILD", str(tmp_path / "build"))


@pytest.mark.long
def test_axi_stream_and_back_is_the_core() -> None:
    need("pyosys")
    one = core("ascon128a-8-axis-loop")
    for case in (MessageCase(15, 17, True, 3), MessageCase(16, 17, False)):
        assert prove_message(one, {}, case).whole


@pytest.mark.long  # the proof above fails as any other
def test_a_tag_that_is_taken_too_late_is_found(tmp_path: Path) -> None:
    need("pyosys")
    one = core("ascon128a-8-axis-loop")
    (path,) = (path for path in one.files if path.name == "aead_axis.sv")
    text = path.read_text(encoding="utf-8")
    right = "if (req_valid_o && req_ready_i) tag_q"
    assert right in text
    (tmp_path / "aead_axis.sv").write_text(text.replace(right, "if (blk_valid_o && blk_ready_i) tag_q"))
    wrong = replace(one, files=tuple(tmp_path / "aead_axis.sv" if f == path else f for f in one.files))
    with pytest.raises(
        HardwareError, match="ascon128a-8-axis-loop: decrypt 0.0: rsp_ok_o with the right tag"
    ):
        prove_message(wrong, {}, MessageCase(0, 0, True))


def sent_otherwise(name: str, folder: Path, changes: dict[str, str], more: str) -> Core:
    """NAME-axis-loop, whose sender of blocks drives the streams in another way: text -> what stands for it."""
    one = core(name)
    path = one.files[-1]
    text = path.read_text(encoding="utf-8")
    for right, other in changes.items():
        assert text.count(right) == 1
        text = text.replace(right, other)
    (folder / path.name).write_text(text.replace("endmodule", more + "endmodule"), encoding="utf-8")
    return replace(one, files=(*one.files[:-1], folder / path.name))


def test_a_transfer_of_no_bytes_is_dropped(tmp_path: Path) -> None:
    """There is one before every block, and one waits before the first request."""
    need("iverilog", "cocotb")
    changes = {
        ".s_blk_tvalid_i(blk_valid_i)": ".s_blk_tvalid_i(blk_valid_i | empty_q)",
        ".s_blk_tready_o(blk_ready_o)": ".s_blk_tready_o(ready)",
        ".s_blk_tkeep_i(blk_keep)": ".s_blk_tkeep_i(empty_q ? '0 : blk_keep)",
        ".s_blk_tlast_i(blk_last_i)": ".s_blk_tlast_i(blk_last_i & ~empty_q)",
        "  logic unused;\n": "  logic unused, ready, empty_q;\n",
    }
    more = """  assign blk_ready_o = ready & ~empty_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) empty_q <= 1'b1;
    else if (empty_q) empty_q <= ~ready;
    else empty_q <= blk_valid_i & ready;
  end
"""
    one = sent_otherwise("ascon128a-8-axis-loop", tmp_path, changes, more)
    done = simulate(one, {}, simulator="icarus", tests=("stalls", "wrong"))
    assert len(done.tests) == 2 and not done.failed


@pytest.mark.parametrize(
    ("keep", "rule"),
    cases(
        [
            ("blk_keep >> 1", "Full_A"),
            ("blk_last_i ? '0 : blk_keep", "Bytes_A"),
            ("blk_last_i && blk_keep[1] ? {blk_keep[15:1], 1'b0} : blk_keep", "Gap_A"),
        ],
        short=[("blk_keep >> 1", "Full_A")],
    ),
)
def test_a_sender_that_breaks_a_rule_is_stopped(tmp_path: Path, keep: str, rule: str) -> None:
    need("verilator", "cocotb")
    changes = {".s_blk_tkeep_i(blk_keep)": f".s_blk_tkeep_i({keep})"}
    wrong = sent_otherwise("ascon128a-8-axis-loop", tmp_path, changes, "")
    with pytest.raises(HardwareError, match=rule):
        simulate(wrong, {}, tests=("stalls",))


@pytest.mark.parametrize(
    "name",
    cases(
        [
            "ascon128a-8-axis",
            "aegis256-axis",
            "rocca-s-rav-axis-loop",
            "aether-lb-axis",
            "aether-four-rav-axis-loop",
        ],
        short=["ascon128a-8-axis", "aether-lb-axis"],
    ),
)
def test_axi_stream_is_lint_clean(name: str) -> None:
    need("verilator", "verible-verilog-lint")
    assert lint(core(name)) == ()


@pytest.mark.long  # a minute; proven above for messages of up to three blocks
@pytest.mark.parametrize(
    ("name", "simulator"),
    [  # Icarus takes minutes for AETHER
        ("ascon128a-8-rav-axis-loop", "verilator"),
        ("ascon128a-8-rav-axis-loop", "icarus"),
        ("aether-lb-axis-loop", "verilator"),
    ],
)
def test_the_bench_runs_through_axi_stream(name: str, simulator: str) -> None:
    need(simulator if simulator == "verilator" else "iverilog", "cocotb")
    done = simulate(core(name), {}, simulator=simulator, tests=("stalls", "wrong"))
    assert len(done.tests) == 2 and not done.failed


@pytest.mark.parametrize("name", ["aes-sbox-axis", "aegis128-interleaved-axis"])
def test_what_has_no_streams_says_so(name: str) -> None:
    with pytest.raises(HardwareError, match=": want an AEAD core of one message at a time; "):
        core(name)


def test_streams_have_no_bench_but_in_a_loop() -> None:
    with pytest.raises(HardwareError, match="no bench; aegis128-to2-rav-axis-loop has one, "):
        simulate(core("aegis128-to2-rav-axis"), {})
