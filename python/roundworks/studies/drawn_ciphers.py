"""Bounds of random small block ciphers against all of their inputs, by code that shares nothing with the models.

A cipher has eight bits of state and a key of eight bits, so that pairs, masks and sums can all be tried. What is
checked is one-sided: no lower bound is above what is seen, no upper bound below, and what is said to be impossible or
balanced is. With one layer that is not linear, a trail is a differential, and its weight must be equal.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bounds import Bound
from ..errors import DescriptionError
from ..prove.measures import bounds_of
from ..prove.pipeline import Query
from ..reference import BlockCipher, Matrix, Recording, Sbox
from ..reference.batch import ArrayWord
from ..reference.record import record_keyed, record_rounds
from ..reference.recordings import run

Ints = NDArray[np.int64]
LIMIT = 5.0  # seconds for a query
KEYS = 2  # subkeys of a cipher that are tried
STARTS = 8  # inputs that are followed by every difference of state and key
SAME = 1e-6


class DrawnCipher(BlockCipher[Any]):
    """Two words of four bits; in each round a layer that is not linear, one that is, and subkeys."""

    name, words, word_bits, key_words, key_word_bits = "drawn", 2, 4, 2, 4

    def __init__(self, rng: random.Random, rounds: int) -> None:
        self.rounds = rounds
        bits = rng.choice((2, 4))
        self.sbox = Sbox("drawn", tuple(rng.sample(range(1 << bits), 1 << bits)))
        rows = rng.choice(([[1, 1], [0, 1]], [[1, 0], [1, 1]], [[1, 1], [1, 0]], [[0, 1], [1, 1]]))
        self.matrix = Matrix("drawn", tuple(map(tuple, rows)), rng.choice((1, 2)))
        self.kind = rng.choice(("sbox", "sbox", "both", "and", "add", "sub"))
        self.turns = [rng.randrange(4) for _ in range(3)]
        self.mixed, self.swapped = rng.random() < 0.6, rng.random() < 0.7
        self.constants = [rng.randrange(16) for _ in range(rounds)]
        self.scheduled = rng.choice(("xor", "sbox", "turn"))

    def schedule(self, K: Sequence[Any]) -> Iterator[Any]:
        a, b = K
        for constant in self.constants:
            yield a
            if self.scheduled == "sbox":
                a, b = b.sub(self.sbox) ^ constant, a
            elif self.scheduled == "turn":
                a, b = b.rotl(self.turns[0]) ^ constant, a ^ b
            else:
                a, b = b ^ constant, a

    def encrypt(self, S: Sequence[Any], subkeys: Sequence[Any]) -> list[Any]:
        x, y = S
        for key in subkeys:
            x = x ^ key
            if self.kind in ("sbox", "both"):
                x = x.sub(self.sbox)
                y = y.sub(self.sbox) if self.kind == "both" else y ^ x
            elif self.kind == "and":
                y = y ^ (x.rotl(self.turns[0]) & x.rotl(self.turns[1]))
            else:
                y = y + x if self.kind == "add" else y - x
            if self.mixed:
                x, y = x.mix(self.matrix), y.rotl(self.turns[2])
            x, y = (y, x ^ y) if self.swapped else (x ^ y, y)
        return [x, y]


def check(rng: random.Random, folder: Path, number: int) -> str:
    """A cipher is drawn and its bounds are compared with all inputs; what contradicts them, or nothing."""
    cipher = DrawnCipher(rng, 1 + number % 3)
    for why in _contradictions(cipher, rng):
        return f"{cipher.kind}, {cipher.rounds} rounds: {why}"
    return ""


def _contradictions(cipher: DrawnCipher, rng: random.Random) -> Iterator[str]:
    values = [_Values(record_rounds(cipher, cipher.rounds), rng) for _ in range(KEYS)]
    yield from _active(_bound(cipher, "active-sboxes"), min(v.fewest() for v in values))
    yield from _active(_bound(cipher, "related-key-sboxes"), _keyed(cipher, rng))
    for view in ("differential", "linear"):
        yield from _weight(cipher, _bound(cipher, "trail", view=view), view, values)
        yield from _impossible(_bound(cipher, "impossible", view=view), view, values)
    if (bound := _bound(cipher, "degree")) is not None and bound.value is not None:
        degree = max(v.degree() for v in values)
        if degree > bound.value or (bound.side == "exact" and degree < bound.value):
            yield f"degree {bound.side} {bound.value:g}, seen {degree}"
    yield from _balanced(
        _bound(cipher, "integral", where={"S0": "*", "S1": rng.choice(("**..", ".*..", "...."))}), values
    )


def _bound(cipher: DrawnCipher, measure: str, **of: Any) -> Bound | None:
    """Over all rounds; None where the measure has no rule for this cipher, and says so, or time ran out."""
    limit = None if measure == "degree" else LIMIT
    try:
        *_, last = bounds_of(cipher, measure, Query(cipher.rounds, limit=limit, **of))
    except DescriptionError:
        return None
    return None if last.bound.certainty == "heuristic" else last.bound


class _Values:
    """Every node of a recording at all 256 states under random subkeys."""

    def __init__(self, recording: Recording, rng: random.Random) -> None:
        self.recording = recording
        states = np.arange(256)
        given = {"S0": states >> 4, "S1": states & 15}
        for name in recording.inputs:
            if name not in given:
                given[name] = np.full(256, rng.randrange(16))
        self.nodes = _run(recording, given)
        self.out = self.nodes[recording.outputs["S'0"]] << 4 | self.nodes[recording.outputs["S'1"]]

    def fewest(self) -> int:
        """Active S-boxes of a pair of states that differ."""
        left, right = np.repeat(np.arange(256), 256), np.tile(np.arange(256), 256)
        differ = left != right
        counts = _active_cells(self.recording, self.nodes, left[differ], right[differ])
        return int(counts.min())

    def differential(self) -> float:
        """-log2 of the largest probability of a difference to a difference."""
        states = np.arange(256)
        most = max(
            int(np.bincount(self.out ^ self.out[states ^ d], minlength=256).max()) for d in range(1, 256)
        )
        return -float(np.log2(most / 256))

    def linear(self) -> Ints:
        """The correlations between masks, times 256: [before, after]."""
        signs = 1 - 2 * (np.bitwise_count(np.arange(256)[:, None] & np.arange(256)).astype(np.int64) & 1)
        table: Ints = signs @ signs[self.out]
        return table

    def degree(self) -> int:
        """The largest algebraic degree of a bit of the result."""
        forms = self.out.copy()
        for step in (1 << i for i in range(8)):
            pairs = forms.reshape(-1, 2, step)
            pairs[:, 1] ^= pairs[:, 0]
        return max(int(u).bit_count() for u in np.flatnonzero(forms))


def _run(recording: Recording, given: dict[str, Ints]) -> dict[int, Ints]:
    words = {name: ArrayWord(value[None].astype(np.uint8), 4) for name, value in given.items()}
    count = len(next(iter(given.values())))
    nodes = run(recording, words)
    return {n: np.broadcast_to(word.in_cells(4)[0].astype(np.int64), (count,)) for n, word in nodes.items()}


def _active_cells(recording: Recording, nodes: dict[int, Ints], left: Ints, right: Ints) -> Ints:
    """Of pairs of inputs, by their places: the S-boxes that differ, those of one table and input once."""
    counts, seen = np.zeros(len(left), np.int64), set()
    for node in recording.graph.nodes:
        if isinstance(node.detail, Sbox) and (node.inputs[0], node.detail.table) not in seen:
            seen.add((node.inputs[0], node.detail.table))
            change = nodes[node.inputs[0]][left] ^ nodes[node.inputs[0]][right]
            mask = (1 << node.detail.bits) - 1
            for shift in range(0, node.bits, node.detail.bits):
                counts += (change >> shift & mask) != 0
    return counts


def _keyed(cipher: DrawnCipher, rng: random.Random) -> int:
    """The fewest active S-boxes of some inputs and every difference of state and key."""
    recording, best = record_keyed(cipher, cipher.rounds), 1 << 30
    every = np.arange(1 << 16)
    places = ("S0", "S1", "K0", "K1")
    nodes = _run(recording, {name: every >> 12 - 4 * i & 15 for i, name in enumerate(places)})
    for _ in range(STARTS):
        start = rng.randrange(1 << 16)
        pairs = every[every != start]
        best = min(best, int(_active_cells(recording, nodes, np.full_like(pairs, start), pairs).min()))
    return best


def _active(bound: Bound | None, seen: int) -> Iterator[str]:
    if bound is not None and bound.side != "upper" and bound.value is not None and bound.value > seen:
        yield f"{bound.measure}: at least {bound.value:g}, seen {seen}"


def _weight(cipher: DrawnCipher, bound: Bound | None, view: str, values: Sequence[_Values]) -> Iterator[str]:
    """Of one round, where a trail is a differential (a hull of one trail)."""
    if bound is None or cipher.rounds > 1 or bound.value is None or bound.side == "upper":
        return
    if view == "differential":
        truth = min(v.differential() for v in values)
    else:
        table = values[0].linear()
        truth = -2 * float(np.log2(np.abs(table[:, 1:]).max() / 256))
    rounded = "rounded" in bound.method
    if bound.value > truth + SAME or (bound.side == "exact" and not rounded and bound.value < truth - SAME):
        yield f"trail, {view}: {bound.side} {bound.value:g}, seen {truth:g}"


def _impossible(bound: Bound | None, view: str, values: Sequence[_Values]) -> Iterator[str]:
    """No pair of values has the patterns of the witness (no correlation is there)."""
    if bound is None or not bound.value or not bound.witness:
        return
    before = _members(bound.witness, "S")
    after = _members(bound.witness, "S'")
    states = np.arange(256)
    for one in values:
        if view == "linear":
            if one.linear()[np.ix_(before, after)].any():
                yield "a correlation that is said to be zero is not"
        elif any(np.isin(one.out ^ one.out[states ^ d], after).any() for d in before):
            yield "an impossible differential is followed"


def _members(witness: dict[str, Any], letter: str) -> list[int]:
    """The states whose cells are active where the pattern has a star, and only there."""
    patterns = [str(witness.get(f"{letter}{i}", "")) for i in range(2)]
    cells = max((len(p) for p in patterns if p), default=1)
    width = 4 // cells
    stars = "".join(p or "." * cells for p in patterns)

    def fits(state: int) -> bool:
        parts = (state >> 8 - width * (i + 1) & (1 << width) - 1 for i in range(len(stars)))
        return all((part != 0) == (star == "*") for part, star in zip(parts, stars, strict=True))

    return [state for state in range(1, 256) if fits(state)]


def _balanced(bound: Bound | None, values: Sequence[_Values]) -> Iterator[str]:
    if bound is None or not bound.value or not bound.witness:
        return

    def mask(what: str) -> int:
        first, second = (int(str((bound.witness or {}).get(f"{what}{i}", "0")), 16) for i in range(2))
        return first << 4 | second

    active, claimed = mask("active S"), mask("balanced S'")
    for one in values:
        for rest in {x & ~active for x in range(256)}:
            inside = [x for x in range(256) if x & ~active == rest]
            total = int(np.bitwise_xor.reduce(one.out[inside]))
            if total & claimed:
                yield f"integral: bits {claimed:02x} balanced, their sum is {total:02x}"
                return
