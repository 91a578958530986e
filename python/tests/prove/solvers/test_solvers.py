"""Every solver gives the same minimum as trying all assignments, and says what it has proven."""

from __future__ import annotations

import random
import signal
import subprocess
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from calls import cases
from roundworks.errors import DescriptionError, SolverFailed, SolverUnavailable, UnknownName
from roundworks.prove import pipeline, solvers
from roundworks.prove.cellwise.instance import cell_instance
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query
from roundworks.prove.solvers import apart, choice, clusters, elimination, frontier
from roundworks.prove.solvers.interface import SolverRun
from roundworks.prove.solvers.problem import AtLeast, Clause, Parity, Problem, ValueTable, Weights
from roundworks.prove.solvers.solve import Solution, SolverProgress, agreed, solve
from roundworks.reference import get_analysed
from solving import unsolved

# The licence of gurobi is small, and matsui takes none of these problems.
SOLVERS = [name for name in solvers.installed() if name not in ("gurobi", "matsui")]
ALL = [*SOLVERS, "auto", "portfolio"]


def aes(rounds: int) -> Problem:
    """Truncated differences of AES: active bytes, 0 or at least 5 of 8 around MixColumns."""
    problem = Problem()
    state = problem.variables("s0", 16)
    problem.any_of(state)
    for r in range(1, rounds):
        after = problem.variables(f"s{r}", 16)
        for c in range(4):
            column = [state[4 * ((c + i) % 4) + i] for i in range(4)]
            counts = frozenset({0, 5, 6, 7, 8})
            problem.add(Weights((*column, *after[4 * c : 4 * c + 4]), counts))
        state = after
    for v in range(len(problem.names)):
        problem.weigh(v, 1)
    return problem


def some_problem(seed: int) -> Problem:
    rng = random.Random(seed)
    problem = Problem()
    n = rng.randrange(3, 11)
    x = problem.variables("x", n)
    for v in x:
        if rng.random() < 0.8:
            problem.weigh(v, Fraction(rng.randrange(0, 12), rng.choice((1, 1, 2, 3))))
    for _ in range(rng.randrange(1, 7)):
        chosen = tuple(rng.sample(x, rng.randrange(1, min(n, 6) + 1)))
        k = len(chosen)
        match rng.randrange(5):
            case 0:
                problem.add(Clause(tuple(rng.choice((v + 1, -v - 1)) for v in chosen)))
            case 1:
                terms = tuple((rng.randrange(-4, 5), v) for v in chosen)
                problem.add(AtLeast(terms, rng.randrange(-2, 4)))
            case 2:
                problem.add(Parity(chosen, rng.random() < 0.5))
            case 3:
                counts = rng.sample(range(k + 1), rng.randrange(1, k + 2))
                problem.add(Weights(chosen, frozenset(counts)))
            case 4:
                values = rng.sample(range(1 << k), rng.randrange(1, (1 << k) + 1))
                problem.add(ValueTable(chosen, frozenset(values)))
    return problem


def by_trying(problem: Problem) -> Fraction | None:
    values = [
        problem.value(x)
        for x in product((False, True), repeat=len(problem.names))
        if problem.holds(x) is None
    ]
    return min(values, default=None)


def test_the_usual_solvers_are_installed() -> None:
    assert {"highs", "cadical", "kissat", "scip", "frontier"} <= set(SOLVERS)


def test_skinny_over_ten_rounds_by_dynamic_programming() -> None:
    instance = cell_instance(get_analysed("skinny-64-64"), rounds=10)
    assert choice.chosen(instance.problem, SOLVERS) == "frontier"
    solution = solve(instance.problem, "frontier")
    assert (solution.status, solution.lower) == ("optimal", 46) and solution.assignment is not None
    assert not instance.attained(solution.assignment).short


def test_dynamic_programming_refuses_tables_that_are_too_large() -> None:
    wide = Problem()
    wide.any_of(wide.variables("x", elimination.MOST_LIVE + 1))
    assert choice.chosen(wide, SOLVERS) == "highs"
    with pytest.raises(SolverFailed, match="frontier: more than 22 variables are live at once"):
        solve(wide, "frontier")


