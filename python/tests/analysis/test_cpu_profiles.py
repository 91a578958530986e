"""Which profile a machine has: every machine has one, and says how it was found."""

from __future__ import annotations

import json
from typing import Any

import pytest

from roundworks import machine, spec
from roundworks.analysis.cycles import cycles
from roundworks.analysis.instructions import KEY_FIRST, instructions
from roundworks.analysis.measured_cpu import measured_cpu
from roundworks.prove.structures.facts import Facts
from roundworks.reference import Permutation, get_permutation, record_rounds
from roundworks.reference.aes import aes_round
from roundworks.rows import Store
from roundworks.studies import ciphers as verb
from roundworks.studies import faster
from roundworks.studies.rounds import RankedDesign

AVX2 = ["ssse3", "aes", "avx2"]
AVX512 = [*AVX2, "vaes", "avx512f"]
SAPPHIRE = [*AVX512, "avx_vnni", "avx512_bf16", "avx512_fp16", "amx_tile"]


def facts(model: str, flags: list[str], architecture: str = "x86_64") -> dict[str, Any]:
    vendor, family, number = model.split()
    return {"vendor": vendor, "family": family, "model": number, "flags": flags, "architecture": architecture}


@pytest.mark.parametrize(
    ("model", "flags", "name"),
    [
        ("AuthenticAMD 25 33", [*AVX2, "vaes"], "zen-3"),
        ("AuthenticAMD 25 1", AVX2, "zen-3"),
        ("AuthenticAMD 25 17", AVX512, "zen-4"),
        ("AuthenticAMD 25 97", AVX512, "zen-4"),
        ("AuthenticAMD 26 68", [*AVX512, "avx_vnni"], "zen-5"),
        ("AuthenticAMD 26 2", AVX512, "zen-5"),
        ("GenuineIntel 6 106", AVX512, "ice-lake"),
        ("GenuineIntel 6 143", SAPPHIRE, "sapphire-rapids"),
        ("GenuineIntel 6 94", AVX2, "skylake"),
        ("0x41 8 0xd40", ["aes", "asimd", "sve"], "neoverse-v1"),
        ("0x41 8 0xd4f", ["aes", "asimd", "sve", "sve2"], "neoverse-v2"),
    ],
)
def test_a_model_names_its_core(model: str, flags: list[str], name: str) -> None:
    result = spec.profile_of(facts(model, flags))
    assert (result.cpu.name, result.found) == (name, "model")
    assert result.said == f"{spec.cpu(name).title}, by its model {model}"


def test_another_cpu_with_the_core_has_its_own_name() -> None:
    """Emerald Rapids has the core of Sapphire Rapids, and is not called so."""
    for model, title, name in (
        ("GenuineIntel 6 207", "Emerald Rapids", "sapphire-rapids"),
        ("GenuineIntel 6 141", "Tiger Lake", "ice-lake"),
        ("GenuineIntel 6 167", "Rocket Lake", "ice-lake"),
    ):
        result = spec.profile_of(facts(model, AVX512))
        assert (result.title, result.cpu.name, result.found) == (title, name, "model")
        assert result.said == f"{title}, the core of {spec.cpu(name).title}, by its model {model}"


@pytest.mark.parametrize(
    ("flags", "name"),
    [
        (AVX2, "generic-aesni"),
        ([*AVX2, "vaes"], "generic-vaes256"),
        (AVX512, "generic-vaes512"),
        (SAPPHIRE, "sapphire-rapids"),
        (["asimd", "aes"], "generic-aarch64"),
    ],
)
def test_an_unknown_model_has_the_profile_of_its_flags(flags: list[str], name: str) -> None:
    result = spec.profile_of(facts("unknown unknown unknown", flags))
    assert (result.cpu.name, result.found) == (name, "flags")
    assert "model unknown unknown unknown is not in spec/cpus.toml" in result.said


def test_a_range_ends_where_it_ends() -> None:
    """Zen 5 with a data path of 256 bits was measured by nobody here."""
    for model in ("26 32", "26 96", "26 80", "25 176", "24 1"):
        result = spec.profile_of(facts(f"AuthenticAMD {model}", AVX512))
        assert (result.cpu.name, result.found) == ("generic-vaes512", "flags")


