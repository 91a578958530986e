"""The cycle model: cases counted by hand, the paper's own numbers, and programs that compute."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import product

import pytest

from places import ROOT
from roundworks import spec
from roundworks.analysis.cycles import cycles, default_blocks, paper_rule
from roundworks.analysis.instructions import KEY_FIRST, InstructionProgram, instructions
from roundworks.analysis.mixing import MixingStep, Value, columns, mixed, steps
from roundworks.analysis.schedule import crowded_limit, makespan, port_limit
from roundworks.errors import DescriptionError
from roundworks.reference import (
    IntWord,
    Permutation,
    get_analysed,
    get_permutation,
    load_description,
    permutations,
    record_rounds,
)
from roundworks.reference.aes import aes_last_round, aes_round
from roundworks.reference.haraka import MIX_2, MIX_4
from roundworks.reference.pholkos import PI_256, PI_512
from roundworks.report.cycles import model
from roundworks.report.permutations import permutations as on_machines
from roundworks.reproduce.permutation_cycles import described, table_4, table_5
from roundworks.reproduce.run import Run
from roundworks.rows import CyclesRow, PermutationRow, Store

COFFEE, ICE = spec.cpu("coffee-lake"), spec.cpu("ice-lake")
TIMED = [*permutations(), "haraka-256:3.5", "haraka-512:4.5", "pholkos-256:3.5", "pholkos-512:4.5"]


def program_of(
    name: str, cpu: spec.Cpu = COFFEE, rounds: int = 0, shared: bool = False
) -> InstructionProgram:
    description = get_analysed(name)
    own = description.rounds if isinstance(description, Permutation) else 8
    return instructions(record_rounds(description, rounds or own), cpu, shared=shared)


def paths(name: str, rounds: int = 0) -> list[int]:
    """Critical paths for a latency of AES of 3 and of 4."""
    return [program_of(name, cpu, rounds).latency for cpu in (ICE, COFFEE)]


# -- the critical path, counted by hand ------------------------------------------------------
def test_critical_paths_by_hand() -> None:
    assert paths("simpira-2") == [15 * 2 * 3, 15 * 2 * 4]
    assert paths("simpira-2", 8) == [48, 64]
    assert paths("feistel256:2-0,1-1") == [5 * 2 * 3, 5 * 2 * 4]
    # Two rounds take three instructions: the second half of F2 runs in parallel with the next F1.
    assert paths("feistel256:1-0,2-0") == [3 * 3 * 3, 3 * 3 * 4]
    # Seven AES rounds and three unpacks, of which each takes a cycle.
    assert paths("haraka-256:3.5") == [7 * 3 + 3, 7 * 4 + 3]
    # Nine AES rounds and four times two levels of unpacks.
    assert paths("haraka-512:4.5") == [9 * 3 + 4 * 2, 9 * 4 + 4 * 2]
    assert paths("aes") == [30, 40]


def test_leaving_aes_costs_more_where_the_cpu_says_so() -> None:
    sapphire = spec.cpu("sapphire-rapids")
    assert program_of("haraka-256:3.5", sapphire).latency == 24 + 3 * (5 - 3)
    assert program_of("simpira-2", sapphire, 8).latency == 48
    delays = [cycles(get_permutation(n), ICE).bypass_delays for n in ("haraka-256", "simpira-2")]
    assert delays == [5, 0]


@pytest.mark.parametrize("number", ["4", "5"])
def test_the_papers_rule_gives_every_number_it_prints(number: str) -> None:
    words = {"4": 2, "5": 4}[number]
    for row in spec.paper("aesni-permutations").table(number).rows:
        description, rounds = described(row.name, words)
        ruled = [paper_rule(description, rounds, latency) for latency in (3, 4)]
        assert (rounds, *ruled) == row.values
        ours = [cycles(description, cpu, rounds).path for cpu in (ICE, COFFEE)]
        assert all(a <= b for a, b in zip(ours, ruled, strict=True))


def test_table_3_is_what_the_profiles_say() -> None:
    by_title = {cpu.title: cpu for cpu in spec.cpus()}
    for row in spec.paper("aesni-permutations").table("3").rows:
        timing = by_title[row.name].timing("aesenc")
        assert row.values == (by_title[row.name].registers, timing.latency, timing.throughput)


# -- instructions ----------------------------------------------------------------------------
@pytest.mark.parametrize("name", permutations())
def test_instructions_are_those_of_the_paper(name: str) -> None:
    program = program_of(name)
    permutation = get_permutation(name)
    if name.startswith("feistel"):
        assert program.count("aesenc", "aesenclast") == len(program.code)
        assert program.aes == permutation.rounds * permutation.instructions  # type: ignore[attr-defined]
    if name.startswith("simpira"):
        assert len(program.code) == 15 * permutation.words


def test_word_mixing_counts() -> None:
    counts = {n: Counter(i.kind for i in program_of(n).code) for n in TIMED[-4:]}
    assert counts["haraka-256:3.5"]["unpack"] == counts["pholkos-256:3.5"]["blend"] == 3 * 2
    assert counts["haraka-512:4.5"]["unpack"] == counts["pholkos-512:4.5"]["blend"] == 4 * 8


def test_one_instruction_and_key_is_executed_once() -> None:
    class Twice(Permutation):  # type: ignore[type-arg]
        name, words, rounds = "twice", 2, 3

        def round(self, S, i):  # type: ignore[no-untyped-def]
            x = aes_round(S[0], 5)
            return [aes_round(x, S[1]), aes_last_round(x, 0)]

    program = instructions(record_rounds(Twice(), 3), COFFEE)
    assert program.aes == len(program.code) == 9


def test_sharing_trades_aes_instructions_for_xors() -> None:
    plain, shared = program_of("feistel256:1-0,2-0"), program_of("feistel256:1-0,2-0", shared=True)
    assert (plain.aes, shared.aes, shared.count("logic")) == (18, 12, 6)
    assert shared.latency == 33 < plain.latency


def test_aegis_takes_the_message_off_its_recurrence() -> None:
    """Eight rounds of AES and two XORs, as spec/speed.toml has it."""
    recurrence = next(w for w in spec.work() if w.cipher == "aegis-128l").recurrences["encrypt"]
    more = program_of("aegis-128l", rounds=16).latency - program_of("aegis-128l").latency
    assert more == recurrence.aes * 4 + recurrence.xors


def test_a_cipher_that_streams_encrypts() -> None:
    """Each word of keystream is XORed to the message, which is in memory: two XORs more in a round of AEGIS-128L
    than its keystream of four and two AND, and the two of the state that no round key takes."""
    plain = program_of("aegis-128l", spec.cpu("sapphire-rapids"))
    one = cycles(get_analysed("aegis-128l"), spec.cpu("sapphire-rapids"))
    assert (plain.count("logic"), one.logic) == (8 * 8, 8 * 10)
    assert (one.aes, one.ports, one.live) == (64, (64 + 80) / 3, plain.registers() + 1)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("aether", r"aether\.py:30: .*: no AES instruction does it; want SubBytes, ShiftRows and"),
        ("ascon-128a", r"ascon\.py:\d+: permute .*, got 64$"),
        ("present", "no AES instruction"),
    ],
)
def test_what_is_not_of_aes_is_one_error(name: str, said: str) -> None:
    with pytest.raises(DescriptionError, match=said) as caught:
        cycles(get_analysed(name), ICE)
    assert "\n" not in str(caught.value)


def run(program: InstructionProgram, block: bytes) -> bytes:
    """The program executed, instruction by instruction."""
    values = [IntWord(int.from_bytes(block[i : i + 16], "big"), 128) for i in range(0, len(block), 16)]
    for item in program.code:
        words = [values[i] for i in item.operands]
        if item.kind.startswith("aes"):
            step = aes_last_round if item.kind == "aesenclast" else aes_round
            key = words[1] if len(words) > 1 else IntWord(item.constant, 128)
            first = item.detail == KEY_FIRST
            values.append(step(words[0] ^ key, 0) if first else step(words[0], key))
        elif item.kind == "logic" and item.detail == "xor":
            values.append(words[0] ^ (words[1] if len(words) > 1 else item.constant))
        else:
            values.append(moved(MixingStep(item.kind, tuple(range(len(words))), item.detail), words))  # type: ignore[arg-type]
    out = [values[program.outputs[f"S'{i}"]] for i in range(len(block) // 16)]
    return b"".join(word.value.to_bytes(16, "big") for word in out)


def moved(value: Value, words: list[IntWord]) -> IntWord:
    cells = [words[c[0]].cells(32)[c[1]] if c is not None else 0 for c in columns(value)]
    return words[0].of_cells(cells, 32)


@pytest.mark.parametrize("shared", [False, True], ids=["executed", "shared"])
@pytest.mark.parametrize("name", TIMED)
def test_a_program_computes_what_is_described(name: str, shared: bool) -> None:
    permutation = get_permutation(name)
    block = random.Random(name).randbytes(16 * permutation.words)
    for cpu in (COFFEE, spec.cpu("sapphire-rapids"), spec.cpu("neoverse-v2")):
        assert run(program_of(name, cpu, shared=shared), block) == permutation.permute(block)


# -- mixing ----------------------------------------------------------------------------------
def words_of(order: tuple[int, ...]) -> list:  # type: ignore[type-arg]
    return [tuple((o // 4, o % 4) for o in order[i : i + 4]) for i in range(0, len(order), 4)]


@pytest.mark.parametrize(("order", "fewest"), [(MIX_2, 2), (PI_256, 2), (MIX_4, 8), (PI_512, 8)])
def test_published_shuffles_take_their_published_steps(order: tuple[int, ...], fewest: int) -> None:
    made = mixed(words_of(order))
    assert len({step for value in made for step in steps(value)}) == fewest


def test_any_shuffle_is_made() -> None:
    rng = random.Random(3)
    for words in (1, 2, 3, 4, 5):
        for _ in range(8):
            order = list(range(4 * words))
            rng.shuffle(order)
            wanted = words_of(tuple(order))
            assert [columns(value) for value in mixed(wanted)] == wanted


def test_columns_that_are_zero() -> None:
    wanted = [((0, 0), None, (1, 1), None), (None, None, None, (0, 2))]
    assert [columns(value) for value in mixed(wanted)] == wanted  # type: ignore[arg-type]


# -- ports and the schedule ------------------------------------------------------------------
def ports_of(cpu: spec.Cpu):  # type: ignore[no-untyped-def]
    return lambda kind: cpu.timing(kind).ports


def test_port_limits_by_hand() -> None:
    code = Counter(aesenc=14, unpack=6)
    assert port_limit(code, ports_of(COFFEE)) == (14, ("p0",))
    assert port_limit(code, ports_of(ICE)) == (7, ("p0", "p1"))
    assert crowded_limit(code, ports_of(ICE), ("aesenc", "aesenclast")) == 10
    assert port_limit(Counter(aesenc=4, unpack=8), ports_of(ICE))[0] == 4


def test_port_limit_against_every_sharing_out() -> None:
    rng = random.Random(5)
    kinds = {"a": ("x",), "b": ("x", "y"), "c": ("y", "z"), "d": ("x", "y", "z")}
    for _ in range(20):
        code = Counter({kind: rng.randint(0, 2) for kind in kinds})
        each = [kinds[kind] for kind in code.elements()]
        best = min(max(Counter(way).values(), default=0) for way in product(*each))
        limit = port_limit(code, lambda kind: kinds[kind])[0]
        assert -(-limit.numerator // limit.denominator) == best


@pytest.mark.parametrize("name", TIMED)
@pytest.mark.parametrize("cpu", spec.cpus(), ids=lambda cpu: cpu.name)
def test_no_schedule_beats_a_limit(name: str, cpu: spec.Cpu) -> None:
    permutation = get_permutation(name)
    for blocks in (1, default_blocks(cpu)):
        one = cycles(permutation, cpu, blocks=blocks)
        assert one.scheduled >= max(one.latency, one.ports) - 1e-9
        assert one.crowded >= one.ports and one.registers_avx2 >= one.registers >= one.latency
        assert one.minimum == max(one.latency, one.ports, one.registers)


def test_schedules_by_hand() -> None:
    """One port and two instructions a round that wait for each other: four cycles and five by
    turns, so 36 for the 32 of the path; [AESNI-PERM, table 6] measured 36.5."""
    assert cycles(get_permutation("feistel256:1-0,1-1"), COFFEE).scheduled == 36
    assert cycles(get_permutation("feistel256:1-0,1-1"), ICE).scheduled == 24
    one = program_of("simpira-2", rounds=1)
    assert makespan(one, COFFEE.latency, ports_of(COFFEE), 3) == 2 * 4 + 2


@pytest.mark.timeout(60)  # a second; minutes, where what waits is looked through in each cycle
def test_many_blocks_are_scheduled_in_a_time_that_grows_with_their_number() -> None:
    one = cycles(get_permutation("simpira-4"), COFFEE, blocks=1024)
    assert one.ports == 60 <= one.scheduled < 60.1


def test_more_blocks_than_anybody_interleaves_are_refused(run) -> None:  # type: ignore[no-untyped-def]
    for option in ("--blocks", "--rounds"):
        done = run("cycles", "simpira-4", "--cpu", "zen-5", option, "1025", "--no-store")
        assert done.returncode == 2 and "1<=x<=1024" in done.stderr


def test_registers_and_wide_vectors() -> None:
    one = cycles(get_permutation("simpira-2"), ICE, 8, blocks=8)
    # Two words and one under way: ten blocks fit into 32 registers, five into 16.
    assert (one.live, one.registers, one.registers_avx2) == (3, 48 / 8, 48 * 8 / 5 / 8)
    wide = cycles(get_permutation("simpira-2"), ICE, 8, bits=512, blocks=32)
    assert wide.ports == 16 / 4 and wide.binds == "ports"
    alone = cycles(get_permutation("simpira-2"), ICE, 8)
    assert (alone.binds, alone.expected, alone.cycles_per_byte) == ("latency", 48, 1.5)


def test_blocks_of_one_register_take_as_long_as_one() -> None:
    """They are the same instructions, whether or not the register is full."""
    zen, it = spec.cpu("zen-4"), get_permutation("haraka-512")
    several = [cycles(it, zen, bits=512, blocks=blocks) for blocks in (1, 2, 3, 4)]
    assert {one.expected * one.blocks for one in several} == {66}
    assert {one.binds for one in several} == {"schedule"}


# -- as a user runs it -----------------------------------------------------------------------
def test_a_file_of_a_user(run, tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = str(spec.root() / "examples" / "two_word.py")
    done = run("cycles", "--file", file, "--cpu", "ice-lake", "--rounds", "5", "--json")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(r["bits"], r["blocks"]) for r in rows] == [(128, 1), (128, 8), (256, 16), (512, 32)]
    assert (rows[0]["path"], rows[0]["aes"], rows[0]["binds"]) == (30, 15, "latency")
    assert rows[0]["command"] == "roundworks cycles --file two_word.py --rounds 5 --cpu ice-lake"
    assert len(list((tmp_path / "results").glob("*/*/cycles.jsonl"))) == 1


def test_half_a_round_is_not_a_whole_one() -> None:
    cpu = spec.cpu("ice-lake")
    half, whole = get_permutation("haraka-256:3.5"), get_permutation("haraka-256")
    assert [cycles(subject, cpu).rounds for subject in (half, whole)] == [3.5, 5]
    assert [subject.length(4) for subject in (half, whole)] == ["3.5 rounds", "4 rounds"]


def test_the_table_says_what_binds(run) -> None:  # type: ignore[no-untyped-def]
    done = run("cycles", "feistel256:1-0,1-1", "--cpu", "coffee-lake", "--no-store")
    assert "schedule" in done.stdout and "16 AES instructions, 0 that mix words" in done.stdout


def test_table_4_against_the_papers(run) -> None:  # type: ignore[no-untyped-def]
    done = run("reproduce", "aesni-permutations", "--table", "4", "--json", "--no-store")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    cells = {(r["row"], r["column"]): r for r in rows if r["kind"] == "reproduction"}
    assert len(cells) == 21 and not any(r["status"] == "refuted" for r in cells.values())
    one = cells["(1-0,2-0)", "latency 4"]
    assert (one["paper_value"], one["value"], one["status"]) == (48, 36, "consistent")
    assert "by the paper's rule 48 cycles, as printed" in one["reason"]
    # Nine permutations on every CPU, one block and as many as the paper takes.
    assert sum(r["kind"] == "cycles" for r in rows) == 9 * len(spec.cpus()) * 2


@pytest.mark.long
def test_how_many_of_the_papers_measurements_are_near_the_model() -> None:
    run = Run()
    table_4(run)
    table_5(run)
    result = model(run.extra)
    assert (len(result.lines), len(result.lines) - len(result.gaps)) == (136, 107)
    # One block of a permutation of AES instructions alone, where a core has one port of AES.
    alone = [
        e.line
        for e in result.lines
        if not e.line.row["mixing"]
        and e.line.row["blocks"] == 1
        and e.line.words == 2
        and e.line.cpu.timing("aesenc").throughput == 1
    ]
    assert len(alone) == 7 * 3 and max(abs(line.gap) for line in alone) < 0.08


# One run of our own: a later one, here or elsewhere, has other rows.
_COUNTED = ("intel-xeon-2c-c59e7d", "2026-11-23T01")


def test_our_own_measurements_have_a_reason_for_every_gap() -> None:
    store = Store(spec.root() / "results")
    machine, until = _COUNTED
    timed, models = (
        [row for row in store.read(kind) if row.machine == machine and row.time < until]
        for kind in (PermutationRow, CyclesRow)
    )
    machines = on_machines(timed, models, [], [], store.machines())
    here = next(m for m in machines if m.profile.cpu.title == "Sapphire Rapids")
    count = sum(1 for table in here.tables for line in table.lines if line.ours)
    assert (count, len(here.gaps)) == (34, 18)
    # Nothing is faster than its instructions allow, and every gap has a reason.
    assert min(gap.line.more for gap in here.gaps) > 0
    assert not [gap for gap in here.gaps if len(gap.words) < 2 or "nothing the" in gap.text]


def test_a_block_of_a_sponge_is_what_its_rate_takes() -> None:
    """Not the whole state; its own rounds lie between two blocks."""
    sponge = load_description(ROOT / "examples" / "aes_sponge.py")
    modelled = cycles(sponge, ICE)
    assert (modelled.rounds, modelled.block_bytes) == (sponge.rounds, sponge.rate_bytes) == (8, 32)
    assert modelled.cycles_per_byte == modelled.expected / 32
