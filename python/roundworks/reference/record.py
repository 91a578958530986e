"""Recording: run a part of a description on words of a graph, and keep what it made of which inputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..errors import DescriptionError
from .aead import Rounds
from .block import BlockCipher
from .graph import Graph, NodeWord, Recording
from .permutation import Permutation
from .stream import StreamAead

Roundwise = StreamAead[Any] | Rounds[Any] | Permutation[Any] | BlockCipher[Any]


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


def record_rounds(it: Roundwise, rounds: int, *, encrypting: bool = False) -> Recording:
    """Rounds 0 to ``rounds`` - 1 as one graph.

    State S0.. in, S'0.. out. A streaming cipher absorbs block Xr.0.. in round r and gives keystream
    Zr.0.. before it, or Cr.0.. if ``encrypting``, its sum with the block; rounds that a mode calls have
    round keys Kr.0.. . A block cipher has its subkeys RK0.. as inputs, as if they were independent;
    `record_keyed` has its key schedule.
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
            stream = it.keystream(list(state))
            made = _named(f"Z{r}.", stream, it.rate_words, it.name)
            if encrypting:
                made = {f"C{r}.{i}": (z ^ x).id for i, (z, x) in enumerate(zip(stream, block, strict=True))}
            outputs |= made
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


def record_end(cipher: StreamAead[Any]) -> Recording:
    """State S0.. and key K0.. in; T0.. out, the words that the tag is read from, of one block of
    associated data and one of message."""
    graph = Graph()
    S = _words(graph, "S", cipher.words, cipher.word_bits)
    K = _words(graph, "K", -(-cipher.key_bytes // cipher.word_bytes), cipher.word_bits)
    bits = 8 * cipher.rate_bytes
    tag = [S[0].lift(word) for word in cipher.tag(cipher.finalise(list(S), K, bits, bits))]
    words = tag[: -(-cipher.tag_bytes // cipher.word_bytes)]
    return Recording(
        cipher.name, "tag", graph, _ids(*S, *K), {f"T{i}": word.id for i, word in enumerate(words)}
    )


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
