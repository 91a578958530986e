"""The pages of what solvers decided: counts, collisions and bias, trails, and the race itself."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from roundworks.bounds import CERTAINTY
from roundworks.report.counts import (
    differs,
    figure_by_rounds,
    group_of,
    is_drawn,
    points_by_rounds,
    say_by_rounds,
    wanted,
)
from roundworks.report.figures import Point
from roundworks.report.frame import MAKERS, Figure, made_by, on_machine
from roundworks.report.known import CLOSED, COUNTS, WEIGHTS, best_known
from roundworks.report.race import figure_race, race_points, race_rows, say_race
from roundworks.report.tables import PaperTables
from roundworks.rows import BoundRow, Row, SolveRow, latest

_COUNT = "roundworks bound aes --measure active-sboxes --rounds 4"
_WEIGHT = "roundworks bound present --measure trail --rounds 3"
_MARKS = "A filled mark is exact, a hollow one a lower bound. "
_SHARED = (
    "Where two branches compute the same S-box input twice it is counted once; the buttons also show the"
    " count as executed, which papers print. "
)


@dataclass(frozen=True, slots=True)
class Closed:
    """A collision or bias of one cipher: word-wise, and in S-boxes; one of them may be None."""

    cipher: str
    what: str
    words: Row | None
    sboxes: Row | None


@dataclass(frozen=True, slots=True)
class Proving:
    """What the page says of bounds by solvers."""

    counts: tuple[Figure, ...]
    count_rows: tuple[Row, ...]
    closed: tuple[Closed, ...]
    weights: Figure
    weight_rows: tuple[Row, ...]


def proving(bounds: Sequence[BoundRow], solves: Sequence[SolveRow], papers: Sequence[PaperTables]) -> Proving:
    """Figures and tables of bounds from all stored rows."""
    known = sorted(best_known(bounds, solves), key=_by_name)
    counts = [row for row in known if row["measure"] == COUNTS]
    weights = [row for row in known if row["measure"] == WEIGHTS]
    return Proving(
        tuple(_count_figures(counts, papers)),
        tuple(counts),
        tuple(_closed(bounds, known)),
        _by_rounds(
            "weights",
            "Minimum weight of a trail against rounds",
            weights,
            "weight {:g}",
            "minimum weight of a trail",
            [],
            _WEIGHT,
        ),
        tuple(weights),
    )


def _by_name(row: Row) -> tuple[object, ...]:
    return row["cipher"], row.get("view", ""), row.get("count", ""), row["rounds"] or 0


def _count_figures(rows: Sequence[BoundRow], papers: Sequence[PaperTables]) -> list[Figure]:
    """A figure for each size of state: more curves than that nobody can tell apart."""
    groups: dict[str, list[BoundRow]] = {}
    for row in rows:
        groups.setdefault(group_of(row["cipher"]), []).append(row)
    title = "Active S-boxes against rounds"
    made = [
        _by_rounds(
            f"counts-{place}",
            f"{title}: {name}",
            groups[name],
            "{:g} active S-boxes",
            "minimum active S-boxes",
            wanted(papers, name),
            _COUNT,
        )
        for place, name in enumerate(sorted(groups), 1)
    ]
    return made or [_by_rounds("counts", title, [], "", "", [], _COUNT)]


def _by_rounds(
    name: str, title: str, rows: Sequence[BoundRow], what: str, axis: str, limits: Sequence[Point], maker: str
) -> Figure:
    rows = [row for row in rows if is_drawn(row)]
    points = points_by_rounds(rows)
    if not points:
        return Figure(name, title, "", Markup(""), None, maker)
    words = [CERTAINTY[row["certainty"]] for row in rows]
    sure = ", ".join(f"{words.count(word)} {word}" for word in CERTAINTY.values() if word in words)
    shared = differs(points)
    caption = Markup("{}{}{} results, {}; {}. ").format(
        _MARKS, _SHARED if shared else "", len(rows), sure, on_machine(rows)
    )
    return Figure(
        name,
        title,
        say_by_rounds(points, what, limits),
        caption + made_by(rows),
        figure_by_rounds(points, axis, limits),
        maker,
    )


def _closed(bounds: Sequence[BoundRow], known: Sequence[Row]) -> list[Closed]:
    """For each cipher the word-wise bound next to the cell-wise ones, one line for each round count."""
    word_wise = {
        (row["cipher"], row["measure"]): row
        for row in latest(bounds, ["cipher", "measure", "rounds"])
        if f"{row['measure']}-sboxes" in CLOSED
    }
    cell_wise = [row for row in known if row["measure"] in CLOSED]
    solved = {(row["cipher"], row["measure"].removesuffix("-sboxes")) for row in cell_wise}
    lines = [
        Closed(
            row["cipher"],
            CLOSED[row["measure"]],
            word_wise.get((row["cipher"], row["measure"].removesuffix("-sboxes"))),
            row,
        )
        for row in cell_wise
    ]
    lines += [
        Closed(cipher, CLOSED[f"{measure}-sboxes"], row, None)
        for (cipher, measure), row in word_wise.items()
        if (cipher, measure) not in solved
    ]
    return sorted(lines, key=lambda line: (line.cipher, line.what))


def race(solves: Sequence[SolveRow]) -> tuple[Figure, list[Row]]:
    """Every solver on the same problems, on one machine: the figure and the rows behind it."""
    rows = race_rows(solves)
    return _race(rows), list(rows)


def _race(rows: Sequence[Row]) -> Figure:
    points = race_points(rows)
    title = "Time of every solver"
    if not points:
        return Figure("race", title, "", Markup(""), None, MAKERS["solve"])
    limits = sorted({row["time_limit"] for row in rows if row["time_limit"] is not None})
    given = f"limit {' or '.join(f'{limit:g}' for limit in limits)} s; " if limits else ""
    # Without its version: `Kissat 4.0.4`.
    ran = sorted({row["version"].partition(" ")[0] for row in rows}, key=str.lower)
    caption = Markup(
        "Solvers that ran: {}; one run of each, one after another, library loaded before the clock starts; {}{}."
        " A hollow bar was stopped by its limit. "
    ).format(", ".join(ran), given, on_machine(rows))
    return Figure(
        "race", title, say_race(points), caption + made_by(rows), figure_race(points), MAKERS["solve"]
    )
