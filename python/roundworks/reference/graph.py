"""Recording: run a description on words that write down what was done to them.

The graph is what every analysis, drawing and hardware check walks. Nodes are in topological order
and know the line of the description they come from and how often it computes them; a *unit* is a
named function of one word (F, an AES round) that analyses may take as a whole.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..errors import DescriptionError
from .aead import Rounds
from .block import BlockCipher
from .components import CellPermutation, Matrix, Sbox
from .permutation import Permutation
from .stream import StreamAead
from .word import W, Word, join

Roundwise = StreamAead[Any] | Rounds[Any] | Permutation[Any] | BlockCipher[Any]
Detail = Sbox | Matrix | CellPermutation | int | None
_HERE = Path(__file__).parent
_MACHINERY = {
    str(_HERE / name)
    for name in ("graph.py", "word.py", "stream.py", "sponge.py", "aead.py", "permutation.py", "block.py")
}


@dataclass(frozen=True, slots=True)
class Node:
    """One operation. ``op`` is input, const, xor, and, add, sub, mix, permute, cut or join.

    ``detail`` is the layer of sub, mix and permute, the value of a const, and of a cut the place of its
    first bit, 0 being the most significant.
    """

    id: int
    op: str
    inputs: tuple[int, ...]
    bits: int
    detail: Detail
    name: str | None
    unit: int | None
    line: str

    def apply(self, words: Sequence[W], like: W) -> W:
        """What the operation makes of the words of its inputs; ``like`` is any word of the same kind."""
        if self.op == "xor":
            return words[0] ^ words[1]
        if self.op == "and":
            return words[0] & words[1]
        if self.op == "add":
            return words[0] + words[1]
        if self.op == "join":
            return join(words)
        if self.op == "cut":
            assert isinstance(self.detail, int)
            return words[0].cut(self.detail, self.bits)
        if isinstance(self.detail, Sbox):
            return words[0].sub(self.detail)
        if isinstance(self.detail, Matrix):
            return words[0].mix(self.detail)
        if isinstance(self.detail, CellPermutation):
            return words[0].permute(self.detail)
        if isinstance(self.detail, int):
            return like.constant(self.detail, self.bits)
        raise DescriptionError(f"{self.line}: node {self.id}: operation {self.op} is not known")


@dataclass(frozen=True, slots=True)
class GraphUnit:
    """One call of a function marked ``@unit``: one word in, one word out."""

    id: int
    name: str
    input: int
    output: int


@dataclass
class Graph:
    """Nodes in topological order, and the units among them."""

    nodes: list[Node] = field(default_factory=list)
    units: list[GraphUnit] = field(default_factory=list)
    times: Counter[int] = field(default_factory=Counter)
    """How often the description computes a node: a value is recorded once and may be computed again."""
    _open_unit: int | None = None
    _unit_times: dict[int, Counter[int]] = field(default_factory=dict)
    _known: dict[tuple[object, ...], int] = field(default_factory=dict)

    def add(
        self, op: str, inputs: tuple[int, ...], bits: int, detail: Detail = None, name: str | None = None
    ) -> int:
        """A node; the same operation on the same inputs in the same place is recorded once."""
        key = (op, inputs, bits, detail, name, self._open_unit)
        if op != "input" and key in self._known:
            self.times[self._known[key]] += 1
            return self._known[key]
        node = Node(
            id=len(self.nodes),
            op=op,
            inputs=inputs,
            bits=bits,
            detail=detail,
            name=name,
            unit=self._open_unit,
            line=_caller(),
        )
        self.nodes.append(node)
        self._known[key] = node.id
        self.times[node.id] = 1
        return node.id

    def before(self, ends: Iterable[int], closed: Mapping[int, int] = MappingProxyType({})) -> set[int]:
        """The nodes that ``ends`` depend on, and these; ``closed``: a unit's output -> its input, where what
        is inside is left out."""
        seen: set[int] = set()
        todo = list(ends)
        while todo:
            node = todo.pop()
            if node not in seen:
                seen.add(node)
                todo += [closed[node]] if node in closed else self.nodes[node].inputs
        return seen

    def input(self, name: str, bits: int) -> NodeWord:
        """A new input word."""
        return NodeWord(self, self.add("input", (), bits, None, name), bits)

    def inside(self, name: str, word: NodeWord, body: Callable[[NodeWord], NodeWord]) -> NodeWord:
        """Record ``body`` as a unit. Units do not nest: the outermost one is what counts."""
        if self._open_unit is not None:
            return body(word)
        # Two functions may bear one name; only the same function gives the same word again.
        called = (name, body, word.id)
        if called in self._known:
            out_id = self._known[called]
            again = self.nodes[out_id].unit
            assert again is not None
            self.times.update(self._unit_times[again])
            return NodeWord(self, out_id, word.bits)
        self._open_unit = len(self.units)
        self.units.append(GraphUnit(self._open_unit, name, word.id, -1))
        try:
            out = body(word)
        finally:
            unit_id, self._open_unit = self._open_unit, None
        if not isinstance(out, NodeWord) or self.nodes[out.id].unit != unit_id:
            raise DescriptionError(f"unit {name}: want a word made of its own, by at least one layer")
        self.units[unit_id] = GraphUnit(unit_id, name, word.id, out.id)
        self._unit_times[unit_id] = Counter({n.id: self.times[n.id] for n in self.nodes if n.unit == unit_id})
        self._known[called] = out.id
        return out


class NodeWord(Word):
    """A word that is a node of a graph."""

    __slots__ = ("bits", "graph", "id")

    def __init__(self, graph: Graph, node: int, bits: int) -> None:
        self.graph = graph
        self.id = node
        self.bits = bits

    def _new(self, op: str, *inputs: NodeWord, detail: Detail = None, bits: int | None = None) -> NodeWord:
        bits = bits or self.bits
        node = self.graph.add(op, tuple(w.id for w in inputs), bits, detail)
        return NodeWord(self.graph, node, bits)

    def constant(self, value: int, bits: int) -> NodeWord:
        return self._new("const", detail=value, bits=bits)

    def _xor(self, other: NodeWord) -> NodeWord:
        return self._new("xor", self, other)

    def _and(self, other: NodeWord) -> NodeWord:
        return self._new("and", self, other)

    def _add(self, other: NodeWord) -> NodeWord:
        return self._new("add", self, other)

    def _cut(self, first: int, bits: int) -> NodeWord:
        return self._new("cut", self, detail=first, bits=bits)

    def _join(self, others: Sequence[NodeWord]) -> NodeWord:
        total = self.bits + sum(word.bits for word in others)
        return self._new("join", self, *others, bits=total)

    def sub(self, sbox: Sbox) -> NodeWord:
        self._check_cells("S-box", sbox.name, sbox.bits, 1)
        return self._new("sub", self, detail=sbox)

    def mix(self, matrix: Matrix) -> NodeWord:
        self._check_cells("matrix", matrix.name, matrix.cell_bits, matrix.size)
        return self._new("mix", self, detail=matrix)

    def permute(self, permutation: CellPermutation) -> NodeWord:
        p = permutation
        self._check_cells("permutation", p.name, p.cell_bits, len(p.to))
        return self._new("permute", self, detail=permutation)

    def in_unit(self, name: str, body: Callable[[NodeWord], NodeWord]) -> NodeWord:
        return self.graph.inside(name, self, body)


@dataclass(frozen=True, slots=True)
class Recording:
    """A part of a cipher as a graph: named words in, named words out (node ids)."""

    cipher: str
    part: str
    graph: Graph
    inputs: dict[str, int]
    outputs: dict[str, int]

    def dependencies(self, output: str) -> set[str]:
        """Names of the inputs that ``output`` depends on."""
        before = self.graph.before([self.outputs[output]])
        return {name for name, node in self.inputs.items() if node in before}


def _words(graph: Graph, letter: str, count: int, bits: int) -> list[NodeWord]:
    return [graph.input(f"{letter}{i}", bits) for i in range(count)]


def _ids(*words: NodeWord) -> dict[str, int]:
    """Input words by their names."""
    return {word.graph.nodes[word.id].name or "": word.id for word in words}


def _key_and_nonce(graph: Graph, cipher: StreamAead[NodeWord]) -> tuple[list[NodeWord], list[NodeWord]]:
    """Inputs K0.. and N0.. ."""
    size = cipher.word_bytes
    return (
        _words(graph, "K", -(-cipher.key_bytes // size), cipher.word_bits),
        _words(graph, "N", -(-cipher.nonce_bytes // size), cipher.word_bits),
    )


def _named(prefix: str, words: Sequence[NodeWord], want: int, cipher: str) -> dict[str, int]:
    if len(words) != want:
        raise DescriptionError(f"{cipher}: {prefix}: want {want} words, got {len(words)}")
    for i, word in enumerate(words):
        if not isinstance(word, NodeWord):
            raise DescriptionError(
                f"{cipher}: {prefix}{i}: want a word, got {type(word).__name__};"
                " constants belong in load, or XORed to a word"
            )
    return {f"{prefix}{i}": word.id for i, word in enumerate(words)}


def record_round(cipher: Roundwise) -> Recording:
    """One round: state S0.. and block X0.. in; next state S'0.. and keystream Z0.. out.

    Of a mode of blocks, or a sponge, it is round 0 of what that calls, with its round key K0.. . Of a
    permutation or a block cipher it is `record_rounds` of one round.
    """
    if isinstance(cipher, Permutation | BlockCipher):
        return record_rounds(cipher, 1)
    graph = Graph()
    S = _words(graph, "S", cipher.words, cipher.word_bits)
    if isinstance(cipher, Rounds):
        K = _words(graph, "K", cipher.round_key_words, cipher.word_bits)
        inputs = _ids(*S, *K)
        outputs = _named("S'", cipher.round(S, K, 0), cipher.words, cipher.name)
        return Recording(cipher.name, "round", graph, inputs, outputs)
    X = _words(graph, "X", cipher.rate_words, cipher.word_bits)
    inputs = _ids(*S, *X)
    outputs = _named("S'", cipher.update(list(S), list(X)), cipher.words, cipher.name)
    outputs |= _named("Z", cipher.keystream(list(S)), cipher.rate_words, cipher.name)
    return Recording(cipher.name, "round", graph, inputs, outputs)


def record_rounds(it: Roundwise, rounds: int) -> Recording:
    """Rounds 0 to ``rounds`` - 1 as one graph.

    State S0.. in, S'0.. out. A streaming cipher absorbs block Xr.0.. in round r and gives keystream
    Zr.0.. before it; rounds that a mode calls have round keys Kr.0.. . A block cipher has its subkeys
    RK0.. as inputs, as if they were independent; `record_keyed` has its key schedule.
    """
    if rounds < 1:
        raise DescriptionError(f"rounds: want at least 1, got {rounds}")
    if isinstance(it, BlockCipher):
        return _record_block(it.of_rounds(rounds), scheduled=False)
    graph = Graph()
    S = _words(graph, "S", it.words, it.word_bits)
    inputs = _ids(*S)
    outputs: dict[str, int] = {}
    state: list[NodeWord] = list(S)
    if isinstance(it, Permutation):
        outputs = _named("S'", it.run(state, rounds), it.words, it.name)
        return Recording(it.name, it.length(rounds), graph, inputs, outputs)
    for r in range(rounds):
        if isinstance(it, Rounds):
            letter, count = "K", it.round_key_words
        else:
            letter, count = "X", it.rate_words
        block = _words(graph, f"{letter}{r}.", count, it.word_bits)
        inputs |= _ids(*block)
        if isinstance(it, Rounds):
            state = list(it.round(state, block, r))
        else:
            outputs |= _named(f"Z{r}.", it.keystream(list(state)), it.rate_words, it.name)
            state = it.update(list(state), list(block))
        _named("S'", state, it.words, it.name)
    outputs |= _named("S'", state, it.words, it.name)
    return Recording(it.name, f"{rounds} rounds", graph, inputs, outputs)


def record_keyed(it: Roundwise, rounds: int) -> Recording:
    """A block cipher of that many rounds with its key schedule: state S0.., key K0.. and tweak T0.. in,
    S'0.. out; `DescriptionError` of what is none."""
    if not isinstance(it, BlockCipher):
        raise DescriptionError(f"{it.name}: want a block cipher, which has a key schedule")
    return _record_block(it.of_rounds(rounds), scheduled=True)


