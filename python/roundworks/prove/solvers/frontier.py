"""Dynamic programming over a frontier: variables come and go in the order of the constraints. [DECHTER]

A table has the minimum weight for every assignment of the live variables: those that some constraint has
had and another still waits for. Where rounds follow each other that is about the state between two of
them, so that time grows with the rounds and not with what they multiply to: for SKINNY's 16 cells that is
2^20 entries at most, and 15 rounds take seconds. The search is over all assignments and prunes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import SolverFailed
from .interface import Solver, SolverRun
from .problem import AtLeast, Clause, Constraint, Parity, Problem, ValueTable, Var, Weights

MOST_WEIGHT = np.iinfo(np.uint16).max
MOST_MET = 10  # variables of constraints that are entered together
MOST_LIVE = 22  # variables; a table of that many takes 8 MiB, and a step some milliseconds
Table = NDArray[Any]  # of bytes, or of pairs of them; its maximum is the weight of what breaks a constraint


@dataclass(frozen=True, slots=True)
class FrontierStep:
    """Variables that come, all constraints that then have theirs, and the variables that no other waits for."""

    new: tuple[Var, ...]
    constraints: tuple[Constraint, ...]
    gone: tuple[Var, ...]


def order(problem: Problem, most: int) -> list[FrontierStep] | None:
    """All constraints, from the longest on, or from the first; None where more than ``most`` variables are
    live at once in both."""
    if not problem.constraints:
        return []
    longest = max(range(len(problem.constraints)), key=lambda i: len(scope(problem.constraints[i])))
    return _from(problem, longest, most) or _from(problem, 0, most)


def _from(problem: Problem, start: int, most: int) -> list[FrontierStep] | None:
    """Always the constraint that leaves the fewest variables live, the first one of several."""
    scopes = [frozenset(scope(c)) for c in problem.constraints]
    waiting: dict[Var, set[int]] = defaultdict(set)
    for i, one in enumerate(scopes):
        for v in one:
            waiting[v].add(i)
    steps: list[FrontierStep] = []
    live, left, best = set[Var](), set(range(len(scopes))), start
    while left:
        new = scopes[best] - live
        live |= new
        if len(live) > most:
            return None
        near = sorted({best, *(i for v in new for i in waiting[v])})
        ready = [i for i in near if scopes[i] <= live]
        left.difference_update(ready)
        for i in ready:
            for v in scopes[i]:
                waiting[v].discard(i)
        gone = {v for i in ready for v in scopes[i] if not waiting[v]}
        live -= gone
        constraints = tuple(problem.constraints[i] for i in ready)
        steps.append(FrontierStep(tuple(sorted(new)), constraints, tuple(sorted(gone))))
        best = _next(scopes, waiting, live, left)
    return steps


def _next(
    scopes: Sequence[frozenset[Var]], waiting: Mapping[Var, set[int]], live: set[Var], left: set[int]
) -> int:
    """The constraint after which the fewest variables are live; 0 where none is left."""
    # Of constraints that want the same new variables one stands for all.
    wanted: dict[frozenset[Var], int] = {}
    for i in sorted({i for v in live for i in waiting[v]} or left):
        wanted.setdefault(scopes[i] - live, i)

    def after(new: frozenset[Var]) -> tuple[int, int]:
        then, i = live | new, wanted[new]
        gone = sum(all(scopes[j] <= then for j in waiting[v]) for v in scopes[i])
        return len(new) - gone, i

    return wanted[min(wanted, key=after)] if wanted else 0


def fits(problem: Problem) -> bool:
    """Whether the tables of this problem are small enough."""
    total = sum(problem.weights.values()) * problem.scale
    return total < MOST_WEIGHT and order(problem, MOST_LIVE) is not None


def scope(constraint: Constraint) -> tuple[Var, ...]:
    """The variables of a constraint."""
    match constraint:
        case Clause(literals):
            return tuple(abs(lit) - 1 for lit in literals)
        case AtLeast(terms, _):
            return tuple(v for _, v in terms)
        case Parity(variables, _) | Weights(variables, _) | ValueTable(variables, _):
            return tuple(variables)


class Frontier(Solver):
    """Ours: exact, without floats, of problems with few live variables."""

    @property
    def version(self) -> str:
        return f"frontier (numpy {np.__version__})"

    def run(self, run: SolverRun) -> None:
        """One pass over all constraints for the minimum weight, and one back for an assignment."""
        run.check()
        within = run.goal
        taken = order(run.problem, MOST_LIVE)
        if taken is None or sum(run.units.values()) >= MOST_WEIGHT:
            raise SolverFailed(
                f"frontier: more than {MOST_LIVE} variables are live at once, or weights too many to"
                " count; want another solver"
            )
        sweep = _Sweep(run)
        for step in taken:
            sweep.take(step)
            run.check()
            run.tell()
        minimum = int(sweep.table[()])
        if minimum == sweep.never:
            run.exhausted(None)
            return
        if within is not None and minimum * run.step > within:
            run.exhausted(within)
            return
        if not run.found(sweep.assignment()):
            raise SolverFailed("frontier: its assignment breaks a constraint")
        run.proven(minimum * run.step)


class _Sweep:
    """``table``: the minimum weight so far for every assignment of ``live``, one axis for each.

    ``never``: that of what breaks a constraint.
    """

    def __init__(self, run: SolverRun) -> None:
        self.units, self.count = run.units, len(run.problem.names)
        kind = np.uint8 if sum(self.units.values()) < np.iinfo(np.uint8).max else np.uint16
        self.never = int(np.iinfo(kind).max)
        self.live: list[Var] = []
        self.table: Table = np.zeros((), kind)
        # Of each variable that went, the live ones behind it, and whether 1 was lighter.
        self.choices: list[tuple[Var, tuple[Var, ...], NDArray[np.uint8]]] = []

    def take(self, step: FrontierStep) -> None:
        for variable in step.new:
            self.live.insert(0, variable)
            self.table = np.broadcast_to(self.table, (2, *self.table.shape)).copy()
        together: list[Constraint] = []
        for constraint in step.constraints:
            if isinstance(constraint, Clause):
                self._forbid(constraint)
                continue
            if len({v for c in (*together, constraint) for v in scope(c)}) > MOST_MET:
                self._restrict(together)
                together = []
            together.append(constraint)
        self._restrict(together)
        for variable in step.gone:
            self._drop(variable)

    def _forbid(self, clause: Clause) -> None:
        """The one corner of the table that breaks the clause."""
        corner: list[int | slice] = [slice(None)] * len(self.live)
        if any(-lit in clause.literals for lit in clause.literals):
            return
        for lit in clause.literals:
            corner[self.live.index(abs(lit) - 1)] = int(lit < 0)
        self.table[tuple(corner)] = self.never

    def _restrict(self, constraints: Sequence[Constraint]) -> None:
        """What breaks one of these."""
        if not constraints:
            return
        met = {v for c in constraints for v in scope(c)}
        axes = [v for v in self.live if v in met]
        kept = np.ones((2,) * len(axes), np.bool_)
        for constraint in constraints:
            kept &= _kept(constraint, axes)
        broken = np.where(kept, 0, self.never).astype(self.table.dtype)
        np.maximum(self.table, broken.reshape([2 if v in met else 1 for v in self.live]), out=self.table)

    def _drop(self, variable: Var) -> None:
        axis = self.live.index(variable)
        self.live.pop(axis)
        before: tuple[Any, ...] = (slice(None),) * axis
        off, on = self.table[(*before, 0)], self.table[(*before, 1)]
        if weight := self.units.get(variable, 0):
            on = np.minimum(on, self.never - weight) + self.table.dtype.type(weight)
        self.choices.append((variable, tuple(self.live), np.packbits(on < off)))
        self.table = np.minimum(off, on)

    def assignment(self) -> list[bool]:
        """The variables from the last to the first that went; those in no constraint are 0."""
        values = [False] * self.count
        for variable, behind, lighter in reversed(self.choices):
            at = 0
            for v in behind:
                at = at << 1 | values[v]
            values[variable] = bool(lighter[at >> 3] >> (7 - (at & 7)) & 1)
        return values


def _kept(constraint: Constraint, variables: Sequence[Var]) -> NDArray[np.bool_]:
    """Whether the constraint is kept, one axis for each of the variables; of length 1 where it has none."""
    at = dict(zip(variables, np.indices((2,) * len(variables), np.int64, sparse=True), strict=True))
    zero = np.zeros((1,) * len(variables), np.int64)
    match constraint:
        case AtLeast(terms, bound):
            kept = sum((c * at[v] for c, v in terms), zero) >= bound
        case Parity(all_, odd):
            kept = sum((at[v] for v in all_), zero) % 2 == odd
        case Weights(all_, allowed):
            kept = np.isin(sum((at[v] for v in all_), zero), sorted(allowed))
        case ValueTable(all_, allowed):
            kept = np.isin(sum((at[v] << i for i, v in enumerate(all_)), zero), sorted(allowed))
        case Clause():
            raise SolverFailed("frontier: a clause is no table")
    return np.asarray(kept, np.bool_)


SOLVER = Frontier()
