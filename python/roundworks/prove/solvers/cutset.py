"""Cutset conditioning: a problem whose frontier is small once some of its variables are fixed. [DECHTER]

The cells of a key that may differ are live from the first round to the last, so that dynamic programming over the
state alone cannot have them. They are fixed here, in groups that only the state joins, as the lanes of a tweakey
schedule. A node of the search has a set of patterns for each group, of which each column may come from another;
penalties on values that are rare in the set make good for a part of that, and leave a lower bound. The node of
the lowest bound is split, until it has one pattern for every group. A group that differs costs something in almost
any state, so that most nodes of many such groups are never split.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..._native import FrontierSteps
from ...errors import SolverFailed
from .clusters import NEVER, Group, Plan
from .elimination import MOST_LIVE, Sweep, order, scope
from .interface import SolverRun
from .problem import AtLeast, Clause, Constraint, Parity, Problem, ValueTable, Var, Weights

LANES = 32  # queries that the engine takes at once
# In units. Bounds hold with any, and the higher one of both counts. Of SKINNY over 14 rounds the second is the better
# one from six active lanes on with two words of tweakey, and from four on with three; 3 and 4 are better only for one
# or two lanes, which are soon settled, and 1.5 for none.
PENALTIES = (2, 1)
FEW = 16  # patterns that become a node each
Node = tuple[int, ...]  # for each group the number of a set of patterns


class Sets:
    """Sets of patterns of each group, numbered.

    Under each of `PENALTIES`, ``costs``: what each value of each column costs in the relaxation; ``rebates``: what
    has to be added, so that no pattern of the set costs more than it weighs. ``free``: whether no column pays.
    """

    def __init__(self, groups: Sequence[Group]) -> None:
        self.groups = groups
        self.chosen: list[tuple[int, ...]] = []
        self.rebates: list[list[int]] = []
        self.costs: list[list[NDArray[np.uint8]]] = []
        self.free: list[bool] = []
        self._known: dict[tuple[int, tuple[int, ...]], int] = {}

    def number(self, group: int, chosen: Iterable[int]) -> int:
        """The number of the set of these patterns."""
        key = group, tuple(chosen)
        if key not in self._known:
            self._known[key] = len(self.chosen)
            self.chosen.append(key[1])
            patterns = self.groups[group].patterns[list(key[1])]
            ones, total = patterns.sum(axis=0, dtype=np.int64), len(patterns)
            fixed = np.stack([np.where(ones == total, NEVER, 0), np.where(ones == 0, NEVER, 0)], axis=1)
            # A column that several steps read would be paid for by each of them.
            paying = np.flatnonzero((ones > 0) & (ones < total) & self.groups[group].once)
            rare = (2 * ones[paying] <= total).astype(np.int64)
            if 2 * (patterns[:, paying] == rare).sum(axis=1).max(initial=0) > len(paying):
                paying, rare = paying[:0], rare[:0]  # one that has them all would leave nothing of the bound
            weights = np.array(self.groups[group].weights)[list(key[1])]
            self.free.append(not len(paying))
            self.costs.append([])
            self.rebates.append([])
            for penalty in PENALTIES:
                costs = fixed.copy()
                costs[paying, rare] = penalty
                paid = costs[np.arange(len(ones)), patterns].sum(axis=1)
                self.rebates[-1].append(int((weights - paid).min()))
                self.costs[-1].append(costs.astype(np.uint8))
        return self._known[key]

    def root(self) -> Node:
        """All patterns of every group."""
        return tuple(self.number(g, range(len(group.patterns))) for g, group in enumerate(self.groups))

    def split(self, node: Node) -> list[Node]:
        """Nodes of smaller sets of the largest group: idle or not, then one for each pattern where there are few."""
        group = max(range(len(node)), key=lambda g: len(self.chosen[node[g]]))
        chosen = self.chosen[node[group]]
        patterns = self.groups[group].patterns[list(chosen)]
        by = np.asarray(patterns.any(axis=1))
        parts: list[tuple[int, ...]] = [(i,) for i in chosen]
        if len(chosen) > FEW and by.all():
            ones = patterns.sum(axis=0, dtype=np.int64)
            by = patterns[:, int(np.minimum(ones, len(chosen) - ones).argmax())] > 0
        if by.any() and not by.all():
            parts = [tuple(i for i, p in zip(chosen, by, strict=True) if p == on) for on in (False, True)]
        return [(*node[:group], self.number(group, part), *node[group + 1 :]) for part in parts]

    def single(self, node: Node) -> bool:
        """Whether it has one pattern of every group."""
        return all(len(self.chosen[number]) == 1 for number in node)

    def rebate(self, node: Node, penalty: int) -> int:
        """What is to be added to the minimum of its relaxation under a penalty, by number."""
        return sum(self.rebates[number][penalty] for number in node)


class Relaxation:
    """Lower bounds of nodes, in units."""

    def __init__(self, planned: Plan, sets: Sets) -> None:
        self.sets, self.engine = sets, FrontierSteps(planned.steps)
        self.widths = [len(group.columns) for group in planned.groups]
        columns = [v for group in planned.groups for v in group.columns]
        # Two places for each column, and for each clause; the last place costs nothing.
        place = {v: 2 * i for i, v in enumerate([*columns, *planned.clauses])}
        self.literals = [
            [place[abs(lit) - 1] + (lit > 0) for lit in literals] for literals in planned.clauses.values()
        ]
        widest = max(map(len, planned.options), default=0)
        rows = [[place[v] + value for v, value in option] for option in planned.options]
        self.rows = np.array([row + [2 * len(place)] * (widest - len(row)) for row in rows], np.int64)

    def bounds(self, nodes: Sequence[Node], below: int | None) -> list[tuple[int, bool]]:
        """One for each of at most `LANES` nodes; of one that is not ``below`` only that may be said.

        With each, whether it is of something, or of nothing that the engine can count.
        """
        bounds = self._under(0, nodes, below)
        for penalty in range(1, len(PENALTIES)):
            again = [
                i
                for i, (node, (bound, _)) in enumerate(zip(nodes, bounds, strict=True))
                if (below is None or bound < below) and not all(self.sets.free[number] for number in node)
            ]
            if again:
                others = self._under(penalty, [nodes[i] for i in again], below)
                for i, other in zip(again, others, strict=True):
                    bounds[i] = max(bounds[i], other)
        return bounds

    def _under(self, penalty: int, nodes: Sequence[Node], below: int | None) -> list[tuple[int, bool]]:
        filled = [*nodes, *[nodes[0]] * (LANES - len(nodes))]
        parts = [
            np.stack([self.sets.costs[node[g]][penalty] for node in filled], axis=2).reshape(2 * width, LANES)
            for g, width in enumerate(self.widths)
        ]
        costs = np.concatenate([*parts, np.zeros((2 * len(self.literals) + 1, LANES), np.uint8)])
        start = 2 * sum(self.widths)
        for i, literals in enumerate(self.literals):
            costs[start + 2 * i + 1] = np.where((costs[literals] < NEVER).any(axis=0), 0, NEVER)
        options = np.minimum(costs[self.rows].sum(axis=1, dtype=np.int64), NEVER).astype(np.uint8)
        rebates = [self.sets.rebate(node, penalty) for node in filled]
        enough = [NEVER if below is None else min(max(below - r, 0), NEVER) for r in rebates]
        minima = self.engine.minima(options.tobytes(), bytes(enough))
        return [(m + r, m < NEVER) for m, r in zip(minima, rebates, strict=True)][: len(nodes)]


class Search:
    """Nodes by their lower bounds. ``best``, of weight ``weight``, has one pattern of every group.

    Only what weighs less than ``below`` is of interest.
    """

    def __init__(self, run: SolverRun, planned: Plan) -> None:
        self.run = run
        self.sets = Sets(planned.groups)
        self.relaxation = Relaxation(planned, self.sets)
        goal = run.goal
        self.below = None if goal is None else int(goal / run.step) + 1
        self.best: Node | None = None
        self.weight = 0
        self.heap: list[tuple[int, Node]] = []
        self.most = sum(run.units.values()) + max(PENALTIES) * sum(self.relaxation.widths)
        self.beyond: int | None = None  # a lower bound of what weighs more than the engine counts

    def go(self) -> None:
        """Split nodes, those of the lowest bounds first, until none is left."""
        if all(len(group.patterns) for group in self.sets.groups):
            self._add([(0, self.sets.root())])
        while self.heap:
            lower = min(known for known in (self.heap[0][0], self.below, self.beyond) if known is not None)
            self.run.proven(lower * self.run.step)
            children: list[tuple[int, Node]] = []
            while self.heap and len(children) < LANES:
                bound, node = heapq.heappop(self.heap)
                if self.below is None or bound < self.below:
                    children += [(bound, child) for child in self.sets.split(node)]
            self._add(children)

    def _add(self, nodes: Sequence[tuple[int, Node]]) -> None:
        """Those that are still of interest, each with the bound of the node that it comes from."""
        for start in range(0, len(nodes), LANES):
            self.run.check()
            batch = nodes[start : start + LANES]
            bounds = self.relaxation.bounds([node for _, node in batch], self.below)
            for (above, node), (own, counted) in zip(batch, bounds, strict=True):
                bound = max(above, own)
                if self.below is not None and bound >= self.below:
                    continue
                if not counted and self.most < NEVER:
                    continue
                if not self.sets.single(node):
                    heapq.heappush(self.heap, (bound, node))
                elif not counted:
                    self.beyond = bound if self.beyond is None else min(bound, self.beyond)
                else:
                    self.below = self.weight = bound
                    self.best = node


def minimise(run: SolverRun, planned: Plan) -> None:
    """Search all nodes; the assignment of the best one is by `Sweep`, which shares nothing with the search."""
    search = Search(run, planned)
    search.go()
    if search.beyond is not None and (search.best is None or search.beyond < search.weight):
        raise SolverFailed(f"frontier: some weigh {NEVER} units or more; name another solver")
    if search.best is None:
        run.exhausted(run.goal)
        return
    values: dict[Var, bool] = {}
    for group, number in zip(planned.groups, search.best, strict=True):
        (chosen,) = search.sets.chosen[number]
        values |= dict(zip(group.columns, map(bool, group.patterns[chosen]), strict=True))
    sweep = Sweep({v: w for v, w in run.units.items() if v not in values}, len(planned.problem.names))
    inner = order(Problem(constraints=left_of(planned.inner, values)), MOST_LIVE) or []
    for step in (*planned.order, *inner):
        sweep.take(replace(step, constraints=tuple(left_of(step.constraints, values))))
        run.check()
    if not run.found([values.get(v, on) for v, on in enumerate(sweep.assignment())]):
        raise SolverFailed("frontier: its assignment breaks a constraint")
    run.proven(search.weight * run.step)


def left_of(constraints: Iterable[Constraint], values: Mapping[Var, bool]) -> list[Constraint]:
    """What they want of other variables, once these have their values; none that has no variable is left."""
    left = (_left(c, values) for c in constraints)
    return [c for c in left if c is not None and scope(c)]


def _left(constraint: Constraint, values: Mapping[Var, bool]) -> Constraint | None:
    """What is left of a constraint; None where it holds in any case."""
    match constraint:
        case Clause(literals):
            if any(values.get(abs(lit) - 1) == (lit > 0) for lit in literals):
                return None
            return Clause(tuple(lit for lit in literals if abs(lit) - 1 not in values))
        case AtLeast(terms, bound):
            given = sum(c * values.get(v, False) for c, v in terms)
            return AtLeast(tuple((c, v) for c, v in terms if v not in values), bound - given)
        case Parity(variables, odd):
            ones = sum(values.get(v, False) for v in variables)
            return Parity(tuple(v for v in variables if v not in values), odd ^ (ones % 2 == 1))
        case Weights(variables, allowed):
            ones = sum(values.get(v, False) for v in variables)
            left = frozenset(n - ones for n in allowed if n >= ones)
            return Weights(tuple(v for v in variables if v not in values), left)
        case ValueTable(variables, allowed):
            kept = [i for i, v in enumerate(variables) if v not in values]
            fits = [
                a
                for a in allowed
                if all(values.get(v, a >> i & 1) == a >> i & 1 for i, v in enumerate(variables))
            ]
            left = frozenset(sum((a >> i & 1) << k for k, i in enumerate(kept)) for a in fits)
            return ValueTable(tuple(variables[i] for i in kept), left)
