"""The transposed netlist: masks run from the outputs back to the inputs."""

from __future__ import annotations

from dataclasses import dataclass, field

from .netlist import And, CellNetlist, Linear, SboxCell, Wire, Xor


@dataclass
class Masks:
    """``net``: wires are masks. Its inputs are the masks of the outputs of ``of``, and conversely.

    ``mask`` is the mask of every wire of ``of``, None where it is zero; ``handed`` the mask that an
    AND hands to one operand, by its output and that operand.
    """

    of: CellNetlist
    net: CellNetlist
    mask: dict[Wire, Wire | None] = field(default_factory=dict)
    handed: dict[tuple[Wire, Wire], Wire] = field(default_factory=dict)


def transposed(of: CellNetlist) -> Masks:
    """A fan-out is an XOR of masks, an XOR a fan-out, a matrix acts transposed.

    A mask on what never changes is of no effect and left out.
    """
    net = CellNetlist(of.cell_bits)
    masks = Masks(of, net)
    terms: dict[Wire, set[Wire]] = {}
    sums: dict[frozenset[Wire], Wire] = {}

    def meet(wire: Wire, mask: Wire) -> None:
        terms.setdefault(wire, set()).symmetric_difference_update({mask})

    def total(wire: Wire) -> Wire | None:
        result = frozenset(terms.get(wire, ()))
        if len(result) < 2:
            return next(iter(result), None)
        if result not in sums:
            sums[result] = net.wire()
            net.ops.append(Xor(tuple(sorted(result)), sums[result]))
        return sums[result]

    for name, wires in of.outputs.items():
        net.inputs[name] = tuple(None if w is None else net.wire() for w in wires)
        for wire, mask in zip(wires, net.inputs[name], strict=True):
            if wire is not None and mask is not None:
                meet(wire, mask)
    for op in reversed(of.ops):
        if isinstance(op, Linear):
            given = tuple(total(w) for w in op.outputs)
            masks.mask |= dict(zip(op.outputs, given, strict=True))
            if any(m is not None for m in given):
                after = tuple(net.wire() for _ in op.operands)
                net.ops.append(Linear(op.map.transposed, given, after, op.places))
                for wire, mask in zip(op.operands, after, strict=True):
                    if wire is not None:
                        meet(wire, mask)
            continue
        mask = masks.mask[op.output] = total(op.output)
        if mask is None:
            continue
        if isinstance(op, SboxCell):
            behind = net.wire()
            net.ops.append(SboxCell(mask, behind, op.sbox, op.times, op.line))
            meet(op.input, behind)
        elif isinstance(op, Xor):
            for wire in op.operands:
                meet(wire, mask)
        elif isinstance(op, And):
            for wire in op.operands:
                masks.handed[op.output, wire] = net.wire()
                net.ops.append(And((mask,), masks.handed[op.output, wire]))
                meet(wire, masks.handed[op.output, wire])
    for name, given in of.inputs.items():
        net.outputs[name] = tuple(None if w is None else total(w) for w in given)
        for wire in given:
            if wire is not None:
                masks.mask[wire] = total(wire)
    return masks
