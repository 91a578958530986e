"""Minimum active S-boxes: the engine against a solver, the paper's values, the scan and its ledger."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from calls import cases
from roundworks import _native
from roundworks.errors import DescriptionError
from roundworks.prove.solvers.problem import AtLeast, Clause, Problem, Weights
from roundworks.prove.solvers.solve import solve
from roundworks.prove.structures import feistel
from roundworks.prove.structures import model as feistel_model
from roundworks.prove.structures.facts import Facts
from roundworks.prove.structures.scan import reaches, renamed, scan, structures
from roundworks.reference.aes import SHIFT_ROWS
from roundworks.reference.feistel import feistel256

# Rounds few enough for both ways to be quick.
BOTH = [
    ("1-0,2-0", 4, "differential"),
    ("2-0,1-0", 4, "differential"),
    ("2-0,2-0", 3, "differential"),
    ("2-0,2-2", 3, "differential"),
    ("2-0,1-1", 3, "differential"),
    ("1-0,1-1", 4, "differential"),
    ("2-1,2-3", 3, "differential"),
    ("1-1,1-0", 3, "differential"),
    ("simpira-2", 3, "differential"),
    ("1-0,2-0", 2, "linear"),
    ("1-1,1-0", 2, "linear"),
    ("simpira-2", 2, "linear"),
]


@pytest.mark.parametrize("count", ["executed", "distinct"])
@pytest.mark.parametrize(
    ("name", "rounds", "view"), cases(BOTH, short=[one for one in BOTH if one != ("simpira-2", 2, "linear")])
)
def test_two_ways_agree(name: str, rounds: int, view: feistel.View, count: feistel.Count) -> None:
    structure_ = feistel.structure(name)
    if (view, count) == ("linear", "distinct"):
        with pytest.raises(DescriptionError, match="want executed S-boxes and two words"):
            feistel.minima(structure_, rounds, view, count, 3600)
        return
    solution = solve(feistel.model(structure_, rounds, view, count), "highs", 3600)
    assert solution.status == "optimal"
    assert feistel.minima(structure_, rounds, view, count, 3600)[-1] == solution.upper


@pytest.mark.parametrize(
    ("name", "count", "want"),
    [
        ("1-0,2-0", "executed", [39, 45]),
        ("2-0,1-0", "executed", [42, 48]),
        ("2-0,2-0", "executed", [40, 50]),
        ("2-0,2-0", "distinct", [32, 40, 48]),
    ],
)
def test_values_of_the_paper(name: str, count: feistel.Count, want: list[int]) -> None:
    """At the round before the paper's and at the paper's; counted once, 43 takes a round more."""
    result = feistel.minima(feistel.structure(name), 4 + len(want), "differential", count, 3600)
    assert result[4:] == want


def test_a_limit_is_not_a_bound() -> None:
    structure_ = feistel.structure("2-0,2-0")
    assert feistel.minima(structure_, 4, "differential", "executed", 25) == [0, 10, 20, None]


def test_instructions() -> None:
    for name in ("1-0,2-0", "2-3,1-1"):
        described = feistel256(*name.split(","))
        assert feistel.structure(name).instructions == described.instructions
    assert feistel.structure("simpira-4").instructions == 4


def test_wrong_configurations() -> None:
    with pytest.raises(DescriptionError, match="want 2 or 4 functions"):
        feistel.structure("2-0,4-0")
    with pytest.raises(DescriptionError, match="shuffle: want every word 0..1 once"):
        feistel.Structure(("2-0", "2-0"), (0, 0))
    with pytest.raises(DescriptionError, match="rounds: want at least 1, got 0"):
        feistel.model(feistel.structure("2-0,2-0"), 0, "linear", "executed")


def test_renaming_halves_is_the_same_permutation() -> None:
    kept = list(structures(4))
    both = {(item.codes, item.shuffle) for item in kept} | {renamed(item) for item in kept}
    assert len(both) == 29808
    for item in kept[:: len(kept) // 4]:
        other = feistel.Structure(*renamed(item))
        values = {
            solve(feistel.model(s, 2, "differential", "executed"), "highs", 3600).upper for s in (item, other)
        }
        assert len(values) == 1


def test_the_scan_goes_on_where_it_stopped(tmp_path: Path) -> None:
    ledger = tmp_path / "scan.sqlite"
    counts: list[int] = []
    first = scan(2, 12, 6, ledger, 60, lambda done, *_: counts.append(done), lambda: len(counts) >= 5)
    assert len(first) == 5
    every = scan(2, 12, 6, ledger, 3600)
    assert every[:5] == first and len(every) == 36
    assert scan(2, 12, 6, ledger, 3600) == every
    for verdict in every:
        subject = feistel.Structure(verdict.codes, verdict.shuffle)
        solution = solve(feistel.model(subject, verdict.rounds, "differential", "executed"), "highs", 3600)
        assert verdict.reaches == (solution.lower >= 12), verdict
    stop = iter([False, True])
    assert len(scan(2, 13, 6, ledger, 3600, stop=lambda: next(stop))) == 1  # those of 12 are others


@pytest.mark.parametrize("need", [6, 10])
@pytest.mark.parametrize("name", ["1-0,2-0,2-0,1-0", "2-0,1-0,1-1,2-2/2,0,3,1", "2-0,2-2,2-0,2-2/1,2,3,0"])
def test_paths_decide_what_the_whole_query_does(name: str, need: int) -> None:
    one = feistel.structure(name)
    lightest = solve(feistel.model(one, 2, "differential", "executed"), "highs", 3600).lower
    along, _ = reaches(one, 2, Facts(need, "executed"), 60, along_paths=True)
    assert along is (lightest >= need)


def test_one_round_of_masks() -> None:
    """Nothing goes on to a second round there, yet some mask is not 0."""
    for name in ("1-0,1-1", "1-1,1-0"):
        structure_ = feistel.structure(name)
        solution = solve(feistel.model(structure_, 1, "linear", "executed"), "highs", 3600)
        assert feistel.minima(structure_, 1, "linear", "executed", 3600) == [solution.upper]


def test_the_binding_refuses_what_the_engine_cannot_count() -> None:
    with pytest.raises(DescriptionError, match="want executed S-boxes, got distinct"):
        _native.feistel_minima(("1-0", "1-0"), (1, 0), True, True, 2, 20)


def test_the_minimum_and_the_query_at_it() -> None:
    structure_ = feistel.structure("1-0,1-1")
    want = feistel.minima(structure_, 4, "differential", "executed", 40)[-1]
    assert want is not None
    for stop in (None, lambda: False):  # here, and in a process of its own
        assert feistel.minimum(structure_, 4, "differential", "executed", 60, stop)[:2] == (want, want)
    for most, result in ((want, True), (want - 1, False)):
        solution = feistel.trail_within(structure_, 4, "differential", "executed", most, 3600)
        assert solution[0] is result


def test_a_solver_at_work_can_be_stopped() -> None:
    structure_ = feistel.structure("2-0,2-0,2-0,2-0")
    lower, _, _ = feistel.minimum(structure_, 6, "differential", "executed", 600, lambda: True)
    assert lower < 86


def test_what_the_model_says_of_two_layers_holds_for_all_patterns() -> None:
    """The bytes between two MixColumns, all 65535 of them; at best 5 active in each column."""
    bound = feistel_model.THROUGH_TWO
    reached = set()
    for pattern in range(1, 1 << 16):
        cells = [pattern >> i & 1 for i in range(16)]
        moved = [0] * 16
        for i, to in enumerate(SHIFT_ROWS.to):
            moved[to] = cells[i]
        before, behind = (
            sum(5 - w for w in (sum(x[c : c + 4]) for c in range(0, 16, 4)) if w) for x in (cells, moved)
        )
        assert 4 * before + behind >= bound
        assert before + 4 * behind >= bound
        reached |= {4 * before + behind, before + 4 * behind}
    assert min(reached) == bound


# Each view and each count with every structure; all pairs of them wait.
@pytest.mark.parametrize(
    ("count", "view"),
    cases(
        product(["executed", "distinct"], feistel.VIEWS),
        short=[("executed", "linear"), ("distinct", "differential")],
    ),
)
@pytest.mark.parametrize(
    ("codes", "shuffle"),
    cases(
        [
            ("2-0,2-2,2-0,2-2", (3, 0, 1, 2)),
            ("2-0,1-0,1-0,2-0", (3, 0, 1, 2)),
            ("2-1,1-1,2-3,2-0", (1, 3, 0, 2)),
            ("1-0,2-2,2-1,1-0", (2, 3, 1, 0)),
        ],
        short=[("2-0,1-0,1-0,2-0", (3, 0, 1, 2)), ("2-1,1-1,2-3,2-0", (1, 3, 0, 2))],
    ),
)
def test_words_and_columns_change_no_minimum(
    codes: str, shuffle: tuple[int, ...], count: feistel.Count, view: feistel.View
) -> None:
    """The query without anything that is said twice, by the same walk over the structure."""
    subject = feistel.Structure(tuple(codes.split(",")), shuffle)
    full = feistel.model(subject, 2, view, count)
    plain = Problem(list(full.names), weights=dict(full.weights))
    for constraint in full.constraints:
        match constraint:
            case Weights(cells, _) if any(full.names[v].endswith(".any") for v in cells):
                continue  # of whole words
            case AtLeast(terms, 0) if min(c for c, _ in terms) in (-1, -feistel_model.THROUGH_TWO):
                continue  # an active word has a byte and a column, a column a byte on either side
            case Clause() | AtLeast() | Weights():
                plain.add(constraint)
    plain.any_of(v for v, name in enumerate(plain.names) if name.startswith("w") and "any" not in name)
    assert len(plain.constraints) < len(full.constraints)
    solutions = [solve(problem, "highs", 3600) for problem in (full, plain)]
    assert solutions[0].upper == solutions[1].upper and solutions[0].status == "optimal"
