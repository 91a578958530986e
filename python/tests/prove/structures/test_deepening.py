"""Bounds of Feistel permutations by iterative deepening, and which configurations could be faster."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from calls import cases
from roundworks import spec
from roundworks.analysis.cycles import cycles
from roundworks.errors import LedgerError
from roundworks.ledger import Ledger, key_of
from roundworks.prove.solvers.problem import Problem
from roundworks.prove.solvers.solve import Solution, solve
from roundworks.prove.structures import deepening, feistel
from roundworks.prove.structures import worth as feistel_worth
from roundworks.prove.structures.deepening import deepen, light_trail
from roundworks.prove.structures.facts import Fact, Facts
from roundworks.prove.structures.path_model import light_model
from roundworks.prove.structures.paths import Path as WordPath
from roundworks.reference import get_permutation
from roundworks.studies import rounds as rounds_study
from roundworks.studies import runner
from roundworks.studies.faster import RankingGoal, faster_row, said_of
from roundworks.studies.pools import Here
from roundworks.studies.rounds import LightTrails, known, trail_rows
from roundworks.studies.runner import distribute
from solving import cell_bound, unsolved

fact = partial(Fact, solver="s", limit=1.0, seconds=0.1)
NEED = 12
NAMES = ["2-0,1-1", "1-0,1-0", "1-0,2-2,2-1,1-0"]


def minima(name: str, view: feistel.View, rounds: int) -> list[int]:
    structure_ = feistel.structure(name)
    problems = (feistel.model(structure_, r, view, "distinct") for r in range(1, rounds + 1))
    return [int(solve(problem, "highs", 3600).lower) for problem in problems]


@pytest.mark.parametrize("view", feistel.VIEWS)
@pytest.mark.parametrize("name", cases(NAMES, short=NAMES[:1]))
def test_deepening_finds_the_minima(
    tmp_path: Path, name: str, view: feistel.View, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deepening, "PART", 1)  # of every path, whatever it costs
    facts, want = Facts(NEED, "distinct"), minima(name, view, 3)
    said = list(deepen(facts, name, view, 3, 3600))
    short = [min(minimum, NEED) for minimum in want]
    assert [min(low, NEED) for low in facts.lower(name, view, 3)[1:]] == short
    for rounds, minimum in enumerate(want, 1):
        if minimum < NEED:
            assert facts.upper(name, view, rounds) == minimum
    reached = next((r for r, minimum in enumerate(want, 1) if minimum >= NEED), None)
    assert facts.reached(name, view, 3) == reached
    assert facts.below(name, view) == sum(minimum < NEED for minimum in want)
    # What is known is not computed again, here or by a later run.
    assert said and not list(deepen(Facts(NEED, "distinct", facts.new), name, view, 3, 3600))


def test_a_sum_names_the_solvers_of_its_parts(tmp_path: Path) -> None:
    facts, name = Facts(NEED, "distinct"), "2-0,1-1"
    for rounds, most, light, solver in (
        (1, 0, True, "A 1"),
        (2, 4, False, "B 1"),
        (3, 4, False, "C 1"),
        (5, 5, False, "A 1"),
    ):
        weight = most if light else None
        facts.keep(fact(name, "linear", rounds, most, light, weight, solver=solver))
    assert facts.lower(name, "linear", 5) == [0, 0, 5, 5, 10, 10]
    behind = [facts.behind(name, "linear", rounds) for rounds in range(6)]
    assert behind == [set(), set(), {"B 1"}, {"C 1"}, {"B 1"}, {"B 1"}]
    # A trail of no active S-box is shown by who found it; nobody is named for what has no solution.
    refused = {b.rounds: b.solver for b in rounds_study.bounds_of(facts, name, "linear", 5)}
    assert refused == {1: "A 1", 2: "B 1", 3: "C 1", 4: "B 1", 5: "B 1"}


# What is known decides what is computed, in either view alike.
@pytest.mark.parametrize(
    ("view", "part"),
    [
        ("differential", Fraction(1, 4)),
        *(
            pytest.param(*case, marks=pytest.mark.long)
            for case in (("differential", 1), ("linear", Fraction(1, 4)), ("linear", Fraction(1, 2)))
        ),
    ],
)
def test_deepening_with_few_minima_known(
    tmp_path: Path, view: feistel.View, part: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, need = "2-0,1-1", 25
    monkeypatch.setattr(deepening, "PART", part)
    facts, want = Facts(need, "distinct"), minima(name, view, 4)
    list(deepen(facts, name, view, 4, 3600))
    reached = next((r for r, minimum in enumerate(want, 1) if minimum >= need), None)
    assert facts.reached(name, view, 4) == reached
    assert facts.below(name, view) == sum(minimum < need for minimum in want)
    for low, minimum in zip(facts.lower(name, view, 4)[1:], want, strict=True):
        assert low <= minimum or minimum >= need


@pytest.mark.parametrize("view", feistel.VIEWS)
def test_a_known_bracket_is_narrowed_from_its_far_end(
    view: feistel.View, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, want = "2-0,1-1", minima("2-0,1-1", view, 4)
    need = want[2]
    reached = next(r for r, minimum in enumerate(want, 1) if minimum >= need)
    known = [fact(name, view, 4, need - 1, False, None), fact(name, view, 1, want[0], True, want[0])]
    facts = Facts(need, "distinct", known)
    monkeypatch.setattr(deepening, "_table", lambda *_: pytest.fail("a table was begun"))
    news = deepening._narrowed(facts, facts.windows(name, view), name, 4, 3600)
    assert [(f.rounds, f.light) for f in news] == [
        *((rounds, False) for rounds in range(3, reached - 1, -1)),
        *([(reached - 1, True)] if reached > 2 else []),
    ]
    assert facts.reached(name, view, 4) == reached == facts.below(name, view) + 1
    # Where there are too many, or a query stayed open before, nothing is tried.
    monkeypatch.setattr(deepening, "MANY", 0)
    again = Facts(need, "distinct", known)
    assert not list(deepening._narrowed(again, again.windows(name, view), name, 4, 3600))


@pytest.mark.parametrize("view", feistel.VIEWS)
def test_every_path_has_a_short_time_first(view: feistel.View, monkeypatch: pytest.MonkeyPatch) -> None:
    name, want = "2-0,1-1", minima("2-0,1-1", view, 3)
    facts = Facts(want[2] + 1, "distinct")
    windows = facts.windows(name, view)
    paths = windows.open(3, facts.need)
    seen: list[tuple[WordPath, float]] = []
    decided = deepening.query

    def query(
        facts: Facts, windows: Any, name: str, path: WordPath, most: int, limit: float, **more: bool
    ) -> bool:
        seen.append((path, limit))
        return decided(facts, windows, name, path, most, limit, **more)

    monkeypatch.setattr(deepening, "query", query)
    short = deepening.SOON
    assert not deepening._soon(facts, windows, name, paths, perf_counter() + 3 * short) and not seen
    assert deepening._soon(facts, windows, name, paths, perf_counter() + 3600)
    assert {limit for _, limit in seen} == {short} and {path for path, _ in seen} <= set(paths)
    assert facts.along(name, view, seen[-1][0])[-1].light
    # Nothing is left to look for where all paths cost too much.
    heavy = Facts(want[2], "distinct")
    windows = heavy.windows(name, view)
    assert not deepening._soon(heavy, windows, name, windows.open(3, heavy.need), perf_counter() + 3600)


@pytest.mark.parametrize("view", feistel.VIEWS)
def test_first_rounds_that_cost_enough_rule_out_all_paths(view: feistel.View) -> None:
    windows = Facts(25, "distinct").windows("2-0,2-2,2-0,2-2", view)
    paths = windows.open(5, 25)
    ceilings = deepening._without_the_last(windows, paths, 24)
    assert len(paths) > len(ceilings) > 1
    for first, ceiling in ceilings.items():
        windows.tell(first, ceiling)
    assert windows.open(5, 25)
    for first, ceiling in ceilings.items():
        windows.tell(first, ceiling + 1)
    assert not windows.open(5, 25)


@pytest.mark.parametrize("view", feistel.VIEWS)
def test_minima_that_open_paths_share_rule_out_most(
    view: feistel.View, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No minimum is above that of the plain model, and paths that stay open are no more than before."""
    name, want = "2-0,1-1", minima("2-0,1-1", view, 4)
    facts = Facts(want[3], "distinct")
    windows = facts.windows(name, view)
    before, two = windows.open(4, facts.need), windows.open(2, 10**3)
    sums = [windows.minimum(path) for path in two]
    monkeypatch.setattr(deepening, "SHARED", 1)
    deepening._raised(facts, windows, name, 4, 3600)
    assert set(windows.open(4, facts.need)) <= set(before)
    raised = [windows.minimum(path) for path in two]
    assert raised != sums and all(new >= old for new, old in zip(raised, sums, strict=True))
    for rounds in (1, 2, 3):
        fewest = min(windows.minimum(path) for path in windows.open(rounds, 10**3))
        assert fewest <= want[rounds - 1]
    assert windows.shared(4, 2, facts.need - 1)[1].total() == 3 * len(windows.open(4, facts.need))
    # Without time nothing is tried.
    again = Facts(want[3], "distinct")
    monkeypatch.setattr(deepening, "query", lambda *_, **__: pytest.fail("a query was begun"))
    deepening._raised(again, again.windows(name, view), name, 4, 0)


