"""roundworks bench --permutations"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from statistics import median
from typing import Any

from rich.progress import Progress

from ..bench.permutations import BATCHES, measure, standard, subjects
from ..errors import BackendUnavailable
from ..permutations import Permutation
from ..reference import get_permutation
from .common import deliver, err, make_rows, out, table


def run(
    names: Sequence[str], backends: Sequence[str], samples: int, *, as_json: bool, no_store: bool
) -> None:
    here = Permutation.backends()
    if strange := [b for b in backends if b not in here]:
        raise BackendUnavailable(f"back end {strange[0]!r}: not here; one of {', '.join(here)}")
    for name in names:
        get_permutation(name)  # not known: an error that says which are like it
    label = " ".join(["roundworks bench --permutations", *names])
    label += "".join(f" --backend {b}" for b in backends)
    label += "" if samples == 30 else f" --samples {samples}"
    asked = subjects(names or standard(), backends)
    with Progress(console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task("permutations", total=1.0)
        found = measure(
            asked, samples=samples, progress=lambda n, of: bar.update(task, completed=n / of)
        )
    once = secrets.token_hex(6)
    rows = make_rows("permutation", [{"run": once, **fields} for fields in found], label)
    deliver(rows, as_json=as_json, no_store=no_store)
    if not as_json:
        print_speeds(found)


def print_speeds(found: list[dict[str, Any]]) -> None:
    """A line for each permutation, back end and operation; nanoseconds where there is no clock."""
    unit = "cycles" if all(r["samples_cycles"] for r in found) else "ns"
    ways = [("chain", 1), ("call", 1), *(("many", n) for n in BATCHES)]
    lines: dict[tuple[str, str, str], dict[tuple[str, int], float]] = {}
    for r in found:
        line = lines.setdefault((r["permutation"], r["backend"], r["operation"]), {})
        line[r["way"], r["blocks"]] = median(r[f"samples_{unit}"]) / r["block_bytes"]
    table(
        f"{unit} for a byte",
        ("permutation", "back end", "operation", "one", "one call", *(f"{n} blocks" for n in BATCHES)),
        [(*key, *(f"{line[w]:.3f}" if w in line else "" for w in ways)) for key, line in lines.items()],
        right=tuple(range(3, 3 + len(ways))),
    )  # fmt: skip
    out.print("\nmedians; this measures a machine that may be shared: compare within one run only")
