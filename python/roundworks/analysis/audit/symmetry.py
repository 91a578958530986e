"""Permutations of cells that commute with the round, and the constants against them.

Found by search: what a unit does to words with one active cell is a labelled digraph on the cells;
its automorphisms are the only candidates, and random words decide.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...reference.batch import U8
from ...reference.graph import Graph
from .automorphisms import Permutation, automorphisms
from .bulk import cells, from_cells, row
from .findings import Finding
from .subject import AuditSubject
from .units import UnitFunction, unit_functions
from .word_symmetry import word_findings

_WORDS = 64


@dataclass(frozen=True, slots=True)
class Symmetry:
    """Cell i of every word moves to ``to[i]``; a word is as long as ``to``, so it may be the whole state."""

    to: Permutation
    cell_bits: int

    def apply(self, data: U8) -> U8:
        """Every word of every row permuted."""
        per_word = len(self.to) * self.cell_bits // 8
        words = cells(data.reshape(-1, per_word), self.cell_bits)
        moved = np.empty_like(words)
        moved[:, list(self.to)] = words
        return from_cells(moved, self.cell_bits).reshape(data.shape)

    def __str__(self) -> str:
        n, kind = len(self.to), {4: "nibbles", 8: "bytes"}[self.cell_bits]
        if self.to == tuple(reversed(range(n))):
            return f"the reversal of all {n} {kind}"
        if all(t == (i + self.to[0]) % n for i, t in enumerate(self.to)):
            return f"the rotation by {self.to[0]} of {n} {kind}"
        return f"the permutation {' '.join(map(str, self.to))} of {n} {kind}"


def check(subject: AuditSubject) -> list[Finding]:
    """Symmetries of the units, of the round, and of its words."""
    rng = subject.rng("symmetry")
    result, searched = [], []
    whole: list[Symmetry] | None = None
    for unit in unit_functions(subject, rng):
        if unit.cell_bits not in (4, 8):
            searched.append(f"{unit.name}: cells of {unit.cell_bits} bits are not searched")
            continue
        symmetries, candidates, complete = _of_unit(subject, rng, unit)
        searched.append(f"{unit.name}: {candidates} candidates" + ("" if complete else ", search cut short"))
        if symmetries:
            result.append(_unit_finding(subject, rng, unit, symmetries, complete))
        commuting = [s for s in symmetries if _commutes(subject, rng, s)]
        if whole is None or len(commuting) > len(whole):
            whole = commuting
    if whole:
        result += _round_findings(subject, rng, whole)
    result += word_findings(subject, rng)
    if result:
        return result
    return [
        Finding.passed(
            "symmetry",
            "no permutation commutes",
            f"Cell permutations ({'; '.join(searched) or 'no function of one word found'}) and"
            f" permutations of {subject.cipher.words} words were searched.",
        )
    ]


def _of_unit(
    subject: AuditSubject, rng: random.Random, unit: UnitFunction
) -> tuple[list[Symmetry], int, bool]:
    """Symmetries without the identity, the number of candidates, and whether that is all."""
    n = unit.bits // unit.cell_bits
    wiring = single_cells(lambda words: unit.run(subject, words), n, unit.cell_bits)
    candidates, complete = automorphisms(*wiring)
    words = subject.random_rows(rng, _WORDS, unit.bits // 8)
    image = unit.run(subject, words)
    symmetries = [Symmetry(p, unit.cell_bits) for p in candidates if p != tuple(range(n))]
    return (
        [s for s in symmetries if (unit.run(subject, s.apply(words)) == s.apply(image)).all()],
        len(candidates),
        complete,
    )


def single_cells(run: Callable[[U8], U8], n: int, width: int) -> tuple[list[list[bytes]], list[int]]:
    """What a function of n cells does to each value of one active cell, as labels (from, to), and to no
    active cell, as colours: for `automorphisms`. ``run`` takes rows of bytes."""
    values = range(1, 1 << width)
    single = np.zeros((1 + n * len(values), n), np.uint8)
    for i in range(n):
        for k, v in enumerate(values):
            single[1 + i * len(values) + k, i] = v
    out = cells(run(from_cells(single, width)), width)
    change = (out[1:] ^ out[0]).reshape(n, len(values), n)
    labels = [[change[i, :, j].tobytes() for j in range(n)] for i in range(n)]
    return labels, [int(c) for c in out[0]]


def _commutes(subject: AuditSubject, rng: random.Random, symmetry: Symmetry) -> bool:
    """Whether the round commutes with the symmetry on every word of state and block."""
    S = subject.random_rows(rng, _WORDS, subject.state_bytes)
    X = subject.random_rows(rng, _WORDS, subject.rate)
    return bool(
        (
            subject.round_of(symmetry.apply(S), symmetry.apply(X)) == symmetry.apply(subject.round_of(S, X))
        ).all()
    )


def _unit_finding(
    subject: AuditSubject, rng: random.Random, unit: UnitFunction, symmetries: list[Symmetry], complete: bool
) -> Finding:
    best = min(symmetries, key=lambda s: len(str(s)))
    x = row(rng.randbytes(unit.bits // 8))
    return Finding.note(
        "symmetry",
        f"{unit.name} commutes with {best}"
        + (f" and {len(symmetries) - 1} more" if len(symmetries) > 1 else ""),
        f"{unit.name}(p(x)) = p({unit.name}(x)) for {_list(symmetries)}"
        + ("." if complete else "; the search was cut short, there may be more.")
        + " Symmetric words stay symmetric until a constant that is not symmetric breaks them.",
        {
            "unit": unit.name,
            "cell_bits": unit.cell_bits,
            "cell_moves_to": list(best.to),
            "x": x[0].tobytes().hex(),
            "image": unit.run(subject, x)[0].tobytes().hex(),
            "permuted_x": best.apply(x)[0].tobytes().hex(),
            "image_of_permuted_x": unit.run(subject, best.apply(x))[0].tobytes().hex(),
        },
    )


def _list(symmetries: list[Symmetry]) -> str:
    shown = [str(s) for s in sorted(symmetries, key=lambda s: len(str(s)))[:3]]
    more = len(symmetries) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _round_findings(subject: AuditSubject, rng: random.Random, whole: list[Symmetry]) -> list[Finding]:
    """The round commutes; which constants stand against it, and what happens if none does."""
    constants = _constants(subject)
    broken_by = {s: [(v, p) for v, p in constants.items() if not _keeps(subject, s, v)] for s in whole}
    weakest = min(whole, key=lambda s: (len(broken_by[s]), len(str(s))))
    against = broken_by[weakest]
    S, X = row(rng.randbytes(subject.state_bytes)), row(rng.randbytes(subject.rate))
    width = subject.cipher.word_bits // 4
    proof: dict[str, Any] = {
        "cell_bits": weakest.cell_bits,
        "cell_moves_to": list(weakest.to),
        "state": S[0].tobytes().hex(),
        "block": X[0].tobytes().hex(),
        "next_state": subject.round_of(S, X)[0].tobytes().hex(),
        "next_state_of_permuted": subject.round_of(weakest.apply(S), weakest.apply(X))[0].tobytes().hex(),
        "constants_against": [f"{v:0{width}x}" for v, _ in against],
    }
    breaking = " and ".join(f"{v:0{width}x} (in {', '.join(places)})" for v, places in against)
    finding = Finding.note(
        "symmetry",
        f"the round commutes with {weakest} of every word",
        f"R(p(S); p(X)) = p(R(S; X)) for {_list(whole)}"
        f"{', and the keystream follows' if _keystream_follows(subject, rng, weakest) else ''}. "
        + (
            f"The constants that break {weakest}: {breaking}."
            if against
            else f"No constant breaks {weakest}: load, initialisation and finalisation keep it."
        ),
        proof,
    )
    return [finding, *([] if against else _weak_keys(subject, rng, weakest))]


def _keystream_follows(subject: AuditSubject, rng: random.Random, symmetry: Symmetry) -> bool:
    def keystream(states: U8) -> U8:
        return subject.bulk.run(lambda S: subject.cipher.keystream(S), states)

    S = subject.random_rows(rng, _WORDS, subject.state_bytes)
    return bool((keystream(symmetry.apply(S)) == symmetry.apply(keystream(S))).all())


def _keeps(subject: AuditSubject, symmetry: Symmetry, value: int) -> bool:
    data = row(value.to_bytes(subject.cipher.word_bytes, "big"))
    return bool((symmetry.apply(data) == data).all())


def _constants(subject: AuditSubject) -> dict[int, list[str]]:
    """Constants by value, with the steps that use them; lengths are no constants."""
    cipher = subject.cipher
    size = cipher.word_bytes

    def of(step: str, *lengths: int) -> set[int]:
        graph = Graph()

        def words(letter: str, count: int) -> list[Any]:
            return [graph.input(f"{letter}{i}", cipher.word_bits) for i in range(count)]

        K = words("K", cipher.key_bytes // size)
        N, S = words("N", cipher.nonce_bytes // size), words("S", cipher.words)
        X = words("X", cipher.rate_words)
        if step == "load":
            for word in cipher.load(K, N):
                S[0].lift(word)
        elif step == "initialisation":
            cipher.init(S, K, N)
        elif step == "finalisation":
            cipher.finalise(S, K, *lengths)
        else:
            cipher.absorb(list(S), X)
            cipher.keystream(cipher.update(S, X))
        return {node.detail for node in graph.nodes if isinstance(node.detail, int)}

    steps = {step: of(step) for step in ("load", "initialisation", "round")}
    steps["finalisation"] = of("finalisation", 8, 16) & of("finalisation", 24, 40)
    results: dict[int, list[str]] = {}
    for step, values in steps.items():
        for value in sorted(values):
            results.setdefault(value, []).append(step)
    return results


def _weak_keys(subject: AuditSubject, rng: random.Random, symmetry: Symmetry) -> list[Finding]:
    """A symmetric key and nonce that give a symmetric tag."""
    cipher = subject.cipher
    key, nonce = (
        _symmetric(rng, symmetry, size, cipher.word_bytes) for size in (cipher.key_bytes, cipher.nonce_bytes)
    )
    sealed = row(cipher.encrypt(key, nonce, b""))
    if cipher.tag_bytes % cipher.word_bytes or not (symmetry.apply(sealed) == sealed).all():
        return []
    return [
        Finding.leak(
            "symmetry",
            "symmetric keys give symmetric tags",
            f"With key and nonce unchanged by {symmetry}, the tag of the empty message is"
            " unchanged by it too, so such keys are recognised at once. Put constants without"
            " that symmetry into load and initialisation.",
            {
                "key": key.hex(),
                "nonce": nonce.hex(),
                "tag": sealed[0].tobytes().hex(),
                "cell_bits": symmetry.cell_bits,
                "cell_moves_to": list(symmetry.to),
            },
        )
    ]


def _symmetric(rng: random.Random, symmetry: Symmetry, size: int, word_bytes: int) -> bytes:
    """Random words whose cells are equal along every cycle of the symmetry."""
    words = cells(row(rng.randbytes(size)).reshape(-1, word_bytes), symmetry.cell_bits).copy()
    done: set[int] = set()
    for i in range(len(symmetry.to)):
        at = symmetry.to[i]
        while i not in done and at != i:
            words[:, at] = words[:, i]
            done.add(at)
            at = symmetry.to[at]
    return from_cells(words, symmetry.cell_bits).tobytes()
