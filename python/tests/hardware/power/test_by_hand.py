"""Power that can be worked out by hand: the library is of round numbers, at 2 V."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware_tools import need
from power_circuits import CHAIN, GATED, NAND, PULSE, TOGGLE, circuit, every_cycle, tiny
from roundworks.errors import HardwareError, LibraryError
from roundworks.hardware.library import Conditions
from roundworks.hardware.power import activity, measured
from roundworks.hardware.power.parts import Power
from roundworks.hardware.power.traffic import Traffic

PERIOD = 10e-9
pJ, nW, pF = 1e-12, 1e-9, 1e-12
VOLT2 = 4.0


def power(tmp_path: Path, text: str, traffic: Traffic, model: str = "zero-delay") -> measured.Breakdown:
    need("iverilog", "vvp", *(["sta"] if model == "glitch" else []))
    one, library, around = circuit(tmp_path, text), tiny(), Conditions(slew=0.4e-9)
    seen = activity.simulate(one, library, traffic, PERIOD, around, model=model)
    return measured.measured(one, library, seen, around)


def near(found: Power, leakage: float, internal: float, switching: float, inputs: float) -> None:
    assert found.leakage == pytest.approx(leakage, rel=1e-9)
    assert found.internal == pytest.approx(internal, rel=1e-9)
    assert found.switching == pytest.approx(switching, rel=1e-9)
    assert found.inputs == pytest.approx(inputs, rel=1e-9, abs=1e-18)


@pytest.mark.parametrize("model", ["zero-delay", "glitch"])
def test_inverter_chain(tmp_path: Path, model: str) -> None:
    """Its input toggles in every cycle: in two cycles each net rises once and falls once."""
    breakdown = power(tmp_path, CHAIN, every_cycle(None, 24, a=[0, 1]), model)
    two = 2 * PERIOD
    leakage = 3 * (1 + 3) / 2 * nW
    internal = 3 * (0.02 + 0.01) * pJ / two
    # Two nets carry an inverter's pin, the third nothing; a pin weighs 12 fF rising, 8 fF falling.
    charge = 0.5 * VOLT2 * (0.012 + 0.008) * pF / two
    if model == "zero-delay":
        near(breakdown.power, leakage, internal, 2 * charge, charge)
    else:
        assert breakdown.power.internal == pytest.approx(internal)
        assert breakdown.power.switching == pytest.approx(2 * charge)
        # Each waits for the one before it, so the time at one and at zero stays the same.
        assert breakdown.power.leakage == pytest.approx(leakage, rel=1e-3)


def test_a_nand_with_a_constant_input(tmp_path: Path) -> None:
    """B is zero: the output stays, and A draws the hidden energy of `!B` at its slew of 0.4 ns."""
    breakdown = power(tmp_path, NAND, every_cycle(None, 24, a=[0, 1], b=[0]))
    two = 2 * PERIOD
    hidden = (0.006 + 0.4 * 0.001 + 0.002 + 0.4 * 0.001) * pJ
    near(breakdown.power, 1.5 * nW, hidden / two, 0.0, VOLT2 * 0.01 * pF / two)


def test_nand_that_follows(tmp_path: Path) -> None:
    """B is one: every toggle is the output's, estimated by A's tables, and nothing is hidden."""
    breakdown = power(tmp_path, NAND, every_cycle(None, 24, a=[0, 1], b=[1]))
    two = 2 * PERIOD
    near(breakdown.power, 3.5 * nW, (0.03 + 0.02) * pJ / two, 0.0, VOLT2 * 0.01 * pF / two)


def test_nand_both_at_once(tmp_path: Path) -> None:
    """Falling alone, either input would have done it; rising, both are needed: halves each time."""
    breakdown = power(tmp_path, NAND, every_cycle(None, 24, a=[0, 1], b=[0, 1]))
    two = 2 * PERIOD
    # Y falls as both rise: each decides in state 11. Y rises as both fall: neither decides alone.
    internal = ((0.02 + 0.04) / 2 + (0.03 + 0.05) / 2) * pJ
    hidden = (0.002 + 0.4 * 0.001) * pJ  # A falls while B is zero after it
    near(breakdown.power, 2.5 * nW, (internal + hidden) / two, 0.0, 2 * VOLT2 * 0.01 * pF / two)


@pytest.mark.parametrize("model", ["zero-delay", "glitch"])
def test_flop_that_toggles(tmp_path: Path, model: str) -> None:
    """In every cycle: a rise and a fall of its clock pin, one edge of D, one of Q."""
    breakdown = power(tmp_path, TOGGLE, every_cycle("clk", 24), model)
    two = 2 * PERIOD
    clock = 2 * (0.06 + 0.04) * pJ
    data = (0.01 + 0.03) * pJ
    output = (0.2 + 0.1) * pJ
    inverter = (0.02 + 0.01) * pJ
    nets = 0.5 * VOLT2 * (0.012 + 0.008) * pF + VOLT2 * 0.01 * pF
    assert breakdown.power.internal == pytest.approx((clock + data + output + inverter) / two)
    assert breakdown.clocked.internal == pytest.approx((clock + data + output) / two)
    assert breakdown.power.switching == pytest.approx(nets / two)
    assert breakdown.power.inputs == pytest.approx(2 * VOLT2 * 0.01 * pF / two)
    assert breakdown.power.leakage == pytest.approx(7 * nW + 2 * nW, rel=1e-3)


@pytest.mark.parametrize("model", ["zero-delay", "glitch"])
def test_clock_gate_that_opens_every_other_clock(tmp_path: Path, model: str) -> None:
    """In four clocks two arrive at the flop, which rises once and falls once; E moves with each rise."""
    breakdown = power(tmp_path, GATED, every_cycle("clk", 24, en=[1, 0]), model)
    four = 4 * PERIOD
    # Where it arrives: GCK rises while E is one, E falls at once, GCK falls while it is zero.
    arrives = (0.3 + 0.002 + 0.7) * pJ
    # Where it does not: CK rises while E is zero, E rises, CK falls and the latch takes E.
    rests = (0.02 + 0.005 + 0.09) * pJ
    clock = 2 * (0.06 + 0.04) * pJ
    flop = clock + (0.2 + 0.1 + 0.01 + 0.03) * pJ
    inverter = (0.02 + 0.01) * pJ
    assert breakdown.power.internal == pytest.approx((2 * (arrives + rests) + flop + inverter) / four)
    # The gate drives the flop's clock pin, the outside the gate's alone, and E.
    nets = 0.5 * VOLT2 * (0.012 + 0.008) * pF + VOLT2 * 0.01 * pF
    assert breakdown.power.switching == pytest.approx((2 * VOLT2 * 0.01 * pF + nets) / four)
    assert breakdown.power.inputs == pytest.approx((4 + 2) * VOLT2 * 0.01 * pF / four)
    # Its output is one for a quarter of the time.
    assert breakdown.power.leakage == pytest.approx((5 + 4 / 4 + 7 + 2) * nW, rel=1e-3)


def test_clock_gate_that_stays_shut(tmp_path: Path) -> None:
    """Nothing arrives: the flop leaks, and the gate alone sees the clock."""
    breakdown = power(tmp_path, GATED, every_cycle("clk", 24, en=[0]))
    assert breakdown.power.internal == pytest.approx((0.02 + 0.04) * pJ / PERIOD)
    assert breakdown.power.switching == 0
    assert breakdown.power.inputs == pytest.approx(VOLT2 * 0.01 * pF / PERIOD)
    assert breakdown.power.leakage == pytest.approx((5 + 7 + 1) * nW)


def test_glitches_count_with_delays_alone(tmp_path: Path) -> None:
    """Each change of `a` makes a pulse of 0.3 ns, which the simulation without delays cannot see."""
    traffic = every_cycle(None, 24, a=[0, 1])
    still = power(tmp_path, PULSE, traffic)
    pulse = power(tmp_path, PULSE, traffic, "glitch")
    two = 2 * PERIOD
    chain = 3 * (0.02 + 0.01) * pJ
    assert still.toggles == 20 * 4
    assert still.power.internal == pytest.approx(chain / two)
    assert pulse.toggles == 20 * 6
    # y falls as a changes and rises as r follows. a rises, r is one: A's table of B, 0.2; r falls:
    # B's one table for both edges, at the slew of r's fall, 0.3 ns, and no load. a falls, r is
    # zero: A's table of !B, 0.4; r rises, with 0.5 ns.
    falls = 0.2 + 0.4
    rises = 2 * 0.5 + (0.3 + 0.5) * 0.1
    assert pulse.power.internal == pytest.approx((chain + (falls + rises) * pJ) / two)


def test_a_wrong_output_stops_it(tmp_path: Path) -> None:
    need("iverilog", "vvp")
    traffic = every_cycle(None, 24, a=[0, 1])
    right = {"y": [1 - k % 2 for k in range(24)]}
    one, around = circuit(tmp_path, CHAIN), Conditions()
    good = Traffic(None, 24, traffic.inputs, right, traffic.window)
    activity.simulate(one, tiny(), good, PERIOD, around, model="zero-delay")
    wrong = Traffic(None, 24, traffic.inputs, {"y": [*right["y"][:7], 1, *right["y"][8:]]}, traffic.window)
    with pytest.raises(HardwareError, match=r"^chain: y differs at clock 7, want 0x1, got 0x0; "):
        activity.simulate(one, tiny(), wrong, PERIOD, around, model="zero-delay")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("module m(input a, output y);\n  NAND9 g (.A(a), .Y(y));\nendmodule", "tiny: no cell NAND9"),
        ("module m(input a, output y);\n  INV g (.Z(a), .Y(y));\nendmodule", "INV: want pins A, Y, got Z"),
        (
            "module m(input a, output y);\n  INV g (.A(a), .Y(y));\n  INV h (.A(a), .Y(y));\nendmodule",
            "m: h: Y drives",
        ),
        (
            "module m(input a, output y);\n  wire b;\n  INV g (.A(b), .Y(y));\n  INV h (.A(y), .Y(b));\nendmodule",
            "m: a loop without a flop",
        ),
        (
            "module m(input a, output y);\n  INV g (.A(a) .Y(y);\nendmodule",
            "circuit.v: line 2: syntax error, unexpected",
        ),
        (
            "module m(input a, output y);\n  INV g (.A(q), .Y(y));\nendmodule",
            "circuit.v: line 2: Identifier `\\q' is implicitly declared",
        ),
        ("module m(input a", "circuit.v: line 1: syntax error, unexpected end of file"),
        ("", "circuit.v: no module in it"),
    ],
)
def test_bad_netlists_are_one_line(tmp_path: Path, text: str, message: str) -> None:
    from roundworks.hardware.power.loads import loads

    with pytest.raises((HardwareError, LibraryError)) as caught:
        loads(circuit(tmp_path, text), tiny(), Conditions())
    assert str(caught.value).startswith(message) and "\n" not in str(caught.value)
