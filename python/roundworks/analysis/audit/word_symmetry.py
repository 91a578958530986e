"""Permutations of whole words of the state that commute with the round."""

from __future__ import annotations

import random

import numpy as np

from ...reference.batch import U8
from .automorphisms import Permutation, automorphisms
from .bulk import row
from .findings import Finding
from .subject import AuditSubject


def word_findings(subject: AuditSubject, rng: random.Random) -> list[Finding]:
    """Permutations of the words of state (and block) that commute with the round."""
    state, block = subject.cipher.words, subject.cipher.rate_words
    labels = _wiring(subject, rng)
    results = []
    for with_block in (True, False):
        n = state + block if with_block else state
        colours = [int(i >= state) for i in range(n)]
        candidates, _ = automorphisms([line[:n] for line in labels[:n]], colours)
        good = [
            p
            for p in candidates
            if p[:state] != tuple(range(state)) and _words_commute(subject, rng, p, with_block)
        ]
        if good:
            S = row(rng.randbytes(subject.state_bytes))
            X = row(rng.randbytes(subject.rate) if with_block else bytes(subject.rate))
            results.append(
                Finding.note(
                    "symmetry",
                    f"the round commutes with {len(good)} permutations of its words"
                    + ("" if with_block else " under a zero block"),
                    "Moving the words before the round or after it is the same, so only the load"
                    f"{'' if with_block else ' and the block'} can tell them apart. The proof"
                    " names where word i of the state"
                    + (" and then of the block" if with_block else "")
                    + " moves to.",
                    {
                        "word_moves_to": list(good[0]),
                        "state": S[0].tobytes().hex(),
                        "block": X[0].tobytes().hex(),
                        "next_state": subject.round_of(S, X)[0].tobytes().hex(),
                    },
                )
            )
            break
    return results


def _wiring(subject: AuditSubject, rng: random.Random) -> list[list[int]]:
    """labels[j][i]: how word i of the next state changes with word j.

    0 not at all, 1 by the same change, 2 otherwise. Words of the block come after the state.
    """
    size, state = subject.cipher.word_bytes, subject.cipher.words
    n = state + subject.cipher.rate_words
    labels = [[0] * n for _ in range(n)]
    both = subject.random_rows(rng, 3, n * size)
    split = state * size
    base = subject.round_of(both[:, :split], both[:, split:]).reshape(3, state, size)
    for j in range(n):
        delta = subject.random_rows(rng, 3, size)
        changed = both.copy()
        changed[:, j * size : (j + 1) * size] ^= delta
        after = subject.round_of(changed[:, :split], changed[:, split:]).reshape(3, state, size)
        for i in range(state):
            change = after[:, i] ^ base[:, i]
            labels[j][i] = 0 if not change.any() else 1 if (change == delta).all() else 2
    return labels


def _words_commute(subject: AuditSubject, rng: random.Random, p: Permutation, with_block: bool) -> bool:
    size, state = subject.cipher.word_bytes, subject.cipher.words
    S = subject.random_rows(rng, 8, subject.state_bytes)
    X = subject.random_rows(rng, 8, subject.rate)
    if not with_block:
        X = np.zeros_like(X)

    def moved(data: U8, to: list[int]) -> U8:
        words = data.reshape(len(data), -1, size)
        out = np.empty_like(words)
        out[:, to] = words
        return out.reshape(data.shape)

    of_state, of_block = list(p[:state]), [i - state for i in p[state:]]
    PX = moved(X, of_block) if with_block else X
    return bool((subject.round_of(moved(S, of_state), PX) == moved(subject.round_of(S, X), of_state)).all())
