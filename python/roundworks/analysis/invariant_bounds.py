"""Invariants of the rounds as bounds: what is left alone by all of them, with and without their constants."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import islice
from typing import Any

from ..bounds import Bound
from ..reference import Permutation, Recording, Roundwise, record_rounds
from ..reference.recordings import merged
from .invariants import quadratic_invariants, text_of_form
from .similarity import Coset, each_round, full_rounds, invariant_cosets, period, without_constants

ROUNDS = 16  # of a description that has no number of its own
SHOWN = 3  # cosets that a search ends with


def _rounds(it: Roundwise) -> int:
    return full_rounds(it) or ROUNDS


def nonlinear_invariant(it: Roundwise) -> Bound:
    """The dimension of the space of quadratic invariants, sums of functions of cells, over all rounds.

    Exact within its class: it is linear algebra over all of them.
    """
    started, rounds = time.perf_counter(), _rounds(it)
    recording = merged(record_rounds(it, rounds))
    with_ = quadratic_invariants(recording)
    without = quadratic_invariants(recording, with_constants=False)
    witness: dict[str, Any] = {"without constants": len(without.forms)}
    shown = with_ if with_.forms else without
    if shown.forms:
        witness["invariant"] = text_of_form(shown.forms[0])
        witness["weak round keys, log2"] = f"{shown.weak_key_bits} of {shown.bits}"
    return Bound(
        cipher=it.name,
        measure="nonlinear-invariant",
        rounds=rounds,
        value=len(with_.forms),
        unit="dimension",
        side="exact",
        certainty="proven",
        method="sums over cells of functions of degree at most 2 that S-boxes and affine layers leave alone up to"
        " a constant, keys zero; all of them, by linear algebra; others may exist",
        witness=witness,
        seconds=time.perf_counter() - started,
    )


def invariant_subspace(it: Roundwise, limit: float | None = None) -> Bound:
    """The dimension of the smallest subspace found of which all rounds map one coset to cosets; None without one.

    ``limit``: seconds, half of them for the rounds without their constants.
    """
    started, rounds = time.perf_counter(), _rounds(it)
    each = each_round(it, rounds)
    half = None if limit is None else limit / 2
    cosets = _smallest(each, half)
    free = _smallest([without_constants(one) for one in each], half)
    spent = time.perf_counter() - started
    best = min(cosets, key=lambda c: c.dimension, default=None)
    witness: dict[str, Any] = {}
    digits = it.words * it.word_bits // 4
    for coset, name in (
        (best, ""),
        (min(free, key=lambda c: c.dimension, default=None), "without constants: "),
    ):
        if coset is not None:
            witness[f"{name}dimension"] = coset.dimension
            witness[f"{name}from"] = coset.seed
            witness[f"{name}offset"] = f"{coset.offset:0{digits}x}"
            witness[f"{name}basis"] = [f"{v:0{digits}x}" for v in coset.basis]
    looked = (
        "every element of its cosets"
        if best is not None and best.exhaustive
        else "random elements of its cosets"
    )
    return Bound(
        cipher=it.name,
        measure="invariant-subspace",
        rounds=rounds,
        value=None if best is None else best.dimension,
        unit="dimension",
        side="upper",
        certainty="proven" if best is not None and best.exhaustive else "measured" if best else "heuristic",
        method=f"a subspace of which {rounds} rounds map one coset to cosets, keys zero; "
        + (f"{looked} were followed; " if best else "none found; ")
        + "the search begins with cosets in every cell, of S-boxes of at most 5 bits, and periodic states:"
        " others may exist" + ("; time ran out" if limit is not None and spent > limit else ""),
        witness=witness or None,
        seconds=spent,
    )


def _smallest(rounds: Sequence[Recording], limit: float | None) -> list[Coset]:
    return list(islice(invariant_cosets(rounds, limit), SHOWN))


def slide(it: Roundwise) -> Bound:
    """After how many rounds the rounds repeat, constants included; None where they never do. Exact."""
    started, rounds = time.perf_counter(), _rounds(it)
    each = each_round(it, rounds)
    if isinstance(it, Permutation) and type(it).last is not Permutation.last:
        each = each[:-1]
    repeats = period(each)
    seen = "none exists below the number of rounds"
    if repeats is not None:
        pairs = len(each) - repeats
        seen = f"seen over {pairs} pair{'s' * (pairs != 1)} of rounds"
        seen += "; with keys that repeat as well, slid pairs exist" * (pairs >= repeats)
    return Bound(
        cipher=it.name,
        measure="slide",
        rounds=rounds,
        value=repeats,
        unit="rounds",
        side="exact",
        certainty="proven",
        method=f"the smallest p with round i + p the same as round i for all i, constants included, keys aside; {seen}",
        seconds=time.perf_counter() - started,
    )
