"""Every configuration and shuffle of the Feistel permutations: which reach enough active S-boxes
within a number of instructions? [AESNI-PERM, section 4.1]

One query for each structure, at the most rounds its instructions allow: more rounds never have
fewer active S-boxes, so a trail that is light there rules the structure out. Exchanging the two
halves of four words, with the shuffle renamed, is the same permutation on renamed words; one of the
two is decided. Results go to a ledger, and a later run decides only what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any

from ...reference.feistel import CODES, SHUFFLES
from .deepening import deepen, light_trail
from .facts import Facts
from .feistel import Structure, is_fast, minima, trail_within
from .ledger import Notes

QUICK = 0.5  # seconds for one structure, while others have not had their turn
_ALONG = 10.0  # seconds for a light trail along single paths
_WHOLE = 3600.0  # seconds for one number of rounds where there is no limit


@dataclass(frozen=True, slots=True)
class ScanVerdict:
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
            design = Structure(codes, shuffle)
            if (design.codes, design.shuffle) <= renamed(design):
                yield design


def renamed(it: Structure) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The structure with its halves exchanged: word i is called i + 2, modulo 4."""
    shuffle = tuple((it.shuffle[(i + 2) % 4] + 2) % 4 for i in range(4))
    return it.codes[2:] + it.codes[:2], shuffle


def reaches(
    it: Structure, rounds: int, facts: Facts, seconds: float | None, along_paths: bool
) -> tuple[bool | None, str]:
    """Whether no trail of differences has fewer executed active S-boxes than ``facts`` need.

    ``along_paths``: a light trail is looked for along single paths first, where facts of other structures have
    one and then where few words are active; then every path is ruled out, or has the trail. That decides most of
    those that a whole query does not.
    """
    need = facts.need
    if is_fast(it, "differential"):
        result = minima(it, rounds, "differential", "executed", need - 1)
        return result[-1] is None, "columns"
    if along_paths:
        name = f"{','.join(it.codes)}/{','.join(map(str, it.shuffle))}"
        trail = light_trail(facts, name, "differential", rounds, min(seconds or _ALONG, _ALONG))
        if trail.light:
            return False, trail.solver
        for _ in deepen(facts, name, "differential", rounds, seconds or _WHOLE):
            pass
        short = facts.below(name, "differential") >= rounds
        if short or facts.reached(name, "differential", rounds):
            return not short, ", ".join(facts.solvers(name, "differential"))
        return None, trail.solver
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
) -> list[ScanVerdict]:
    """Verdicts so far; all of them once this has run to its end. ``seconds``: for one structure."""
    of = {
        "search": "scan of feistel permutations",
        "words": words,
        "need": need,
        "instructions": instructions,
    }
    kept = Notes(ledger, of, _verdict)
    earlier = {(v.codes, v.shuffle): v for v in kept.lines}
    known = {key: verdict for key, verdict in earlier.items() if verdict.reaches is not None}
    # What was open before comes again when all others have had their turn.
    every = sorted(structures(words), key=lambda it: (it.codes, it.shuffle) in earlier)
    good = sum(v.reaches is True for v in known.values())
    facts = Facts(need, "executed")
    # Most are refuted by a light trail at once: those first, and then what takes longer.
    passes = (QUICK, seconds) if seconds is None or seconds > QUICK else (seconds,)
    for limit in passes:
        for design in every:
            key = (design.codes, design.shuffle)
            if key in known:
                continue
            if stop():
                return list({**earlier, **known}.values())
            rounds, started = instructions // design.instructions, perf_counter()
            solution, solver = reaches(design, rounds, facts, limit, along_paths=limit == passes[-1])
            if solution is None and limit != passes[-1]:
                continue  # its turn comes again
            spent = round(perf_counter() - started, 3)
            verdict = ScanVerdict(*key, rounds, solution, solver, spent)
            known[key] = verdict
            good += solution is True
            codes = ",".join(verdict.codes)
            kept.keep(codes, asdict(verdict) | {"codes": codes})
            progress(len(known), len(every), good)
    return list({**earlier, **known}.values())


def _verdict(r: dict[str, Any]) -> ScanVerdict:
    codes, shuffle = tuple(r["codes"].split(",")), tuple(r["shuffle"])
    return ScanVerdict(codes, shuffle, r["rounds"], r["reaches"], r["solver"], r["seconds"])