def test_a_model_that_its_flags_deny_is_not_believed() -> None:
    """A hypervisor says Rocket Lake, and the flags are those of Sapphire Rapids."""
    result = spec.profile_of(facts("GenuineIntel 6 167", SAPPHIRE))
    assert (result.cpu.name, result.found) == ("sapphire-rapids", "flags")
    assert result.said.startswith("Sapphire Rapids, by its flags: model GenuineIntel 6 167 is Rocket Lake")
    assert "which lacks amx_tile, avx512_bf16, avx512_fp16, avx_vnni" in result.said
    # Flags that a hypervisor hides deny nothing.
    assert spec.profile_of(facts("GenuineIntel 6 143", AVX2)).cpu.name == "sapphire-rapids"


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({}, "generic-aesni"),
        (facts("a b c", ["ssse3"]), "generic-aesni"),
        (facts("a b c", ["asimd"], "aarch64"), "generic-aarch64"),
        (facts("a b c", [], "riscv64"), "generic-aesni"),
    ],
)
def test_without_aes_the_plainest_is_assumed(given: dict[str, Any], name: str) -> None:
    result = spec.profile_of(given)
    assert (result.cpu.name, result.found) == (name, "assumed")
    assert "assumed: no AES instructions are known" in result.said


@pytest.mark.parametrize("generic", spec.generic_cpus(), ids=lambda cpu: cpu.name)
def test_a_generic_profile_is_the_slowest_of_those_with_its_flags(generic: spec.Cpu) -> None:
    like = [
        cpu
        for cpu in spec.cpus()
        if cpu.key_first == generic.key_first and {*generic.widths} <= {*cpu.widths}
    ]
    assert len(like) >= 2 and not generic.models
    for timing in generic.timings:
        others = [cpu.timing(timing.kind, timing.bits) for cpu in like]
        assert timing.latency == max(t.latency for t in others)
        assert timing.latency_to_others == max(t.latency_to_others for t in others)
        assert len(timing.ports) == min(len(t.ports) for t in others)
    assert generic.registers == min(cpu.registers for cpu in like)


def test_real_cpus_and_generic_ones_are_told_apart() -> None:
    assert {cpu.name for cpu in spec.cpus()} >= {
        "zen-3",
        "zen-4",
        "zen-5",
        "ice-lake",
        "sapphire-rapids",
        "neoverse-v1",
        "neoverse-v2",
    }
    assert not [cpu for cpu in spec.cpus() if cpu.name.startswith("generic")]
    assert [cpu.name for cpu in spec.generic_cpus()] == [
        "generic-aesni",
        "generic-vaes256",
        "generic-vaes512",
        "generic-aarch64",
    ]


def test_an_arm_machine_says_what_it_is() -> None:
    cpu = {
        "CPU implementer": "0x41",
        "CPU architecture": "8",
        "CPU variant": "0x0",
        "CPU part": "0xd4f",
        "CPU revision": "1",
        "Features": "fp asimd aes sve sve2 made_up",
    }
    said = machine.facts_of(cpu)
    assert [said[k] for k in ("vendor", "family", "model", "stepping")] == ["0x41", "8", "0xd4f", "0x0 1"]
    assert said["flags"] == ["aes", "asimd", "sve", "sve2"]
    assert spec.profile_of(said).cpu is spec.cpu("neoverse-v2")
    empty = machine.facts_of({})
    assert {empty[k] for k in ("vendor", "family", "model", "stepping")} == {"unknown"}


