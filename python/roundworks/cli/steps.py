"""Everything the report shows, cut into steps: what each computes, and how long that took before."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import partial

from .. import spec
from ..analysis.audit import audit
from ..analysis.bounds import BY_ROUNDS, MEASURES, bound
from ..analysis.drawing import drawings_of
from ..bench.selftest import selftests
from ..errors import DescriptionError
from ..reference import get, record_round
from ..reproduce import Run, command_of, reproduce, tables
from ..rows import Row, row

# Rows of one run of a command are written within this, each batch at once.
_ONE_RUN = timedelta(seconds=2)
_ROUNDS = 16

Rows = Iterator[list[Row]]


@dataclass(frozen=True, slots=True)
class Step:
    """`rows` computes; `command` does the same alone, and is what its rows say made them."""

    title: str
    command: str
    rows: Callable[[Run], Rows]


def steps_of_papers() -> list[Step]:
    """A step for each table of each paper that something computes."""
    return [
        Step(f"{paper.key} table {number}", command_of(paper.key, number),
             partial(paper_rows, paper=paper.key, table=number))
        for paper in spec.papers() for number in tables(paper.key)
    ]  # fmt: skip


def paper_rows(run: Run, paper: str | None, table: str | None) -> Rows:
    for found in reproduce(run, paper, table):
        yield [row(fields.pop("kind"), **fields) for fields in found]


def vectors(*, every: bool) -> Step:
    command = "roundworks list" + (" --selftest" if every else "")

    def compute(run: Run) -> Rows:
        yield [row("selftest", command=command, **found) for found in selftests(every=every)]

    return Step("vectors on every back end", command, compute)


def steps_of_ciphers() -> list[Step]:
    """For each cipher its drawings, its bounds by each measure, and the audit of its mode."""
    return [step for facts in spec.ciphers() for step in _of_cipher(facts.name)]


def _of_cipher(name: str) -> Iterator[Step]:
    command = f"roundworks describe {name}"
    yield Step(f"{name}: drawings", command, partial(_drawings, name=name, command=command))
    for measure in MEASURES:
        command = f"roundworks bound {name} --measure {measure}"
        if measure in BY_ROUNDS:
            command += f" --rounds {_ROUNDS}"
        yield Step(f"{name}: {measure}", command,
                   partial(_bounds, name=name, measure=measure, command=command))  # fmt: skip
    command = f"roundworks audit {name}"
    yield Step(f"{name}: audit", command, partial(_audit, name=name, command=command))


def _drawings(run: Run, name: str, command: str) -> Rows:
    started = time.perf_counter()
    cipher = get(name)
    found = drawings_of(cipher, record_round(cipher))
    spent = (time.perf_counter() - started) / max(1, len(found))
    yield [row("drawing", seconds=spent, command=command, **fields) for fields in found]


def _bounds(run: Run, name: str, measure: str, command: str) -> Rows:
    try:
        found = bound(get(name), measure, _ROUNDS)
    except DescriptionError as error:  # the measure does not apply to this round
        run.say(f"  {measure}: {error}")
        return
    yield [row("bound", command=command, **asdict(one)) for one in found]


def _audit(run: Run, name: str, command: str) -> Rows:
    started = time.perf_counter()
    findings = audit(get(name))
    spent = (time.perf_counter() - started) / max(1, len(findings))
    yield [row("audit", seconds=spent, command=command, cipher=name, **asdict(f)) for f in findings]


def seconds_of(rows: Iterable[Row], commands: Iterable[str]) -> dict[str, list[float]]:
    """Command -> what each of its runs took, by all rows of it; `rows` are the oldest first."""
    runs: dict[str, list[float]] = {}
    ends: dict[str, datetime] = {}
    wanted = set(commands)
    for one in rows:
        if (command := one["command"]) in wanted:
            when = datetime.fromisoformat(one["time"])
            if command not in ends or when - ends[command] > _ONE_RUN:
                runs.setdefault(command, []).append(0.0)
            ends[command] = when
            runs[command][-1] += one["seconds"]
    return runs
