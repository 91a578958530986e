"""Masked parts: what they compute, what their probes and toggles show, and that planted errors are found."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from calls import cases
from hardware_tools import changed, need
from roundworks.errors import HardwareError
from roundworks.hardware.cores import core
from roundworks.hardware.flow.simulate import simulate
from roundworks.hardware.leakage.checks import check_one, names
from roundworks.hardware.leakage.function import prove_product, prove_sbox
from roundworks.hardware.leakage.probing import prove_probes
from roundworks.hardware.leakage.separation import prove_separation
from roundworks.hardware.leakage.sums import ONE, ZERO, Expression, Sums
from roundworks.hardware.leakage.t_test import t_test
from roundworks.hardware.leakage.toggles import column_counts
from roundworks.reference.aes import SUB_BYTES


def by_definition(of: Sums, seen: list[Expression], secrets: list[int], masks: list[int]) -> bool:
    """Whether the joint distribution of these bits is the same for every secret: counted, value after value."""

    def value(one: Expression, at: dict[int, int]) -> int:
        total = 0
        for atom in one:
            if atom in of._factors:
                a, b = of._factors[atom]
                total ^= value(a, at) & value(b, at)
            else:
                total ^= at[atom]
        return total

    counts = []
    for secret in itertools.product((0, 1), repeat=len(secrets)):
        count: Counter[tuple[int, ...]] = Counter()
        for mask in itertools.product((0, 1), repeat=len(masks)):
            at = {0: 1, **dict(zip(secrets, secret, strict=True)), **dict(zip(masks, mask, strict=True))}
            count[tuple(value(one, at) for one in seen)] += 1
        counts.append(count)
    return all(count == counts[0] for count in counts)


def test_independence_is_the_definition() -> None:
    rng, found = random.Random(1), Counter[bool]()
    for _ in range(300):
        of = Sums()
        secrets = [of.variable(secret=True) for _ in range(2)]
        masks = [of.variable() for _ in range(5)]
        wires = [*secrets, *masks, ONE]
        for _ in range(8):
            a, b, c = rng.choices(wires, k=3)
            wires.append(of.both(a, b) ^ c)
        # Mostly such as a masked circuit has: a mask is added.
        seen = [rng.choice(wires[7:]) ^ rng.choice([*masks, ZERO]) for _ in range(rng.randint(1, 3))]
        same, _ = of.independent(seen)
        wanted = by_definition(of, seen, [next(iter(s)) for s in secrets], [next(iter(m)) for m in masks])
        assert same == wanted
        found[same] += 1
    assert min(found.values()) > 50


def test_too_many_variables_are_refused() -> None:
    of = Sums()
    secret = of.variable(secret=True)
    total = of.both(secret, of.variable())
    for _ in range(12):
        total ^= of.both(of.variable(), of.variable())
    with pytest.raises(ValueError, match="^26 variables are left, and 24 can be enumerated$"):
        of.independent([total])


@pytest.mark.parametrize("name", ["dom-product", "aes-sbox-masked"])
def test_parts_compute_the_reference(name: str) -> None:
    need("iverilog", "cocotb")
    assert not simulate(core(name), {}, simulator="icarus").failed


@pytest.mark.parametrize("bits", cases(["1", "2", "4"], short=["2"]))
def test_a_product_is_one_and_no_probe_depends_on_the_factors(bits: str) -> None:
    need("pyosys")
    one = core("dom-product")
    assert prove_product(one, {"Bits": bits}).latency == 1
    for transitions in (False, True):
        assert prove_probes(one, {"Bits": bits}, transitions=transitions).certainty == "proven"


def test_the_sbox_is_its_table() -> None:
    need("pyosys")
    assert prove_sbox(core("aes-sbox-masked"), {}, SUB_BYTES).latency == 8
    table = list(SUB_BYTES.table)
    table[0x53] ^= 1
    with pytest.raises(HardwareError, match="^aes-sbox-masked -: differs from the table of AES$"):
        prove_sbox(core("aes-sbox-masked"), {}, replace(SUB_BYTES, table=tuple(table)))


def test_a_wrong_product_is_found(tmp_path: Path) -> None:
    need("pyosys")
    wrong = changed("dom-product", "dom_product.sv", "Bits*(1-i)+:Bits", "Bits*i+:Bits", tmp_path)
    with pytest.raises(HardwareError, match="^dom-product Bits=1: differs from the product$"):
        prove_product(wrong, {"Bits": "1"})


@pytest.mark.parametrize("name", cases(["probes", "transitions"], short=["probes"]))
def test_no_probe_of_the_sbox_depends_on_the_byte(name: str) -> None:
    need("pyosys")
    assert check_one(core("aes-sbox-masked"), {}, name).passed


_TOWER = """    assign tower_high[4*i+:4] = tower_q[i][0][7:4];
    assign tower_low[4*i+:4] = tower_q[i][0][3:0];
