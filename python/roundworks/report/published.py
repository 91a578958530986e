"""Figures that other authors published, next to what `roundworks bound` computes from the descriptions."""

import shlex
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from roundworks import spec
from roundworks.bounds import CERTAINTY
from roundworks.report.known import agreed, is_of_patterns, of_all_trails, patterns
from roundworks.rows import BoundRow

_Computed = spec.PublishedCurve | spec.PublishedFigure | spec.PublishedReach
_Looked = _Computed | spec.Unprinted
_SURE = tuple(CERTAINTY)


@dataclass(frozen=True, slots=True)
class PublishedLine:
    """One figure or curve: what was printed and what is ours, as text, with a verdict and the slowest row's time.

    ``source`` says where the print was read; ``confirmed`` is false where nobody here has read it.
    """

    description: str
    measure: str
    about: str
    source: str
    confirmed: bool
    printed: str
    ours: str
    verdict: str
    certainty: str
    seconds: float | None
    command: str
    note: str = ""


def published(bounds: Sequence[BoundRow]) -> list[PublishedLine]:
    """A line for each entry of ``spec/published.toml``."""
    return [
        *(_curve(curve, bounds) for curve in spec.published_curves()),
        *(_figure(figure, bounds) for figure in spec.published_figures()),
        *(_reach(reach, bounds) for reach in spec.published_reaches()),
        *(_unprinted(one, bounds) for one in spec.unprinted()),
    ]


def _of(entry: _Looked, bounds: Iterable[BoundRow]) -> dict[int, BoundRow]:
    """Rounds, 0 where there are none, -> the best row of differences: exact, highest, surest, last; with the solvers
    of the other rows that show its value."""
    best: dict[int, BoundRow] = {}
    every: dict[int, list[BoundRow]] = {}
    for row in bounds:
        if (row.cipher, row.measure) != (entry.description, entry.measure):
            continue
        view, where = _query(entry)
        if where != patterns(row) if where else not of_all_trails(row):
            continue
        no_value = row.value is None and not isinstance(entry, spec.PublishedReach)
        if row.view in (None, view) and row.count in (None, "distinct") and not no_value:
            every.setdefault(row.rounds or 0, []).append(row)
            before = best.get(row.rounds or 0)
            if before is None or _rank(row) > _rank(before):
                best[row.rounds or 0] = row
    return {
        rounds: agreed(
            row, [r for r in every[rounds] if r.side != "upper" and r.fingerprint == row.fingerprint]
        )
        for rounds, row in best.items()
    }


def _query(entry: _Looked) -> tuple[str, frozenset[str]]:
    """The view, and what ``--where`` was given."""
    if isinstance(entry, spec.PublishedReach | spec.PublishedFigure):
        return entry.view, frozenset(entry.where)
    return "differential", frozenset()


def _rank(row: BoundRow) -> tuple[bool, float, int, str]:
    return row.side == "exact", row.value or 0.0, _SURE.index(row.certainty), row.time


def _curve(curve: spec.PublishedCurve, bounds: Sequence[BoundRow]) -> PublishedLine:
    rows = {r: row for r, row in _of(curve, bounds).items() if 0 < r <= len(curve.values)}
    exact = {r: row for r, row in rows.items() if row.side in ("exact", curve.side) or is_of_patterns(row)}
    digits = {r: _as_printed(row, curve.values[r - 1]) for r, row in rows.items()}
    other = [r for r in exact if digits[r] != curve.values[r - 1]]
    # A lower bound above the print contradicts it as well.
    other += [r for r, row in rows.items() if row.side == "lower" and digits[r] > curve.values[r - 1]]
    same, rest = len(exact) - len(set(other) & set(exact)), len(curve.values) - len(exact)
    if other:
        verdict = "differs over " + ", ".join(map(str, sorted(other))) + " rounds"
    elif not exact:
        verdict = "not computed yet"
    else:
        verdict = f"same over {same} numbers of rounds" + (f"; {rest} not computed" if rest else "")
    return _line(
        curve,
        printed=", ".join(f"{value:g}" for value in curve.values),
        ours=", ".join(_shown(rows[r]) for r in sorted(rows)),
        verdict=verdict,
        rows=exact.values(),
        rounds=max(exact, default=4),
    )


