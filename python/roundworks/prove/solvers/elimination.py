"""Elimination: variables come and go in the order of the constraints. [DECHTER]

A table has the minimum weight for every assignment of the live variables: those that some constraint has
had and another still waits for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .problem import AtLeast, Clause, Constraint, Parity, Problem, ValueTable, Var, Weights

MOST_LIVE = 22  # variables; a table of that many takes 8 MiB, and a step some milliseconds
MOST_MET = 10  # variables of constraints that are entered together
Table = NDArray[Any]  # of bytes, or of pairs of them; its maximum is the weight of what breaks a constraint


@dataclass(frozen=True, slots=True)
class EliminationStep:
    """Variables that come, all constraints that then have theirs, and the variables that no other waits for."""

    new: tuple[Var, ...]
    constraints: tuple[Constraint, ...]
    gone: tuple[Var, ...]


def order(
    problem: Problem, most: int, fixed: Collection[Var] = (), kept: Collection[Var] = ()
) -> list[EliminationStep] | None:
    """All constraints, from the longest on, or from the first; None where more than ``most`` variables are
    live at once in both. Those ``fixed`` never are, and those ``kept`` are so to the end."""
    if not problem.constraints:
        return []
    scopes = [frozenset(scope(c)) - frozenset(fixed) for c in problem.constraints]
    longest = max(range(len(scopes)), key=lambda i: len(scopes[i]))
    return _from(problem, scopes, longest, most, kept) or _from(problem, scopes, 0, most, kept)


def _from(
    problem: Problem, scopes: Sequence[frozenset[Var]], start: int, most: int, kept: Collection[Var]
) -> list[EliminationStep] | None:
    """Always the constraint that leaves the fewest variables live, the first one of several."""
    waiting: dict[Var, set[int]] = defaultdict(set)
    for i, one in enumerate(scopes):
        for v in one:
            waiting[v].add(i)
    steps: list[EliminationStep] = []
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
        gone = {v for i in ready for v in scopes[i] if not waiting[v]}.difference(kept)
        live -= gone
        constraints = tuple(problem.constraints[i] for i in ready)
        steps.append(EliminationStep(tuple(sorted(new)), constraints, tuple(sorted(gone))))
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


def scope(constraint: Constraint) -> tuple[Var, ...]:
    """The variables of a constraint."""
    match constraint:
        case Clause(literals):
            return tuple(abs(lit) - 1 for lit in literals)
        case AtLeast(terms, _):
            return tuple(v for _, v in terms)
        case Parity(variables, _) | Weights(variables, _) | ValueTable(variables, _):
            return tuple(variables)


class Sweep:
    """``table``: the minimum weight so far for every assignment of ``live``, one axis for each.

    ``never``: that of what breaks a constraint.
    """

    def __init__(self, units: Mapping[Var, int], count: int) -> None:
        self.units, self.count = units, count
        kind = np.uint8 if sum(self.units.values()) < np.iinfo(np.uint8).max else np.uint16
        self.never = int(np.iinfo(kind).max)
        self.live: list[Var] = []
        self.table: Table = np.zeros((), kind)
        # Of each variable that went, the live ones behind it, and whether 1 was lighter.
        self.choices: list[tuple[Var, tuple[Var, ...], NDArray[np.uint8]]] = []

    def take(self, step: EliminationStep) -> None:
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
            kept &= holding(constraint, axes)
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


def holding(constraint: Constraint, variables: Sequence[Var]) -> NDArray[np.bool_]:
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
        case Clause(literals):
            kept = sum((at[abs(lit) - 1] == (lit > 0) for lit in literals), zero) > 0
    return np.asarray(kept, np.bool_)
