"""Whether ours became slower: the rows of a fresh run compared with the stored ones of CPUs with the same core.

`python -m roundworks.bench.compare FRESH [STORED]`: two folders of rows; `make bench-compare` measures and
calls it. The clock and the neighbours of a machine differ from run to run, which changes the time of other
libraries, too, although their code is the same. So the ratio of a workload, fresh to stored, is divided by
the median ratio of the peers at the same operation, or at all of them where peers have it not.

Every stored run counts, not the newest alone: what became slower, and was stored, would be found no more.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from roundworks import machine
from roundworks.errors import RoundworksError
from roundworks.ratios import OURS
from roundworks.rows import BenchRow, Store, latest
from roundworks.spec import profile_of

WORKLOAD = ("cipher", "library", "backend", "surface", "operation", "data_bytes", "ad_bytes")
LIBRARY, OPERATION = WORKLOAD.index("library"), WORKLOAD.index("operation")
Workload = tuple[str | int, ...]
# A workload that takes that much longer than stored is a regression.
LONGER = 1.10
# Of fewer peers the median says nothing about the machine.
FEWEST_PEERS = 5


@dataclass(frozen=True, slots=True)
class Change:
    """One workload of ours: cycles of a call now and as stored, and their ratio less the machine's."""

    workload: str
    now: float
    stored: float
    ratio: float

    @property
    def slower(self) -> bool:
        """Whether it is a regression."""
        return self.ratio > LONGER


def changes(fresh: Iterable[BenchRow], stored: Iterable[BenchRow]) -> list[Change]:
    """Every workload of ours that is in `fresh` and in a stored run, the slowest first.

    Of the stored runs it is the second fastest, as one may have been lucky; where there is one only, that one.

    Raises
    ------
    RoundworksError
        If no stored run has `FEWEST_PEERS` workloads of other libraries in common with `fresh`.
    """
    now = _workloads(fresh)
    runs: dict[str, list[BenchRow]] = defaultdict(list)
    for row in stored:
        runs[row.run].append(row)
    of_workload: dict[Workload, list[Change]] = defaultdict(list)
    most = 0
    for rows in runs.values():
        before = _workloads(rows)
        common = [key for key in now if key in before]
        peers: dict[str | int, list[float]] = defaultdict(list)
        for key in common:
            if key[LIBRARY] != OURS:
                peers[key[OPERATION]].append(now[key] / before[key])
        every = [ratio for ratios in peers.values() for ratio in ratios]
        most = max(most, len(every))
        if len(every) < FEWEST_PEERS:
            continue
        for key in common:
            if key[LIBRARY] == OURS:
                alike = peers.get(key[OPERATION], [])
                of_others = alike if len(alike) >= FEWEST_PEERS else every
                ratio = now[key] / before[key] / median(of_others)
                of_workload[key].append(Change(" ".join(map(str, key)), now[key], before[key], ratio))
    if most < FEWEST_PEERS:
        raise RoundworksError(
            f"bench-compare: want {FEWEST_PEERS} workloads of peers in both runs, got {most};"
            " `make bench` stores a run of this machine"
        )

    def by_ratio(change: Change) -> float:
        return change.ratio

    for of_runs in of_workload.values():
        of_runs.sort(key=by_ratio, reverse=True)
    return sorted((of_runs[:2][-1] for of_runs in of_workload.values()), key=by_ratio, reverse=True)


def _workloads(rows: Iterable[BenchRow]) -> Mapping[Workload, float]:
    """Cycles of a call of each, of the newest of its rows."""
    return {tuple(row[field] for field in WORKLOAD): _cycles(row) for row in latest(rows, WORKLOAD)}


def _cycles(row: BenchRow) -> float:
    """Of a call, undisturbed: the lower quartile, as other processes only ever add."""
    samples = row.samples_cycles or row.samples_ns
    return samples[0] if len(samples) == 1 else quantiles(samples, n=4, method="inclusive")[0]


def main(arguments: Sequence[str]) -> int:
    """0 if no workload became slower."""
    if not arguments:
        raise RoundworksError("bench-compare: want two folders of rows, FRESH and STORED, got none")
    fresh, stored = Path(arguments[0]), Path(arguments[1] if len(arguments) > 1 else "results")
    facts = Store(stored).machines()
    here, core = machine.slug(), profile_of(machine.describe()).cpu.name
    alike = {slug for slug, of in facts.items() if profile_of(of).cpu.name == core} | {here}
    old = [row for row in Store(stored).read(BenchRow) if row.machine in alike]
    runs = {row.run for row in old}
    new = [row for row in Store(fresh).read(BenchRow) if row.machine == here and row.run not in runs]
    compared = changes(new, old)
    print("ratio  now       stored    workload")
    for change in compared:
        if change.slower:
            print(f"{change.ratio:<5.2f}  {change.now:<8.1f}  {change.stored:<8.1f}  {change.workload}")
    count = sum(change.slower for change in compared)
    print(f"{count} of {len(compared)} workloads take more than {LONGER:.2f} times as long as stored")
    return 1 if count else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except RoundworksError as error:
        sys.exit(str(error))
