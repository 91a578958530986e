"""Rounds that are alike, and cosets that all rounds map to cosets of one subspace. [LEANDER-MINAUD]

A subspace V is invariant here if every round maps u + V, u what the rounds before made of the first offset,
into a coset of V. The search starts from few subspaces that designs are known to have, and adds what
differs until nothing more does: a coset that it ends with is checked, others may exist.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..errors import DescriptionError
from ..reference import BlockCipher, Recording, Sbox, StreamAead, gf2
from ..reference.aead import Rounds
from ..reference.batch import ArrayWord
from ..reference.graph import Graph
from ..reference.record import Roundwise, record_init, record_round
from ..reference.recordings import merged, run

Bits = NDArray[np.uint8]
BATCH = 64  # elements of a coset that are looked at together
STABLE = 3  # batches without anything new before a subspace counts as closed
EXHAUSTIVE = 16  # dimension up to which every element of a coset is looked at
MOST_SEEDS = 512
SMALL = 5  # bits of an S-box whose cosets are all tried


@dataclass(frozen=True, slots=True)
class Coset:
    """u + V in front of round 0, V of dimension ``dimension``; ``exhaustive``: every element was looked at.

    ``seed`` says in words where the search for it began; ``rounds`` it was followed through.
    """

    offset: int
    basis: tuple[int, ...]
    exhaustive: bool
    seed: str
    rounds: int

    @property
    def dimension(self) -> int:
        """The dimension of V."""
        return len(self.basis)


def full_rounds(it: Roundwise) -> int | None:
    """The rounds of a description, of a streaming cipher those of its initialisation; None where it has no number."""
    rounds: int | None = getattr(it, "rounds", None)
    if rounds is None and isinstance(it, StreamAead):
        try:
            return len(record_init(it))
        except DescriptionError:
            return None
    return rounds


def each_round(it: Roundwise, rounds: int) -> list[Recording]:
    """Every round alone, state S0.. (and round key K0..) in, S'0.. out.

    Raises
    ------
    DescriptionError
        ``gift-64: a block cipher: its rounds are not described one by one; want a permutation or a mode``
    """
    if isinstance(it, BlockCipher):
        raise DescriptionError(
            f"{it.name}: a block cipher: its rounds are not described one by one; want a permutation or a mode"
        )
    if isinstance(it, StreamAead) and not isinstance(it, Rounds):
        return [merged(record_round(it))] * rounds
    results = []
    for i in range(rounds):
        graph = Graph()
        state = [graph.input(f"S{k}", it.word_bits) for k in range(it.words)]
        keys = []
        if isinstance(it, Rounds):
            keys = [graph.input(f"K{k}", it.word_bits) for k in range(it.round_key_words)]
            after = it.round(state, keys, i)
        elif i == rounds - 1:
            after = it.last(it.first(state) if i == 0 else state, i)
        else:
            after = it.round(it.first(state) if i == 0 else state, i)
        inputs = {graph.nodes[w.id].name or "": w.id for w in (*state, *keys)}
        outputs = {f"S'{k}": word.id for k, word in enumerate(after)}
        results.append(merged(Recording(it.name, f"round {i}", graph, inputs, outputs)))
    return results


def without_constants(recording: Recording) -> Recording:
    """The same with zero in the place of every constant that is XORed to a word."""
    nodes = recording.graph.nodes
    added = {i for n in nodes if n.op == "xor" for i in n.inputs if nodes[i].op == "const"}
    used = {i for n in nodes if n.op != "xor" for i in n.inputs}
    changed = [replace(n, detail=0) if n.id in added - used else n for n in nodes]
    graph = Graph(changed, times=recording.graph.times)
    return Recording(recording.cipher, recording.part, graph, recording.inputs, recording.outputs)


def period(rounds: Sequence[Recording]) -> int | None:
    """The smallest p below the number of rounds with round i the same as round i + p for every i."""
    contents = [_content(one) for one in rounds]
    for p in range(1, len(contents)):
        if all(a == b for a, b in zip(contents, contents[p:], strict=False)):
            return p
    return None


def _content(recording: Recording) -> tuple[object, ...]:
    nodes = [(n.op, n.inputs, n.bits, n.detail) for n in recording.graph.nodes]
    return (*nodes, *recording.outputs.values())


def invariant_cosets(rounds: Sequence[Recording], limit: float | None = None) -> Iterator[Coset]:
    """Cosets that all of these rounds keep, keys taken as zero; no seed is begun after ``limit`` seconds.

    Raises
    ------
    DescriptionError
        A word is not of whole bytes, so that batches do not apply.
    """
    if any(node.bits % 8 for node in rounds[0].graph.nodes):
        raise DescriptionError(f"{rounds[0].cipher}: invariant subspaces: want words of whole bytes")
    bits = sum(_widths(rounds[0]))
    started = time.perf_counter()
    seen: set[tuple[int, ...]] = set()
    for offset, basis, text in _seeds(rounds[0], bits):
        if limit is not None and time.perf_counter() - started > limit:
            return
        closed = _closure(rounds, offset, basis, bits)
        if closed is None or closed in seen:
            continue
        seen.add(closed)
        exhaustive = len(closed) <= EXHAUSTIVE
        if not exhaustive or _holds(rounds, offset, closed, bits):
            yield Coset(offset, closed, exhaustive, text, len(rounds))


def _widths(recording: Recording) -> list[int]:
    return [recording.graph.nodes[id_].bits for n, id_ in recording.inputs.items() if n.startswith("S")]


def _seeds(recording: Recording, bits: int) -> Iterator[tuple[int, list[int], str]]:
    """Offsets and subspaces to begin with: one small coset in every cell, and states that a rotation of
    the cells leaves alone."""
    sboxes = [n.detail for n in recording.graph.nodes if isinstance(n.detail, Sbox)]
    width = sboxes[0].bits if sboxes else 8
    cells = bits // width
    count = 0
    for sbox in dict.fromkeys(s for s in sboxes if s.bits <= SMALL):
        for a in range(1 << width):
            for d in range(1, 1 << width):
                if a > a ^ d or count == MOST_SEEDS:
                    continue
                space = _cell_closure(sbox, a, d)
                if len(space) < width and a == min(a ^ v for v in _span(space)):
                    count += 1
                    basis = [v << width * i for i in range(cells) for v in space]
                    yield sum(a << width * i for i in range(cells)), basis, f"cells in {a:x} + <{space}>"
    for step in range(1, cells):
        if cells % step == 0:
            basis = [
                sum(1 << (width * i + bit) for i in range(first, cells, step))
                for first in range(step)
                for bit in range(width)
            ]
            yield 0, basis, f"states with period {step} in their cells"


@cache
def _cell_closure(sbox: Sbox, a: int, d: int) -> list[int]:
    """The smallest V with d that S keeps from a, S(a), S(S(a)) .. on."""
    basis: dict[int, int] = {}
    gf2.extend(basis, d)
    while True:
        size, at = len(basis), a
        for _ in range(len(sbox.table)):
            for v in _span(list(basis.values())):
                gf2.extend(basis, sbox.table[at ^ v] ^ sbox.table[at])
            if len(basis) == sbox.bits:
                return list(basis.values())
            at = sbox.table[at]
        if len(basis) == size:
            return list(basis.values())


def _span(basis: Sequence[int]) -> list[int]:
    values = [0]
    for vector in basis:
        values += [v ^ vector for v in values]
    return values


def _closure(
    rounds: Sequence[Recording], offset: int, basis: Sequence[int], bits: int
) -> tuple[int, ...] | None:
    """The smallest larger subspace that all rounds keep, as far as random elements show; None: the whole space."""
    random = np.random.default_rng(1)
    space: dict[int, int] = {}
    for vector in basis:
        gf2.extend(space, vector)
    stable = 0
    while stable < STABLE:
        size, at = len(space), _row(offset, bits)
        for one in rounds:
            choice = random.integers(0, 2, (BATCH, len(space)), np.uint8)
            choice[0] = 0
            images = _images(one, _coset(at, list(space.values()), choice))
            at = images[0]
            for row in images[1:] ^ at:
                gf2.extend(space, int.from_bytes(row.tobytes(), "big"))
            if len(space) == bits:
                return None
        stable = stable + 1 if len(space) == size else 0
    pivots, _ = gf2.eliminated(space.values())
    return tuple(sorted(pivots.values()))


def _holds(rounds: Sequence[Recording], offset: int, basis: Sequence[int], bits: int) -> bool:
    """Whether every element of every coset goes to the next one."""
    matrix = np.unpackbits(np.array([_row(v, bits) for v in basis]), axis=1)
    # What is orthogonal to the subspace vanishes on it, and on nothing else.
    columns = [int("".join(map(str, column)), 2) for column in matrix.T]
    checks = np.array([[k >> i & 1 for i in range(bits)] for k in gf2.kernel(columns)], np.float32)
    numbers = np.arange(1 << len(basis), dtype=np.uint32)
    choice = (numbers[:, None] >> np.arange(len(basis), dtype=np.uint32) & 1).astype(np.uint8)
    at, done = _row(offset, bits), set[object]()
    pivots, _ = gf2.eliminated(basis)
    for one in rounds:
        step = _content(one), gf2.reduced(int.from_bytes(at.tobytes(), "big"), pivots)
        if step in done:  # the same round on the same coset
            at = _images(one, at[None])[0]
            continue
        done.add(step)
        images = _images(one, _coset(at, basis, choice))
        at = images[0]
        outside = np.unpackbits(images ^ at, axis=1).astype(np.float32) @ checks.T
        if (outside % 2).any():
            return False
    return True


def _row(value: int, bits: int) -> Bits:
    """A state as bytes."""
    return np.frombuffer(value.to_bytes(bits // 8, "big"), np.uint8)


def _coset(offset: Bits, basis: Sequence[int], choice: Bits) -> Bits:
    """Elements offset + choice . basis, as rows of bytes."""
    matrix = np.unpackbits(np.array([_row(v, 8 * len(offset)) for v in basis]), axis=1)
    total = choice.astype(np.float32) @ matrix.astype(np.float32) % 2
    elements: Bits = np.packbits(total.astype(np.uint8), axis=1) ^ offset
    return elements


def _images(one: Recording, rows: Bits) -> Bits:
    """What a round makes of whole states, S0 first; keys are zero."""
    given, start = {}, 0
    for name, id_ in one.inputs.items():
        size = one.graph.nodes[id_].bits // 8
        if name.startswith("S"):
            given[name] = ArrayWord.from_bytes(rows[:, start : start + size])
            start += size
        else:
            given[name] = ArrayWord.from_bytes(np.zeros((len(rows), size), np.uint8))
    values = run(one, given)
    out = [values[id_] for name, id_ in one.outputs.items() if name.startswith("S'")]
    return np.hstack([np.broadcast_to(w.to_bytes(), (len(rows), w.bits // 8)) for w in out])
