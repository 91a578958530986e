"""Bit-wise internal collisions of a streaming cipher, along its word-wise walks.

A collision is a walk from no difference to no difference of the state. Word-wise there are few
with few active units; along each the bits are a `BitModel`. A walk with n active units has at least
n times the active S-boxes of the lightest unit, so those with more units need no model: this is
how a bound for every collision, of any length, comes out of finitely many queries.
"""

from __future__ import annotations

import heapq
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from ...analysis import words
from ...analysis.forms import same_inputs
from ...analysis.sms import sms_unit
from ...errors import DescriptionError
from ...reference.graph import Graph, NodeWord, Recording
from ...reference.record import record_round
from ...reference.stream import StreamAead
from ..solvers import proofs
from ..solvers.clauses import ClauseList, Sums, summed
from ..solvers.problem import Clause, Problem, Var
from ..solvers.solve import Solution, solve
from . import build as bitwise
from . import trails
from .model import BitModel
from .trails import BitTrail, Worth


@dataclass(frozen=True, slots=True)
class CollisionWalk:
    """Which words differ: ``states[r]`` before round r, ``blocks[r]`` in its block; bit i is word i."""

    units: int
    states: tuple[int, ...]
    blocks: tuple[int, ...]


def walks(cipher: StreamAead[Any], most: int) -> list[CollisionWalk]:
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
    minimum: dict[int, int] = {}
    queue = [(0, 0)]
    while queue:
        cost, state = heapq.heappop(queue)
        if state not in minimum:
            minimum[state] = cost
            for before, more in back[state]:
                heapq.heappush(queue, (cost + more, before))
    results: list[CollisionWalk] = []

    def extend(walk: CollisionWalk, state: int) -> None:
        for block, after, cost in steps(state):
            total = walk.units + cost
            if (not walk.states and not block) or total + minimum.get(after, most + 1) > most:
                continue
            longer = CollisionWalk(total, (*walk.states, state), (*walk.blocks, block))
            if not after:
                results.append(longer)
            elif not cost and after in walk.states:
                raise DescriptionError(
                    f"{cipher.name}: a difference can go round without an active unit;"
                    " collisions are bounded only where every round costs one"
                )
            else:
                extend(longer, after)

    extend(CollisionWalk(0, (), ()), 0)
    return sorted(results, key=lambda walk: (walk.units, walk.states, walk.blocks))


def record_states(cipher: StreamAead[Any], rounds: int) -> Recording:
    """Rounds as one graph, with the state after every round: S0.., X0.0.. in; S1.0.., S2.0.. out."""
    graph = Graph()
    state: list[NodeWord] = [graph.input(f"S{i}", cipher.word_bits) for i in range(cipher.words)]
    inputs = {f"S{i}": word.id for i, word in enumerate(state)}
    outputs: dict[str, int] = {}
    for r in range(rounds):
        block = [graph.input(f"X{r}.{i}", cipher.word_bits) for i in range(cipher.rate_words)]
        inputs |= {f"X{r}.{i}": word.id for i, word in enumerate(block)}
        state = cipher.update(list(state), list(block))
        outputs |= {f"S{r + 1}.{i}": word.id for i, word in enumerate(state)}
    return Recording(cipher.name, f"{rounds} rounds", graph, inputs, outputs)


def walk_model(
    cipher: StreamAead[Any], walk: CollisionWalk, *, active_only: bool = False, lightest_only: bool = False
) -> BitModel:
    """Every bit-wise collision whose words differ exactly as the walk says."""
    differs: dict[str, bool] = {}
    for r, (state, block) in enumerate(zip(walk.states, walk.blocks, strict=True)):
        prefix = f"S{r}." if r else "S"
        differs |= {f"{prefix}{i}": bool(state >> i & 1) for i in range(cipher.words)}
        differs |= {f"X{r}.{i}": bool(block >> i & 1) for i in range(cipher.rate_words)}
    differs |= {f"S{len(walk.states)}.{i}": False for i in range(cipher.words)}
    recording = record_states(cipher, len(walk.states))
    if shared := same_inputs(recording):
        line = recording.graph.nodes[shared[0][-1][0]].line
        raise DescriptionError(
            f"{cipher.name}: {line}: S-box whose input another has, too; want one for each input,"
            " or measure collision-sboxes"
        )
    made = bitwise.model(
        recording,
        "differential",
        zero=[name for name, active in differs.items() if not active],
        active_only=active_only,
        lightest_only=lightest_only,
    )
    for name, active in differs.items():
        if active:
            made.some(name)
    return made


def at_most(counted: BitModel, active: int) -> Problem:
    """The constraints of a model that counts S-boxes, and ``active`` of them at most.

    The count goes up a totaliser whose lowest parts are the S-boxes around one matrix, of which
    there are 0, 8, 12, .. and nothing between: the parts then are few, and each says much. CaDiCaL
    refutes AETHER's walks several times faster than with S-boxes counted in any order.
    """
    problem = counted.problem
    if set(problem.weights.values()) != {Fraction(1)}:
        raise DescriptionError("at most: want a model with active_only, that counts S-boxes")
    limited = Problem(list(problem.names), list(problem.constraints))
    parts: list[Sums] = []
    left = set(problem.weights)
    for around, allowed in counted.branches:
        if left.issuperset(around):
            left.difference_update(around)
            parts.append(_around_matrix(limited, around, allowed, active))
    parts += [{1: v + 1} for v in sorted(left)]
    for count, literal in _total(limited, parts, active).items():
        if count > active:
            limited.add(Clause((-literal,)))
    return limited


