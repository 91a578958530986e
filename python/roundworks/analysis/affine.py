"""The affine maps between the S-box layers of a description, as matrices over single bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import DescriptionError
from ..reference import IntWord, Recording
from ..reference.recordings import constants, run

LINEAR = ("input", "const", "xor", "mix", "permute", "join", "cut")  # operations of a recording


@dataclass(frozen=True, slots=True)
class Affine:
    """y = Lx + c over the bits of all words, bit 0 the most significant of the first.

    ``rows[i]``: the bits of x in bit i of y, as a mask whose bit j is bit j of x; ``constant``: bit i is
    that of y. Keys and blocks are taken as zero.
    """

    rows: tuple[int, ...]
    constant: int

    def without_constant(self) -> Affine:
        """The linear part."""
        return Affine(self.rows, 0)


def affine(part: Recording) -> Affine:
    """The map of a recording without S-boxes and ANDs from its moving words to its outputs.

    Raises
    ------
    DescriptionError
        ``toy.py:20: and: not affine``
    """
    fixed = constants(part)
    for node in part.graph.nodes:
        masks = node.op == "and" and any(i in fixed for i in node.inputs)
        if node.op not in LINEAR and not masks and node.id not in fixed:
            raise DescriptionError(f"{node.line}: {node.op}: not affine; want {', '.join(LINEAR)} alone")
    moving = [name for name in part.inputs if name.startswith(("S", "M"))]
    sizes = [part.graph.nodes[part.inputs[name]].bits for name in moving]
    zero = _image(part, moving, [0] * len(moving))
    rows = [0] * len(zero)
    column = 0
    for place, bits in enumerate(sizes):
        for bit in reversed(range(bits)):
            values = [0] * len(moving)
            values[place] = 1 << bit
            for i, on in enumerate(_image(part, moving, values)):
                rows[i] |= (on ^ zero[i]) << column
            column += 1
    return Affine(tuple(rows), sum(on << i for i, on in enumerate(zero)))


def _image(part: Recording, moving: Sequence[str], values: Sequence[int]) -> list[int]:
    given = dict(zip(moving, values, strict=True))
    words = {
        name: IntWord(given.get(name, 0), part.graph.nodes[node].bits) for name, node in part.inputs.items()
    }
    results = run(part, words)
    out = (results[node] for node in part.outputs.values())
    return [word.value >> bit & 1 for word in out for bit in reversed(range(word.bits))]