def test_fixing_some_variables_first_gives_the_minimum_of_trying_everything() -> None:
    infeasible = 0
    for seed in range(200):
        problem, rng = some_problem(seed), random.Random(seed)
        problem.weights = {v: Fraction(int(weight)) for v, weight in problem.weights.items()}
        some = rng.sample(range(len(problem.names)), rng.randrange(1, len(problem.names)))
        problem.cut = frozenset(some)
        truth, fits = by_trying(problem), clusters.plan(problem, {})
        assert fits is not None and len(fits.groups) > 0, seed
        solution = solve(problem, "frontier")
        assert solution.upper == truth, seed
        assert solution.status == ("infeasible" if truth is None else "optimal"), seed
        infeasible += truth is None
    assert 10 < infeasible < 150


@pytest.mark.parametrize("name", cases(ALL, short=[name for name in ALL if name != "portfolio"]))
def test_aes_has_25_active_s_boxes_in_four_rounds(name: str) -> None:
    minima = [solve(aes(rounds), name).lower for rounds in (1, 2, 3)]
    solution = solve(aes(4), name, limit=3600)
    assert solution.status == "optimal"
    assert [*minima, solution.lower, solution.upper] == [1, 5, 9, 25, 25]
    assert solution.assignment is not None and sum(solution.assignment) == 25


@pytest.mark.parametrize("name", SOLVERS)
def test_the_minimum_is_that_of_trying_everything(name: str) -> None:
    infeasible = 0
    for seed in range(150):
        problem = some_problem(seed)
        solution, truth = solve(problem, name), by_trying(problem)
        if truth is None:
            infeasible += 1
            assert solution.status == "infeasible", seed
            assert solution.assignment is None and solution.upper is None
        else:
            assert (solution.status, solution.lower, solution.upper) == ("optimal", truth, truth), seed
            assert solution.assignment is not None
            assert problem.holds(solution.assignment) is None
    assert infeasible > 5  # both kinds were met


@pytest.mark.parametrize("name", ALL)
def test_no_time_gives_bounds_and_not_an_error(name: str) -> None:
    solution = solve(aes(4), name, limit=0.0)
    assert solution.status == "bounded" and not solution.interrupted
    assert solution.lower <= 25 and (solution.upper is None or solution.upper >= 25)


@pytest.mark.parametrize("name", ALL)
def test_known_bounds_and_a_start_are_used(name: str) -> None:
    first = solve(aes(4), "highs")
    settled = solve(aes(4), name, known=(Fraction(25), None), start=first.assignment)
    assert settled.status == "optimal" and settled.seconds < 1
    assert solve(aes(3), name, known=(Fraction(7), Fraction(9))).upper == 9
    with pytest.raises(SolverFailed, match="known upper bound 8: no assignment weighs as little"):
        solve(aes(3), name, known=(None, Fraction(8)))


@pytest.mark.parametrize("name", ALL)
def test_ctrl_c_gives_the_bounds_so_far(name: str) -> None:
    def impatient(progress: SolverProgress) -> None:
        if progress.upper is not None:
            raise KeyboardInterrupt

    solution = solve(aes(4), name, progress=impatient)
    assert solution.interrupted
    assert solution.status in ("bounded", "optimal")
    assert solution.upper is not None and solution.lower <= 25 <= solution.upper


@pytest.mark.parametrize("name", ALL)
def test_ctrl_c_reaches_whose_it_is(name: str) -> None:
    """No solver keeps the signal for itself."""
    rang = []

    def ring(*_: object) -> None:
        rang.append(1)
        raise KeyboardInterrupt

    def impatient(progress: SolverProgress) -> None:
        if not rang:
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, ring)
    try:
        solution = solve(aes(4), name, progress=impatient)
    finally:
        signal.signal(signal.SIGINT, before)
    assert rang == [1] and solution.interrupted


def test_a_bad_start_is_refused() -> None:
    with pytest.raises(DescriptionError, match="start: want an assignment"):
        solve(aes(1), start=[False] * 16)


def test_an_unknown_solver_names_those_there_are() -> None:
    with pytest.raises(UnknownName, match=r"^solver 'kisat': not known; did you mean kissat"):
        solve(aes(1), "kisat")


