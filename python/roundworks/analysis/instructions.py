"""From a recorded description to AES instructions: what a program of one block executes.

SubBytes, ShiftRows and MixColumns of a word are `aesenc`, without MixColumns `aesenclast`; one word
XORed to the result is the round key of the instruction and costs nothing; on a CPU whose instruction
adds its round key first, a word XORed to the input is. Shuffles of 32-bit
columns between words become unpack, blend and shuffle (``mixing.py``); XOR and AND that are left
are logic. Constants are operands in memory and cost nothing either.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from .. import spec
from ..errors import DescriptionError
from ..reference import Node, Recording
from .mixing import Columns, Value, mixed
from .recognise import aes_chain, columns_of, moves_bytes

KEY_FIRST = "the round key is added first"


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction on values: numbers of given words, then of instructions before it."""

    kind: str
    operands: tuple[int, ...]
    constant: int
    """The operand in memory: the round key of an AES instruction without a second operand."""
    detail: object
    """What else distinguishes it; `KEY_FIRST` of an AES instruction that adds its key first."""
    line: str


@dataclass(frozen=True, slots=True)
class InstructionProgram:
    """Value i is given word i, or the result of instruction i - len(given).

    ``latency`` is the critical path in cycles, if nothing but latency is waited for.
    """

    given: tuple[str, ...]
    code: tuple[Instruction, ...]
    outputs: dict[str, int]
    latency: int

    def count(self, *kinds: str) -> int:
        """The number of instructions of these kinds."""
        return sum(instruction.kind in kinds for instruction in self.code)

    @property
    def aes(self) -> int:
        """The number of AES instructions."""
        return self.count("aesenc", "aesenclast")

    @property
    def mixing(self) -> int:
        """The number of instructions that move columns between words."""
        return self.count("unpack", "shuffle", "blend")

    def registers(self) -> int:
        """Most values alive at once, in the order of the code; a result may take the register of an
        operand that is used for the last time. Blocks and keystream are in memory."""
        state = [value for name, value in self.outputs.items() if name.startswith("S'")]
        last = dict.fromkeys(state, len(self.code))
        for i, instruction in enumerate(self.code):
            for value in instruction.operands:
                last[value] = max(last.get(value, -1), i)
        alive = {v for v, name in enumerate(self.given) if name.startswith("S")}
        most = len(alive)
        for i in range(len(self.code)):
            result = len(self.given) + i
            alive = {value for value in alive if last.get(value, -1) > i}
            if result in last:
                alive.add(result)
            most = max(most, len(alive))
        return most


def instructions(
    recording: Recording, cpu: spec.Cpu, bits: int = 128, *, shared: bool = False
) -> InstructionProgram:
    """The program of a recording on a CPU, with registers of that many bits.

    Two branches that begin with the same instruction and round key execute it once. Where only the
    keys differ each is executed, as software does; with ``shared`` it is executed once, its keys
    being XORed to the result.

    Raises
    ------
    DescriptionError
        ``aether.py:30: sub Orthros: no AES instruction does it; want SubBytes, ...``
    """
    program = _Mapper(recording, cpu, bits, shared).program()
    if not program.aes:
        raise DescriptionError(f"{recording.cipher}: no AES round in it; the cycle model is of those")
    return program


