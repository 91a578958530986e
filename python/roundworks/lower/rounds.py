"""The rounds of a permutation as data: runs of rounds that differ in their constants alone."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..reference import Graph, Permutation, Recording
from ..reference.graph import NodeWord
from .signatures import constants, signature, with_inputs

_PERIODS = 4
"""The largest number of rounds that are made one, where rounds alternate."""


@dataclass(frozen=True, slots=True)
class RoundRun:
    """Rounds alike: words S'0.. made of S0.. and of constants C0.., a row of ``constants`` a round."""

    recording: Recording
    constants: tuple[tuple[int, ...], ...]

    @property
    def times(self) -> int:
        """The number of rounds."""
        return len(self.constants)


def runs(it: Permutation[Any], rounds: int | None = None) -> list[RoundRun]:
    """What a permutation executes, from its first step to its last round."""
    count = it.rounds if rounds is None else rounds
    if type(it).run is not Permutation.run:
        return [RoundRun(_recorded(it, lambda S: it.run(S, count), it.length(count)), ((),))]
    steps: list[tuple[str, Callable[[list[Any]], Sequence[Any]]]] = []
    if type(it).first is not Permutation.first:
        steps.append(("first", it.first))
    steps += [("round", lambda S, i=i: it.round(S, i)) for i in range(count - 1)]  # type: ignore[misc]
    steps.append(("last" if _own_last(it) else "round", lambda S: it.last(S, count - 1)))
    shapes = [signature(_recorded(it, step, name), values=False) for name, step in steps]
    result: list[RoundRun] = []
    at = 0
    while at < len(steps):
        period, times = _period(shapes, at)
        together = [
            _recorded(it, _one_after_another([step for _, step in steps[i : i + period]]), steps[at][0])
            for i in range(at, at + period * times, period)
        ]
        result.append(_run(together))
        at += period * times
    return result


def copies(recording: Recording, blocks: int) -> Recording:
    """The same of several blocks: words S0.. of the first, then those of the next; constants are of all."""
    graph = Graph()
    shared: dict[int, int] = {}
    inputs: dict[str, int] = {}
    outputs: dict[str, int] = {}
    words = sum(name.startswith("S") for name in recording.inputs)
    names = {node: name for name, node in recording.inputs.items()}
    for block in range(blocks):
        at: dict[int, int] = {}
        for node in recording.graph.nodes:
            name = names.get(node.id, "")
            if node.id in shared:
                at[node.id] = shared[node.id]
                continue
            at[node.id] = len(graph.nodes)
            if name.startswith("S"):
                name = f"S{block * words + int(name[1:])}"
            elif name:
                shared[node.id] = at[node.id]
            inputs |= {name: at[node.id]} if name else {}
            graph.nodes.append(
                replace(node, id=at[node.id], inputs=tuple(at[i] for i in node.inputs), unit=None)
            )
        outputs |= {f"S'{block * words + int(n[2:])}": at[i] for n, i in recording.outputs.items()}
    return Recording(recording.cipher, recording.part, graph, inputs, outputs)


def _period(shapes: Sequence[Hashable], at: int) -> tuple[int, int]:
    """(rounds that make one, how often) of the longest repetition from here on; short ones first."""
    best = (1, 1)
    for period in range(1, _PERIODS + 1):
        times = 1
        while shapes[at : at + period] == shapes[at + times * period : at + (times + 1) * period]:
            times += 1
        if times > 1 and (best[1] == 1 or period * times > best[0] * best[1]):
            best = (period, times)
    return best


def _one_after_another(
    steps: Sequence[Callable[[list[Any]], Sequence[Any]]],
) -> Callable[[list[Any]], Sequence[Any]]:
    def run(S: list[Any]) -> Sequence[Any]:
        for step in steps:
            S = list(step(S))
        return S

    return run


def _own_last(it: Permutation[Any]) -> bool:
    return type(it).last is not Permutation.last


def _recorded(it: Permutation[Any], step: Callable[[list[Any]], Sequence[Any]], part: str) -> Recording:
    graph = Graph()
    S = [graph.input(f"S{i}", it.word_bits) for i in range(it.words)]
    out = it._whole(list(step(list(S))), part)
    words: list[NodeWord] = [S[0].lift(word) for word in out]
    outputs = {f"S'{i}": word.id for i, word in enumerate(words)}
    return Recording(it.name, part, graph, {f"S{i}": w.id for i, w in enumerate(S)}, outputs)


def _run(steps: Sequence[Recording]) -> RoundRun:
    """Constants that differ between the rounds become inputs."""
    values = [[node.detail for node in constants(step)] for step in steps]
    varying = [k for k in range(len(values[0])) if len({row[k] for row in values}) > 1]
    first = steps[0]
    chosen = {constants(first)[k].id: f"C{j}" for j, k in enumerate(varying)}
    rows = tuple(tuple(int(row[k]) for k in varying) for row in values)  # type: ignore[arg-type]
    return RoundRun(with_inputs(first, chosen), rows)
