"""What the rounds of a trail weigh each, where the minimum of fewer rounds holds within more of them.

The last k rounds of a trail are one of the trails over k rounds only if some difference is left where they begin. So
no round may take a difference to none, which a user's round may do, and a solver says of the model itself. And they
weigh as much as by themselves only if no gate of theirs shares an input with one of an earlier round: together such
gates can weigh less.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import lru_cache

from ...reference import BlockCipher, Permutation, Recording, Roundwise, Sbox, record_rounds
from ...reference.graph import Graph, Node
from ...reference.recordings import alike, merged
from ..solvers.choice import DECISION
from ..solvers.problem import Var
from ..solvers.solve import solve
from . import build
from .model import BitModel

# For the query whether a round loses differences: Ascon's takes 0.4 s.
SECONDS = 5.0


def by_round(
    it: Roundwise, recording: Recording, model: BitModel, rounds: int
) -> tuple[dict[Var, Fraction], ...]:
    """What variables weigh in a differential model, by round, of additions and AND gates in rounds that are alike.
    Nothing where the minimum of fewer rounds does not hold within these, or nobody knows."""
    weighed = {node for node, spent in model.spent.items() if spent}
    if not isinstance(it, Permutation | BlockCipher) or any(
        isinstance(recording.graph.nodes[node].detail, Sbox) for node in weighed
    ):
        return ()
    up_to = [*(merged(record_rounds(it, count)) for count in range(1, rounds)), recording]
    if not alike(up_to):
        return ()
    ends = [len(one.graph.nodes) for one in up_to]

    def round_of(node: int) -> int:
        return next(r for r, end in enumerate(ends) if node < end)

    shared = any(len(set(map(round_of, nodes))) > 1 for nodes in model.readers.values())
    if shared or not (rounds == 1 or keeps_differences(up_to[0])):
        return ()
    parts: list[dict[Var, Fraction]] = [defaultdict(Fraction) for _ in range(rounds)]
    for node in sorted(weighed):
        for variable, weight in model.spent[node]:
            parts[round_of(node)][variable] += weight
    return tuple(parts)


def keeps_differences(recording: Recording) -> bool:
    """Whether the model has no trail from a difference of the state to none, by a solver; False also where it did not
    come to an end in `SECONDS`."""
    ends = tuple(recording.inputs.items()), tuple(recording.outputs.items())
    return _keeps(tuple(recording.graph.nodes), *ends)


@lru_cache(maxsize=64)
def _keeps(
    nodes: tuple[Node, ...], inputs: tuple[tuple[str, int], ...], outputs: tuple[tuple[str, int], ...]
) -> bool:
    recording = Recording("one round", "round", Graph(list(nodes)), dict(inputs), dict(outputs))
    moving = [name for name, _ in inputs if name.startswith("S")]
    still = [name for name, _ in inputs if name not in moving]
    after = [name for name, _ in outputs if name.startswith("S'")]
    model = build.model(recording, "differential", zero=[*still, *after], active_only=True)
    model.some(*moving)
    problem = model.problem
    problem.weights, problem.kind = {}, DECISION
    solution = solve(problem, "auto", SECONDS, expected=False).uninterrupted()
    return solution.status == "infeasible"
