"""AEGIS-128 in hardware: formulas of clocks, tables of the paper, the cut S-box, short benches."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from calls import cases
from roundworks import spec
from roundworks.errors import UnknownName
from roundworks.hardware.cores import core, cores
from roundworks.hardware.cycles.aead import formula
from roundworks.hardware.drawing.pipeline import trace
from roundworks.hardware.flow.simulate import simulate
from roundworks.reproduce import Run, aegis_accelerator
from roundworks.reproduce.verdicts import same

RTL = spec.root() / "rtl"
POINTS = [c.name for c in cores() if c.family == "aegis"]
icarus = pytest.mark.skipif(shutil.which("iverilog") is None, reason="no iverilog")


@pytest.mark.parametrize("name", POINTS)
def test_a_core_has_a_formula(name: str) -> None:
    one = formula(core(name).cycles)
    # A block more is an update more.
    assert one.cycles(0, 17) - one.cycles(0, 16) == one.interleaved * one.update
    assert one.cycles(1, 0) - one.cycles(0, 0) == one.interleaved * one.update
    assert one.cycles(16, 16) == one.cycles(1, 1)


def test_aegis_256_is_seven_clocks_below_the_print() -> None:
    printed = spec.paper("aether").table("figure-6")
    cycles = formula(core("aegis256").cycles)
    for column, sizes in (("cycles, short", (128, 128)), ("cycles, long", (0, 160_000))):
        want = printed.value("AEGIS-256, SMALL", column)
        assert cycles.cycles(*sizes) == want - 7  # type: ignore[operator]


def test_an_unknown_formula_is_refused() -> None:
    with pytest.raises(UnknownName, match="cycles 'aegis': not known; did you mean aegis.256, "):
        formula("aegis")


def test_table_2_is_the_print_rounded() -> None:
    table = spec.paper("aegis128-accelerator").table("2")
    outcomes = [o for o in aegis_accelerator.table_2(Run()) if not o.platform]  # software has one
    assert len(outcomes) == 15
    for ours in outcomes:
        assert isinstance(ours.value, float)
        printed = table.value(ours.row, ours.column)
        digits = len(repr(printed).partition(".")[2])
        assert round(ours.value, digits) == printed, ours


def test_table_1_follows_from_its_own_columns_but_for_one_cell() -> None:
    table = spec.paper("aegis128-accelerator").table("1")
    values = [o for o in aegis_accelerator.table_1(Run()) if o.reason.startswith("paper's own")]
    printed = [table.value(o.row, o.column) for o in values]
    differs = [
        (o.row, o.column, o.follows) for o, p in zip(values, printed, strict=True) if not same(p, o.follows)
    ]
    assert len(values) == 30
    assert differs == [("Base, area", "energy", 3.5328)]


def row(core_name: str, period: float, kge: float) -> SimpleNamespace:
    """What is read of a row of synthesis."""
    return SimpleNamespace(
        core=core_name, library="lib", period_ps=period, kge=kge, netlist_sha256=core_name, best_for=["delay"]
    )


def test_design_points_are_read_off_rows() -> None:
    rows = [row("aegis128-to2", 500, 60), row("aegis128-interleaved", 400, 70), row("aes", 1, 1)]
    power = [SimpleNamespace(netlist_sha256="aegis128-to2", model="glitch", total_mw=7.0, clock_mhz=2000.0)]
    points = list(aegis_accelerator.design_points(rows, power))
    assert [(p.core, p.power_mw) for p in points] == [("aegis128-to2", 7.0), ("aegis128-interleaved", None)]
    # 3.5 pJ per cycle, 83 cycles for 8192 bits.
    assert points[0].pj_per_bit == pytest.approx(3.5 * 83 / 8192)


@icarus
def test_front_and_back_are_the_s_box(tmp_path: Path) -> None:
    bench = tmp_path / "bench.sv"
    bench.write_text("""