def test_sums_and_longer_trails(tmp_path: Path) -> None:
    facts = Facts(20, "distinct")
    for rounds, most, light, weight in ((2, 6, False, None), (3, 10, False, None), (4, 19, True, 15)):
        facts.keep(fact("x", "linear", rounds, most, light, weight))
    assert facts.lower("x", "linear", 6) == [0, 0, 7, 11, 14, 18, 22]
    assert facts.reached("x", "linear", 6) == 6 and facts.below("x", "linear") == 4
    assert facts.upper("x", "linear", 3) == 15 and facts.upper("x", "linear", 5) is None
    assert facts.bracket("x", 6) == (5, None)  # nothing is known of differences


def test_what_was_open_is_tried_with_more_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def timed_out(problem: Problem, *_: object, **__: object) -> Solution:
        return unsolved(version="solver", seconds=1.0)

    facts = Facts(NEED, "distinct")
    with monkeypatch.context() as patched:
        patched.setattr(deepening, "solve", timed_out)
        first = list(deepen(facts, "2-0,1-1", "linear", 2, 0.5))
        # One open query, and more paths of more rounds are not tried.
        assert [(fact.rounds, fact.light) for fact in first] == [(1, None)]
    again = Facts(NEED, "distinct", facts.new)
    assert not list(deepen(again, "2-0,1-1", "linear", 2, 0.5))
    assert list(deepen(again, "2-0,1-1", "linear", 2, 60.0))
    assert again.lower("2-0,1-1", "linear", 2)[1:] == minima("2-0,1-1", "linear", 2)


