"""Speeds of the permutations compared with the paper's: claims, goals, and the rounds a bound demands."""

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from made_rows import made
from report_rows import MACHINE, printed_on, timed
from roundworks import spec
from roundworks.report.build import _environment
from roundworks.report.permutation_bounds import bounds_of, by_run, choices, demanded, scatter_points
from roundworks.report.permutation_claims import CLAIMS, printed, verdicts
from roundworks.report.permutation_speed import goals, key_of, tables
from roundworks.report.permutations import OnMachine, permutations
from roundworks.report.site import Page
from roundworks.rows import Row
from roundworks.rows.kinds import FasterBetween

ICE = spec.cpu("ice-lake")
SAPPHIRE = {MACHINE: {"vendor": "GenuineIntel", "family": "6", "model": "143"}}


def on_machine(rows: list[Row], *others: list[Row]) -> OnMachine:
    cycles, known, instructions = [*others, [], [], []][:3]
    rows = [replace(row, machine=MACHINE, time="2026-11-22T10:00:00Z") for row in rows]
    (found,) = permutations(rows, cycles, known, instructions, SAPPHIRE)
    return found


def modelled(cipher: str, rounds: int, **fields: Any) -> Row:
    """A row of the model of 32 bytes: 16 AES instructions, 24 cycles long."""
    return made(
        {
            "kind": "cycles",
            "time": "2026-11-22T10:00:00Z",
            "cipher": cipher,
            "cpu": "sapphire-rapids",
            "rounds": rounds,
            "bits": 128,
            "blocks": 1,
            "shared": False,
            "aes": 16,
            "path": 24,
            "mixing": 0,
            "bypass_delays": 0,
            "ports": 8.0,
            "expected": 24,
            "cycles_per_byte": 0.75,
            "busiest": ["p0", "p1"],
            "registers_avx2": 1.0,
            "binds": "latency",
            "live": 3,
            "crowded": 8.0,
            "logic": 0,
            "scheduled": fields.get("expected", 24),
            "minimum": fields.get("expected", 24),
            **fields,
        }
    )


def with_cycles(rows: list[Any], name: str, cycles: float) -> list[Any]:
    """The rows, with other samples for one permutation."""
    return [replace(row, samples_cycles=[cycles]) if row.permutation == name else row for row in rows]


def bound(cipher: str, rounds: int, value: int, view: str, count: str = "distinct") -> Row:
    return made(
        {
            "kind": "bound",
            "measure": "active-sboxes",
            "cipher": cipher,
            "rounds": rounds,
            "value": value,
            "view": view,
            "count": count,
            "side": "exact",
            "certainty": "two-solvers",
            "machine": MACHINE,
            "command": "roundworks bound",
        }
    )


# -- names and rounds ---------------------------------------------------------------------------
def test_rounds_are_read_from_the_name_only_where_one_is_half() -> None:
    assert key_of("haraka-256:3.5", 4) == key_of("haraka-256:3.5", 3.5) == ("haraka-256", 3.5)
    assert key_of("feistel256:2-0,1-1:8", 8) == ("feistel256:2-0,1-1", 8)
    assert key_of("feistel256:2-0,1-1", 3) == ("feistel256:2-0,1-1", 3)
    # A bound for fewer rounds than the name has is of those rounds.
    assert key_of("haraka-256:3.5", 2) == ("haraka-256", 2)


def test_a_machine_that_nobody_entered_says_which_profile_it_has() -> None:
    rows = [
        replace(row, machine=MACHINE, time="2026-11-22T10:00:00Z", commit="unknown")
        for row in printed_on("Ice Lake")
    ]
    unknown = {"vendor": "unknown", "flags": ["ssse3", "aes"], "architecture": "x86_64"}
    (found,) = permutations(rows, [], [], [], {MACHINE: unknown})
    assert found.profile.cpu is spec.cpu("generic-aesni") and found.profile.found == "flags"
    environment = _environment()
    macros = environment.get_template("macros.html").module
    between = FasterBetween(
        permutation="areion-512",
        view="differential",
        rounds=13,
        reached=14,
        spent=60.0,
        paths=8874,
        wanted=7200.0,
    )
    page = environment.get_template("permutations.html").render(
        permutations={MACHINE: found},
        machine=MACHINE,
        m=macros,
        page=Page("", "", "", "", machine=MACHINE),
        faster=SimpleNamespace(between=[between]),
    )
    assert "not in spec/cpus.toml" in page
    assert "areion-512, differential: 14 rounds do, and 13 may. Along 8,874 paths" in page and "2 h" in page
    assert {goal.state for goal in found.goals} == {"open"}


