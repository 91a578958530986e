"""Logic of two operands joined into functions of three bits, which some CPUs have as one instruction.

What one operation of logic alone takes is computed in that operation, where both together have at most three
operands. Long sums are added up again, three terms at a time, those first that are there first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .cost import LATENCY
from .program import Op, Program

# Functions of two bits: bit 2a + b is the value.
_TWO = {"xor": 0b0110, "and": 0b1000, "or": 0b1110, "andnot": 0b0100}
_LOGIC = (*_TWO, "not")


@dataclass(frozen=True, slots=True)
class _Gate:
    """A function of at most three values, not yet an operation: bit i of its table is the value where operand k
    is bit k of i, counted from the last one."""

    operands: tuple[int, ...]
    table: int = 0b10

    def over(self, operands: Sequence[int]) -> int:
        """The table over more operands."""
        bits = [len(operands) - 1 - operands.index(v) for v in reversed(self.operands)]
        places = (sum((i >> b & 1) << k for k, b in enumerate(bits)) for i in range(1 << len(operands)))
        return sum((self.table >> place & 1) << i for i, place in enumerate(places))


def three_operands(program: Program) -> Program:
    """The same program with fewer operations of logic; cuts at values that are gone are left out."""
    return program if program.calls else _Joiner(program).joined()


class _Joiner:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.ops: list[Op] = []
        self.depth = [0] * program.first
        self.terms: dict[int, list[_Gate]] = {}
        """Of an old value that is computed where it is taken: what it is the sum of, by values of the new program."""
        self.place = {v: v for v in range(program.first)}
        """Of the other old values."""

    def joined(self) -> Program:
        program, lanes = self.program, self.program.lanes
        takers: dict[int, list[str]] = {}
        for op in program.ops:
            for a in op.args:
                takers.setdefault(a, []).append(op.kind)
        ends = {v // lanes for values in program.outputs.values() for v in values}
        for value, op in enumerate(program.ops, program.first):
            if op.kind not in _LOGIC:
                self.place[value] = self._emit(replace(op, args=tuple(self.place[a] for a in op.args)))
                continue
            terms = self._logic(op)
            takes = takers.get(value, ())
            if value not in ends and len(takes) == 1 and takes[0] in _LOGIC:
                self.terms[value] = terms
            else:
                self.place[value] = self._made(self._summed(terms, op.line), op.line)

        def moved(values: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(self.place[v // lanes] * lanes + v % lanes for v in values)

        return replace(
            program,
            ops=tuple(self.ops),
            outputs={name: moved(values) for name, values in program.outputs.items()},
            cuts=tuple((n, moved(vs)) for n, vs in program.cuts if all(v // lanes in self.place for v in vs)),
        )

    def _logic(self, op: Op) -> list[_Gate]:
        """What the result of an operation is the sum of."""
        taken = [self.terms.get(a) or [_Gate((self.place[a],))] for a in op.args]
        if op.kind == "xor":
            return taken[0] + taken[1]
        a, *b = (self._summed(terms, op.line) for terms in taken)
        if not b:
            return [_Gate(a.operands, a.table ^ (1 << (1 << len(a.operands))) - 1)]
        gates = [a, *b]
        while len(_operands(gates)) > 3:
            most = max(range(2), key=lambda k: len(gates[k].operands))
            gates[most] = _Gate((self._made(gates[most], op.line),))
        return [_combined(_TWO[op.kind], gates)]

    def _summed(self, terms: Sequence[_Gate], line: str) -> _Gate:
        """One gate that is the sum of these, behind operations that add up what it has no operands for."""
        left = list(terms)
        while True:
            left.sort(key=lambda gate: max(self.depth[v] for v in gate.operands))
            total, *others = left
            left = []
            for gate in others:
                if len(_operands([total, gate])) <= 3:
                    total = _combined(_TWO["xor"], [total, gate])
                else:
                    left.append(gate)
            if not left:
                return total
            if len(total.operands) > 1:
                left.append(_Gate((self._made(total, line),)))
            else:
                left = [total, _Gate((self._made(left[0], line),)), *left[1:]]

    def _made(self, gate: _Gate, line: str) -> int:
        """The value of a gate, in an operation of two operands if that is enough."""
        operands = gate.operands
        if len(operands) == 1 and gate.table == 0b10:
            return operands[0]
        if len(operands) == 1 and gate.table == 0b01:
            return self._emit(Op("not", operands, None, line))
        if len(operands) == 2:
            for both in (operands, operands[::-1]):
                for kind, table in _TWO.items():
                    if gate.over(both) == table:
                        return self._emit(Op(kind, both, None, line))
        # Of fewer operands the last one stands for those that the function does not depend on.
        more = 3 - len(operands)
        table = sum((gate.table >> (i >> more) & 1) << i for i in range(8))
        return self._emit(Op("ternary", (*operands, *operands[-1:] * more), table, line))

    def _emit(self, op: Op) -> int:
        start = max((self.depth[a] for a in op.args), default=0)
        self.depth.append(start if op.kind == "const" else start + LATENCY.get(op.kind, 1))
        self.ops.append(op)
        return len(self.depth) - 1


def _operands(gates: Sequence[_Gate]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(v for gate in gates for v in gate.operands))


def _combined(two: int, gates: Sequence[_Gate]) -> _Gate:
    """A function of two gates."""
    operands = _operands(gates)
    a, b = (gate.over(operands) for gate in gates)
    bits = ((a >> i & 1, b >> i & 1) for i in range(1 << len(operands)))
    return _Gate(operands, sum((two >> 2 * x + y & 1) << i for i, (x, y) in enumerate(bits)))
