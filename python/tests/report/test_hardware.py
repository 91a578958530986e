"""Rows of hardware compared: rates, netlists, goals, energy, pipelines, and what is missing."""

from collections.abc import Sequence
from typing import Any

import pytest

from hardware_samples import clocks, fpga, hardware_rows, power, sha256, simulation, synthesis, traced
from report_rows import dated
from roundworks import spec
from roundworks.hardware.cores import cores
from roundworks.report.hardware import Hardware, hardware
from roundworks.report.hardware_figures import SHAPES, energy_points, family, figure_area, shapes
from roundworks.report.hardware_goals import verdicts
from roundworks.report.hardware_pipelines import pipeline_points, stages_of
from roundworks.report.hardware_rows import (
    CycleCounts,
    NetlistLine,
    Printed,
    choice_of,
    counts,
    current,
    lines,
)
from roundworks.rows import validate

KINDS = ("simulation", "synthesis", "power", "fpga")


def section(rows: Sequence[dict[str, Any]]) -> Hardware:
    newest = dated(rows)
    return hardware(*([row for row in newest if row["kind"] == kind] for kind in KINDS))


def netlists(*rows: dict[str, Any]) -> list[NetlistLine]:
    newest = dated(rows)
    simulated = counts([row for row in newest if row["kind"] == "simulation"])
    of = {kind: [row for row in newest if row["kind"] == kind] for kind in KINDS}
    return lines(of["synthesis"], of["power"], simulated)


def bench(core: str, sizes: Sequence[int] = (512, 1024, 4096), **more: Any) -> dict[str, Any]:
    return simulation(
        core, [{"ad_bytes": 0, "msg_bytes": n, "cycles": clocks(core, n), **more} for n in sizes]
    )


def test_the_sample_rows_are_rows() -> None:
    for number, row in enumerate(dated(list(hardware_rows()))):
        validate(row.as_json(), f"sample {number}")


def test_designs_have_a_shape_each_that_can_be_filled() -> None:
    names = [f"design {i}" for i in range(len(SHAPES))]
    drawn = shapes(names + names).to_dict()
    assert drawn["domain"] == names
    assert len(set(drawn["range"])) == len(names)
    assert all(shape.endswith("Z") for shape in SHAPES if shape.startswith("M"))


def test_no_two_designs_of_a_figure_have_one_mark() -> None:
    """Each family has a figure, and a design stands in one of them."""
    names = {core: f"design of {core}" for core in ("aegis128-to2", "aegis256", "aether", "rocca-s")}
    points = [
        {
            "design": name,
            "core": core,
            "family": family(core),
            "library": "a",
            "best": "",
            "kge": 10.0,
            "gbits": 5.0,
            "dense": 0.5,
            "mhz": 500.0,
            "printed": False,
        }
        for core, name in names.items()
    ]
    assert [p["family"] for p in points] == ["aegis", "aegis", "aether", "rocca"]
    drawn = figure_area(points[:2]).to_dict()
    scale = drawn["layer"][0]["encoding"]["shape"]["scale"]
    assert scale["domain"] == [p["design"] for p in points[:2]]
    assert len(set(scale["range"])) == 2
    rows = [synthesis(core, "a", "sop", ["delay"], 70.0, 800.0) for core in ("aegis128-to2", "aegis128-ao1")]
    (one,) = section([bench("aegis128-to2"), bench("aegis128-ao1"), *rows]).areas
    assert (one.name, one.title) == ("area-aegis", "Area against throughput: aegis")
    assert "Hollow: [AEGIS-HW, table 1]" in one.caption


def test_a_family_has_fewer_designs_than_there_are_marks() -> None:
    by_family: dict[str, set[str]] = {}
    for core in cores():
        by_family.setdefault(family(core.name), set()).add(core.name)
    assert len(by_family) > 4
    assert max(map(len, by_family.values())) <= len(SHAPES)


# -- cycles ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("core", ["aegis128-base", "aegis128-ao1", "aegis128-to1", "aegis128-to2"])
def test_bits_per_cycle_are_of_long_messages(core: str) -> None:
    row = bench(core)
    design = next(d for d in spec.designs() if d.core == core)
    assert counts([row])[choice_of(row)].bits_per_cycle == pytest.approx(design.bits_per_cycle)


def test_interleaved_messages_share_the_cycles() -> None:
    row = bench("aegis128-interleaved", interleaved=3)
    cycles = counts([row])[choice_of(row)]
    assert cycles.bits_per_cycle == pytest.approx(128)
    assert cycles.of_message(1024) == cycles.by_bytes[1024] / 3
    alone = bench("aegis128-interleaved")
    assert counts([alone])[choice_of(alone)].bits_per_cycle == pytest.approx(128 / 3)