def record_schedule(it: BlockCipher[Any], rounds: int) -> Recording:
    """The key schedule alone: key K0.. and tweak T0.. in, subkeys RK0.. out."""
    graph = Graph()
    K = _key_and_tweak(graph, it)
    subkeys = it.of_rounds(rounds).subkeys(K)
    part = f"schedule of {it.length(rounds)}"
    return Recording(it.name, part, graph, _ids(*K), {f"RK{i}": w.id for i, w in enumerate(subkeys)})


def _key_and_tweak(graph: Graph, it: BlockCipher[Any]) -> list[NodeWord]:
    names = [f"K{i}" for i in range(it.key_words)] + [f"T{i}" for i in range(it.tweak_words)]
    return [graph.input(name, bits) for name, bits in zip(names, it.key_widths, strict=True)]


def _record_block(it: BlockCipher[Any], *, scheduled: bool) -> Recording:
    graph = Graph()
    S = _words(graph, "S", it.words, it.word_bits)
    if scheduled:
        K = _key_and_tweak(graph, it)
        subkeys = it.subkeys(K)
    else:
        widths = [word.bits for word in it.subkeys(_key_and_tweak(Graph(), it))]
        K = subkeys = [graph.input(f"RK{i}", bits) for i, bits in enumerate(widths)]
    begun = len(graph.nodes)
    outputs = _named("S'", it.run(S, subkeys), it.words, it.name)
    part = it.length(it.rounds) + " with the key schedule" * scheduled
    first = [word.id for word in (*S, *K)] if scheduled else [word.id for word in S]
    return _on_demand(Recording(it.name, part, graph, _ids(*S, *K), outputs), first, begun)