# -- claims -------------------------------------------------------------------------------------
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.text[:50])
def test_every_claim_is_kept_in_the_papers_own_tables(claim) -> None:  # type: ignore[no-untyped-def]
    kept = printed(claim)
    assert kept and min(kept.values()) >= 0
    assert (len(kept) == 1) == bool(claim.only)


def test_of_two_claims_about_different_cpus_one_holds() -> None:
    ice = on_machine(printed_on("Ice Lake")).verdicts
    assert [v.state for v in ice[:2]] == ["does not hold", "holds"]
    assert "(1-0,1-1) 0.760" in ice[0].numbers and ice[0].numbers.endswith("1% more time")
    sky = on_machine(printed_on("Skylake")).verdicts
    assert [v.state for v in sky[:2]] == ["holds", "does not hold"]
    # Simpira-2 loses to all on both.
    assert (ice[7].state, sky[7].state) == ("holds", "holds")


def test_a_claim_without_a_row_is_not_decided() -> None:
    tables_of = on_machine(printed_on("Ice Lake")[1:])
    assert {v.state for v in tables_of.verdicts} == {"not decided"}
    assert tables_of.verdicts[0].numbers == "no row of Simpira-2"
    assert "--table 6 makes them" in tables_of.verdicts[0].reason
    assert tables_of.said("not decided") == len(CLAIMS)
    assert tables_of.verdicts[2].numbers == "no row of Simpira-4 and 7 more"


def test_every_margin_has_its_pair() -> None:
    """17 % is over the existing designs; the best of those proposed is another claim."""
    (claim,) = [
        v
        for v in on_machine(printed_on("Skylake", "8")).verdicts
        if v.claim.table == "8" and "17 %" in v.claim.text
    ]
    assert "by 17 % and more over Simpira, Haraka and Pholkos" in claim.claim.text
    margin, fastest = claim.numbers.split("; ")
    assert "Simpira-4" in margin or "Haraka v2" in margin or "Pholkos" in margin
    assert margin.endswith("17% wanted") and "wanted" not in fastest
    assert fastest.startswith("(2-0,2-2,2-0,2-2)") and "Simpira" not in fastest
    assert claim.state == "holds"


def test_level_is_not_faster_and_misses_a_margin() -> None:
    rows = printed_on("Ice Lake", "9", 8)
    best = next(r for r in rows if "2-2,2-0,2-2" in r["permutation"])
    # The others are half a thousandth faster than it, quartiles wider than that.
    faster = [c * 0.9995 for c in best.samples_cycles]
    rows = [row if row is best else replace(row, samples_cycles=faster) for row in rows]
    values = {v.claim.text: v for v in on_machine(rows).verdicts if v.claim.table == "9"}
    (fastest, margin) = values.values()
    assert (fastest.state, margin.state) == ("level", "does not hold")
    assert fastest.numbers.endswith("the same time, quartiles overlap")
    assert "10% wanted" in margin.numbers


def test_the_reason_says_what_the_model_says() -> None:
    models = [
        modelled("feistel256:1-0,1-1", 8),
        modelled("haraka-256:3.5", 4, path=30, expected=30, bypass_delays=3, mixing=6),
        modelled("feistel256:2-0,2-2", 4),
    ]
    rows = with_cycles(printed_on("Ice Lake"), "haraka-256:3.5", 0.8 * 32)
    _, verdict, *_ = on_machine(rows, models).verdicts
    assert verdict.state == "does not hold"
    assert verdict.reason == (
        "critical paths are 24 and 30 cycles a block of (1-0,1-1) and Haraka v2, with aesenc of"
        " latency 3 on 2 ports; Haraka v2 leaves the AES instructions 3 times, at 2 cycles more"
        " each; by the model 20% less time, which says the same"
    )


def test_the_reason_takes_aes_of_one_input_once_where_that_is_cheaper() -> None:
    many = {"blocks": 8, "expected": 8.0, "cycles_per_byte": 0.25}
    models = [
        modelled("feistel256:2-0,2-2", 4, **many),
        modelled(
            "feistel256:2-0,2-2",
            4,
            **many | {"shared": True, "aes": 12, "ports": 6.0, "expected": 6.0, "cycles_per_byte": 0.1875},
        ),
        *(
            modelled(
                "pholkos-256:3.5", 4, **many | {"ports": 7.0, "expected": 7.0, "mixing": 6, "shared": shared}
            )
            for shared in (False, True)
        ),
    ]
    rows = with_cycles(printed_on("Ice Lake", "7", 8), "feistel256:2-0,2-2", 0.2 * 32)
    verdict = on_machine(rows, models).verdicts[3]
    reason = verdict.reason
    assert verdict.state == "does not hold"
    assert reason.startswith("ports allow 7 and 6 cycles a block")
    assert "(2-0,2-2) has 12 AES instructions, those of one input once" in reason
    assert "17% more time, which says the same" in reason


