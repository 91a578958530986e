"""OpenSTA's report compared with ours: the same by its rules, and where its rules are wrong, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import opensta_rules
from hardware_tools import need
from places import TINY_LIBRARY
from power_circuits import CHAIN, NAND, PULSE, TOGGLE, circuit, heap, osu018, tiny
from roundworks.hardware.library import Conditions, Library, load
from roundworks.hardware.power.gates import CellCircuit
from roundworks.hardware.power.parts import Power
from uniform_power import uniform

PERIOD = 10e-9
pJ, nW, pF = 1e-12, 1e-9, 1e-12
ALIKE = opensta_rules.PinActivity(0.2, 0.5)
AROUND = Conditions(slew=0.1e-9)


def three(one: CellCircuit, library: Library, around: Conditions = AROUND) -> tuple[Power, Power, Power]:
    """OpenSTA's report, ours by its rules, ours."""
    need("sta")
    return (
        opensta_rules.report(one, library, PERIOD, ALIKE, around),
        opensta_rules.by_its_rules(one, library, PERIOD, ALIKE, around),
        uniform(one, library, PERIOD, ALIKE, around),
    )


def agree(theirs: Power, ours: Power, within: float) -> None:
    assert ours.leakage == pytest.approx(theirs.leakage, rel=within)
    assert ours.internal == pytest.approx(theirs.internal, rel=within)
    assert ours.switching == pytest.approx(theirs.switching, rel=within)


@pytest.mark.parametrize("around", [AROUND, Conditions(slew=0.5e-9, load=0.02e-12), None])
@pytest.mark.parametrize("size", [20, 300])
def test_agreement_on_debians_library(tmp_path: Path, size: int, around: Conditions | None) -> None:
    """None: under the conditions of every row, inputs driven by a cell and an ideal clock."""
    library = osu018()
    around = around or library.conditions
    for seed in range(2):
        theirs, ours, _ = three(circuit(tmp_path, heap(library, size, seed), "clk"), library, around)
        agree(theirs, ours, 0.01)


@pytest.mark.parametrize(("text", "clock"), [(CHAIN, ""), (NAND, ""), (PULSE, ""), (TOGGLE, "clk")])
def test_agreement_on_circuits_by_hand(tmp_path: Path, text: str, clock: str) -> None:
    theirs, ours, _ = three(circuit(tmp_path, text, clock), tiny())
    agree(theirs, ours, 1e-5)


def test_a_toggle_is_charged_a_rise_and_a_fall(tmp_path: Path) -> None:
    """The root of the gap: at 0.2 toggles per cycle an inverter rises 0.1 times and falls 0.1 times."""
    theirs, _, ours = three(circuit(tmp_path, CHAIN), tiny())
    by_hand = 3 * 0.2 * (0.02 + 0.01) / 2 * pJ / PERIOD
    assert ours.internal == pytest.approx(by_hand)
    assert theirs.internal == pytest.approx(2 * by_hand, rel=1e-5)


def test_leakage_of_states_is_counted_twice(tmp_path: Path) -> None:
    """INV has no figure of its own, and 2.0.17 weights each of its two states by one."""
    theirs, _, ours = three(circuit(tmp_path, CHAIN), tiny())
    assert ours.leakage == pytest.approx(3 * (1 + 3) / 2 * nW)
    assert theirs.leakage == pytest.approx(3 * (1 + 3) * nW, rel=1e-5)


def test_inputs_that_decide_are_summed_not_shared(tmp_path: Path) -> None:
    """A NAND's output toggles 0.2 times per cycle, half of them for A and half for B."""
    theirs, _, ours = three(circuit(tmp_path, NAND), tiny())
    output = 0.2 * ((0.03 + 0.02) / 2 + (0.05 + 0.04) / 2) / 2
    slew = 0.1  # of the inputs, in ns; the hidden tables rise by 0.001 pJ a ns
    hidden = 0.2 * 0.5 * (0.006 + 0.002 + 2 * slew * 0.001) / 2
    assert ours.internal == pytest.approx((output + hidden) * pJ / PERIOD)
    # Both sums of rise and fall at half weight; hidden, too, at twice what a toggle draws.
    wrong = 0.2 * 0.5 * ((0.03 + 0.02) + (0.05 + 0.04)) + 2 * hidden
    assert theirs.internal == pytest.approx(wrong * pJ / PERIOD, rel=1e-5)


