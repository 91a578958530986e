"""Whether ours became slower: the rows of a fresh run compared with the stored ones of this machine.

`python -m roundworks.bench.compare FRESH [STORED]`: two folders of rows; `make bench-compare` measures and
calls it. The clock and the neighbours of a machine differ from run to run, which changes the time of other
libraries, too, although their code is the same. So the ratio of a workload, fresh to stored, is divided by
the median ratio of the peers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from roundworks import machine
from roundworks.errors import RoundworksError
from roundworks.ratios import OURS
from roundworks.rows import BenchRow, Store, latest

WORKLOAD = ("cipher", "library", "backend", "surface", "operation", "data_bytes", "ad_bytes")
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
    """Every workload of ours that both have, the slowest first.

    Raises
    ------
    RoundworksError
        If fewer than `FEWEST_PEERS` workloads of other libraries are in both.
    """
    before = {_key(row): _cycles(row) for row in latest(stored, WORKLOAD)}
    now = {_key(row): _cycles(row) for row in latest(fresh, WORKLOAD) if _key(row) in before}
    peers = [now[key] / before[key] for key in now if key[1] != OURS]
    if len(peers) < FEWEST_PEERS:
        raise RoundworksError(
            f"bench-compare: want {FEWEST_PEERS} workloads of peers in both runs, got {len(peers)};"
            " `make bench` stores a run of this machine"
        )
    drift = median(peers)
    workloads = [
        Change(" ".join(map(str, key)), now[key], before[key], now[key] / before[key] / drift)
        for key in now
        if key[1] == OURS
    ]
    return sorted(workloads, key=lambda change: change.ratio, reverse=True)


def _key(row: BenchRow) -> tuple[str | int, ...]:
    return tuple(row[field] for field in WORKLOAD)


def _cycles(row: BenchRow) -> float:
    """Of a call, undisturbed: the lower quartile, as other processes only ever add."""
    samples = row.samples_cycles or row.samples_ns
    return samples[0] if len(samples) == 1 else quantiles(samples, n=4, method="inclusive")[0]


def main(arguments: Sequence[str]) -> int:
    """0 if no workload became slower."""
    fresh, stored = Path(arguments[0]), Path(arguments[1] if len(arguments) > 1 else "results")
    here = machine.slug()
    old = [row for row in Store(stored).read(BenchRow) if row.machine == here]
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