# -- tables and goals ---------------------------------------------------------------------------
def test_a_table_is_of_the_newest_run_that_has_the_most() -> None:
    whole = printed_on("Ice Lake")
    part = [replace(row, run="later") for row in printed_on("Skylake")[:3]]
    again = [replace(row, run="latest") for row in printed_on("Coffee Lake")]
    (table,) = tables([*whole, *part], [], ICE)
    assert {row["run"] for row in table.rows} == {"perm"}
    assert table.line("Simpira-2").printed == (2.13, 2.01, 2.0, 1.51)
    (table,) = tables([*whole, *again, *part], [], ICE)
    assert {row["run"] for row in table.rows} == {"latest"}


def test_goals_are_of_the_path_and_of_the_ports() -> None:
    name = "feistel256:2-0,2-2"
    rows = [
        timed(name, 4, 24 * 1.15 / 32),
        timed(name, 4, 7.0 / 32, blocks=8),
        timed(name, 4, 6.8 / 32, blocks=64),
        timed(name, 4, 3.6 / 32, blocks=64, backend="vaes512"),
    ]
    once = {"blocks": 8, "shared": True, "aes": 12, "ports": 6.0}
    models = [
        modelled(name, 4),
        modelled(name, 4, blocks=8, expected=8),
        modelled(name, 4, **once),
        modelled(name, 4, **once | {"blocks": 32, "bits": 512, "ports": 3.0}),
    ]

    def of(instructions: list[Row]) -> dict[str, tuple[float | None, str]]:
        verdicts = goals(tables(rows, models, spec.cpu("sapphire-rapids")), instructions)
        here = [g for g in verdicts if g.permutation == "(2-0,2-2)"]
        assert {g.state for g in verdicts if g not in here} == {"open"}
        return {g.what: (g.figure and round(g.figure, 3), g.state) for g in here}

    assert of([]) == {
        "one block, critical path": (1.15, "met"),
        "many blocks, xmm": (1.133, "met"),
        "many blocks, zmm": (1.2, "missed"),
    }
    # What was measured of the instruction is less than the model has.
    faster = {"instruction": "aesenc", "measure": "throughput", "samples_cycles": [0.49, 0.5]}
    assert of([made({**faster, "bits": 128}, "instruction")])["many blocks, xmm"] == (1.156, "missed")


def test_the_limit_of_another_program_is_not_met() -> None:
    """Ours computes AES of one input once: without a row of that program there is nothing to compare with."""
    name, cpu = "feistel256:2-0,2-2", spec.cpu("sapphire-rapids")
    rows, many = [timed(name, 4, 6.2 / 32, blocks=8)], {"blocks": 8, "expected": 8.0}
    plain = modelled(name, 4, **many)

    def line_of(models: list[Row]) -> tuple[str, str, float | None]:
        (table,) = tables(rows, models, cpu)
        goal = next(g for g in goals([table], []) if g.ours is not None)
        return goal.state, goal.because, table.line("(2-0,2-2)").times_model

    assert line_of([plain]) == ("open", "no row of the model for 128 bits, with AES of one input once", None)
    once = many | {"shared": True, "aes": 12, "ports": 6.0, "expected": 6.0, "cycles_per_byte": 6.0 / 32}
    state, _, times = line_of([plain, modelled(name, 4, **once)])
    assert (state, times) == ("met", pytest.approx(6.2 / 6))
    # What is far below its limit is not bounded by it.
    assert line_of([plain, modelled(name, 4, **once | {"ports": 8.0})])[0] == "open"


@pytest.mark.parametrize(("fits", "said"), [(6.8, False), (7.2, True)])
def test_a_goal_says_what_few_registers_cost(fits: float, said: bool) -> None:
    name = "feistel256:2-0,2-2"
    once = {"blocks": 8, "shared": True, "aes": 12, "ports": 6.0, "registers_avx2": fits}
    rows = [timed(name, 4, 7.1 / 32, blocks=64)]
    verdicts = goals(tables(rows, [modelled(name, 4, **once)], spec.cpu("sapphire-rapids")), [])
    goal = next(g for g in verdicts if g.ours is not None)
    assert goal.because.endswith("; 7.2 cycles with what fits 16 registers") is said


