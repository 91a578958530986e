"""What a description's layers compute, as BLIF for proofs. Shares nothing with what writes
SystemVerilog: a table is its own truth table, a linear layer the images of single bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...reference.components import CellPermutation, Matrix, Sbox
from ...reference.graph import Graph


class Text:
    """Lines of BLIF; a wire is a name."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.count = 0

    def node(self, inputs: Sequence[str], ones: Sequence[str]) -> str:
        """A new wire that is 1 for the patterns `ones` of its inputs."""
        wire = f"n{self.count}"
        self.count += 1
        # A constant zero has no inputs: ABC reads no table without a line otherwise.
        self.lines.append(f".names {' '.join([*inputs, wire] if ones else [wire])}")
        self.lines += [f"{pattern} 1".strip() for pattern in ones]
        return wire

    def both(self, a: str, b: str) -> str:
        """The wire that is the AND of two."""
        return self.node((a, b), ("11",))

    def total(self, wires: Sequence[str]) -> str:
        """The wire that is the sum modulo 2 of all; 0 of none."""
        total = wires[0] if wires else self.node((), ())
        for wire in wires[1:]:
            total = self.node((total, wire), ("01", "10"))
        return total


def blif(layers: Sequence[Sbox | Matrix | CellPermutation], bits: int, *, by_bytes: bool) -> str:
    """The layers on ports data_i and data_o of a component, bit 0 first.

    A word's bits stand in the order in which it is written, the highest of cell 0 first. Ports go
    byte-wise, or else cell-wise.
    """
    first = layers[0]
    c = 8 if by_bytes else first.bits if isinstance(first, Sbox) else first.cell_bits
    port = [c * (p // c) + c - 1 - p % c for p in range(bits)]
    text = Text()
    word = [f"i{port[p]}" for p in range(bits)]
    for layer in layers:
        word = _layer(text, layer, word)
    for p, wire in enumerate(word):
        text.lines += [f".names {wire} o{port[p]}", "1 1"]
    head = [".model definition", _list(".inputs", "i", bits), _list(".outputs", "o", bits)]
    return "\n".join([*head, *text.lines, ".end"]) + "\n"


def recorded(text: Text, graph: Graph, words: dict[int, list[str]], roots: Sequence[int]) -> None:
    """The words that `roots` need, added to those known: node -> its wires, the highest bit first."""
    todo = list(roots)
    while todo:
        node = graph.nodes[todo[-1]]
        missing = [i for i in node.inputs if i not in words] if node.id not in words else []
        if missing:
            todo += missing
            continue
        todo.pop()
        if node.id in words:
            continue
        operands = [words[i] for i in node.inputs]
        if node.op == "const":
            assert isinstance(node.detail, int)
            bits = f"{node.detail:0{node.bits}b}"
            words[node.id] = [text.node((), ("",) if bit == "1" else ()) for bit in bits]
        elif node.op == "xor":
            words[node.id] = [text.total(pair) for pair in zip(*operands, strict=True)]
        elif node.op == "and":
            words[node.id] = [text.both(a, b) for a, b in zip(*operands, strict=True)]
        else:
            assert isinstance(node.detail, Sbox | Matrix | CellPermutation), f"input {node.name} has no wires"
            words[node.id] = _layer(text, node.detail, operands[0])


def model(text: Text, inputs: Sequence[str], outputs: Mapping[str, str]) -> str:
    """A circuit of named inputs; `outputs` has the wire of each output."""
    lines = [line for name, wire in outputs.items() for line in (f".names {wire} {name}", "1 1")]
    head = [".model definition", f".inputs {' '.join(inputs)}", f".outputs {' '.join(outputs)}"]
    return "\n".join([*head, *text.lines, *lines, ".end"]) + "\n"


def layer(text: Text, one: Sbox | Matrix | CellPermutation, word: list[str]) -> list[str]:
    """A layer on a word, the highest bit first."""
    return _layer(text, one, word)


def _layer(text: Text, layer: Sbox | Matrix | CellPermutation, word: list[str]) -> list[str]:
    if isinstance(layer, CellPermutation):
        c = layer.cell_bits
        moved = list(word)
        for i, to in enumerate(layer.to):
            moved[c * to : c * to + c] = word[c * i : c * i + c]
        return moved
    wide = layer.bits if isinstance(layer, Sbox) else layer.size * layer.cell_bits
    outputs: list[str] = []
    for at in range(0, len(word), wide):
        group = word[at : at + wide]
        for shift in reversed(range(wide)):
            if isinstance(layer, Sbox):
                ones = [f"{x:0{wide}b}" for x, y in enumerate(layer.table) if y >> shift & 1]
                outputs.append(text.node(group, ones))
            else:
                images = zip(group, layer.bit_columns, strict=True)
                outputs.append(text.total([wire for wire, image in images if image >> shift & 1]))
    return outputs


def _list(word: str, letter: str, count: int) -> str:
    return f"{word} {' '.join(f'{letter}{i}' for i in range(count))}"
