"""Structured words that a unit keeps, the zero state, and words that the round never changes."""

from __future__ import annotations

import random

import numpy as np

from ...reference.batch import U8
from .bulk import from_cells, row
from .findings import Finding
from .subject import AuditSubject
from .units import UnitFunction, unit_functions

_MOST_WORDS = 1 << 16  # of one family
_MOST_WORDS_SLOW = 1 << 10
_EXAMPLES = 4


def check(subject: AuditSubject) -> list[Finding]:
    """Fixed words of the units and of the round."""
    rng = subject.rng("fixed-words")
    return _with_units(
        subject,
        rng,
        _of_state(subject, rng),
        ", the zero state under a zero block, and each word of the state over one round",
    )


def of_units(subject: AuditSubject) -> list[Finding]:
    """The units alone, of a mode of blocks: it has no state that absorbs."""
    return _with_units(subject, subject.rng("fixed-words"), [], "")


def _with_units(subject: AuditSubject, rng: random.Random, found: list[Finding], more: str) -> list[Finding]:
    tried = 0
    for unit in unit_functions(subject, rng):
        findings, count = _of_unit(subject, unit)
        found += findings
        tried += count
    if found:
        return found
    return [
        Finding.passed(
            "fixed-words",
            "none among structured words",
            f"{tried} words with repeating cells{more} were looked at.",
        )
    ]


def _of_state(subject: AuditSubject, rng: random.Random) -> list[Finding]:
    cipher, result = subject.cipher, []

    zero = row(bytes(subject.state_bytes))
    if not subject.round_of(zero, row(bytes(subject.rate))).any():
        result.append(
            Finding.note(
                "fixed-words",
                "the zero state stays zero under a zero block",
                "R(0; 0) = 0: a round without a constant. Keep the zero state out of reach: key,"
                " nonce and constants in load, constants in initialisation and finalisation.",
                {"state": bytes(subject.state_bytes).hex(), "block": bytes(subject.rate).hex()},
            )
        )
    S = subject.random_rows(rng, 8, subject.state_bytes)
    after = subject.round_of(S, subject.random_rows(rng, 8, subject.rate))
    same = (after == S).reshape(8, cipher.words, -1).all(axis=(0, 2))
    if same.any():
        kept = [f"S{i}" for i in np.flatnonzero(same)]
        result.append(
            Finding.note(
                "fixed-words",
                f"the round never changes {', '.join(kept)}",
                "These words hold what the initialisation left there for the whole message. That"
                " is a key feed if meant so; if not, the state is that much smaller.",
                {"words": kept, "state": S[0].tobytes().hex(), "next_state": after[0].tobytes().hex()},
            )
        )
    return result


def _of_unit(subject: AuditSubject, unit: UnitFunction) -> tuple[list[Finding], int]:
    """Families of words with a short period of cells: fixed points, and whether they stay in."""
    if unit.cell_bits not in (4, 8) or unit.moves_only:
        return [], 0
    n, tried = unit.bits // unit.cell_bits, 0
    findings: list[Finding] = []
    most = _MOST_WORDS if subject.bulk.fast_steps else _MOST_WORDS_SLOW
    fixed_seen: set[bytes] = set()
    for period in (1, 2, 4):
        if n % period or (1 << unit.cell_bits * period) > most:
            continue
        words = _family(n, unit.cell_bits, period)
        image = unit.run(subject, words)
        tried += len(words)
        index = {w.tobytes(): i for i, w in enumerate(words)}
        to = [index.get(w.tobytes()) for w in image]
        fixed = [words[i].tobytes() for i, t in enumerate(to) if t == i]
        new = [w for w in fixed if w not in fixed_seen]
        fixed_seen.update(new)
        shape = "all cells equal" if period == 1 else f"cells of period {period}"
        if new:
            findings.append(
                Finding.note(
                    "fixed-words",
                    f"{unit.name} has {len(new)} fixed word{'s' * (len(new) > 1)} with {shape}",
                    f"{unit.name}(x) = x for these; a designer keeps such words out of the"
                    " constants, and counts on key feed or constants to leave them.",
                    {"unit": unit.name, "fixed": [w.hex() for w in new[:_EXAMPLES]], "count": len(new)},
                )
            )
        if None not in to:
            cycle = _shortest_cycle([t for t in to if t is not None])
            findings.append(
                Finding.note(
                    "fixed-words",
                    f"{unit.name} maps the {len(words)} words with {shape} to themselves",
                    f"The set is invariant: a word in it never leaves it through {unit.name}"
                    f" alone; the shortest cycle in it has length {len(cycle)}. Constants outside"
                    " the set are what breaks it.",
                    {
                        "unit": unit.name,
                        "period_cells": period,
                        "cell_bits": unit.cell_bits,
                        "words": len(words),
                        "cycle": [words[i].tobytes().hex() for i in cycle[:_EXAMPLES]],
                        "cycle_length": len(cycle),
                    },
                )
            )
    return findings, tried


def _family(n: int, cell_bits: int, period: int) -> U8:
    """All words of n cells that repeat after ``period`` cells."""
    numbers = np.arange(1 << cell_bits * period)
    mask = (1 << cell_bits) - 1
    pattern = np.stack(
        [numbers >> cell_bits * (period - 1 - k) & mask for k in range(period)], axis=1
    ).astype(np.uint8)
    return from_cells(np.tile(pattern, (1, n // period)), cell_bits)


def _shortest_cycle(to: list[int]) -> list[int]:
    """The shortest cycle of a map of 0..len-1 into itself."""
    best: list[int] = []
    state = [0] * len(to)  # walk that saw it, 0 for none
    for start in range(len(to)):
        walk, at = [], start
        while state[at] == 0:
            state[at] = start + 1
            walk.append(at)
            at = to[at]
        if state[at] == start + 1:
            cycle = walk[walk.index(at) :]
            if not best or len(cycle) < len(best):
                best = cycle
    return best