module bench;
  logic [7:0] a, b, c;
  logic [3:0] w;
  int bad = 0;
  aes_sbox_front u_front (.data_i(a), .waist_o(w));
  aes_sbox_back u_back (.data_i(a), .waist_i(w), .data_o(b));
  aes_sbox_lut u_lut (.data_i(a), .data_o(c));
  initial begin
    for (int i = 0; i < 256; i++) begin
      a = i[7:0];
      #1;
      if (b !== c) bad++;
    end
    $display("bad %0d", bad);
  end
endmodule
""")
    files = [RTL / "aes" / f"aes_{n}.sv" for n in ("pkg", "sbox_lut", "sbox_front", "sbox_back")]
    program = tmp_path / "bench"
    subprocess.run(["iverilog", "-g2012", "-o", program, *files, bench], check=True)
    done = subprocess.run(["vvp", program], check=True, capture_output=True, text=True)
    assert done.stdout.split("\n")[0] == "bad 0"


@icarus
# The others share their bench and most of their source files with these.
@pytest.mark.parametrize("name", cases(POINTS, short=["aegis128-base"]))
def test_the_short_bench_passes(name: str) -> None:
    pytest.importorskip("cocotb")
    done = simulate(core(name), simulator="icarus", tests=("back_to_back", "wrong"))
    assert not done.failed, done.failed


@icarus
def test_the_order_of_words_turns_by_one_every_update() -> None:
    """What AO2 does in the five cycles of an update; seen in the values of its registers."""
    pytest.importorskip("cocotb")
    done, seen = trace("aegis128-ao2")
    assert not done.failed
    entered = [(o.update, o.word) for o in seen if o.stage == "SubBytes"]
    # A message begins in the middle of an update that S_1 began.
    whole = [[word for of, word in entered if of == update] for update in range(1, 10)]
    assert [len(words) for words in whole] == [5] * 9
    assert [words[0] for words in whole] == [2, 3, 4, 0, 1, 2, 3, 4, 0]
    assert all(words == [(words[0] + j) % 5 for j in range(5)] for words in whole)


def a_point(core_name: str, library: str, power: float | None = None) -> aegis_accelerator.Point:
    """A design point with round numbers."""
    return aegis_accelerator.Point(
        core=core_name,
        library=library,
        goal="speed",
        clock_mhz=1000.0,
        kge=50.0,
        gbps=10.0,
        bits_per_cycle=25.6,
        power_mw=power,
        pj_per_bit=power,
    )


def test_the_default_library_stands_for_all_and_another_where_it_lacks_the_core() -> None:
    points = [a_point("aegis128-to2", name) for name in ("nangate45_typ", "asap7sc7p5t", "osu018_stdcells")]
    points.append(a_point("aegis128-ao1", "asap7sc7p5t"))
    chosen = aegis_accelerator.chosen
    assert chosen(points, "aegis128-to2", "speed") == points[2]
    assert chosen(points[:2], "aegis128-to2", "speed") == points[0]
    assert chosen(points, "aegis128-ao1", "speed") == points[3]
    assert chosen(points, "aegis128-ao1", "area") is None


def test_software_between_two_sizes_is_a_straight_line() -> None:
    """100 cycles at 256 bytes and 1060 at 4096 are 164 at 512 and 292 at 1024."""

    def measured(size: int, cycles: float, run: str) -> SimpleNamespace:
        return SimpleNamespace(
            **{"cipher": "aegis-128", "library": "roundworks", "backend": "aesni", "surface": "rust"},
            **{"operation": "encrypt", "ad_bytes": 0, "data_bytes": size, "samples_cycles": [cycles] * 3},
            **{"run": run, "machine": "box"},
        )

    rows = [measured(256, 100, "a"), measured(4096, 1060, "a"), measured(64, 9, "b")]
    cells = {o.column: o for o in aegis_accelerator.software(rows)}
    assert {c: o.value for c, o in cells.items()} == {
        "512 B": round(164 / 512, 4),
        "1024 B": round(292 / 1024, 4),
        "4096 B": round(1060 / 4096, 4),
    }
    assert {o.platform for o in cells.values()} == {"box"}
    assert list(aegis_accelerator.software(rows[2:])) == []
