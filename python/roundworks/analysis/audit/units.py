"""The functions of one word that a round is built from, taken out of its recorded graph."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from ...reference.batch import U8
from ...reference.components import CellPermutation, Matrix, Sbox
from ...reference.graph import Graph, Recording
from .subject import AuditSubject

_ONE_WORD = {"sub", "mix", "permute"}


@dataclass(frozen=True)
class UnitFunction:
    """A unit, or a run of S-boxes, matrices and permutations where no unit was marked."""

    name: str
    graph: Graph
    input: int
    output: int
    cell_bits: int
    bits: int

    def __call__(self, word: Any) -> Any:
        known = {self.input: word}

        def value(node: int) -> Any:
            if node not in known:
                at = self.graph.nodes[node]
                known[node] = at.apply([value(i) for i in at.inputs], word)
            return known[node]

        return value(self.output)

    @property
    def moves_only(self) -> bool:
        """Whether it only moves cells, as a rotation does: every word of equal cells is then fixed."""
        inside = self.graph.before([self.output], {self.input: self.input}) - {self.input}
        return all(isinstance(self.graph.nodes[i].detail, CellPermutation) for i in inside)

    def run(self, subject: AuditSubject, words: U8) -> U8:
        """The function on N words, shape (N, word bytes)."""
        return subject.bulk.run(lambda w: [self(w[0])], words)


def unit_functions(subject: AuditSubject, rng: random.Random) -> list[UnitFunction]:
    """The different ones among them, by what they do on random words."""
    words = subject.random_rows(rng, 4, subject.cipher.word_bytes)
    results: dict[bytes, UnitFunction] = {}
    for name, start, end in _candidates(subject.round):
        unit = UnitFunction(
            name,
            subject.round.graph,
            start,
            end,
            _cell_bits(subject.round.graph, start, end),
            subject.cipher.word_bits,
        )
        results.setdefault(unit.run(subject, words).tobytes(), unit)
    return list(results.values())


def _candidates(recording: Recording) -> list[tuple[str, int, int]]:
    graph = recording.graph
    out = [(u.name, u.input, u.output) for u in graph.units if u.input != u.output]
    free = {n.id for n in graph.nodes if n.unit is None and n.op in _ONE_WORD}
    inner = {graph.nodes[n].inputs[0] for n in free} & free
    for end in sorted(free - inner):
        start, names = end, []
        while start in free:
            detail = graph.nodes[start].detail
            assert isinstance(detail, Sbox | Matrix | CellPermutation)
            names.append(detail.name)
            start = graph.nodes[start].inputs[0]
        out.append((" . ".join(names), start, end))
    return out


def _cell_bits(graph: Graph, start: int, end: int) -> int:
    """The width of an S-box where there is one, else the narrowest cell in use."""
    inside = graph.before([end], {start: start}) - {start}
    layers = [graph.nodes[i].detail for i in inside]
    sboxes = [layer.bits for layer in layers if isinstance(layer, Sbox)]
    others = [layer.cell_bits for layer in layers if isinstance(layer, Matrix | CellPermutation)]
    return min(sboxes or others or [8])
