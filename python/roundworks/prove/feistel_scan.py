"""Every configuration and shuffle of the Feistel permutations: which reach enough active S-boxes
within a number of instructions? [AESNI-PERM, section 4.1]

One question for each structure, at the most rounds its instructions allow: more rounds never have
fewer active S-boxes, so a trail that is light there rules the structure out. Exchanging the two
halves of four words, with the shuffle renamed, is the same permutation on renamed words; one of the
two is asked. Answers go to a ledger, one JSON line each, and a later run asks only what is missing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from time import perf_counter

from ..errors import RoundworksError
from ..reference.feistel import CODES, SHUFFLES
from .feistel import Structure, is_fast, minima, trail_within

QUICK = 0.5  # seconds for one structure, while others have not had their turn


class LedgerError(RoundworksError, ValueError):
    """The ledger is of another search, or damaged."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """``reaches`` None: the solver's time was over."""

    codes: tuple[str, ...]
    shuffle: tuple[int, ...]
    rounds: int
    reaches: bool | None
    solver: str
    seconds: float


def structures(words: int) -> Iterator[Structure]:
    """All of 256 bits (36), or one of each pair of renamed ones of 512 bits (of 29,808)."""
    if words == 2:
        yield from (Structure(codes, (1, 0)) for codes in product(CODES, repeat=2))
        return
    for codes in product(CODES, repeat=4):
        for shuffle in SHUFFLES:
            it = Structure(codes, shuffle)
            if (it.codes, it.shuffle) <= renamed(it):
                yield it


def renamed(it: Structure) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The structure with its halves exchanged: word i is called i + 2, modulo 4."""
    shuffle = tuple((it.shuffle[(i + 2) % 4] + 2) % 4 for i in range(4))
    return it.codes[2:] + it.codes[:2], shuffle


def reaches(
    it: Structure, rounds: int, need: int, seconds: float | None
) -> tuple[bool | None, str]:
    """Whether no trail of differences has fewer than ``need`` executed active S-boxes."""
    if is_fast(it, "differential"):
        found = minima(it, rounds, "differential", "executed", need - 1)
        return found[-1] is None, "columns"
    light, _, solver = trail_within(it, rounds, "differential", "executed", need - 1, seconds)
    return None if light is None else not light, solver


def scan(
    words: int,
    need: int,
    instructions: int,
    ledger: Path,
    seconds: float | None = None,
    progress: Callable[[int, int, int], object] = lambda done, total, found: None,
    stop: Callable[[], bool] = lambda: False,
) -> list[Verdict]:
    """Verdicts so far; all of them once this has run to its end. ``seconds``: for one structure."""
    header = {
        "ledger": "feistel-scan-1",
        "words": words,
        "need": need,
        "instructions": instructions,
    }
    earlier = _read(ledger, header)
    known = {key: verdict for key, verdict in earlier.items() if verdict.reaches is not None}
    # What was open before is asked again when all others have had their turn.
    every = sorted(structures(words), key=lambda it: (it.codes, it.shuffle) in earlier)
    found = sum(v.reaches is True for v in known.values())
    # Most are refuted by a light trail at once: those first, and then what takes longer.
    passes = (QUICK, seconds) if seconds is None or seconds > QUICK else (seconds,)
    with ledger.open("a", encoding="utf-8") as file:
        if not earlier and ledger.stat().st_size == 0:
            file.write(json.dumps(header) + "\n")
        for limit in passes:
            for it in every:
                key = (it.codes, it.shuffle)
                if key in known:
                    continue
                if stop():
                    return list({**earlier, **known}.values())
                rounds, started = instructions // it.instructions, perf_counter()
                answer, solver = reaches(it, rounds, need, limit)
                if answer is None and limit != passes[-1]:
                    continue  # its turn comes again
                spent = round(perf_counter() - started, 3)
                verdict = Verdict(*key, rounds, answer, solver, spent)
                known[key] = verdict
                found += answer is True
                file.write(json.dumps(_fields(verdict)) + "\n")
                file.flush()
                progress(len(known), len(every), found)
    return list({**earlier, **known}.values())


def _fields(v: Verdict) -> dict[str, object]:
    return {"codes": ",".join(v.codes), "shuffle": list(v.shuffle), "rounds": v.rounds,
            "reaches": v.reaches, "solver": v.solver, "seconds": v.seconds}  # fmt: skip


def _read(
    path: Path, header: dict[str, object]
) -> dict[tuple[tuple[str, ...], tuple[int, ...]], Verdict]:
    if not path.exists() or not path.stat().st_size:
        return {}
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    if not lines[-1].endswith("\n"):  # cut while it was written; asked again
        path.write_text("".join(lines[:-1]), encoding="utf-8")
        lines = lines[:-1]
    try:
        got = json.loads(lines[0]) if lines else header
        rows = [json.loads(line) for line in lines[1:]]
        verdicts = [
            Verdict(tuple(r["codes"].split(",")), tuple(r["shuffle"]), r["rounds"], r["reaches"],
                    r["solver"], r["seconds"])
            for r in rows
        ]  # fmt: skip
    except (ValueError, KeyError, TypeError) as error:
        raise LedgerError(
            f"{path}: not a ledger of this search: {error}; name another file"
        ) from None
    if got != header:
        raise LedgerError(f"{path}: made for {got}; this search is {header}; name another file")
    return {(v.codes, v.shuffle): v for v in verdicts}