def _as_printed(row: BoundRow, printed: float) -> float:
    """The row's value, rounded to as many digits as the print has."""
    return round(row.value or 0.0, len(f"{printed:g}".partition(".")[2]))


def _unprinted(one: spec.Unprinted, bounds: Sequence[BoundRow]) -> PublishedLine:
    rows = _of(one, bounds)
    return PublishedLine(
        description=one.description,
        measure=one.measure,
        about=one.about,
        source="",
        confirmed=False,
        printed="no print found",
        ours=", ".join(f"{_shown(rows[r])} over {r}" for r in sorted(rows)),
        verdict="nothing to compare with" if rows else "not computed yet",
        certainty=_weakest(rows.values()),
        seconds=max((row.seconds for row in rows.values()), default=None),
        command=f"roundworks bound {one.description} --measure {one.measure} --rounds {max(rows, default=4)}",
        note=one.note,
    )


def _figure(figure: spec.PublishedFigure, bounds: Sequence[BoundRow]) -> PublishedLine:
    row = _of(figure, bounds).get(figure.rounds or 0)
    over_rounds = f" over {figure.rounds} rounds" if figure.rounds else ""
    printed = f"{figure.value:g}"
    if row is None:
        verdict = "not computed yet"
    elif row.side == "exact":
        verdict = "same" if _as_printed(row, figure.value) == figure.value else "differs"
    else:
        over = (row.value or 0.0) > figure.value if row.side == "lower" else (row.value or 0.0) < figure.value
        verdict = f"a bound on the {'other' if over else 'same'} side of the print"
    return _line(
        figure,
        printed=printed + over_rounds,
        ours="" if row is None else _shown(row) + over_rounds,
        verdict=verdict,
        rows=[row] if row else [],
        rounds=figure.rounds,
    )


def _reach(reach: spec.PublishedReach, bounds: Sequence[BoundRow]) -> PublishedLine:
    rows = {r: row for r, row in _of(reach, bounds).items() if _holds(row)}
    ours = max(rows, default=0)
    verdict = "not computed yet" if not rows else "same" if ours == reach.rounds else f"ours reaches {ours}"
    return _line(
        reach,
        printed=f"{reach.rounds} rounds",
        ours=f"{ours} rounds" if rows else "",
        verdict=verdict,
        rows=[rows[ours]] if rows else [],
        rounds=reach.rounds + 1,
    )


def _holds(row: BoundRow) -> bool:
    """Whether the property is there; that of a superpoly is to be 0, which has no degree."""
    return row.value is None if row.measure == "superpoly" else (row.value or 0) > 0


def _line(
    entry: _Computed, *, printed: str, ours: str, verdict: str, rows: Collection[BoundRow], rounds: int | None
) -> PublishedLine:
    """``rows`` are those that settle the verdict; the command computes the same over ``rounds``."""
    view, where = _query(entry)
    return PublishedLine(
        description=entry.description,
        measure=entry.measure,
        about=entry.about,
        source=_source(entry),
        confirmed=_confirmed(entry),
        printed=printed,
        ours=ours,
        verdict=verdict,
        certainty=_weakest(rows),
        seconds=max((row.seconds for row in rows), default=None),
        command=f"roundworks bound {entry.description} --measure {entry.measure}"
        + ("" if view == "differential" else f" --view {view}")
        + (f" --rounds {rounds}" if rounds else "")
        + "".join(f" --where {shlex.quote(one)}" for one in sorted(where)),
        note=entry.note,
    )


def _confirmed(entry: _Computed) -> bool:
    """Whether the figure was read in its source, or in a text that quotes it."""
    return bool(entry.place or entry.quoted)


def _source(entry: _Computed) -> str:
    """``[KEY, table 4]``, and who quotes it where the source was not at hand."""
    where = f"[{entry.cite}, {entry.place}]" if entry.place else f"[{entry.cite}]"
    if entry.quoted:
        return f"{where}, as quoted by {entry.quoted}"
    return where if entry.place else f"{where}, not confirmed against its source"


def _shown(row: BoundRow) -> str:
    return {"exact": "", "lower": "≥ ", "upper": "≤ "}[row.side] + f"{row.value:g}"


def _weakest(rows: Iterable[BoundRow]) -> str:
    """The weakest certainty of the rows, in words."""
    numbers = [_SURE.index(row.certainty) for row in rows]
    return CERTAINTY[_SURE[min(numbers)]] if numbers else ""
