"""Ours against peers, goals and limits, on rows small enough to work out by hand."""

from dataclasses import replace
from typing import Any

import pytest

from made_rows import made
from roundworks import spec
from roundworks.bench.limits import limits
from roundworks.ratios import (
    PeerVerdict,
    RandomVerdict,
    core_ratios,
    core_verdicts,
    file_ratios,
    generated_ratios,
    generated_verdicts,
    generation_verdict,
    generations,
    permutation_ratios,
    permutation_verdicts,
    random_costs,
    random_verdict,
    ratios,
    verdicts,
)
from roundworks.reference import StreamAead, get, record_round
from roundworks.reference.areion_opp import Opp
from roundworks.reference.gcm import Gcm, round_keys
from roundworks.reference.record import record_rounds
from roundworks.rows import BenchRow, FilesRow, GenerationRow, PermutationRow, RandomRow, SynthesisRow


def _row(cycles: float, **fields: Any) -> BenchRow:
    values = {
        "run": "one",
        "time": "2026-11-20T10:00:00Z",
        "cipher": "rocca-s",
        "library": "roundworks",
        "version": "1",
        "backend": "aesni",
        "surface": "rust",
        "operation": "encrypt",
        "data_bytes": 16384,
        "ad_bytes": 0,
        "samples_cycles": [cycles, cycles + 2, cycles - 2],
        "samples_ns": [cycles / 4] * 3,
        **fields,
    }
    return made(values, "bench")


def _peer(cycles: float, **fields: Any) -> BenchRow:
    return _row(cycles, **{"library": "rocca", "backend": "+aes", **fields})


def test_the_best_peer_of_the_same_run_counts() -> None:
    rows = [
        _row(100),
        _peer(160),
        _peer(150, library="other", version="7"),
        _peer(10, run="two"),
        _peer(1, cipher="aegis-256"),
        _peer(1, data_bytes=64),
        _peer(1, ad_bytes=16),
        _peer(1, operation="decrypt"),
    ]
    (only,) = ratios(rows)
    assert (only.peer, only.ratio, only.slower) == ("other 7", 1.5, False)


@pytest.mark.parametrize(("theirs", "slower"), [(97.2, False), (97.0, True), (150, False)])
def test_slower_is_by_more_than_three_percent(theirs: float, slower: bool) -> None:
    (only,) = ratios([_row(100), _peer(theirs)])
    assert only.slower is slower


def test_the_newest_run_that_has_both_counts() -> None:
    later: dict[str, Any] = {"run": "two", "time": "2026-11-20T11:00:00Z"}
    alone: dict[str, Any] = {"run": "three", "time": "2026-11-20T12:00:00Z"}
    rows = [_row(100, **later), _peer(300, **later), _row(100), _peer(200), _row(1, **alone)]
    assert [r.ratio for r in ratios(rows)] == [3.0]
    assert [r.ratio for r in ratios(rows[::-1])] == [3.0]


def test_without_cycles_on_one_side_nanoseconds_are_compared() -> None:
    (only,) = ratios([_row(100), _peer(200, samples_cycles=[])])
    assert (only.unit, only.ratio) == ("ns", 2.0)


def test_the_back_end_is_the_last_that_the_facts_list(monkeypatch: pytest.MonkeyPatch) -> None:
    order = spec.cipher("aether").backends
    rows = [
        _row(cycles, cipher="aether", backend=name) for cycles, name in zip((9, 5, 7), order, strict=False)
    ]
    (only,) = ratios([*rows[::-1], _peer(14, cipher="aether")])
    assert (only.backend, only.ratio) == (order[len(rows) - 1], 2.0)


def _verdict(rows: list[BenchRow], cipher: str, surface: str = "rust") -> PeerVerdict:
    of = ("encrypt", cipher, surface, None)
    every = verdicts(rows, spec.cpu("sapphire-rapids"))
    result, *_ = (v for v in every if (v.goal.operation, v.goal.cipher, v.goal.surface, v.goal.backend) == of)
    return result


