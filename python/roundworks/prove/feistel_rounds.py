"""How many rounds a Feistel permutation needs for so many active S-boxes, in both views.

More rounds never have fewer active S-boxes, so the fewest rounds without a light trail answer it.
Answers go to a ledger, one JSON line each, and a later run asks only what is missing, or was open with
less time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from .feistel import VIEWS, Count, Structure, View, structure, trail_within
from .feistel_scan import LedgerError


@dataclass(frozen=True, slots=True)
class Needed:
    """``rounds`` reach it, by the word of ``solver``; None where none up to ``below`` do, or time was
    over: ``limit`` seconds for one number of rounds. A trail was found over ``below`` rounds."""

    name: str
    view: View
    rounds: int | None
    below: int
    solver: str
    seconds: float
    limit: float | None


def name_in_the_core(name: str) -> str:
    """As ``roundworks describe`` and the Rust core have it."""
    if name[0].isalpha():  # simpira-4, areion-512
        return name
    return f"feistel{128 * len(structure(name).codes)}:{name}"


def rounds_needed(
    it: Structure,
    need: int,
    view: View,
    count: Count,
    most: int,
    seconds: float | None,
    stop: Callable[[], bool] | None = None,
    below: int = 0,
) -> tuple[int | None, int, str]:
    """The fewest rounds, or None; the most rounds for which a light trail is known; the solver.

    ``below``: for so many it was known before.
    """
    solver = ""
    # A weak structure has a light trail over many rounds as soon as over few.
    for turn, rounds in enumerate((most, *range(1, most + 1))):
        if rounds <= below:
            continue
        limit = seconds if turn else 10.0
        light, _, solver = trail_within(it, rounds, view, count, need - 1, limit, stop=stop)
        if light:
            below = rounds
        elif light is False and rounds == below + 1:
            return rounds, below, solver
        elif light is None and turn:
            return None, below, solver
    return None, below, solver


def table(
    names: Sequence[str],
    need: int,
    count: Count,
    most: int,
    ledger: Path,
    seconds: float | None = None,
    stop: Callable[[], bool] | None = None,
) -> Iterator[Needed]:
    """For each of the structures and each view, as they are decided; what is known comes first.

    ``seconds``: for one number of rounds.
    """
    header = {"ledger": "feistel-rounds-1", "need": need, "count": count, "most": most}
    earlier = _read(ledger, header)
    known = {key: it for key, it in earlier.items() if not _is_open(it, most, seconds)}
    yield from (known[key] for key in known if key[0] in names)
    with ledger.open("a", encoding="utf-8") as file:
        if ledger.stat().st_size == 0:
            file.write(json.dumps(header) + "\n")
        for name in names:
            for view in VIEWS:
                if (name, view) in known:
                    continue
                started, it = perf_counter(), structure(name)
                below = earlier[name, view].below if (name, view) in earlier else 0
                found = rounds_needed(it, need, view, count, most, seconds, stop, below)
                if stop is not None and stop():
                    return
                spent = round(perf_counter() - started, 3)
                needed = Needed(name, view, *found, spent, seconds)
                file.write(json.dumps(_fields(needed)) + "\n")
                file.flush()
                yield needed


def _is_open(it: Needed, most: int, seconds: float | None) -> bool:
    """Whether so much time could decide what less did not."""
    if it.rounds is not None or it.below == most or it.limit is None:
        return False
    return seconds is None or it.limit < seconds


def _fields(it: Needed) -> dict[str, object]:
    return {"name": it.name, "view": it.view, "rounds": it.rounds, "below": it.below,
            "solver": it.solver, "seconds": it.seconds, "limit": it.limit}  # fmt: skip


def _read(path: Path, header: dict[str, object]) -> dict[tuple[str, str], Needed]:
    if not path.exists() or not path.stat().st_size:
        return {}
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    if not lines[-1].endswith("\n"):  # cut while it was written; asked again
        path.write_text("".join(lines[:-1]), encoding="utf-8")
        lines = lines[:-1]
    try:
        got = json.loads(lines[0]) if lines else header
        found = [_needed(json.loads(line)) for line in lines[1:]]
    except (ValueError, TypeError, KeyError) as error:
        raise LedgerError(f"{path}: not a ledger of rounds: {error}; name another file") from None
    if got != header:
        raise LedgerError(f"{path}: made for {got}; this is {header}; name another file")
    return {(it.name, it.view): it for it in found}


def _needed(fields: dict[str, Any]) -> Needed:
    """Lines once had no limit: no question of theirs had more than the seconds of all."""
    return Needed(**{"limit": fields["seconds"]} | fields)