@dataclass
class _Mapper:
    recording: Recording
    cpu: spec.Cpu
    bits: int
    shared: bool
    code: list[Instruction] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    known: dict[object, int] = field(default_factory=dict)
    value: dict[int, int] = field(default_factory=dict)
    mixes: dict[int, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.nodes = self.recording.graph.nodes
        self.uses = Counter(i for node in self.nodes for i in node.inputs)
        self.uses.update(self.recording.outputs.values())
        self.columns: dict[int, Columns | None] = {}
        for node in self.nodes:
            self.columns[node.id] = columns_of(self.nodes, self.columns, node)
        chains = [c for node in self.nodes if (c := aes_chain(self.nodes, node)) is not None]
        # Each round once: what is MixColumns of another is left out.
        self.round_inputs = Counter(word for kind, word in chains if kind == "aesenclast")

    def program(self) -> InstructionProgram:
        given = self.recording.inputs
        self.value = {node: i for i, node in enumerate(given.values())}
        needed = self._needed()
        self._mix([n for n in needed if self._is_mixed(n)])
        for node in sorted(needed):
            if not self._is_folded(node):
                self._value(node)
        outputs = {name: self._value(node) for name, node in self.recording.outputs.items()}
        latency = max(self._there(value, "") for value in outputs.values())
        return InstructionProgram(tuple(given), tuple(self.code), outputs, latency)

    def _needed(self) -> set[int]:
        """Nodes whose value some instruction or output takes."""
        needed = set(self.recording.outputs.values())
        foreign: Node | None = None
        for node in reversed(self.nodes):
            if node.id in needed:
                needed |= set(self._takes(node))
                foreign = node if self._is_foreign(node) else foreign
        if foreign is not None:
            raise self._foreign(foreign)
        return {n for n in needed if self.nodes[n].op != "const"}

    def _takes(self, node: Node) -> list[int]:
        if self._is_mixed(node.id):
            return [c[0] for c in self.columns[node.id] or () if c is not None]
        if (chain := aes_chain(self.nodes, node)) is not None:
            return [chain[1]]
        if node.op == "xor":
            terms = [self.nodes[t] for t in self._terms(node)]
            return [
                t if (c := aes_chain(self.nodes, n)) is None else c[1]
                for t, n in zip([n.id for n in terms], terms, strict=True)
            ]
        return list(node.inputs)

    def _is_foreign(self, node: Node) -> bool:
        """Whether nothing here computes it."""
        if self._is_mixed(node.id) or aes_chain(self.nodes, node) is not None:
            return False
        return node.op in ("sub", "mix", "add", "cut", "join") or (
            node.op == "permute" and not moves_bytes(node.detail)
        )

    def _foreign(self, node: Node) -> DescriptionError:
        actual = "" if node.bits == 128 else f", got {node.bits}"
        return DescriptionError(
            f"{node.line}: {node.op} {getattr(node.detail, 'name', '')}: no AES instruction does"
            f" it; want SubBytes, ShiftRows and MixColumns of AES on words of 128 bits{actual}"
        )

    def _terms(self, node: Node) -> list[int]:
        """What a tree of XORs adds up, opened where an inner sum has no other use.

        With at most one AES term: a second one has a round key of its own.
        """
        results: list[int] = []
        for operand in node.inputs:
            inner, opened = self.nodes[operand], [operand]
            if inner.op == "xor" and self.uses[operand] == 1 and not self._is_mixed(operand):
                opened = self._terms(inner)
            chains = sum(aes_chain(self.nodes, self.nodes[term]) is not None for term in results + opened)
            results += opened if chains <= 1 else [operand]
        return results

    def _is_mixed(self, node: int) -> bool:
        return self.columns[node] is not None

    def _mix(self, nodes: list[int]) -> None:
        """Expressions for mixed words, those of the same sources together."""
        groups: dict[frozenset[int], list[int]] = defaultdict(list)
        for node in sorted(nodes):
            groups[frozenset(c[0] for c in self.columns[node] or () if c)].append(node)
        for group in groups.values():
            words = [result for n in group if (result := self.columns[n]) is not None]
            self.mixes |= dict(zip(group, mixed(words), strict=True))

    def _value(self, number: int) -> int:
        if number not in self.value:
            node = self.nodes[number]
            self.value[number] = self._make(node)
        return self.value[number]

    def _make(self, node: Node) -> int:
        if node.id in self.mixes:
            return self._step(self.mixes[node.id], node.line)
        if (chain := aes_chain(self.nodes, node)) is not None:
            return self._aes(*chain, node.line)
        if node.op == "xor":
            return self._sum(node)
        if node.op in ("and", "permute"):
            operands = [self._value(i) for i in node.inputs if self.nodes[i].op != "const"]
            constant = sum(self._constant(i) for i in node.inputs)
            kind = "logic" if node.op == "and" else "shuffle"
            return self._emit(kind, operands, constant, (node.op, node.detail), node.line)
        raise DescriptionError(
            f"{node.line}: {node.op}: a word that is only a constant; no instruction makes it"
        )

    def _aes(self, kind: str, word: int, line: str) -> int:
        """One AES instruction; where it adds its round key first, that is the last word of a sum."""
        detail = KEY_FIRST if self.cpu.key_first else None
        if not self._is_folded(word):
            return self._emit(kind, [self._value(word)], 0, detail, line)
        constant, values = self._values(self._terms(self.nodes[word]))
        keys = values[len(values) - 1 :] if len(values) > 1 and not constant else []
        total = self._added([*values[: len(values) - len(keys)]], 0, line)
        return self._emit(kind, [total, *keys], constant, detail, line)

    def _is_folded(self, number: int) -> bool:
        """Whether a sum is the input of AES rounds alone, which add its last word themselves."""
        rounds_alone = self.uses[number] == self.round_inputs[number] > 0
        is_sum = self.nodes[number].op == "xor" and not self._is_mixed(number)
        return self.cpu.key_first and rounds_alone and is_sum

    def _values(self, terms: list[int]) -> tuple[int, list[int]]:
        """The constant of a sum, and its other values, that which is there first before the rest."""
        constant, values = 0, []
        for term in terms:
            if self.nodes[term].op == "const":
                constant ^= self._constant(term)
            else:
                values.append(self._value(term))
        return constant, sorted(values, key=lambda value: self._there(value, "logic"))

    def _constant(self, number: int) -> int:
        node = self.nodes[number]
        return node.detail if node.op == "const" and isinstance(node.detail, int) else 0

    def _step(self, value: Value, line: str) -> int:
        if isinstance(value, int):
            return self._value(value)
        operands = [self._step(operand, line) for operand in value.operands]
        return self._emit(value.kind, operands, 0, value.detail, line)

    def _sum(self, node: Node) -> int:
        """An XOR: one of its AES terms takes others as its round key, the rest is logic.

        Of the ways that cost the same instructions the one that is ready first, and of these the
        one whose round key is there first: so a word that comes late is added last.
        """
        constant = 0
        terms: list[int] = []
        chains: list[tuple[int, int, tuple[str, int]]] = []
        for term in self._terms(node):
            chain = aes_chain(self.nodes, self.nodes[term])
            if self.nodes[term].op == "const":
                constant ^= self._constant(term)
            elif chain is not None and not self._alone(term):
                chains.append((self._there(self._value(chain[1]), chain[0]), term, chain))
            else:
                terms.append(self._value(term))
        chains.sort(key=lambda found: found[0])
        terms += [self._value(term) for _, term, _ in chains[:-1]]
        # None is the constant: there from the start.
        terms.sort(key=lambda value: self._there(value, "logic"))
        others: list[int | None] = [*terms]
        if constant:
            others.insert(0, None)
        if not chains:
            return self._added(others, constant, node.line)
        _, _, (kind, word) = chains[-1]
        start = self._there(self._value(word), kind)

        def finish(taken: int) -> int:
            keys, late = others[:taken], others[taken:]
            begun = max(start, self._sum_there(keys, None, kind))
            return self._sum_there(late, begun + self._latency(kind, "logic"), "")

        best = min(range(min(1, len(others)), len(others) + 1), key=lambda k: (finish(k), k))
        keys = others[:best]
        operands = [self._value(word)]
        key_constant = constant if keys == [None] else 0
        if any(key is not None for key in keys):
            operands.append(self._added(keys, constant, node.line))
        result = self._emit(kind, operands, key_constant, None, node.line)
        return self._added([result, *others[best:]], constant, node.line)

    def _alone(self, term: int) -> bool:
        """Whether an AES term of a sum is executed without a key, which is XORed to the result."""
        return self.cpu.key_first or (self.shared and self.uses[term] > 1)

    def _latency(self, kind: str, user: str) -> int:
        return self.cpu.latency(kind, user, self.bits)

    def _there(self, value: int, user: str) -> int:
        """When a value is there for an instruction of this kind."""
        at = value - len(self.recording.inputs)
        return 0 if at < 0 else self.starts[at] + self._latency(self.code[at].kind, user)

    def _sum_there(self, values: list[int | None], before: int | None, user: str) -> int:
        """When a chain of XORs is there: of ``before``, a time, if any, and of these in order."""
        if before is None:
            if len(values) < 2:
                return max((0 if v is None else self._there(v, user) for v in values), default=0)
            before, values = self._sum_there(values[:1], None, "logic"), values[1:]
        for i, value in enumerate(values, 1):
            late = 0 if value is None else self._there(value, "logic")
            to = user if i == len(values) else "logic"
            before = max(before, late) + self._latency("logic", to)
        return before

    def _added(self, values: list[int | None], constant: int, line: str) -> int:
        total = values[0]
        for value in values[1:]:
            operands = [v for v in (total, value) if v is not None]
            with_constant = constant if len(operands) == 1 else 0
            total = self._emit("logic", operands, with_constant, "xor", line)
        assert total is not None
        return total

    def _emit(self, kind: str, operands: list[int], constant: int, detail: object, line: str) -> int:
        key = (kind, tuple(operands), constant, detail)
        if key not in self.known:
            self.known[key] = len(self.recording.inputs) + len(self.code)
            self.starts.append(max(self._there(operand, kind) for operand in operands))
            self.code.append(Instruction(kind, tuple(operands), constant, detail, line))
        return self.known[key]
