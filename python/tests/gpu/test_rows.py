"""What is measured on a CPU for comparison, the rows that come from one, and what the report makes of both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from roundworks import aead
from roundworks.bench import messages
from roundworks.errors import RoundworksError, RowError
from roundworks.report.gpu import gpu
from roundworks.reproduce import minalpher_gpu
from roundworks.reproduce.run import Run
from roundworks.rows import Row, Store, row
from roundworks.studies.messages import merged


def a_row(**changed: Any) -> Row:
    fields: dict[str, Any] = {
        "run": "one",
        "device": "NVIDIA X",
        "subject": "minalpher",
        "stage": "whole",
        "backend": "minalpher_seal",
        "place": "device",
        "messages": 1,
        "data_bytes": 1 << 30,
        "work": 1 << 30,
        "unit": "bytes",
        "samples_ns": [4e6, 5e6, 6e6],
        "digest": None,
    }
    return row("gpu", seconds=0.1, command="bench/gpu/run.sh", **fields | changed)


def test_a_cpu_is_measured_as_a_gpu_is() -> None:
    subjects = [messages.MessageSubject("minalpher", stage, 640) for stage in messages.STAGES]
    subjects += [messages.MessageSubject("aes-128-gcm", "whole", 100)]
    measured = messages.measure(subjects, samples=2)
    assert [(f["subject"], f["stage"], f["data_bytes"]) for f in measured] == [
        (s.cipher, s.stage, s.data_bytes) for s in subjects
    ]
    assert all(len(f["samples_ns"]) == 2 and min(f["samples_ns"]) > 0 for f in measured)
    for fields in measured:
        row("gpu", command="x", run="one", **fields)
    assert len({f["digest"] for f in measured[:4]}) == 1


def test_a_back_end_that_differs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def encrypt(self, nonce: bytes, data: bytes) -> bytes:
            return b"?"

    real = aead.get

    def get(name: str) -> Any:
        return lambda key, backend=None: Broken() if backend else real(name)(key)

    monkeypatch.setattr(messages.aead, "get", get)
    with pytest.raises(RoundworksError, match="^minalpher/portable differs from .* at 64 bytes$"):
        messages.measure([messages.MessageSubject("minalpher", "whole", 64)], samples=1)


def test_the_papers_own_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """96 and 39 per cent, and the GHASH at which its two ciphers draw level."""
    printed = {name: minalpher_gpu.parts(name) for name in ("Minalpher", "AES-GCM")}
    assert sum(printed["Minalpher"].values()) == pytest.approx(39.081)
    assert sum(printed["AES-GCM"].values()) == pytest.approx(183.202)
    monkeypatch.setattr(minalpher_gpu, "_SAMPLES", {False: 2, True: 2})
    cells = {ours.row: ours for ours in minalpher_gpu.table_text(Run())}
    assert cells["share of authentication in AES-GCM"].follows == 96
    assert cells["share of variables in Minalpher"].follows == 39
    assert cells["rounds of P"].value == 18
    assert "12.1 ms in place of 175.791" in cells["faster than AES-GCM"].reason


def test_rows_of_a_gpu_are_merged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDWORKS_RESULTS", str(tmp_path / "results"))
    with pytest.raises(RowError, match=r"gpu.jsonl: not there; want the folder that bench/gpu/run"):
        merged(tmp_path)
    one = a_row()
    file = tmp_path / "gpu.jsonl"
    file.write_text(json.dumps(one.as_json()) + "\n")
    assert merged(tmp_path).rows == (one,)
    file.write_text(json.dumps(one.as_json() | {"unit": "miles"}) + "\n")
    with pytest.raises(RowError, match=r"gpu.jsonl:1: unit: want '.*, got 'miles'"):
        merged(tmp_path)
    file.write_text(json.dumps(one.as_json()) + "\n")
    Store().append([one])
    with pytest.raises(RowError, match="run one is stored already"):
        merged(tmp_path)


def test_the_report_waits_and_then_judges() -> None:
    waiting = gpu([])
    assert not waiting.measured and {goal.state for goal in waiting.goals} == {"open"}
    assert all(not line.device for line in waiting.lines) and len(waiting.lines) == 23
    ceiling = a_row(subject="lop3", stage="ceiling", work=1e10, unit="lop3", samples_ns=[1e6])
    section = gpu([a_row(), ceiling])
    goal = next(g for g in section.goals if (g.goal.cipher, g.goal.place) == ("minalpher", "device"))
    # 1 GiB in 5 ms; 36 LOP3 for each byte, of 10^13 a second.
    assert goal.tbits == pytest.approx(8 * 2**30 / 5e6 / 1e3)
    assert goal.share == pytest.approx(2**30 / 5e6 * 36 / 1e4)
    assert goal.state == "missed" and section.measured
    assert gpu([a_row(samples_ns=[4e6]), ceiling]).goals[0].state == "met"


def test_a_curve_is_of_one_run() -> None:
    """The newest of those that have the most of its points: a later one of two points changes none of them."""

    def of_a_cpu(run: str, blocks: int, ns: float) -> list[Row]:
        both = (("minalpher", 32), ("aes-128-gcm", 16))
        return [
            a_row(
                run=run,
                subject=name,
                device="cpu",
                place="host",
                data_bytes=size * blocks,
                work=float(size * blocks),
                samples_ns=[ns],
            )
            for name, size in both
        ]

    whole = [row for blocks in (500, 1000, 27500) for row in of_a_cpu("whole", blocks, 1e6)]
    again = [row for blocks in (500, 1000, 27500) for row in of_a_cpu("again", blocks, 2e6)]
    section = gpu([*whole, *again, *of_a_cpu("text", 27500, 9e6)])
    speeds = {line.blocks: line.cpu for line in section.lines if line.cpu}
    assert {row.run for row in section.rows} == {"again"}
    assert speeds[27500]["Minalpher"] == pytest.approx(8 * 32 * 27500 / 2e6 * 1e3)
    assert set(speeds) == {500, 1000, 27500}


def test_of_two_entries_the_faster_counts() -> None:
    """For a goal and in the figure, whichever was measured last; short messages have no place in it."""
    rows = [
        a_row(subject="aes-128-gcm", backend=backend, samples_ns=[ns], messages=n, data_bytes=size)
        for backend, ns, n, size in (
            ("aes_slices_ctr", 4e6, 1, 1 << 30),
            ("aes128_tables_ctr", 5e6, 1, 1 << 30),
            ("gcm128_seal_batch", 6e6, 1 << 20, 64),
        )
    ]
    section = gpu(rows)
    goal = next(g for g in section.goals if g.goal.cipher == "aes-128-gcm")
    assert goal.workload == "aes_slices_ctr, 1 GiB" and goal.tbits == pytest.approx(2.147483648)
    assert goal.share is None
    chart = section.sizes.chart
    assert chart is not None
    points = next(iter(chart.to_dict()["datasets"].values()))
    assert [(p["size"], round(p["gbits"])) for p in points] == [("1 x 1 GiB", 2147)]
    assert next(g for g in gpu(rows[2:]).goals if g.row).workload == "gcm128_seal_batch, 1,048,576 x 64 B"
