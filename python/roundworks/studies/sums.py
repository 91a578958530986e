"""Round structures whose words are sums of several words: a local search for many active F at few F a block."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from .. import _native
from ..analysis.sums import SumsClass, local_search
from ..errors import RoundworksError
from ..reproduce.run import Run
from ..rows import Row, SumsRow
from .result import Result, Table
from .study import Batches, Study, Unit, command_line

STEPS = 5_000  # rounds that the search from one start looks at; half a second to a minute


@dataclass(frozen=True, slots=True)
class Sums(Study[Result[SumsRow]]):
    """Rounds S'[i] = S[i-1] ^ S[j] ^ ... ^ X[k] ^ ... whose first term passes F at some positions: the most active F
    in every internal collision that a local search finds, of several starts.

    What is found is exact, by two engines. That more is not found says nothing.

    Parameters
    ----------
    words, inputs : int
        Words of the state, and blocks that one round absorbs.
    functions : int
        Words that F changes in a round.
    active : int
        Active F at which the search ends.
    terms : int
        Words that a sum may add to its first term.
    starts : int
        Starts, each a unit of `STEPS` rounds at most.
    """

    words: int
    inputs: int
    functions: int
    active: int = 8
    terms: int = 2
    starts: int = 16
    best_of: ClassVar[str] = "active F"

    @property
    def command(self) -> str:
        """The command line of this study."""
        facts: dict[str, Any] = {"words": self.words, "inputs": self.inputs, "functions": self.functions}
        return command_line("sums", **facts, active=self.active, terms=self.terms, starts=self.starts)

    def plan(self) -> Sequence[Unit]:
        """A unit for each start."""
        title = f"sums ({self.words},{self.inputs}), {self.functions} F"
        return [
            Unit(f"{title}, start {seed}", self.command, partial(_start, self, seed))
            for seed in range(self.starts)
        ]

    def best(self, so_far: float, rows: Sequence[Row]) -> float:
        """The most active F so far."""
        return max(so_far, *(row.active for row in rows if isinstance(row, SumsRow)), 0)

    def reduce(self, rows: Sequence[Row]) -> Result[SumsRow]:
        """The row of the best start; of equals the one that took the fewest steps."""
        each = [row for row in rows if isinstance(row, SumsRow)]
        kept = sorted(each, key=lambda row: (-row.active, row.tried))[:1]
        columns = ("words", "inputs", "F", "F per block", "active", "rounds tried", "seconds")
        lines = tuple(
            (r.words, r.inputs, r.functions, f"{r.functions / r.inputs:.3f}", r.active, r.tried, r.seconds)
            for r in kept
        )
        notes = tuple(f"  {equation}" for row in kept for equation in row.equations)
        return Result(tuple(kept), (Table("", columns, lines),), notes)


def _start(study: Sums, seed: int, run: Run) -> Batches:
    started = time.perf_counter()
    of = SumsClass(study.words, study.inputs, study.functions, study.terms)
    active, found, tried = local_search(of, study.active, seed, STEPS)
    if found is None:
        return
    # The engine that any recorded round goes through shares no code with the one of the search.
    again = _native.word_collision(found.program(study.inputs).native())
    if again is None or min(again[0], study.active) != active:
        raise RoundworksError(
            f"{'; '.join(found.equations())}: {active} active F, and again {again}; report it"
        )
    yield [
        SumsRow.make(
            command=study.command,
            seconds=round(time.perf_counter() - started, 3),
            words=study.words,
            inputs=study.inputs,
            functions=study.functions,
            terms=study.terms,
            wanted=study.active,
            active=active,
            certainty="proven",
            equations=found.equations(),
            tried=tried,
        )
    ]
