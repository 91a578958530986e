"""What a description's layers compute, as BLIF for proofs. Shares nothing with what writes
SystemVerilog: a table is its own truth table, a linear layer the images of single bits."""

from __future__ import annotations

from collections.abc import Sequence

from ..reference.components import CellPermutation, Matrix, Sbox


class _Text:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.count = 0

    def node(self, inputs: Sequence[str], ones: Sequence[str]) -> str:
        """A new wire that is 1 for the patterns `ones` of its inputs."""
        wire = f"n{self.count}"
        self.count += 1
        # A constant zero has no inputs: ABC reads no table without a line otherwise.
        self.lines.append(f".names {' '.join([*inputs, wire] if ones else [wire])}")
        self.lines += [f"{pattern} 1" for pattern in ones]
        return wire

    def total(self, wires: Sequence[str]) -> str:
        found = wires[0] if wires else self.node((), ())
        for wire in wires[1:]:
            found = self.node((found, wire), ("01", "10"))
        return found


def blif(layers: Sequence[Sbox | Matrix | CellPermutation], bits: int, *, by_bytes: bool) -> str:
    """The layers on ports data_i and data_o of a component, bit 0 first.

    A word's bits stand in the order in which it is written, the highest of cell 0 first. Ports go
    by bytes, or else by cells.
    """
    first = layers[0]
    c = 8 if by_bytes else first.bits if isinstance(first, Sbox) else first.cell_bits
    port = [c * (p // c) + c - 1 - p % c for p in range(bits)]
    text = _Text()
    word = [f"i{port[p]}" for p in range(bits)]
    for layer in layers:
        word = _layer(text, layer, word)
    for p, wire in enumerate(word):
        text.lines += [f".names {wire} o{port[p]}", "1 1"]
    head = [".model definition", _list(".inputs", "i", bits), _list(".outputs", "o", bits)]
    return "\n".join([*head, *text.lines, ".end"]) + "\n"


def _layer(text: _Text, layer: Sbox | Matrix | CellPermutation, word: list[str]) -> list[str]:
    if isinstance(layer, CellPermutation):
        c = layer.cell_bits
        moved = list(word)
        for i, to in enumerate(layer.to):
            moved[c * to : c * to + c] = word[c * i : c * i + c]
        return moved
    wide = layer.bits if isinstance(layer, Sbox) else layer.size * layer.cell_bits
    found: list[str] = []
    for at in range(0, len(word), wide):
        group = word[at : at + wide]
        for shift in reversed(range(wide)):
            if isinstance(layer, Sbox):
                ones = [f"{x:0{wide}b}" for x, y in enumerate(layer.table) if y >> shift & 1]
                found.append(text.node(group, ones))
            else:
                images = zip(group, layer.bit_columns, strict=True)
                found.append(text.total([wire for wire, image in images if image >> shift & 1]))
    return found


def _list(word: str, letter: str, count: int) -> str:
    return f"{word} {' '.join(f'{letter}{i}' for i in range(count))}"