@pytest.mark.parametrize("name", ["2-0,2-2,2-0,2-2", "haraka-512"])
def test_ctrl_c_is_not_kept_as_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def stopped(problem: Problem, *_: object, **__: object) -> Solution:
        return unsolved(seconds=60.0, interrupted=True)

    facts = Facts(86, "distinct")
    monkeypatch.setattr(deepening, "solve", stopped)
    with pytest.raises(KeyboardInterrupt):
        list(deepen(facts, name, "differential", 2, 60.0))
    if name != "haraka-512":
        with pytest.raises(KeyboardInterrupt):
            light_trail(facts, name, "differential", 2, 60.0)
    assert not facts.new


def test_facts_are_rows_of_a_ledger(tmp_path: Path) -> None:
    path, facts = tmp_path / "ledger", Facts(NEED, "distinct")
    list(deepen(facts, "2-0,1-1", "linear", 1, 3600))
    assert facts.of("2-0,1-1", "linear")
    along = fact("2-0,1-1", "linear", 1, 3, False, None, path=(1, 2))
    facts.keep(along)
    assert not known(path, NEED).new and not [*known(path, NEED).about("2-0,1-1", "linear")]
    with Ledger(path) as ledger:
        key = key_of("a")
        ledger.begin("roundworks fastest", "", [key])
        ledger.claim(key, 0, "a unit")
        ledger.done(key, [row.as_json() for row in trail_rows(facts, "roundworks fastest")], "", 1.0)
        ledger.flush()
    again = known(path, NEED)
    assert [*again.about("2-0,1-1", "linear")] == [*facts.about("2-0,1-1", "linear")]
    assert again.along("2-0,1-1", "linear", (1, 2)) == [along]
    assert again.windows("2-0,1-1", "linear").minimum((1, 2)) >= 4
    path.write_text("{}\n[]\n")
    with pytest.raises(LedgerError, match=r"not a ledger; name another file"):
        known(path, NEED)