def test_a_goal_may_be_that_of_some_cpus() -> None:
    wanted = {
        name: [
            v.wanted
            for v in verdicts([], spec.cpu(name))
            if (v.goal.cipher, v.goal.operation, v.goal.backend) == ("minalpher", "encrypt", None)
        ]
        for name in ("sapphire-rapids", "zen-4", "skylake")
    }
    assert wanted == {"sapphire-rapids": [1.5], "zen-4": [1.9], "skylake": []}


def test_a_goal_may_be_that_of_one_back_end() -> None:
    """The others do not count for it, not even faster ones; its reason is said where it is missed."""

    def of(cycles: float) -> PeerVerdict:
        at = {"cipher": "aegis-128l", "data_bytes": 64}
        rows = [_row(cycles, **at, backend="portable"), _row(64, **at, backend="vaes512")]
        (result,) = [
            v
            for v in verdicts(rows, spec.cpu("zen-5"))
            if (v.goal.cipher, v.goal.backend, v.goal.data_bytes) == ("aegis-128l", "portable", 64)
        ]
        return result

    met, missed = of(40 * 64), of(41 * 64)
    assert (met.state, met.figure, met.compared, met.reason) == ("met", 40, "portable", "")
    assert (missed.state, missed.figure) == ("missed", 41) and "AES rounds" in missed.reason


def test_a_goal_is_met_missed_or_open() -> None:
    goal = _verdict([], "rocca-s")
    assert (goal.state, goal.figure, goal.wanted) == ("open", None, 1.6)
    assert goal.text == "1.6 times as fast as rocca"
    assert _verdict([_row(100), _peer(160)], "rocca-s").state == "met"
    assert _verdict([_row(100), _peer(159)], "rocca-s").state == "missed"
    # A faster library is not the one that the goal names.
    assert _verdict([_row(100), _peer(159, library="other")], "rocca-s").state == "open"
    assert _verdict([_row(100), _peer(160, ad_bytes=16)], "rocca-s").state == "open"


def test_a_goal_in_cycles_needs_no_peer() -> None:
    at = {"cipher": "aether", "backend": "avx512"}
    assert _verdict([_row(0.60 * 16384, **at)], "aether").state == "met"
    missed = _verdict([_row(0.61 * 16384, **at)], "aether")
    assert missed.state == "missed" and missed.figure == pytest.approx(0.61)
    assert missed.text == "at most 0.6 cycles/byte"


def test_python_is_compared_with_the_core_of_its_own_process() -> None:
    at = {"cipher": "aegis-128x2", "data_bytes": 1 << 20}
    into = {**at, "surface": "python-into", "samples_cycles": []}
    rows = [_row(94, **at), _row(100, **into), _row(10, run="two", **at)]
    result = _verdict(rows, "aegis-128x2", "python-into")
    assert result.figure == pytest.approx(0.94) and result.state == "missed"
    assert result.text == "0.95 times as fast as the Rust core"


def test_many_messages_are_compared_with_one_by_one_of_the_same_run() -> None:
    at = {"cipher": "aegis-128l", "data_bytes": 64, "backend": "vaes512"}
    many = {**at, "operation": "seal-many"}
    peer = _peer(1, **{**at, "library": "libaegis"})
    # Where a goal is of a back end, one by one is of that, too.
    pairs = {"backend": "vaes256"}
    rows = [_row(66, **many), _row(99, **at), peer, _row(10, run="two", **many)]
    rows += [_row(80, **many | pairs), _row(160, **at | pairs)]
    results = {
        v.goal.backend: v
        for v in verdicts(rows, spec.cpu("zen-5"))
        if (v.goal.cipher, v.goal.operation, v.goal.data_bytes) == ("aegis-128l", "seal-many", 64)
    }
    for backend, figure in ((None, 1.5), ("vaes256", 2)):
        assert (results[backend].figure, results[backend].state) == (pytest.approx(figure), "met")
        assert results[backend].text == "1.5 times as fast as one by one"