def test_a_gap_of_ours_is_explained_by_the_model_and_nothing_near_it_is() -> None:
    models = [
        modelled("haraka-256:3.5", 4, path=30, expected=30, bypass_delays=3, mixing=6),
        modelled("feistel256:2-0,2-2", 4),
    ]
    rows = [timed("haraka-256:3.5", 4, 36 / 32), timed("feistel256:2-0,2-2", 4, 26 / 32)]
    (gap,) = on_machine(rows, models).gaps
    assert gap.name == "Haraka v2, 256 bits, Sapphire Rapids, one block"
    assert gap.text.endswith(
        "3 times, and 2.0 cycles more at each would close the gap next to the 2 that the model has"
    )
    assert on_machine(rows[1:], models).gaps == ()


def test_many_of_ours_are_compared_with_the_program_that_shares() -> None:
    """Compared with the other they would be faster than its ports allow."""
    name = "feistel256:2-0,2-2"
    many = {"blocks": 8, "expected": 8.0, "binds": "ports", "cycles_per_byte": 0.25}
    once = many | {
        "shared": True,
        "aes": 12,
        "logic": 4,
        "expected": 6.0,
        "scheduled": 7.1,
        "registers_avx2": 7.2,
        "cycles_per_byte": 0.1875,
    }
    models = [modelled(name, 4, **many), modelled(name, 4, **once)]
    rows = [timed(name, 4, 6.88 / 32, blocks=8), timed(name, 4, 6.1 / 32, blocks=64)]
    here = {"machine": MACHINE, "time": "2026-11-22T10:00:00Z"}
    rows = [replace(row, **here) for row in rows]
    flags = {MACHINE: SAPPHIRE[MACHINE] | {"flags": ["aes", "vaes", "avx512f", "avx512vl"]}}
    (wide,) = permutations(rows, models, [], [], flags)
    (gap,) = wide.gaps
    assert (gap.line.expected, round(gap.line.gap, 3), wide.registers) == (6.0, 0.147, 32)
    assert gap.text == (
        "Ports bind in the model; 8 by themselves take 7.1 cycles each in the model, from the first"
        " start to the last result; in calls of 64 blocks it is 6.10 cycles: 0.78 go with the call,"
        " not with the instructions"
    )
    # Without AVX-512 there are 16 registers, and they do explain something.
    (narrow,) = permutations(rows, models, [], [], SAPPHIRE)
    assert narrow.registers == 16
    assert "24 words are live, and AES-NI without AVX-512 names 16" in narrow.gaps[0].text


@pytest.mark.parametrize(
    ("blocks", "taken", "why"),
    [
        (
            8,
            7.0,
            "no program of its 16 AES instructions takes less than 8.0: the one measured has"
            " fewer, or the profile of the CPU is wrong",
        ),
        (1, 20.5, "the model's schedule is not the best order"),
    ],
)
def test_what_is_faster_than_the_model_is_not_said_to_be_slower(blocks: int, taken: float, why: str) -> None:
    names = ["2-0,2-2", "1-0,1-1", "2-0,1-1"]
    fields = {"blocks": blocks, "expected": 8.0 if blocks > 1 else 24, "bypass_delays": 0}
    fields["minimum"] = 8.0 if blocks > 1 else 20
    rounds = {name: int(spec.permutation(f"feistel256:{name}").timed_rounds) for name in names}
    models = [
        modelled(f"feistel256:{name}", rounds[name], **fields, shared=shared)
        for name in names
        for shared in (False, True)
    ]
    rows = [timed(f"feistel256:{name}", rounds[name], taken / 32, blocks=blocks) for name in names]
    gaps = on_machine(rows, models).gaps
    assert len(gaps) == 3
    for gap in gaps:
        assert gap.text == f"Latency binds in the model; {why}"


def test_what_is_not_decided_says_the_most_that_is_known() -> None:
    """More rounds, solved for a shorter time, may be known for less."""
    known = bounds_of([bound("haraka-256", 3, 30, "linear"), bound("haraka-256", 4, 20, "linear")])
    rounds, said = demanded(known, "haraka-256", 43)
    assert rounds is None
    assert said == "differential unknown; linear no more than 30 shown in 3"