def test_a_clock_pin_is_charged_twice(tmp_path: Path) -> None:
    """The clock rises once and falls once; 2.0.17 takes both for each of its two toggles."""
    theirs, _, ours = three(circuit(tmp_path, TOGGLE, "clk"), tiny())
    data, output, inverter = (0.2 * (a + b) / 2 for a, b in ((0.01, 0.03), (0.2, 0.1), (0.02, 0.01)))
    clock = 0.06 + 0.04
    assert ours.internal == pytest.approx((clock + data + output + inverter) * pJ / PERIOD)
    # The others: D at half weight of twice, which is right; Q and the inverter at twice.
    wrong = 2 * clock + data + 2 * output + 2 * inverter
    assert theirs.internal == pytest.approx(wrong * pJ / PERIOD, rel=1e-5)


def test_one_table_for_both_edges_is_not_read(tmp_path: Path) -> None:
    """`power` next to `rise_power` and `fall_power`: B's energy of the XOR is nothing to 2.0.17."""
    text = "module m(input a, input b, output y);\n  XOR2 g (.A(a), .B(b), .Y(y));\nendmodule\n"
    theirs, _, ours = three(circuit(tmp_path, text), tiny())
    half_a = (0.5 * (0.1 + 0.2) + 0.5 * (0.3 + 0.4)) / 2
    half_b = 0.5 + 0.1 * 0.1  # at a slew of 0.1 ns
    assert ours.internal == pytest.approx(0.2 * (half_a + half_b) / 2 * pJ / PERIOD)
    wrong = 0.2 * (0.5 * (0.1 + 0.2) + 0.5 * (0.3 + 0.4))
    assert theirs.internal == pytest.approx(wrong * pJ / PERIOD, rel=1e-5)


def test_a_ground_rail_is_counted_like_the_supply(tmp_path: Path) -> None:
    """Energy that comes from VDD goes to VSS; where states are given, 2.0.17 adds the two."""
    need("liberty")
    library = TINY_LIBRARY
    text = library.read_text()
    start = text.index("cell (INV)")
    rails = """
    pg_pin (VDD) { pg_type : primary_power; voltage_name : "VDD"; }
    pg_pin (VSS) { pg_type : primary_ground; voltage_name : "VSS"; }
"""
    text = text.replace(
        "default_operating", "voltage_map (VDD, 2.0);\n  voltage_map (VSS, 0.0);\n  default_operating", 1
    )
    start = text.index("cell (INV)")
    cell = text[start : text.index("cell (NAND2)")]
    power = cell[cell.index("      internal_power") : cell.rindex("    }\n  }")]
    both = "".join(
        power.replace(
            'related_pin : "A";',
            f'related_pin : "A";\n        related_pg_pin : {rail};\n        when : "{when}";',
        )
        for rail in ("VDD", "VSS")
        for when in ("A", "!A")
    )
    changed = cell.replace(power, both).replace("area : 1;", "area : 1;" + rails)
    file = tmp_path / "rails.lib"
    file.write_text(text.replace(cell, changed))
    library = load([file])
    theirs, rules, ours = three(circuit(tmp_path, CHAIN), library)
    by_hand = 3 * 0.2 * (0.02 + 0.01) / 2 * pJ / PERIOD
    assert ours.internal == pytest.approx(by_hand)
    assert theirs.internal == pytest.approx(4 * by_hand, rel=1e-5)
    agree(theirs, rules, 1e-5)
