"""What a measure is asked and what it answers: bounds proven, and handed on to more rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from ..analysis import bounds
from ..errors import ProofRefused, SolverFailed
from ..reference import Roundwise
from . import proofs
from .goals import Bound, View
from .problem import Problem
from .rounds import extends
from .solve import Progress
from .truncated import Count


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


def carried(it: Roundwise, found: Bound, before: Bound | None, where: Mapping[str, str]) -> Bound:
    """At least what one round less has, which time may have stopped later.

    So it is of differences where these rounds begin with those, and nothing is asked of their end;
    masks end where the rounds do, and constants may make the last ones cost less than the first.
    """
    if before is None or before.value is None or found.value is None:
        return found
    if found.view != "differential" or any(name.startswith("S'") for name in where):
        return found
    if found.value >= before.value or not extends(it, found.rounds or 1):
        return found
    guessed = "heuristic" in (found.certainty, before.certainty)
    if found.upper is not None and found.upper < before.value:
        if guessed:
            return found
        raise SolverFailed(
            f"{found.cipher}: {found.measure}: {before.solver}: at least {before.value:g} over"
            f" {before.rounds} rounds, and a trail of {found.upper:g} over {found.rounds} by"
            f" {found.solver}"
        )
    return replace(
        found,
        value=before.value,
        side="exact" if found.upper == before.value and not guessed else "lower",
        certainty="heuristic" if guessed else before.certainty,
        solver=before.solver,
        method=f"{found.method}; no fewer than over {before.rounds} rounds",
    )


def certified(
    found: Bound, problem: Problem, asked: Asked, shared: str = ""
) -> tuple[Bound, ProofRefused | OSError | KeyboardInterrupt | None]:
    """The bound with a certificate that was checked, if one is asked for; as it was where the time
    was not enough, or with what went wrong, which is Ctrl-C, too: the bound must not be lost by it.
    Nothing is assumed but the problem; ``shared`` says what that assumes of S-boxes, if it is not so."""
    if asked.proof is not None and shared:
        text = f"{found.cipher}: {found.measure}: {shared}, so there is nothing to prove"
        return found, ProofRefused(f"{text}; ask without a proof")
    if asked.proof is None or found.certainty == "proven":  # that of fewer rounds
        return found, None
    if found.value == 0:
        return replace(found, method=f"{found.method}; 0 needs no proof"), None
    if found.value is None and found.side != "exact":
        return found, None
    goal = found.measure.removesuffix("-sboxes")
    name = f"{found.cipher}-{goal}-{found.view}-{found.count}-{found.rounds}".replace(":", "-")
    name = f"{name.replace(',', '_').replace('/', '_')}-{problem.fingerprint[:12]}"
    path = asked.proof / f"{name}.json"
    try:
        asked.proof.mkdir(parents=True, exist_ok=True)
        least = None if found.value is None else Fraction(found.value)
        certificate = proofs.prove(problem, least, path, asked.limit)
        if certificate is None:
            return replace(found, method=f"{found.method}; no proof within the time limit"), None
        checked = proofs.check(path, problem)
    except (ProofRefused, OSError) as error:
        # Whose text may say where the folder lies: not for a row.
        why = error.strerror if isinstance(error, OSError) else error
        return replace(found, method=f"{found.method}; no proof: {why}"), error
    except KeyboardInterrupt as stopped:
        return replace(found, method=f"{found.method}; no proof: stopped"), stopped
    return replace(
        found,
        certainty="heuristic" if found.certainty == "heuristic" else "proven",
        method=f"{found.method}; LRAT proof of {checked.steps} steps, checked",
        seconds=found.seconds + certificate.seconds + checked.seconds,
    ), None
