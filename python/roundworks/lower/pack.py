"""Several words of one message in a register: equal operations on different words become one.

An operation of a program on single words may go with others of its kind once its operands are there.
Full registers go first; words change lanes where an operation wants them elsewhere. Words of an array
stand in the lanes in their order, as they do in memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations, product

from .lane_sums import lanes_first
from .program import Op, Program

Place = tuple[int, int]  # a value and a lane of it
_COMMUTATIVE = ("xor", "and", "or")
NO_WORD = ("", 0)
"""The input of a lane that holds no word."""


def packed(program: Program, lanes: int) -> Program:
    """The program with ``lanes`` words in a value.

    Parameters
    ----------
    program
        Of single words, each one value.
    """
    return _Packer(lanes_first(program, lanes), lanes).run()


def register(name: str, lanes: int) -> tuple[str, int, int]:
    """Letter, register and lane of a word: ``S'5`` of four lanes is lane 1 of register 1."""
    letters = "".join(c for c in name if not c.isdigit())
    index = int("".join(c for c in name if c.isdigit()))
    return letters, index // lanes, index % lanes


@dataclass
class _Made:
    """Wide operations so far, equal ones once, and where each word of the program on single words is."""

    first: int
    lanes: int
    ops: list[Op] = field(default_factory=list)
    known: dict[tuple[Hashable, ...], int] = field(default_factory=dict)
    places: dict[int, list[Place]] = field(default_factory=dict)
    constants: dict[int, int] = field(default_factory=dict)
    moves: int = 0

    def emit(self, op: Op) -> int:
        key = (op.kind, op.args, op.imm)
        if key not in self.known:
            self.known[key] = self.first + len(self.ops)
            self.ops.append(op)
            self.moves += op.kind == "lanes"
        return self.known[key]

    def constant(self, wanted: Sequence[int | None]) -> int:
        """A value with these constants of the program in its lanes."""
        total = sum(
            self.constants[v] << 128 * k
            for k, v in enumerate(wanted)
            if v is not None and v in self.constants
        )
        return self.emit(Op("const", (), total))

    def gathered(self, wanted: Sequence[int | None], line: str) -> int:
        """A value with these words in its lanes; None for any."""
        if all(v is None or v in self.constants for v in wanted):
            return self.constant(wanted)
        places: list[list[Place]] = []
        for k, v in enumerate(wanted):
            if v is None:
                places.append([])
            elif v in self.constants:
                places.append([(self.constant(wanted), k)])
            else:
                places.append(self.places[v])
        there = list(dict.fromkeys(w for options in places for w, _ in options))
        for w in there:
            if all((w, k) in options for k, options in enumerate(places) if options):
                return w
        for size in (1, 2):
            for chosen in combinations(there, size):
                if all(any(w in chosen for w, _ in options) for options in places if options):
                    return self._moved(chosen, places, line)
        # Of three values or more: two that have most, then the rest.
        chosen = max(
            combinations(there, 2),
            key=lambda pair: sum(any(w in pair for w, _ in options) for options in places if options),
        )
        have = [any(w in chosen for w, _ in options) for options in places]
        part = self._moved(
            chosen, [options if h else [] for options, h in zip(places, have, strict=True)], line
        )
        listed: list[int | None] = list(wanted)
        saved = {v: list(p) for v, p in self.places.items() if v in wanted}
        for k, v in enumerate(wanted):
            if v is not None and have[k]:
                if v in self.constants:
                    stand_in = -1 - k
                    self.places[stand_in] = [(part, k)]
                    listed[k] = stand_in
                else:
                    self.places[v] = [(part, k)]
        result = self.gathered(listed, line)
        self.places.update(saved)
        return result

    def _moved(self, chosen: Sequence[int], places: Sequence[Sequence[Place]], line: str) -> int:
        control = []
        for k, options in enumerate(places):
            fits = [(chosen.index(w) * self.lanes + lane) for w, lane in options if w in chosen]
            same = [c for c in fits if c % self.lanes == k]
            control.append((same or fits or [k])[0])
        return self.emit(Op("lanes", tuple(chosen), tuple(control), line))

    def cost(self, wanted: Sequence[int | None]) -> int:
        """How many moves `gathered` would take."""
        count, moves = len(self.ops), self.moves
        known, places = dict(self.known), self.places
        self.places = dict(places)
        self.gathered(wanted, "")
        taken = self.moves - moves
        del self.ops[count:]
        self.known, self.places, self.moves = known, places, moves
        return taken


