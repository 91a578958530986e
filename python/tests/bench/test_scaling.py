"""Work on some of the cores: the process is limited, rows are compared within their run."""

from __future__ import annotations

import os

from roundworks.bench import scaling
from roundworks.ratios import scalings


def test_a_process_is_limited_and_free_again() -> None:
    before = os.sched_getaffinity(0)
    with scaling.limited(1):
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


def test_numbers_of_cores() -> None:
    wanted = {1: [1], 2: [1, 2], 3: [1, 2, 3], 8: [1, 2, 4, 8], 12: [1, 2, 4, 8, 12]}
    assert {cores: scaling.steps(cores) for cores in wanted} == wanted


def test_each_work_is_timed_on_each_number_of_cores() -> None:
    rows = scaling.measured(scaling.messages(1), 2, "test")
    cores = scaling.steps(len(os.sched_getaffinity(0)))
    assert {(row.cipher, row.cores) for row in rows} == {(c, n) for c in scaling.CIPHERS for n in cores}
    assert all(len(row.samples_ns) == 2 and row.data_bytes == 1 << 20 for row in rows)
    for each in scalings(rows):
        assert each.messages == 64 and each.seconds > 0
        assert each.cores > 1 or each.ratio == 1
