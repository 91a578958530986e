"""[AESNI-PERM], tables 1 and 2: the permutations that reach 43 and 86 active S-boxes.

Every question has a time limit; what it has not decided by then is open, with the seconds spent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from time import perf_counter

from .. import spec
from ..prove import feistel
from ..prove.feistel_scan import scan, structures
from ..prove.goals import Bound
from . import permutation_cycles
from .run import Compute, Ours, Run, clock

_PAPER = "aesni-permutations"
_NEED = {2: 43, 4: 86}
# Seconds for one question to a solver, of the round itself and of the round before.
_SECONDS = {("1", False): 12.0, ("1", True): 120.0, ("2", False): 60.0, ("2", True): 300.0}
# All questions of one table.
_TOTAL = {("1", False): 85.0, ("1", True): 1800.0, ("2", False): 100.0, ("2", True): 1800.0}
# The scan of 512 bits goes on from its ledger: so long in one run, so long for one structure.
_SCAN_SECONDS, _SCAN_EACH = 3600.0, 30.0


@dataclass(frozen=True, slots=True)
class Least:
    """At least ``lower`` active S-boxes; a trail has ``upper``."""

    name: str
    rounds: int
    view: feistel.View
    count: feistel.Count
    lower: int
    upper: int | None
    certainty: str
    solver: str
    seconds: float

    @property
    def text(self) -> str:
        if self.lower == self.upper:
            return f"exactly {self.lower}"
        if self.upper is None:
            return f"at least {self.lower}"
        return f"{self.lower} to {self.upper}" if self.lower else f"at most {self.upper}"

    @property
    def how(self) -> str:
        words = self.certainty.replace("-", " ")
        return f"{words}, {self.solver}, {self.seconds:.0f} s"


@dataclass(frozen=True, slots=True)
class Table:
    """What is computed, and when its time is over."""

    run: Run
    number: str
    until: float

    @classmethod
    def begin(cls, run: Run, number: str) -> Table:
        return cls(run, number, perf_counter() + _TOTAL[number, run.full])

    @property
    def seconds(self) -> float:
        """For one question; at most 0 once all time is spent."""
        return min(_SECONDS[self.number, self.run.full], self.until - perf_counter())


def cipher(name: str) -> str:
    """Its name as ``roundworks describe`` has it."""
    if name.startswith("simpira"):
        return name
    return f"feistel{128 * len(feistel.structure(name).codes)}:{name}"


def least(
    table: Table,
    name: str,
    rounds: int,
    view: feistel.View = "differential",
    count: feistel.Count = "executed",
    exact: bool = True,
) -> Least:
    """By the engine where it is quick, else by HiGHS. First of all whether the wanted number is
    reached; with ``exact`` also the minimum, as far as time allows. Leaves a bound."""
    it = feistel.structure(name)
    need = _NEED[len(it.codes)]
    most, limit = (2 * need if exact else need - 1), table.seconds
    table.run.say(f"{name}, {rounds} rounds, {view}, {count}")
    if limit <= 0:
        return Least(name, rounds, view, count, 0, None, "one-solver", "time over, not asked", 0.0)
    # The engine cannot be stopped, and with one result for both branches it may take minutes.
    quick = feistel.is_fast(it, view) and count == "executed"
    with clock() as seconds:
        if quick:
            value = feistel.minima(it, rounds, view, count, most)[-1]
            lower, upper = (most + 1, None) if value is None else (value, value)
            certainty, solver = "proven", "exhaustive search over sets of words"
            if table.run.full:
                lighter, _, other = feistel.trail_within(it, rounds, view, count, lower - 1, limit)
                if lighter is False:
                    certainty, solver = "two-solvers", f"{solver}, {other}"
        elif not exact:
            lighter, upper, solver = feistel.trail_within(it, rounds, view, count, most, limit)
            lower, certainty = (most + 1 if lighter is False else 0), "one-solver"
        else:
            lower, upper, solver = feistel.between(it, rounds, view, count, most, limit, need - 1)
            certainty = "one-solver"
        found = Least(name, rounds, view, count, lower, upper, certainty, solver, seconds())
    if lower or upper is not None:
        leave(table, found)
    return found


def leave(table: Table, it: Least, method: str | None = None) -> None:
    """A row of kind bound."""
    problem = feistel.model(feistel.structure(it.name), it.rounds, it.view, it.count)
    value, side = (it.lower, "exact") if it.lower == it.upper else (it.lower, "lower")
    if not it.lower and it.upper is not None:
        value, side = it.upper, "upper"
    words = "byte-wise truncated trails; MixColumns none or at least 5 of 8 bytes"
    bound = Bound(
        cipher(it.name), "active-sboxes", it.rounds, value, f"S-boxes, {it.view}, {it.count}",
        side, it.certainty, method or words, None, it.seconds,
        it.upper, it.view, it.count, it.solver, problem.fingerprint,
    )  # fmt: skip
    command = f"roundworks reproduce {_PAPER} --table {table.number}"
    table.run.leave("bound", command, asdict(bound))


def _paper_rows(table: Table) -> list[Ours]:
    printed, found = spec.paper(_PAPER).table(table.number), []
    # From the last: what needs fewer rounds is decided sooner.
    for row in reversed(printed.rows):
        name = row.name.strip("()").replace(" ", "")
        rounds = printed.value(row.name, "rounds")
        assert isinstance(rounds, int)
        it = feistel.structure(name)
        need = _NEED[len(it.codes)]
        # The table wants a number of rounds; the minima of 512 bits would take all of its time.
        exact = table.number == "1"
        before = least(table, name, rounds - 1, exact=exact)
        there = least(table, name, rounds, exact=exact)
        seconds = before.seconds + there.seconds
        why = (
            f"{before.text} active S-boxes in {rounds - 1} rounds ({before.how}), {there.text} in"
            f" {rounds} ({there.how}); {need} wanted"
        )
        value: int | str | None = None
        status = "open"
        if before.lower >= need:
            value, status = f"at most {rounds - 1}", "refuted"
        elif there.upper is not None and there.upper < need:
            value, status = f"more than {rounds}", "refuted"
        elif there.lower >= need and before.upper is not None:
            value, status = rounds, "reproduced"
        certainty = min(before, there, key=lambda b: _STRENGTH.index(b.certainty)).certainty
        found.append(Ours(row.name, "rounds", value, certainty, why, seconds, status))
        if value != rounds:
            continue
        each = f"{rounds} rounds of {it.instructions} instructions"
        found.append(Ours(row.name, "instructions", rounds * it.instructions, certainty, each, 0.0))
    return found


_STRENGTH = ("one-solver", "two-solvers", "proven")


def _rounds_needed(
    table: Table, name: str, view: feistel.View, count: feistel.Count, start: int, most: int
) -> None:
    """Leaves whether 43 is reached at more and more rounds, until it is or a question is open."""
    for rounds in range(start, most + 1):
        found = least(table, name, rounds, view, count, exact=False)
        if found.upper is None or table.seconds <= 0:
            return


def table_1(run: Run) -> list[Ours]:
    table = Table.begin(run, "1")
    found = _paper_rows(table)
    # The roles of the two functions exchanged: were that the paper's wiring, 5 rounds would not do.
    least(table, "1-1,2-0", 5, exact=False)
    printed = spec.paper(_PAPER).table("1")
    for view in feistel.VIEWS:
        for row in printed.rows:
            start = printed.value(row.name, "rounds")
            assert isinstance(start, int)
            name = row.name.strip("()").replace(" ", "")
            _rounds_needed(table, name, view, "distinct", start, 13)
        for rounds in (7, 8):
            least(table, "simpira-2", rounds, view, exact=run.full)
    if run.full:
        for name, rounds in _good_256(16):
            least(table, name, rounds)
    return found


def _good_256(instructions: int) -> list[tuple[str, int]]:
    """Those of the ledger that reach 43."""
    ledger = spec.root() / "results" / "ledgers" / "feistel-256.jsonl"
    verdicts = scan(2, _NEED[2], instructions, ledger, _SCAN_EACH)
    return [(",".join(v.codes), v.rounds) for v in verdicts if v.reaches]


def table_2(run: Run) -> list[Ours]:
    table = Table.begin(run, "2")
    found = _paper_rows(table)
    for rounds in (8, 9, 10):
        least(table, "simpira-4", rounds, exact=False)
    # Seven rounds of seven instructions are the 49 that the paper prints for rows of six. With this
    # shuffle, to exchange the halves changes nothing, so two of the four are asked.
    for name in ("1-0,2-0,2-0,2-0", "2-0,1-0,2-0,2-0"):
        asked = least(table, name, 7, exact=False)
        other = ",".join(name.split(",")[2:] + name.split(",")[:2])
        if asked.lower:
            leave(table, replace(asked, name=other, seconds=0.0), f"as {name}, halves exchanged")
    return found


def text(run: Run) -> list[Ours]:
    """The searches of section 4.1; all of it takes hours, so the quick profile reads the ledger."""
    found = []
    for bits, words, most, asked in ((256, 2, 16, 36), (512, 4, 40, 29808)):
        need = _NEED[words]
        ledger = spec.root() / "results" / "ledgers" / f"feistel-{bits}.jsonl"
        if not run.full and not ledger.exists():
            continue
        ledger.parent.mkdir(parents=True, exist_ok=True)

        def say(done: int, total: int, good: int, bits: int = bits) -> None:
            run.say(f"feistel{bits}: {done:,} of {total:,} structures, {good} good")

        with clock() as seconds:

            def over(spent: Callable[[], float] = seconds) -> bool:
                return not run.full or spent() > _SCAN_SECONDS

            verdicts = scan(words, need, most, ledger, _SCAN_EACH, say, over)
        total = sum(1 for _ in structures(words))
        decided = [v for v in verdicts if v.reaches is not None]
        good = [v for v in decided if v.reaches]
        listed = "; ".join(f"({','.join(v.codes)}) at {v.rounds}" for v in good)
        # The paper counts shuffles of one configuration as one.
        configurations = len({v.codes for v in good})
        row = f"found with at most {most} instructions, {bits} bits"
        done = (
            f"{len(decided):,} of {total:,} structures decided, {len(verdicts) - len(decided):,}"
            f" out of time, {total - len(verdicts):,} not asked ({asked:,} with renamed ones)"
        )
        exhaustive = all(v.solver == "columns" for v in decided)
        found.append(
            Ours(row, "value", configurations, "proven" if exhaustive else "one-solver",
                 f"{done}: {listed or 'none'}", seconds(), None if len(decided) == total else "open")
        )  # fmt: skip
    return found


TABLES: dict[str, Compute] = {"1": table_1, "2": table_2, "text": text, **permutation_cycles.TABLES}
