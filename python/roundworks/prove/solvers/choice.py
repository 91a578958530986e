"""Which solver for which problem: by what was measured, see `PREFERENCE`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence

from .problem import Parity, Problem, ValueTable

# Counting problems, of weights and clauses alone, have strong linear relaxations; tables and parities
# (S-boxes and matrices bit-wise) have weak ones, and clauses are better. Seconds, two busy cores:
#                                       HiGHS   SCIP  CaDiCaL  Kissat
#   AES, 4 rounds: 25                     0.1    0.5      2.4     1.2
#   (2-0,1-1), 4 rounds: 38               1.3    3.2     12.2    13.1
#   (2-0,2-2), 4 rounds: 51               2.5    4.5     94.4     >60
#   (2-0,1-1), 5 rounds: 46               8.0    6.4
#   PRESENT bitwise, 3 rounds: 8          >60   23.9      0.2     1.4
# Dynamic programming takes of SKINNY-64, 9 rounds, a second in place of 19 by HiGHS, where its tables are small
# enough: a state of 16 cells.
# Where a key may differ, a relaxation has the differences cancel in parts, and clauses are better as well:
#   SKINNY-64-128, 8 rounds: 6             39     13      0.6
#   AES-128, 3 rounds: 5                  >60             0.2
# and dynamic programming, lane by lane of a tweakey schedule, is better still from 8 rounds on: SKINNY-64-64 over 10
# rounds took CaDiCaL 700 s, and over 14 rounds takes 11 s of CPU. What has no lanes does not fit there.
# Bits that are only permuted between S-boxes are for `matsui`: 9 rounds of GIFT-64, after 1 to 8, took CaDiCaL 295 s.
# Decisions without a weight, see `deciding`: refuting 29 for Speck32 over 9 rounds takes Kissat 229 s of CPU, and 23
# over 8 rounds 25 s, of which CaDiCaL takes 50.
DECISION = "decision"
PREFERENCE = {
    "counting": ("frontier", "highs", "scip", "cadical", "kissat"),
    "bitwise": ("matsui", "cadical", "kissat", "highs", "scip"),
    "keyed": ("frontier", "cadical", "kissat", "highs", "scip"),
    DECISION: ("kissat", "cadical", "highs", "scip"),
}
# For the second core.
PARTNER = {
    "counting": ("highs", "scip", "cadical", "kissat"),
    "bitwise": ("cadical", "scip", "highs", "kissat"),
    "keyed": ("cadical", "highs", "scip", "kissat"),
    DECISION: ("cadical", "highs", "scip"),
}


# Ours, each of problems whose shape `fits` of its module recognises.
SPECIAL = ("frontier", "matsui")


def able(problem: Problem, names: Sequence[str]) -> list[str]:
    """Those of these solvers that take such a problem."""
    return [name for name in names if name not in SPECIAL or _fits(problem, name)]


def _fits(problem: Problem, name: str) -> bool:
    # Imported here: numpy takes a tenth of a second, which `--help` need not wait for.
    fits: Callable[[Problem], bool] = importlib.import_module(f".{name}", __package__).fits
    return fits(problem)


def kind(problem: Problem) -> str:
    """``counting`` or ``bitwise``, by the constraints, or as the model says."""
    if problem.kind:
        return problem.kind
    bitwise = any(isinstance(constraint, Parity | ValueTable) for constraint in problem.constraints)
    return "bitwise" if bitwise else "counting"


def chosen(problem: Problem, installed: list[str]) -> str:
    """The installed solver that was fastest on problems of this kind."""
    order = [name for name in PREFERENCE[kind(problem)] if name in installed]
    return [*able(problem, order), *(name for name in installed if name not in SPECIAL), *installed][0]


def pair(problem: Problem, installed: list[str]) -> list[str]:
    """The same and one that works differently, for two cores."""
    first = chosen(problem, installed)
    others = [name for name in PARTNER[kind(problem)] if name in installed and name != first]
    return [first, *others[:1]]
