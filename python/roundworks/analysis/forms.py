"""Every bit of a recorded graph as a sum over GF(2) of bits that are not sums, and what is equal then.

Bits of inputs, S-boxes, ANDs and carries are no sums. Whatever matrices, permutations, XORs and constants lead
to two S-boxes, they have one input if its bits are the same sums, and their inputs follow from each
other if the bits span the same sums. Each bit that is no sum has a random tag of 128 bits and a sum is
the XOR of its tags: equal sums are never taken for different ones, different ones hardly ever for equal.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import cast

from ..reference import gf2
from ..reference.components import CellPermutation, Matrix, Sbox
from ..reference.graph import Node, Recording

TAG_BITS = 128
Form = int  # the constant in bit 0, the tags above
Place = tuple[int, int]  # an S-box: its node and cell
_ONE: Form = 1


def forms(
    recording: Recording, tag_bits: int = TAG_BITS, units: dict[Hashable, Form] | None = None
) -> dict[int, list[Form]]:
    """Of every node its bits, the most significant first.

    ``tag_bits``: sums of more bits than that cannot all be independent. ``units``: an empty table that is filled with
    every bit that is no sum; tags then are single bits in the order of the table, so that a sum shows its terms.
    """
    rng, tags = random.Random(0), dict[Hashable, Form]() if units is None else units
    results: dict[int, list[Form]] = {}

    def tag(*key: Hashable) -> Form:
        fresh = rng.getrandbits(tag_bits) << 1 if units is None else 2 << len(tags)
        return tags.setdefault(key, fresh)

    def sboxes(sbox: Sbox, word: Sequence[Form]) -> Iterable[Form]:
        for cell in _cells(word, sbox.bits):
            if all(bit <= _ONE for bit in cell):
                value = sbox.table[int("".join(map(str, cell)), 2)]
                yield from (value >> i & 1 for i in reversed(range(sbox.bits)))
            else:
                yield from (tag("sub", sbox.table, cell, i) for i in range(sbox.bits))

    for node in recording.graph.nodes:
        operands, detail = [results[i] for i in node.inputs], node.detail
        if node.op == "input":
            results[node.id] = [tag("input", node.id, i) for i in range(node.bits)]
        elif node.op == "const":
            value = cast(int, detail)
            results[node.id] = [value >> i & 1 for i in reversed(range(node.bits))]
        elif node.op == "xor":
            results[node.id] = [a ^ b for a, b in zip(*operands, strict=True)]
        elif node.op == "and":
            results[node.id] = [
                _known(a, b) if min(a, b) <= _ONE or a == b else tag("and", frozenset({a, b}))
                for a, b in zip(*operands, strict=True)
            ]
        elif node.op == "add":
            *high, (a, b) = zip(*operands, strict=True)
            whole = frozenset(map(tuple, operands))
            carried = [tag("add", whole, len(whole), i) for i in range(len(high))]
            results[node.id] = [*carried, a ^ b]
        elif node.op == "cut":
            first = cast(int, detail)
            results[node.id] = operands[0][first : first + node.bits]
        elif node.op == "join":
            results[node.id] = [bit for word in operands for bit in word]
        elif isinstance(detail, Sbox):
            results[node.id] = list(sboxes(detail, operands[0]))
        else:
            results[node.id] = _layer(node, operands[0])
    return results


def _known(a: Form, b: Form) -> Form:
    """An AND of a bit with itself or with a constant."""
    return min(a, b) and max(a, b)


def _layer(node: Node, word: Sequence[Form]) -> list[Form]:
    layer = cast(Matrix | CellPermutation, node.detail)
    if isinstance(layer, CellPermutation):
        cells = list(_cells(word, layer.cell_bits))
        moved = dict(zip(layer.to, cells, strict=True))
        return [bit for to in range(len(cells)) for bit in moved[to]]
    out: list[Form] = []
    size = layer.size * layer.cell_bits
    for group in _cells(word, size):
        made = [0] * size
        for bit, column in zip(group, layer.bit_columns, strict=True):
            for i in range(size):
                if column >> size - 1 - i & 1:
                    made[i] ^= bit
        out += made
    return out


def _cells(word: Sequence[Form], bits: int) -> Iterable[tuple[Form, ...]]:
    return (tuple(word[i : i + bits]) for i in range(0, len(word), bits))


def same_inputs(recording: Recording) -> list[list[Place]]:
    """S-boxes of one table and one input, where there is more than one."""
    return _groups(recording, lambda sbox, cell: (sbox.table, cell))


def related_inputs(recording: Recording) -> list[list[Place]]:
    """S-boxes whose inputs follow from each other, as by a constant or a linear map, so that they are
    no more independent than one."""
    return _groups(
        recording, lambda sbox, cell: frozenset(gf2.eliminated(bit >> 1 for bit in cell)[0].values())
    )


def _groups(recording: Recording, key: Callable[[Sbox, tuple[Form, ...]], Hashable]) -> list[list[Place]]:
    """Places of S-boxes by a key of their input, those of constants left out."""
    result, places = forms(recording), defaultdict[Hashable, list[Place]](list)
    for node in recording.graph.nodes:
        if isinstance(sbox := node.detail, Sbox):
            for i, cell in enumerate(_cells(result[node.inputs[0]], sbox.bits)):
                if any(bit > _ONE for bit in cell):
                    places[key(sbox, cell)].append((node.id, i))
    return [group for group in places.values() if len(group) > 1]