def test_a_missing_solver_is_an_error_that_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    there = solvers._present
    monkeypatch.setattr(solvers, "_present", lambda m: m != "pyscipopt" and there(m))
    with pytest.raises(
        SolverUnavailable,
        match=r"^solver 'scip': not installed; one of highs, .*; pip install 'roundworks\[prove\]'$",
    ):
        solve(aes(1), "scip")
    monkeypatch.setattr(solvers, "_present", lambda m: False)
    with pytest.raises(SolverUnavailable, match="one of none installed"):
        solve(aes(1))


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem is taken as one that dynamic programming is too large for."""
    monkeypatch.setattr(frontier, "fits", lambda _: False)


@pytest.mark.usefixtures("large")
def test_a_portfolio_names_its_winner_and_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    children = []
    started = subprocess.Popen

    def noted(*args: Any, **options: Any) -> subprocess.Popen[bytes]:
        children.append(started(*args, **options))
        return children[-1]

    monkeypatch.setattr(subprocess, "Popen", noted)
    solution = solve(aes(3), "portfolio")
    assert (solution.status, solution.lower) == ("optimal", 9)
    assert solution.solver in ("highs", "scip")
    assert len(children) == 2 and all(child.poll() is not None for child in children)


def test_a_portfolio_agrees_with_trying_everything() -> None:
    for seed in range(6):
        problem = some_problem(seed)
        solution, truth = solve(problem, "portfolio"), by_trying(problem)
        assert (solution.upper, solution.status == "infeasible") == (truth, truth is None)


def test_two_solvers_agree_or_it_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    solutions = agreed(aes(3))
    assert [(a.solver, a.status, a.lower) for a in solutions] == [
        ("highs", "optimal", 9),
        ("scip", "optimal", 9),
    ]

    class Wrong:
        version = "0"

        def run(self, run: SolverRun) -> None:
            run.found([True] * 48)
            run.exhausted(run.goal)

    there = solvers.find
    monkeypatch.setattr(solvers, "find", lambda name: Wrong() if name == "scip" else there(name))
    with pytest.raises(SolverFailed, match="scip and highs disagree: scip says at least 48, .* of weight 9;"):
        agreed(aes(3))


NOTHING: dict[str, Any] = {"lower": "0", "assignment": None, "infeasible": False}
ASSIGNED = NOTHING | {"assignment": "1" * 48}
NONE = NOTHING | {"infeasible": True}
TOO_MUCH = NOTHING | {"lower": "49"}


def replay(monkeypatch: pytest.MonkeyPatch, said: dict[str, list[dict[str, Any]]]) -> None:
    """Children that say so much and end, in this order."""

    class Replay:
        def __init__(self, name: str, run: SolverRun, inbox: Any) -> None:
            for message in (*said[name], None):
                inbox.put((name, message))

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(apart, "Apart", Replay)


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("proof", [NONE, TOO_MUCH])
@pytest.mark.parametrize("late", [False, True])
def test_a_portfolio_that_contradicts_itself_is_an_error(
    monkeypatch: pytest.MonkeyPatch, proof: dict[str, Any], late: bool
) -> None:
    """In either order, and where the first to speak has settled it."""
    said = {"highs": [ASSIGNED], "scip": [proof]} if late else {"highs": [proof], "scip": [ASSIGNED]}
    replay(monkeypatch, said)
    one, other = ("scip", "highs") if late else ("highs", "scip")
    says = "no assignment at all" if proof is NONE else "at least 49"
    text = f"^{one} and {other} disagree: {one} says {says}, {other} has an assignment of weight 48"
    with pytest.raises(SolverFailed, match=text):
        solve(aes(3), "portfolio")


@pytest.mark.usefixtures("large")
def test_a_portfolio_names_who_proved_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not who spoke last, whose assignment the proof had waited for."""
    replay(monkeypatch, {"highs": [NOTHING | {"lower": "48"}], "scip": [ASSIGNED]})
    solution = solve(aes(3), "portfolio")
    assert (solution.status, solution.lower, solution.solver) == ("optimal", 48, "highs")
    assert solution.version == solvers.find("highs").version
    replay(monkeypatch, {"highs": [NOTHING], "scip": [ASSIGNED]})
    known = solve(aes(3), "portfolio", known=(Fraction(48), None))
    assert (known.status, known.solver) == ("optimal", "scip")


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("settled_first", [False, True])
def test_a_child_that_contradicts_itself_is_not_outvoted(
    monkeypatch: pytest.MonkeyPatch, settled_first: bool
) -> None:
    text = "liar contradicts itself"
    solution, wrong = ASSIGNED | {"lower": "48"}, {"wrong": text}
    both = [solution, wrong] if settled_first else [wrong, solution]
    replay(monkeypatch, dict(zip(("highs", "scip"), ([one] for one in both), strict=True)))
    with pytest.raises(SolverFailed, match=text):
        solve(aes(3), "portfolio")