def _around_matrix(problem: Problem, around: Sequence[Var], allowed: frozenset[int], most: int) -> Sums:
    counts = _total(problem, [{1: v + 1} for v in around], most)
    for n, literal in counts.items():
        if n not in allowed and (more := min((a for a in allowed if a > n), default=None)):
            following = counts.get(min(more, max(counts)))
            assert following is not None
            problem.add(Clause((-literal, following)))
    return {n: literal for n, literal in counts.items() if n in allowed or n == max(counts)}


def _total(problem: Problem, parts: list[Sums], most: int) -> Sums:
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    left, right = _total(problem, parts[:half], most), _total(problem, parts[half:], most)
    out: ClauseList = []
    total = summed(left, right, most, lambda: problem.variable("count") + 1, out)
    problem.constraints += map(Clause, out)
    return total


@dataclass(frozen=True, slots=True)
class AttainedCollision:
    """A collision as the reference has it; ``patterns``: sets of active S-boxes that were tried."""

    walk: CollisionWalk
    trail: BitTrail
    checked: Worth
    patterns: int
    seconds: float


def attained(
    cipher: StreamAead[Any], active: int, solver: str = "cadical", limit: float | None = None
) -> AttainedCollision | None:
    """A collision of at most ``active`` S-boxes, each at its best probability; None if not found.

    Along the walk of fewest units and rounds. A set of active S-boxes is found first, then
    transitions of the best probability between them: for AETHER seconds, where both at once take
    minutes. ``limit`` is in seconds, and None says nothing of what exists.
    """
    started = time.perf_counter()
    every = walks(cipher, active // per_unit(cipher))
    walk = min(every, key=lambda w: (w.units, len(w.states)), default=None)
    if walk is None:
        return None
    counted = walk_model(cipher, walk, active_only=True)
    light = walk_model(cipher, walk, lightest_only=True)
    if list(counted.problem.weights) != list(light.problem.weights):
        raise DescriptionError(f"{cipher.name}: want S-boxes that alone have weight")
    limited = at_most(counted, active)
    tried = 0
    while limit is None or time.perf_counter() - started < limit:
        left = None if limit is None else limit - time.perf_counter() + started
        solution = solve(limited, solver, left).uninterrupted()
        if solution.assignment is None:
            return None
        tried += 1
        narrowed = Problem(list(light.problem.names), list(light.problem.constraints))
        for variable in counted.problem.weights:
            narrowed.fix(variable, bool(solution.assignment[variable]))
        best = solve(narrowed, solver, left).uninterrupted()
        if best.assignment is not None:
            trail = light.trail(best.assignment)
            checked = trails.check(light.recording, trail)
            return AttainedCollision(walk, trail, checked, tried, time.perf_counter() - started)
        on = [v for v in counted.problem.weights if solution.assignment[v]]
        limited.add(Clause(tuple(-(v + 1) for v in on)))
    return None


@dataclass(frozen=True, slots=True)
class NoLighter:
    """No collision has fewer than ``active`` S-boxes: ``open`` walks were left undecided.

    ``proofs`` are certificates that were checked, one for each walk, where they were wanted.
    """

    active: int
    walks: tuple[CollisionWalk, ...]
    open: tuple[CollisionWalk, ...]
    solutions: tuple[Solution, ...] = ()
    proofs: tuple[proofs.CheckedProof, ...] = ()

    @property
    def proven(self) -> bool:
        """Whether every walk was decided."""
        return not self.open


def no_lighter(
    cipher: StreamAead[Any],
    active: int,
    solver: str = "cadical",
    limit: float | None = None,
    progress: Callable[[str], object] | None = None,
    certify: Path | None = None,
) -> NoLighter:
    """Decide of every walk that could have fewer than ``active`` S-boxes whether it has.

    ``limit`` is in seconds for each walk. A walk with a lighter collision is an error that says so.
    ``certify``: a folder in which each refutation is written as a certificate, checked, and removed
    again, since the proof of a hard walk takes hundreds of megabytes.
    """
    solutions, undecided, checked = [], [], []
    every = walks(cipher, (active - 1) // per_unit(cipher))
    for walk in every:
        problem = at_most(walk_model(cipher, walk, active_only=True), active - 1)
        if certify is not None:
            proof = _certified(problem, certify, limit)
            if proof is None:
                undecided.append(walk)
            else:
                checked.append(proof)
            if progress:
                said = "undecided" if proof is None else f"{proof.steps} steps of proof checked"
                progress(f"{walk.units} units, {len(walk.states)} rounds: {said}")
            continue
        solution = solve(problem, solver, limit).uninterrupted()
        if solution.assignment is not None:
            raise DescriptionError(
                f"{cipher.name}: a collision with fewer than {active} active S-boxes exists,"
                f" with {walk.units} active units in {len(walk.states)} rounds"
            )
        if solution.status != "infeasible":
            undecided.append(walk)
        solutions.append(solution)
        if progress:
            progress(f"{walk.units} units, {len(walk.states)} rounds: {solution.status}")
    return NoLighter(active, tuple(every), tuple(undecided), tuple(solutions), tuple(checked))


def _certified(problem: Problem, folder: Path, limit: float | None) -> proofs.CheckedProof | None:
    path = folder / f"{problem.fingerprint[:16]}.json"
    try:
        # Nothing weighs anything, so "less than 1" is "at all".
        if proofs.prove(problem, 1, path, limit) is None:
            return None
        return proofs.check(path, problem)
    finally:
        for suffix in (".json", ".cnf", ".lrat"):
            path.with_suffix(suffix).unlink(missing_ok=True)


def per_unit(cipher: StreamAead[Any]) -> int:
    """Fewest active S-boxes of one active unit."""
    lightest = sms_unit(record_round(cipher)).lightest
    return len(lightest[0][0]) + len(lightest[0][1])
