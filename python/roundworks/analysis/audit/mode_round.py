"""The round that a mode of blocks calls: symmetries; and the checks that need a streaming state."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...reference.batch import U8
from .automorphisms import automorphisms
from .bulk import row
from .findings import Finding
from .subject import AuditSubject
from .symmetry import Symmetry, single_cells
from .units import unit_functions


def left_out() -> list[Finding]:
    """Two checks look into the state of a stream; a mode of blocks has none to look into, and encrypts too slowly for
    a third one."""
    return [
        *(
            Finding.note(
                check,
                f"{check}: left out, a mode of blocks has no state that absorbs",
                f"{property_} is checked in a state before the finalisation. Here the same mistakes would"
                " show in truncation, extension and integrity, which use the oracles.",
            )
            for check, property_ in (
                ("lengths", "Whether the tag depends on the lengths"),
                ("tag-coverage", "Whether the tag sees every bit"),
            )
        ),
        Finding.note(
            "first-block",
            "first-block: left out, a mode of blocks encrypts one message after the other",
            "What the first block gives away of the key is looked for under hundreds of keys. Here it is the round"
            " that has to hide the key, and `roundworks analyse` has its degree over few rounds.",
        ),
    ]


_WIRED_ROUNDS = 2


def check(subject: AuditSubject) -> list[Finding]:
    """Permutations of the cells of the whole state that every round commutes with.

    What two rounds do to states with one active cell is a labelled digraph on the cells (one round
    leaves too much alike); its automorphisms are the only candidates, and random states and keys
    decide, in every round.
    """
    rng, rounds = subject.rng("symmetry"), subject.cipher.rounds
    width = min(unit.cell_bits for unit in unit_functions(subject, rng))
    if width not in (4, 8):
        return [_none(f"cells of {width} bits are not searched")]
    candidates, complete = automorphisms(*_wiring(subject, width))
    identity = tuple(range(8 * subject.state_bytes // width))
    kept = [
        symmetry
        for symmetry in (Symmetry(p, width) for p in candidates if p != identity)
        if all(_commutes(subject, rng, symmetry, i) for i in range(rounds))
    ]
    cut = "" if complete else ", and the search was cut short"
    if not kept:
        return [_none(f"{len(candidates)} candidates on {len(identity)} cells{cut}")]
    return [_finding(subject, rng, kept, rounds, cut)]


def _none(searched: str) -> Finding:
    return Finding.passed(
        "symmetry", "no permutation of cells commutes with every round", f"Searched: {searched}."
    )


def _wiring(subject: AuditSubject, width: int) -> tuple[list[list[bytes]], list[int]]:
    """How each cell changes, two rounds on, by each value of one active cell, and its value without one."""
    keys = np.zeros((1, _key_bytes(subject)), np.uint8)

    def rounds(states: U8) -> U8:
        for i in range(_WIRED_ROUNDS):
            states = _round(subject, i, states, keys)
        return states

    return single_cells(rounds, 8 * subject.state_bytes // width, width)


def _round(subject: AuditSubject, i: int, states: U8, keys: U8) -> U8:
    """Round i on N states, with the same round key in all or with none."""

    def step(S: Sequence[Any], K: Sequence[Any] = ()) -> Sequence[Any]:
        return list(subject.cipher.round(S, K, i))

    return subject.bulk.run(step, states, *([keys] if keys.shape[1] else []))


def _commutes(subject: AuditSubject, rng: random.Random, symmetry: Symmetry, i: int) -> bool:
    """On random states and round keys; the round key is moved along."""
    states = subject.random_rows(rng, 16, subject.state_bytes)
    keys = row(rng.randbytes(_key_bytes(subject)))
    moved = symmetry.apply(keys) if keys.shape[1] else keys
    after = _round(subject, i, states, keys)
    return bool((_round(subject, i, symmetry.apply(states), moved) == symmetry.apply(after)).all())


def _key_bytes(subject: AuditSubject) -> int:
    return int(subject.cipher.round_key_words * subject.cipher.word_bytes)


def _finding(
    subject: AuditSubject, rng: random.Random, kept: list[Symmetry], rounds: int, cut: str
) -> Finding:
    keyed = _key_bytes(subject) > 0
    best = kept[0]
    S, K = row(rng.randbytes(subject.state_bytes)), row(rng.randbytes(_key_bytes(subject)))
    moved = best.apply(K) if keyed else K
    number = "a permutation" if len(kept) == 1 else f"{len(kept)} permutations"
    kind = {4: "nibbles", 8: "bytes"}[best.cell_bits]
    return Finding.note(
        "symmetry",
        f"every round commutes with {number} of its {len(best.to)} {kind}"
        + (", if the round key moves along" if keyed else ", constants included"),
        f"R(p(S)) = p(R(S)) in each of {rounds} rounds{cut}. "
        + (
            "Round keys that are not symmetric are what breaks it."
            if keyed
            else "So the whole permutation has it: symmetric states stay symmetric, and only what is"
            " XORed around the permutation can break it. Whether that helps an attack on the mode"
            " was not looked at."
        ),
        {
            "cell_bits": best.cell_bits,
            "cell_moves_to": list(best.to),
            "state": S[0].tobytes().hex(),
            "round_key": K[0].tobytes().hex(),
            "next_state": _round(subject, 0, S, K)[0].tobytes().hex(),
            "next_state_of_permuted": _round(subject, 0, best.apply(S), moved)[0].tobytes().hex(),
        },
    )
