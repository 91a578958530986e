"""The steps of a description run on recording words, and cut where they call the round."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..errors import DescriptionError
from ..reference import Graph, Recording, StreamAead
from ..reference.components import byte_reversal
from ..reference.graph import NodeWord
from .signatures import constant_of
from .steps import Segment, Step, looped


@dataclass(frozen=True, slots=True)
class _Words:
    """Inputs of a step, and the nodes that they are made of by name: there, as in a program's memory, the
    first byte of a word is its highest."""

    S: list[NodeWord]
    K: list[NodeWord]
    N: list[NodeWord]
    X: list[NodeWord]
    inputs: dict[str, int]


class Recorder:
    """Runs the steps of a description on recording words, and cuts them where they call the round."""

    def __init__(self, cipher: StreamAead[Any]) -> None:
        self.cipher = cipher
        self.operands = cipher.rate_words
        """Words that a call of the round takes with the state: X'0.. of a segment."""

    def cut(self, call: Callable[[Sequence[NodeWord], Sequence[NodeWord | int]], list[NodeWord]]) -> Any:
        """The cipher, with `call` in place of its round."""
        cipher = self.cipher

        class Cut(type(cipher)):  # type: ignore[misc]
            def update(self, state: Sequence[NodeWord], X: Sequence[NodeWord | int]) -> list[NodeWord]:
                return call(state, [in_order(state[0].lift(x)) for x in X])

        in_order = self.in_order
        cut = Cut.__new__(Cut)
        cut.__dict__.update(cipher.__dict__)
        return cut

    def in_order(self, word: NodeWord) -> NodeWord:
        """A word of memory as one of the description, and back: where its bytes are in the other order,
        they are reversed; those of a constant here and now, and twice is not at all."""
        if self.cipher.order == "big" or not isinstance(word, NodeWord):
            return word
        node = word.graph.nodes[word.id]
        if node.op == "permute" and node.detail is byte_reversal(word.bits):
            return NodeWord(word.graph, node.inputs[0], word.bits)
        if node.op == "const":
            raw = constant_of(node).to_bytes(word.bits // 8, "little")
            return word.like(int.from_bytes(raw, "big"))
        other: NodeWord = self.cipher.in_order(word)
        # No line of the description has it.
        word.graph.nodes[other.id] = replace(word.graph.nodes[other.id], line="order of bytes")
        return other

    def words(self, graph: Graph) -> _Words:
        """Inputs of the graph for the words of state, key, nonce and block."""
        described = self.cipher
        key, nonce = (
            -(-size // described.word_bytes) for size in (described.key_bytes, described.nonce_bytes)
        )
        counts = {"S": described.words, "K": key, "N": nonce, "X": described.rate_words}
        made = {
            letter: [graph.input(f"{letter}{i}", described.word_bits) for i in range(n)]
            for letter, n in counts.items()
        }
        inputs = {f"{letter}{i}": w.id for letter, ws in made.items() for i, w in enumerate(ws)}
        for letter in "KNX":
            made[letter] = [self.in_order(word) for word in made[letter]]
        return _Words(**made, inputs=inputs)

    def whole(
        self, part: str, run: Callable[[_Words], Sequence[Any]], letter: str, count: int | None = None
    ) -> Recording:
        """A step as one graph, its calls of the round included."""
        graph = Graph()
        words = self.words(graph)
        outputs = self.named(letter, run(words), count or self.cipher.words, part)
        return Recording(self.cipher.name, part, graph, words.inputs, outputs)

    def block(self, part: str) -> Recording:
        """Keystream and round as one graph: the message's or the ciphertext's words X to the other's, Z."""
        graph = Graph()
        words = self.words(graph)
        stream = [self.in_order(z) for z in self.cipher.keystream(list(words.S))]
        made = [z ^ self.in_order(x) for z, x in zip(stream, words.X, strict=True)]
        for word in made:
            # No line of the description has this sum.
            if (node := graph.nodes[word.id]).line.startswith("recorder.py:"):
                graph.nodes[word.id] = replace(node, line="ciphertext" if part == "seal" else "message")
        message = [self.in_order(word) for word in made] if part == "open" else list(words.X)
        state = self.cipher.update(list(words.S), message)
        outputs = self.named("Z", made, self.cipher.rate_words, part)
        outputs |= self.named("S'", state, self.cipher.words, part)
        return Recording(self.cipher.name, part, graph, words.inputs, outputs)

    def named(self, letter: str, words: Sequence[Any], want: int, part: str) -> dict[str, int]:
        """Name -> node of the words that a step returns; `DescriptionError` if their number or kind is wrong."""
        if len(words) != want:
            raise DescriptionError(f"{self.cipher.name}: {part}: want {want} words, got {len(words)}")
        for word in words:
            if not isinstance(word, NodeWord):
                raise DescriptionError(
                    f"{self.cipher.name}: {part}: want words, got {type(word).__name__}; constants"
                    " belong in load, or XORed to a word"
                )
        return {f"{letter}{i}": word.id for i, word in enumerate(words)}

    def step(self, part: str, run: Callable[[Any, _Words], Sequence[Any]]) -> Step:
        """A step as segments between its calls of the round."""
        return looped(self.segments(part, run))

    def segments(self, part: str, run: Callable[[Any, _Words], Sequence[Any]]) -> list[Segment]:
        """Run a step on symbols, and cut it at its rounds: alike stretches become one segment."""
        graph = Graph()
        words = self.words(graph)
        # The state words of each stretch between two rounds, and what each stretch makes.
        states, made = [words.S], list[dict[str, int]]()
        cipher, named = self.cipher, self.named

        def call(state: Sequence[NodeWord], X: Sequence[NodeWord | int]) -> list[NodeWord]:
            outputs = named("S'", state, cipher.words, part)
            block = [state[0].lift(x) for x in X]
            made.append(outputs | named("X'", block, self.operands, part))
            new = [graph.input(f"S{i}@{len(states)}", cipher.word_bits) for i in range(cipher.words)]
            states.append(new)
            return list(new)

        made.append(named("S'", run(self.cut(call), words), cipher.words, part))
        kept = _kept(graph, states, made)
        result = []
        for e, outputs in enumerate(made):
            here = words.inputs | {f"S{i}": w.id for i, w in enumerate(states[e])}
            early, late = kept
            here |= {name: n for n, name in late[e].items()}
            outputs = outputs | {f"{name}'": n for n, name in early[e].items()}
            recording = Recording(cipher.name, part, graph, here, outputs)
            result.append(Segment(recording, e < len(made) - 1))
        return result


Kept = list[dict[int, str]]


def _kept(
    graph: Graph, states: Sequence[Sequence[NodeWord]], made: Sequence[Mapping[str, int]]
) -> tuple[Kept, Kept]:
    """Words of a stretch that a later one needs: by stretch, those it makes and those it takes, named
    V0.. . A description may keep a word over a round, as AEGIS keeps what its last rounds absorb."""
    stretch = {word.id: e for e, state in enumerate(states) for word in state}
    for node in graph.nodes:
        if node.inputs:
            stretch[node.id] = max(stretch.get(i, -1) for i in node.inputs)
    names: dict[int, str] = {}
    early: Kept = [{} for _ in made]
    late: Kept = [{} for _ in made]
    for e, outputs in enumerate(made):
        todo, seen = list(outputs.values()), set[int]()
        while todo:
            number = todo.pop()
            if number in seen:
                continue
            seen.add(number)
            if 0 <= stretch.get(number, -1) < e:
                name = names.setdefault(number, f"V{len(names)}")
                early[stretch[number]][number] = late[e][number] = name
            else:
                todo += graph.nodes[number].inputs
    return early, late
