"""The query of `roundworks bound` as a command; it imports little, for one bound often takes less than an import."""

from __future__ import annotations

from collections.abc import Sequence

from ..prove.measures import MEASURES
from ..prove.pipeline import Query
from ..reference import BlockCipher, Permutation, Rounds, Roundwise
from .study import command_line


def usual_measure(it: Roundwise) -> str:
    """The measure where none is named: of units of a round that absorbs blocks, else of S-boxes."""
    return "active-sboxes" if isinstance(it, Permutation | BlockCipher | Rounds) else "active-f"


def bound_command(words: Sequence[str], measure: str, query: Query) -> str:
    """The command that computes the same again; ``words`` name the cipher on a command line."""
    return command_line(
        "bound",
        *words,
        measure=measure,
        rounds=query.rounds if "rounds" in MEASURES[measure].options else None,
        alone=query.alone,
        view=None if query.view == "differential" else query.view,
        count=None if query.count == "distinct" else query.count,
        solver=[solver for solver in query.solvers if solver != "auto"],
        time_limit=query.limit,
        where=[f"{word}={cells}" for word, cells in query.where.items()],
        # That there is a proof is for a row, where its folder lies is not.
        proof="certificates" if query.proof else None,
    )
