"""Whether the summands of additions are independent, as models of trails take them to be.

The probability of a sum's difference (the correlation of its masks) is over uniform, independent summands, and the
weight of a trail adds up those of its operations as if each had inputs of its own. In a recording that is
so where a fresh bit, of a key or of the state, is added to each bit of a summand, and appears nowhere else: whatever
the rest is, the summand is uniform and independent of it. This is looked for here, for each bit. Where it is not found,
as in x + x.rotl(1), or in a sum that is added again without a key between, a weight is an estimate.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import replace

from ..reference.components import Sbox
from ..reference.graph import Graph, Node, Recording
from ..reference.recordings import constants
from .forms import Form, forms

BEGINNING = 256  # nodes that are looked at first


def dependent_addition(recording: Recording) -> Node | None:
    """The first addition whose summands are not seen to be independent of each other, and each of them of what other
    operations read before; or the first other operation of whose input that is not seen against the additions before
    it. None where all are independent, or there are no additions. Added constants are left to the models."""
    fixed, nodes = constants(recording), recording.graph.nodes
    if not any(node.op == "add" and node.id not in fixed for node in nodes):
        return None
    size = BEGINNING  # which mostly has one, if there is any, and takes no time
    while size < len(nodes):
        if found := _first(replace(recording, graph=Graph(nodes[:size])), fixed):
            return found
        size *= 4
    return _first(recording, fixed)


def _first(recording: Recording, fixed: Collection[int]) -> Node | None:
    """The same of a recording that may be the beginning of one; ``fixed``: nodes that are constant."""
    nodes = recording.graph.nodes
    units: dict[Hashable, Form] = {}
    bits = forms(recording, units=units)
    variables = _Variables(units)
    before, of_additions = _Read(variables), _Read(variables)
    for node in nodes:
        if node.id in fixed or not (node.op in ("add", "and") or isinstance(node.detail, Sbox)):
            continue
        read = [bits[i] for i in node.inputs if i not in fixed]
        if node.op == "add":
            alone = variables.independent([bit for word in read for bit in word], [])
            if not alone or not all(before.leaves_free(word) for word in read):
                return node
            of_additions.add(bit for word in read for bit in word)
        elif not all(of_additions.leaves_free(group) for group in _groups(node, read)):
            return node
        before.add(bit for word in read for bit in word)
    return None


def _groups(node: Node, read: Sequence[Sequence[Form]]) -> list[list[Form]]:
    """The bits that one S-box, or one gate, reads; what is constant is left out."""
    if isinstance(node.detail, Sbox):
        (word,), width = read, node.detail.bits
        groups = [list(word[i : i + width]) for i in range(0, len(word), width)]
    else:
        groups = [list(set(pair)) for pair in zip(*read, strict=True)]
    return [[bit for bit in group if bit > 1] for group in groups]


class _Variables:
    """The bits that are no sums: those of inputs, which are independent, and those of operations, which depend on
    the inputs ``inside``."""

    def __init__(self, units: dict[Hashable, Form]) -> None:
        self.inputs: Form = 0
        self._depends: dict[Form, Form] = {}
        self.inside: dict[int, Form] = {}  # by the number of bits of the tag
        for key, tag in units.items():
            assert isinstance(key, tuple)
            if key[0] == "input":
                self.inputs |= tag
                continue
            reads: Form = 0
            for form in _forms_of(key):
                reads |= form & self.inputs | self.depends(form)
            self.inside[tag.bit_length()] = reads

    def depends(self, form: Form) -> Form:
        """The inputs of the operations whose results are terms of a sum."""
        made = form >> 1 << 1 & ~self.inputs
        if made not in self._depends:
            rest, reads = made, 0
            while rest:
                reads |= self.inside[rest.bit_length()]
                rest ^= 1 << rest.bit_length() - 1
            self._depends[made] = reads
        return self._depends[made]

    def independent(self, rows: Iterable[Form], given: Iterable[Form]) -> bool:
        """Whether the rows are seen to be uniform, and independent of those that are given.

        An input that is a term of a row, and of which no operation's result in any row depends, is a one-time pad:
        the row is uniform whatever the others are. It is added to the others that have the term, and taken away.
        Rows that are given go first, so that nothing of theirs serves twice.
        """
        left = [row >> 1 << 1 for row in rows]
        others = [row >> 1 << 1 for row in given]
        while left:
            if not all(left):
                return False
            used = blocked = 0
            for row in (*left, *others):
                used |= row
                blocked |= self.depends(row)
            free = used & self.inputs & ~blocked
            if not free:
                return False
            while free:
                pad = 1 << free.bit_length() - 1
                free ^= pad
                source = others if any(row & pad for row in others) else left
                row = next((row for row in source if row & pad), 0)
                if row:
                    source.remove(row)
                    left = [other ^ row if other & pad else other for other in left]
                    others = [other ^ row if other & pad else other for other in others]
            others = [row for row in others if row]
        return True


class _Read:
    """What operations have read so far."""

    def __init__(self, variables: _Variables) -> None:
        self.variables = variables
        self.rows: dict[Form, None] = {}
        self.seen: Form = 0

    def add(self, bits: Iterable[Form]) -> None:
        """These bits, too."""
        for bit in bits:
            self.rows[bit >> 1 << 1] = None
            self.seen |= bit & self.variables.inputs | self.variables.depends(bit)

    def leaves_free(self, bits: Sequence[Form]) -> bool:
        """Whether these bits are seen to be uniform and independent of all that was read."""
        # Inputs that nothing has read yet nearly always suffice, and take no look at all that was read.
        fresh = self._padded(list(bits))
        return not fresh or self.variables.independent(fresh, self.rows)

    def _padded(self, rows: list[Form]) -> list[Form]:
        """The rows without those that an input pads which nothing has read."""
        rows = [row >> 1 << 1 for row in rows]
        blocked = self.seen
        for row in rows:
            blocked |= self.variables.depends(row)
        free = self.variables.inputs & ~blocked
        kept: list[Form] = []
        while rows:
            row = rows.pop()
            if not row & free:
                kept.append(row)
                continue
            pad = 1 << (row & free).bit_length() - 1
            rows = [other ^ row if other & pad else other for other in rows]
            kept = [other ^ row if other & pad else other for other in kept]
        return kept


def _forms_of(key: tuple[object, ...]) -> Iterable[Form]:
    """The sums that an operation reads, from its key in `forms`."""
    if key[0] == "sub":
        return key[2]  # type: ignore[return-value]
    if key[0] == "and":
        return key[1]  # type: ignore[return-value]
    return (bit for word in key[1] for bit in word)  # type: ignore[attr-defined]
