"""What `roundworks bound` offers by cells and bits: a measure is a question for each round count."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from ..analysis import bounds
from ..errors import DescriptionError, ProofRefused, SolverFailed, UnknownName
from ..reference import Recording, Rounds, Roundwise, Sbox, StreamAead, record_rounds
from . import bitwise, integrals, proofs, trails
from .drawing import trail_dot
from .goals import COUNTS, VIEWS, Bound, View, agreed, question, solved, want_whole_rounds
from .recordings import merged, restricted
from .solve import Progress, compare, solve
from .truncated import Count

# A trail of at most this weight is followed by random pairs, so many for each expected one.
MEASURABLE, PAIRS = 16, 64


@dataclass(frozen=True, slots=True)
class Asked:
    """``view``: differential, or the measure's own, unless given. ``where``: patterns of named words,
    see `goals.question`, and `integrals.mask_of` for integrals. ``proof``: a folder for certificates."""

    rounds: int
    view: View | None = None
    count: Count = "distinct"
    solvers: Sequence[str] = ("auto",)
    limit: float | None = None
    where: Mapping[str, str] = field(default_factory=dict)
    proof: Path | None = None
    progress: Callable[[Progress], None] | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A bound, and the trail that attains it as Graphviz dot where one was found."""

    bound: bounds.Bound
    drawing: str | None


def active(it: Roundwise, asked: Asked) -> Iterator[Found]:
    """Fewest active S-boxes over 1 to ``rounds`` rounds."""
    for rounds in range(1, asked.rounds + 1):
        yield from _cells(it, "active", rounds, asked)


def collision(it: Roundwise, asked: Asked) -> Iterator[Found]:
    """Fewest active S-boxes in an internal collision of at most ``rounds`` rounds."""
    yield from _cells(it, "collision", asked.rounds, asked)


def bias(it: Roundwise, asked: Asked) -> Iterator[Found]:
    """Fewest active S-boxes in a biased sum of keystream words of at most ``rounds`` rounds."""
    yield from _cells(it, "bias", asked.rounds, asked)


def _cells(it: Roundwise, goal: str, rounds: int, asked: Asked) -> Iterator[Found]:
    """One bound. Where it was to be proven and cannot be, it comes first and then the error."""
    found, trail = solved(
        it, goal, rounds, asked.view, asked.count, asked.where, asked.solvers, asked.limit,
        asked.progress,
    )  # fmt: skip
    if found.value is None and goal == "active":
        words = ", ".join(asked.where) or "none"
        raise DescriptionError(
            f"{it.name}: {rounds} rounds: no difference (mask) at all fits; patterns were given for:"
            f" {words}; leave a cell as ? or *"
        )
    refused: ProofRefused | OSError | None = None
    if asked.proof is not None and found.value is not None and found.value > 0:
        try:
            found = _proven(it, goal, rounds, asked, found)
        except (ProofRefused, OSError) as error:
            refused = error  # whose text may say where the folder lies: not for a row
            why = error.strerror if isinstance(error, OSError) else error
            found = replace(found, method=f"{found.method}; no proof: {why}")
    drawing = None
    if trail is not None:
        drawing = trail_dot(record_rounds(it, rounds), trail.activity, trail.cell_bits)
    yield Found(found, drawing)
    if refused is not None:
        raise refused


def _proven(it: Roundwise, goal: str, rounds: int, asked: Asked, found: Bound) -> Bound:
    """The same with a certificate that was checked; as it was where the time was not enough."""
    assert asked.proof is not None and found.value is not None
    problem = question(it, goal, rounds, asked.view, asked.count, asked.where).model.problem
    asked.proof.mkdir(parents=True, exist_ok=True)
    name = f"{it.name}-{goal}-{found.view}-{found.count}-{rounds}".replace(":", "-")
    name = f"{name.replace(',', '_').replace('/', '_')}-{problem.fingerprint[:12]}"
    path = asked.proof / f"{name}.json"
    certificate = proofs.prove(problem, Fraction(found.value), path, asked.limit)
    if certificate is None:
        return replace(found, method=f"{found.method}; no proof within the time limit")
    checked = proofs.check(path, problem)
    return replace(
        found,
        certainty="proven",
        method=f"{found.method}; LRAT proof of {checked.steps} steps, checked",
        seconds=found.seconds + certificate.seconds + checked.seconds,
    )


