"""Internal collisions of a streaming cipher bit by bit, along its word-wise walks.

A collision is a walk from no difference to no difference of the state. Word by word there are few
with few active units; along each the bits are a `BitModel`. A walk with n active units has at least
n times as many active S-boxes as the lightest unit, so those with more units need no model: this is
how a bound for every collision, of any length, comes out of finitely many questions.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from ..analysis import words
from ..analysis.sms import sms_unit
from ..errors import DescriptionError
from ..reference.graph import Graph, NodeWord, Recording, record_round
from ..reference.stream import StreamAead
from . import bitwise
from .bitwise import BitModel
from .lower_clauses import weight_bound
from .problem import Clause, Problem
from .solve import Answer, solve


@dataclass(frozen=True, slots=True)
class Walk:
    """Which words differ: ``states[r]`` before round r, ``blocks[r]`` in its block; bit i is word i."""

    units: int
    states: tuple[int, ...]
    blocks: tuple[int, ...]


def walks(cipher: StreamAead[Any], most: int) -> list[Walk]:
    """Every word-wise collision with at most ``most`` active units, fewest first.

    A walk ends where the state first has no difference. States differ in fewer rounds than there
    are units, since every differing word goes through a unit; where one does not, a walk could be
    longer without end, and that is refused.
    """
    program = words.differential(record_round(cipher))

    @cache
    def steps(state: int) -> list[tuple[int, int, int]]:
        return [
            (block, after, cost)
            for block in range(1 << program.inputs)
            for after, cost in program.steps(state, block)
        ]

    back: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for state in range(1 << program.words):
        for _, after, cost in steps(state):
            back[after].append((state, cost))
    least: dict[int, int] = {}
    queue = [(0, 0)]
    while queue:
        cost, state = heapq.heappop(queue)
        if state not in least:
            least[state] = cost
            for before, more in back[state]:
                heapq.heappush(queue, (cost + more, before))
    found: list[Walk] = []

    def extend(walk: Walk, state: int) -> None:
        for block, after, cost in steps(state):
            total = walk.units + cost
            if (not walk.states and not block) or total + least.get(after, most + 1) > most:
                continue
            longer = Walk(total, (*walk.states, state), (*walk.blocks, block))
            if not after:
                found.append(longer)
            elif not cost and after in walk.states:
                raise DescriptionError(
                    f"{cipher.name}: a difference can go round without an active unit;"
                    " collisions are bounded only where every round costs one"
                )
            else:
                extend(longer, after)

    extend(Walk(0, (), ()), 0)
    return sorted(found, key=lambda walk: (walk.units, walk.states, walk.blocks))


def record_states(cipher: StreamAead[Any], rounds: int) -> Recording:
    """Rounds as one graph, with the state after every round: S0.., X0.0.. in; S1.0.., S2.0.. out."""
    graph = Graph()
    state: list[NodeWord] = [graph.input(f"S{i}", cipher.word_bits) for i in range(cipher.words)]
    inputs = {f"S{i}": word.id for i, word in enumerate(state)}
    outputs = {}
    for r in range(rounds):
        block = [graph.input(f"X{r}.{i}", cipher.word_bits) for i in range(cipher.rate_words)]
        inputs |= {f"X{r}.{i}": word.id for i, word in enumerate(block)}
        state = cipher.update(list(state), list(block))
        outputs |= {f"S{r + 1}.{i}": word.id for i, word in enumerate(state)}
    return Recording(cipher.name, f"{rounds} rounds", graph, inputs, outputs)


def walk_model(cipher: StreamAead[Any], walk: Walk, *, active_only: bool = False) -> BitModel:
    """Every bit-wise collision whose words differ exactly as the walk says."""
    differs: dict[str, bool] = {}
    for r, (state, block) in enumerate(zip(walk.states, walk.blocks, strict=True)):
        prefix = f"S{r}." if r else "S"
        differs |= {f"{prefix}{i}": bool(state >> i & 1) for i in range(cipher.words)}
        differs |= {f"X{r}.{i}": bool(block >> i & 1) for i in range(cipher.rate_words)}
    differs |= {f"S{len(walk.states)}.{i}": False for i in range(cipher.words)}
    made = bitwise.model(
        record_states(cipher, len(walk.states)),
        "differential",
        zero=[name for name, active in differs.items() if not active],
        active_only=active_only,
    )
    for name, active in differs.items():
        if active:
            made.some(name)
    return made


def at_most(problem: Problem, weight: Fraction | int) -> Problem:
    """The same constraints, and this weight at most; nothing left to minimise.

    The weight is counted by a totaliser, written out as clauses: of what CaDiCaL was tried with,
    that refutes fastest.
    """
    scale = problem.scale
    asked = Problem(list(problem.names), list(problem.constraints))
    units = {v + 1: int(w * scale) for v, w in problem.weights.items() if w}
    limit = int(weight * scale)
    bounded, clauses = weight_bound(units, limit, lambda: asked.variable("count") + 1)
    for clause in (*clauses, *((literal,) for literal in bounded.below(limit + 1))):
        asked.add(Clause(clause))
    return asked


@dataclass(frozen=True, slots=True)
class NoLighter:
    """No collision has fewer than ``active`` S-boxes: ``open`` walks were left undecided."""

    active: int
    walks: tuple[tuple[Walk, Answer], ...]
    open: tuple[Walk, ...]

    @property
    def proven(self) -> bool:
        return not self.open


def no_lighter(
    cipher: StreamAead[Any],
    active: int,
    solver: str = "cadical",
    limit: float | None = None,
    progress: Callable[[str], None] | None = None,
) -> NoLighter:
    """Ask of every walk that could have fewer than ``active`` S-boxes whether it has.

    ``limit`` is in seconds for each walk. A walk with a lighter collision is an error that says so.
    """
    lightest = sms_unit(record_round(cipher)).lightest
    per_unit = len(lightest[0][0]) + len(lightest[0][1])
    asked, undecided = [], []
    for walk in walks(cipher, (active - 1) // per_unit):
        problem = at_most(walk_model(cipher, walk, active_only=True).problem, active - 1)
        answer = solve(problem, solver, limit)
        if answer.assignment is not None:
            raise DescriptionError(
                f"{cipher.name}: a collision with fewer than {active} active S-boxes exists,"
                f" with {walk.units} active units in {len(walk.states)} rounds"
            )
        if answer.status != "infeasible":
            undecided.append(walk)
        asked.append((walk, answer))
        if progress:
            progress(f"{walk.units} units, {len(walk.states)} rounds: {answer.status}")
    return NoLighter(active, tuple(asked), tuple(undecided))
