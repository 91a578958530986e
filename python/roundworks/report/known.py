"""What is known of each query, cell-wise and bit-wise, out of all rows that are of it."""

import math
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from roundworks.bounds import CERTAINTY, carried
from roundworks.rows import BoundRow, SolveRow

# Measures that a solver decides; their rows have view, count, best trail and fingerprint.
COUNTS, WEIGHTS = "active-sboxes", "trail"
CLOSED = {"collision-sboxes": "internal collision", "bias-sboxes": "keystream bias"}
RELATED = ("related-key-sboxes", "related-tweak-sboxes", "related-key-trail")
ACTIVE_BITS = "trail-sboxes"
BY_SOLVERS = (COUNTS, WEIGHTS, *CLOSED, *RELATED, ACTIVE_BITS, "integral")
# Where a pattern leaves some of the trails (pairs); of other measures it is a part of what is measured, as a cube is.
_OF_TRAILS = (COUNTS, *CLOSED, *RELATED, "impossible-bits")
_SURE = tuple(CERTAINTY)


def patterns(row: BoundRow) -> frozenset[str]:
    """What ``--where`` was given: ``S0=*...`` for each word."""
    if "--where" not in row.command:
        return frozenset()
    return frozenset(after for word, after in pairwise(shlex.split(row.command)) if word == "--where")


def of_all_trails(row: BoundRow) -> bool:
    """Whether it bounds all trails; one of those with a pattern is no bound of the cipher."""
    return row.measure not in _OF_TRAILS or not patterns(row)


def best_known(bounds: Iterable[BoundRow], solves: Sequence[SolveRow]) -> list[BoundRow]:
    """One row for each query of all trails: the exact result, or else the highest lower bound.

    A run with less time does not take back what another has shown; a description that was changed
    makes another query, and then only rows with the newest fingerprint count. Where a second
    solver, here or in the race, has come as far, the result is of two. A trail alone (side
    upper) is no bound: it stands where nothing else is known, and next to the bound otherwise.
    """
    groups: dict[tuple[object, ...], list[BoundRow]] = {}
    for row in bounds:
        if row.measure in BY_SOLVERS and of_all_trails(row):
            query = (row.cipher, row.measure, row.rounds, *of(row))
            groups.setdefault(query, []).append(row)
    best_rows = []
    for rows in groups.values():
        # Of an integral it is not said which bits are to take all values: those that leave the most balanced.
        of_all = rows[-1].measure == "integral"
        chosen = max(reversed(rows), key=_rank) if of_all else rows[-1]
        same = [row for row in rows if row.fingerprint == chosen.fingerprint]
        best, bounding = max(reversed(same), key=_rank), [r for r in same if r.side != "upper"]
        best_rows.append(agreed(_with_trail(best, same), bounding, solves))
    return _over_more_rounds(best_rows)


def _over_more_rounds(rows: Sequence[BoundRow]) -> list[BoundRow]:
    """Each with at least what fewer rounds have, where that is a bound of more; ``as_over`` says which.

    A trail without a bound (side upper) has that from then on. One without any S-box, which was checked like every
    trail, is the minimum by itself: nothing has fewer.
    """
    best: dict[object, BoundRow] = {}
    carried_rows = dict(enumerate(rows))
    for place, row in sorted(carried_rows.items(), key=lambda item: item[1].rounds or 0):
        if row.side == "upper" and row.upper == 0:
            row = replace(row, side="exact", certainty="proven")
        query = row.cipher, row.measure, *of(row)
        carried_rows[place] = row = carried(row, best.get(query))
        if row.side != "upper" and row.value is not None and row.monotone:
            best[query] = row
    return [carried_rows[place] for place in range(len(rows))]


def of(row: BoundRow) -> tuple[str, str]:
    """View and count, which older rows and other measures lack."""
    return row.view or "", row.count or ""


def _rank(row: BoundRow) -> tuple[bool, float, int, float]:
    value = math.inf if row.value is None else row.value
    if row.side == "upper":
        value = -math.inf
    upper = math.inf if row.upper is None else row.upper
    return row.side == "exact", value, _SURE.index(row.certainty), -upper


def _with_trail(best: BoundRow, same: Sequence[BoundRow]) -> BoundRow:
    """A lower bound with the lightest trail that any run has found; exact where one has that weight."""
    trails = [row.upper for row in same if row.upper is not None]
    if best.side != "lower" or not trails or best.value is None:
        return best
    real = best.value in [row.upper for row in same if not is_of_patterns(row)]
    return replace(best, upper=min(trails), side="exact" if real else "lower")


def is_of_patterns(row: BoundRow) -> bool:
    """Whether it is a minimum of patterns, as the prints are; no differences need to have them all at once."""
    return row.side == "lower" and row.upper == row.value


def agreed(best: BoundRow, same: Sequence[BoundRow], solves: Sequence[SolveRow] = ()) -> BoundRow:
    """The row with every solver that has shown its value, where that makes it surer.

    ``same``: bounds of its query, also itself; ``solves``: races of its problem instance.
    """
    if best.certainty != "one-solver" or best.fingerprint is None:
        return best
    raced = [r for r in solves if r.fingerprint == best.fingerprint]
    # Where several are named that did not agree, only one of them came so far, and which is not said.
    versions = [version for row in same if _as_far(row.value, best) for version in _each(row)]
    versions += [
        row.version for row in raced if _as_far(None if row.status == "infeasible" else row.lower, best)
    ]
    # A solver of another version is still the same solver.
    named = {version.split()[0]: version for version in versions}
    if len(named) < 2:
        return best
    return replace(best, certainty="two-solvers", solver=", ".join(named.values()))


def _each(row: BoundRow) -> list[str]:
    """Solvers of which each has shown the value by itself."""
    named = row.solver.split(", ") if row.solver is not None else []
    return named if len(named) == 1 or row.certainty == "two-solvers" else []


def _as_far(value: float | None, best: BoundRow) -> bool:
    if value is None or best.value is None:
        return value is best.value is None
    return bool(value >= best.value)