def test_blocks_count_and_decryption_and_associated_data_do_not() -> None:
    row = simulation(
        "aes-iterative",
        [
            {"blocks": 1, "decrypt": False, "cycles": 11},
            {"blocks": 40, "decrypt": False, "cycles": 440},
            {"blocks": 40, "decrypt": True, "cycles": 840},
            {"kind": "vectors", "count": 9},
            {"ad_bytes": 16, "msg_bytes": 64, "cycles": 99},
        ],
    )
    cycles = counts([row])[choice_of(row)]
    assert cycles.by_bytes == {16: 11, 640: 440}
    assert cycles.bits_per_cycle == pytest.approx(128 / 11)


def test_a_rate_wants_two_lengths_and_a_run_without_a_failure() -> None:
    assert CycleCounts({}).bits_per_cycle is None
    assert CycleCounts({512: 100}).bits_per_cycle is None
    # Part of a block would make a block of 16 bytes look like more or less.
    assert CycleCounts({100: 80, 200: 140}).bits_per_cycle is None
    failed = {**bench("aegis128-to2"), "tests": [{"name": "stalls", "passed": False}]}
    assert counts([failed]) == {}


def test_counts_of_two_runs_are_put_together() -> None:
    rows = [bench("aegis128-to2", [512]), bench("aegis128-to2", [4096])]
    assert set(counts(rows)[choice_of(rows[0])].by_bytes) == {512, 4096}


# -- netlists -------------------------------------------------------------------------------------
def test_a_netlist_has_what_the_hand_works_out() -> None:
    (line,) = netlists(
        bench("aegis128-to2"),
        power("aegis128-to2", "a", 1024, 0.25),
        synthesis("aegis128-to2", "a", "sop", ["delay", "area"], 64.0, 800.0),
    )
    assert (line.mhz, line.rate) == (1250, pytest.approx(128))
    assert line.gbits == pytest.approx(160)
    assert line.gbits_per_kge == pytest.approx(2.5)
    assert line.dense == pytest.approx(2)
    assert (line.dynamic_mw, line.best, line.name) == (2.5, ("delay", "area-delay", "area"), "TO2")
    # 3 mW at 100 MHz, 83 cycles of 1024 bytes, whatever the message was that was estimated.
    assert line.facts()["pj_per_bit"] == pytest.approx(30 * 83 / 8192)
    assert line.facts()["flop_share"] == pytest.approx(0.25)


def test_what_misses_says_what_flip_flops_alone_would_give() -> None:
    rows = netlists(
        bench("aegis128-to2"), synthesis("aegis128-to2", "a", "sop", ["delay", "area"], 150.0, 800.0)
    )
    one = next(v for v in verdicts(rows) if v.name == "TO2" and "speed" in v.goal)
    assert one.state == "missed" and one.limit == pytest.approx(4 * (one.figure or 0))


def test_the_best_for_energy_is_among_those_that_were_estimated_alike() -> None:
    rows = [
        synthesis("aegis128-to2", "a", name, ["delay"], area, 800.0) | estimated
        for name, area, estimated in (
            ("sop", 70.0, {"pj_per_bit": 0.3, "estimated": "glitch", "time": "2026-01-01T00:00:02Z"}),
            ("dch", 80.0, {"pj_per_bit": 0.2, "estimated": "glitch", "time": "2026-01-01T00:00:01Z"}),
            ("nf", 60.0, {"pj_per_bit": 0.1, "estimated": "other", "time": "2026-01-01T00:00:00Z"}),
        )
    ]
    values = {line.row["script"]: line.best for line in netlists(*rows)}
    assert values["dch"] == ("energy",) and "energy" not in values["nf"]


