"""A problem whose cut variables are to be fixed, as groups of them and steps over the state between. See `cutset`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from .elimination import MOST_LIVE, EliminationStep, Sweep, holding, order, scope
from .problem import Clause, Constraint, Problem, Var

NEVER = 255
MOST_COLUMNS = 16  # variables of a group that the rest reads
MOST_BITS = 18  # of a table between steps, which takes 8 MiB then
MOST_TOUCHED = 12  # variables of several constraints that become one step, and
MOST_READ = 4  # cut variables of those
MOST_AXES = 20  # both, where a single constraint has more
MOST_PATTERNS = 4096  # of a group
MOST_NODES = 1 << 18  # with each group idle or not


@dataclass(frozen=True, slots=True)
class Group:
    """``columns``: variables that constraints of the rest read. ``patterns``: a row of their values each.

    ``weights``: what the variables of the group weigh then, at least, in units. ``once``: of each column, whether
    one step alone reads it.
    """

    columns: tuple[Var, ...]
    patterns: NDArray[np.uint8]
    weights: tuple[int, ...]
    once: NDArray[np.bool_]


@dataclass
class Plan:
    """``problem``: the same with further variables; ``inner`` are its constraints of cut variables alone, and
    ``order`` has the others.

    ``steps``: as `FrontierSteps` wants them.

    ``reads``: the variables that each step reads. ``options``: those that each option reads, and their values.
    ``clauses``: literals of which one has to hold for a variable to be 1.
    """

    problem: Problem
    inner: list[Constraint] = field(default_factory=list)
    order: list[EliminationStep] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    reads: list[list[Var]] = field(default_factory=list)
    steps: list[tuple[list[tuple[int, int]], list[tuple[int, int, int, int]], int]] = field(
        default_factory=list
    )
    options: list[tuple[tuple[Var, int], ...]] = field(default_factory=list)
    clauses: dict[Var, tuple[int, ...]] = field(default_factory=dict)


def plan(problem: Problem, units: Mapping[Var, int]) -> Plan | None:
    """None where groups have too many patterns, or too much is live between them."""
    whole = _with_flags(problem, _components(problem.constraints, problem.cut))
    groups: list[Group] = []
    inner, outer = _sorted(whole)
    read = {v for c in outer for v in scope(c)} & whole.cut
    for component in _components(inner, whole.cut):
        columns = tuple(sorted(read & component))
        made = _group([c for c in inner if set(scope(c)) <= component], columns, units)
        if made is None:
            return None
        groups.append(made)
    if 2 ** sum(len(group.patterns) > 1 for group in groups) > MOST_NODES:
        return None
    taken = order(replace(whole, constraints=outer), MOST_LIVE, fixed=whole.cut)
    if taken is None:
        return None
    result = Plan(whole, inner, taken)
    live: list[Var | None] = []  # by place
    for cluster in _clusters(taken, whole.cut):
        if len(cluster.read) + len(cluster.touched) > MOST_AXES:
            return None
        live = _append(result, cluster, live, units)
        if len(live) > MOST_BITS:
            return None
    steps = Counter(v for read in result.reads for v in read)
    once = [np.array([steps[v] == 1 for v in group.columns], np.bool_) for group in groups]
    result.groups += [replace(group, once=one) for group, one in zip(groups, once, strict=True)]
    return result


def _sorted(problem: Problem) -> tuple[list[Constraint], list[Constraint]]:
    """The constraints of cut variables alone, and the others."""
    inner: list[Constraint] = []
    outer: list[Constraint] = []
    for c in problem.constraints:
        (inner if problem.cut.issuperset(scope(c)) else outer).append(c)
    return inner, outer


def _components(constraints: Sequence[Constraint], cut: Collection[Var]) -> list[set[Var]]:
    """The cut variables in parts that no constraint of cut variables alone joins."""
    of = {v: {v} for v in cut}
    for c in constraints:
        variables = scope(c)
        if variables and of.keys() >= set(variables):
            joined = set[Var]().union(*(of[v] for v in variables))
            for v in joined:
                of[v] = joined
    return list({id(part): part for part in of.values()}.values())


def _with_flags(problem: Problem, components: Sequence[set[Var]]) -> Problem:
    """A clause over several groups reads one variable of each: whether some literal of the group holds."""
    out = replace(problem, names=list(problem.names), constraints=[])
    cut = set(problem.cut)
    for c in problem.constraints:
        literals = c.literals if isinstance(c, Clause) else ()
        own = [tuple(lit for lit in literals if abs(lit) - 1 in part) for part in components]
        own = [some for some in own if some]
        if len(own) < 2:
            out.add(c)
            continue
        left = [lit for lit in literals if abs(lit) - 1 not in cut]
        for some in own:
            flag = out.variable("any")
            cut.add(flag)
            out.add(Clause((-(flag + 1), *some)))
            for lit in some:
                out.add(Clause((flag + 1, -lit)))
            left.append(flag + 1)
        out.add(Clause(tuple(left)))
    out.cut = frozenset(cut)
    return out


def _group(constraints: list[Constraint], columns: tuple[Var, ...], units: Mapping[Var, int]) -> Group | None:
    """The patterns of the columns that some values of the other variables go with."""
    if len(columns) > MOST_COLUMNS:
        return None
    taken = order(Problem(constraints=constraints), MOST_LIVE, kept=columns)
    if taken is None:
        return None
    sweep = Sweep(units, 0)
    for step in taken:
        sweep.take(step)
    for v in columns:
        if v not in sweep.live:
            sweep.take(EliminationStep((v,), (), ()))
    table = np.asarray(sweep.table).transpose([sweep.live.index(v) for v in columns]).astype(np.int64)
    patterns = np.argwhere(table < sweep.never).astype(np.uint8)
    weights = [
        int(table[tuple(p)]) + sum(units.get(v, 0) for v, on in zip(columns, p, strict=True) if on)
        for p in patterns
    ]
    once = np.zeros(len(columns), np.bool_)
    return Group(columns, patterns, tuple(weights), once) if len(patterns) <= MOST_PATTERNS else None


@dataclass
class _Cluster:
    new: set[Var]
    constraints: list[Constraint]
    gone: set[Var]
    touched: set[Var]
    read: set[Var]


def _clusters(steps: Sequence[EliminationStep], cut: Collection[Var]) -> list[_Cluster]:
    """Steps taken together, the last ones first: each joins the first later one that has its variables."""
    clusters: list[_Cluster] = []
    for step in reversed(steps):
        touched = {*step.new, *step.gone, *(v for c in step.constraints for v in scope(c) if v not in cut)}
        # All cut literals of a clause are read as one.
        read = {v for c in step.constraints for v in scope(c) if v in cut and not isinstance(c, Clause)}
        one = _Cluster(set(step.new), list(step.constraints), set(step.gone), touched, read)
        after = next((other for other in clusters if other.touched & one.touched), None)
        if (
            after is None
            or len(after.touched | one.touched) > MOST_TOUCHED
            or len(after.read | one.read) > MOST_READ
        ):
            clusters.insert(0, one)
            continue
        after.new |= one.new
        after.gone |= one.gone
        after.constraints += one.constraints
        after.touched |= one.touched
        after.read |= one.read
    return clusters


def _append(
    result: Plan, cluster: _Cluster, live: list[Var | None], units: Mapping[Var, int]
) -> list[Var | None]:
    """The variables by place after the step of this cluster, which is added."""
    gone, new = sorted(cluster.gone - cluster.new), sorted(cluster.new - cluster.gone)
    stay = sorted(cluster.touched - cluster.new - cluster.gone)
    after: list[Var | None] = [None if v in cluster.gone else v for v in live]
    for v in new:
        if None in after:
            after[after.index(None)] = v
        else:
            after.append(v)
    while None in after:  # the last ones move to where it is free
        last = after.pop()
        if last is not None:
            after[after.index(None)] = last
    place, place_after = ({v: i for i, v in enumerate(some)} for some in (live, after))
    moved = [(place[v], place_after[v]) for v in live if v in place_after and v not in cluster.touched]
    constraints, read = _read(result, cluster.constraints)
    axes = [*read, *gone, *stay, *new, *sorted(cluster.new & cluster.gone)]
    cost = np.zeros((2,) * len(axes), np.uint16)
    for c in constraints:
        cost[np.broadcast_to(~holding(c, axes), cost.shape)] = NEVER
    for v in cluster.gone:
        on = tuple(1 if v == other else slice(None) for other in axes)
        cost[on] += min(units.get(v, 0), NEVER)
    ends = len(read) + len(gone) + len(stay) + len(new)
    cost = np.asarray(np.minimum(cost, NEVER).min(axis=tuple(range(ends, len(axes)))))
    for i, v in enumerate(read):
        if v in result.clauses:  # a literal that holds is of use only where nothing else does
            by_value = np.moveaxis(cost, i, 0)
            by_value[1] = np.where(by_value[0] <= by_value[1], NEVER, by_value[1])
    possible = cost < NEVER
    places = np.argwhere(possible)
    at = dict(zip(axes, places.T, strict=False))
    zero = np.zeros(len(places), np.int64)
    number = sum((at[v] << i for i, v in enumerate(read)), zero) + len(result.options)
    before = sum((at[v] << place[v] for v in (*gone, *stay)), zero)
    behind = sum((at[v] << place_after[v] for v in (*stay, *new)), zero)
    rows = [before, behind, number, cost[possible].ravel()]
    result.steps.append((moved, list(zip(*(row.tolist() for row in rows), strict=True)), len(after)))
    result.reads.append(read)
    result.options += [tuple((v, i >> k & 1) for k, v in enumerate(read)) for i in range(1 << len(read))]
    return after


def _read(result: Plan, constraints: Sequence[Constraint]) -> tuple[list[Constraint], list[Var]]:
    """The constraints with one variable for all cut literals of a clause, and what they read."""
    cut, out, read = result.problem.cut, list[Constraint](), set[Var]()
    for c in constraints:
        literals = c.literals if isinstance(c, Clause) else ()
        if given := tuple(lit for lit in literals if abs(lit) - 1 in cut):
            holds = result.problem.variable("holds")
            result.clauses[holds] = given
            c = Clause((*(lit for lit in literals if lit not in given), holds + 1))
            read.add(holds)
        read |= cut & set(scope(c))
        out.append(c)
    return out, sorted(read)
