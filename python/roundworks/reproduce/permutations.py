"""[AESNI-PERM], tables 1 and 2: the permutations that reach 43 and 86 active S-boxes."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from .. import spec
from ..analysis import bounds
from ..prove import feistel
from ..prove.feistel_scan import scan, structures
from .run import Compute, Ours, Run, clock

_PAPER = "aesni-permutations"
_QUICK_SECONDS = 20.0  # for one question to a solver
_FULL_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Least:
    """Least active S-boxes: at least ``lower`` is proven, a trail has ``upper``."""

    lower: int
    upper: int | None
    method: str
    seconds: float

    @property
    def text(self) -> str:
        if self.lower == self.upper:
            return f"exactly {self.lower}"
        return (
            f"{self.lower} to {self.upper}" if self.upper is not None else f"at least {self.lower}"
        )


def least(
    run: Run, name: str, rounds: int, view: feistel.View, count: feistel.Count, limit: int
) -> Least:
    """By the engine where it is quick, else by HiGHS within the time of the profile."""
    it = feistel.structure(name)
    with clock() as seconds:
        # One pattern for both branches leaves a 2-2 little to gather in sets.
        if feistel.is_fast(it, view) and (count == "executed" or "2-2" not in it.codes):
            found = feistel.minima(it, rounds, view, count, limit)[-1]
            if found is not None:
                method = "exhaustive over sets of words, column by column"
                return Least(found, found, method, seconds())
            return Least(limit + 1, None, "exhaustive up to the limit", seconds())
        spent = _FULL_SECONDS if run.full else _QUICK_SECONDS
        run.say(f"{name}, {rounds} rounds, {view}, {count}")
        low, high, solver = feistel.between(it, rounds, view, count, limit, spent)
    method = f"one solver, {solver}, byte-wise truncated model asked for lighter trails"
    return Least(low, high, method, seconds())


def _leave(
    run: Run, name: str, rounds: int, view: str, count: str, found: Least, table: str
) -> None:
    exact = found.lower == found.upper
    bound = bounds.Bound(
        name, "active-sboxes", rounds, found.lower, f"S-boxes, {view}, {count}",
        "exact" if exact else "lower", "proven", found.method, None, found.seconds,
    )  # fmt: skip
    run.leave("bound", f"roundworks reproduce {_PAPER} --table {table}", asdict(bound))


def _table(run: Run, table: str, need: int) -> list[Ours]:
    printed = spec.paper(_PAPER).table(table)
    found = []
    for row in printed.rows:
        name = row.name.strip("()").replace(" ", "")
        rounds = printed.value(row.name, "rounds")
        assert isinstance(rounds, int)
        before = least(run, name, rounds - 1, "differential", "executed", 2 * need)
        there = least(run, name, rounds, "differential", "executed", 2 * need)
        for r, value in ((rounds - 1, before), (rounds, there)):
            _leave(run, name, r, "differential", "executed", value, table)
        seconds = before.seconds + there.seconds
        why = (
            f"{before.text} active S-boxes in {rounds - 1} rounds, {there.text} in {rounds};"
            f" {need} wanted; {there.method}"
        )
        reached = there.lower >= need
        short = before.upper is not None and before.upper < need
        status = None if reached and short else "not-comparable"
        found.append(Ours(row.name, "rounds", rounds, "proven", why, seconds, status))
        instructions = rounds * feistel.structure(name).instructions
        each = f"{rounds} rounds of {feistel.structure(name).instructions} instructions"
        found.append(Ours(row.name, "instructions", instructions, "proven", each, 0.0, status))
    return found


def table_1(run: Run) -> list[Ours]:
    found = _table(run, "1", 43)
    for r in (7, 8):
        value = least(run, "simpira-2", r, "differential", "executed", 86)
        _leave(run, "simpira-2", r, "differential", "executed", value, "1")
    once: dict[str, tuple[int, ...]] = {"1-0,2-0": (8, 9), "2-0,2-0": (6, 7), "2-0,2-2": (4,)}
    for name, several in once.items():
        for r in several:  # a layer of S-boxes that F1 and F2 share, counted once
            value = least(run, name, r, "differential", "distinct", 86)
            _leave(run, name, r, "differential", "distinct", value, "1")
    return found


def table_2(run: Run) -> list[Ours]:
    found = _table(run, "2", 86)
    for rounds in (8, 9, 10) if run.full else ():
        value = least(run, "simpira-4", rounds, "differential", "executed", 172)
        _leave(run, "simpira-4", rounds, "differential", "executed", value, "2")
    return found


def text(run: Run) -> list[Ours]:
    """The searches of section 4.1; all of it takes hours, so the quick profile reads the ledger."""
    found = []
    for bits, words, need, most, asked in ((256, 2, 43, 16, 36), (512, 4, 86, 40, 29808)):
        ledger = spec.root() / "results" / "ledgers" / f"feistel-{bits}.jsonl"
        if not run.full and not ledger.exists():
            continue
        ledger.parent.mkdir(parents=True, exist_ok=True)

        def say(done: int, total: int, good: int, bits: int = bits) -> None:
            run.say(f"feistel{bits}: {done:,} of {total:,} structures, {good} good")

        with clock() as seconds:
            verdicts = scan(words, need, most, ledger, _FULL_SECONDS, say, lambda: not run.full)
        total = sum(1 for _ in structures(words))
        good = [v for v in verdicts if v.reaches]
        listed = "; ".join(f"({','.join(v.codes)}) at {v.rounds}" for v in good)
        complete = len(verdicts) == total
        # The paper counts shuffles of one configuration as one.
        configurations = len({v.codes for v in good})
        row = f"found with at most {most} instructions, {bits} bits"
        done = f"{len(verdicts):,} of {total:,} structures decided, of {asked:,} with renamed ones"
        found.append(
            Ours(row, "value", configurations, "proven", f"{done}: {listed or 'none'}",
                 seconds(), None if complete else "not-comparable")
        )  # fmt: skip
    return found


TABLES: dict[str, Compute] = {"1": table_1, "2": table_2, "text": text}
