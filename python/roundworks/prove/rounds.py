"""Best trails of 1, 2, .. rounds, each answer helping with the next. [MATSUI] [SUN-SAT]"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ..reference.aead import Rounds
from ..reference.graph import Node, Recording, record_rounds
from ..reference.permutation import Permutation
from . import bitwise
from .bounding import Windows, with_bounds
from .sbox_tables import Kind
from .solve import Answer, Progress, solve
from .trails import Checked, Trail, check


@dataclass(frozen=True, slots=True)
class Found:
    """The answer for ``rounds`` rounds, and its trail as the reference has it."""

    rounds: int
    answer: Answer
    trail: Trail | None
    checked: Checked | None
    exact: bool


def lightest_trails(
    it: Permutation[Any] | Rounds[Any],
    rounds: int,
    kind: Kind = "differential",
    *,
    active_only: bool = False,
    windows: Windows | None = None,
    solver: str = "cadical",
    limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> list[Found]:
    """Trails of least weight (fewest active S-boxes) for 1 to ``rounds`` rounds, keys without
    difference. ``limit`` is in seconds for each; after one that is not optimal nothing follows.
    ``windows`` adds Matsui's conditions where rounds are alike; without, an answer helps with the
    next only as its lower bound, which was faster for PRESENT up to six rounds (3.4 to 5.1 s).
    """
    best = [Fraction(0)]
    found: list[Found] = []
    for r in range(1, rounds + 1):
        asked = question(it, r, kind, active_only=active_only)
        recording, problem = asked.recording, asked.problem
        if windows and (cuts := boundaries(it, recording, r)):
            parts = [
                [v for node in range(a, b) for v, _ in asked.spent.get(node, [])]
                for a, b in pairwise(cuts)
            ]
            problem = with_bounds(problem, parts, best, windows=windows)
        answer = solve(problem, solver, limit, progress, known=(best[-1], None))
        trail = None if answer.assignment is None else asked.trail(answer.assignment)
        checked = None if trail is None else check(recording, trail)
        found.append(Found(r, answer, trail, checked, asked.exact))
        if answer.status != "optimal":
            break
        best.append(answer.lower)
    return found


def question(
    it: Permutation[Any] | Rounds[Any],
    rounds: int,
    kind: Kind = "differential",
    *,
    active_only: bool = False,
) -> bitwise.BitModel:
    """Every trail over ``rounds`` rounds from a state that differs, keys without difference."""
    recording = record_rounds(it, rounds)
    keys = [name for name in recording.inputs if not name.startswith("S")]
    zero = keys if kind == "differential" else ()
    asked = bitwise.model(recording, kind, zero=zero, active_only=active_only)
    ends = recording.outputs if kind == "linear" else recording.inputs
    asked.some(*(name for name in ends if name not in keys))
    return asked


def boundaries(
    it: Permutation[Any] | Rounds[Any], recording: Recording, rounds: int
) -> list[int] | None:
    """The first node of every round, and one past the last; None if rounds differ in more than
    constants, so that a bound for the first ones says nothing of others."""
    nodes = recording.graph.nodes
    first = sum(1 for node in nodes if node.op == "input" and (node.name or "").startswith("S"))
    cuts = [first]
    for r in range(1, rounds):
        shorter = record_rounds(it, r).graph.nodes
        if [_shape(n, 0) for n in nodes[: len(shorter)]] != [_shape(n, 0) for n in shorter]:
            return None
        cuts.append(len(shorter))
    cuts.append(len(nodes))
    shapes = [
        [(n.op, n.bits, n.detail) for n in nodes[a:b] if n.op not in ("const", "input")]
        for a, b in pairwise(cuts)
    ]
    return cuts if all(shape == shapes[0] for shape in shapes) else None


def _shape(node: Node, start: int) -> tuple[object, ...]:
    return node.op, node.bits, node.detail, tuple(i - start for i in node.inputs)
