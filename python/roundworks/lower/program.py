"""Straight-line programs of one function of a cipher: values of 64 or 128 bits, one operation each.

Bit i of a value is the bit of weight 2^i; byte k of a value of 128 bits is byte k in memory. What an
operation does stands here once, on integers (`evaluate`); `proof` follows it on symbols.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from ..reference import Recording
from ..reference.aes import MIX_COLUMNS, SHIFT_ROWS, SUB_BYTES
from ..reference.word import IntWord
from .affine import apply, inversion

Immediate = Hashable
# Operations and what stands with them: `imm`.
OPERATIONS = {
    "const": "the value",
    "xor": "",
    "and": "",
    "andnot": "a & ~b",
    "or": "",
    "not": "",
    "shl": "bits of a lane, distance",
    "shr": "bits of a lane, distance",
    "rotl": "distance, on 64 bits",
    "shuffle": "for each byte the source's, or None for zero",
    "lookup": "16 bytes, looked up by the low half of each byte; zero where bit 7 is set",
    "subtract": "a byte, taken from every byte as a signed number without going below -128",
    "affine": "8 rows of a matrix over the bits of a byte, row r for bit r, and a constant byte",
    "inverse": "the same behind inversion in GF(2^8) modulo 0x11b",
    "flip": "16 bytes: bit k of byte i is the parity of byte 7 - k of its half, masked by imm[i]",
    "aesenc": "",
    "aesenclast": "",
    "lanes": "for each lane the one of a, or behind those of a the one of b, that it becomes",
    "columns": "for each 32 bits those of a, or behind those of a those of b, that they become",
    "pair": "for each 16 bits 16 times their low byte and once their high byte, added as numbers",
    "pack": "the numbers of 16 bits of a, then of b, as bytes: signed ones, none below 0 or above 255",
    "low": "bits of a unit: the units of the low halves of a and b, one of each after another",
    "high": "the same of the high halves",
    "ternary": "the eight values of a function of three bits, at 4a + 2b + c",
}


@dataclass(frozen=True, slots=True)
class Op:
    """One operation on values before it; ``line`` is the line of the description it comes from."""

    kind: str
    args: tuple[int, ...]
    imm: Immediate = None
    line: str = ""


@dataclass(frozen=True, slots=True)
class Called:
    """Operations of a program, from the one at ``at`` on, that are those of a routine on these values, one
    for each of its inputs."""

    at: int
    routine: Program
    recording: Recording
    """What the routine computes."""
    args: tuple[int, ...]

    @property
    def results(self) -> list[int]:
        """Of each output of the routine the operation of the program that makes it."""
        return [self.at + v - self.routine.first for (v,) in self.routine.outputs.values()]


@dataclass(frozen=True, slots=True)
class Program:
    """Values 0.. are the inputs, in order; the values behind them are the results of the operations.

    A word of the description is one value or several: ``inputs`` and ``outputs`` name them as
    (name, part). ``cuts`` names values that must equal a node of the recorded graph: (node, its
    values); a proof goes from one to the next.

    A cut of a value in planes names more values than a word has: v * n + k is unit k of n of value v.

    A value may have several ``lanes`` of ``bits`` bits, each a word. Then ``inputs`` has a name for each
    lane of each value, and in ``outputs`` and ``cuts`` v * lanes + k is lane k of value v.
    """

    function: str
    bits: int
    inputs: tuple[tuple[str, int], ...]
    ops: tuple[Op, ...]
    outputs: dict[str, tuple[int, ...]]
    cuts: tuple[tuple[int, tuple[int, ...]], ...]
    lanes: int = 1
    calls: tuple[Called, ...] = ()
    """Those of its operations that a file can write as calls of a function."""

    @property
    def called(self) -> set[int]:
        """The operations that are those of routines."""
        return {i for call in self.calls for i in range(call.at, call.at + len(call.routine.ops))}

    @property
    def first(self) -> int:
        """The value of the first operation."""
        return len(self.inputs) // self.lanes

    @property
    def live(self) -> int:
        """The most values that are there at once and not all taken yet."""
        last = {v: len(self.ops) for parts in self.outputs.values() for v in (p // self.lanes for p in parts)}
        for i, op in enumerate(self.ops):
            for a in op.args:
                last[a] = max(last.get(a, 0), i)
        ends = Counter(last.values())
        now = most = sum(v < self.first for v in last)
        for i in range(len(self.ops)):
            now += (self.first + i in last) - ends[i]
            most = max(most, now)
        return most

    def run(self, words: Mapping[tuple[str, int], int]) -> dict[str, tuple[int, ...]]:
        """The outputs for these inputs, as integers."""
        given = [words.get(name, 0) for name in self.inputs]
        size, lanes = self.bits, self.lanes
        values = [
            sum(word << size * k for k, word in enumerate(given[at : at + lanes]))
            for at in range(0, len(given), lanes)
        ]
        for op in self.ops:
            values.append(evaluate_lanes(op, [values[i] for i in op.args], size, lanes))
        full = (1 << size) - 1
        return {
            name: tuple(values[i // lanes] >> size * (i % lanes) & full for i in parts)
            for name, parts in self.outputs.items()
        }


def evaluate_lanes(op: Op, args: Sequence[int], bits: int, lanes: int) -> int:
    """One operation on integers of several lanes, on each alike but for ``lanes``."""
    if op.kind == "const":
        return evaluate(op, args, bits)
    full = (1 << bits) - 1
    parts = [[x >> bits * k & full for k in range(lanes)] for x in args]
    if op.kind == "lanes":
        control: Any = op.imm
        every = [word for part in parts for word in part]
        made = [every[i] for i in control]
    else:
        made = [evaluate(op, [part[k] for part in parts], bits) for k in range(lanes)]
    return sum(word << bits * k for k, word in enumerate(made))


def evaluate(op: Op, args: Sequence[int], bits: int) -> int:
    """One operation on integers."""
    full = (1 << bits) - 1
    imm: Any = op.imm
    match op.kind:
        case "const":
            return int(imm)
        case "xor":
            return args[0] ^ args[1]
        case "and":
            return args[0] & args[1]
        case "andnot":
            return args[0] & ~args[1] & full
        case "or":
            return args[0] | args[1]
        case "not":
            return ~args[0] & full
        case "shl" | "shr":
            lane, by = imm
            return _lanes(args[0], bits, lane, lambda x: x << by if op.kind == "shl" else x >> by)
        case "rotl":
            return (args[0] << int(imm) | args[0] >> bits - int(imm)) & full
        case "ternary":
            out = 0
            for index in range(8):
                if imm >> index & 1:
                    a, b, c = (
                        x if index >> k & 1 else ~x & full for x, k in zip(args, (2, 1, 0), strict=True)
                    )
                    out |= a & b & c
            return out
        case "low" | "high":
            out = 0
            for k, (value, at) in enumerate(interleaved(op.kind, imm, bits)):
                out |= (args[value] >> at & (1 << imm) - 1) << imm * k
            return out
        case "columns":
            both = args[0] | args[1] << bits
            return sum((both >> 32 * c & 0xFFFFFFFF) << 32 * k for k, c in enumerate(imm))
        case "pair":
            return _lanes(args[0], bits, 16, lambda x: 16 * (x & 0xFF) + (x >> 8))
        case "pack":
            both = args[0] | args[1] << bits
            numbers = (both >> 16 * k & 0xFFFF for k in range(bits // 8))
            return sum((0 if x & 0x8000 else min(x, 255)) << 8 * k for k, x in enumerate(numbers))
        case "aesenc" | "aesenclast":
            return aes(args[0], op.kind == "aesenc") ^ args[1]
    data = args[0].to_bytes(bits // 8, "little")
    return int.from_bytes(bytes(_byte(op.kind, imm, data, i) for i in range(len(data))), "little")


def _byte(kind: str, imm: Any, data: bytes, i: int) -> int:
    """Byte i of what is defined by bytes."""
    match kind:
        case "shuffle":
            return 0 if imm[i] is None else data[imm[i]]
        case "lookup":
            return 0 if data[i] & 0x80 else int(imm[data[i] & 15])
        case "subtract":
            return max(-128, (data[i] ^ 0x80) - 0x80 - int(imm)) & 0xFF
        case "affine" | "inverse":
            rows, constant = imm
            x = data[i] if kind == "affine" else inversion()[data[i]]
            return apply(rows, x) ^ int(constant)
        case "flip":
            # What GFNI computes of constant bytes when the data are its matrix.
            half = i & 8
            return sum(((data[half + 7 - k] & imm[i]).bit_count() & 1) << k for k in range(8))
    raise AssertionError(kind)


def _lanes(value: int, bits: int, lane: int, f: Callable[[int], int]) -> int:
    mask, out = (1 << lane) - 1, 0
    for at in range(0, bits, lane):
        out |= (f(value >> at & mask) & mask) << at
    return out


def interleaved(kind: str, unit: int, bits: int) -> list[tuple[int, int]]:
    """For each unit of the result the operand that it comes from, and its first bit there."""
    start = bits // 2 if kind == "high" else 0
    return [(operand, start + at) for at in range(0, bits // 2, unit) for operand in (0, 1)]


def aes(value: int, mix: bool) -> int:
    """SubBytes, ShiftRows and, of a round that is not the last, MixColumns; no key."""
    word = IntWord(int.from_bytes(value.to_bytes(16, "little"), "big"), 128)
    word = word.sub(SUB_BYTES).permute(SHIFT_ROWS)
    if mix:
        word = word.mix(MIX_COLUMNS)
    return int.from_bytes(word.value.to_bytes(16, "big"), "little")


@dataclass
class Builder:
    """Operations as they are made: equal ones once, constants folded."""

    bits: int
    inputs: tuple[tuple[str, int], ...]
    ops: list[Op] = field(default_factory=list)
    line: str = ""
    calls: list[Called] = field(default_factory=list)
    _known: dict[tuple[object, ...], int] = field(default_factory=dict)

    @property
    def full(self) -> int:
        """A value with every bit set."""
        return (1 << self.bits) - 1

    def op_of(self, value: int) -> Op | None:
        """What makes a value; None for an input."""
        return self.ops[value - len(self.inputs)] if value >= len(self.inputs) else None

    def constant_of(self, value: int) -> int | None:
        """The constant that a value is, None for any other."""
        op = self.op_of(value)
        return int(op.imm) if op is not None and op.kind == "const" else None  # type: ignore[call-overload]

    def const(self, value: int) -> int:
        """The number of the value that is this constant."""
        return self._emit("const", (), value)

    def op(self, kind: str, *args: int, imm: Immediate = None) -> int:
        """The value of an operation; simpler ones where constants allow."""
        known = [self.constant_of(a) for a in args]
        if args and all(k is not None for k in known):
            return self.const(evaluate(Op(kind, args, imm), [k or 0 for k in known], self.bits))
        if len(args) == 2 and kind in ("xor", "and", "or", "andnot"):
            if (simpler := self._simpler(kind, args, known)) is not None:
                return simpler
            if kind != "andnot":
                args = (min(args), max(args))
        if kind == "shuffle" and imm == tuple(range(self.bits // 8)):
            return args[0]
        return self._emit(kind, args, imm)

    def _simpler(self, kind: str, args: tuple[int, ...], known: Sequence[int | None]) -> int | None:
        a, b = args
        if a == b:
            return a if kind in ("and", "or") else self.const(0)
        for here, other, value in ((a, b, known[0]), (b, a, known[1])):
            if value == 0:
                if kind == "andnot":
                    return self.const(0) if here == a else a
                return other if kind in ("xor", "or") else self.const(0)
            if value == self.full:
                if kind == "xor" or (kind == "andnot" and here == a):
                    return self.op("not", other)
                if kind == "andnot":
                    return self.const(0)
                return other if kind == "and" else self.const(self.full)
        if kind == "and":
            for here, other in ((a, b), (b, a)):
                inner = self.op_of(here)
                if inner is not None and inner.kind == "not":
                    return self.op("andnot", other, inner.args[0])
        return None

    def xor(self, *values: int) -> int:
        """The sum of values, as a balanced tree in the order given."""
        todo = list(values)
        if not todo:
            return self.const(0)
        while len(todo) > 1:
            todo = [
                self.op("xor", *todo[i : i + 2]) if i + 1 < len(todo) else todo[i]
                for i in range(0, len(todo), 2)
            ]
        return todo[0]

    def call(self, routine: Program, recording: Recording, args: Sequence[int]) -> list[int]:
        """The values of a routine on these: its inputs, then the results of its operations, which are none
        of another call or of what is around it."""
        call = Called(len(self.ops), routine, recording, tuple(args))
        self.calls.append(call)
        values = list(args)
        for op in routine.ops:
            values.append(len(self.inputs) + len(self.ops))
            self.ops.append(replace(op, args=tuple(values[a] for a in op.args)))
        return values

    def _emit(self, kind: str, args: tuple[int, ...], imm: Immediate) -> int:
        key = (kind, args, imm)
        if key not in self._known:
            self._known[key] = len(self.inputs) + len(self.ops)
            self.ops.append(Op(kind, args, imm, self.line))
        return self._known[key]

    @contextmanager
    def trial(self) -> Iterator[Callable[[], int]]:
        """Operations made inside are taken back; the function counts those that are no constants."""
        start, known = len(self.ops), dict(self._known)
        try:
            yield lambda: sum(op.kind != "const" for op in self.ops[start:])
        finally:
            del self.ops[start:]
            self._known = known

    def best(self, ways: Sequence[Callable[[], int]]) -> int:
        """The value by the way that takes fewest operations; the first of those that do."""
        costs = []
        for way in ways:
            with self.trial() as count:
                way()
                costs.append(count())
        return ways[costs.index(min(costs))]()


def units(values: int, parts: int) -> int:
    """Into how many units a cut of that many values divides each of them; 1 where these are the word itself,
    which has ``parts`` values."""
    return values if values > parts else 1


def finished(
    builder: Builder,
    function: str,
    outputs: dict[str, tuple[int, ...]],
    cuts: Sequence[tuple[int, tuple[int, ...]]],
) -> Program:
    """The program without what no output needs."""
    first = len(builder.inputs)
    needed = {v for parts in outputs.values() for v in parts}
    # A routine is called as a whole.
    needed |= {first + call.at + i for call in builder.calls for i in range(len(call.routine.ops))}
    for i in reversed(range(len(builder.ops))):
        if first + i in needed:
            needed.update(builder.ops[i].args)
    place = {v: v for v in range(first)}
    ops: list[Op] = []
    for i, op in enumerate(builder.ops):
        if first + i in needed:
            place[first + i] = first + len(ops)
            ops.append(Op(op.kind, tuple(place[a] for a in op.args), op.imm, op.line))
    parts = max(map(len, outputs.values()))
    kept = []
    for node, values in cuts:
        n = units(len(values), parts)
        if all(v // n in place for v in values):
            kept.append((node, tuple(place[v // n] * n + v % n for v in values)))
    named = {name: tuple(place[v] for v in parts) for name, parts in outputs.items()}
    calls = tuple(
        replace(call, at=place[first + call.at] - first, args=tuple(place[a] for a in call.args))
        for call in builder.calls
    )
    return Program(function, builder.bits, builder.inputs, tuple(ops), named, tuple(kept), calls=calls)