def test_the_best_are_of_all_scripts_at_the_newest_commit() -> None:
    rows = [
        synthesis("aegis128-to2", "a", "sop", ["delay", "area-delay"], 70.0, 800.0),
        synthesis("aegis128-to2", "a", "area", ["area"], 60.0, 1100.0),
    ]

    def best(*more: dict[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
        return [(line.row["script"], line.best) for line in netlists(*rows, *more)]

    assert best() == [("sop", ("delay", "area-delay")), ("area", ("area",))]
    # One script alone is the best of its run, and yet of the three for delay only.
    alone = synthesis("aegis128-to2", "a", "dch", ["delay", "area-delay", "area"], 82.0, 700.0)
    assert best(alone) == [("dch", ("delay",)), ("sop", ("area-delay",)), ("area", ("area",))]
    # The same script again replaces what it made; another source replaces everything.
    assert best({**rows[1], "area_um2": 99e3})[-1] == ("sop", ("delay", "area-delay", "area"))
    assert best({**alone, "commit": "fedcba987654"}) == [("dch", ("delay", "area-delay", "area"))]


def test_rows_of_one_source_count_whatever_their_commit() -> None:
    rows = [
        synthesis("aegis128-to2", "a", name, ["delay"], 10.0 * kge, 800.0)
        | {"commit": commit, "source_sha256": sha256(source)}
        for name, kge, commit, source in (
            ("sop", 5, "1111111", "older"),
            ("dch", 6, "1111111", "now"),
            ("nf", 7, "2222222", "now"),
            ("area", 8, "2222222", "now"),
        )
    ]

    def scripts(*more: dict[str, Any]) -> set[str]:
        return {row["script"] for row in next(iter(current(dated([*rows, *more])).values()))}

    assert scripts() == {"dch", "nf", "area"}
    # A source that comes back has its netlists again; other constraints are another comparison.
    assert scripts({**rows[0], "script": "speed"}) == {"sop", "speed"}
    assert scripts({**rows[3], "load_ff": 5.0}) == {"area"}
    # A row of before has a commit alone: with those of its commit it is shown.
    bare = {k: v for k, v in rows[3].items() if k != "source_sha256"} | {"script": "speed"}
    assert scripts(bare) == {"speed", "nf", "area"}


def test_a_version_of_opensta_is_compared_with_itself() -> None:
    rows = [
        synthesis("aegis128-to2", "a", name, ["delay"], 70.0, 800.0)
        | {"source_sha256": sha256("now"), "tools": tools}
        for name, tools in (
            ("sop", {"opensta": "2.0.17"}),
            ("dch", {"pyosys": "0.58"}),
            ("nf", {"opensta": "2.7.0", "pyosys": "0.59"}),
        )
    ]
    (found,) = current(dated(rows)).values()
    assert {row["script"] for row in found} == {"dch", "nf"}  # one of before does not tell


def test_clocks_are_of_the_newest_source_that_a_row_knows() -> None:
    now, before = {"source_sha256": sha256("now")}, {"source_sha256": sha256("before")}
    netlist = synthesis("aegis128-to2", "a", "sop", ["delay"], 70.0, 800.0)
    bare = bench("aegis128-to2")

    def seen(*rows: dict[str, Any]) -> tuple[float | None, bool, list[bool]]:
        page = section(rows)
        shown = page.libraries[0].lines[0]
        assert isinstance(shown, NetlistLine)
        return shown.rate and round(shown.rate), shown.older, [run.older for run in page.runs]

    assert seen(bare | before, netlist | now) == (None, False, [True])
    assert seen(bare | now, netlist | now) == (128, False, [False])
    assert seen(netlist | before, bare | now) == (128, True, [False])
    # Rows of before do not tell, nor does the simulation of a netlist: they count as they did.
    assert seen(bare, netlist | now) == seen(bare, netlist) == (128, False, [False])
    # A source that comes back is the newest again; other parameters are another circuit.
    assert seen(netlist | before, bare | now, bare | before) == (128, False, [False])
    other = bare | now | {"parameters": {}}
    assert seen(bare | before, other, netlist) == (128, False, [False, False])


def test_what_was_placed_of_an_older_source_says_so() -> None:
    placed = fpga("ecp5", {"TRELLIS_COMB": 40}, 105.5) | {"source_sha256": sha256("before")}
    newer = simulation("aes-iterative", []) | {
        "source_sha256": sha256("now"),
        "parameters": placed["parameters"],
    }
    for rows, older in (([placed], False), ([placed, newer], True), ([newer, placed], False)):
        (routed,) = section(rows).fpgas
        assert (routed.older, routed.facts()["older_source"]) == (older, older)


def test_power_is_of_the_netlist_that_was_timed() -> None:
    row = synthesis("aegis128-to2", "a", "sop", ["delay"], 70.0, 800.0)
    fits = power("aegis128-to2", "a", 1024, 0.25)
    for other in (
        {"library_sha256": "b" * 64},
        {"netlist_sha256": "c" * 64},
        {"parameters": {"Sbox": "dse"}},
    ):
        (line,) = netlists(row, {**fits, **other})
        assert line.power is None, other
    # What a circuit does comes before one figure for every net, whichever is newer.
    (line,) = netlists(row, fits, {**fits, "model": "uniform", "pj_per_bit": 9.0})
    assert line.power and line.power["model"] == "glitch"
    # The longest message, whose energy per bit has the smallest part of the initialisation.
    (line,) = netlists(row, power("aegis128-to2", "a", 4096, 0.2), fits)
    assert line.power and line.power["message_bytes"] == 4096


def test_printed_points_follow_the_last_line_of_their_design() -> None:
    page = section(list(hardware_rows()))
    names = [line.core if isinstance(line, NetlistLine) else line.title for line in page.libraries[0].lines]
    base = names.index("[AEGIS-HW] Base, speed")
    assert names[base - 2 : base + 2] == ["aegis128-base"] * 2 + [
        "[AEGIS-HW] Base, speed",
        "[AEGIS-HW] Base, area",
    ]
    assert len([line for line in page.libraries[0].lines if isinstance(line, Printed)]) == 10
    assert [line.core for line in page.libraries[0].parts] == ["aes-sbox"]
    speed = page.libraries[0].lines[base]
    assert isinstance(speed, Printed)
    assert speed.gbits == pytest.approx(0.915 * 25.6)
    assert speed.dense == pytest.approx(25.6 / 59.34)


# -- goals ----------------------------------------------------------------------------------------
def test_density_is_met_at_once_and_a_half_and_not_below() -> None:
    printed = 128 / 172.72  # TO2, speed

    def state(kge: float) -> str:
        page = section([bench("aegis128-to2"), synthesis("aegis128-to2", "a", "sop", ["delay"], kge, 900)])
        return next(v.state for v in page.verdicts if v.goal.endswith("TO2, speed"))

    assert state(128 / (1.5 * printed) - 0.01) == "met"
    assert state(128 / (1.5 * printed) + 0.01) == "missed"


def test_area_is_compared_with_area_and_delay_with_speed() -> None:
    rows = [
        bench("aegis128-to2"),
        synthesis("aegis128-to2", "a", "sop", [], 100.0, 900.0),
        synthesis("aegis128-to2", "a", "area", [], 80.0, 1200.0),
    ]
    values = {v.goal.partition("compared with ")[2]: v for v in section(rows).verdicts}
    assert values["TO2, speed"].figure == pytest.approx(1.7272)
    assert values["TO2, area"].figure == pytest.approx(1.7272 / 0.8)
    base = values["Base, area"]
    assert (base.state, base.figure, base.library) == ("open", None, "a")
    assert base.maker == "roundworks synth aegis128-base"


def test_a_ratio_is_of_all_five_or_with_none() -> None:
    rows = list(hardware_rows())
    by_library = {v.library: v for v in section(rows).verdicts if v.core == "aegis128-interleaved"}
    # 128 bits in 400 ps and 91.2 kGE, next to TO1: 128 / 3 bits in 500 ps and 38.4 kGE.
    assert by_library["alpha45"].figure == pytest.approx((320 / 91.2) / (85.333 / 38.4), rel=1e-3)
    assert by_library["alpha45"].state == "met"
    assert by_library["beta7"].state == "open"
    assert by_library["beta7"].maker == "roundworks synth aegis128-ao1"


def test_without_rows_every_goal_is_open_and_every_command_named() -> None:
    page = section([])
    assert {v.state for v in page.verdicts} == {"open"}
    assert len(page.verdicts) == 11
    assert {m.command for m in page.missing} == {
        f"roundworks {verb} {d.core}" for d in spec.designs() for verb in ("sim", "synth")
    }
    assert [f.chart for f in page.areas] == [None] and [f.chart for f in page.energies] == [None]


def test_what_a_line_lacks_has_a_command() -> None:
    page = section([synthesis("aegis128-to2", "a", "sop", ["delay"], 100.0, 900)])
    mine = {m.what: m.command for m in page.missing if m.core == "aegis128-to2"}
    assert mine["power of aegis128-to2 Sbox=lut, a"] == (
        "roundworks synth aegis128-to2 --parameter Sbox=lut --library a.lib --script sop"
        " --netlist aegis128-to2.v && roundworks power aegis128-to2 --parameter Sbox=lut --library a.lib"
        " --netlist aegis128-to2.v"
    )
    assert mine["clocks of aegis128-to2 Sbox=lut"] == ("roundworks sim aegis128-to2 --parameter Sbox=lut")


# -- energy ---------------------------------------------------------------------------------------
def test_energy_is_of_each_size_or_of_one_clock_and_says_which() -> None:
    rows = [bench("aegis128-to2"), synthesis("aegis128-to2", "a", "sop", ["delay"], 70.0, 800.0)]
    one = power("aegis128-to2", "a", 1024, 0.25)
    derived = energy_points(netlists(*rows, one), [])
    # 3 mW at 100 MHz are 30 pJ per cycle; 83 cycles of 1024 bytes.
    assert {p["bytes"]: p["pj"] for p in derived}[1024] == pytest.approx(30 * 83 / 8192)
    assert {p["basis"] for p in derived} == {"energy per cycle x cycles"}
    both = dated([one, power("aegis128-to2", "a", 64, 0.9)])
    measured = energy_points(netlists(*rows, *both), both)
    assert {p["bytes"]: p["pj"] for p in measured} == {64: 0.9, 1024: 0.25}
    assert {p["basis"] for p in measured} == {"power at this size"}


def test_the_sentence_says_what_the_lines_are_made_of() -> None:
    (figure,) = section(list(hardware_rows())).energies
    said = figure.sentence
    assert "1 of 2 lines have a power for each size." in said
    assert "Dashed: the energy of a cycle, from one power, times the cycles of the message" in said
    rows = [r for r in hardware_rows() if r["kind"] != "power"]
    one = power("aegis128-base", "alpha45", 1024, 0.9)
    (figure,) = section([*rows, one]).energies
    assert figure.name == "energy-alpha45" and "Every line is dashed" in figure.sentence


# -- pipelines, FPGAs, benches ----------------------------------------------------------------------
def test_a_word_that_stays_is_one_stretch_and_fifteen_are_shown() -> None:
    points = pipeline_points(traced("aegis128-ao1"))
    boxes = [p for p in points if p["stage"] == "SubBytes"]
    assert [(p["word"], p["cycle"], p["end"]) for p in boxes] == [
        (f"S{4 - i % 5}", 20 * i, 20 * i + 16) for i in range(15)
    ]
    assert max(p["end"] for p in points) == 300


def test_gaps_stay_and_a_new_word_of_the_same_name_is_another() -> None:
    reports = [
        {"kind": "trace", "cycle": c, "stages": {"AES round 0": [0, u, ""]} if u else {}}
        for c, u in enumerate((0, 1, 1, 0, 1, 2, 0))
    ]
    row = simulation("aegis128-to2", reports, simulator="icarus")
    points = pipeline_points(row)
    assert [(p["cycle"], p["end"], p["update"]) for p in points] == [(1, 3, 1), (4, 5, 1), (5, 6, 2)]
    (figure,) = section([row]).pipelines
    assert figure.title == "aegis128-to2 (TO2): which word is where"
    assert figure.sentence.startswith(
        "One stage, the first 6 of 6 clocks of a message; a word was seen in 67% of their cells"
    )


def test_stages_stand_in_the_order_of_the_bench() -> None:
    first, later = ({"key": [1, 0, ""]}, {"box": [2, 0, ""], "columns": [0, 0, ""], "key": [1, 1, ""]})
    reports = [{"kind": "trace", "cycle": c, "stages": s} for c, s in enumerate((first, later))]
    assert stages_of(simulation("aegis128-ao2", reports)) == ["box", "columns", "key"]


def test_a_trace_is_no_bench_and_a_single_test_takes_nothing_back() -> None:
    whole = simulation("aegis128-to1", [])
    one = {**simulation("aegis128-to1", []), "tests": [{"name": "stalls", "passed": True}]}
    one["command"] += " --test stalls"
    (run,) = section([whole, one, traced("aegis128-to1")]).runs
    assert (run.of, run.row["simulator"]) == (3, "verilator")


def test_resources_go_by_the_tools_names_and_none_is_not_zero() -> None:
    rows = [
        fpga("ice40", {"ICESTORM_LC": 3210, "ICESTORM_RAM": 16}, 61.5),
        fpga("ecp5", {"TRELLIS_COMB": 4012, "TRELLIS_FF": 402, "DP16KD": 0}, 105.5),
    ]
    ecp5, ice40 = section(rows).fpgas
    assert (ice40.logic, ice40.flops, ice40.memory) == (3210, None, 16)
    assert (ecp5.logic, ecp5.flops, ecp5.memory) == (4012, 402, 0)
    assert ecp5.printed and (ecp5.printed.mhz, ecp5.printed.cite) == (100, "AES-HW")


def test_a_failed_test_is_named() -> None:
    page = section([simulation("aegis128-to2", [], simulator="icarus", failed="stalls")])
    (run,) = page.runs
    assert (run.passed, run.of, run.failed) == (2, 3, "stalls")


def test_printed_designs_are_those_of_the_paper() -> None:
    text = spec.paper("aegis128-accelerator").table("text")
    by_name = {d.name: d for d in spec.designs()}
    for name in ("Base", "TO2"):
        assert by_name[name].cycles == text.value(f"cycles of an update, {name}", "value")
    assert by_name["AO2"].points[0].values["energy"] == 0.82
