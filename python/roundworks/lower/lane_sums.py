"""Sums of many words that share registers: the words of each lane first, all lanes at once, then the lanes.

A tag adds up all words of a state. One after another, each word would be moved to the lane of the sum.
"""

from __future__ import annotations

from collections import Counter

from .program import Builder, Program, finished


def lanes_first(program: Program, lanes: int) -> Program:
    """The program with sums of inputs alone, of two registers and more, in that order.

    Parameters
    ----------
    program
        Of single words; ``S5`` of four lanes is in lane 1.
    """
    uses = Counter(a for op in program.ops for a in op.args)
    uses.update(v for parts in program.outputs.values() for v in parts)
    first = program.first
    terms: dict[int, list[int]] = {v: [v] for v in range(first)}
    for i, op in enumerate(program.ops):
        parts = [terms.get(a) if a < first or uses[a] == 1 else None for a in op.args]
        if op.kind == "xor" and None not in parts:
            terms[first + i] = [v for part in parts if part for v in part]
    whole = {v for parts in program.outputs.values() for v in parts} | {
        a for i, op in enumerate(program.ops) if first + i not in terms for a in op.args
    }
    long = {v for v in whole if v >= first and len(terms.get(v, ())) >= 2 * lanes}
    if not long:
        return program
    builder = Builder(program.bits, program.inputs)
    place = {v: v for v in range(first)}
    for i, op in enumerate(program.ops):
        v, builder.line = first + i, op.line
        if v in long:
            by_lane: dict[int, list[int]] = {}
            for term in terms[v]:
                number = int(program.inputs[term][0].lstrip("SKNXLVC"))
                by_lane.setdefault(number % lanes, []).append(term)
            place[v] = builder.xor(*(builder.xor(*sorted(group)) for _, group in sorted(by_lane.items())))
        else:
            place[v] = builder.op(op.kind, *(place[a] for a in op.args), imm=op.imm)
    outputs = {name: tuple(place[v] for v in parts) for name, parts in program.outputs.items()}
    cuts = [(node, tuple(place[v] for v in values)) for node, values in program.cuts]
    return finished(builder, program.function, outputs, cuts)
