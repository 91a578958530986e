"""Integral distinguishers by the conventional bit-based division property. [TODO-MORII] [XIANG]

Some input bits take all values, the others any constants, known or not. If no division trail leads
from those bits to output bit i alone, the sum of bit i over the inputs is 0 whatever the constants:
the bit is *balanced*, and that is proven. If one does, nothing is known: the property is sound and
not complete.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ...reference.graph import Recording
from ...reference.recordings import restricted
from .. import solvers
from ..solvers.choice import DECISION
from ..solvers.clauses import lower
from ..solvers.problem import Clause, Problem
from ..solvers.solve import solve
from .model import model

INCREMENTAL = "cadical"  # keeps what it learns from bit to bit

BUDGET = 10_000  # conflicts between two looks at the clock


@dataclass(frozen=True, slots=True)
class Integral:
    """``balanced``: output -> mask of the bits whose sum is 0; the others are unknown.

    ``circuits`` names the layers whose model may have lost balanced bits, ``undecided`` counts the
    bits for which time ran out. ``fingerprint`` is of the problems of all outputs, "" where time ran out
    before all were built.
    """

    active: Mapping[str, int]
    balanced: Mapping[str, int]
    circuits: frozenset[str]
    seconds: float
    undecided: int = 0
    fingerprint: str = ""

    @property
    def count(self) -> int:
        """The number of balanced bits."""
        return sum(mask.bit_count() for mask in self.balanced.values())


def integral(
    recording: Recording,
    active: Mapping[str, int],
    outputs: Iterable[str] | None = None,
    progress: Callable[[int], object] | None = None,
    limit: float | None = None,
    solver: str = INCREMENTAL,
) -> Integral:
    """Which bits of the outputs are balanced when the active input bits take all values.

    One query for each bit; CaDiCaL keeps what it learns from those of one output. ``limit`` is in
    seconds for all of them; ``progress`` is given the number of balanced bits so far.
    """
    solvers.find(solver)  # says what to install where it is missing
    started = time.monotonic()
    balanced: dict[str, int] = {}
    circuits: set[str] = set()
    undecided = 0
    prints: list[str] | None = []

    def left() -> float | None:
        return None if limit is None else max(0.0, limit - (time.monotonic() - started))

    for name in recording.outputs if outputs is None else outputs:
        if left() == 0:  # a model takes seconds, too
            prints = None
            undecided += recording.graph.nodes[recording.outputs[name]].bits
            balanced[name] = 0
            continue
        division = model(restricted(recording, [name]), active)
        bits = division.outputs[name]
        circuits |= division.circuits
        if prints is not None:
            prints.append(division.problem.fingerprint)
        present = [bit + 1 for bit in bits if bit is not None]
        mask = 0
        with _trails(division.problem, solver, left) as there_is_one:
            for i, bit in enumerate(bits):
                others = [-v for v in present if bit is None or v != bit + 1]
                reached = False if bit is None else there_is_one([bit + 1, *others])
                undecided += reached is None
                if reached is False:
                    mask |= 1 << len(bits) - 1 - i
        balanced[name] = mask
        if progress:
            progress(sum(result.bit_count() for result in balanced.values()))
    spent = time.monotonic() - started
    whole = "" if prints is None else hashlib.sha256("".join(prints).encode()).hexdigest()
    return Integral(dict(active), balanced, frozenset(circuits), spent, undecided, whole)


@contextmanager
def _trails(
    problem: Problem, solver: str, left: Callable[[], float | None]
) -> Iterator[Callable[[Sequence[int]], bool | None]]:
    """What says whether a trail is there in which all of some literals hold; None where the time is over."""
    if solver != INCREMENTAL:

        def at_once(literals: Sequence[int]) -> bool | None:
            fixed = [Clause((literal,)) for literal in literals]
            decision = Problem(list(problem.names), [*problem.constraints, *fixed], kind=DECISION)
            solution = solve(decision, solver, left()).uninterrupted()
            if solution.status == "infeasible":
                return False
            return None if solution.assignment is None else True

        yield at_once
        return
    from pysat.solvers import Cadical195

    with Cadical195(bootstrap_with=lower(problem).clauses) as sat:

        def assumed(literals: Sequence[int]) -> bool | None:
            while left() != 0:
                sat.conf_budget(BUDGET)
                result: bool | None = sat.solve_limited(assumptions=list(literals))
                if result is not None:
                    return result
            return None

        yield assumed