def children(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Every child runs this in the place of its module."""
    started = subprocess.Popen

    def replaced(args: list[str], **options: Any) -> subprocess.Popen[bytes]:
        return started([args[0], "-c", code], **options)

    monkeypatch.setattr(subprocess, "Popen", replaced)


@pytest.mark.usefixtures("large")
def test_a_child_that_is_killed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even in the middle of a line."""
    children(
        monkeypatch,
        "import os, sys; sys.stdin.buffer.read(1);"
        """ print('{"lower": "5', end="", flush=True); os.kill(os.getpid(), 9)""",
    )
    said = "exit status -9"
    with pytest.raises(SolverFailed, match=f"^(highs|scip): {said}; (highs|scip): {said}$"):
        solve(aes(3), "portfolio", limit=3600)
    with pytest.raises(SolverFailed, match=f"^highs: {said}$"):
        solve(aes(3), "highs", limit=3600, aside=True)


def test_a_child_says_that_it_contradicted_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
import time
from roundworks.prove.solvers import apart

class Highs:
    def run(self, run):
        run.found([True] * len(run.problem.names))
        run.exhausted(None)

class Scip:
    def run(self, run):
        time.sleep(300)

apart.find = {"highs": Highs(), "scip": Scip()}.get
apart._serve()
"""
    children(monkeypatch, code)
    with pytest.raises(SolverFailed, match="^highs contradicts itself: highs says no assignment"):
        solve(aes(3), "portfolio", limit=3600)


def test_a_solver_that_lies_is_caught() -> None:
    run = SolverRun(aes(2), "liar")
    assert not run.found([True] + [False] * 31)  # one byte in, none out
    run.proven(Fraction(33))
    with pytest.raises(SolverFailed, match="liar contradicts itself: liar says at least 33, .* 32"):
        run.found([True] * 32)
    for claim in (lambda r: r.proven(Fraction(33)), lambda r: r.exhausted(None)):
        run = SolverRun(aes(2), "liar")
        assert run.found([True] * 32)
        with pytest.raises(SolverFailed, match="liar contradicts itself"):
            claim(run)


@pytest.mark.parametrize("measure", ["trail", "active-sboxes"])
def test_one_solver_finds_none_and_one_finds_a_trail(monkeypatch: pytest.MonkeyPatch, measure: str) -> None:
    def solutions(problem: Problem, solver: str, *_: object, **__: object) -> Solution:
        if solver == "highs":
            return unsolved(status="infeasible", solver=solver)
        return solve(problem, solver)

    monkeypatch.setattr(pipeline, "solve", solutions)
    query = Query(1, solvers=("highs", "cadical"))
    text = "^highs and cadical disagree: highs says no assignment at all, cadical has .* weight "
    with pytest.raises(SolverFailed, match=text):
        list(bounds_of(get_analysed("present"), measure, query))


@pytest.mark.parametrize("measure", ["trail", "active-sboxes"])
def test_after_ctrl_c_no_other_solver_is_run(monkeypatch: pytest.MonkeyPatch, measure: str) -> None:
    solvers_run = []

    def stopped(problem: Problem, solver: str, *_: object, **__: object) -> Solution:
        solvers_run.append(solver)
        return unsolved(lower=Fraction(1), solver=solver, version=solver, interrupted=True)

    monkeypatch.setattr(pipeline, "solve", stopped)
    both = Query(1, solvers=("highs", "cadical"))
    (result,) = bounds_of(get_analysed("present"), measure, both)
    assert solvers_run == ["highs"] and (result.bound.value, result.bound.side) == (1, "lower")


def test_what_was_looked_at_bounds_what_is_proven() -> None:
    """That nothing up to a weight was found is all there is to learn of a search up to it."""
    run = SolverRun(aes(2), "cut off")
    assert run.found([True] * 32, "the start")
    run.proven_float(40.0, Fraction(20))
    assert run.lower == 21
    run.exhausted(Fraction(31))
    assert run.settled and run.lower == run.upper == 32


def test_floats_are_rounded_up_to_the_step_of_the_weights() -> None:
    problem = Problem()
    for i, weight in enumerate((Fraction(4), Fraction(6), Fraction(5, 2))):
        problem.weigh(problem.variable(str(i)), weight)
    run = SolverRun(problem, "floats")
    assert run.step == Fraction(1, 2) and run.units == {0: 8, 1: 12, 2: 5}
    run.proven_float(3.0000004, None)  # 3 steps, and noise
    assert run.lower == Fraction(3, 2)
    run.proven_float(3.1, None)
    assert run.lower == 2
    run.proven_float(float("inf"), None)
    assert run.lower == 2
