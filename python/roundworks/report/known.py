"""What is known of each query, cell-wise and bit-wise, out of all rows that are of it."""

import math
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from roundworks.bounds import CERTAINTY, carried, is_of_shapes
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
    makes another query, and then only rows with the newest fingerprint count; those of shapes have one
    of their own. Where a second solver, here or in the race, has come as far, the result is of two. A
    trail alone (side upper) is no bound: it stands where nothing else is known, and next to the bound
    otherwise.
    """
    best_rows = []
    for same in _by_query(bounds):
        best, bounding = max(reversed(same), key=_rank), [r for r in same if r.side != "upper"]
        best_rows.append(agreed(_with_trail(best, same), bounding, solves))
    return _over_more_rounds(best_rows)


def contradictions(bounds: Iterable[BoundRow]) -> list[str]:
    """The queries of which a row shows more than another has exactly, with both."""
    contradicting = []
    for rows in _by_query(bounds):
        shown = [(_number(row), row) for row in rows if row.side != "upper"]
        exact = [(value, row) for value, row in shown if row.side == "exact"]
        if not exact:
            continue
        (most, high), (fewest, low) = (
            pick(some, key=lambda one: one[0]) for pick, some in ((max, shown), (min, exact))
        )
        if most > fewest:
            what = f"{low.cipher}, {low.measure}, {low.rounds} rounds, {' '.join(of(low))}"
            contradicting.append(
                f"{what}: {low.side} {low.value} by {low.command}; {high.side} {high.value} by {high.command}"
            )
    return contradicting


def _by_query(bounds: Iterable[BoundRow]) -> Iterator[list[BoundRow]]:
    """The rows of each query of all trails that count, by the rules of `best_known`."""
    groups: dict[tuple[object, ...], list[BoundRow]] = {}
    for row in bounds:
        if row.measure in BY_SOLVERS and of_all_trails(row):
            query = (row.cipher, row.measure, row.rounds, *of(row))
            groups.setdefault(query, []).append(row)
    for rows in groups.values():
        # Of an integral it is not said which bits are to take all values: those that leave the most balanced.
        of_all = rows[-1].measure == "integral"
        chosen = max(reversed(rows), key=_rank) if of_all else rows[-1]
        newest = {is_of_shapes(row): row.fingerprint for row in [*rows, chosen]}
        yield [_of_patterns(row) for row in rows if row.fingerprint == newest[is_of_shapes(row)]]


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


def _number(row: BoundRow) -> float:
    """The value; no such path at all is more than any."""
    return math.inf if row.value is None else row.value


def _rank(row: BoundRow) -> tuple[bool, float, int, float]:
    value = -math.inf if row.side == "upper" else _number(row)
    upper = math.inf if row.upper is None else row.upper
    return row.side == "exact", value, _SURE.index(row.certainty), -upper


def _with_trail(best: BoundRow, same: Sequence[BoundRow]) -> BoundRow:
    """A lower bound with the lightest trail that any run has found; exact where one has that weight."""
    # A pattern of shapes may be lighter than every one of the description.
    checked = [row for row in same if not is_of_shapes(row)]
    trails = [r.upper for r in (same if is_of_shapes(best) else checked) if r.upper is not None]
    if best.side != "lower" or not trails or best.value is None:
        return best
    real = best.value in [row.upper for row in checked if not is_of_patterns(row)]
    return replace(best, upper=min(trails), side="exact" if real else "lower")


def is_of_patterns(row: BoundRow) -> bool:
    """Whether it is a minimum of patterns, as the prints are; no differences need to have them all at once."""
    return row.side == "lower" and row.upper == row.value


def _of_patterns(row: BoundRow) -> BoundRow:
    """Of shapes, older rows call a minimum of patterns exact."""
    return replace(row, side="lower") if is_of_shapes(row) and row.side == "exact" else row


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