"""
_NORM = """    assign norm_high[2*i+:2] = norm_q[i][0][3:2];
    assign norm_low[2*i+:2] = norm_q[i][0][1:0];
"""
_STRAIGHT = "aes_tower_pkg::to_tower(data_i[8*i+:8])"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    cases(
        [
            ("dom_product.sv", "mixed[i] ^ random_i", "mixed[i]"),
            # Products of what stands in no register: gates that glitch see more than one sum of shares.
            ("aes_sbox_masked.sv", _TOWER, _TOWER.replace("tower_q[i][0]", "straight")),
            ("aes_sbox_masked.sv", _NORM, _NORM.replace("norm_q[i][0]", "norm_d[i]")),
            ("aes_sbox_masked.sv", "random_i[5:4]", "2'd0"),
            ("aes_sbox_masked.sv", "random_i[17:14]", "random_i[13:10]"),
        ],
        short=[("dom_product.sv", "mixed[i] ^ random_i", "mixed[i]")],
    ),
)
def test_an_sbox_that_leaks_is_found(tmp_path: Path, file: str, old: str, new: str) -> None:
    need("pyosys")
    if "straight" in new:
        new = f"    logic [7:0] straight;\n    assign straight = {_STRAIGHT};\n{new}"
    with pytest.raises(HardwareError, match=r"^aes-sbox-masked -: what leads to .* depends on the secret"):
        prove_probes(changed("aes-sbox-masked", file, old, new, tmp_path), {})


def test_columns_are_counted() -> None:
    np = pytest.importorskip("numpy")
    for rows in (0, 1, 2, 3, 10):
        bits = np.random.default_rng(rows).integers(0, 1 << 64, (rows, 2), dtype=np.uint64)
        want = [sum(int(row[lane // 64]) >> lane % 64 & 1 for row in bits) for lane in range(128)]
        assert column_counts(bits).tolist() == want


def test_the_t_test_sees_a_leak_where_the_products_have_no_random_bits() -> None:
    need("pyosys")
    one = core("aes-sbox-masked")
    assert not t_test(one, {}, traces=4000).leaks
    assert t_test(one, {}, traces=4000, randomised=False).leaks


def test_what_has_no_shares_says_so(run) -> None:  # type: ignore[no-untyped-def]
    assert names(core("dom-product")) == ["function", "probes", "transitions"]
    done = run("sim", "aes-sbox", "--driver", "leakage")
    assert done.returncode == 2 and "aes-sbox: want a masked core: " in done.stderr


@pytest.mark.long  # half a minute to build
def test_the_masked_core_computes_the_reference() -> None:
    need("verilator", "make", "cocotb")
    done = simulate(core("aegis128-masked"), {}, tests=("vectors", "lengths", "wrong", "resets"))
    assert len(done.tests) == 4 and not done.failed


@pytest.mark.long  # a netlist of twenty thousand gates; the S-box above
def test_a_core_that_mixes_shares_or_has_no_random_bits_is_found(tmp_path: Path) -> None:
    need("pyosys")
    one = core("aegis128-masked")
    proof = prove_separation(one, {})
    assert (proof.parts, proof.random_bits) == (36, 104)
    for old, new, message in (
        ("= tag[i] ^ received;", "= tag[0] ^ tag[1] ^ received;", "both shares meet in "),
        (".random_i(random_i[72+b])", ".random_i(random_i[71+b])", "want random bits of its own for every"),
    ):
        with pytest.raises(HardwareError, match=f"^aegis128-masked: {message}"):
            prove_separation(changed(one.name, "aegis128_masked.sv", old, new, tmp_path), {})
    assert not t_test(one, {}, traces=512, cycles=61).leaks
    assert t_test(one, {}, traces=512, cycles=61, randomised=False).leaks
