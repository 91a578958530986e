"""AES in hardware: netlists, proofs that the circuits are equal, benches on both simulators."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from calls import cases
from places import ROOT
from roundworks import spec
from roundworks.errors import HardwareError, SpecError, UnknownName
from roundworks.hardware.cores import core, cores
from roundworks.hardware.cycles.aes import FORMULAS, rounds, total
from roundworks.hardware.flow.equivalence import prove
from roundworks.hardware.flow.lint import lint
from roundworks.hardware.flow.simulate import simulate
from roundworks.hardware.generate import netlists
from roundworks.reference.aes import MIX_COLUMNS

SBOXES = [name for name in core("aes-sbox").parameters[0].choices if name != "lut"]
CORES = ["aes-iterative", "aes-stepped", "aes-unrolled", "aes-pipelined"]


# -- netlists --------------------------------------------------------------------------------
@pytest.mark.parametrize("netlist", spec.netlists().values(), ids=lambda n: n.name)
def test_a_netlist_is_what_it_says(netlist: spec.Netlist) -> None:
    if netlist.computes == "aes-sbox":
        assert netlists.table(netlist) == spec.sboxes()["aes"].table
        return
    # Linear: all unit columns at once, one to a point, and zero.
    columns = [1 << i for i in range(32)] + [0]
    inputs = [sum((c >> bit & 1) << i for i, c in enumerate(columns)) for bit in range(32)]
    outputs = netlists.evaluate(netlist, inputs)
    for i, column in enumerate(columns):
        total = sum((out >> i & 1) << bit for bit, out in enumerate(outputs))
        want = MIX_COLUMNS.apply(list(column.to_bytes(4, "little")))
        assert total.to_bytes(4, "little") == bytes(want)


def test_gates_as_published() -> None:
    """Gates and depth that the titles and the literature state."""
    values = {n.name: (len(n.gates), netlists.depth(n)) for n in spec.netlists().values()}
    assert values["aes-sbox-boyar-peralta"][0] == 113
    assert values["aes-sbox-boyar-peralta-115"][0] == 115
    assert values["aes-sbox-boyar-peralta-depth16"] == (128, 16)
    assert values["aes-sbox-maximov-ekdahl-bonus"][0] == 102
    assert values["aes-mix-column-92"] == (92, 6)


def test_committed_verilog_is_current(tmp_path: Path) -> None:
    for name, text in netlists.sources().items():
        committed = (ROOT / "rtl" / "aes" / name).read_text(encoding="utf-8")
        assert committed == text, f"{name}: stale; run make netlists"
    assert {p.name for p in netlists.write(tmp_path)} == set(netlists.sources())
    assert netlists.write(tmp_path) == []


def test_the_choices_of_a_core_are_those_of_the_package() -> None:
    text = (ROOT / "rtl" / "aes" / "aes_pkg.sv").read_text()
    for one in cores():
        if one.family != "aes":
            continue
        for parameter in one.parameters:
            prefix = {"Sbox": "Sbox", "Mix": "Mix"}.get(parameter.name)
            for name, number in parameter.choices.items() if prefix else ():
                camel = prefix + "".join(part.capitalize() for part in name.split("-"))
                assert any(
                    line.split()[:3] in ([camel, "=", f"{number},"], [camel, "=", str(number)])
                    for line in text.splitlines()
                ), f"{one.name}: {name} = {number}"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '"XOR t1 U3 U5"',
            '"XAR t1 U3 U5"',
            "want a gate: XOR, XNOR, AND, NAND, OR, NOR, NOT, MUX; got 'XAR'",
        ),
        ('"XOR t1 U3 U5"', '"XOR t1 U3 t9"', "wire 't9' is read before a gate drives it"),
        ('"XOR t2 U0 U6"', '"XOR t1 U0 U6"', "wire 't1' is driven already"),
        ('"XOR t1 U3 U5"', '"XOR t1 U3 U5 U6"', "XOR: want 2 inputs, got 3"),
        ('"XOR t1 U3 U5"', '"XOR t1 U3 U5", "XOR t0 U3 U5"', "wire 't0' is read by no gate and no output"),
        ('outputs = ["S7"', 'outputs = ["S9"', "wire 'S9': no gate drives it"),
        ('"U1", "U0"]', '"U1"]', "want 8 wires for aes-sbox, got 7"),
        (
            'name = "aes-sbox-boyar-peralta"',
            'name = "other"',
            "want 'aes-sbox-boyar-peralta', the name of the file",
        ),
    ],
)
def test_a_broken_netlist_names_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, message: str
) -> None:
    shutil.copytree(ROOT / "spec", tmp_path / "spec")
    path = tmp_path / "spec" / "netlists" / "aes-sbox-boyar-peralta.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    monkeypatch.setenv("ROUNDWORKS_HOME", str(tmp_path))
    line = 1 + text[: text.index(old)].count("\n")
    with pytest.raises(SpecError, match=rf"aes-sbox-boyar-peralta\.toml:{line}: ") as error:
        spec.netlists()
    assert str(error.value).endswith(message)


def test_an_unknown_netlist_lists_those_there_are() -> None:
    with pytest.raises(UnknownName, match="netlist 'none': not known; one of aes-mix-column-92, "):
        spec.netlist("none")


# -- proofs ----------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["aes-sbox", "aes-inv-sbox"])
@pytest.mark.parametrize("sbox", SBOXES)
def test_every_sbox_is_the_table(name: str, sbox: str) -> None:
    assert prove(core(name), {"Sbox": sbox}).certainty == "proven"


def test_both_mix_columns_are_equal() -> None:
    assert prove(core("aes-mix-column"), {"Mix": "maximov"}).certainty == "proven"


# A round has an S-box in one place, and every S-box is the table above: one stands for all. With
# T-tables it is another circuit.
@pytest.mark.parametrize("sbox", cases(SBOXES, short=["boyar-peralta"]))
@pytest.mark.long
def test_every_round_is_that_of_the_table(sbox: str) -> None:
    """With the netlist of MixColumns too: what differs in little from the table is in the two above."""
    assert prove(core("aes-round"), {"Sbox": sbox, "Mix": "maximov"}).certainty == "proven"


@pytest.mark.parametrize("decrypt", ["0", "1"])
@pytest.mark.long
def test_rounds_of_the_cipher(decrypt: str) -> None:
    ours = {"Sbox": "boyar-peralta", "Mix": "maximov", "Decrypt": decrypt}
    assert prove(core("aes-cipher-round"), ours, {"Decrypt": decrypt}).certainty == "proven"


@pytest.mark.long  # a round with T-tables is above
def test_the_t_tables_of_the_cipher() -> None:
    assert prove(core("aes-cipher-round"), {"Sbox": "t-table", "Decrypt": "0"}, {"Decrypt": "0"})


@pytest.fixture
def broken(tmp_path: Path) -> Callable[..., Path]:
    """A copy of rtl/ with one text of one file replaced: its cores.toml, where `aes-sbox` is `my-sbox`."""

    def make(file: str, old: str, new: str) -> Path:
        shutil.copytree(ROOT / "rtl", tmp_path / "rtl")
        path = tmp_path / "rtl" / "aes" / file
        text = path.read_text()
        assert text.count(old) == 1
        path.write_text(text.replace(old, new))
        cores = tmp_path / "rtl" / "cores.toml"
        text = cores.read_text()
        assert text.count('name = "aes-sbox"') == 1
        cores.write_text(text.replace('name = "aes-sbox"', 'name = "my-sbox"'))
        return cores

    return make


def test_a_wrong_circuit_is_shown_an_input(broken: Callable[..., Path]) -> None:
    """The counterexample is one: our netlist and the table give what the error says."""
    file = broken("aes_sbox_canright.sv", "assign w7 = w1 ^ ", "assign w7 = w1 ~^ ")
    with pytest.raises(HardwareError) as error:
        prove(core("my-sbox", file), {"Sbox": "canright"})
    words = str(error.value)
    start = "my-sbox Sbox=canright: differs from Sbox=lut: data_i="
    assert words.startswith(start) and "\n" not in words
    given = int(words[len(start) :][:2], 16)
    assert words.endswith(f"want {spec.sboxes()['aes'].table[given]:02x}")


def test_a_circuit_that_cannot_be_read_is_one_line(broken: Callable[..., Path]) -> None:
    file = broken("aes_sbox_canright.sv", "assign w7 = w1 ^ ", "assign w7 = w1 ) ")
    with pytest.raises(HardwareError, match="^my-sbox Sbox=canright: ") as error:
        prove(core("my-sbox", file), {"Sbox": "canright"})
    assert "\n" not in str(error.value)


# -- benches ---------------------------------------------------------------------------------
def run(
    name: str, simulator: str, tests: tuple[str, ...] = (), **parameters: str
) -> tuple[dict[str, Any], ...]:
    simulation = simulate(core(name), parameters, simulator=simulator, tests=tests)
    assert not simulation.failed, [f"{t.name}: {t.message}" for t in simulation.failed]
    assert simulation.tests
    return simulation.reports


@pytest.mark.parametrize("name", ["aes-sbox", "aes-inv-sbox", "aes-mix-column", "aes-round"])
def test_parts(name: str) -> None:
    run(name, "icarus")


@pytest.mark.parametrize("decrypt", ["0", "1"])
def test_the_round_of_the_cipher(decrypt: str) -> None:
    run("aes-cipher-round", "icarus", Decrypt=decrypt)


# Verilator compiles for half a minute; vectors of long keys go through Icarus below, in `make test` too.
@pytest.mark.long
@pytest.mark.parametrize("name", CORES)
def test_cores(name: str) -> None:
    """Vectors, stalls, resets in the middle, keys that change, and the formula of the cycles."""
    checked(run(name, "verilator", KeyBits="128"), name, 128)


# Stalls and resets do not know how long a key is.
@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in CORES if name != "aes-unrolled"])
def test_cores_with_long_keys(name: str) -> None:
    checked(run(name, "icarus", KeyBits="256"), name, 256)


# Icarus follows every glitch of fourteen rounds: seconds for a block of the unrolled one.
@pytest.mark.parametrize("name", cases(CORES, short=["aes-iterative"]))
def test_vectors_of_long_keys(name: str) -> None:
    run(name, "icarus", ("standard_vectors",), KeyBits="256")


def checked(reports: tuple[dict[str, Any], ...], name: str, bits: int) -> None:
    alone = {r["decrypt"]: r["cycles"] for r in reports if r["blocks"] == 1}
    formula = FORMULAS[core(name).cycles]
    assert alone == {d: formula(bits, d).latency for d in alone} and alone


def test_a_core_without_decryption() -> None:
    chosen = {"Decrypt": "0", "Sbox": "canright", "Mix": "maximov"}
    run("aes-iterative", "icarus", ("standard_vectors", "ignores_what_it_cannot"), **chosen)


def test_formulas() -> None:
    assert (rounds(128), rounds(256)) == (10, 14)
    assert FORMULAS["aes.stepped"](128, False).repeated == 72
    assert total(FORMULAS["aes.pipelined"](128, False), 100) == 11 + 99
    assert total(FORMULAS["aes.iterative"](256, True), 2) == 2 * (13 + 14 + 1)
    assert total(FORMULAS["aes.unrolled"](128, False), 0) == 0


@pytest.mark.parametrize(
    ("name", "parameter", "value", "message"),
    [
        ("aes-sbox", "Sbox", 11, "aes_sbox: Sbox: want 0 to 10, got 11; see aes_pkg::sbox_e"),
        ("aes-mix-column", "Mix", 2, "aes_mix_column: Mix: want 0 or 1, got 2; see aes_pkg::mix_e"),
    ],
)
def test_unknown_circuits_are_refused_at_time_zero(
    name: str, parameter: str, value: int, message: str, tmp_path: Path
) -> None:
    assert message in refused(name, parameter, value, tmp_path)


@pytest.mark.parametrize("name", CORES)
def test_other_key_sizes_are_refused_at_time_zero(name: str, tmp_path: Path) -> None:
    assert "aes: KeyBits: want 128 or 256, got 192" in refused(name, "KeyBits", 192, tmp_path)


def refused(name: str, parameter: str, value: int, folder: Path) -> str:
    """What Icarus says of a core with a parameter that no choice of cores.toml gives."""
    import subprocess

    tested = core(name)
    program = folder / "simulation"
    subprocess.run(
        [
            "iverilog",
            "-g2012",
            "-o",
            program,
            "-s",
            tested.top,
            f"-P{tested.top}.{parameter}={value}",
            *tested.files,
        ],
        check=True,
        capture_output=True,
    )
    done = subprocess.run(["vvp", "-n", program], capture_output=True, text=True)
    assert done.returncode != 0
    return done.stdout + done.stderr


# What differs with a parameter is in the parts of these two.
@pytest.mark.parametrize(
    "name",
    cases(
        [c.name for c in cores() if c.family == "aes"],
        short={c.name for c in cores()} - {"aes-unrolled", "aes-pipelined"},
    ),
)
def test_lint(name: str) -> None:
    tested = core(name)
    rng = Random(name)
    keys = {p.name: rng.choice(list(p.choices)) for p in tested.parameters}
    assert lint(tested, keys) == ()  # the defaults are those of test_hardware.py
