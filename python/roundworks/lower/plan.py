"""What a message of a streaming cipher executes, learned from its description alone.

A description is Python over abstract words; a program needs data: which rounds, on which words, how
lengths and padding enter. `plan` runs every step on recording words. Where a step calls ``update``
it is cut, so that the round is lowered once: a step is a list of segments, each of which makes a
state and a block and then calls the round. Lengths are Python integers to a description; their
encoding is learned by running ``finalise`` on chosen lengths, and checked on others.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..errors import DescriptionError
from ..reference import Graph, Node, Recording, StreamAead
from ..reference.components import byte_reversal
from ..reference.graph import NodeWord

LENGTH_BITS = 64
"""Bits of a length: no message is longer than 2^61 bytes."""
_FIXED = ("process", "seal", "open", "start", "split", "join", "encrypt", "decrypt", "blocks", "parts")


@dataclass(frozen=True, slots=True)
class LengthWord:
    """A constant of ``finalise`` that depends on the lengths: an affine map of their bits.

    ``start`` is the word for two empty inputs; ``ad[i]`` and ``message[i]`` are what bit i of the
    length in bits adds to it.
    """

    bits: int
    start: int
    ad: tuple[int, ...]
    message: tuple[int, ...]

    def value(self, ad_bits: int, msg_bits: int) -> int:
        """The word for these lengths in bits."""
        word = self.start
        for images, length in ((self.ad, ad_bits), (self.message, msg_bits)):
            for i in range(length.bit_length()):
                if length >> i & 1:
                    word ^= images[i]
        return word


@dataclass(frozen=True)
class Segment:
    """Words S'0.. made of S0.., K0.., N0.., X0.. and L0..; then, if ``calls``, the round on S' with
    the block X'0.. ."""

    recording: Recording
    calls: bool

    @cached_property
    def signature(self) -> Hashable:
        """Equal for segments that compute the same."""
        return (self.calls, signature(self.recording))


@dataclass(frozen=True, slots=True)
class Loop:
    """Segments one after another, ``times`` times."""

    times: int
    segments: tuple[Segment, ...]


Step = tuple[Loop, ...]


@dataclass(frozen=True, slots=True)
class Padding:
    """Bytes behind the last block: ``partial[r]`` for r bytes in it, ``full`` behind a last block
    that is full, ``empty`` for no input at all; ``b""`` where no block is added."""

    partial: tuple[bytes, ...]
    full: bytes
    empty: bytes


@dataclass(frozen=True, slots=True)
class Plan:
    """A streaming cipher as data: sizes are those of ``cipher``."""

    cipher: StreamAead[Any]
    load: Recording
    update: Recording
    keystream: Recording
    seal: Recording
    """A whole block of message: words Z0.. of ciphertext and the state behind it."""
    open: Recording
    init: Step
    absorb: Step
    separate: Step
    last: Step
    finalise: Step
    tag: Recording
    lengths: tuple[LengthWord, ...]
    ad_padding: Padding
    message_padding: Padding


def plan(cipher: StreamAead[Any], recorder: type[Recorder] | None = None) -> Plan:
    """Learn a description. `recorder` may cut steps elsewhere than at calls of ``update``.

    Raises
    ------
    DescriptionError
        ``toy: process: written anew; a program can be made where only steps are: load, init, ...``
    """
    if not isinstance(cipher, StreamAead):
        raise DescriptionError(
            f"{cipher.name}: want a streaming AEAD or a permutation; this is a mode of blocks"
        )
    for name in _FIXED:
        if getattr(type(cipher), name) is not getattr(StreamAead, name):
            raise DescriptionError(
                f"{cipher.name}: {name}: written anew; programs are made of descriptions that write"
                " load, init, absorb, separate, update, last, keystream, finalise, tag and padding only"
            )
    if type(cipher).domain is not StreamAead.domain:
        raise DescriptionError(
            f"{cipher.name}: domain: depends on lengths and places of blocks; a program is made where only"
            " finalise knows the lengths"
        )
    words = (recorder or Recorder)(cipher)
    finalise, lengths = _finalise(words)
    return Plan(
        cipher,
        load=words.whole("load", lambda w: [w.K[0].lift(x) for x in cipher.load(w.K, w.N)], "S'"),
        update=words.whole("update", lambda w: cipher.update(list(w.S), list(w.X)), "S'"),
        keystream=words.whole(
            "keystream",
            lambda w: [words.in_order(z) for z in cipher.keystream(list(w.S))],
            "Z",
            cipher.rate_words,
        ),
        seal=words.block("seal"),
        open=words.block("open"),
        init=words.step("init", lambda it, w: it.init(list(w.S), w.K, w.N)),
        absorb=words.step("absorb", lambda it, w: it.absorb(list(w.S), list(w.X))),
        separate=words.step("separate", lambda it, w: it.separate(list(w.S))),
        last=words.step("last", lambda it, w: it.last(list(w.S), list(w.X))),
        finalise=finalise,
        tag=_tag(words, cipher),
        lengths=lengths,
        ad_padding=_padding(cipher, cipher.ad_blocks),
        message_padding=_message_padding(cipher),
    )


