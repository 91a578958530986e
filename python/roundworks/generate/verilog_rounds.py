"""Rounds that know their number, in a small number of circuits with constants.

Round i of a permutation is a function of its own. Two of them are one circuit where they differ in
constants alone, or in the order of the words they work on: a state whose words are rotated in place makes
of "the roles change every round" one round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations as orders
from typing import Any

from ..errors import DescriptionError
from ..lower.recorder import Recorder
from ..lower.signatures import constants, signature, with_inputs
from ..reference import Permutation, Recording, StreamAead
from ..reference.aead import Rounds
from ..reference.graph import Graph, NodeWord

Record = Callable[[int, Sequence[int]], Recording]
_MOST_WORDS = 4  # of which every order is tried; of more the rotations


@dataclass(frozen=True, slots=True)
class Indexed:
    """Rounds 0 to n - 1: round i is ``variants[which[i]]`` with the words C0.. ``constants[i]``.

    ``order``: before round i, state word m is kept in place ``places(i)[m]``.
    """

    variants: tuple[Recording, ...]
    which: tuple[int, ...]
    constants: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]

    @property
    def operands(self) -> int:
        """Constants of a round."""
        return len(self.constants[0])

    def places(self, i: int) -> list[int]:
        """Where each word of the state stands after `i` rounds."""
        return _power(self.order, -i)


def of_permutation(it: Permutation[Any]) -> Indexed:
    """The rounds of a permutation, its last among them."""

    def record(i: int, order: Sequence[int]) -> Recording:
        graph = Graph()
        kept = [graph.input(f"S{k}", it.word_bits) for k in range(it.words)]
        before, after = _power(order, -i), _power(order, i + 1)
        S = [kept[before[m]] for m in range(it.words)]
        new = it.last(S, i) if i == it.rounds - 1 else it.round(S, i)
        outputs = {f"S'{k}": new[after[k]].id for k in range(it.words)}
        return Recording(it.name, f"round {i}", graph, {f"S{k}": w.id for k, w in enumerate(kept)}, outputs)

    result = [_learn(record, it.rounds, order) for order in _orders(it.words, record, it.rounds)]
    return min(result, key=lambda rounds: len(rounds.variants))


def of_sponge(cipher: Rounds[Any], count: int) -> Indexed:
    """Rounds 0 to `count` - 1 of what a sponge calls; round keys are inputs K0.. ."""

    def record(i: int, order: Sequence[int]) -> Recording:
        graph = Graph()
        S = [graph.input(f"S{k}", cipher.word_bits) for k in range(cipher.words)]
        K = [graph.input(f"K{k}", cipher.word_bits) for k in range(cipher.round_key_words)]
        inputs = {f"S{k}": w.id for k, w in enumerate(S)} | {f"K{k}": w.id for k, w in enumerate(K)}
        new = cipher.round(S, K, i)
        return Recording(
            cipher.name, f"round {i}", graph, inputs, {f"S'{k}": w.id for k, w in enumerate(new)}
        )

    return _learn(record, count, range(cipher.words))


class SpongeRecorder(Recorder):
    """Cuts the steps of a sponge at the rounds of its permutation. A round's operands are its key
    words and its constants."""

    rounds: Indexed

    def __init__(self, cipher: StreamAead[Any]) -> None:
        super().__init__(cipher)
        assert isinstance(cipher, Rounds)
        numbers = set[int]()

        def note(state: Sequence[NodeWord], K: Sequence[NodeWord | int], i: int) -> list[NodeWord]:
            numbers.add(i)
            return list(state)

        described = self._cut(note)
        graph = Graph()
        words = self.words(graph)
        described.init(list(words.S), words.K, words.N)
        described.update(list(words.S), words.X)
        described.finalise(list(words.S), words.K, 8, 8)
        self.rounds = of_sponge(cipher, max(numbers, default=0) + 1)
        self.operands = cipher.round_key_words + self.rounds.operands

    def cut(self, call: Callable[[Sequence[NodeWord], Sequence[NodeWord | int]], list[NodeWord]]) -> Any:
        def at(state: Sequence[NodeWord], K: Sequence[NodeWord | int], i: int) -> list[NodeWord]:
            return call(state, [*K, *self.rounds.constants[i]])

        return self._cut(at)

    def _cut(self, at: Callable[[Any, Any, int], list[NodeWord]]) -> Any:
        class Cut(type(self.cipher)):  # type: ignore[misc]
            def round(self, S: Sequence[NodeWord], K: Sequence[NodeWord | int], i: int) -> list[NodeWord]:
                return at(S, K, i)

        cut = Cut.__new__(Cut)
        cut.__dict__.update(self.cipher.__dict__)
        return cut


def _orders(words: int, record: Record, count: int) -> Iterator[tuple[int, ...]]:
    """Orders under which rounds 0 and 1 are one circuit, the one that changes nothing first."""
    same = tuple(range(words))
    yield same
    rotations = [tuple((k + d) % words for k in range(words)) for d in range(1, words)]
    for order in sorted(orders(range(words))) if words <= _MOST_WORDS else rotations:
        if order != same and count > 1:
            first, second = (signature(record(i, order), values=False) for i in (0, 1))
            if first == second:
                yield order


def _learn(record: Record, count: int, order: Sequence[int]) -> Indexed:
    rounds = [record(i, tuple(order)) for i in range(count)]
    shapes = [signature(one, values=False) for one in rounds]
    kinds = list(dict.fromkeys(shapes))
    which = tuple(kinds.index(shape) for shape in shapes)
    values = [[n.detail for n in constants(one)] for one in rounds]
    variants, values_of = [], [tuple[int, ...]()] * count
    for v in range(len(kinds)):
        steps = [i for i in range(count) if which[i] == v]
        first = rounds[steps[0]]
        nodes = constants(first)
        moving = [k for k in range(len(nodes)) if len({values[i][k] for i in steps}) > 1]
        variants.append(with_inputs(first, {nodes[k].id: f"C{j}" for j, k in enumerate(moving)}))
        for i in steps:
            values_of[i] = tuple(_number(values[i][k]) for k in moving)
    wide = max(map(len, values_of))
    padded = tuple(one + (0,) * (wide - len(one)) for one in values_of)
    return Indexed(tuple(variants), which, padded, tuple(order))


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value


def _power(order: Sequence[int], times: int) -> list[int]:
    """The permutation of places applied so often; backwards if negative."""
    step = list(order) if times >= 0 else [list(order).index(k) for k in range(len(order))]
    result = list(range(len(order)))
    for _ in range(abs(times)):
        result = [step[k] for k in result]
    return result


def one_variant(rounds: Indexed, name: str) -> Recording:
    """The only variant.

    Raises
    ------
    DescriptionError
        ``mine: round: rounds 0 and 3 differ in more than constants``
    """
    if len(rounds.variants) > 1:
        other = rounds.which.index(1)
        raise DescriptionError(f"{name}: round: rounds 0 and {other} differ in more than constants")
    return rounds.variants[0]