def trail(it: Roundwise, asked: Asked) -> Iterator[Found]:
    """Least weight of a trail bit by bit over 1 to ``rounds`` rounds."""
    if asked.where:
        raise DescriptionError("where: want a measure by cells, such as active-sboxes, got trail")
    for rounds in range(1, asked.rounds + 1):
        yield _trail(it, rounds, asked)


def _trail(it: Roundwise, rounds: int, asked: Asked) -> Found:
    started, view = time.perf_counter(), asked.view or "differential"
    recording = merged(record_rounds(it, rounds))
    if view == "differential":  # keystream is read off, and costs a difference nothing
        recording = restricted(recording, [n for n in recording.outputs if n.startswith("S'")])
    executed = asked.count == "executed"
    still, moving = _ends(it, recording, view)
    model = bitwise.model(recording, view, zero=still, as_executed=executed)
    model.some(*moving)
    answers = [
        solve(model.problem, solver, asked.limit, asked.progress) for solver in asked.solvers
    ]
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
    return Found(
        Bound(
            it.name, "trail", rounds, float(lower), "log2", "exact" if exact else "lower",
            "heuristic" if model.shared_and else certainty,
            method, witness, time.perf_counter() - started, upper, view, asked.count,
            ", ".join(answer.version for answer in answers), model.problem.fingerprint,
        ),
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


def integral(it: Roundwise, asked: Asked) -> Iterator[Found]:
    """Balanced bits after 1 to ``rounds`` rounds, bit by bit."""
    _plain(asked, "integral")
    for rounds in range(1, asked.rounds + 1):
        found = integrals.by_bits(it, rounds, asked.where, asked.limit, asked.progress)
        yield Found(found, None)


def integral_words(it: Roundwise, asked: Asked) -> Iterator[Found]:
    """Balanced bits after 1 to ``rounds`` rounds, by the numbers of active bits of words."""
    _plain(asked, "integral-words")
    for rounds in range(1, asked.rounds + 1):
        yield Found(integrals.by_words(it, rounds, asked.where, asked.limit), None)


def _plain(asked: Asked, measure: str) -> None:
    """No option that an integral has no use for."""
    given = {
        "view": asked.view is not None,
        "count": asked.count != "distinct",
        "solver": any(solver not in ("auto", "cadical") for solver in asked.solvers),
        "proof": asked.proof is not None,
    }
    for name, is_given in given.items():
        if is_given:
            raise DescriptionError(
                f"{name}: does nothing for {measure}, which CaDiCaL decides; leave it away"
            )


MEASURES: dict[str, Callable[[Roundwise, Asked], Iterator[Found]]] = {
    "active-sboxes": active,
    "collision-sboxes": collision,
    "bias-sboxes": bias,
    "trail": trail,
    "integral": integral,
    "integral-words": integral_words,
}


def measured(it: Roundwise, measure: str, asked: Asked) -> Iterator[Found]:
    """The bounds of one measure, as they are found."""
    if measure not in MEASURES:
        raise UnknownName(f"measure {measure!r}: not known; one of {', '.join(MEASURES)}")
    if asked.view not in (None, *VIEWS):
        raise UnknownName(f"view {asked.view!r}: not known; one of {', '.join(VIEWS)}")
    if asked.count not in COUNTS:
        raise UnknownName(f"count {asked.count!r}: not known; one of {', '.join(COUNTS)}")
    if asked.rounds < 1:
        raise DescriptionError(f"rounds: want at least 1, got {asked.rounds}")
    if asked.proof is not None and not measure.endswith("-sboxes"):
        raise DescriptionError(f"proof: want a measure that counts S-boxes, got {measure}")
    want_whole_rounds(it)
    return MEASURES[measure](it, asked)
