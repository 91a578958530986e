"""Lower bounds of few rounds told to more rounds, where a run that had less time shows less."""

import re
from collections.abc import Sequence

from roundworks.rows import Row

# Whose whole rounds begin with what fewer do, whatever the constants; a test asks the descriptions.
ALIKE = re.compile(r"(areion|feistel|haraka|simpira)[-0-9][^.]*")


def carried(known: Sequence[Row]) -> list[Row]:
    """Differences pay over more rounds at least what they pay over fewer; ``as_over`` says how many
    those are. Masks need not: they end where the rounds do.

    The rows are of S-boxes alone, the best of each question. A trail without a bound (side upper)
    is one from then on, and one without any S-box always was.
    """
    best: dict[object, Row] = {}
    found = dict(enumerate(known))
    for place, row in sorted(found.items(), key=lambda item: item[1]["rounds"] or 0):
        if row["side"] == "upper" and row["upper"] == 0:
            row = {**row, "side": "exact"}
        if row.get("view") == "differential" and ALIKE.fullmatch(row["cipher"]):
            asked = row["cipher"], row.get("count")
            row = _at_least(row, best.get(asked))
            if row["side"] != "upper" and row["value"] is not None:
                best[asked] = row
        found[place] = row
    return [found[place] for place in range(len(known))]


def _at_least(row: Row, before: Row | None) -> Row:
    """A trail lighter than the bound is of another description: then nothing is carried."""
    if before is None or row["value"] is None or row["side"] == "exact":
        return row
    upper = row.get("upper")
    lower = 0 if row["side"] == "upper" else row["value"]
    if before["value"] <= lower or (upper is not None and upper < before["value"]):
        return row
    return {
        **row,
        "value": before["value"],
        "side": "exact" if upper == before["value"] else "lower",
        "certainty": before["certainty"],
        "solver": before.get("solver", ""),
        "as_over": before.get("as_over", before["rounds"]),
    }