def test_limits_by_hand() -> None:
    made = [
        {"instruction": name, "bits": bits, "measure": measure, "samples_cycles": [c + 1, c]}
        for bits, begin in ((128, 0.5), (256, 0.5), (512, 1.0))
        for name, measure, c in (
            ("aesenc", "throughput", begin),
            ("aesenc", "latency", 3.0),
            ("xor", "latency", 1.0),
        )
    ]
    results = {
        (r["cipher"], r["operation"], r["measure"]): (r["bits"], r["cycles_per_byte"]) for r in limits(made)
    }
    assert results["aegis-128l", "encrypt", "throughput"] == (128, 8 * 0.5 / 32)
    assert results["aegis-128l", "encrypt", "latency"] == (128, (8 * 3 + 2) / 8 / 32)
    assert results["aegis-128x2", "encrypt", "throughput"] == (256, 8 * 0.5 / 64)
    # Two of 256 bits do as well as one of 512: the wider is named.
    assert results["aegis-128x4", "encrypt", "throughput"] == (512, 8 * 1.0 / 128)
    assert results["rocca-s", "decrypt", "latency"] == (128, 5 / 32)
    assert results["aes-256-gcm", "encrypt", "throughput"] == (512, 14 / 4 / 16)
    assert ("aes-256-gcm", "encrypt", "latency") not in results
    assert limits([]) == []


def test_a_file_is_compared_with_cp_of_the_newest_run_and_place() -> None:
    def file(operation: str, taken: float, **fields: Any) -> FilesRow:
        values = {
            "run": "new",
            "time": "2026-11-20T10:00:00Z",
            "operation": operation,
            "place": "disk",
            "synced": False,
            "data_bytes": 1 << 30,
            "samples_ns": [taken * 1e9, 1e9, taken * 1e9],
            **fields,
        }
        return made(values, "files")

    rows = [
        file("cp", 9, run="old", time="2026-11-19T10:00:00Z"),
        file("cp", 0.4),
        file("cp", 8, synced=True),
        file("cp", 7, place="memory"),
        file("seal", 0.5),
        file("open", 0.51),
        file("seal", 2, data_bytes=1 << 20),
    ]
    assert [(r.operation, r.ratio, r.met) for r in file_ratios(rows)] == [
        ("seal", pytest.approx(0.8), True),
        ("open", pytest.approx(0.4 / 0.51), False),
    ]
    assert file_ratios([]) == []


def test_lanes_multiply_the_work_and_leave_the_recurrence() -> None:
    of = {work.cipher: work for work in spec.work()}
    for one, family in (("aegis-128l", "aegis-128x"), ("aegis-256", "aegis-256x")):
        for lanes in (2, 4):
            many, single = of[f"{family}{lanes}"], of[one]
            assert many.aes_rounds == lanes * single.aes_rounds
            assert many.bytes == lanes * single.bytes and many.lanes == lanes
            assert many.recurrences == single.recurrences


@pytest.mark.parametrize("work", spec.work(), ids=lambda work: work.cipher)
def test_the_work_is_what_the_description_does(work: spec.Work) -> None:
    cipher = get(work.cipher)
    if isinstance(cipher, Gcm):
        # The first round key is added before the first round. [FIPS197, section 5.1]
        assert len(round_keys(bytes(cipher.key_bytes))) == work.aes_rounds + 1
        assert {16: 10, 32: 14}[cipher.key_bytes] == work.aes_rounds
        assert (work.bytes, work.recurrences) == (16, {})
        return
    if isinstance(cipher, Opp):
        graph = record_rounds(cipher.permutation, cipher.permutation.rounds).graph
        layers = sum(graph.times[node.id] for node in graph.nodes if node.op == "sub")
        assert (layers, cipher.rate_bytes) == (work.aes_rounds, work.bytes)
        assert work.recurrences == {}
        return
    assert isinstance(cipher, StreamAead)
    graph = record_round(cipher).graph
    assert len(graph.units) == work.aes_rounds
    assert cipher.rate_words * cipher.word_bytes == work.bytes


def _generated(cycles: float, **fields: Any) -> BenchRow:
    return _row(cycles, **{"library": "generated", "surface": "c", **fields})


