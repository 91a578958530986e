"""Constraints as clauses, and a bound on the weight as clauses.

Pure functions. An assignment keeps a constraint exactly if some value of the auxiliaries keeps its
clauses; the tests compare both over all points. Variables are 1, 2, ... as DIMACS has them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from .minimise import minimised
from .problem import AtLeast, Clause, Constraint, Parity, Problem, ValueTable, Weights, intervals

# A sum over GF(2) of more variables than this is cut into chunks of this many, chained.
PARITY_CHUNK = 4
# A count of at most this many variables is encoded by its prime implicates, without auxiliaries.
PLAIN_WEIGHTS = 6

ClauseList = list[tuple[int, ...]]
Sums = dict[int, int]  # s -> the literal that is implied where the weight is at least s


@dataclass
class Clauses:
    """Clauses over 1..count; the problem's variable v is v + 1."""

    count: int
    clauses: ClauseList = field(default_factory=list)

    def variable(self) -> int:
        """A new auxiliary variable."""
        self.count += 1
        return self.count


def lower(problem: Problem) -> Clauses:
    """The clauses of all constraints."""
    out = Clauses(len(problem.names))
    for constraint in problem.constraints:
        if isinstance(constraint, Clause):  # most, where a model counts for itself
            out.clauses.append(constraint.literals)
        else:
            out.clauses += clauses(constraint, out.variable)
    return out


def clauses(constraint: Constraint, variable: Callable[[], int]) -> ClauseList:
    """The clauses of one constraint; ``variable()`` makes an auxiliary."""
    match constraint:
        case Clause(literals):
            return [literals]
        case AtLeast(terms, bound):
            return at_least([(c, v + 1) for c, v in terms], bound, variable)
        case Parity(variables, odd):
            return parity([v + 1 for v in variables], odd, variable)
        case Weights(variables, allowed):
            return weights([v + 1 for v in variables], allowed, variable)
        case ValueTable(variables, allowed):
            return [
                tuple(
                    variables[abs(lit) - 1] + 1 if lit > 0 else -variables[abs(lit) - 1] - 1 for lit in clause
                )
                for clause in minimised(len(variables), allowed)
            ]


def parity(literals: Sequence[int], odd: bool, variable: Callable[[], int]) -> ClauseList:
    """The sum over GF(2) of the literals is ``odd``; long ones are cut and chained."""
    out: ClauseList = []
    rest = list(literals)
    while len(rest) > PARITY_CHUNK:
        chunk, carried = rest[: PARITY_CHUNK - 1], variable()
        out += _plain_parity([*chunk, carried], False)
        rest = [carried, *rest[PARITY_CHUNK - 1 :]]
    return out + _plain_parity(rest, odd)


def _plain_parity(literals: Sequence[int], odd: bool) -> ClauseList:
    """One clause for each sign pattern of the wrong parity."""
    return [
        tuple(-lit if flips >> i & 1 else lit for i, lit in enumerate(literals))
        for flips in range(1 << len(literals))
        if flips.bit_count() % 2 != odd
    ]


def weights(literals: Sequence[int], allowed: frozenset[int], variable: Callable[[], int]) -> ClauseList:
    """The number of literals that hold is ``allowed``."""
    n = len(literals)
    out: ClauseList = []
    if n > PLAIN_WEIGHTS and 0 in allowed and 1 not in allowed:
        # One variable for "any is active" makes the others' count one-sided, and the clauses few.
        active = variable()
        out += [(-lit, active) for lit in literals]
        guard: tuple[int, ...] = (-active,)
        allowed = allowed - {0}
    else:
        guard = ()
    gaps = intervals(set(range(n + 1)) - allowed)
    if n <= 2 * PLAIN_WEIGHTS:
        for low, high in gaps:
            out += [(*guard, *clause) for clause in _not_between(literals, low, high)]
        return out
    # counted[k] says that at least k hold: one totaliser, both ways.
    counted = counter(literals, variable, out)
    for low, high in gaps:
        # Not (at least low and not at least high + 1).
        clause = guard
        if low > 0:
            clause += (-counted[low - 1],)
        if high < n:
            clause += (counted[high],)
        out.append(clause)
    return out


def _not_between(literals: Sequence[int], low: int, high: int) -> ClauseList:
    """Every ``low`` of them that hold and ``n - high`` others that do not: one clause against."""
    positions = range(len(literals))
    return [
        (*(-literals[i] for i in ones), *(literals[i] for i in zeros))
        for ones in combinations(positions, low)
        for zeros in combinations([i for i in positions if i not in ones], len(literals) - high)
    ]


def counter(literals: Sequence[int], variable: Callable[[], int], out: ClauseList) -> list[int]:
    """Outputs o[k] equal to "at least k + 1 of them hold"; a totaliser, exact both ways."""
    if len(literals) == 1:
        return list(literals)
    half = len(literals) // 2
    left = counter(literals[:half], variable, out)
    right = counter(literals[half:], variable, out)
    return merged(left, right, len(literals), variable, out)


