"""The AES report's tables: the program and the core encrypt the same, and counts are of code."""

from __future__ import annotations

from functools import reduce
from operator import xor

import pytest

from made_rows import made
from places import TINY_CORES
from roundworks import spec
from roundworks.bench import plain_aes
from roundworks.errors import HardwareError, RoundworksError
from roundworks.hardware.cores import core
from roundworks.hardware.flow.fpga import route
from roundworks.hardware.flow.workload import workload
from roundworks.reference.gcm import Aes128Gcm, round_keys
from roundworks.reproduce import Run, aes_hardware, source_lines, tables
from roundworks.reproduce.run import compare
from roundworks.rows import SynthesisRow

BLOCKS = 100


def digest(blocks: int) -> str:
    """XOR of the ciphertexts, by the description."""
    data = plain_aes.counter_blocks(blocks)
    words = [int.from_bytes(data[i : i + 16], "big") for i in range(0, len(data), 16)]
    result = Aes128Gcm().cipher(round_keys(bytes(range(16))), words)
    return reduce(xor, result).to_bytes(16, "big").hex()


@pytest.fixture(autouse=True)
def few_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aes_hardware, "_BLOCKS", BLOCKS)
    monkeypatch.setattr(aes_hardware, "_SAMPLES", 2)
    monkeypatch.setattr(aes_hardware, "FAMILIES", ["ice40"])
    aes_hardware._software.cache_clear()
    aes_hardware._hardware.cache_clear()


def test_the_program_is_aes() -> None:
    result = plain_aes.profile(BLOCKS, 2)
    assert result.digest == digest(BLOCKS)
    assert {part: len(times) for part, times in result.seconds.items()} == dict.fromkeys(plain_aes.PARTS, 2)
    assert 0 < result.median("repeated step") < result.whole


@pytest.mark.long  # twelve seconds of a simulator
def test_the_core_takes_72_cycles_a_block() -> None:
    result = workload(BLOCKS)
    assert (result.blocks, result.repeated, result.cycles) == (BLOCKS, 72 * BLOCKS, 79 * BLOCKS)
    assert result.digest == digest(BLOCKS)


@pytest.mark.long
@pytest.mark.parametrize("routed", ["tiny", "aes-stepped"])
def test_every_value_has_a_printed_cell(monkeypatch: pytest.MonkeyPatch, routed: str) -> None:
    """With fewer blocks than the paper's, cycles and times of ours differ from it. The FPGA's clock stands there, whatever was routed: a small core is in a second."""
    if routed == "tiny":
        tiny = core("tiny", TINY_CORES)
        monkeypatch.setattr(aes_hardware, "route", lambda _, given, family: route(tiny, given, family))
    run, paper = Run("full"), spec.paper("aes-hardware")  # a quick run takes stored rows of FPGAs
    rows = [
        row
        for number, compute in tables("aes-hardware").items()
        for row in compare(paper, paper.table(number), compute(run), "test")
    ]
    status = {(r["table"], r["row"], r["column"]): r["status"] for r in rows}
    assert len(status) == len(rows)
    # What the paper prints as about is within ten per cent of what its own numbers give.
    assert "refuted" not in status.values()
    about = {status["3", f"{mhz} MHz", "faster than software"] for mhz in (10, 20, 40, 80, 100)}
    assert about == {status["text", "faster than the ARM", "value"]} == {"consistent"}
    assert {status["3", f"{mhz} MHz", "cycles"] for mhz in (10, 20, 40, 80, 100)} == {"differs"}
    assert status["text", "ARM slower than the Pentium", "value"] == "consistent"
    (fpga,) = [row for row in run.extra if row["kind"] == "fpga"]
    (clock,) = [r["value"] for r in rows if r["row"] == "highest clock"]
    assert clock == round(fpga["fmax_mhz"], 2) > 10
    shares = [r["value"] for r in rows if r["table"] == "1" and r["column"] == "share"]
    assert sum(shares) == pytest.approx(100, abs=20)  # each is a median of its own


@pytest.mark.long
def test_another_ciphertext_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    other = plain_aes.profile(BLOCKS - 1, 1)
    monkeypatch.setattr(aes_hardware, "_software", lambda: other)
    with pytest.raises(HardwareError, match="aes-stepped: XOR of 100 ciphertexts: want "):
        aes_hardware.table_3(Run())


def test_without_a_compiler_cells_stay_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name, **more: None)
    said: list[object] = []
    run = Run(say=said.append)
    assert aes_hardware.table_1(run) == []
    assert said == ["  rustc: not found; make setup installs it; the software was not timed"]


def test_lines_of_code() -> None:
    text = ["fn a() {", "", "    // why", "    b(); // and why", "}", "  /// doc"]
    assert source_lines.code_lines(text) == ["fn a() {", "    b(); // and why", "}"]
    assert source_lines.rust_function("gf03") == 3
    for step, count in source_lines.STEPS.items():
        assert all(n > 0 for n in count()), step
    parts = [sum(count()) for step, count in source_lines.STEPS.items() if step != "total"]
    assert sum(parts) < sum(source_lines.STEPS["total"]())
    with pytest.raises(RoundworksError, match="a function that is counted is not there"):
        source_lines.rust_function("gf04")


def test_clocks_on_cells_are_the_latest_for_delay() -> None:
    def row(core: str, library: str, period: float, *best: str) -> SynthesisRow:
        fields = {"core": core, "library": library, "period_ps": period, "best_for": list(best)}
        return made(fields, "synthesis")

    rows = [
        row("aes-stepped", "a45", 1000.0, "delay"),
        row("aes-stepped", "a45", 800.0, "delay"),
        row("aes-stepped", "a45", 500.0, "area"),
        row("aes-iterative", "b18", 5000.0, "delay"),
        row("aegis128-to2", "a45", 700.0, "delay"),
    ]
    assert aes_hardware.on_cells(rows) == (
        "; on cells, before layout: aes-iterative on b18 200 MHz, aes-stepped on a45 1250 MHz"
    )
    assert aes_hardware.on_cells([]) == ""


def test_a_quick_run_routes_nothing_where_rows_are_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*given: object, **more: object) -> None:
        raise AssertionError("routed")

    monkeypatch.setattr(aes_hardware, "route", refused)
    run = Run()
    routed = aes_hardware._routed(run)
    assert routed is not None and routed.family == "ice40" and routed.core == "aes-stepped" and not run.extra
