"""From a query to bounds: a problem instance is built once, solved, read back, checked and proven.

Every query, cell-wise or bit-wise, goes this way; what differs is the `Instance`. A `BoundResult` carries
its instance and its trail, so nothing is recorded or modelled a second time to draw or to prove it.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..bounds import COUNTS, VIEWS, Bound, Count, View, carried
from ..errors import DescriptionError, ProofRefused, SolverFailed, UnknownName, unknown
from ..reference import Recording, Roundwise, record_rounds
from ..reference.permutation import HalfRounds
from ..reference.recordings import begins
from .drawing import trail_dot
from .solvers import proofs
from .solvers.deciding import LightestTrail, decided
from .solvers.interface import BEFORE, contradiction
from .solvers.problem import Problem, Var
from .solvers.solve import Solution, SolverProgress, compare, solve

SAME = 1e-9  # weights as floats that differ by less are one


@dataclass(frozen=True, slots=True)
class Query:
    """What is to be bounded in a description, and how it is to be solved.

    ``view`` is differential, or the measure's own, unless given. ``where``: patterns of named words, see
    `cell_instance`, and `integrals.mask_of` for integrals. ``limit`` is in seconds for each instance.
    ``proof``: a folder for certificates. ``alone``: that number of rounds alone, where a measure has all
    up to it; those of fewer are computed where they help, and are no result.
    """

    rounds: int = 1
    view: View | None = None
    count: Count = "distinct"
    where: Mapping[str, str] = field(default_factory=dict)
    solvers: Sequence[str] = ("auto",)
    limit: float | None = None
    proof: Path | None = None
    progress: Callable[[SolverProgress], None] | None = None
    alone: bool = False

    def counting(self) -> Callable[[int], None]:
        """What takes a count of CaDiCaL's, of conflicts or trails, as progress; its time begins now."""
        started = time.perf_counter()

        def report(count: int) -> None:
            if self.progress is not None:
                spent = time.perf_counter() - started
                self.progress(SolverProgress("cadical", Fraction(count), None, spent))

        return report


@dataclass(frozen=True, slots=True)
class Attained:
    """A solution read back to the description: its trail, checked there, and what it weighs.

    ``activity``: for a node of the recording its active cells of ``cell_bits`` bits, bit i for cell i.
    ``short``: why nothing real is shown to follow the trail, so that its weight is that of the model alone.
    """

    weight: float
    trail: Any
    witness: dict[str, Any]
    activity: Mapping[int, int]
    cell_bits: int
    short: str = ""