def test_generated_code_is_compared_with_that_by_hand_of_the_same_run() -> None:
    small = {"data_bytes": 64}
    rows = [
        _row(9999, run="zero"),
        _generated(9999, run="zero"),
        _row(6400, **small),
        _row(12800, **small, backend="portable"),
        _generated(8320, **small),
        _generated(11520, **small, backend="portable"),
        _generated(1, **small, backend="gfni"),
        _row(1, **small, operation="decrypt"),
        _generated(1, run="two", **small),
        _row(16384),
        _generated(17203.2),
    ]
    each = generated_ratios(rows)
    assert [(r.backend, r.data_bytes, r.unit, round(r.ratio, 3)) for r in each] == [
        ("aesni", 16384, "cycles", 1.05),
        ("fastest", 16384, "cycles", 1.05),
        ("aesni", 64, "cycles", 1.3),
        ("portable", 64, "cycles", 0.9),
        ("fastest", 64, "cycles", 0.0),
    ]
    assert {r.reason for r in each} == {""}
    slow = [_row(100, cipher="aether", backend=b) for b in ("avx512", "gfni")]
    slow += [_generated(200, cipher="aether", backend=b) for b in ("avx512", "gfni")]
    assert [r.reason[:12] for r in generated_ratios(slow)] == ["by hand four", "not known", ""]
    old, new = "2026-11-24T03:00:00Z", "2026-11-25T03:00:00Z"
    for time, reason in ((old, "this run is of code that took bytes"), (new, "not known")):
        of: dict[str, Any] = {"cipher": "aether", "backend": "portable", "time": time}
        slow = [_row(100, **of), _generated(200, **of)]
        assert [r.reason[:35] for r in generated_ratios(slow)] == [reason, ""]
    goals = {goal.data_bytes: goal for goal in spec.generated_goals()}
    every, fastest, large, _ = generated_verdicts(each)
    assert (every.over, every.of, every.largest, every.goal) == ("every back end", 2, 1.3, goals[64])
    assert every.mean == pytest.approx((1.3 * 0.9) ** 0.5) and every.state == "met"
    assert (fastest.over, fastest.of) == ("the fastest", 1)
    assert large.state == ("met" if large.mean <= goals[16384].mean else "missed")
    (other,) = generated_verdicts(
        [
            r
            for r in generated_ratios([_row(3, data_bytes=9), _generated(6, data_bytes=9)])
            if r.backend != "fastest"
        ]
    )
    assert (other.goal, other.state, other.mean) == (None, "", 2.0)


def test_a_random_cipher_is_compared_with_its_ports_window_by_window() -> None:
    def row(seed: int, **fields: Any) -> RandomRow:
        values = {"run": "0" * 12, "cipher": f"random-{seed}", "seed": seed, "backend": "gfni"}
        values |= {"time": "2026-11-24T10:00:00Z", "samples_ns": [12.0, 22.0, 30.0]}
        return made(values | {"limit_samples_ns": [10.0, 20.0, 10.0]} | fields, "random")

    old = row(9, run="1" * 12, time="2026-11-23T10:00:00Z")
    costs = random_costs([old, row(1), row(2, samples_ns=[10.0, 20.0, 10.0])])
    assert [(c.cipher, c.ns, c.limit, c.ratio) for c in costs] == [
        ("random-1", 22.0, 10.0, 1.2),
        ("random-2", 10.0, 10.0, 1.0),
    ]
    verdict = random_verdict(costs)
    goal = spec.random_goal()
    assert verdict is not None and (verdict.median, verdict.largest) == (1.1, 1.2)
    few = RandomVerdict(goal.median, 9.0, goal.ciphers - 3, goal)
    assert few.state == "open" and replace(few, median=goal.median + 0.01).state == "missed"
    many = random_verdict(costs[:1] * goal.ciphers)
    assert many is not None and many.state == ("met" if goal.median >= 1.2 else "missed")
    assert random_verdict([]) is None


def test_generation_takes_the_newest_tested_row_of_the_goal() -> None:
    def row(cipher: str, seconds: float, **fields: Any) -> GenerationRow:
        values = {"cipher": cipher, "target": "c", "backends": ["portable"], "functions": 9, "operations": 99}
        values |= {"tested": True, "seconds": seconds, "time": "2026-11-24T10:00:00Z"}
        return made(values | fields, "generation")

    goal = spec.generation_goal()
    rows = [
        row(goal.cipher, 99.0, time="2026-11-23T10:00:00Z"),
        row(goal.cipher, goal.seconds),
        row(goal.cipher, 1.0, tested=False, time="2026-11-25T10:00:00Z"),
        row(goal.cipher, 2.0, target="rust"),
        row("toy", 3.0),
    ]
    assert [(r.cipher, r.target, r.seconds) for r in generations(rows)] == [
        (goal.cipher, "c", goal.seconds),
        (goal.cipher, "rust", 2.0),
        ("toy", "c", 3.0),
    ]
    verdict = generation_verdict(rows)
    assert verdict is not None and (verdict.seconds, verdict.state) == (goal.seconds, "met")
    slow = generation_verdict([row(goal.cipher, goal.seconds + 1)])
    assert slow is not None and slow.state == "missed" and generation_verdict(rows[2:]) is None


