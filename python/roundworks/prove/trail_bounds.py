"""The measure `trail`: the least weight bit by bit, and a trail that is checked and followed."""

from __future__ import annotations

import time
from collections.abc import Iterator

from ..errors import DescriptionError, SolverFailed
from ..reference import Recording, Rounds, Roundwise, Sbox, StreamAead, record_rounds
from . import bitwise, trails
from .asked import Asked, Found, carried, certified
from .drawing import trail_dot
from .goals import COUNTS, Bound, View, agreed
from .problem import Problem
from .recordings import merged, restricted
from .solve import Answer, compare, solve

# A trail of at most this weight is followed by random pairs, so many for each expected one.
MEASURABLE, PAIRS = 16, 64


def trail(it: Roundwise, asked: Asked) -> Iterator[Found]:
    """Least weight of a trail bit by bit over 1 to ``rounds`` rounds."""
    if asked.where:
        raise DescriptionError("where: want a measure by cells, such as active-sboxes, got trail")
    before = None
    for rounds in range(1, asked.rounds + 1):
        found, problem, shared, drawing = _trail(it, rounds, asked)
        before = carried(it, found, before, asked.where)
        before, refused = certified(before, problem, asked, shared)
        yield Found(before, drawing)
        if refused is not None:
            raise refused


def _trail(it: Roundwise, rounds: int, asked: Asked) -> tuple[Bound, Problem, str, str | None]:
    """The bound and its problem, why that proves nothing if it does not, and the trail as dot."""
    started, view = time.perf_counter(), asked.view or "differential"
    recording = merged(record_rounds(it, rounds))
    if view == "differential":  # keystream is read off, and costs a difference nothing
        recording = restricted(recording, [n for n in recording.outputs if n.startswith("S'")])
    executed = asked.count == "executed"
    still, moving = _ends(it, recording, view)
    model = bitwise.model(recording, view, zero=still, as_executed=executed)
    model.some(*moving)
    answers: list[Answer] = []
    for solver in asked.solvers:
        answers.append(solve(model.problem, solver, asked.limit, asked.progress))
        if answers[-1].interrupted:
            break
    compare(model.problem, answers)
    lower = max(answer.lower for answer in answers)
    certainty = agreed(answers) if len({answer.lower for answer in answers}) == 1 else "one-solver"
    best = min(
        (a for a in answers if a.upper is not None), key=lambda a: a.upper or 0, default=None
    )
    if best is None or best.assignment is None:
        if any(answer.status == "infeasible" for answer in answers):
            raise SolverFailed(f"{it.name}: {rounds} rounds: no trail at all; want a permutation")
        upper, witness, drawing = None, None, None
    else:
        found = model.trail(best.assignment)
        checked = trails.check(recording, found, as_executed=executed)
        upper = checked.weight
        witness = {"active": checked.active, **_ends_of(recording, found)}
        witness |= _followed(recording, found, upper)
        cell_bits = next(
            (n.detail.bits for n in recording.graph.nodes if isinstance(n.detail, Sbox)), 4
        )
        drawing = trail_dot(recording, _cells_of(recording, found, cell_bits), cell_bits)
    exact = upper is not None and model.exact and abs(float(lower) - upper) < 1e-9
    what = (
        "-log2 of the probability" if view == "differential" else "-log2 of the squared correlation"
    )
    method = (
        f"best {view} trail over {rounds} rounds, bit by bit; {what}, S-boxes taken as"
        f" independent; {COUNTS[asked.count]}"
    )
    if model.rounded:
        method += f"; weights rounded down to multiples of 1/{bitwise.DENOMINATOR}"
    if model.shared_and:
        method += "; AND gates that share an input taken as independent"
    shared = ""
    if model.shared_sbox:
        shared = "S-boxes whose inputs follow from each other taken as independent"
        method += f"; {shared}"
    return (
        Bound(
            it.name, "trail", rounds, float(lower), "log2", "exact" if exact else "lower",
            "heuristic" if model.dependent else certainty,
            method, witness, time.perf_counter() - started, upper, view, asked.count,
            ", ".join(answer.version for answer in answers), model.problem.fingerprint,
        ),
        model.problem,
        shared,
        drawing,
    )  # fmt: skip


def _ends(it: Roundwise, recording: Recording, view: View) -> tuple[list[str], list[str]]:
    """Names that stay still, and of which one must move."""
    if view == "linear":
        still = [n for n in recording.outputs if n.startswith("Z")]
        return still, [n for n in recording.outputs if n.startswith("S'")]
    keyed = isinstance(it, StreamAead | Rounds)
    still = [n for n in recording.inputs if keyed and not n.startswith("S")]
    return still, [n for n in recording.inputs if n.startswith("S")]


def _ends_of(recording: Recording, found: trails.Trail) -> dict[str, str]:
    nodes = recording.graph.nodes
    named = recording.inputs | recording.outputs
    return {
        name: f"{value:0{nodes[named[name]].bits // 4}x}"
        for name, value in found.ends.items()
        if value and name in named
    }


def _followed(recording: Recording, found: trails.Trail, weight: float) -> dict[str, int]:
    if found.kind != "differential" or weight > MEASURABLE:
        return {}
    seen = trails.measure(recording, found, round(PAIRS * 2**weight), seed=1)
    return {"pairs": seen.samples, "followed": seen.followed, "arrived": seen.arrived}


def _cells_of(recording: Recording, found: trails.Trail, cell_bits: int) -> dict[int, int]:
    """Node -> which cells are not zero, bit i for cell i."""
    cells = {}
    for node in recording.graph.nodes:
        value, count = found.values.get(node.id, 0), node.bits // cell_bits
        mask = (1 << cell_bits) - 1
        cells[node.id] = sum(
            bool(value >> cell_bits * (count - 1 - i) & mask) << i for i in range(count)
        )
    return cells