def is_round(step: Step) -> bool:
    """Whether a step is the round and nothing else."""
    segments = [s for loop in step for _ in range(loop.times) for s in loop.segments]
    if [s.calls for s in segments] != [True, False]:
        return False
    return all(
        s.recording.inputs.get(name.replace("'", "")) == node
        for s in segments
        for name, node in s.recording.outputs.items()
    )


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
            raw = _number(node).to_bytes(word.bits // 8, "little")
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
            if (node := graph.nodes[word.id]).line.startswith("plan.py:"):
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
        return _loops(self.segments(part, run))

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


def reachable(recording: Recording) -> list[int]:
    """The nodes that its outputs need, operands before what uses them."""
    nodes = recording.graph.nodes
    needed, inputs = set(recording.outputs.values()), set(recording.inputs.values())
    for node in reversed(nodes):
        if node.id in needed and node.id not in inputs:
            needed.update(node.inputs)
    return sorted(needed)


def walked(recording: Recording) -> list[int]:
    """The nodes that its outputs need, in an order that follows from what it computes alone: depth
    first, operands before what uses them. Recordings of one shape have it alike."""
    names = {node: name for name, node in recording.inputs.items()}
    nodes = recording.graph.nodes
    result: dict[int, None] = {}
    todo = list(reversed(recording.outputs.values()))
    while todo:
        number = todo[-1]
        inputs = () if number in result or number in names else nodes[number].inputs
        missing = [i for i in reversed(inputs) if i not in result]
        if missing:
            todo += missing
            continue
        todo.pop()
        result[number] = None
    return list(result)


def signature(recording: Recording, values: bool = True) -> Hashable:
    """Equal for recordings that compute the same in the same way; without ``values``, whatever
    constants they have."""
    names = {node: name for name, node in recording.inputs.items()}
    order = walked(recording)
    place = {number: i for i, number in enumerate(order)}
    result: list[Hashable] = []
    for number in order:
        node = recording.graph.nodes[number]
        if number in names:
            result.append(("input", node.bits, names[number], ()))
            continue
        detail = None if node.op == "const" and not values else node.detail
        result.append((node.op, node.bits, detail, tuple(place[i] for i in node.inputs)))
    return tuple(result), tuple((name, place[n]) for name, n in recording.outputs.items())


def constants(recording: Recording) -> list[Node]:
    """Its constants, in the order of `walked`."""
    nodes = (recording.graph.nodes[n] for n in walked(recording))
    return [node for node in nodes if node.op == "const"]


def _loops(segments: Sequence[Segment]) -> Step:
    """Runs of equal segments, of any period, as loops; the shortest period first."""
    keys = [segment.signature for segment in segments]
    loops: list[Loop] = []
    at = 0
    while at < len(segments):
        best = (1, 1)
        for period in range(1, min(16, (len(segments) - at) // 2) + 1):
            times = 1
            while keys[at : at + period] == keys[at + times * period : at + (times + 1) * period]:
                times += 1
            if times > 1 and (times * period > best[0] * best[1] or best == (1, 1)):
                best = (period, times)
        period, times = best
        loops.append(Loop(times, tuple(segments[at : at + period])))
        at += period * times
    return tuple(loops)


# -- lengths -------------------------------------------------------------------------------------
def _finalise(recorder: Recorder) -> tuple[Step, tuple[LengthWord, ...]]:
    """Segments of ``finalise`` with the words that lengths make as inputs L0.., and what these are."""
    cipher = recorder.cipher

    def run(ad_bits: int, msg_bits: int) -> list[Segment]:
        return recorder.segments("finalise", lambda it, w: it.finalise(list(w.S), w.K, ad_bits, msg_bits))

    # Of no special form, so that no word is by chance equal to another and recorded once with it.
    rng = random.Random(1)
    usual = [8 * rng.randrange(1 << LENGTH_BITS - 3) for _ in range(2)]
    base = run(*usual)
    start = list(_constants(base))
    images: list[list[list[int]]] = []
    for position in range(2):
        rows = []
        for bit in range(3, LENGTH_BITS):
            lengths = list(usual)
            lengths[position] ^= 1 << bit
            rows.append([c.detail for c in _same(cipher, base, run(*lengths))])
        images.append(rows)
    result: dict[int, LengthWord] = {}
    for k, node in enumerate(start):
        ad, message = ((0, 0, 0, *(row[k] ^ _number(node) for row in rows)) for rows in images)
        if any(ad) or any(message):
            shift = LengthWord(node.bits, 0, ad, message).value(*usual)
            result[k] = LengthWord(node.bits, _number(node) ^ shift, ad, message)
    _check_lengths(cipher, base, result, run)
    words: dict[LengthWord, str] = {}
    for word in result.values():
        words.setdefault(word, f"L{len(words)}")
    chosen = {start[k].id: words[word] for k, word in result.items()}
    segments = [Segment(with_inputs(s.recording, chosen), s.calls) for s in base]
    return _loops(segments), tuple(words)


def _constants(segments: Sequence[Segment]) -> Iterator[Node]:
    seen: set[int] = set()
    for segment in segments:
        for node in constants(segment.recording):
            if node.id not in seen:
                seen.add(node.id)
                yield node


def _number(node: Node) -> int:
    assert isinstance(node.detail, int)
    return node.detail


def _same(cipher: StreamAead[Any], base: Sequence[Segment], other: Sequence[Segment]) -> list[Any]:
    shapes = [[(s.calls, signature(s.recording, values=False)) for s in each] for each in (base, other)]
    result = list(_constants(other))
    if shapes[0] != shapes[1] or len(result) != len(list(_constants(base))):
        raise DescriptionError(
            f"{cipher.name}: finalise: its steps depend on the lengths; a program is made where only"
            " words do, as in S[0] ^ ad_bits"
        )
    return result


def _check_lengths(
    cipher: StreamAead[Any],
    base: Sequence[Segment],
    found: Mapping[int, LengthWord],
    run: Callable[[int, int], list[Segment]],
) -> None:
    rng = random.Random(0)
    start = [_number(c) for c in _constants(base)]
    for _ in range(8):
        lengths = 8 * rng.randrange(1, 1 << 61), 8 * rng.randrange(1, 1 << rng.randrange(8, 61))
        actual = [c.detail for c in _same(cipher, base, run(*lengths))]
        want = [found[k].value(*lengths) if k in found else value for k, value in enumerate(start)]
        if actual != want:
            raise DescriptionError(
                f"{cipher.name}: finalise: a word that is no affine map over GF(2) of the bits of the"
                " lengths; a program is made of words such as LE64(ad_bits) || LE64(msg_bits)"
            )


def with_inputs(recording: Recording, chosen: Mapping[int, str]) -> Recording:
    """The same, with these constants as inputs of these names."""
    graph = Graph()
    graph.nodes = [
        Node(
            id=n.id,
            op="input",
            inputs=(),
            bits=n.bits,
            detail=None,
            name=chosen[n.id],
            unit=None,
            line=n.line,
        )
        if n.id in chosen
        else n
        for n in recording.graph.nodes
    ]
    graph.units, graph.times = recording.graph.units, recording.graph.times
    there = set(reachable(recording))
    inputs = dict(recording.inputs) | {name: n for n, name in chosen.items() if n in there}
    return Recording(recording.cipher, recording.part, graph, inputs, recording.outputs)


# -- the tag and padding -------------------------------------------------------------------------
def _tag(recorder: Recorder, cipher: StreamAead[Any]) -> Recording:
    graph = Graph()
    words = recorder.words(graph)
    tag = [recorder.in_order(word) for word in cipher.tag(list(words.S))]
    size = cipher.word_bytes * len(tag)
    if size < cipher.tag_bytes:
        raise DescriptionError(f"{cipher.name}: tag: want at least {cipher.tag_bytes} bytes, got {size}")
    outputs = recorder.named("T", tag, len(tag), "tag")
    return Recording(cipher.name, "tag", graph, words.inputs, outputs)


def _padding(cipher: StreamAead[Any], blocks: Callable[[bytes], list[bytes]]) -> Padding:
    """The rule of ``blocks``, read off inputs of up to three blocks of a pattern."""
    rate = cipher.rate_bytes

    def tail(length: int) -> bytes:
        data = bytes(1 + i % 251 for i in range(length))
        joined = b"".join(blocks(data))
        if joined[:length] != data or len(joined) % rate:
            raise DescriptionError(
                f"{cipher.name}: blocks of {length} bytes: want them and padding up to a multiple of"
                f" {rate}, got {len(joined)} bytes"
            )
        return joined[length:]

    rule = Padding(tuple(tail(r) if r else b"" for r in range(rate)), tail(rate), tail(0))
    for length in range(rate + 1, 3 * rate + 1):
        want = rule.partial[length % rate] or (rule.full if length % rate == 0 else b"")
        if tail(length) != want:
            raise DescriptionError(
                f"{cipher.name}: padding of {length} bytes: depends on more than the last block"
            )
    return rule


def _message_padding(cipher: StreamAead[Any]) -> Padding:
    """As `StreamAead.process` pads a message: a padding of nothing is a block of its own."""
    rate = cipher.rate_bytes
    whole = cipher.padding(0)
    return Padding(tuple(cipher.padding(r) if r else b"" for r in range(rate)), whole, whole)
