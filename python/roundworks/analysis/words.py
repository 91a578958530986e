"""The word-wise view of a recorded round: which words differ, and how many F are active.

A truncated difference says of every word only whether it is zero. F (a unit, or an S-box layer
outside one) passes activity on and counts 1, and so do matrices and permutations outside F, which
count 0; an XOR of n words may have any output unless exactly one of its operands is active; an AND
may have any output once an operand is active.

Linear masks run the other way: a fan-out is an XOR of masks and an XOR is a fan-out. So the
linear view is the same kind of program, transposed: the masks of the next state and of the
keystream come in, the masks of the state go out. What is a collision there (no mask before, none
after, some keystream word masked) is a biased sum of keystream words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from ..errors import DescriptionError
from ..reference.components import Matrix, Sbox
from ..reference.graph import Graph, GraphUnit, Node, Recording
from ..reference.recordings import refusal
from .forms import same_inputs

MAX_SEARCH_WORDS = 16
MAX_OPEN_NODES = 14  # of a part without state: 2^14 patterns at most

Op = tuple[str, tuple[int, ...], int]


@dataclass(frozen=True, slots=True)
class WordProgram:
    """``nodes[k]`` has id ``words + inputs + k``: (kind f | xor | any, operand ids, weight).

    An invertible layer outside F is an f of weight 0.

    ``outputs``: for each state word the id of its next value, or None where it is always zero.
    """

    words: int
    inputs: int
    nodes: tuple[Op, ...]
    outputs: tuple[int | None, ...]

    def native(self) -> tuple[int, int, list[tuple[str, list[int], int]], list[int | None]]:
        """The shape the search engine takes."""
        nodes = [(kind, list(operands), weight) for kind, operands, weight in self.nodes]
        return self.words, self.inputs, nodes, list(self.outputs)

    def steps(self, state: int, block: int) -> Iterator[tuple[int, int]]:
        """Every (next state, active F) that ``state`` and ``block`` can lead to; bit i is word i.

        Plain enumeration, for small parts and as the tests' oracle; the engine does the rest.
        """
        active = [state >> i & 1 for i in range(self.words)]
        active += [block >> i & 1 for i in range(self.inputs)]
        # One branch per choice that an XOR or AND leaves open.
        branches = [(active, 0)]
        for kind, operands, weight in self.nodes:
            grown = []
            for values, cost in branches:
                on = sum(values[i] for i in operands)
                if kind == "f":
                    grown.append(([*values, on], cost + weight * on))
                    continue
                free = on >= 2 if kind == "xor" else on >= 1
                for value in (0, 1) if free else (on,):
                    grown.append(([*values, value], cost))
            branches = grown
        for values, cost in branches:
            bits = [values[o] if o is not None else 0 for o in self.outputs]
            yield sum(bit << i for i, bit in enumerate(bits)), cost


class _Builder:
    """Nodes of a program, made once each."""

    def __init__(self, given: int) -> None:
        self.given = given
        self.nodes: list[Op] = []
        self.known: dict[tuple[object, ...], int] = {}

    def add(self, kind: str, operands: tuple[int, ...], weight: int, source: object) -> int:
        """Equal activity is not equal difference: only the same ``source`` gives the same node."""
        key = (kind, operands, source)
        if key not in self.known:
            self.nodes.append((kind, operands, weight))
            self.known[key] = self.given + len(self.nodes) - 1
        return self.known[key]

    def xor(self, operands: list[int]) -> int | None:
        """XOR with equal operands cancelled; None for zero."""
        odd = sorted(i for i, n in Counter(operands).items() if n % 2)
        if len(odd) < 2:
            return odd[0] if odd else None
        return self.add("xor", tuple(odd), 0, None)


@dataclass(frozen=True, slots=True)
class Wire:
    """A word: f, linear or any (``layers``) of others, their xor, or else an input or constant."""

    kind: str
    operands: tuple[int, ...]
    layers: tuple[object, ...] = ()


def wiring(graph: Graph) -> dict[int, Wire]:
    """The recorded graph with units closed and S-boxes outside units as F of their own.

    Words that are equal for every input, such as a ^ b and b ^ a, are one wire.
    """
    for node in graph.nodes:
        if node.op in ("cut", "join"):
            raise refusal(node, "a word-wise measure", "want words of one width, or a cell-wise measure")
    closed = {u.output: u for u in graph.units}
    wires: dict[int, Wire] = {}
    first: dict[object, int] = {}  # what a word is -> the first node that is it
    same: dict[int, int] = {}
    sums: dict[int, frozenset[object]] = {}  # as a sum over GF(2) of what is not a sum
    for node in graph.nodes:
        if node.unit is not None and not (node.id in closed and closed[node.id].id == node.unit):
            continue
        wire = _wire(graph, node, closed.get(node.id))
        operands = tuple(same[i] for i in wire.operands)
        if wire.kind == "xor":
            known = sums[operands[0]] ^ sums[operands[1]]
        elif wire.kind == "linear":
            known = frozenset((wire.layers, term) for term in sums[operands[0]])
        elif wire.kind in ("f", "any"):
            known = frozenset({(wire.layers, frozenset(sums[i] for i in operands))})
        else:
            known = frozenset() if node.op == "const" and node.detail == 0 else frozenset({node.id})
        same[node.id] = first.setdefault(known, node.id)
        sums[node.id] = known
        wires[node.id] = Wire("xor", (same[node.id],))
        if same[node.id] == node.id:
            wires[node.id] = Wire(wire.kind, operands, wire.layers)
    return wires


def _wire(graph: Graph, node: Node, unit: GraphUnit | None) -> Wire:
    if unit is not None and unit.id == node.unit:
        return Wire("f", (unit.input,), _unit_layers(graph, unit))
    if node.op in ("sub", "mix", "permute"):
        _need_bijective(node)
        return Wire("f" if node.op == "sub" else "linear", node.inputs, (node.op, node.detail))
    return Wire({"and": "any", "add": "any"}.get(node.op, node.op), node.inputs)


def _need_bijective(node: Node) -> None:
    bad = (isinstance(node.detail, Sbox) and not node.detail.bijective) or (
        isinstance(node.detail, Matrix) and not node.detail.invertible
    )
    if bad:
        name = getattr(node.detail, "name", "?")
        raise DescriptionError(
            f"{node.line}: {node.op} {name}: not invertible, so a difference can vanish in it;"
            " word-wise bounds need bijective layers"
        )


def _unit_layers(graph: Graph, unit: GraphUnit) -> tuple[object, ...]:
    """What a unit does. It must be a chain of bijections, or F(x) = 0 says nothing of x."""
    last, layers = unit.input, []
    for node in (n for n in graph.nodes if n.unit == unit.id):
        if node.op == "const":
            continue
        constant = [i for i in node.inputs if graph.nodes[i].op == "const"]
        data = [i for i in node.inputs if i not in constant]
        if node.op not in ("sub", "mix", "permute", "xor") or data != [last]:
            raise DescriptionError(
                f"{node.line}: {node.op} inside unit {unit.name}: a unit is a chain"
                " of S-box layers, matrices, permutations and constants"
            )
        _need_bijective(node)
        layers.append((node.op, node.detail, *(graph.nodes[i].detail for i in constant)))
        last = node.id
    return tuple(layers)


def doubled(recording: Recording) -> bool:
    """Whether S-boxes of one input, computed twice, stand in two F: a program counts both, and has
    masks on them that do not cancel."""
    result, graph = wiring(recording.graph), recording.graph
    layers = {i for i, wire in result.items() if wire.kind == "f"}
    units = {graph.nodes[i].unit for i in layers} - {None}
    kept = {node.id for node in graph.nodes if node.id in layers or node.unit in units}
    return any(sum(node in kept for node, _ in group) > 1 for group in same_inputs(recording))


def differential(recording: Recording, of: Sequence[int] | None = None) -> WordProgram:
    """Differences forward: state and block in, next state out. Keystream is not looked at. ``of``: the words of the
    state that are, which depend on no others; all of them unless given."""
    words, blocks = _sources(recording)
    kept = range(len(words)) if of is None else of
    targets = [recording.outputs[f"S'{i}"] for i in kept]
    return _forward(recording.graph, [*(words[i] for i in kept), *blocks], len(kept), targets)


def load_program(recording: Recording, sources: list[str], targets: list[str]) -> WordProgram:
    """A part without state: ``sources`` as block words in, ``targets`` out; the rest fixed."""
    inputs = [recording.inputs[name] for name in sources]
    return _forward(recording.graph, inputs, 0, [recording.outputs[name] for name in targets])


def _forward(graph: Graph, given: list[int], words: int, targets: list[int]) -> WordProgram:
    wires = wiring(graph)
    uses = Counter(i for wire in wires.values() for i in wire.operands)
    uses.update(targets)
    builder = _Builder(len(given))
    place: dict[int, int | None] = {node: i for i, node in enumerate(given)}

    def terms(node: int) -> list[int]:
        """Operands of an XOR tree, opened where the inner value has no other use."""
        wire = wires[node]
        if wire.kind == "xor" and (uses[node] == 1 or len(wire.operands) == 1):
            return [t for operand in wire.operands for t in terms(operand)]
        at = value(node)
        return [] if at is None else [at]

    def value(node: int) -> int | None:
        if node not in place:
            place[node] = make(node, wires[node])
        return place[node]

    def make(node: int, wire: Wire) -> int | None:
        if wire.kind == "xor":
            return builder.xor([t for operand in wire.operands for t in terms(operand)])
        operands = [at for at in map(value, wire.operands) if at is not None]
        if not operands:  # constants, and inputs that are fixed
            return None
        if wire.kind == "any":
            return builder.add("any", tuple(operands), 0, node)
        if wire.kind == "linear":  # M(x ^ c) and M(x) have the same difference
            return builder.add("f", (operands[0],), 0, wire.layers)
        return builder.add("f", (operands[0],), 1, node)

    outputs = tuple(value(target) for target in targets)
    return WordProgram(words, len(given) - words, tuple(builder.nodes), outputs)


def linear(recording: Recording) -> WordProgram:
    """Masks backward: masks of next state and keystream in, masks of the state out.

    Blocks are known to the observer, so their masks are free and left out.
    """
    words, _ = _sources(recording)
    wires = wiring(recording.graph)
    outs = [recording.outputs[f"S'{i}"] for i in range(len(words))]
    streams = [node for name, node in recording.outputs.items() if name.startswith("Z")]
    builder = _Builder(len(outs) + len(streams))
    # What no word of the state goes into is known, as the blocks are: a mask on it is free.
    unknown = set(words)
    for node in sorted(wires):
        if any(operand in unknown for operand in wires[node].operands):
            unknown.add(node)
    masks: dict[int, list[int]] = {}
    for i, node in enumerate([*outs, *streams]):
        masks.setdefault(node, []).append(i)
    for node in sorted(wires, reverse=True):  # every use comes after its value
        if node not in unknown:
            masks[node] = []
            continue
        mask = builder.xor(masks.get(node, []))
        masks[node] = [] if mask is None else [mask]
        if mask is None:
            continue
        wire = wires[node]
        for position, operand in enumerate(wire.operands):
            passed = mask
            if wire.kind == "f":
                passed = builder.add("f", (mask,), 1, node)
            elif wire.kind == "linear":
                passed = builder.add("f", (mask,), 0, wire.layers)
            elif wire.kind == "any":
                passed = builder.add("any", (mask,), 0, (node, position))
            masks.setdefault(operand, []).append(passed)
    outputs = tuple(masks[w][0] if masks.get(w) else None for w in words)
    return WordProgram(len(words), len(streams), tuple(builder.nodes), outputs)


def _sources(recording: Recording) -> tuple[list[int], list[int]]:
    words = [node for name, node in recording.inputs.items() if name.startswith("S")]
    blocks = [node for name, node in recording.inputs.items() if name.startswith("X")]
    return words, blocks


@dataclass(frozen=True, slots=True)
class WordPart:
    """Words that never meet the others, such as a lane: a program of its own.

    ``words`` and ``inputs`` are which of the whole program's these are.
    """

    program: WordProgram
    words: tuple[int, ...]
    inputs: tuple[int, ...]

    def of(self, state: int, block: int) -> tuple[int, int]:
        """What the patterns of the whole are in this part."""
        return _pick(state, self.words), _pick(block, self.inputs)

    def whole(self, state: int, block: int) -> tuple[int, int]:
        """Patterns of this part as patterns of the whole, nothing else active."""
        return _put(state, self.words), _put(block, self.inputs)


def parts(program: WordProgram) -> list[WordPart]:
    """The program cut into parts without a path between them; one that is all of it if none."""
    given = program.words + program.inputs
    leader = list(range(given + len(program.nodes)))

    def find(i: int) -> int:
        while leader[i] != i:
            leader[i] = leader[leader[i]]
            i = leader[i]
        return i

    joined = [(given + k, o) for k, (_, operands, _) in enumerate(program.nodes) for o in operands]
    joined += [(i, o) for i, o in enumerate(program.outputs) if o is not None]
    for a, b in joined:
        leader[find(a)] = find(b)
    stateful = {find(i) for i in range(program.words)}
    for i in range(program.words, given):
        if find(i) not in stateful:  # a block that reaches no state goes along with word 0
            leader[find(i)] = find(0)
    results = []
    for root in dict.fromkeys(find(i) for i in range(program.words)):
        ids = [i for i in range(len(leader)) if find(i) == root]
        new = {old: i for i, old in enumerate(ids)}
        words = tuple(i for i in ids if i < program.words)
        inputs = tuple(i - program.words for i in ids if program.words <= i < given)
        nodes = tuple(
            (kind, tuple(new[o] for o in operands), weight)
            for i in ids
            if i >= given
            for kind, operands, weight in [program.nodes[i - given]]
        )
        outputs = tuple(None if o is None else new[o] for o in (program.outputs[w] for w in words))
        results.append(WordPart(WordProgram(len(words), len(inputs), nodes, outputs), words, inputs))
    return results


def _pick(pattern: int, places: tuple[int, ...]) -> int:
    return sum((pattern >> place & 1) << i for i, place in enumerate(places))


def _put(pattern: int, places: tuple[int, ...]) -> int:
    return sum((pattern >> i & 1) << place for i, place in enumerate(places))


def dependence(program: WordProgram, rounds: int) -> list[list[int]]:
    """For each of 0..rounds: per state word, the pattern of first-state words it depends on.

    Dependence is counted along every path; that contributions may cancel is not looked at.
    """
    reads: list[int] = [1 << i for i in range(program.words)] + [0] * program.inputs
    for _, operands, _ in program.nodes:
        reads.append(_union(reads[i] for i in operands))
    sources = [0 if o is None else reads[o] for o in program.outputs]
    results = [[1 << i for i in range(program.words)]]
    for _ in range(rounds):
        before = results[-1]
        results.append(
            [_union(before[j] for j in range(program.words) if source >> j & 1) for source in sources]
        )
    return results


def _union(patterns: Iterable[int]) -> int:
    union = 0
    for pattern in patterns:
        union |= pattern
    return union


def reachable_patterns(program: WordProgram, block: int) -> set[int]:
    """Output patterns of a part without state when exactly the words in ``block`` differ."""
    open_nodes = sum(kind != "f" for kind, _, _ in program.nodes)
    if open_nodes > MAX_OPEN_NODES:
        raise DescriptionError(
            f"load or block: {open_nodes} XOR and AND of differing words, and at most"
            f" {MAX_OPEN_NODES} are enumerated; put rounds in init"
        )
    return {state for state, _ in program.steps(0, block)}


def nonzero_patterns(bits: int) -> list[int]:
    """Every way that at least one of ``bits`` words differs."""
    return [
        sum(b << i for i, b in enumerate(choice)) for choice in product((0, 1), repeat=bits) if any(choice)
    ]
