"""What is known of each question by cells and bits, out of all rows that answer it."""

import math
from collections.abc import Iterable, Sequence

from roundworks.report.carried import carried
from roundworks.rows import Row

# Measures that a solver answers; their rows have view, count, best trail and fingerprint.
COUNTS, WEIGHTS = "active-sboxes", "trail"
CLOSED = {"collision-sboxes": "internal collision", "bias-sboxes": "keystream bias"}
BY_SOLVERS = (COUNTS, WEIGHTS, *CLOSED, "integral")
_SURE = ("heuristic", "measured", "one-solver", "two-solvers", "proven")


def best_known(bounds: Iterable[Row], solves: Sequence[Row]) -> list[Row]:
    """One row for each question: the exact answer, or else the highest lower bound.

    A run with less time does not take back what another has shown; a description that was changed
    makes another question, and then only rows with the newest fingerprint count. Where a second
    solver, here or in the race, has come as far, the answer is of two. A trail alone (side
    upper) is no bound: it stands where nothing else is known, and beside the bound otherwise.
    """
    groups: dict[tuple[object, ...], list[Row]] = {}
    for row in bounds:
        if row["measure"] in BY_SOLVERS:
            asked = (row["cipher"], row["measure"], row["rounds"], *of(row))
            groups.setdefault(asked, []).append(row)
    found = []
    for rows in groups.values():
        newest = rows[-1].get("fingerprint")
        same = [row for row in rows if row.get("fingerprint") == newest]
        best, bounding = max(reversed(same), key=_rank), [r for r in same if r["side"] != "upper"]
        found.append(_agreed(_with_trail(best, same), bounding, solves))
    counts = [row for row in found if row["measure"] == COUNTS]
    return carried(counts) + [row for row in found if row["measure"] != COUNTS]


def of(row: Row) -> tuple[str, str]:
    """View and count, which older rows and other measures lack."""
    return row.get("view", ""), row.get("count", "")


def _rank(row: Row) -> tuple[bool, float, int, float]:
    value = math.inf if row["value"] is None else row["value"]
    if row["side"] == "upper":
        value = -math.inf
    upper = math.inf if row.get("upper") is None else row["upper"]
    return row["side"] == "exact", value, _SURE.index(row["certainty"]), -upper


def _with_trail(best: Row, same: Sequence[Row]) -> Row:
    """A lower bound with the lightest trail that any run has found."""
    trails = [row["upper"] for row in same if row.get("upper") is not None]
    if best["side"] != "lower" or not trails or best["value"] is None:
        return best
    return {
        **best,
        "upper": min(trails),
        "side": "exact" if min(trails) == best["value"] else "lower",
    }


def _agreed(best: Row, same: Sequence[Row], solves: Sequence[Row]) -> Row:
    """The row with every solver that has shown its value, where that makes it surer."""
    if best["certainty"] != "one-solver" or "fingerprint" not in best:
        return best
    raced = [r for r in solves if r["fingerprint"] == best["fingerprint"]]
    # Where several are named that did not agree, only one of them came so far, and which is not said.
    versions = [
        version
        for row in same
        if _as_far(row["value"], best) and "solver" in row
        for version in _each(row)
    ]
    versions += [
        row["version"]
        for row in raced
        if _as_far(None if row["status"] == "infeasible" else row["lower"], best)
    ]
    # A solver of another version is still the same solver.
    named = {version.split()[0]: version for version in versions}
    if len(named) < 2:
        return best
    return {**best, "certainty": "two-solvers", "solver": ", ".join(named.values())}


def _each(row: Row) -> list[str]:
    """Solvers of which each has shown the value by itself."""
    named: list[str] = row["solver"].split(", ")
    return named if len(named) == 1 or row["certainty"] == "two-solvers" else []


def _as_far(value: float | None, best: Row) -> bool:
    if value is None or best["value"] is None:
        return value is best["value"] is None
    return bool(value >= best["value"])