def _on_demand(recording: Recording, first: Sequence[int], begun: int) -> Recording:
    """The same with the nodes ``first`` in front, and those before ``begun`` where they are first used: so
    fewer rounds are how more of them begin. What nothing uses is left out, unless it is an input."""
    old, order = recording.graph.nodes, list(first)
    seen = set(order)
    for end in [*range(begun, len(old)), *recording.outputs.values(), *recording.inputs.values()]:
        fresh, todo = set[int](), [end]
        while todo:
            node = todo.pop()
            if node not in seen and node not in fresh:
                fresh.add(node)
                todo += old[node].inputs
        order += sorted(fresh)
        seen |= fresh
    number = {node: i for i, node in enumerate(order)}
    nodes = [
        replace(old[node], id=i, inputs=tuple(number[j] for j in old[node].inputs))
        for i, node in enumerate(order)
    ]
    units = [
        replace(unit, input=number.get(unit.input, -1), output=number.get(unit.output, -1))
        for unit in recording.graph.units
    ]
    graph = Graph(nodes, units, Counter({number[i]: recording.graph.times[i] for i in order}))
    inputs = {name: number[node] for name, node in recording.inputs.items()}
    outputs = {name: number[node] for name, node in recording.outputs.items()}
    return Recording(recording.cipher, recording.part, graph, inputs, outputs)


