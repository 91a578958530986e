"""Which source of a core a row of hardware is of, and whether a newer one is known.

The report does not read rtl/: the source that the newest row of a core names, of whatever kind, is the
core's. An older row names none; so does a simulation of a netlist.
"""

from collections.abc import Iterable, Mapping, Sequence

from roundworks.report.hardware_rows import Choice, choice_of
from roundworks.rows import Row

Sources = Mapping[Choice, str]


def sources(*kinds: Iterable[Row]) -> Sources:
    """For each core and its parameters the source of the newest row that names one."""
    naming = [row for rows in kinds for row in rows if "source_sha256" in row]
    return {
        choice_of(row): str(row["source_sha256"]) for row in sorted(naming, key=lambda row: str(row["time"]))
    }


def is_older(row: Row, newest: Sources) -> bool:
    """Whether it names another source than the newest."""
    return "source_sha256" in row and row["source_sha256"] != newest.get(choice_of(row))


def of_newest(simulations: Sequence[Row], *others: Iterable[Row]) -> list[Row]:
    """Without those of an older source than some row of the core: they say nothing of its clocks."""
    newest = sources(simulations, *others)
    return [row for row in simulations if not is_older(row, newest)]
