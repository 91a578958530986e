"""Integral distinguishers by the conventional bit-based division property. [TODO-MORII] [XIANG]

Some input bits take all values, the others any constants, known or not. If no division trail leads
from those bits to output bit i alone, the sum of bit i over the inputs is 0 whatever the constants:
the bit is *balanced*, and that is proven. If one does, nothing is known: the property is sound and
not complete.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import DescriptionError
from ..reference.graph import Graph, NodeWord, Recording
from ..reference.stream import StreamAead
from . import solvers
from .division_model import model
from .lower_clauses import lower
from .recordings import restricted

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
        return sum(mask.bit_count() for mask in self.balanced.values())


def integral(
    recording: Recording,
    active: Mapping[str, int],
    outputs: Iterable[str] | None = None,
    progress: Callable[[str], None] | None = None,
    limit: float | None = None,
) -> Integral:
    """Which bits of the outputs are balanced when the active input bits take all values.

    One question for each bit, to one solver for each output, which keeps what it learns. ``limit``
    is in seconds for all of them.
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
        asked = model(restricted(recording, [name]), active)
        bits = asked.outputs[name]
        circuits |= asked.circuits
        present = [bit + 1 for bit in bits if bit is not None]
        mask = 0
        with Cadical195(bootstrap_with=lower(asked.problem).clauses) as sat:
            for i, bit in enumerate(bits):
                others = [-v for v in present if bit is None or v != bit + 1]
                if bit is None:
                    reached: bool | None = False
                else:
                    reached = _reached(sat, [bit + 1, *others], over)
                undecided += reached is None
                if reached is False:
                    mask |= 1 << len(bits) - 1 - i
        balanced[name] = mask
        if progress:
            progress(f"{name}: {mask.bit_count()} of {len(bits)} bits balanced")
    spent = time.monotonic() - started
    return Integral(dict(active), balanced, frozenset(circuits), spent, undecided)


def _reached(sat: Any, assumptions: list[int], over: Callable[[], bool]) -> bool | None:
    """Whether a trail is there; None where the time is over."""
    while not over():
        sat.conf_budget(BUDGET)
        found: bool | None = sat.solve_limited(assumptions=assumptions)
        if found is not None:
            return found
    return None


class _Enough(Exception):
    pass


def record_start(cipher: StreamAead[Any], rounds: int) -> Recording:
    """Key K0.. and nonce N0.. in; the state S'0.. after ``rounds`` rounds of the initialisation."""
    if rounds < 1:
        raise DescriptionError(f"rounds: want at least 1, got {rounds}")
    graph, size = Graph(), cipher.word_bytes
    K = [graph.input(f"K{i}", cipher.word_bits) for i in range(-(-cipher.key_bytes // size))]
    N = [graph.input(f"N{i}", cipher.word_bits) for i in range(-(-cipher.nonce_bytes // size))]
    left: list[NodeWord] = []

    class Cut(type(cipher)):  # type: ignore[misc]
        done = 0

        def update(self, state: list[NodeWord], X: Sequence[NodeWord | int]) -> list[NodeWord]:
            after: list[NodeWord] = super().update(state, X)
            self.done += 1
            if self.done == rounds:
                left.extend(after)
                raise _Enough
            return after

    cut = Cut.__new__(Cut)
    cut.__dict__.update(cipher.__dict__)
    try:
        cut.init([K[0].lift(word) for word in cipher.load(K, N)], K, N)
    except _Enough:
        pass
    else:
        raise DescriptionError(
            f"rounds: {cipher.name}'s initialisation has {cut.done}, asked for {rounds}"
        )
    inputs = {graph.nodes[w.id].name or "": w.id for w in (*K, *N)}
    outputs = {f"S'{i}": word.id for i, word in enumerate(left)}
    return Recording(cipher.name, f"{rounds} rounds of init", graph, inputs, outputs)
