"""A battery of analyses of one description within a budget of time: what holds for how many rounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..analysis.sboxes import sbox_facts
from ..analysis.similarity import full_rounds
from ..bounds import CERTAINTY, Bound, View
from ..errors import DescriptionError, RoundworksError
from ..prove.bitwise.cluster import UNSURE
from ..prove.measures import MEASURES, bounds_of
from ..prove.pipeline import Query
from ..reference import Roundwise, Sbox, record_rounds
from ..reference.catalogue import streaming
from ..rows import BoundRow
from . import sheet_security
from .arguments import ARGUMENTS, Argument, Subject, most_rounds
from .bound_queries import bound_command
from .described import described
from .result import Table, text_of
from .sheets import Section, Sheet

__all__ = ["ARGUMENTS", "BUDGET", "Argument", "Subject", "analyse", "outcome", "subject_of"]

BUDGET = 60.0  # seconds
OPEN = "time ran out"  # what a method says that could not look at everything
_COLUMNS = ("argument", "holds for", "rounds", "margin", "value", "unit", "side", "certainty", "seconds")


@dataclass(frozen=True, slots=True)
class AnalysisOutcome:
    """What an argument gave: all its bounds with what each was given of the words, the rounds of the line, why no
    more were tried, and the error that stopped it, if one did."""

    argument: Argument
    bounds: tuple[Bound, ...]
    wheres: tuple[Mapping[str, str], ...]
    rounds: int | None
    why: str
    stopped: str
    seconds: float

    @property
    def decisive(self) -> Bound:
        """The bound over the rounds of the line; of nothing that holds, the last one."""
        return next((b for b in self.bounds if b.rounds == self.rounds), self.bounds[-1])


def subject_of(cipher: str | Path | Roundwise) -> Subject:
    """The description with its sizes; of S-boxes without a best transition the weight is 0, and an initialisation
    without rounds has no number of them."""
    it, words = described(cipher)
    recording = record_rounds(it, 1)
    sboxes = dict.fromkeys(n.detail for n in recording.graph.nodes if isinstance(n.detail, Sbox))
    facts = [sbox_facts(sbox) for sbox in sboxes]
    weights: dict[View, float] = {
        "differential": min((-f.dp_log2 for f in facts), default=0.0),
        "linear": min((-f.c2_log2 for f in facts), default=0.0),
    }
    most = max((f.bits for f in facts), default=1)
    return Subject(it, words, it.words * it.word_bits, full_rounds(it) or None, weights, most)


def outcome(
    subject: Subject, argument: Argument, seconds: float, before: Sequence[AnalysisOutcome] = ()
) -> AnalysisOutcome:
    """One argument over more and more rounds, for about ``seconds``: a query in progress may take half as long again.
    ``before``: what others gave, whose trails and lengths it begins with.

    Raises
    ------
    RoundworksError
        The measure does not apply to the description.
    """
    started = time.perf_counter()
    pairs: list[tuple[Bound, Mapping[str, str]]] = []
    why = stopped = ""
    try:
        for bound, where in _bounds(subject, argument, seconds, before):
            pairs.append((bound, where))
            why = "all were tried" if bound.rounds == most_rounds(subject) else "time"
            if argument.works(bound, subject) == argument.resists:
                why = "time" if OPEN in bound.method else ""
                break
            if time.perf_counter() - started > seconds:
                break
    except RoundworksError as error:
        if not pairs:
            raise
        why, stopped = "stopped", str(error)
    if not pairs:
        raise DescriptionError(f"{argument.measure}: no bound within {seconds:.0f} s")
    bounds = tuple(bound for bound, _ in pairs)
    reached = [b.rounds for b in bounds if argument.works(b, subject) and b.rounds is not None]
    rounds = None if argument.closed else (min if argument.resists else max)(reached, default=None)
    wheres = tuple(where for _, where in pairs)
    return AnalysisOutcome(argument, bounds, wheres, rounds, why, stopped, time.perf_counter() - started)


def _bounds(
    subject: Subject, argument: Argument, seconds: float, before: Sequence[AnalysisOutcome]
) -> Iterator[tuple[Bound, Mapping[str, str]]]:
    """The bounds of an argument, and the words that were given for each."""
    measure, most = MEASURES[argument.measure], most_rounds(subject)
    limit = seconds / 2 if "time-limit" in measure.options else None
    if argument.closed:
        query = Query(_length(argument, before), argument.view, limit=limit)
        if argument.measure == "guess-and-determine":  # which a command has no limit for
            streaming(subject.it, argument.title)
            results = measure.compute(subject.it, replace(query, limit=seconds))
        else:
            results = bounds_of(subject.it, argument.measure, query)
        for result in results:
            yield result.bound, {}
        return
    for rounds in range(1, most + 1) if argument.single else (most,):
        trail = _trail(argument, rounds, before)
        where = _ends(subject.it, trail) if trail is not None else {}
        query = Query(rounds, argument.view, where=where, limit=limit)
        for result in bounds_of(subject.it, argument.measure, query):
            yield _of_a_trail(result.bound, trail), where


def _length(argument: Argument, before: Sequence[AnalysisOutcome]) -> int:
    """As many rounds as the lightest path of words takes, where that is known."""
    words = argument.measure.removesuffix("-sboxes")
    lengths = [o.decisive.rounds or 1 for o in before if o.argument.measure == words]
    return max(MEASURES["collision-sboxes"].rounds, *lengths, 1)


def _trail(argument: Argument, rounds: int, before: Sequence[AnalysisOutcome]) -> Bound | None:
    """The trail of the same page whose ends a sum over trails has; None where there is none of these rounds."""
    if argument.measure != "cluster":
        return None
    trails = [o for o in before if (o.argument.measure, o.argument.view) == ("trail", argument.view)]
    bounds = (b for o in trails for b in o.bounds if b.rounds == rounds and b.witness)
    return next(bounds, None)


def _ends(it: Roundwise, trail: Bound) -> dict[str, str]:
    """The words of the state before and after it, in hexadecimal; those without a difference (mask) are left out of a
    witness."""
    digits = -(-it.word_bits // 4)
    names = [f"{letter}{i}" for letter in ("S", "S'") for i in range(it.words)]
    return {name: str((trail.witness or {}).get(name, "0" * digits)) for name in names}


def _of_a_trail(bound: Bound, trail: Bound | None) -> Bound:
    """What is exact for the ends of one trail is less than that where the trail may not be the lightest."""
    if trail is None or trail.side == "exact" or bound.side != "exact":
        return bound
    return replace(bound, side="lower", method=bound.method + UNSURE)


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
    unfit = [f"{a.title}: want {a.wants}" for a in ARGUMENTS if a not in arguments]
    for place, argument in enumerate(arguments):
        left = budget - (time.perf_counter() - started)
        if left <= 0:
            notes.append(f"{argument.title}: not computed, the budget of {budget:g} s is spent")
            continue
        report(argument.title)
        try:
            done[argument.title] = outcome(
                subject, argument, left / (len(arguments) - place), tuple(done.values())
            )
        except (RoundworksError, ImportError) as error:
            notes.append(f"{argument.title}: {error}")
    outcomes = [done[a.title] for a in ARGUMENTS if a.title in done]
    notes += [f"{o.argument.title}: {o.stopped}" for o in outcomes if o.stopped]
    notes += unfit
    recording = record_rounds(subject.it, 1)
    sections = (
        Section(
            "Arguments", (Table("", _COLUMNS, tuple(_line(o, subject) for o in outcomes)),), _reading(subject)
        ),
        Section("S-boxes and matrices", *sheet_security.components(recording)),
        Section("By rounds", (by_round_table(outcomes),)),
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
        "Of collisions, keystream bias and guessed words the value counts, whatever rounds they take: few active F or"
        " S-boxes, and few words that are guessed, are good for an attacker.",
    )


def _line(one: AnalysisOutcome, subject: Subject) -> tuple[object, ...]:
    bound, rounds = one.decisive, one.rounds
    if one.argument.closed:
        said = _closed(bound)
    elif one.argument.resists:
        said = (
            f"excluded from {_times(rounds)} on"
            if rounds
            else f"no exclusion shown up to {_times(bound.rounds)}"
        )
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


def _closed(bound: Bound) -> str:
    """Of paths through as many rounds as they need: how many that is, or is at most."""
    if bound.value is None:
        none = "none exists" if bound.rounds is None else f"none over {_times(bound.rounds)}"
    else:
        none = f"over {'at most ' * ('-sboxes' in bound.measure)}{_times(bound.rounds)}"
    return none + " (time)" * (OPEN in bound.method)


def _times(rounds: int | None) -> str:
    return "1 round" if rounds == 1 else f"{rounds} rounds"


def by_round_table(outcomes: Sequence[AnalysisOutcome]) -> Table:
    """A line for each number of rounds, a column of values for each argument."""
    outcomes = [o for o in outcomes if not o.argument.closed]
    values = [{b.rounds: b for b in o.bounds if b.rounds is not None} for o in outcomes]
    rounds = sorted(set().union(*values))
    lines = tuple((r, *(_value(one[r]) if r in one else "" for one in values)) for r in rounds)
    return Table("", ("rounds", *(f"{o.argument.title}, {o.bounds[0].unit}" for o in outcomes)), lines)


def _value(bound: Bound) -> object:
    """A value, "none" where no such path exists; of what is not exact, on which side the truth is, and whether the time
    was not enough for more."""
    if bound.value is None:
        return "none"
    sign = {"exact": "", "lower": "≥ ", "upper": "≤ "}[bound.side]
    late = " (time)" * (OPEN in bound.method)
    return f"{sign}{text_of(round(bound.value, 3))}{late}" if sign or late else round(bound.value, 3)


def _witness(one: AnalysisOutcome) -> Iterator[str]:
    """What shows the bound of the line, in a few words; a trail in full is for `bound`."""
    bound = one.decisive
    yield f"{one.argument.title}, {_times(bound.rounds)}: {bound.method}"
    shown = {k: v for k, v in (bound.witness or {}).items() if not isinstance(v, list | dict)}
    if shown:
        yield "  " + ", ".join(f"{name} {text_of(value)}" for name, value in shown.items())


def _rows(one: AnalysisOutcome, subject: Subject) -> Iterator[BoundRow]:
    for bound, where in zip(one.bounds, one.wheres, strict=True):
        limit = round(one.seconds, 1) if "time-limit" in MEASURES[bound.measure].options else None
        query = Query(bound.rounds or 1, one.argument.view, where=where, limit=limit)
        yield BoundRow.make(command=bound_command(subject.words, bound.measure, query), **bound.fields)
