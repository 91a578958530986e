"""Minimum active S-boxes of the Feistel family, many queries at once: one on each core.

They are of byte-wise patterns, as the paper's are: no differences were shown to have such a one, so that
each minimum is a lower bound on what is active. Every query has a time limit; what it has not decided by
then is open, with the seconds spent.
"""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType

from ..bounds import OF_SHAPES, Bound
from ..errors import SolverFailed
from ..prove.pipeline import extends
from ..prove.structures import feistel
from ..prove.structures.deepening import deepen
from ..prove.structures.facts import Facts
from ..prove.structures.paths import shape
from ..prove.structures.rounds import name_in_the_core
from ..reference import get_permutation
from .run import Run, clock

NEED = {2: 43, 4: 86}
_STRENGTH = ("one-solver", "two-solvers", "proven")


@dataclass(frozen=True, slots=True)
class MinimumQuery:
    """``exact``: the minimum is wanted, not only whether `NEED` is reached. ``most``: whether a
    trail has that many, in place of one less than needed."""

    name: str
    rounds: int
    view: feistel.View = "differential"
    count: feistel.Count = "executed"
    exact: bool = False
    most: int | None = None

    @property
    def structure(self) -> feistel.Structure:
        """The configuration, as the models have it."""
        return feistel.structure(self.name)

    @property
    def need(self) -> int:
        """Active S-boxes wanted of this block size."""
        return NEED[len(self.structure.codes)]

    @property
    def cipher(self) -> str:
        """Its name as ``roundworks describe`` has it."""
        return name_in_the_core(self.name)


@dataclass(frozen=True, slots=True)
class Minimum:
    """At least ``lower`` active S-boxes; a trail has ``upper``."""

    query: MinimumQuery
    lower: int
    upper: int | None
    certainty: str
    solver: str
    seconds: float

    @property
    def text(self) -> str:
        """The bound in words, of patterns."""
        if self.upper is None:
            return f"every pattern has at least {self.lower}"
        if not self.lower:
            return f"a pattern has {self.upper}"
        some = f"{self.lower}" if self.lower == self.upper else f"{self.lower} to {self.upper}"
        return f"the minimum over patterns is {some}"

    @property
    def how(self) -> str:
        """Certainty, solver and seconds. A trail alone is no matter of trust: it was checked."""
        words = self.certainty.replace("-", " ") if self.lower else "a trail"
        return f"{words}, {self.solver}, {self.seconds:.0f} s"


def weakest(minima: list[Minimum]) -> str:
    """The lowest certainty of these lower bounds; of trails alone, which are checked, that of the solver."""
    bounds = [minimum for minimum in minima if minimum.lower] or minima
    return min((minimum.certainty for minimum in bounds), key=_STRENGTH.index)


class MinimaTable:
    """The queries of one table, in the order in which they are begun, until its time is over; a context."""

    def __init__(self, run: Run, number: str, each: float, total: float) -> None:
        self.run, self.number, self._each = run, number, each
        self._until = time.monotonic() + total
        self._stopped = threading.Event()
        self._begun: dict[MinimumQuery, Future[Minimum]] = {}
        # A solver works in a process of its own; the thread waits for it.
        self._pool = ThreadPoolExecutor(max(1, len(os.sched_getaffinity(0))))

    def __enter__(self) -> MinimaTable:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        self._pool.shutdown(cancel_futures=True)

    def begin(self, *queries: MinimumQuery) -> None:
        """Begin with these, as soon as a core is free."""
        for query in queries:
            if query not in self._begun:
                self._begun[query] = self._pool.submit(self._solved, query)

    def minimum(self, query: MinimumQuery) -> Minimum:
        """The result, waited for; leaves a bound where there is one."""
        self.begin(query)
        result = self._begun[query].result()
        if result.lower or result.upper is not None:
            self.leave(result)
        return result

    def _solved(self, q: MinimumQuery) -> Minimum:
        seconds = min(self._each, self._until - time.monotonic())
        if seconds <= 0 or self._stopped.is_set():
            return Minimum(q, 0, None, "one-solver", "time over, not begun", 0.0)
        self.run.say(f"{q.name}, {q.rounds} rounds, {q.view}, {q.count}")
        return solved(q, seconds, self.run.full, self._stopped)

    def leave(self, found: Minimum, name: str | None = None, method: str | None = None) -> None:
        """A row of kind bound; ``name`` of a permutation that is the same one in other names."""
        command = f"roundworks reproduce aesni-permutations --table {self.number}"
        self.run.leave("bound", command, bound(found, name, method).fields)


