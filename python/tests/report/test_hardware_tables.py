"""Tables 3 to 5 and figure 6 of [AETHER] from rows: picks, ranks, conclusions, energies, ratios."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from hardware_samples import power, sha256, simulation, synthesis
from report_rows import dated
from roundworks import spec
from roundworks.hardware.cores import core
from roundworks.hardware.cycles.aead import formula
from roundworks.report.hardware_cipher_figures import curve_points, figures, pareto_points
from roundworks.report.hardware_cipher_ratios import Ciphers, ciphers
from roundworks.report.hardware_ciphers import LONG, SHORT
from roundworks.report.hardware_components import PRINTED, PartTable, cores_of, part_tables
from roundworks.report.hardware_unrolling import unrollings
from roundworks.report.rank import kendall, ranks, spearman
from roundworks.rows import Row


# -- ranks ----------------------------------------------------------------------------------------
def test_ranks_of_equal_values_are_their_mean() -> None:
    assert ranks([3.0, 1.0, 3.0, 2.0]) == [3.5, 1, 3.5, 2]


def test_correlations_by_hand() -> None:
    up, down = [1.0, 2, 3, 4], [4.0, 3, 2, 1]
    assert (spearman(up, up), kendall(up, up)) == (1, 1)
    assert (spearman(up, down), kendall(up, down)) == (-1, -1)
    # One neighbouring pair the other way round: 1 - 6 * 2 / (4 * 15), and 5 pairs less 1 of 6.
    other = [1.0, 3, 2, 4]
    assert spearman(up, other) == pytest.approx(0.8)
    assert kendall(up, other) == pytest.approx(4 / 6)
    # A tie in one list: five pairs agree, sqrt(6 * 5) pairs can.
    assert kendall(up, [1.0, 2, 2, 3]) == pytest.approx(5 / 30**0.5)
    assert (spearman(up, [7.0] * 4), kendall(up, [7.0] * 4)) == (None, None)


# -- parts ----------------------------------------------------------------------------------------
def part(name: str, script: str, ps: float, um2: float, pj: float | None) -> list[dict[str, Any]]:
    made = synthesis(name, "a", script, [], um2 / 798, ps, flops=0)
    made = {**made, "parameters": {"Form": "table"}, "area_um2": um2}
    if pj is None:
        return [made]
    estimated = power(name, "a", 64, 1.0)
    return [
        made,
        {
            **estimated,
            "parameters": {"Form": "table"},
            "script": script,
            "cycles": 64,
            "netlist_sha256": made["netlist_sha256"],
            "energy_pj": 64 * pj,
        },
    ]


def tables(rows: Sequence[dict[str, Any]], reproduced: Sequence[Row] = ()) -> dict[str, PartTable]:
    newest = dated(rows)
    of = {kind: [r for r in newest if r["kind"] == kind] for kind in ("synthesis", "power")}
    return {t.number: t for t in part_tables(of["synthesis"], of["power"], reproduced)}


def test_every_printed_row_has_a_core_of_its_own() -> None:
    cores = [core for number in ("3", "4", "5") for core in cores_of(number).values()]
    assert len(set(cores)) == len(cores) == 20
    assert cores_of("3")["QARMAv2 (sigma0)"] == "sbox-qarma-sigma0"
    assert cores_of("5")["F_16"] == "inner-f-16"


def test_fast_and_frugal_are_two_netlists() -> None:
    rows = [
        *part("sbox-orthros", "dch", 10.0, 7.0, 0.3),
        *part("sbox-orthros", "nf", 12.0, 5.0, 0.2),
        *part("sbox-orthros", "sop", 9.0, 9.0, None),
    ]
    (line,) = [line for line in tables(rows)["3"].lines if not line.printed]
    # The fastest was not estimated, and the other columns do not lend it an energy.
    assert line.values == {
        "area (L)": 9,
        "area (E)": 5,
        "delay (L)": 9,
        "delay (E)": 12,
        "energy (L)": None,
        "energy (E)": pytest.approx(0.2),
    }
    assert line.delay and line.delay.made == "sop, Form=table"


def test_quotients_of_table_4_are_of_the_better_and_of_all_copies() -> None:
    rows = [*part("matrix-midori", "dch", 10.0, 7.0, 0.4), *part("matrix-midori", "nf", 12.0, 5.0, 0.2)]
    (line,) = [line for line in tables(rows)["4"].lines if not line.printed]
    assert line.more["branch number"] == 4 and line.more["delay / BR"] == 2.5
    assert line.more["energy / BR"] == pytest.approx(8 * 0.2 / 4)
    assert line.more["energy / BR of one"] == pytest.approx(0.05)


def test_the_print_itself_does_not_say_all_that_is_concluded_from_it() -> None:
    values = {(c.text, c.library): c for t in tables([]).values() for c in t.claims}
    wrong = {text for (text, library), c in values.items() if not c.holds}
    assert {library for _, library in values} == {PRINTED} and len(values) == 12
    assert wrong == {
        "Midori (Sb0) has the minimum delay of the S-boxes of 4 bits",
        "Orthros has the minimum energy of the S-boxes of 4 bits with degree 3 and full diffusion",
        "the 32x32 binary matrix has the minimum energy by branch number",
    }


def test_a_conclusion_is_tested_by_the_numbers_of_a_library() -> None:
    speed = {"F_AES": 50.0, "F_8": 60.0, "F_16": 40.0, "F_32": 39.0}
    rows = [row for name, ps in speed.items() for row in part(cores_of("5")[name], "dch", ps, 9.0, ps / 10)]
    table = tables(rows)["5"]
    said = {c.text: (c.holds, c.said) for c in table.claims if c.library == "a"}
    assert said["F_16 has the minimum delay"] == (False, "F_16 40, F_32 39 ps")
    assert said["F_16 has 1.25 times less delay than F_AES"] == (True, "1.25 times")
    assert said["F_16 has 1.56 times less energy than F_AES"] == (False, "1.25 times")
    # F_16 and F_32 have changed places in the print's order of delay.
    (rank,) = [r for r in table.ranks if r.column == "delay (L)"]
    assert (rank.parts, rank.spearman) == (4, pytest.approx(0.8))
    # Without one of the four nothing is said.
    less = tables(rows[2:])["5"]
    assert {c.holds for c in less.claims if c.library == "a"} == {None}


def test_properties_of_our_lines_are_ours_and_of_printed_lines_the_papers() -> None:
    ours = {
        "kind": "reproduction",
        "paper": "aether",
        "table": "3",
        "row": "BipBip",
        "column": "degree",
        "value": 3,
    }
    rows = part("sbox-bipbip", "dch", 10.0, 7.0, 0.3)
    lines = [line for line in tables(rows, dated([ours]))["3"].lines if line.name == "BipBip"]
    assert {line.printed: line.more["degree"] for line in lines} == {True: 2, False: 3}


def test_every_compared_cipher_is_a_core_with_the_s_boxes_that_are_compared() -> None:
    for compared in spec.compared_ciphers():
        tested = core(compared.core)
        for style in compared.rows:
            chosen = tested.chosen(compared.parameters(style))
            assert (tested.clock, tested.bench) == ("clk_i", "aead") and chosen.get("Sbox", "") == style
        assert formula(tested.cycles).cycles(*LONG) > 0
    names = {compared.core for compared in spec.compared_ciphers()}
    assert {name for line in spec.headlines() for name in (line.core, line.over)} <= names


# -- ciphers --------------------------------------------------------------------------------------
_RATES = {
    "aether": (48, 42, {"Member": "aether", "Sbox": "table", "Mix": "plain"}),
    "aegis256": (16, 25, {"Sbox": "lut", "Mix": "plain"}),
}
_SIZES = [SHORT, *((0, n) for n in (0, 16, 1024, 65536, 160000))]


def clocks(core: str, ad: int, size: int) -> int:
    rate, around, _ = _RATES[core]
    return around - (-ad // rate) - (-size // rate)


def cipher(
    core: str,
    ps: float,
    um2: float,
    leakage_mw: float,
    clock_pj: float,
    missed: int = 0,
    runs: Sequence[tuple[int, int]] = (SHORT,),
) -> list[dict[str, Any]]:
    """A netlist that takes that much in every cycle; its first `missed` clocks were not estimated."""
    made = {**synthesis(core, "cnfet5", "dch", [], um2 / 798, ps), "parameters": _RATES[core][2]}
    counted = [{"ad_bytes": a, "msg_bytes": n, "cycles": clocks(core, a, n)} for a, n in _SIZES]
    rows = [made]
    for ad, size in runs:
        cycles = clocks(core, ad, size) - missed
        pj = cycles * (clock_pj + leakage_mw * 100)
        rows.append(
            {
                **power(core, "cnfet5", size, 1.0),
                "parameters": made["parameters"],
                "clock_mhz": 10.0,
                "netlist_sha256": made["netlist_sha256"],
                "library_sha256": sha256("cnfet5"),
                "ad_bytes": ad,
                "cycles": cycles,
                "energy_pj": pj,
                "leakage_mw": leakage_mw,
                "total_mw": pj / cycles / 100,
                "message_cycles": counted,
            }
        )
    return rows


def compared(rows: Sequence[dict[str, Any]]) -> Ciphers:
    newest = dated(rows)
    return ciphers(
        *([r for r in newest if r["kind"] == kind] for kind in ("synthesis", "power", "simulation"))
    )


@pytest.mark.parametrize("runs", [[SHORT], [SHORT, (0, 1024)]])
def test_the_energy_of_a_message_is_that_of_its_clocks(runs: list[tuple[int, int]]) -> None:
    """Whether or not the initialisation was estimated."""
    (entry, other) = compared(cipher("aether", 40.0, 3000.0, 0.05, 2.0, 20, runs)).entries
    assert (entry.goal, other.goal) == ("latency", "energy")
    values = entry.values
    assert (values["cycles, short"], values["cycles, long"]) == (48, 3376)
    assert values["energy, short"] == pytest.approx(48 * 7e-3)
    assert values["energy, long"] == pytest.approx(3376 * 7e-3)
    assert values["throughput"] == pytest.approx(384 / 40)
    assert entry.power and entry.power.dynamic_nj(LONG) == pytest.approx(3376 * 2e-3)
    # 25 GHz: a 2500th of the time for leakage.
    assert entry.power.nj_at(LONG, 40.0) == pytest.approx(3376 * (2 + 5 / 2500) * 1e-3)


def test_a_short_message_takes_its_clocks_at_the_mean() -> None:
    """Blocks of 30 pJ per cycle behind a run of 7: by the blocks alone 16 bytes would take less than
    nothing."""
    rows = cipher("aether", 40.0, 3000.0, 0.05, 2.0, 0, [SHORT, (0, 1024)])
    few, many = (r for r in rows if r["kind"] == "power")
    many["energy_pj"] = few["energy_pj"] + 30 * (many["cycles"] - few["cycles"])
    for entry in compared(rows).entries:
        assert entry.power
        mean = many["energy_pj"] / many["cycles"]
        assert entry.power.nj((0, 16)) == pytest.approx(1e-3 * mean * clocks("aether", 0, 16))
        more = clocks("aether", 0, 65536) - many["cycles"]
        assert entry.power.nj((0, 65536)) == pytest.approx(1e-3 * (many["energy_pj"] + 30 * more))


def test_every_library_has_its_figure_of_energies() -> None:
    rows = [*cipher("aether", 40.0, 3000.0, 0.05, 2.0), *cipher("aegis256", 50.0, 4000.0, 0.01, 4.0)]
    there = {"library": "osu018"} | dict.fromkeys(("library_sha256", "netlist_sha256"), sha256("o"))
    charts = figures(compared([*rows, *({**r, **there} for r in rows[:2])]))
    named = {f.name: f.sentence for f in charts}
    assert named["ciphers-energy-cnfet5"].endswith(
        " Lines cross 1 time, at the rings: the table below says whose."
    )
    assert named["ciphers-energy-osu018"].endswith(" No two lines cross.")
    assert named["ciphers-pareto-cnfet5"] == (
        "The most throughput: AETHER, table. The smallest area: AETHER, table. The lowest energy: AETHER, table."
    )
    assert "ciphers-pareto-osu018" in named
    zero = [r | {"model": "zero-delay"} if r["kind"] == "power" else r for r in rows]
    for given, without in ((rows, False), (zero, True)):
        captions = [str(f.caption) for f in figures(compared(given))]
        assert all(("Without glitches" in caption) is without for caption in captions)
    none = figures(compared([]))
    assert [(f.name, f.chart) for f in none] == [("ciphers-pareto", None), ("ciphers-energy", None)]


def test_a_design_point_has_no_line_of_its_own() -> None:
    rows = cipher("aether", 40.0, 3000.0, 0.05, 2.0)
    comparison = compared([*rows, *({**r, "core": "aether-isolated"} for r in rows)])
    assert {e.core for e in comparison.entries} == {"aether", "aether-isolated"}
    (points,) = curve_points(comparison.entries).values()
    assert {p["cipher"] for p in points} == {"AETHER"}
    assert [p["bytes"] for p in points if p["known"]] == [n for _, n in _SIZES[2:]]


def test_ratios_are_products_and_marks_are_of_the_journal() -> None:
    rows = [*cipher("aether", 40.0, 3000.0, 0.05, 2.0), *cipher("aegis256", 50.0, 4000.0, 0.01, 4.0)]
    comparison = compared(rows)
    by = {(r.over, r.figure): r for r in comparison.ratios}
    speed = by["aegis256", "throughput"]
    assert speed.ours == pytest.approx(3 * 50 / 40)
    assert speed.parts == "3 in bits per cycle, 1.25 in the period"
    energy = by["aegis256", "energy, long"]
    assert energy.ours == pytest.approx(3376 * 7 / (10025 * 5))
    missing = by["aes256-gcm", "energy, long"]
    assert (missing.ours, missing.printed) == (None, 1 / 32)
    assert {(m.row, m.beaten) for m in comparison.marks} == {
        ("throughput", True),
        ("energy of the long run at 10 MHz", False),
        ("energy of the long run at the highest clock", False),
    }
    assert comparison.slip.tbits == pytest.approx(2.954, abs=1e-3)
    # 1024 bytes take 64 * 7 and 89 * 5 pJ, 65536 1408 * 7 and 4121 * 5: 3 more, 10749 less.
    (meeting,) = comparison.crossings
    assert (meeting.better, meeting.worse) == ("AETHER", "AEGIS-256")
    size = 1024 + (65536 - 1024) * 3 / (3 + 10749)
    assert meeting.message_bytes == round(size)
    assert meeting.pj == pytest.approx((448 + (9856 - 448) * 3 / 10752) / (8 * size))


def test_without_a_power_the_rate_is_that_of_the_bench() -> None:
    bare = [row for row in cipher("aegis256", 50.0, 4000.0, 0.01, 4.0) if row["kind"] == "synthesis"]
    assert compared(bare).entries[0].tbits is None
    reports = [
        {"kind": "cycles", "ad_bytes": 0, "msg_bytes": n, "cycles": clocks("aegis256", 0, n)}
        for n in (512, 1024, 4096)
    ]
    bench = {**simulation("aegis256", reports), "parameters": bare[0]["parameters"]}
    comparison = compared([*bare, bench, *cipher("aether", 40.0, 3000.0, 0.05, 2.0)])
    by = {r.figure: r for r in comparison.ratios if r.over == "aegis256"}
    assert by["throughput"].ours == pytest.approx(3.75)
    assert by["energy, long"].ours is None
    older = [bench | {"source_sha256": "a" * 64}, bare[0] | {"source_sha256": "b" * 64}]
    assert compared(older).entries[0].tbits is None


def test_energies_of_two_models_are_not_compared() -> None:
    glitch = cipher("aegis256", 50.0, 4000.0, 0.01, 4.0)
    zero = [
        {**row, "model": "zero-delay"} if row["kind"] == "power" else row
        for row in cipher("aether", 40.0, 3000.0, 0.05, 2.0)
    ]
    comparison = compared([*glitch, *zero])
    by = {r.figure: r for r in comparison.ratios if r.over == "aegis256"}
    assert by["throughput"].ours == pytest.approx(3.75)
    assert by["energy, long"].ours is None
    assert by["energy, long"].parts == "estimated by zero-delay and by glitch"
    assert comparison.crossings == ()


def test_glitches_are_next_to_what_most_were_estimated_by() -> None:
    """Two ciphers without glitches, one of them with glitches too: their ratio is without."""
    aether = cipher("aether", 40.0, 3000.0, 0.05, 2.0)
    glitched = [r for r in cipher("aether", 40.0, 3000.0, 0.05, 6.0) if r["kind"] == "power"]
    zero = [
        r | {"model": "zero-delay"} if r["kind"] == "power" else r
        for r in (*aether, *cipher("aegis256", 50.0, 4000.0, 0.01, 4.0))
    ]
    comparison = compared([*zero, *glitched])
    assert {e.model for e in comparison.entries} == {"zero-delay"}
    (ratio,) = (r for r in comparison.ratios if (r.over, r.figure) == ("aegis256", "energy, long"))
    assert (ratio.model, ratio.ours) == ("zero-delay", pytest.approx(3376 * 7 / (10025 * 5)))
    (added,) = comparison.glitches
    assert (added.times, added.whole) == (pytest.approx(3), pytest.approx(11 / 7))
    assert added.leakage == pytest.approx(3376 * 5e-3)

    both = [r | {"model": "glitch"} for r in zero if r["kind"] == "power" and r["core"] == "aegis256"]
    comparison = compared([*zero, *glitched, *both])
    assert {e.model for e in comparison.entries} == {"glitch"}
    ratios = {
        r.model: r.ours for r in comparison.ratios if (r.over, r.figure) == ("aegis256", "energy, long")
    }
    assert ratios == {
        "glitch": pytest.approx(3376 * 11 / (10025 * 5)),
        "zero-delay": pytest.approx(3376 * 7 / (10025 * 5)),
    }


def test_another_choice_than_the_plain_one_is_no_entry() -> None:
    shared = [
        {**row, "parameters": {**row["parameters"], "Mix": "shared"}}
        for row in cipher("aether", 30.0, 2000.0, 0.01, 1.0)
    ]
    assert compared(shared).entries == ()


def test_a_point_is_best_unless_another_is_in_all_three() -> None:
    rows = [*cipher("aether", 40.0, 3000.0, 0.05, 2.0), *cipher("aegis256", 50.0, 4000.0, 0.1, 4.0)]
    assert {(p["cipher"], p["best"]) for p in pareto_points(compared(rows).entries)} == {
        ("AETHER", True),
        ("AEGIS-256", False),
    }


# -- rounds per cycle -------------------------------------------------------------------------------
def steps(leakage_mw: Sequence[float], clock_pj: Sequence[float]) -> list[dict[str, Any]]:
    """AETHER by one round per cycle and by two: blocks of 96 bytes, half of the cycles around them."""
    rows: list[dict[str, Any]] = []
    for core_name, mw, pj, rounds in zip(("aether", "aether-two"), leakage_mw, clock_pj, (1, 2), strict=True):
        for row in cipher("aether", 40.0 * rounds, 3000.0 * rounds, mw, pj):
            row = {**row, "core": core_name}
            if row["kind"] == "power":
                counted = [{**c, "cycles": -(-c["cycles"] // rounds)} for c in row["message_cycles"]]
                cycles = row["cycles"] // rounds
                row |= {"message_cycles": counted, "cycles": cycles, "energy_pj": cycles * (pj + mw * 100)}
            rows.append(row | {"netlist_sha256": sha256(core_name)})
    return rows


def test_rounds_per_cycle_with_the_minimum_energy() -> None:
    """At 10 MHz a milliwatt is 100 pJ per cycle, and two rounds have half of the cycles."""
    (unrolling,) = unrollings(compared(steps([0.05, 0.08], [2.0, 4.4])))
    one, two = unrolling.steps
    clock = 3376 / 1_280_000
    assert (one.leakage, one.dynamic) == (pytest.approx(5 * clock), pytest.approx(2 * clock))
    assert (two.leakage, two.dynamic) == (pytest.approx(4 * clock), pytest.approx(2.2 * clock))
    assert unrolling.best is two
    assert unrolling.lowest(two) == "long, 10 MHz; short, 10 MHz"
    # 25 GHz and half of it: the leakage of a 2500th of the time, and of a 1250th.
    assert one.fast == pytest.approx((2 + 5 / 2500) * clock)
    assert unrolling.lowest(one) == "long, highest clock"
    assert unrolling.said == (
        "AETHER in cnfet5 at 10 MHz: 2 rounds per cycle, 0.0164 pJ a bit, 65 % of it leakage. "
        "Compared with it 1 round: leakage +25 %, the rest \N{MINUS SIGN}9 %."
    )
    assert one.outside is None


def test_rounds_per_cycle_want_two_steps_of_one_model() -> None:
    rows = steps([0.05, 0.08], [2.0, 4.4])
    assert unrollings(compared(rows[:2])) == ()
    mixed = [{**r, "model": "zero-delay"} if r["core"] == "aether" else r for r in rows]
    assert unrollings(compared(mixed)) == ()


def test_rounds_per_cycle_are_compared_by_each_activity() -> None:
    """Two rounds leak less; with glitches they toggle more than that."""
    glitches = steps([0.05, 0.08], [4.0, 30.0])
    none = [{**r, "model": "zero-delay"} for r in steps([0.05, 0.08], [2.0, 4.4]) if r["kind"] == "power"]
    values = {u.model: u for u in unrollings(compared([*glitches, *none]))}
    assert {model: u.best.rounds for model, u in values.items()} == {"glitch": 1, "zero-delay": 2}
    assert "at 10 MHz, without glitches: 2 rounds" in values["zero-delay"].said


def test_rounds_per_cycle_are_compared_by_runs_that_all_have() -> None:
    """A longer run of one core alone changes nothing."""
    rows = steps([0.05, 0.08], [2.0, 4.4])
    longer = [
        {**r, "ad_bytes": 0, "message_bytes": 1024, "cycles": 64, "energy_pj": 1e6}
        for r in rows
        if r["kind"] == "power" and r["core"] == "aether"
    ]
    (one,) = unrollings(compared(rows))
    (other,) = unrollings(compared([*rows, *longer]))
    assert [s.long for s in other.steps] == [s.long for s in one.steps]
    rows = [r for r in rows if r["kind"] == "synthesis" or r["core"] != "aether"]
    assert unrollings(compared([*rows, *longer])) == ()


def test_what_is_paid_outside_is_told_apart() -> None:
    rows = [{**r, "inputs_mw": 0.01} if r["kind"] == "power" else r for r in steps([0.05, 0.08], [2.0, 4.4])]
    (found,) = unrollings(compared(rows))
    assert [s.outside for s in found.steps] == pytest.approx([3376 / 1_280_000, 1688 / 1_280_000])
    assert found.best.long == pytest.approx(6.2 * 3376 / 1_280_000)
