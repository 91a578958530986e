"""Lower bounds that need no trust in a solver.

That no assignment weighs less than k is that a formula has no solution: the problem's clauses and a
totaliser kept under k. CaDiCaL derives the empty clause and writes down how [LRAT]; a checker that
shares no code with it follows each step. The clauses themselves are tested over all points of each
kind of constraint, and `check` makes them again from the problem where it is given one.

A certificate is three files, ``name.json``, ``name.cnf`` and ``name.lrat``.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path

from ... import _native
from ...errors import ProofRefused
from ...whole import writing
from .clauses import ClauseList, dimacs, lower, weight_bound
from .interface import SolverRun
from .problem import Problem

FORMAT = "roundworks certificate 1"
_NONE = "none"  # the lower bound where no assignment exists
# Conflicts between two looks at the clock.
BUDGET = 5_000


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a certificate claims; ``problem`` is the fingerprint of what it is about."""

    format: str
    claim: str
    problem: str
    lower: str
    solver: str
    seconds: float
    cnf_sha256: str
    lrat_sha256: str


@dataclass(frozen=True, slots=True)
class CheckedProof:
    """An accepted certificate: no assignment weighs less than ``lower``, or none exists (None)."""

    certificate: Certificate
    lower: Fraction | None
    steps: int
    propagations: int
    seconds: float


def prove(
    problem: Problem, bound: Fraction | int | None, path: Path, limit: float | None = None
) -> Certificate | None:
    """Write the certificate ``path`` (.json) that no assignment weighs less than ``bound``, or of None
    that none exists.

    None where time ran out. An assignment that weighs less is a `ProofRefused` that says so.
    """
    started = time.monotonic()
    variables, clauses = formula(problem, None if bound is None else Fraction(bound))
    # The claims take their place last: without them the others are no certificate.
    with (
        contextlib.suppress(_OutOfTime),
        writing(path.with_suffix(".json")) as claims,
        writing(path.with_suffix(".lrat")) as lrat,
        writing(path.with_suffix(".cnf")) as cnf,
    ):
        cnf.write_bytes(dimacs(variables, clauses))
        satisfiable = traced(clauses, lrat, lambda: limit is not None and time.monotonic() - started >= limit)
        if satisfiable is None:
            raise _OutOfTime
        if satisfiable:
            result = "there is an assignment" if bound is None else f"the weight can be below {bound}"
            raise ProofRefused(f"{path.name}: {result}: nothing to prove")
        certificate = Certificate(
            format=FORMAT,
            claim="no assignment" + ("" if bound is None else f" weighs less than {bound}"),
            problem=problem.fingerprint,
            lower=_NONE if bound is None else str(Fraction(bound)),
            solver="CaDiCaL 1.9.5",
            seconds=round(time.monotonic() - started, 3),
            cnf_sha256=_digest(cnf),
            lrat_sha256=_digest(lrat),
        )
        claims.write_text(json.dumps(asdict(certificate), indent=2) + "\n", encoding="ascii")
        return certificate
    return None


class _OutOfTime(Exception):
    """Before the solver had decided."""


def check(path: Path, problem: Problem | None = None) -> CheckedProof:
    """Follow the proof step by step; with the problem at hand, make its formula again and compare.

    Without it the certificate shows that its formula has no solution, and no more.
    """
    started = time.monotonic()
    certificate = _read(path)
    cnf, lrat = path.with_suffix(".cnf"), path.with_suffix(".lrat")
    for file, said in ((cnf, certificate.cnf_sha256), (lrat, certificate.lrat_sha256)):
        if not file.is_file():
            raise ProofRefused(f"{file.name}: missing; a certificate is .json, .cnf and .lrat")
        if _digest(file) != said:
            raise ProofRefused(f"{file.name}: not the file that {path.name} names, by its sha256")
    lower_bound = _lower(certificate)
    if problem is not None:
        if problem.fingerprint != certificate.problem:
            raise ProofRefused(
                f"{path.name}: about problem {certificate.problem[:16]}, not {problem.fingerprint[:16]}"
            )
        if dimacs(*formula(problem, lower_bound)) != cnf.read_bytes():
            raise ProofRefused(f"{cnf.name}: not the clauses of the problem and the bound")
    steps, propagations = _native.check_lrat(cnf, lrat)
    return CheckedProof(certificate, lower_bound, steps, propagations, time.monotonic() - started)


def _lower(certificate: Certificate) -> Fraction | None:
    return None if certificate.lower == _NONE else Fraction(certificate.lower)


def formula(problem: Problem, bound: Fraction | None) -> tuple[int, ClauseList]:
    """Clauses that hold for some auxiliaries exactly where the problem does, below ``bound`` if any.

    A unit is written as two clauses with a variable to spare: the solver numbers a clause twice
    that a unit has shortened.
    """
    out = lower(problem)
    run = SolverRun(problem, "proof")
    # The maximum number of steps below the bound.
    most = None if bound is None else -(-bound // run.step) - 1
    if most is not None and most < 0:
        out.clauses.append(())
    elif most is not None and run.units:
        bounded, clauses = weight_bound({v + 1: w for v, w in run.units.items()}, most, out.variable)
        out.clauses += clauses
        out.clauses += [(lit,) for lit in bounded.below(most + 1)]
    kept = {tuple(dict.fromkeys(clause)): None for clause in out.clauses}
    useful: ClauseList = []
    for clause in kept:
        if any(-lit in clause for lit in clause):
            continue
        if len(clause) == 1:
            spare = out.variable()
            useful += [(clause[0], spare), (clause[0], -spare)]
        else:
            useful.append(clause)
    return out.count, useful


def traced(clauses: ClauseList, lrat: Path, over: Callable[[], bool]) -> bool | None:
    """Whether the clauses have a solution, None where `over` came first; what CaDiCaL derived is in ``lrat``."""
    import pysolvers

    # python-sat's own class starts the trace before hints can be switched on.
    solver = pysolvers.cadical195_new()
    pysolvers.cadical195_set(solver, "lrat", 1)
    with lrat.open("w+b") as file:
        trace = pysolvers.cadical195_tracepr(solver, file)
        try:
            for clause in clauses:
                pysolvers.cadical195_add_cl(solver, list(clause))
            while True:
                pysolvers.cadical195_cbudget(solver, BUDGET)
                outcome = pysolvers.cadical195_solve_lim(solver, [], 0)
                if outcome or over():
                    break
            pysolvers.flushpr(trace)
        finally:
            pysolvers.cadical195_del(solver, file)
    return None if outcome == 0 else outcome > 0


def _read(path: Path) -> Certificate:
    try:
        fields = json.loads(path.read_text(encoding="ascii"))
        wanted, there = Certificate.__slots__, fields if isinstance(fields, dict) else {}
        if lacking := [name for name in wanted if name not in there]:
            raise ValueError(f"want {', '.join(wanted)}; it lacks {', '.join(lacking)}")
        certificate = Certificate(**fields)
        _lower(certificate)
    except (OSError, ValueError, TypeError, ZeroDivisionError) as error:
        raise ProofRefused(f"{path.name}: not a certificate: {error}") from error
    if certificate.format != FORMAT:
        raise ProofRefused(f"{path.name}: want format {FORMAT!r}, got {certificate.format!r}")
    return certificate


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