def merged(
    left: Sequence[int],
    right: Sequence[int],
    most: int,
    variable: Callable[[], int],
    out: ClauseList,
    exact: bool = True,
) -> list[int]:
    """Two counters' outputs as those of their sum, up to ``most``; unless it is ``exact``, as those
    of their sum or more."""
    total = [variable() for _ in range(min(most, len(left) + len(right)))]
    # At least a and at least b give at least a + b; the same of the zeros. What gives more than is counted gives
    # as much with fewer of one.
    ups = [(), *((-literal,) for literal in left)], [(), *((-literal,) for literal in right)]
    downs = [*((literal,) for literal in left), ()], [*((literal,) for literal in right), ()]
    for a, some in enumerate(ups[0][: len(total) + 1]):
        out += [
            (*some, *more, of) for more, of in zip(ups[1][a == 0 :], total[max(a - 1, 0) :], strict=False)
        ]
    for a, some in enumerate(downs[0] if exact else ()):
        out += [(*some, *more, -of) for more, of in zip(downs[1], total[a:], strict=False)]
    return total


def at_least(terms: Iterable[tuple[int, int]], bound: int, variable: Callable[[], int]) -> ClauseList:
    """sum(coefficient * literal) >= bound, as the decision diagram that decides it."""
    merged: dict[int, int] = {}
    for coefficient, literal in terms:
        if literal < 0:  # c (1 - x)
            bound, coefficient, literal = bound - coefficient, -coefficient, -literal
        merged[literal] = merged.get(literal, 0) + coefficient
    positive = []
    for v, c in merged.items():
        if c < 0:
            bound -= c
        if c:
            positive.append((abs(c), v if c > 0 else -v))
    positive.sort(key=lambda term: -term[0])
    out: ClauseList = []
    suffix = [0]
    for c, _ in reversed(positive):
        suffix.append(suffix[-1] + c)
    suffix.reverse()
    # Nodes of a level that need sums in the same interval are one node.
    levels: list[list[tuple[int, int, int | bool]]] = [[] for _ in range(len(positive) + 1)]

    def node(level: int, need: int) -> tuple[int, int, int | bool]:
        """(low, high, literal): for every need in low..high the node means the same."""
        if need <= 0:
            return -(1 << 62), 0, True
        if need > suffix[level]:
            return suffix[level] + 1, 1 << 62, False
        for made in levels[level]:
            if made[0] <= need <= made[1]:
                return made
        c, lit = positive[level]
        low0, high0, off = node(level + 1, need)
        low1, high1, on = node(level + 1, need - c)
        if off is on or (off == on and not isinstance(off, bool) and not isinstance(on, bool)):
            made = (max(low0, low1 + c), min(high0, high1 + c), off)
        else:
            here = variable()
            # here -> (lit ? on : off); one direction is enough, and off implies on.
            if on is not True:
                out.append((-here,) if on is False else (-here, on))
            if off is not True:
                out.append((-here, lit) if off is False else (-here, lit, off))
            made = (max(low0, low1 + c), min(high0, high1 + c), here)
        levels[level].append(made)
        return made

    root = node(0, bound)[2]
    if root is False:
        return [()]
    return out if root is True else [*out, (root,)]


@dataclass(frozen=True, slots=True)
class Bounded:
    """The weight as outputs: ``literals[i]`` is implied where the weight is at least ``sums[i]``."""

    sums: tuple[int, ...]
    literals: tuple[int, ...]

    def below(self, limit: int) -> tuple[int, ...]:
        """The literals that, all assumed, keep the weight under ``limit``; at most one is needed."""
        i = bisect_left(self.sums, limit)
        return () if i == len(self.sums) else (-self.literals[i],)


def weight_bound(
    units: dict[int, int], most: int, variable: Callable[[], int], check: Callable[[], object] = lambda: None
) -> tuple[Bounded, ClauseList]:
    """A totaliser of weighted literals; sums above ``most`` count as ``most + 1``.

    Only "the weight is at least s, so the output holds" is encoded: that is all an upper bound needs.
    Outputs are ordered, a greater one implying every lesser one. ``check`` is called all along, and may raise: many
    different weights make millions of clauses, for which there may be no time.
    """
    out: ClauseList = []

    def merge(parts: list[Sums]) -> Sums:
        if len(parts) < 2:
            return parts[0] if parts else {}
        half = len(parts) // 2
        return summed(merge(parts[:half]), merge(parts[half:]), most, variable, out, check)

    # Equal weights together keep the sums few.
    leaves = [{min(w, most + 1): lit} for lit, w in sorted(units.items(), key=lambda item: item[1])]
    total = merge(leaves)
    return Bounded(tuple(total), tuple(total.values())), out


def summed(
    left: Sums,
    right: Sums,
    most: int,
    variable: Callable[[], int],
    out: ClauseList,
    check: Callable[[], object] = lambda: None,
) -> Sums:
    """The sums of two parts together; what is above ``most`` is one sum, ``most`` + 1."""
    sums: set[int] = set()
    for a in (0, *left):
        check()
        sums.update(min(a + b, most + 1) for b in (0, *right))
    sums.discard(0)
    total = {s: variable() for s in sorted(sums)}
    for a, la in ((0, 0), *left.items()):
        check()
        for b, lb in ((0, 0), *right.items()):
            if a + b:
                out.append((*(-lit for lit in (la, lb) if lit), total[min(a + b, most + 1)]))
    out.extend((-high, low) for low, high in pairwise(total.values()))
    return total


def dimacs(variables: int, clauses: ClauseList) -> bytes:
    """The DIMACS text of a formula."""
    lines = [f"p cnf {variables} {len(clauses)}"]
    lines += [" ".join(map(str, (*clause, 0))) for clause in clauses]
    return ("\n".join(lines) + "\n").encode("ascii")
