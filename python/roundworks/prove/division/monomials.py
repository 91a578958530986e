"""Monomial trails of a recorded graph, as a `Problem` whose solutions are counted. [HU-MONOMIAL] [HAO]

x^u is in the polynomial of y^v exactly if the number of trails from u to v is odd. So every layer is exact,
and every trail must be one solution: no variable may be left free. It is the model of the division property
with other rules for COPY, AND, S-boxes and known constants.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from ...analysis.sboxes import anf
from ...reference.components import Sbox
from ...reference.graph import Node, Recording
from ...reference.recordings import constants
from ..bitwise.layers import rows
from ..bitwise.sbox_tables import mirrored
from ..solvers.problem import Clause, Problem, Var
from .model import Bit, Bits, DivisionModel, _Builder
from .walk import walk

Place = tuple[str, int]  # a word and a bit of it, bit 0 the most significant


@dataclass(frozen=True, slots=True)
class Inputs:
    """What each bit of the inputs is, as text of a character for a bit: ``*`` summed over, ``?`` a variable,
    ``0`` or ``1`` constant."""

    words: Mapping[str, str]

    def places(self, kind: str) -> list[Place]:
        """The places of the bits of one kind."""
        return [
            (name, i) for name, text in self.words.items() for i, letter in enumerate(text) if letter == kind
        ]


@dataclass
class MonomialModel:
    """Trails from the product of the cube and a monomial in ``variables`` to one output bit."""

    problem: Problem
    variables: dict[Place, Var]
    choices: list[Var]
    """Terms of sums and inputs of S-boxes: a trail is what it has of these."""


def model(recording: Recording, inputs: Inputs, place: Place) -> MonomialModel:
    """The trails to one bit of the one output of the recording."""
    building = _Monomials(DivisionModel(recording), inputs)
    cube = {name: int(text.translate(_CUBE), 2) for name, text in inputs.words.items()}
    (output,) = walk(recording, cube, building.start, building.step, building.copies).values()
    for i, bit in enumerate(output):
        if bit is not None:
            building.problem.fix(bit, i == place[1])
        elif i == place[1]:
            building.problem.any_of([])  # a bit that is always 0
    return MonomialModel(building.problem, building.variables, list(dict.fromkeys(building.choices)))


_CUBE = str.maketrans("*?.01", "10000")


class _Monomials(_Builder):
    """The rules by which monomials go through a layer."""

    def __init__(self, division: DivisionModel, inputs: Inputs) -> None:
        super().__init__(division)
        self.inputs = inputs
        self.values = constants(division.recording)
        self.constants = {}  # a constant is a word like others, whose bits are known where it begins
        self.variables: dict[Place, Var] = {}
        self.choices: list[Var] = []

    def start(self, node: Node, mask: int) -> Bits:
        known = self.values.get(node.id)
        text = self.inputs.words[node.name or ""] if known is None else f"{known:0{node.bits}b}"
        bits: Bits = []
        for i, letter in enumerate(text):
            bits.append(None if letter == "0" else self.problem.variable(f"{node.id}.{i}"))
            if letter == "*":
                self.problem.fix(_there(bits[-1]), True)
            elif letter == "?":
                self.variables[node.name or "", i] = _there(bits[-1])
        return bits

    def _split(self, bit: Var, count: int, name: str) -> list[Bit]:
        """COPY: a bit is in the product if any copy of it is."""
        parts = self.problem.variables(f"{name}c", count)
        self.problem.add(Clause((-(bit + 1), *(p + 1 for p in parts))))
        for part in parts:
            self.problem.add(Clause((-(part + 1), bit + 1)))
        return list(parts)

    def _xor(self, terms: Sequence[Bit], node: Node) -> Bit:
        """XOR: one term is in the product where the sum is."""
        total = super()._xor(terms, node)
        if total not in terms:
            self.choices += [bit for bit in terms if bit is not None]
        return total

    def _and(self, node: Node, into: list[Bits]) -> Bits:
        """AND: both inputs are in the product, or neither."""
        made: Bits = []
        for a, b in zip(*into, strict=True):
            if a is None or b is None:
                for bit in (a, b):
                    if bit is not None:
                        self.problem.fix(bit, False)
                made.append(None)
                continue
            self.problem.add(Clause((-(a + 1), b + 1)))
            self.problem.add(Clause((a + 1, -(b + 1))))
            made.append(a)
        return made

    def _sboxes(self, node: Node, sbox: Sbox, into: Bits) -> Bits:
        out: Bits = []
        for cell in range(0, node.bits, sbox.bits):
            known = into[cell : cell + sbox.bits]
            fresh: Bits = list(self.problem.variables(f"{node.id}.{cell}", sbox.bits))
            self.problem.table([*known, *fresh], _monomials(sbox))
            self.choices += [bit for bit in known if bit is not None]
            out += fresh
        return out

    def _matrix(self, node: Node, into: Bits) -> Bits:
        width = node.detail.size * node.detail.cell_bits  # type: ignore[union-attr]
        one = tuple(tuple(row) for row in rows(node)[:width])
        groups = (into[start : start + width] for start in range(0, node.bits, width))
        return [bit for group in groups for bit in self._circuit(node, group, one)]


def _there(bit: Bit) -> Var:
    assert bit is not None
    return bit


@cache
def _monomials(sbox: Sbox) -> frozenset[int]:
    """u | v << n where x^u is in the polynomial of S(x)^v."""
    table, bits = np.array(sbox.table), sbox.bits
    members = set()
    for v in range(1 << bits):
        for u in np.flatnonzero(anf((table & v) == v)):
            members.add(mirrored(int(u), bits) | mirrored(v, bits) << bits)
    return frozenset(members)


Polynomial = frozenset[frozenset[Place]]


def text_of_polynomial(polynomial: Polynomial, most: int = 12) -> str:
    """K0.3 K1.7 ^ K0.1 ^ 1, the terms of lowest degree first, and how many are left out above ``most``."""
    terms = sorted((sorted(monomial) for monomial in polynomial), key=lambda m: (len(m), m))
    texts = [" ".join(f"{name}.{bit}" for name, bit in term) or "1" for term in terms]
    more = f" ^ {len(texts) - most} more terms" if len(texts) > most else ""
    return (" ^ ".join(texts[:most]) or "0") + more


def value_of_polynomial(polynomial: Polynomial, ones: Sequence[Place] | frozenset[Place]) -> int:
    """Its value where the bits of ``ones`` are 1 and the others 0."""
    there = frozenset(ones)
    return sum(monomial <= there for monomial in polynomial) % 2
