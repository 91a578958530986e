"""Whether differences (masks) have all patterns of a trail at once, S-boxes taking any to any other.

`verify` looks at one operation after the other. Each may have its pattern although no differences fit all of
them: two XORs of the same words need not cancel together. Here all that is linear is followed in bits, from
what S-boxes, ANDs and inputs give to what S-boxes, ANDs and targets take. Nothing of the models is used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator

from ...reference import CellPermutation, Matrix, Recording, gf2
from .layer_patterns import TRIES, group_bits, images, meets
from .verify import CellTrail, Step, Term, Walk

Form = tuple[int, ...]  # a cell, the most significant bit first; each the sum of free bits


def realised(recording: Recording, trail: CellTrail, fixed: Collection[str]) -> bool:
    """Whether some differences, or masks, have the pattern of the trail at its S-boxes and ANDs.

    ``fixed``: the inputs and outputs whose pattern they have to have as well. `Undecided` where that would
    take too many steps to say.
    """
    values = _Values(Walk(recording, trail), fixed)
    values.differences() if trail.view == "differential" else values.masks()
    if not any(values.cells.values()):  # nothing is to be active, so any difference but zero will do
        return gf2.rank(bit for form in values.cells for bit in form) < values.count
    return all(values.fits(cells) for cells in values.apart())


class _Values:
    """``cells``: forms that are nonzero, or zero."""

    def __init__(self, walk: Walk, fixed: Collection[str]) -> None:
        self.walk, self.c, self.fixed = walk, walk.c, fixed
        self.count = 0
        self.cells: dict[Form, bool] = {}
        self.contradicted = False

    def _free(self, on: bool | None) -> Form:
        """A cell that is nonzero, or zero, or may be either."""
        if on is False:
            return (0,) * self.c
        first, self.count = self.count, self.count + self.c
        form = tuple(1 << first + i for i in range(self.c))
        if on:
            self._is(form, True)
        return form

    def _is(self, form: Form, on: bool) -> None:
        self.contradicted |= self.cells.setdefault(form, on) != on or (on and not any(form))

    def _sum(self, *forms: Form) -> Form:
        total = [0] * self.c
        for form in forms:
            total = [a ^ b for a, b in zip(total, form, strict=True)]
        return tuple(total)

    def _through(self, step: Step, given: list[Form], transposed: bool) -> list[Form]:
        layer = step.node.detail
        assert isinstance(layer, Matrix | CellPermutation)
        bits = [bit for form in given for bit in form]
        made = [0] * len(bits)
        for bit, image in zip(bits, images(layer, len(bits), transposed), strict=True):
            for i in range(len(bits)):
                made[i] ^= bit if image >> len(bits) - 1 - i & 1 else 0
        assert len(bits) == group_bits(layer, step.node.bits, self.c)
        return [tuple(made[i : i + self.c]) for i in range(0, len(made), self.c)]

    def differences(self) -> None:
        """Follow differences from the inputs on."""
        active, forms = self.walk.active, dict[Hashable, Form]()
        for name, terms in self.walk.inputs():
            for term in terms:
                (atom,) = term
                forms.setdefault(atom, self._free(active[term] if name in self.fixed else None))

        def form(term: Term) -> Form:
            for atom in term:
                if atom not in forms:
                    forms[atom] = self._free(active[frozenset({atom})])
            return self._sum(*(forms[atom] for atom in term))

        for step in self.walk.steps.values():
            if step.kind == "layer":
                for term, made in zip(
                    step.outs, self._through(step, [form(t) for t in step.ins], False), strict=True
                ):
                    if len(term) == 1:
                        (atom,) = term
                        forms.setdefault(atom, made)
            elif step.kind != "xor":
                for term in (*step.ins, *step.outs):
                    self._is(form(term), active[term])
        for name, terms in self.walk.outputs():
            for term in terms:
                if name in self.fixed:
                    self._is(form(term), active[term])

    def masks(self) -> None:
        """Follow masks from the outputs back."""
        masks: dict[Term, Form] = defaultdict(lambda: (0,) * self.c)
        for name, terms in self.walk.outputs():
            for term, on in zip(terms, self.walk.masked(name), strict=True):
                free = self._free(on if name in self.fixed else None)
                masks[term] = self._sum(masks[term], free)
        for step in reversed(self.walk.steps.values()):
            given = [masks[term] if term else (0,) * self.c for term in step.outs]
            if step.kind == "xor":
                handed = given * len(step.ins)
            elif step.kind == "layer":
                handed = self._through(step, given, True)
            else:
                on = self.walk.active[step.outs[0]]
                self._is(given[0], on)
                entries = self.walk.handed(step) if step.kind == "and" else [on]
                handed = [self._free(one) for one in entries]
            for term, mask in zip(step.ins, handed, strict=True):
                masks[term] = self._sum(masks[term], mask)
        for name, terms in self.walk.inputs():
            for term in terms:
                if name in self.fixed:
                    self._is(masks[term], self.walk.active[term])

    def apart(self) -> Iterator[dict[Form, bool]]:
        """The cells in groups without a common free cell."""
        joined: dict[int, int] = {}

        def root(x: int) -> int:
            while joined.setdefault(x, x) != x:
                joined[x] = x = joined[joined[x]]
            return x

        reads = {form: self._reads(form) for form in self.cells}
        for cells in reads.values():
            for cell in cells[1:]:
                joined[root(cell)] = root(cells[0])
        groups: dict[int, dict[Form, bool]] = defaultdict(dict)
        for form, cells in reads.items():
            if cells:
                groups[root(cells[0])][form] = self.cells[form]
        yield from groups.values()

    def _reads(self, form: Form) -> list[int]:
        left, cells = 0, []
        for bit in form:
            left |= bit
        while left:
            cells.append((left.bit_length() - 1) // self.c)
            left &= (1 << cells[-1] * self.c) - 1
        return cells

    def fits(self, cells: dict[Form, bool]) -> bool:
        """Whether some values of the free cells make these zero and nonzero as they are to be."""
        if self.contradicted:
            return False
        vectors: dict[int, int] = defaultdict(int)  # a free bit: the bits of all cells that it is in
        idle, parts = 0, []
        for i, (form, on) in enumerate(cells.items()):
            for j, bits in enumerate(form):
                while bits:
                    low = bits & -bits
                    vectors[low] |= 1 << i * self.c + j
                    bits ^= low
            part = (1 << self.c) - 1 << i * self.c
            if on:
                parts.append(part)
            else:
                idle |= part
        _, kept = gf2.eliminated(vectors.values(), idle)
        return meets(0, kept, parts, iter(range(TRIES)))
