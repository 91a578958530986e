"""Which nodes of a recorded graph are AES rounds, and which only move 32-bit columns between words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..reference import CellPermutation, Matrix, Node, Sbox
from ..reference.aes import MIX_COLUMNS, SHIFT_ROWS, SUB_BYTES
from .mixing import Columns, source

_DWORDS = (0, 0xFFFFFFFF)


def aes_chain(nodes: Sequence[Node], node: Node) -> tuple[str, int] | None:
    """`aesenc` or `aesenclast` without its key, and the node it works on.

    Layers are known by what they do, whatever they are called and whether or not in a unit.
    """
    kind, inner = "aesenclast", node
    if inner.op == "mix" and _same(inner.detail, MIX_COLUMNS):
        kind, inner = "aesenc", nodes[inner.inputs[0]]
    if inner.op not in ("sub", "permute") or inner.bits != 128:
        return None
    other = nodes[inner.inputs[0]]
    if {inner.op, other.op} != {"sub", "permute"}:
        return None
    sub, permute = (inner, other) if inner.op == "sub" else (other, inner)
    if not _same(sub.detail, SUB_BYTES) or not _same(permute.detail, SHIFT_ROWS):
        return None
    return kind, other.inputs[0]


def _same(detail: object, layer: Sbox | Matrix | CellPermutation) -> bool:
    if isinstance(detail, Sbox) and isinstance(layer, Sbox):
        return detail.table == layer.table
    if isinstance(detail, Matrix) and isinstance(layer, Matrix):
        parts = [(m.rows, m.cell_bits, m.polynomial) for m in (detail, layer)]
        return parts[0] == parts[1]
    if isinstance(detail, CellPermutation) and isinstance(layer, CellPermutation):
        return (detail.to, detail.cell_bits) == (layer.to, layer.cell_bits)
    return False


def columns_of(nodes: Sequence[Node], known: Mapping[int, Columns | None], node: Node) -> Columns | None:
    """The node as columns of other nodes, if it is made by moving, masking and joining columns.

    ``known`` has the result for all nodes before it.
    """
    if node.bits != 128:
        return None
    if node.op == "permute" and (order := _dwords(node.detail)) is not None:
        inner = known[node.inputs[0]] or source(node.inputs[0])
        return _four(inner[at] for at in order)
    if node.op == "and":
        masks = [nodes[i].detail for i in node.inputs if nodes[i].op == "const"]
        words = [i for i in node.inputs if nodes[i].op != "const"]
        if len(masks) == 1 == len(words) and isinstance(mask := masks[0], int):
            parts = [mask >> shift & 0xFFFFFFFF for shift in (96, 64, 32, 0)]
            if all(part in _DWORDS for part in parts):
                inner = known[words[0]] or source(words[0])
                return _four(c if part else None for c, part in zip(inner, parts, strict=True))
    if node.op == "xor":
        left, right = (known[i] for i in node.inputs)
        if left is not None and right is not None:
            pairs = list(zip(left, right, strict=True))
            if all(None in pair for pair in pairs):
                return _four(a or b for a, b in pairs)
    return None


def moves_bytes(detail: object) -> bool:
    """Whether a layer is a permutation of whole bytes."""
    return isinstance(detail, CellPermutation) and detail.cell_bits % 8 == 0


def _dwords(detail: object) -> tuple[int, ...] | None:
    """Where each of the four columns comes from, if whole columns move."""
    if not isinstance(detail, CellPermutation) or detail.cell_bits % 32:
        return None
    per = detail.cell_bits // 32
    order = [0] * 4
    for cell, to in enumerate(detail.to):
        for i in range(per):
            order[to * per + i] = cell * per + i
    return tuple(order)


def _four(of: Iterable[tuple[int, int] | None]) -> Columns:
    a, b, c, d = of
    return a, b, c, d