class _Packer:
    def __init__(self, program: Program, lanes: int) -> None:
        self.program, self.lanes = program, lanes
        self.start = len(program.inputs)
        names = dict.fromkeys(register(name, lanes)[:2] for name, _ in program.inputs)
        there = {register(name, lanes): name for name, _ in program.inputs}
        self.inputs = tuple(
            (there[(*key, k)], 0) if (*key, k) in there else NO_WORD for key in names for k in range(lanes)
        )
        self.made = _Made(len(names), lanes)
        for v, (name, _) in enumerate(program.inputs):
            self.made.places[v] = [divmod(self.inputs.index((name, 0)), lanes)]
        self.slots = {parts[0]: register(name, lanes)[2] for name, parts in program.outputs.items()}
        self.left: dict[int, Op] = {}
        for i, op in enumerate(program.ops):
            if op.kind == "const":
                assert isinstance(op.imm, int)
                self.made.constants[self.start + i] = op.imm
            else:
                self.left[self.start + i] = op
        self.chains: dict[int, int] = {}
        self.numbers: dict[Hashable, int] = {}
        self.kind_of = {v: self._kind(v, op) for v, op in self.left.items()}
        self.kinds = Counter(self.kind_of.values())

    def _kind(self, v: int, op: Op) -> Hashable:
        """Equal for operations that may go together: the same one at the same place of a chain, such as
        that of an S-box. Words of the state, sums and AES rounds begin a chain."""
        before = tuple(self.chains.get(a, 0) for a in op.args)
        kind = (op.kind, op.imm, tuple(sorted(before)) if op.kind in _COMMUTATIVE else before)
        if op.kind not in ("aesenc", "aesenclast") and (op.kind != "xor" or 0 not in before):
            self.chains[v] = self.numbers.setdefault(kind, 1 + len(self.numbers))
        return kind

    def run(self) -> Program:
        while self.left:
            group = self._next()
            self._emit(group)
            for v in group:
                del self.left[v]
                self.kinds[self.kind_of[v]] -= 1
        outputs = self._outputs()
        cuts = tuple((node, (self._place(v),)) for node, (v,) in self.program.cuts if v in self.made.places)
        return Program(
            self.program.function,
            self.program.bits,
            self.inputs,
            tuple(self.made.ops),
            outputs,
            cuts,
            self.lanes,
        )

    def _place(self, v: int) -> int:
        value, lane = self.made.places[v][0]
        return value * self.lanes + lane

    def _ready(self) -> dict[Hashable, list[int]]:
        result: dict[Hashable, list[int]] = {}
        for v, op in self.left.items():
            if not any(a in self.left for a in op.args):
                result.setdefault(self.kind_of[v], []).append(v)
        return result

    def _next(self) -> list[int]:
        """Operations that go together: a full register of them; where there is none, of a kind of which
        no more is to come, or of which most are there."""
        ready = self._ready()
        full = [kind for kind, ops in ready.items() if len(ops) >= self.lanes]
        if full:
            kind = min(full, key=lambda k: ready[k][0])
        else:
            kind = max(ready, key=lambda k: (len(ready[k]) == self.kinds[k], len(ready[k]), -ready[k][0]))
        return sorted(ready[kind], key=self._order)[: self.lanes]

    def _order(self, v: int) -> tuple[list[int], list[int], int]:
        """Operations on the same registers follow one another, lane by lane."""
        op = self.left[v]
        places = [self.made.places[a][0] for a in op.args if a in self.made.places]
        if op.kind in _COMMUTATIVE:
            places.sort(reverse=True)
        return [value for value, _ in places], [lane for _, lane in places], v

    def _emit(self, group: Sequence[int]) -> None:
        """In the lanes, and the order of operands, that take fewest moves."""
        best: tuple[int, int, int] | None = None
        chosen: tuple[list[int | None], tuple[bool, ...]] | None = None
        for number, (order, swaps) in enumerate(self._ways(group)):
            moves = sum(self.made.cost(wanted) for wanted in self._operands(order, swaps))
            elsewhere = sum(
                v in self.slots and self.slots[v] != k for k, v in enumerate(order) if v is not None
            )
            if best is None or (moves, elsewhere, number) < best:
                best, chosen = (moves, elsewhere, number), (order, swaps)
                if not moves and not elsewhere:
                    break
        assert chosen is not None
        order, swaps = chosen
        op = self.left[group[0]]
        args = tuple(self.made.gathered(wanted, op.line) for wanted in self._operands(order, swaps))
        value = self.made.emit(Op(op.kind, args, op.imm, op.line))
        for k, v in enumerate(order):
            if v is not None:
                self.made.places.setdefault(v, []).insert(0, (value, k))

    def _ways(self, group: Sequence[int]) -> Iterator[tuple[list[int | None], tuple[bool, ...]]]:
        padded: list[int | None] = [*group, *[None] * (self.lanes - len(group))]
        two = self.left[group[0]].kind in _COMMUTATIVE
        orders = list(dict.fromkeys(permutations(padded)))
        swaps = list(product((False, True), repeat=self.lanes - 1)) if two else [(False,) * (self.lanes - 1)]
        for order in orders:
            for swap in swaps:
                yield list(order), (False, *swap)

    def _operands(self, order: Sequence[int | None], swaps: Sequence[bool]) -> Iterator[list[int | None]]:
        count = len(self.left[next(v for v in order if v is not None)].args)
        for i in range(count):
            yield [
                None if v is None else self.left[v].args[1 - i if swap else i]
                for v, swap in zip(order, swaps, strict=True)
            ]

    def _outputs(self) -> dict[str, tuple[int, ...]]:
        registers: dict[tuple[str, int], list[tuple[str, int] | None]] = {}
        for name, (v,) in self.program.outputs.items():
            letters, number, lane = register(name, self.lanes)
            registers.setdefault((letters, number), [None] * self.lanes)[lane] = (name, v)
        result: dict[str, tuple[int, ...]] = {}
        for words in registers.values():
            value = self.made.gathered([word and word[1] for word in words], self._line(words))
            for lane, word in enumerate(words):
                if word is not None:
                    result[word[0]] = (value * self.lanes + lane,)
        return {name: result[name] for name in self.program.outputs}

    def _line(self, words: Sequence[tuple[str, int] | None]) -> str:
        made = [word[1] - self.start for word in words if word is not None and word[1] >= self.start]
        return self.program.ops[made[-1]].line if made else ""
