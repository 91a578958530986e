"""A battery of analyses of one description within a budget of time: what holds for how many rounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..analysis.sboxes import sbox_facts
from ..analysis.similarity import full_rounds
from ..bounds import CERTAINTY, VIEWS, Bound, View
from ..errors import DescriptionError, RoundworksError
from ..prove.measures import MEASURES, bounds_of
from ..prove.pipeline import Query
from ..reference import BlockCipher, Rounds, Roundwise, Sbox, StreamAead, record_rounds
from ..rows import BoundRow
from . import sheet_security
from .bound_queries import bound_command
from .described import described
from .result import Table, text_of
from .sheets import Section, Sheet

BUDGET = 60.0  # seconds
MOST_ROUNDS = 64
LEVEL = 0.01  # of all statistical tests of one argument together
OPEN = "time ran out"  # what a method says that could not look at everything
_COLUMNS = ("argument", "holds for", "rounds", "margin", "value", "unit", "side", "certainty", "seconds")


@dataclass(frozen=True, slots=True)
class Subject:
    """What is analysed. ``full``: its rounds, of a streaming cipher those of its initialisation; None where
    it has no number. ``weights``: what the best transition of its weakest S-box weighs, by view."""

    it: Roundwise
    words: Sequence[str]
    bits: int
    full: int | None
    weights: dict[View, float]
    sbox_bits: int


@dataclass(frozen=True, slots=True)
class Argument:
    """A measure as an argument. ``works``: whether a bound over some rounds is a property that a random
    permutation has not; of ``resists``, whether it excludes one. More rounds are tried while a property
    is found, or until it is excluded. ``single``: the measure gives one number of rounds, not all up to it.
    ``cost``: what ends by itself soon is 0 and runs first, what takes all the time it gets is 2.
    """

    title: str
    measure: str
    works: Callable[[Bound, Subject], bool]
    view: View | None = None
    resists: bool = False
    single: bool = False
    cost: int = 2
    fits: Callable[[Subject], bool] = lambda subject: True


def _found(bound: Bound, subject: Subject) -> bool:
    return bool(bound.value)


def _likely(bound: Bound, subject: Subject) -> bool:
    """A probability (squared correlation) above that of chance."""
    return bound.value is not None and bound.value > -subject.bits


def _correlated(bound: Bound, subject: Subject) -> bool:
    """A correlation above that of chance."""
    return bound.value is not None and bound.value > -subject.bits / 2


def _too_heavy(bound: Bound, subject: Subject) -> bool:
    """Every trail has a probability (squared correlation) of at most 2^-n, S-boxes taken as independent."""
    each = subject.weights[bound.view or "differential"] if bound.unit != "log2" else 1
    return bound.value is None or bound.value * each >= subject.bits


def _small(subject: Subject) -> bool:
    return subject.sbox_bits <= 5


def _secret(subject: Subject) -> bool:
    """A block cipher has a key, a streaming one a state that its keystream gives away."""
    cipher = subject.it
    return isinstance(cipher, BlockCipher) or (
        isinstance(cipher, StreamAead) and not isinstance(cipher, Rounds)
    )


def _low_degree(bound: Bound, subject: Subject) -> bool:
    """Below that of most permutations: sums over subspaces smaller than the space vanish."""
    return bound.value is not None and bound.value < subject.bits - 1


def _unfair(bound: Bound, subject: Subject) -> bool:
    """Below the level, after the correction for the number of pairs and for the rounds that are tried."""
    return bound.value is not None and bound.value * _most(subject) < LEVEL


def _coset(bound: Bound, subject: Subject) -> bool:
    """A subspace that is not the whole space."""
    return bound.value is not None and bound.value < subject.bits


def _repeats(bound: Bound, subject: Subject) -> bool:
    return bound.value is not None


ARGUMENTS = (
    *(Argument(f"active S-boxes, {v}", "active-sboxes", _too_heavy, v, resists=True) for v in VIEWS),
    *(Argument(f"weight of trails, {v}", "trail", _too_heavy, v, resists=True, fits=_small) for v in VIEWS),
    Argument(
        "differential, summed over trails", "cluster", _likely, "differential", single=True, fits=_small
    ),
    Argument("linear hull, summed over trails", "cluster", _likely, "linear", single=True, fits=_small),
    Argument("impossible differential, cell-wise", "impossible", _found, "differential", cost=0),
    Argument("correlation zero, cell-wise", "impossible", _found, "linear", cost=0),
    Argument(
        "impossible differential, bit-wise", "impossible-bits", _found, "differential", fits=_small, cost=1
    ),
    Argument("correlation zero, bit-wise", "impossible-bits", _found, "linear", fits=_small, cost=1),
    Argument("boomerang", "boomerang", _likely, fits=_small),
    Argument("differential-linear", "differential-linear", _correlated, fits=_small),
    Argument("integral, bit-wise", "integral", _found, cost=1),
    Argument("key or state by a solver", "recovery", _found, fits=_secret),
    Argument("avalanche", "avalanche", _unfair, cost=1),
    Argument("algebraic degree", "degree", _low_degree, cost=0),
    Argument("quadratic invariant, keys zero", "nonlinear-invariant", _found, cost=0),
    Argument("invariant subspace, keys zero", "invariant-subspace", _coset, cost=1),
    Argument("rounds alike (slide), keys aside", "slide", _repeats, cost=0),
)


@dataclass(frozen=True, slots=True)
class AnalysisOutcome:
    """What an argument gave: all its bounds, the rounds of the line, why no more were tried, and the error
    that stopped it, if one did."""

    argument: Argument
    bounds: tuple[Bound, ...]
    rounds: int | None
    why: str
    stopped: str
    seconds: float

    @property
    def decisive(self) -> Bound:
        """The bound over the rounds of the line; of nothing that holds, the last one."""
        return next((b for b in self.bounds if b.rounds == self.rounds), self.bounds[-1])


def subject_of(cipher: str | Path | Roundwise) -> Subject:
    """The description with its sizes; of S-boxes without a best transition the weight is 0."""
    it, words = described(cipher)
    recording = record_rounds(it, 1)
    sboxes = dict.fromkeys(n.detail for n in recording.graph.nodes if isinstance(n.detail, Sbox))
    facts = [sbox_facts(sbox) for sbox in sboxes]
    weights: dict[View, float] = {
        "differential": min((-f.dp_log2 for f in facts), default=0.0),
        "linear": min((-f.c2_log2 for f in facts), default=0.0),
    }
    return Subject(
        it, words, it.words * it.word_bits, full_rounds(it), weights, max((f.bits for f in facts), default=1)
    )


def outcome(subject: Subject, argument: Argument, seconds: float) -> AnalysisOutcome:
    """One argument over more and more rounds, for about ``seconds``: a query in progress may take half as long again.

    Raises
    ------
    RoundworksError
        The measure does not apply to the description.
    """
    started = time.perf_counter()
    bounds: list[Bound] = []
    why = stopped = ""
    try:
        for bound in _by_rounds(subject, argument, seconds):
            bounds.append(bound)
            why = "all were tried" if bound.rounds == _most(subject) else "time"
            if argument.works(bound, subject) == argument.resists:
                why = "time" if OPEN in bound.method else ""
                break
            if time.perf_counter() - started > seconds:
                break
    except RoundworksError as error:
        if not bounds:
            raise
        why, stopped = "stopped", str(error)
    if not bounds:
        raise DescriptionError(f"{argument.measure}: no bound within {seconds:.0f} s")
    reached = [b.rounds for b in bounds if argument.works(b, subject) and b.rounds is not None]
    rounds = (min if argument.resists else max)(reached, default=None)
    return AnalysisOutcome(argument, tuple(bounds), rounds, why, stopped, time.perf_counter() - started)


def _most(subject: Subject) -> int:
    return min(subject.full or MOST_ROUNDS, MOST_ROUNDS)


def _by_rounds(subject: Subject, argument: Argument, seconds: float) -> Iterator[Bound]:
    most = _most(subject)
    for rounds in range(1, most + 1) if argument.single else (most,):
        takes = MEASURES[argument.measure].options
        query = Query(rounds, argument.view, limit=seconds / 2 if "time-limit" in takes else None)
        for result in bounds_of(subject.it, argument.measure, query):
            yield result.bound


def analyse(
    cipher: str | Path | Roundwise,
    *,
    budget: float = BUDGET,
    report: Callable[[str], None] = lambda stage: None,
) -> Sheet:
    """What holds of a description for how many of its rounds, by which argument, with which certainty.

    Parameters
    ----------
    budget : float
        Seconds for all arguments together; those that end early leave the others more.
    report
        Called with each argument as it begins.

    Raises
    ------
    UnknownName, DescriptionError
    """
    subject, started = subject_of(cipher), time.perf_counter()
    done: dict[str, AnalysisOutcome] = {}
    notes: list[str] = []
    arguments = sorted((a for a in ARGUMENTS if a.fits(subject)), key=lambda a: a.cost)
    for place, argument in enumerate(arguments):
        left = budget - (time.perf_counter() - started)
        if left <= 0:
            notes.append(f"{argument.title}: not computed, the budget of {budget:g} s is spent")
            continue
        report(argument.title)
        try:
            done[argument.title] = outcome(subject, argument, left / (len(arguments) - place))
        except (RoundworksError, ImportError) as error:
            notes.append(f"{argument.title}: {error}")
    outcomes = [done[a.title] for a in ARGUMENTS if a.title in done]
    notes += [f"{o.argument.title}: {o.stopped}" for o in outcomes if o.stopped]
    recording = record_rounds(subject.it, 1)
    sections = (
        Section(
            "Arguments", (Table("", _COLUMNS, tuple(_line(o, subject) for o in outcomes)),), _reading(subject)
        ),
        Section("S-boxes and matrices", *sheet_security.components(recording)),
        Section("By rounds", (_by_round_table(outcomes),)),
        Section("Witnesses", code=tuple(line for o in outcomes for line in _witness(o))),
        Section("Not computed", notes=tuple(notes) or ("everything applied",)),
    )
    rows = tuple(row for o in outcomes for row in _rows(o, subject))
    line = {
        "description": subject.it.name,
        "state, bits": subject.bits,
        "rounds": subject.full,
        "budget, seconds": budget,
        "most rounds of a property": max(
            (o.rounds for o in outcomes if o.rounds and not o.argument.resists), default=None
        ),
    }
    return Sheet(subject.it.name, line, sections, (), rows)


def _reading(subject: Subject) -> tuple[str, ...]:
    return (
        "A property holds for the rounds stated and for fewer; its margin is the rounds beyond them. Where"
        f" trails are excluded, every trail has a probability (squared correlation) of at most"
        f" 2^-{subject.bits} from the rounds stated on, S-boxes taken as independent; the margin is the rounds"
        " above them. No argument of this page excludes the others: a margin is not a proof of security.",
    )


def _line(one: AnalysisOutcome, subject: Subject) -> tuple[object, ...]:
    bound, rounds = one.decisive, one.rounds
    if one.argument.resists:
        said = f"excluded from {_times(rounds)} on" if rounds else f"not excluded by {_times(bound.rounds)}"
    elif rounds is None:
        said = "nothing found (time)" if one.why == "time" else "no rounds"
    else:
        said = _times(rounds) + ("" if one.why in ("", "all were tried") else f" or more ({one.why})")
    return (
        one.argument.title,
        said,
        subject.full,
        None if rounds is None or subject.full is None else subject.full - rounds,
        bound.value if bound.value is None else round(bound.value, 3),
        bound.unit,
        bound.side,
        CERTAINTY[bound.certainty],
        f"{one.seconds:.1f}",
    )


def _times(rounds: int | None) -> str:
    return "1 round" if rounds == 1 else f"{rounds} rounds"


def _by_round_table(outcomes: Sequence[AnalysisOutcome]) -> Table:
    """A line for each number of rounds, a column of values for each argument."""
    values = [{b.rounds: b for b in o.bounds if b.rounds is not None} for o in outcomes]
    rounds = sorted(set().union(*values))
    lines = tuple((r, *(_value(one[r]) if r in one else "" for one in values)) for r in rounds)
    return Table("", ("rounds", *(f"{o.argument.title}, {o.bounds[0].unit}" for o in outcomes)), lines)


def _value(bound: Bound) -> object:
    """A value, "none" where no such path exists; of what is not exact, on which side the truth is."""
    if bound.value is None:
        return "none"
    sign = {"exact": "", "lower": "≥ ", "upper": "≤ "}[bound.side]
    return f"{sign}{text_of(round(bound.value, 3))}" if sign else round(bound.value, 3)


def _witness(one: AnalysisOutcome) -> Iterator[str]:
    """What shows the bound of the line, in a few words; a trail in full is for `bound`."""
    bound = one.decisive
    yield f"{one.argument.title}, {_times(bound.rounds)}: {bound.method}"
    shown = {k: v for k, v in (bound.witness or {}).items() if not isinstance(v, list | dict)}
    if shown:
        yield "  " + ", ".join(f"{name} {text_of(value)}" for name, value in shown.items())


def _rows(one: AnalysisOutcome, subject: Subject) -> Iterator[BoundRow]:
    for bound in one.bounds:
        limit = round(one.seconds, 1) if "time-limit" in MEASURES[bound.measure].options else None
        query = Query(bound.rounds or 1, one.argument.view, limit=limit)
        yield BoundRow.make(command=bound_command(subject.words, bound.measure, query), **bound.fields)