def record_load(cipher: StreamAead[NodeWord]) -> Recording:
    """Key K0.. and nonce N0.. in; the loaded state S0.. out."""
    graph = Graph()
    K, N = _key_and_nonce(graph, cipher)
    inputs = _ids(*K, *N)
    loaded = [K[0].lift(word) for word in cipher.load(K, N)]
    return Recording(cipher.name, "load", graph, inputs, _named("S", loaded, cipher.words, cipher.name))


def record_init(cipher: StreamAead[NodeWord]) -> list[Recording]:
    """For each round of the initialisation, the block X0.. it absorbs and the state S'0.. it
    starts from, made of K0.., N0.. and S0.. .

    The graph is cut at every round, S0.. being what the round before left (or load). So a block
    that does not depend on the state is seen to be a function of key and nonce alone, and what
    stands between two rounds is seen as well.
    """
    rounds: list[Recording] = []
    graph = Graph()
    K, N = _key_and_nonce(graph, cipher)
    S = _words(graph, "S", cipher.words, cipher.word_bits)
    inputs = _ids(*K, *N, *S)

    class Cut(type(cipher)):  # type: ignore[misc]
        def update(self, state: list[NodeWord], X: Sequence[NodeWord | int]) -> list[NodeWord]:
            block = [S[0].lift(x) for x in X]
            outputs = _named("X", block, cipher.rate_words, cipher.name)
            outputs |= _named("S'", state, cipher.words, cipher.name)
            rounds.append(Recording(cipher.name, f"init {len(rounds) + 1}", graph, inputs, outputs))
            return list(S)

    disguised(cipher, Cut).init(list(S), K, N)
    return rounds


class _Enough(Exception):
    pass


def record_start(cipher: StreamAead[Any], rounds: int) -> Recording:
    """Key K0.. and nonce N0.. in; the state S'0.. after ``rounds`` rounds of the initialisation."""
    if rounds < 1:
        raise DescriptionError(f"rounds: want at least 1, got {rounds}")
    graph = Graph()
    K, N = _key_and_nonce(graph, cipher)
    left: list[NodeWord] = []

    class Cut(type(cipher)):  # type: ignore[misc]
        done = 0

        def update(self, state: list[NodeWord], X: Sequence[NodeWord | int]) -> list[NodeWord]:
            after: list[NodeWord] = super().update(state, X)
            self.done += 1
            if self.done == rounds:
                left.extend(after)
                raise _Enough
            return after

    cut = disguised(cipher, Cut)
    try:
        cut.init([K[0].lift(word) for word in cipher.load(K, N)], K, N)
    except _Enough:
        outputs = {f"S'{i}": word.id for i, word in enumerate(left)}
        return Recording(cipher.name, f"{rounds} rounds of init", graph, _ids(*K, *N), outputs)
    raise DescriptionError(
        f"rounds: {cipher.name}'s initialisation has {cut.done}, want at most that, got {rounds}"
    )


def disguised(cipher: StreamAead[Any], kind: type[Any]) -> Any:
    """``cipher`` as an instance of its subclass ``kind``, without running a constructor."""
    twin = object.__new__(kind)
    twin.__dict__.update(getattr(cipher, "__dict__", {}))
    return twin


def _caller() -> str:
    """file:line of the description that made a node."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_filename in _MACHINERY:
        frame = frame.f_back
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"