@pytest.mark.parametrize("view", feistel.VIEWS)
def test_areion_is_of_the_family(view: feistel.View) -> None:
    described = cell_bound(get_permutation("areion-512"), "active", 2, view, "distinct", limit=3600)
    assert minima("areion-512", view, 2)[-1] == described.value


def test_a_shuffle_behind_the_name() -> None:
    structure_ = feistel.structure("1-0,1-1,1-0,2-1/1,2,3,0")
    assert structure_ == feistel.structure("areion-512")


@pytest.mark.parametrize("name", ["1-0,2-0,2-0,1-0", "1-1,2-2,1-1,2-2", "2-0,1-0,2-0,2-1"])
def test_cost_is_that_of_the_cycle_model(name: str) -> None:
    cpu = next(cpu for cpu in spec.cpus() if cpu.name == "sapphire-rapids")
    permutation, described = feistel.structure(name), get_permutation(f"feistel512:{name}")
    latency = int(cpu.timing("aesenc").latency)
    one, many = cycles(described, cpu, 3), cycles(described, cpu, 3, blocks=4, shared=True)
    assert feistel_worth.path(permutation, 3, latency) == one.path
    assert feistel_worth.instructions(permutation, 3) == many.aes
    rounds = feistel_worth.cheaper(permutation, latency, one.path, 0)
    assert feistel_worth.path(permutation, rounds, latency) < one.path


def test_what_could_be_faster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[str, int, str]] = []

    def solution(facts: Facts, name: str, view: feistel.View, rounds: int, limit: float) -> Fact:
        tried.append((name, rounds, view))
        light = name.startswith("1-0") or None
        facts.keep(
            fact(
                name, view, rounds, facts.need - 1, light, 3 if light else None, solver="solver", limit=limit
            )
        )
        return facts.new[-1]

    monkeypatch.setattr(rounds_study, "light_trail", solution)
    names, ledger = ("1-0,1-0,1-0,1-0", "2-0,2-0,2-0,2-0"), tmp_path / "ledger"
    monkeypatch.setattr(feistel_worth, "names", lambda: iter(names))
    goal = RankingGoal(3, 24, 24, "a CPU")

    monkeypatch.setattr(runner, "opened", lambda where, units, run: Here(run))

    def gone() -> list[bool]:
        for some in goal.shares(known(ledger, 86)):
            distribute(LightTrails(some, 1.0, ledger, "roundworks fastest"), ledger)
        facts = known(ledger, 86)
        return [feistel_worth.refuted(facts, name, rounds) for name, rounds in goal.rounds().items()]

    assert gone() == [True, False]
    # One view is enough to be out; an open one is tried in both.
    assert [view for _, _, view in tried] == ["differential", "linear", "differential"]
    before = len(tried)
    assert gone() == [True, False] and len(tried) == before
    left = goal.left(known(ledger, 86))
    assert [name for name, _ in left] == ["2-0,2-0,2-0,2-0"]
    facts = known(ledger, 86)
    row = faster_row(goal, facts, "roundworks fastest")
    assert (row.configurations, row.out) == (2, 1) and said_of(row).startswith("of 2 configurations")
    (line,) = row.left
    assert (line["permutation"], line["rounds"], line["decided"]) == (*left[0], False)
    assert line["paths"] > 0 and "wanted" not in line  # no path is decided yet
    assert "none), and 1 are not decided" in said_of(row)
    bare = faster_row(goal, facts, "roundworks fastest", costs=False)
    assert said_of(bare) == said_of(row) and "paths" not in bare.left[0] and bare.between is None
    name, rounds = left[0]
    for view in feistel.VIEWS:
        path = facts.windows(name, view).open(rounds, facts.need)[0]
        facts.keep(fact(name, view, rounds, 85, False, None, path=path))
    (line,) = faster_row(goal, facts, "roundworks fastest").left
    paths = sum(len(facts.windows(name, view).open(rounds, facts.need)) for view in feistel.VIEWS)
    assert line["paths"] == paths and line["wanted"] == pytest.approx(0.1 * paths, abs=0.06)
    for view in feistel.VIEWS:
        facts.keep(fact(name, view, rounds, 85, False, None))
    row = faster_row(goal, facts, "roundworks fastest", [name], rounds)
    assert row.left[0]["decided"] and "paths" not in row.left[0]
    each = zip(row.between or (), feistel.VIEWS, strict=True)
    assert all((b["view"], b["rounds"], b["reached"]) == (view, 1, rounds) for b, view in each)
    facts.keep(fact(name, "linear", rounds - 1, 85, True, 85))
    # One view decides it; whether the other one needs fewer rounds does not matter.
    assert faster_row(goal, facts, "roundworks fastest", [name], rounds).between == []
    assert "1 have no light trail there (2-0,2-0,2-0,2-0), and 0 are" in said_of(row)


