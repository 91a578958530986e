"""Guess and determine, word-wise: how few words of the state, known, give the rest from known plaintext.

The unknowns are the words of the first state and the outputs of every F and AND; all other words are sums of
them, because blocks, key and nonce of a round are taken for known. Keystream gives sums that are known. An F
whose input is a sum of what is known has a known output, and the other way round. What can be derived in
this way from words that are guessed is computed by linear algebra over GF(2).

A small number is an attack, whose cost is 2^(bits of the words guessed); a large one proves nothing: parts of words
and values of S-boxes are not looked at, nor guesses of sums of words.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ..bounds import Bound
from ..reference import StreamAead, record_round
from ..reference.graph import Recording
from .words import Wire, wiring

ROUNDS = 6


@dataclass(frozen=True, slots=True)
class WordSystem:
    """Sums of unknowns as integers, bit u for unknown u.

    ``known``: sums that the keystream gives. ``functions``: (input, output) of each F. ``states``: the words of
    the state before each round.
    """

    known: tuple[int, ...]
    functions: tuple[tuple[int, int], ...]
    states: tuple[tuple[int, ...], ...]


class _Span:
    """A linear span over GF(2), by the highest bit of each basis vector."""

    def __init__(self, vectors: Iterable[int] = ()) -> None:
        self.basis: dict[int, int] = {}
        for vector in vectors:
            self.add(vector)

    def copy(self) -> _Span:
        other = _Span()
        other.basis = dict(self.basis)
        return other

    def rest(self, vector: int) -> int:
        """What is left of a vector; 0 if it is in the span."""
        while vector and (row := self.basis.get(vector.bit_length())):
            vector ^= row
        return vector

    def add(self, vector: int) -> None:
        rest = self.rest(vector)
        if rest:
            self.basis[rest.bit_length()] = rest


def word_system(recording: Recording, rounds: int) -> WordSystem:
    """``rounds`` rounds of the recorded round, blocks known."""
    graph = wiring(recording.graph)
    words = [node for name, node in recording.inputs.items() if name.startswith("S")]
    after = [recording.outputs[f"S'{i}"] for i in range(len(words))]
    streams = [node for name, node in recording.outputs.items() if name.startswith("Z")]
    unknowns = len(words)
    state = tuple(1 << i for i in range(unknowns))
    states, known, functions = [state], list[int](), list[tuple[int, int]]()
    for _ in range(rounds):
        values = dict(zip(words, state, strict=True))
        for node in sorted(graph):
            if node not in values:
                wire = graph[node]
                value = _sum(wire, values)
                if value is None:
                    into = values[wire.operands[0]]
                    if any(values[i] for i in wire.operands):  # of a constant it is a constant
                        value = 1 << unknowns
                        unknowns += 1
                        if wire.kind != "any":
                            functions.append((into, value))
                    else:
                        value = 0
                values[node] = value
        known += [values[node] for node in streams]
        state = tuple(values[node] for node in after)
        states.append(state)
    return WordSystem(tuple(known), tuple(functions), tuple(states))


def _sum(wire: Wire, values: dict[int, int]) -> int | None:
    """The sum that an XOR is; 0 of what is known; None of what is a function."""
    if wire.kind in ("f", "linear", "any"):
        return None
    total = 0
    for operand in wire.operands:
        total ^= values[operand]
    return total


def determined(system: WordSystem, guessed: Iterable[int]) -> bool:
    """Whether the guessed sums and the keystream give a whole state."""
    return _determined(system, _Span(system.known), guessed)


def _determined(system: WordSystem, start: _Span, guessed: Iterable[int]) -> bool:
    span = start.copy()
    for vector in guessed:
        span.add(vector)
    left = list(system.functions)
    while left:
        still = []
        for into, out in left:
            if not span.rest(into):
                span.add(out)
            elif not span.rest(out):
                span.add(into)
            else:
                still.append((into, out))
        if len(still) == len(left):
            break
        left = still
    return any(not any(span.rest(word) for word in state) for state in system.states)


def guess_and_determine(
    cipher: StreamAead[Any], words: int | None = None, limit: float | None = None
) -> Bound:
    """The fewest words of the state, up to ``words``, that give all of it; None where no set of them does.

    ``words``: those that have no more bits than the key, unless set. All sets over `ROUNDS` rounds are tried, or
    those for which ``limit`` seconds are enough.
    """
    started, late = time.perf_counter(), False
    if words is None:
        words = cipher.key_bytes * 8 // cipher.word_bits
    system = word_system(record_round(cipher), ROUNDS)
    start = _Span(system.known)
    each = sorted({word for state in system.states for word in state})
    basis: tuple[int, ...] | None = None
    for size in range(words + 1):
        for chosen in combinations(each, size):
            if _determined(system, start, chosen):
                basis = chosen
                break
            late = limit is not None and time.perf_counter() - started > limit
            if late:
                break
        if late or basis is not None:
            break
    witness = None
    if basis is not None:
        witness = {"words": [_place(system, vector) for vector in basis]}
    return Bound(
        cipher=cipher.name,
        measure="guess-and-determine",
        rounds=ROUNDS,
        value=None if basis is None else len(basis),
        unit="words",
        side="upper",
        certainty="heuristic" if basis is None else "proven",
        method=f"sets of at most {words} words of the state over {ROUNDS} rounds of known plaintext;"
        " word-wise, F and XOR"
        + ("" if basis is not None else ": none gives the state; smaller parts are not looked at")
        + f"; time ran out at sets of {size} words" * late,
        witness=witness,
        seconds=time.perf_counter() - started,
    )


def _place(system: WordSystem, vector: int) -> str:
    round_, word = next(
        (r, i) for r, state in enumerate(system.states) for i, value in enumerate(state) if value == vector
    )
    return f"S{word} of round {round_}"
