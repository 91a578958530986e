"""Which active F the round structures of a class can guarantee. [AETHER, section 3.2]"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..analysis.search import candidates
from ..prove.structures.existence import decide
from ..reproduce.run import Run
from ..rows import ExistenceRow, Row
from .result import Result, Table
from .study import Batches, Study, Unit, command_line


@dataclass(frozen=True, slots=True)
class Decide(Study[Result[ExistenceRow]]):
    """Whether a structure S'[i] = F(S[i-1]) ^ (X | S[pi(i)]) of the class reaches ``active`` active F in
    every internal collision; then whether one reaches the next number, up to ``up_to``.

    Parameters
    ----------
    words, inputs : int
        Words of the state, 2 to 32, and words that one round absorbs.
    active, up_to : int
        The first and the last number of active F; the first that no structure reaches ends it.
    seconds : float, optional
        CPU seconds for each number.
    certificates : Path, optional
        A folder: what no structure reaches is proven there, and the proofs are followed.
    repeats : bool
        Whether pi may name a word several times.
    """

    words: int
    inputs: int
    active: int = 8
    up_to: int = 8
    seconds: float | None = None
    certificates: Path | None = None
    repeats: bool = False

    @property
    def command(self) -> str:
        """The command line of this study."""
        facts: dict[str, Any] = {"words": self.words, "inputs": self.inputs, "active": self.active}
        if self.up_to > self.active:
            facts["up_to"] = self.up_to
        facts["repeats"] = self.repeats
        folder = self.certificates and self.certificates.name
        return command_line("decide", **facts, time_limit=self.seconds, certificates=folder)

    def plan(self) -> Sequence[Unit]:
        """One unit: what is decided of one number of active F says where the next begins."""
        return [Unit(f"structures ({self.words},{self.inputs})", self.command, partial(_decide, self))]

    def reduce(self, rows: Sequence[Row]) -> Result[ExistenceRow]:
        """One line for each number of active F, and the structure of the last that there is."""
        decided = tuple(row for row in rows if isinstance(row, ExistenceRow))
        columns = ("words", "inputs", "F per block", "active", "exists", "certainty", "method", "seconds")
        notes = [f"  {line}" for row in decided if row.added for line in [_equations(row.added)]]
        return Result(decided, (Table("", columns, tuple(map(_line, decided))),), tuple(notes[-1:]))


def _decide(study: Decide, run: Run) -> Batches:
    for active in range(study.active, max(study.active, study.up_to) + 1):
        started, end = time.monotonic(), time.process_time() + (study.seconds or 0)
        decision = decide(
            study.words,
            study.inputs,
            active,
            over=partial(_over, end if study.seconds else None),
            hear=run.counted,
            certificates=study.certificates,
            repeats=study.repeats,
        )
        facts = asdict(decision) | {"added": decision.added and list(decision.added)}
        facts["repeats"] = decision.repeats or None
        facts["candidates"] = None if decision.repeats else candidates(study.words, study.inputs)
        facts["undecided"] = [list(chains) for chains in decision.undecided] or None
        yield [ExistenceRow.make(command=study.command, seconds=time.monotonic() - started, **facts)]
        if not decision.exists:
            return


def _over(end: float | None) -> bool:
    return end is not None and time.process_time() > end


def _line(row: ExistenceRow) -> tuple[object, ...]:
    exists = "open" if row.exists is None else row.exists
    cost = f"{row.words / row.inputs:.3f}"
    columns = (row.words, row.inputs, cost, row.active, exists, row.certainty, row.method)
    return (*columns, f"{row.seconds or 0:,.1f}")


def _equations(added: Sequence[int | None]) -> str:
    """The round, one equation for each word."""

    def terms() -> Iterator[str]:
        blocks = 0
        for at, word in enumerate(added):
            yield f"S'{at} = F{(at - 1) % len(added)} ^ " + (f"X{blocks}" if word is None else f"S{word}")
            blocks += word is None

    return "  ".join(terms())