@pytest.mark.parametrize("view", feistel.VIEWS)
def test_a_light_trail_is_found_or_open(tmp_path: Path, view: feistel.View) -> None:
    facts, minimum = Facts(NEED, "distinct"), minima("2-0,1-1", view, 3)
    for rounds, fewest in enumerate(minimum, 1):
        result = light_trail(facts, "2-0,1-1", view, rounds, 3600)
        assert (result.light is True) == (fewest < NEED) == (facts.below("2-0,1-1", view) == rounds)
        assert result.weight is None or fewest <= result.weight < NEED
    assert light_trail(facts, "2-0,1-1", view, 1, 0.0).light is None  # no time


@pytest.mark.parametrize("view", feistel.VIEWS)
def test_where_another_has_a_light_trail_it_is_looked_for_first(
    tmp_path: Path, view: feistel.View, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts, name = Facts(NEED, "distinct"), "2-0,1-1"
    every = list(facts.windows(name, view).fewest(1))
    assert light_trail(facts, name, view, 1, 3600).light
    (path,) = (fact.path for fact in facts.light(view, 1))
    assert not facts.light(view, 2)
    seen = []

    def refused(it: feistel.Structure, view: feistel.View, path: WordPath, *more: Any) -> Any:
        seen.append(path)
        return light_model(it, view, path, *more)

    monkeypatch.setattr(deepening, "light_model", refused)
    for other in ("2-0,2-1", "2-0,2-2"):
        facts.keep(fact(other, view, 1, NEED - 1, True, 1, path=every[-1]))
    light_trail(facts, "1-0,1-0", view, 1, 3600)
    assert seen[0] == every[-1] != path
    again = Facts(NEED, "distinct", facts.new)
    assert again.light(view, 1) == facts.light(view, 1)
    # What is refuted along a path is not tried again.
    refuted = {p for p in seen if again.windows("1-0,1-0", view).minimum(p) >= NEED}
    seen.clear()
    light_trail(again, "1-0,1-0", view, 1, 3600)
    assert not refuted & {*seen}


def test_half_of_all_configurations() -> None:
    names = list(feistel_worth.names())
    assert len(set(names)) == 666  # 36 of two equal halves, and half of the other 1260
    for name in names:
        first, second = name[:7], name[8:]
        assert first == second or f"{second},{first}" not in names
