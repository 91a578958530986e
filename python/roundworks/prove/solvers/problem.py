"""A query to a solver, without a solver: 0/1 variables, constraints, a weight to minimise.

Every model is built into a `Problem`; every solver reads one. A constraint says what is allowed and
not how it is encoded: `lower` turns it into inequalities or clauses. The fingerprint is of the
whole content, so two models are the same query exactly if their fingerprints are equal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

from ...errors import DescriptionError

Var = int  # an index into Problem.names


@dataclass(frozen=True, slots=True)
class Clause:
    """At least one literal holds. A literal is v + 1 for "v is 1" and -(v + 1) for "v is 0"."""

    literals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AtLeast:
    """sum(coefficient * variable) >= bound, all integers."""

    terms: tuple[tuple[int, Var], ...]
    bound: int


@dataclass(frozen=True, slots=True)
class Parity:
    """The sum over GF(2) of distinct variables is ``odd``."""

    variables: tuple[Var, ...]
    odd: bool


@dataclass(frozen=True, slots=True)
class Weights:
    """How many of the variables may be 1: an XOR of activities is {0, 2, 3, ...}, MDS {0, n + 1, ...}."""

    variables: tuple[Var, ...]
    allowed: frozenset[int]


@dataclass(frozen=True, slots=True)
class ValueTable:
    """The allowed values, bit i of a value being variable i."""

    variables: tuple[Var, ...]
    allowed: frozenset[int]


Constraint = Clause | AtLeast | Parity | Weights | ValueTable


@dataclass
class Problem:
    """Minimise the weight of the chosen variables under all constraints.

    ``weights`` are positive and exact; a solver that wants integers multiplies by ``scale``.
    """

    names: list[str] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    weights: dict[Var, Fraction] = field(default_factory=dict)
    kind: str = ""
    """A class of models of `choice` that the constraints do not show; no part of the query."""
    cut: frozenset[Var] = frozenset()
    """Variables without which the others are live for a few constraints only, as `cutset` wants to know; no
    part of the query either."""

    def variable(self, name: str) -> Var:
        """A new 0/1 variable."""
        self.names.append(name)
        return len(self.names) - 1

    def variables(self, name: str, count: int) -> list[Var]:
        """``count`` new variables."""
        return [self.variable(f"{name}.{i}") for i in range(count)]

    def add(self, constraint: Constraint) -> None:
        """Add a constraint."""
        self.constraints.append(constraint)

    def weigh(self, variable: Var, weight: Fraction | int) -> None:
        """Add to what the variable weighs."""
        if weight < 0:
            raise DescriptionError(f"weight of {self.names[variable]}: want at least 0, got {weight}")
        self.weights[variable] = self.weights.get(variable, Fraction(0)) + weight

    def any_of(self, variables: Iterable[Var]) -> None:
        """At least one of them is 1."""
        self.add(Clause(tuple(v + 1 for v in variables)))

    def fix(self, variable: Var, value: bool) -> None:
        """The variable has this value."""
        self.add(Clause(((variable + 1) if value else -(variable + 1),)))

    def table(self, variables: Sequence[Var | None], allowed: frozenset[int]) -> None:
        """A `ValueTable` over variables of which those that are None are always 0."""
        kept = [i for i, v in enumerate(variables) if v is not None]
        gone = sum(1 << i for i, v in enumerate(variables) if v is None)
        if gone:
            left = (value for value in allowed if not value & gone)
            allowed = frozenset(sum((value >> i & 1) << j for j, i in enumerate(kept)) for value in left)
        self.add(ValueTable(tuple(v for v in variables if v is not None), allowed))

    @property
    def scale(self) -> int:
        """The smallest integer that makes every weight an integer."""
        return lcm(*(weight.denominator for weight in self.weights.values()))

    @property
    def step(self) -> Fraction:
        """The largest number of which every weight is a multiple."""
        scale = self.scale
        return Fraction(gcd(*(int(weight * scale) for weight in self.weights.values())) or 1, scale)

    def value(self, assignment: Sequence[bool]) -> Fraction:
        """The weight of an assignment."""
        return sum((w for v, w in self.weights.items() if assignment[v]), Fraction(0))

    def holds(self, assignment: Sequence[bool]) -> Constraint | None:
        """The first constraint that the assignment breaks; None where it keeps all."""
        for constraint in self.constraints:
            if not _kept(constraint, assignment):
                return constraint
        return None

    @property
    def fingerprint(self) -> str:
        """sha256 of everything but the names."""
        digest = hashlib.sha256(f"{len(self.names)}".encode())
        for constraint in self.constraints:
            digest.update(_spelled(constraint).encode())
        for variable, weight in sorted(self.weights.items()):
            digest.update(f"w{variable}:{weight};".encode())
        return digest.hexdigest()


def intervals(counts: Iterable[int]) -> list[tuple[int, int]]:
    """Maximal runs of consecutive numbers, as (first, last)."""
    runs: list[tuple[int, int]] = []
    for count in sorted(counts):
        if runs and runs[-1][1] == count - 1:
            runs[-1] = (runs[-1][0], count)
        else:
            runs.append((count, count))
    return runs


def _spelled(constraint: Constraint) -> str:
    match constraint:
        case Clause(literals):
            return f"c{literals};"
        case AtLeast(terms, bound):
            return f"a{terms}>={bound};"
        case Parity(variables, odd):
            return f"p{variables}={odd:d};"
        case Weights(variables, allowed):
            return f"n{variables}:{sorted(allowed)};"
        case ValueTable(variables, allowed):
            return f"t{variables}:{sorted(allowed)};"


def _kept(constraint: Constraint, x: Sequence[bool]) -> bool:
    match constraint:
        case Clause(literals):
            return any(x[abs(lit) - 1] == (lit > 0) for lit in literals)
        case AtLeast(terms, bound):
            return sum(c * x[v] for c, v in terms) >= bound
        case Parity(variables, odd):
            return sum(x[v] for v in variables) % 2 == odd
        case Weights(variables, allowed):
            return sum(x[v] for v in variables) in allowed
        case ValueTable(variables, allowed):
            return sum(x[v] << i for i, v in enumerate(variables)) in allowed