class Unchecked(Exception):
    """A trail that could not be checked; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance(ABC):
    """A query as a problem to solve, and the way back from an assignment to a trail.

    ``unit`` is that of the weight to minimise; ``method`` says in words what is minimised, over
    ``recording``. ``impossible``: the error where nothing fits, "" where that is a result. ``lower``: a
    bound known without solving, by ``lower_by``. ``where``: the pattern of some words, where only trails with it count.
    ``heuristic``: the model takes for independent what is not, so that its minimum bounds nothing; ``dependent`` says
    what, where that leaves nothing to prove.
    ``by_round``: what each variable weighs, where that can be decided weight by weight with what is known of fewer
    rounds, which it finds out when called; ``search``: one for such rounds, which knows more of them than their problem
    says. ``helps``: of fewer rounds than those wanted, so that nobody reads what is measured of its trail. ``seconds``
    went into building it.
    """

    cipher: str
    measure: str
    rounds: int
    view: View
    count: Count
    unit: str
    method: str
    recording: Recording
    impossible: str = ""
    lower: int = 0
    lower_by: str = ""
    where: Mapping[str, str] = field(default_factory=dict)
    heuristic: bool = False
    dependent: str = ""
    by_round: Callable[[], Sequence[Mapping[Var, Fraction]]] = tuple
    search: LightestTrail | None = None
    helps: bool = False
    seconds: float

    @property
    @abstractmethod
    def problem(self) -> Problem:
        """What a solver is given."""

    def truly(self, lower: Fraction) -> Fraction:
        """The minimum weight where the problem has at least ``lower``; more than that where it rounds down."""
        return lower

    def modelled(self, lower: Fraction) -> Fraction:
        """The weight of the problem from which `truly` says ``lower``."""
        return lower

    @abstractmethod
    def attained(self, assignment: Sequence[bool]) -> Attained:
        """The checked trail of an assignment; `Unchecked` where it cannot be checked."""


@dataclass(frozen=True, slots=True)
class BoundResult:
    """A bound, and of one by a solver its instance and the trail that attains it, where one was found."""

    bound: Bound
    instance: Instance | None = None
    attained: Attained | None = None

    @property
    def drawing(self) -> str | None:
        """The trail as Graphviz dot."""
        if self.instance is None or self.attained is None:
            return None
        return trail_dot(self.instance.recording, self.attained.activity, self.attained.cell_bits)


def check_view_and_count(view: str | None, count: str) -> None:
    """`UnknownName` unless they are among `VIEWS` and `COUNTS`."""
    for what, value, legal in (("view", view or VIEWS[0], VIEWS), ("count", count, COUNTS)):
        if value not in legal:
            raise unknown(what, value, legal)


def want_whole_rounds(it: Roundwise) -> None:
    """An error for 3.5 rounds: a bound is labelled by the rounds it is over, and those are counted."""
    if isinstance(it, HalfRounds) and it.half:
        whole = it.name.partition(":")[0]
        raise DescriptionError(f"{it.name}: bounds are over whole rounds; want {whole}")


def solved(
    instance: Instance, query: Query, before: Bound | None = None, fewer: Sequence[Fraction] = ()
) -> BoundResult:
    """The result of one solver, or of two that agree, its trail checked on the description.

    ``before`` is the bound of a round less: where it is monotone, this one is at least that. One solver
    alone starts from what is known without solving; of two that are to agree neither does. ``fewer``: lower
    bounds of 0, 1, .. rounds, for one that decides weight by weight.

    Raises
    ------
    SolverFailed
        Where solvers contradict each other, themselves, or ``before``.
    DescriptionError
        Where nothing fits and the measure takes that for a mistake.
    """
    if not query.solvers:
        raise UnknownName("solvers: want at least one, got none")
    started = time.perf_counter()
    known = Fraction(instance.lower) if len(set(query.solvers)) == 1 else Fraction(0)
    solutions: list[Solution] = []
    for solver in dict.fromkeys(query.solvers):
        best = min((s for s in solutions if s.upper is not None), key=_upper, default=None)
        start = None if best is None else best.assignment
        if solver == "auto" and len(fewer) == instance.rounds and (by_round := instance.by_round()):
            how = query.limit, query.progress, instance.search, before.seconds if before else 0.0
            solutions.append(decided(instance.problem, by_round, fewer, *how))
        else:
            solutions.append(
                solve(instance.problem, solver, query.limit, query.progress, known=(known, None), start=start)
            )
        if solutions[-1].interrupted:
            break
    compare(instance.problem, solutions)
    attained, why = _attained(instance, solutions)
    if attained is not None and attained.short and max(s.lower for s in solutions) == _lightest(solutions):
        attained = _another(instance, query, solutions, attained)
    bound = _bound(instance, solutions, attained, why)
    bound = replace(bound, seconds=instance.seconds + time.perf_counter() - started)
    if before is not None:
        bound = no_less(bound, before)
    return BoundResult(bound, instance, attained)


def _upper(solution: Solution) -> Any:
    return solution.upper


def _attained(instance: Instance, solutions: Sequence[Solution]) -> tuple[Attained | None, str]:
    """The trail of the best solution; None without one, or with the reason that it was not checked."""
    best = min((s for s in solutions if s.upper is not None), key=_upper, default=None)
    if best is None or best.assignment is None:
        return None, ""
    try:
        return instance.attained(best.assignment), ""
    except Unchecked as error:
        return None, f"; trail not checked: {error}"


def _another(instance: Instance, query: Query, solutions: Sequence[Solution], attained: Attained) -> Attained:
    """A trail of the same weight that is not short of something real, from another of the solvers, which begins anew;
    the one that is there, where they find none. A second solver begins with the trail of the first one, so that it
    seldom has a trail of its own."""
    lower = max(s.lower for s in solutions)
    for solver in list(dict.fromkeys(query.solvers))[1:]:
        again = solve(
            instance.problem, solver, query.limit, query.progress, known=(lower, _lightest(solutions))
        )
        if again.assignment is None or again.upper != _lightest(solutions):
            continue
        with suppress(Unchecked):
            other = instance.attained(again.assignment)
            if not other.short:
                return other
    return attained


def _lightest(solutions: Sequence[Solution]) -> Fraction | None:
    return min((s.upper for s in solutions if s.upper is not None), default=None)


def _bound(instance: Instance, solutions: Sequence[Solution], attained: Attained | None, why: str) -> Bound:
    """The best of each side, and whether two solvers agree on it."""
    certainty = agreement(solutions)
    bound = Bound(
        cipher=instance.cipher,
        measure=instance.measure,
        rounds=instance.rounds,
        value=None,
        unit=instance.unit,
        side="lower" if instance.heuristic else "exact",
        certainty="heuristic" if instance.heuristic else certainty,
        method=instance.method + "; no such trail",
        view=instance.view,
        count=instance.count,
        solver=", ".join(s.version for s in solutions),
        fingerprint=instance.problem.fingerprint,
    )
    if any(s.status == "infeasible" for s in solutions):
        if instance.impossible:
            raise DescriptionError(instance.impossible)
        return bound
    lowers = {s.lower for s in solutions}
    value, method, solver = max(*lowers, Fraction(instance.lower)), instance.method, bound.solver
    value = instance.truly(value)
    if instance.lower and (len(solutions) == 1 or value > max(lowers)):
        method += f"; at least {instance.lower} by active F times the fewest S-boxes of one"
        if not any(s.lower == value and s.lower_by != BEFORE for s in solutions):
            solver = instance.lower_by
    if attained is not None:
        if attained.weight < value - SAME and not instance.heuristic:
            best = min((s for s in solutions if s.upper is not None), key=_upper)
            raise contradiction(instance.problem, (BEFORE, value), (best.solver, Fraction(attained.weight)))
        value = min(value, Fraction(attained.weight))
    exact = attained is not None and abs(attained.weight - value) < SAME and not instance.heuristic
    if attained is not None and attained.short:
        exact, why = False, f"{why}; {attained.short}"
    if len(lowers) > 1:
        certainty = "one-solver"
    return replace(
        bound,
        value=float(value) if instance.unit == "-log2" else int(value),
        side="exact" if exact else "lower",
        certainty="heuristic" if instance.heuristic else certainty,
        method=method + why,
        solver=solver,
        upper=None if attained is None else attained.weight,
        witness=None if attained is None else attained.witness,
    )


def agreement(solutions: Sequence[Solution]) -> str:
    """Two solvers agree where two came to the end, each by itself; not where time stopped both, and
    not where one found no more than a trail of a bound that it was given."""
    ended = {s.lower_by for s in solutions if s.status != "bounded" and s.lower_by != BEFORE}
    return "two-solvers" if len(ended) > 1 else "one-solver"


def no_less(bound: Bound, before: Bound) -> Bound:
    """At least what a round less has, which time may have stopped later; `SolverFailed` if a trail is less."""
    if (
        before.monotone
        and before.value is not None
        and bound.upper is not None
        and bound.upper < before.value
        and "heuristic" not in (bound.certainty, before.certainty)
    ):
        raise SolverFailed(
            f"{bound.cipher}: {bound.measure}: {before.solver}: at least {before.value:g} over"
            f" {before.rounds} rounds, and a trail of {bound.upper:g} over {bound.rounds} by {bound.solver}"
        )
    return carried(bound, before)


Record = Callable[[Any, int], Recording]


def extends(it: Roundwise, rounds: int) -> bool:
    """Whether one round more begins with these: then a lower bound on differences holds there, too."""
    following = _one_more(it, rounds, record_rounds)
    return following is not None and begins(following, record_rounds(it, rounds))


def _one_more(it: Roundwise, rounds: int, record: Record) -> Recording | None:
    try:
        return record(it, rounds + 1)
    except Exception:  # a description of no more rounds, such as one with a table of constants
        return None


def by_rounds(
    it: Roundwise, query: Query, build: Callable[[Recording, int], Instance], record: Record
) -> Iterator[BoundResult]:
    """Results over 1 to ``query.rounds`` rounds, each helping with the next, or over these alone. [MATSUI]

    ``record``: how rounds are recorded, by `record_rounds`, or by `record_keyed` with their key schedule.
    """
    before: Bound | None = None
    fewer = [Fraction(0)]
    whole = record(it, query.rounds) if query.alone else None
    last = None if whole is None else build(whole, query.rounds)
    helped = last is None or ("auto" in query.solvers and bool(last.by_round()))
    recording = None if helped else whole
    for rounds in range(1 if helped else query.rounds, query.rounds + 1):
        recording = recording or record(it, rounds)
        following = _one_more(it, rounds, record)
        is_last = rounds == query.rounds
        instance = last if is_last and last else build(recording, rounds)
        result = solved(replace(instance, helps=query.alone and not is_last), query, before, fewer)
        is_prefix = following is not None and begins(following, recording)
        # A pattern leaves only some trails, whose bound says nothing of the others.
        monotone = is_prefix and result.bound.view == "differential" and not query.where
        result = replace(result, bound=replace(result.bound, monotone=monotone))
        if is_last or not query.alone:
            for certified in proven(result, query):
                yield certified
                result = certified
        before = result.bound
        if result.bound.value is not None:
            fewer.append(Fraction(result.bound.value))
        recording = following


def proven(result: BoundResult, query: Query) -> Iterator[BoundResult]:
    """The result with a certificate that was checked, if one is wanted; as it was where the time was
    not enough. What went wrong, which is Ctrl-C, too, is raised after it: the bound must not be lost."""
    bound, instance = result.bound, result.instance
    if query.proof is None or instance is None:
        yield result
        return
    if instance.dependent:
        yield result
        text = f"{bound.cipher}: {bound.measure}: {instance.dependent}, so there is nothing to prove"
        raise ProofRefused(f"{text}; query without --proof")
    needs = bound.certainty != "proven" and (bound.value is not None or bound.side == "exact")
    if not needs or bound.value == 0:  # proven: that of fewer rounds
        said = "; 0 needs no proof" if needs else ""
        yield replace(result, bound=replace(bound, method=bound.method + said))
        return
    goal = bound.measure.removesuffix("-sboxes")
    name = f"{bound.cipher}-{goal}-{bound.view}-{bound.count}-{bound.rounds}"
    name = name.replace(":", "-").replace(",", "_").replace("/", "_")
    path = query.proof / f"{name}-{instance.problem.fingerprint[:12]}.json"
    lower = None if bound.value is None else instance.modelled(Fraction(bound.value))
    refused: ProofRefused | OSError | KeyboardInterrupt | None = None
    said = "no proof within the time limit"
    try:
        query.proof.mkdir(parents=True, exist_ok=True)
        certificate = proofs.prove(instance.problem, lower, path, query.limit)
        if certificate is not None:
            checked = proofs.check(path, instance.problem)
            said = f"LRAT proof of {checked.steps} steps, checked"
            sure = bound.certainty if instance.heuristic else "proven"
            spent = bound.seconds + certificate.seconds + checked.seconds
            bound = replace(bound, certainty=sure, seconds=spent)
    except (ProofRefused, OSError) as error:
        # Whose text may say where the folder lies: not for a row.
        said, refused = f"no proof: {error.strerror if isinstance(error, OSError) else error}", error
    except KeyboardInterrupt as stopped:
        said, refused = "no proof: stopped", stopped
    yield replace(result, bound=replace(bound, method=f"{bound.method}; {said}"))
    if refused is not None:
        raise refused