def test_a_flag_that_differs_between_cores_changes_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows stay in the folder that their machine had before these flags were recorded."""
    cpu = {"model name": "A", "flags": "aes avx2"}
    slugs = set()
    for more in ("", " amx_tile avx512_fp16", " vaes"):
        there = machine.facts_of({**cpu, "flags": cpu["flags"] + more})
        monkeypatch.setattr(machine, "describe", lambda there=there: there)
        slugs.add(machine.slug.__wrapped__())
    assert len(slugs) == 2


# -- a round key that is added first ------------------------------------------------------------
def test_an_arm_program_adds_keys_before_the_round() -> None:
    """A chain of AES rounds costs no EOR but the last key, which no round follows."""

    class Keyed(Permutation):  # type: ignore[type-arg]
        name, words, rounds = "keyed", 2, 3

        def round(self, S, i):  # type: ignore[no-untyped-def]
            return [aes_round(S[0], S[1]), S[1]]

    arm, x86 = (
        instructions(record_rounds(Keyed(), 3), spec.cpu(name)) for name in ("neoverse-v2", "ice-lake")
    )
    assert (arm.aes, arm.count("logic")) == (3, 1) and (x86.aes, x86.count("logic")) == (3, 0)
    assert all(item.detail == KEY_FIRST for item in arm.code if item.kind == "aesenc")
    assert (arm.latency, x86.latency) == (3 * 2 + 2, 3 * 3)
    # Two rounds of (x, y) -> (F(x) + y, ...): the sum goes on as a word of state, so it is an EOR.
    one = cycles(get_permutation("simpira-2"), spec.cpu("neoverse-v2"), 8)
    assert (one.aes, one.logic) == (16, 8)
    assert one.path == 8 * (2 * 2 + 2)


# -- as a user meets it -------------------------------------------------------------------------
def test_cycles_for_this_cpu_say_how_it_was_found(run, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(verb.machine, "describe", lambda: facts("AuthenticAMD 99 1", AVX512))
    monkeypatch.setattr(machine, "slug", lambda: "elsewhere")
    words = ("cycles", "simpira-2", "--cpu", "here", "--rounds", "2", "--no-store")
    rows = [json.loads(line) for line in run(*words, "--json").stdout.splitlines()]
    assert {row["cpu"] for row in rows} == {"generic-vaes512"}
    assert all("99 1 is not in spec/cpus.toml" in row["profile"] for row in rows)
    assert "profile of this CPU: a CPU with VAES of 512 bits, generic" in run(*words).stdout


def instruction(name: str, measure: str, bits: int, *samples: float) -> dict[str, Any]:
    return {
        "kind": "instruction",
        "run": "r",
        "instruction": name,
        "measure": measure,
        "bits": bits,
        "samples_cycles": list(samples),
        "command": "c",
        "seconds": 0.0,
    }


ROWS = [
    instruction("aesenc", "latency", 128, 3.02, 9.0),
    instruction("aesenc", "throughput", 128, 0.34, 2.0),
    instruction("aesenc", "throughput", 256, 0.51),
    instruction("xor", "latency", 128, 1.98),
    instruction("xor", "throughput", 512, 0.49),
    instruction("ternary", "throughput", 512, 0.98),
]


def test_a_measured_cpu_has_what_was_measured_and_the_rest_of_its_profile() -> None:
    generic = spec.cpu("generic-vaes512")
    result = measured_cpu(generic, ROWS)
    for kind in ("aesenc", "aesenclast"):
        one = result.timing(kind)
        assert (one.latency, one.latency_to_others, one.ports) == (3, 4, ("p0", "p1", "x0"))
        assert result.timing(kind, 256).latency == generic.timing(kind, 256).latency
        assert result.timing(kind, 256).ports == ("p0", "p1")
    assert result.timing("logic").latency == 2
    assert len(result.timing("logic", 512).ports) == 2
    assert result.timing("blend", 512) == generic.timing("blend", 512)
    assert result.timing("unpack") == generic.timing("unpack")
    assert cycles(get_permutation("simpira-2"), result, 8).path == 8 * 2 * 3
    assert measured_cpu(generic, []).timings == generic.timings


def test_cycles_of_a_measured_cpu_want_rows_of_this_machine(run, tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(verb.machine, "describe", lambda: facts("AuthenticAMD 99 1", AVX512))
    monkeypatch.setattr(machine, "slug", lambda: "elsewhere")
    words = ("cycles", "simpira-2", "--cpu", "measured", "--rounds", "2", "--json")
    refused = run(*words)
    assert refused.returncode == 2 and "`roundworks bench --peers` measures them" in refused.stderr
    Store(tmp_path / "results").append(ROWS)
    rows = [json.loads(line) for line in run(*words).stdout.splitlines()]
    assert {row["cpu"] for row in rows} == {"measured"} and rows[0]["path"] == 2 * 2 * 3
    assert all(row["profile"].startswith("AES and XOR as measured on 20") for row in rows)


@pytest.mark.parametrize("model", ["AuthenticAMD 25 17", "unknown unknown unknown", "a 1 2"])
def test_the_sieve_speaks_on_every_cpu(model: str, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(machine, "slug", lambda: "elsewhere")
    for flags in ([], AVX2, AVX512):
        monkeypatch.setattr(faster.machine, "describe", lambda flags=flags: facts(model, flags))
        monkeypatch.setattr(faster.worth, "names", lambda: iter(["1-1,1-1,1-1,1-1"]))
        goal = faster.RankingGoal.of([RankedDesign("feistel512:2-0,2-2,2-0,2-2", 4, 4)])
        assert goal is not None
        # Without costs: nothing is known here, so every path would be counted as open.
        row = faster.faster_row(goal, Facts(6, "distinct"), "roundworks fastest", costs=False)
        said = faster.said_of(row)
        assert said.startswith("of 1 configurations") and "AES takes 4 cycles on this CPU: " in said
    assert faster.RankingGoal.of([]) is None
