"""Whether a round loses information: what is looked at when a permutation or a block cipher is loaded.

A round is a bijection if its input follows from its output, which is decided word-wise: substitution-permutation
networks, Feistel and Lai-Massey structures and additions follow, whatever their functions are. Where it does not
follow, a search may find two states with one image, and a layer that loses information is an error. What passes
then, such as rounds of AND gates, is not shown to be a bijection.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from . import gf2
from .aead import Rounds
from .block import BlockCipher
from .components import Matrix, Sbox
from .graph import Graph, Node, Recording
from .permutation import Permutation
from .record import record_rounds
from .steady import StepError, steps_of, whole

_BITS = 1 << 22  # of states that a search for a collision computes


def check_bijective(it: Permutation[Any] | BlockCipher[Any]) -> None:
    """`StepError` of a round that is seen to lose information."""
    if isinstance(it, BlockCipher):
        one, rng = it.of_rounds(1), random.Random(1)
        _check(it, "encrypt", record_rounds(it, 1), _under_one_key(one, rng))
        return
    known = set[object]()
    for step, run in steps_of(it):
        graph = Graph()
        S = [graph.input(f"S{i}", it.word_bits) for i in range(it.words)]
        made = {f"S'{i}": word.id for i, word in enumerate(whole(run(list(S)), it.words, step))}
        # Rounds that differ by constants alone lose alike.
        shape = [(n.op, n.inputs, n.bits, n.detail if n.op != "const" else None) for n in graph.nodes]
        if (key := (tuple(shape), tuple(made.values()))) not in known:
            known.add(key)
            inputs = {f"S{i}": word.id for i, word in enumerate(S)}
            _check(it, step, Recording(it.name, step, graph, inputs, made), run)


def _under_one_key(it: BlockCipher[Any], rng: random.Random) -> Callable[[list[Any]], Sequence[Any]]:
    from .batch import ArrayWord

    K = [ArrayWord.from_ints([rng.getrandbits(bits)], bits) for bits in it.key_widths]
    subkeys = it.subkeys(K)
    return lambda S: it.run(S, subkeys)


def _check(
    it: Permutation[Any] | BlockCipher[Any],
    step: str,
    recording: Recording,
    run: Callable[[list[Any]], Sequence[Any]],
) -> None:
    if follows(recording):
        return
    bits, rng = it.words * it.word_bits, random.Random(1)
    drawn = [rng.getrandbits(bits) for _ in range(bits + 64)]
    values = _images(it, run, drawn)
    spanned = gf2.rank(value ^ values[0] for value in values[1:])
    if spanned < bits:
        raise StepError(
            f"{step}: its {bits} bits take only 2^{spanned} values or fewer; want a permutation", step
        )
    states = _states(it.words, it.word_bits, rng)
    first: dict[int, int] = {}
    for state, image in zip(states, _images(it, run, states), strict=True):
        if (other := first.setdefault(image, state)) != state:
            width = -(-bits // 4)
            where, why = next(((f"{n.line}: ", f"{loss(n)}; ") for n in lossy(recording)), ("", ""))
            raise StepError(
                f"{where}{step}: gives one value for two states, {other:0{width}x} and {state:0{width}x};"
                f" {why}want a permutation",
                step,
            )
    for node in lossy(recording):
        raise StepError(
            f"{node.line}: {step}: {loss(node)}, and the state before does not follow from the state after;"
            " want a permutation",
            step,
        )


def _states(words: int, bits: int, rng: random.Random) -> list[int]:
    """Different states: around random ones all values of 8 neighbouring bits and of one bit of up to 8 words; and
    words that repeat 4 bits. Fewer of them, the wider the state is."""
    whole, most = words * bits, max(512, _BITS // (words * bits))
    places = [list(range(at, min(at + 8, whole))) for at in range(0, whole, 8)]
    for first in range(0, words, 8):
        many = range(first, min(first + 8, words))
        places += [[word * bits + bit for word in many] for bit in range(bits)]
    rng.shuffle(places)
    repeated = sum(1 << 4 * i for i in range(-(-bits // 4)))
    states: dict[int, None] = {}
    for pattern in range(min(16**words, 4096)):
        digits = pattern if words <= 3 else rng.getrandbits(4 * words)
        parts = [(digits >> 4 * i & 15) * repeated & (1 << bits) - 1 for i in range(words)]
        states[sum(part << bits * i for i, part in enumerate(parts))] = None
    for _ in range(4):
        for place in places:
            rest = rng.getrandbits(whole)
            for value in range(1 << len(place)):
                state = rest
                for i, bit in enumerate(place):
                    state ^= (value >> i & 1) << bit
                states[state] = None
            if len(states) > most:
                return list(states)
    return list(states)


def _images(
    it: Permutation[Any] | BlockCipher[Any], run: Callable[[list[Any]], Sequence[Any]], states: Sequence[int]
) -> list[int]:
    """Every state through a step, with word 0 the most significant."""
    from .batch import ArrayWord

    words, bits = it.words, it.word_bits
    mask = (1 << bits) - 1
    S = [
        ArrayWord.from_ints([state >> bits * (words - 1 - i) & mask for state in states], bits)
        for i in range(words)
    ]
    columns = [word.to_ints() for word in run(S)]
    columns = [column * len(states) if len(column) == 1 else column for column in columns]
    images = [0] * len(states)
    for column in columns:
        images = [image << bits | value for image, value in zip(images, column, strict=True)]
    return images


def lossy(recording: Recording) -> list[Node]:
    """Where the layers stand that map two words to one: S-boxes and matrices that are no bijections, each once."""
    return list({node.detail: node for node in reversed(recording.graph.nodes) if loss(node)}.values())[::-1]


def warnings(it: Any, recording: Recording) -> list[str]:
    """A line for every such layer of a recorded round. Rounds of a permutation or a block cipher were looked at when
    they were loaded, and may be bijections all the same."""
    if isinstance(it, Permutation | BlockCipher | Rounds):
        return []
    return [
        f"warning: {node.line}: {loss(node)}: two words become one in it, and a difference can vanish"
        for node in lossy(recording)
    ]


def loss(node: Node) -> str:
    """What a layer loses, in words; nothing of any other node."""
    layer = node.detail
    if isinstance(layer, Sbox) and not layer.bijective:
        twice = next(value for value in layer.table if layer.table.count(value) > 1)
        return f"S-box {layer.name} takes the value {twice} {layer.table.count(twice)} times"
    if isinstance(layer, Matrix) and not layer.invertible:
        return f"matrix {layer.name} is singular"
    return ""


def follows(recording: Recording, wanted: str = "S") -> bool:
    """Whether the state S0.., or the block X0.., follows from the outputs S'0.. and the other inputs, as bijections,
    XOR and addition are solved for one word. If not, it may still do."""
    nodes, graph = recording.graph.nodes, recording.graph
    known = {node for name, node in recording.outputs.items() if name.startswith("S'")}
    known |= {node for name, node in recording.inputs.items() if not name.startswith(wanted)}
    unknown = {node for name, node in recording.inputs.items() if name.startswith(wanted)}
    needed = graph.before(recording.outputs.values())
    rows = [_sum(node) for node in nodes if node.op == "xor" and node.id in needed]
    cuts: dict[int, list[Node]] = {}
    for node in nodes:
        if node.op == "cut" and node.id in needed:
            cuts.setdefault(node.inputs[0], []).append(node)
    while not unknown <= known:
        before = len(known)
        for node in (*nodes, *reversed(nodes)):
            if node.id in needed:
                _propagate(node, known)
        known.update(word for word, parts in cuts.items() if _covered(nodes[word].bits, parts, known))
        rows = _solved(rows, known)
        if len(known) == before:
            return False
    return True


def _sum(node: Node) -> int:
    """A sum of three words that is zero, as a set of nodes; a word twice is not there."""
    row = 1 << node.id
    for i in node.inputs:
        row ^= 1 << i
    return row


def _propagate(node: Node, known: set[int]) -> None:
    """Forwards, and backwards through what has one unknown word."""
    unknown = [i for i in node.inputs if i not in known]
    if node.op != "input" and not unknown:
        known.add(node.id)
    if node.id not in known or not unknown:
        return
    if node.op == "join":
        known.update(unknown)
    elif len(unknown) == 1:
        bijection = node.op in ("sub", "mix", "permute") and not loss(node)
        if bijection or (node.op in ("xor", "add") and node.inputs.count(unknown[0]) == 1):
            known.add(unknown[0])


def _covered(bits: int, parts: Sequence[Node], known: set[int]) -> bool:
    """Whether every bit of a word is in a known part."""
    seen = 0
    for node in parts:
        if node.id in known:
            assert isinstance(node.detail, int)
            seen |= ((1 << node.bits) - 1) << node.detail
    return seen == (1 << bits) - 1


def _solved(rows: Sequence[int], known: set[int]) -> list[int]:
    """The sums without known words, in echelon form; a word that is alone in one becomes known."""
    gone = sum(1 << node for node in known)
    reduced: dict[int, int] = {}  # lead -> row
    for row in rows:
        row &= ~gone
        for lead, other in reduced.items():
            if row >> lead & 1:
                row ^= other
        if row:
            lead = row.bit_length() - 1
            for at, other in reduced.items():
                if other >> lead & 1:
                    reduced[at] = other ^ row
            reduced[lead] = row
    known.update(lead for lead, row in reduced.items() if row == 1 << lead)
    return list(reduced.values())
