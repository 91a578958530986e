"""Integral distinguishers by the conventional bit-based division property. [TODO-MORII] [XIANG]

Some input bits take all values, the others any constants, known or not. If no division trail leads
from those bits to output bit i alone, the sum of bit i over the inputs is 0 whatever the constants:
the bit is *balanced*, and that is proven. If one does, nothing is known: the property is sound and
not complete.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...reference.graph import Recording
from ...reference.recordings import restricted
from .. import solvers
from ..solvers.clauses import lower
from .model import model

BUDGET = 10_000  # conflicts between two looks at the clock


@dataclass(frozen=True, slots=True)
class Integral:
    """``balanced``: output -> mask of the bits whose sum is 0; the others are unknown.

    ``circuits`` names the layers whose model may have lost balanced bits, ``undecided`` counts the
    bits for which time ran out.
    """

    active: Mapping[str, int]
    balanced: Mapping[str, int]
    circuits: frozenset[str]
    seconds: float
    undecided: int = 0

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
) -> Integral:
    """Which bits of the outputs are balanced when the active input bits take all values.

    One query for each bit, to one solver for each output, which keeps what it learns. ``limit`` is in
    seconds for all of them; ``progress`` is given the number of balanced bits so far.
    """
    solvers.find("cadical")  # says what to install where it is missing
    from pysat.solvers import Cadical195

    started = time.monotonic()
    balanced: dict[str, int] = {}
    circuits: set[str] = set()
    undecided = 0

    def over() -> bool:
        return limit is not None and time.monotonic() - started >= limit

    for name in recording.outputs if outputs is None else outputs:
        if over():  # a model takes seconds, too
            undecided += recording.graph.nodes[recording.outputs[name]].bits
            balanced[name] = 0
            continue
        division = model(restricted(recording, [name]), active)
        bits = division.outputs[name]
        circuits |= division.circuits
        present = [bit + 1 for bit in bits if bit is not None]
        mask = 0
        with Cadical195(bootstrap_with=lower(division.problem).clauses) as sat:
            for i, bit in enumerate(bits):
                others = [-v for v in present if bit is None or v != bit + 1]
                reached = False if bit is None else _reached(sat, [bit + 1, *others], over)
                undecided += reached is None
                if reached is False:
                    mask |= 1 << len(bits) - 1 - i
        balanced[name] = mask
        if progress:
            progress(sum(result.bit_count() for result in balanced.values()))
    spent = time.monotonic() - started
    return Integral(dict(active), balanced, frozenset(circuits), spent, undecided)


def _reached(sat: Any, assumptions: list[int], over: Callable[[], bool]) -> bool | None:
    """Whether a trail is there; None where the time is over."""
    while not over():
        sat.conf_budget(BUDGET)
        result: bool | None = sat.solve_limited(assumptions=assumptions)
        if result is not None:
            return result
    return None
