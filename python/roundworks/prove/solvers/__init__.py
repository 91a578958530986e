"""The solvers, one file each, behind `interface`; nothing is imported until it is needed.

CP-SAT is not among them: OR-Tools 9.15 finds 13, "optimal", for the active bytes of three AES rounds
(truth 9; without its presolve it says 9), needs a minute for four, and cannot be loaded after HiGHS.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec

from ...errors import SolverUnavailable, unknown
from .interface import Solver

_EXTRA = "pip install 'roundworks[prove]'"
# Module here, what it imports, and what a user installs to have it.
_KNOWN = {
    "highs": ("highs", "highspy", _EXTRA),
    "scip": ("scip", "pyscipopt", _EXTRA),
    "cadical": ("cadical", "pysat.solvers", _EXTRA),
    "kissat": ("kissat", "passagemath_kissat", _EXTRA),
    "frontier": ("frontier", "numpy", _EXTRA),
    "matsui": ("matsui", "roundworks._native", _EXTRA),
    "gurobi": ("gurobi", "gurobipy", "pip install gurobipy, and a licence"),
}
NAMES = tuple(_KNOWN)


def installed() -> list[str]:
    """Names of the solvers whose packages are there, in the order of `NAMES`."""
    return [name for name, (_, module, _) in _KNOWN.items() if _present(module)]


def find(name: str) -> Solver:
    """The solver of that name, or an error that says which there are and how to get this one."""
    if name not in _KNOWN:
        raise unknown("solver", name, NAMES)
    file, module, advice = _KNOWN[name]
    if not _present(module):
        others = ", ".join(installed()) or "none installed"
        raise SolverUnavailable(f"solver {name!r}: not installed; one of {others}; {advice}")
    solver: Solver = importlib.import_module(f".{file}", __name__).SOLVER
    return solver


def _present(module: str) -> bool:
    # The parent first: find_spec raises where it is missing.
    return all(
        find_spec(module.rsplit(".", depth)[0]) is not None for depth in range(module.count("."), -1, -1)
    )