def test_generated_permutations_are_compared_with_the_core_by_the_way_they_are_called() -> None:
    def row(way: str, cycles: float, backend: str = "aesni", run: str = "0" * 12) -> PermutationRow:
        blocks = 64 if way.endswith("many") else 1
        values = {"run": run, "permutation": "areion-256", "backend": backend, "operation": "permute"}
        values |= {"way": way, "blocks": blocks, "block_bytes": 32, "time": "2026-11-24T10:00:00Z"}
        return made(values | {"samples_cycles": [cycles] * 3, "samples_ns": [1.0]}, "permutation")

    rows = [
        row("generated-call", 64.0),
        row("call", 32.0),
        row("chain", 1.0),
        row("generated-many", 48.0),
        row("many", 48.0),
        row("many", 16.0, "vaes512"),
        row("generated-many", 960.0, "portable"),
        row("many", 900.0, "portable"),
        row("generated-many", 1.0, run="1" * 12),
    ]
    ratios = {(r.backend, r.blocks): r.ratio for r in permutation_ratios(rows)}
    assert ratios.pop(("portable", 64)) == pytest.approx(960 / 900)
    assert ratios == {("aesni", 1): 2.0, ("fastest", 1): 2.0, ("aesni", 64): 1.0, ("fastest", 64): 3.0}
    reasons = {(r.backend, r.blocks): r.reason for r in permutation_ratios(rows)}
    assert reasons["aesni", 64] == "" and reasons["aesni", 1] == reasons["fastest", 1] == "not known"
    assert "stay in planes" in reasons["portable", 64]
    verdicts = {(v.blocks, v.over): v for v in permutation_verdicts(permutation_ratios(rows))}
    assert verdicts[64, "every back end"].state == "met" and verdicts[64, "the fastest"].state == "missed"
    assert verdicts[1, "every back end"].largest == 2.0 and verdicts[1, "every back end"].of == 1


def test_cores_are_compared_by_netlists_of_the_scripts_that_both_have() -> None:
    def row(core: str, script: str, area: float, period: float, **fields: Any) -> SynthesisRow:
        values = {"core": core, "script": script, "area_um2": area, "period_ps": period, "target_ps": None}
        values |= {
            "library": "osu018_stdcells",
            "parameters": {"Sbox": "lut"},
            "time": "2026-11-24T10:00:00Z",
        }
        return made(values | fields, "synthesis")

    rows = [
        row("aether-generated", "nf", 110.0, 9.0, parameters={"Sbox": "table"}),
        row("aether-generated", "dch", 120.0, 10.0, parameters={"Sbox": "table"}),
        row("aether-generated", "speed", 1.0, 1.0, parameters={"Sbox": "table"}),
        row("aether", "nf", 100.0, 11.0),
        row("aether", "dch", 100.0, 10.0),
        row("aether", "dch", 10.0, 10.0, time="2026-11-23T10:00:00Z"),
        row("aether", "nf", 1.0, 1.0, parameters={"Sbox": "circuit"}),
        row("rocca-s-generated", "nf", 1.0, 1.0, library="other", parameters={"Sbox": "table"}),
        row("rocca-s", "nf", 1.0, 1.0),
    ]
    (only,) = core_ratios(rows)
    assert (only.cipher, only.generated.script, only.hand.script) == ("aether", "nf", "dch")
    assert (only.area, only.period) == (1.1, 0.9) and only.ratio == pytest.approx(0.99)
    (verdict,) = core_verdicts([only])
    assert (verdict.of, verdict.state, verdict.largest) == (1, "met", only.ratio)
