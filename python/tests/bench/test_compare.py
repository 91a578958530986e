"""Regressions are found, and what the whole machine does is not one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from roundworks.bench.compare import FEWEST_PEERS, changes
from roundworks.errors import RoundworksError
from roundworks.rows import BenchRow


def row(library: str, data_bytes: int, cycles: float, time: str = "2026-11-20T10:00:00Z") -> BenchRow:
    fields: dict[str, Any] = {
        "seconds": 0.1,
        "command": "roundworks bench",
        "time": time,
        "run": time,
        "cipher": "aegis-128l",
        "library": library,
        "version": "1",
        "backend": "aesni",
        "surface": "rust",
        "operation": "encrypt",
        "data_bytes": data_bytes,
        "ad_bytes": 0,
        "samples_ns": [cycles / 2] * 4,
        # One sample that another process disturbed.
        "samples_cycles": [cycles, cycles, cycles, 9 * cycles],
        "digest": "00" * 32,
    }
    return BenchRow.make(**fields)


def run(peers: float, ours: dict[int, float]) -> list[BenchRow]:
    others = [row("libaegis", size, peers * (100 + size)) for size in range(FEWEST_PEERS)]
    return others + [row("roundworks", size, cycles) for size, cycles in ours.items()]


def test_a_slower_workload_is_found() -> None:
    compared = changes(run(1.0, {64: 120.0, 1500: 400.0}), run(1.0, {64: 100.0, 1500: 400.0}))
    assert [(c.stored, c.now, c.slower) for c in compared] == [(100.0, 120.0, True), (400.0, 400.0, False)]
    assert compared[0].ratio == pytest.approx(1.2)


def test_a_slower_machine_is_no_regression() -> None:
    assert not any(c.slower for c in changes(run(1.5, {64: 150.0}), run(1.0, {64: 100.0})))
    assert any(c.slower for c in changes(run(0.8, {64: 100.0}), run(1.0, {64: 100.0})))


def at(time: str, rows: list[BenchRow]) -> list[BenchRow]:
    return [replace(r, time=time, run=time) for r in rows]


def test_what_became_slower_is_found_after_it_was_stored() -> None:
    before = [at(f"2026-11-{day}T10:00:00Z", run(1.0, {64: 100.0})) for day in (20, 21)]
    slower = at("2026-11-22T10:00:00Z", run(1.0, {64: 200.0}))
    (change,) = changes(run(1.0, {64: 200.0}), [*before[0], *before[1], *slower])
    assert (change.slower, change.stored) == (True, 100.0)


def test_one_lucky_run_among_several_does_not_count() -> None:
    stored = [run(1.0, {64: 200.0}), run(1.0, {64: 100.0}), run(1.0, {64: 200.0})]
    rows = [r for day, one in enumerate(stored, 20) for r in at(f"2026-11-{day}T10:00:00Z", one)]
    assert not any(c.slower for c in changes(run(1.0, {64: 200.0}), rows))


def test_each_operation_has_its_own_peers() -> None:
    def opened(rows: list[BenchRow]) -> list[BenchRow]:
        return [replace(r, operation="decrypt") for r in rows]

    fresh = [*run(1.0, {64: 100.0}), *opened(run(3.0, {64: 300.0}))]
    stored = [*run(1.0, {64: 100.0}), *opened(run(1.0, {64: 100.0}))]
    assert [c.ratio for c in changes(fresh, stored)] == [pytest.approx(1.0)] * 2


def test_an_operation_without_peers_is_compared_with_all_of_them() -> None:
    def batch(cycles: float) -> list[BenchRow]:
        return [*run(1.0, {}), replace(row("roundworks", 64, cycles), operation="seal-many")]

    (change,) = changes(batch(120.0), batch(100.0))
    assert change.ratio == pytest.approx(1.2)


def test_without_peers_nothing_is_said() -> None:
    with pytest.raises(RoundworksError, match="want 5 workloads of peers in both runs, got 0"):
        changes([row("roundworks", 64, 1.0)], [row("roundworks", 64, 1.0)])
