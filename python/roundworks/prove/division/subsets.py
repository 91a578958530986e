"""Integrals by the division property with three subsets, of all products of bits, for small states.

It knows more than `bits` of Feistel networks of AND and XOR. S-boxes and matrices change one bit after the other here,
which can lose what their tables of `bits` keep.

Next to the table, all inputs are computed under random keys, and their sums compared with it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping

from ...bounds import Bound
from ...errors import SolverFailed
from ...reference import Recording
from ...reference.record import Roundwise
from ...reference.recordings import begins, run
from ...reference.word import IntWord
from ..pipeline import Query
from .integrals import query_of
from .parities import Plan, plan

INPUTS = 8  # random inputs on which the steps are compared with the description
KEYS = 2  # random keys under which all inputs are computed
Sums = Mapping[str, list[bool | None]]


def three_subsets(it: Roundwise, query: Query) -> Iterator[Bound]:
    """For 1 to ``query.rounds`` rounds, the bits whose sum is 0 for all keys. Proven, and then compared with sums."""
    queries = [query_of(it, rounds, query.where) for rounds in range(1, query.rounds + 1)]
    recordings = {rounds: recording for rounds, (recording, _, _) in enumerate(queries, 1)}
    active = queries[0][1]
    started = time.perf_counter()

    def left() -> float | None:
        return None if query.limit is None else max(0.0, query.limit - (time.perf_counter() - started))

    for group in _groups(recordings):
        begun = time.perf_counter()
        last = recordings[max(group)]
        steps = plan(last, active, {rounds: recordings[rounds].outputs for rounds in group})
        check(last, steps, max(group))
        sums = steps.sums(left())
        spent = time.perf_counter() - begun
        compared = compare(last, steps, sums, left())
        for rounds in group:
            names = recordings[rounds].outputs
            of = {name: sums[rounds, name] for name in names if (rounds, name) in sums}
            late = len(of) < len(names)
            yield _bound(
                it, rounds, active, queries[rounds - 1][2], of, compared, spent, len(group), late=late
            )


def _groups(recordings: Mapping[int, Recording]) -> list[list[int]]:
    """All numbers of rounds at once where each recording begins the next one."""
    last = recordings[max(recordings)]
    if all(begins(last, one) for one in recordings.values()):
        return [sorted(recordings)]
    return [[rounds] for rounds in sorted(recordings)]


def _sizes(recording: Recording) -> dict[str, int]:
    return {name: recording.graph.nodes[node].bits for name, node in recording.inputs.items()}


def check(recording: Recording, steps: Plan, rounds: int) -> None:
    """The steps compute what the description does.

    Raises
    ------
    SolverFailed
        They do not, for some random inputs.
    """
    source, bits = random.Random(1), _sizes(recording)
    for _ in range(INPUTS):
        inputs = {name: source.getrandbits(size) for name, size in bits.items()}
        outputs = steps.values(inputs, bits)
        nodes = run(recording, {name: IntWord(value, bits[name]) for name, value in inputs.items()})
        for name, node in recording.outputs.items():
            word = nodes[node]
            want = [bool(word.value >> word.bits - 1 - i & 1) for i in range(word.bits)]
            if outputs[rounds, name] != want:
                raise SolverFailed(f"{recording.cipher}: {name}: the steps do not compute the description")


def compare(
    recording: Recording,
    steps: Plan,
    sums: Mapping[tuple[int, str], list[bool | None]],
    seconds: float | None,
) -> int:
    """Sums over all inputs under random keys compared with the known ones; the number of keys for which time sufficed.

    Raises
    ------
    SolverFailed
        They differ.
    """
    source, bits = random.Random(2), _sizes(recording)
    started = time.perf_counter()
    for done in range(KEYS):
        left = None if seconds is None else seconds - (time.perf_counter() - started)
        if left is not None and left <= 0:
            return done
        values = {name: source.getrandbits(size) for name, size in bits.items()}
        try:
            computed = steps.sums_of_values(values, bits, left)
        except TimeoutError:
            return done
        for (rounds, name), known in sums.items():
            for i, (odd, total) in enumerate(zip(known, computed[rounds, name], strict=True)):
                if odd is not None and odd != total:
                    raise SolverFailed(
                        f"{recording.cipher}: {name}.{i} over {rounds} rounds: the table has {odd:d},"
                        f" the sum is {total:d}"
                    )
    return KEYS


def _bound(
    it: Roundwise,
    rounds: int,
    active: Mapping[str, int],
    what: str,
    sums: Sums,
    compared: int,
    seconds: float,
    of_all: int,
    *,
    late: bool,
) -> Bound:
    digits = it.word_bits // 4
    witness: dict[str, object] = {f"active {name}": f"{mask:0{digits}x}" for name, mask in active.items()}
    for title, wanted in (("balanced", False), ("sum 1", True)):
        for name, bits in sums.items():
            mask = int("".join("1" if odd is wanted else "0" for odd in bits), 2)
            if mask:
                witness[f"{title} {name}"] = f"{mask:0{len(bits) // 4}x}"
    witness["keys compared"] = compared
    method = f"division property with three subsets, of every product of bits, over {rounds} rounds{what}"
    if of_all > 1:
        method += f"; one table for all {of_all} numbers of rounds, and its time"
    if late:
        method += "; time ran out"
    return Bound(
        cipher=it.name,
        measure="integral-three-subsets",
        rounds=rounds,
        value=sum(odd is False for bits in sums.values() for odd in bits),
        unit="balanced bits",
        side="lower",
        certainty="proven",
        method=method + "; one bit changes after the other; a bit not counted may sum to 0",
        witness=witness,
        seconds=seconds,
    )