# -- bound against cycles -----------------------------------------------------------------------
def test_the_lower_of_two_views_is_drawn_and_one_view_is_hollow() -> None:
    name = "feistel256:2-0,1-1"
    known = bounds_of(
        [
            bound(name, 5, 25, "differential"),
            bound(name, 5, 23, "linear"),
            bound(name, 5, 43, "linear", "executed"),
            bound(name, 4, 20, "linear"),
            bound(name, 3, 10, "linear"),
        ]
    )
    runs = by_run(
        [
            timed(name, 5, 0.9),
            timed(name, 5, 0.3, blocks=8),
            timed(name, 5, 0.25, blocks=64),
            timed(f"{name}:4", 4, 0.7),
        ]
    )
    points = {(p["rounds"], p["blocks"]): p for p in scatter_points(known, runs)}
    assert {key: (p["bound"], p["both"], round(p["cycles"], 3)) for key, p in points.items()} == {
        (5, "one block"): (23, True, 0.9),
        (5, "many blocks"): (23, True, 0.25),
        (4, "one block"): (20, False, 0.7),
    }


def test_the_rounds_demanded_are_those_of_the_later_view() -> None:
    name = "feistel256:2-0,2-2"
    known = [
        bound(name, 4, 42, "differential"),
        bound(name, 5, 50, "differential"),
        bound(name, 5, 44, "linear"),
        bound(name, 6, 60, "linear"),
    ]
    runs = by_run([timed(name, 4, 0.8), timed(f"{name}:5", 5, 1.0)])
    choice = next(c for c in choices(bounds_of(known), runs) if c.name == "(2-0,2-2)")
    assert (choice.paper, choice.once, choice.wanted) == (4, 5, 43)
    assert choice.cost == pytest.approx(1.25)
    assert choice.why.startswith("differential 50 in 5, agreed by two solvers; linear 44 in 5")
    # Counted as executed is another count, and one view alone decides nothing.
    executed = [bound(name, 4, 43, view, "executed") for view in ("differential", "linear")]
    once, why = demanded(bounds_of([*executed, known[1]]), name, 43)
    assert (once, why) == (None, "differential 50 in 5, agreed by two solvers; linear unknown")


def test_what_is_not_shown_stands_at_the_fewest_rounds_that_could_do() -> None:
    name = "areion-512"
    known = [replace(bound(name, 11, 50, view), upper=84) for view in ("differential", "linear")]
    runs = by_run([timed(f"{name}:12", 12, 1.5)])
    choice = next(c for c in choices(bounds_of(known), runs) if c.name == "Areion-512")
    assert (choice.paper, choice.once, choice.rounds) == (None, 12, "12 or more")
    assert choice.speed(True, False) == pytest.approx(1.5) and choice.cost is None
    known += [bound(name, 14, 86, view) for view in ("differential", "linear")]
    choice = next(c for c in choices(bounds_of(known), runs) if c.name == "Areion-512")
    assert (choice.once, choice.rounds) == (14, "12 to 14")


def test_a_cost_is_of_one_run() -> None:
    name = "feistel256:2-0,2-2"
    known = [bound(name, 5, 50, view) for view in ("differential", "linear")]
    apart = [timed(name, 4, 0.8), timed(f"{name}:5", 5, 1.0, run="later")]
    choice = next(c for c in choices(bounds_of(known), by_run(apart)) if c.name == "(2-0,2-2)")
    assert choice.once == 5 and choice.cost is None


# -- measured -----------------------------------------------------------------------------------
def test_table_6_is_measured_here(run) -> None:  # type: ignore[no-untyped-def]
    done = run("reproduce", "aesni-permutations", "--table", "6", "--json", "--no-store")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    if not any(r["kind"] == "permutation" for r in rows):
        pytest.skip("no back end with AES instructions here")
    measured = [r for r in rows if r["kind"] == "permutation"]
    ours = [r for r in rows if r["kind"] == "reproduction"]
    assert (len(measured), len(ours)) == (9, 36)
    assert {(r["way"], r["backend"]) for r in measured} == {("chain", "aesni")}
    assert len({r["run"] for r in measured}) == 1
    # Of one block every CPU of the paper has the same measurement; ratios to Simpira-2 decide.
    assert {r["status"] for r in ours} <= {"agrees", "differs"}
    assert {r["against"] for r in ours if r["row"] != "Simpira-2"} == {"Simpira-2"}
    assert all(MACHINE in r["reason"] and "quartiles" in r["reason"] for r in ours)
    # Sixteen AES instructions one after another, and fifteen in a shorter chain.
    speed = {r["row"]: r["value"] for r in ours}
    assert speed["Simpira-2"] > speed["(2-0,1-1)"] > 0


def test_a_machine_with_no_speeds_has_no_section() -> None:
    row = replace(timed("simpira-2:8", 8, 1.5), machine=MACHINE)
    assert permutations([replace(row, samples_cycles=[])], [], [], [], SAPPHIRE) == []
    assert verdicts([], ICE)[0].state == "not decided"