def bound(found: Minimum, name: str | None = None, method: str | None = None) -> Bound:
    """What a row of kind bound says of a result; ``name`` as for `Table.leave`."""
    q = found.query
    problem = feistel.model(shape(q.name), q.rounds, q.view, q.count)
    value, side = found.lower, "lower"
    if not found.lower and found.upper is not None:
        value, side = found.upper, "upper"
    words = f"{OF_SHAPES}; MixColumns none or at least 5 of 8 bytes"
    cipher = q.cipher if name is None else MinimumQuery(name, q.rounds).cipher
    return Bound(
        cipher=cipher,
        measure="active-sboxes",
        rounds=q.rounds,
        value=value,
        unit=f"S-boxes, {q.view}, {q.count}",
        side=side,
        certainty=found.certainty,
        method=method or words,
        seconds=0.0 if name else found.seconds,
        monotone=q.view == "differential" and extends(get_permutation(cipher), q.rounds),
        upper=found.upper,
        view=q.view,
        count=q.count,
        solver=found.solver,
        fingerprint=problem.fingerprint,
    )


def solved(q: MinimumQuery, seconds: float, check: bool, stopped: threading.Event) -> Minimum:
    """By the engine where it is quick, else by HiGHS; first of all whether the need is met.

    ``check``: a proven absence is to be confirmed by another solver, and so is what the engine says.
    """
    structure = q.structure
    first = q.need - 1 if q.most is None else q.most
    most = 2 * q.need if q.exact else first
    with clock() as spent:
        # The engine cannot be stopped, and with one result for both branches it may take minutes.
        if feistel.is_fast(structure, q.view) and q.count == "executed":
            value = feistel.minima(structure, q.rounds, q.view, q.count, most)[-1]
            lower, upper = (most + 1, None) if value is None else (value, value)
            certainty, solver, other = "proven", "exhaustive search over sets of words", "highs"
        elif q.exact:
            lower, upper, solver = feistel.minimum(
                structure, q.rounds, q.view, q.count, seconds, stopped.is_set
            )
            certainty, other = "one-solver", "scip"
        else:
            lighter, upper, solver = feistel.trail_within(
                structure, q.rounds, q.view, q.count, most, seconds, stop=stopped.is_set
            )
            lower, certainty, other = (most + 1 if lighter is False else 0), "one-solver", "scip"
        if check and lower:
            left = max(seconds - spent(), 1.0)
            lighter, second = _lighter_again(q, lower - 1, left, other, stopped)
            if lighter:
                raise SolverFailed(
                    f"{q.name}, {q.rounds} rounds: {solver} proves {lower} active S-boxes, and"
                    f" {second} has a trail of fewer"
                )
            if lighter is False:
                certainty, solver = "two-solvers", f"{solver}, {second}"
        return Minimum(q, lower, upper, certainty, solver, spent())


def _lighter_again(
    q: MinimumQuery, most: int, seconds: float, solver: str, stopped: threading.Event
) -> tuple[bool | None, str]:
    """Whether a trail has at most ``most``, once more. Of four words by CaDiCaL along every path of active
    words, which ends where a whole query does not; else by ``solver``."""
    if len(q.structure.codes) == 2:
        light, _, version = feistel.trail_within(
            q.structure, q.rounds, q.view, q.count, most, seconds, solver=solver, stop=stopped.is_set
        )
        return light, version
    facts = Facts(most + 1, q.count)
    for _ in deepen(facts, q.name, q.view, q.rounds, seconds):
        if stopped.is_set():
            return None, ""
    if facts.below(q.name, q.view) >= q.rounds:
        return True, ", ".join(facts.solvers(q.name, q.view))
    if facts.lower(q.name, q.view, q.rounds)[q.rounds] <= most:
        return None, ""
    return False, ", ".join(sorted(facts.behind(q.name, q.view, q.rounds)))
