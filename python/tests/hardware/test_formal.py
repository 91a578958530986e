"""Proofs of whole cores: messages of unknown bits, the control for every user; planted errors are found."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calls import cases as cases_of
from hardware_tools import changed, need
from roundworks import spec
from roundworks.errors import HardwareError
from roundworks.hardware.cores import Core, core
from roundworks.hardware.flow import yosys
from roundworks.hardware.formal import control
from roundworks.hardware.formal.control import PROPERTIES, ControlProof, check_property
from roundworks.hardware.formal.forms import Forms, to_words
from roundworks.hardware.formal.messages import MessageCase, cases, described_message, prove_message
from roundworks.hardware.formal.netlist import GATED
from roundworks.hardware.formal.proofs import names, prove_one
from roundworks.hardware.formal.stays import between_turns, stay
from roundworks.reference import get
from roundworks.reference.aes import SUB_BYTES


def bits(data: bytes) -> list[int]:
    return [byte >> i & 1 for byte in data for i in range(8)]


@pytest.mark.parametrize(
    "name",
    cases_of(
        ["aegis-128", "aegis-256", "ascon-128a", "ascon-aead128", "aether-lb", "rocca-s"],
        short=["aegis-128", "ascon-128a"],
    ),
)
def test_on_known_bits_it_is_the_description(name: str) -> None:
    it, rng = get(name), random.Random(name)
    rate = it.rate_bytes
    for ad_bytes, size in ((0, 0), (1, rate), (rate + 1, 2 * rate - 1)):
        key, nonce, ad, data = map(rng.randbytes, (it.key_bytes, it.nonce_bytes, ad_bytes, size))
        sealed, tag = it.seal(key, nonce, data, ad)
        for given, want, decrypt in ((data, sealed, False), (sealed, data, True)):
            result = described_message(
                it, Forms(), bits(key), bits(nonce), bits(ad), bits(given), decrypt=decrypt
            )
            assert result == (bits(want), bits(tag))


def test_forms_are_a_normal_form() -> None:
    of = Forms()
    a, b, c = of.unknown("x", 3)
    assert of.both(a ^ b ^ 1, c) == of.both(a ^ b, c) ^ c and of.both(a, a ^ 1) == 0
    assert of.chosen(a, b, c) == of.both(b ^ c, a) ^ c
    byte = to_words(of, [*of.unknown("byte", 7), 1], 1)[0]
    assert byte.sub(SUB_BYTES).forms == byte.sub(SUB_BYTES).forms != (byte ^ 1).sub(SUB_BYTES).forms
    assert to_words(of, bits(b"\x53"), 1)[0].sub(SUB_BYTES).forms == bits(b"\xed")[::-1]


# What comes in changes at rising edges alone, as from registers of the same clock.
PAIR = """
module pair (input logic clk_i, input logic write_i, input logic [2:0] data_i);
  logic write_q;
  logic [2:0] data_q, gated, enabled;
  always_ff @(posedge clk_i) begin write_q <= write_i; data_q <= data_i; end
  gated_word #(.Width(3)) u_gated (.clk_i, .write_i(write_q), .data_i(data_q), .data_o(gated));
  enabled_word #(.Width(3)) u_enabled (.clk_i, .write_i(write_q), .data_i(data_q), .data_o(enabled));
  always_comb assert (gated == enabled);
endmodule
"""


@pytest.mark.parametrize(
    ("old", "new"), [("", ""), ("if (write_i) data_q", "data_q"), ("posedge", "negedge")]
)
def test_a_gated_word_is_a_register_with_an_enable(tmp_path: Path, old: str, new: str) -> None:
    need("pyosys")
    model = (spec.root() / "rtl/formal" / GATED).read_text(encoding="utf-8")
    assert old in model
    files = [spec.root() / "rtl/common" / name for name in ("clock_gate.sv", GATED)]
    for file, text in (
        *((file.name, file.read_text(encoding="utf-8")) for file in files),
        ("enabled_word.sv", model.replace("module gated_word", "module enabled_word").replace(old, new, 1)),
        ("pair.sv", PAIR),
    ):
        (tmp_path / file).write_text(text, encoding="utf-8")
    lines = [f"read_slang --top pair clock_gate.sv {GATED} enabled_word.sv pair.sv", "hierarchy -top pair"]
    # Both clocks as signals; equal registers stay equal, by induction over time.
    lines += ["proc", "flatten", "clk2fflogic", "opt_clean"]
    lines += ["sat -tempinduct -prove-asserts -set-init-zero -maxsteps 12 -verify pair"]
    if old:
        with pytest.raises(HardwareError, match="proof did fail"):
            yosys.run(lines, tmp_path, tmp_path / "log", "pair", 100)
    else:
        yosys.run(lines, tmp_path, tmp_path / "log", "pair", 100)


def test_a_message_of_unknown_bits_is_the_description() -> None:
    need("pyosys")
    one = core("ascon128a-8")
    for case in (MessageCase(16, 17, False), MessageCase(15, 17, True, 2)):
        assert prove_message(one, {}, case).whole
    assert len(cases(one)) == 16 == len({case.name for case in cases(one)})


@pytest.mark.long
def test_clocks_of_words_may_be_gated() -> None:
    need("pyosys")
    one = core("aether-half-gated")
    assert prove_message(one, {}, MessageCase(0, 1, False)).whole


@pytest.mark.parametrize(
    ("old", "new", "case", "message"),
    [
        (
            "assign keep = ~(mask & {128{open_q}});",
            "assign keep = ~(mask & {128{open_q & ~blk_data_i[77]}});",
            MessageCase(0, 17, True),
            "decrypt 0\\+17: rsp_ok_o with bit 0 of the tag wrong: ",
        ),
        pytest.param(
            "(tag == tag_i)",
            "(tag[126:0] == tag_i[126:0])",
            MessageCase(0, 1, True),
            "decrypt 0\\+1: rsp_ok_o with bit 127 of the tag wrong: ",
            marks=pytest.mark.long,  # the same path as the other
        ),
    ],
)
@pytest.mark.long
def test_an_error_in_a_core_is_found(
    tmp_path: Path, old: str, new: str, case: MessageCase, message: str
) -> None:
    need("pyosys")
    wrong = changed("ascon128a-8", "ascon.sv", old, new, tmp_path)
    with pytest.raises(HardwareError, match=f"^ascon128a-8: {message}"):
        prove_message(wrong, {}, case)


def test_the_control_keeps_to_the_interface() -> None:
    need("pyosys")
    for name in ("early", "output_moved", "ok_moved"):
        assert check_property(core("ascon128a-8"), {}, name).cycles is None


@pytest.mark.long
def test_a_dropped_handshake_is_found(tmp_path: Path) -> None:
    need("pyosys")
    right = "assign wait_blk = absorb_q & (~blk_valid_i | (msg_now_q & ~out_ready_i));"
    wrong = changed("ascon128a-8", "ascon.sv", right, "assign wait_blk = absorb_q & ~blk_valid_i;", tmp_path)
    with pytest.raises(HardwareError, match=r"^ascon128a-8: early: broken in cycle \d+: want "):
        check_property(wrong, {}, "early")


@pytest.mark.long
def test_how_long_a_message_takes_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By all states that can be reached; an update more at the end is too long."""
    need("pyosys")
    monkeypatch.setattr(control, "_HOW", (control._REACH,))
    assert check_property(core("aegis128-ao2"), {}, "late").cycles is None
    last = "FinalLast = 4'd6;"
    slower = changed("aegis128-ao2", "aegis128_ctrl.sv", last, "FinalLast = 4'd7;", tmp_path)
    with pytest.raises(HardwareError, match=r"^aegis128-ao2: late: broken in cycle \d+: want a response"):
        check_property(slower, {}, "late")


def few(one: Core, name: str) -> ControlProof:
    """The property of eight of its outputs alone, in which each is like the others."""
    model = control._model(one, tuple(sorted(one.chosen({}).items())))
    return replace(model, outputs={name: model.outputs[name][:8]}).checked(name, 60)


@pytest.mark.long
def test_data_that_comes_through_functions_stays(tmp_path: Path) -> None:
    need("pyosys")
    assert few(core("rocca-s"), "data_moved").cycles is None
    right = "assign wait_blk = (part_q & ~blk_valid_i) | (msg_o & ~out_ready_i);"
    wrong = changed("rocca-s", "aead_rounds.sv", right, "assign wait_blk = part_q & ~blk_valid_i;", tmp_path)
    with pytest.raises(HardwareError, match=r"^rocca-s: data_moved: broken in cycle \d+: want the data"):
        few(wrong, "data_moved")


@pytest.mark.long
def test_interleaved_messages_keep_to_the_interface(tmp_path: Path) -> None:
    """Whatever the others are given. A ring that is too short mixes them, one that never waits moves the data, and
    one of the messages may have no turn."""
    need("pyosys")
    name = "aegis128-interleaved"
    for prop in ("early", "output_moved"):
        assert check_property(core(name), {}, prop).cycles is None
    for prop in ("ok_moved", "data_moved", "tag_moved"):
        assert few(core(name), prop).cycles is None
    ring = "for (int i = 1; i < Slots; i++) phase_q[i] <= phase_q[i-1];"
    mixed = changed(name, "aegis128_ctrl.sv", ring, "phase_q[Slots-1] <= phase_q[0];", tmp_path)
    with pytest.raises(HardwareError, match=rf"^{name}: early: broken in cycle \d+: want no response"):
        check_property(mixed, {}, "early")
    turns = "slot_o <= slot_o == 2'd2 ? '0"
    starved = changed(name, "aegis128_interleaved.sv", turns, "slot_o <= slot_o == 2'd1 ? '0", tmp_path)
    with pytest.raises(HardwareError, match=rf"^{name}: late: broken in cycle \d+: want a response"):
        check_property(starved, {}, "late")
    round_on = "third_q[i] ^ (mixed[i] & {128{go_q[i]}})"
    moving = changed(name, "aegis128_thirds.sv", round_on, "third_q[i] ^ mixed[i]", tmp_path)
    for prop in ("ok_moved", "data_moved", "tag_moved"):
        with pytest.raises(HardwareError, match=rf"^{name}: {prop}: broken in cycle \d+: want "):
            few(moving, prop)


@pytest.mark.parametrize(
    ("flop", "pins", "moves"),
    [
        ("$_DFF_P_", {}, ["$_XOR_"]),
        ("$_DFFE_PP_", {"E": [9]}, []),
        ("$_DFFE_PN_", {"E": [9]}, ["$_NOT_"]),
        ("$_SDFF_PN0_", {"R": [9]}, ["$_NOT_", "$_OR_", "$_XOR_"]),
        ("$_SDFFE_PP0N_", {"E": [9], "R": [8]}, ["$_NOT_", "$_OR_"]),
    ],
)
def test_what_a_function_takes_moves_with_its_flip_flops(
    flop: str, pins: dict[str, list[int]], moves: list[str]
) -> None:
    """f(q) and f(q, input): the first is free after its flip-flop moves, the second also if the input does."""
    ways = dict.fromkeys(("C", "D", *pins), "input")
    cells = {
        "q": {
            "type": flop,
            "connections": {"C": [2], "D": [3], "Q": [4], **pins},
            "port_directions": {**ways, "Q": "output"},
        },
        "f": {"type": "f", "connections": {"a": [4, "1"], "y": [5]}},
        "g": {"type": "f", "connections": {"a": [4, 3], "y": [6]}},
    }
    ports = {"clk_i": {"bits": [2]}, "data_i": {"bits": [3]}, "e_i": {"bits": [9]}, "r_i": {"bits": [8]}}
    module: dict[str, Any] = {"ports": ports, "cells": cells}
    stay(module, {"f": ["y"]})
    made = [cell for cell in module["cells"].values() if cell["type"].startswith("$") and cell != cells["q"]]
    by = {cell["connections"].get("Y", cell["connections"].get("Q"))[0]: cell for cell in made}
    assert len(by) == len(made) and not {"f", "g"} & set(module["cells"])

    def cone(bit: Any) -> list[str]:
        cell = by.get(bit)
        if cell is None:
            return []
        given = [pin[0] for name, pin in cell["connections"].items() if name in "ABDS"]
        return sorted([cell["type"], *(kind for one in given for kind in cone(one))])

    for out, more in ((5, []), (6, ["$_FF_", "$_OR_", "$_XOR_"])):
        mux = by[out]["connections"]
        assert by[out]["type"] == "$_MUX_" and by[mux["A"][0]]["connections"]["D"] == [out]
        assert by[mux["B"][0]]["type"] == "$anyseq"
        # What moved a cycle ago, as the flip-flop's output shows it now.
        assert cone(mux["S"][0]) == sorted(["$_FF_", *moves, *more])


def test_a_bit_of_a_word_stays_by_itself_and_an_input_by_its_value() -> None:
    """data = q ^ buffered, where `buffered` is looked at no further, though a flip-flop drives it."""
    flop = {
        "type": "$_DFFE_PP_",
        "port_directions": {"C": "input", "D": "input", "E": "input", "Q": "output"},
    }
    ways = {"A": "input", "B": "input", "Y": "output"}
    cells = {
        "q": {**flop, "connections": {"C": [2], "D": [3], "E": [9], "Q": [4]}},
        "w": {**flop, "connections": {"C": [2], "D": [3], "E": [8], "Q": [5]}},
        "x": {"type": "$_XOR_", "connections": {"A": [4], "B": [5], "Y": [6]}, "port_directions": ways},
    }
    ports = {name: {"bits": [bit]} for name, bit in (("clk_i", 2), ("data_i", 3), ("e_i", 9), ("f_i", 8))}
    names = {"data": {"bits": [6, 4, "0"]}, "buffered": {"bits": [5]}}
    module: dict[str, Any] = {"ports": ports, "cells": cells, "netnames": names}
    stay(module, {}, ["data"], ["buffered"])
    made = module["cells"]
    assert made["x"]["connections"]["Y"] != [6] and made["q"]["connections"]["Q"] == [4]
    (mux,) = (cell["connections"] for cell in made.values() if cell["type"] == "$_MUX_")
    by = {cell["connections"].get("Y", cell["connections"].get("Q"))[0]: cell for cell in made.values()}
    moved = [by[by[mux["S"][0]]["connections"][pin][0]] for pin in "AB"]
    assert mux["Y"] == [6] and by[mux["A"][0]]["connections"]["D"] == [6]
    assert [cell["type"] for cell in moved] == ["$_FF_", "$_XOR_"]
    assert moved[0]["connections"]["D"] == [9] and moved[1]["connections"]["A"] == [5]


def test_between_turns_each_flip_flop_and_input_is_compared() -> None:
    """word = (q ^ input) and buffered, which is looked at no further: what each was three cycles before."""
    ways = {"A": "input", "B": "input", "Y": "output"}
    cells: dict[str, Any] = {
        "q": {
            "type": "$_DFF_P_",
            "connections": {"C": [2], "D": [3], "Q": [4]},
            "port_directions": {"C": "input", "D": "input", "Q": "output"},
        },
        "x": {"type": "$_XOR_", "connections": {"A": [4], "B": [3], "Y": [5]}, "port_directions": ways},
        "b": {"type": "$_AND_", "connections": {"A": [3], "B": [8], "Y": [6]}, "port_directions": ways},
        "y": {"type": "$_AND_", "connections": {"A": [5], "B": [6], "Y": [7]}, "port_directions": ways},
    }
    names = {
        "word": {"bits": [7]},
        "buffered": {"bits": [6]},
        "waits": {"bits": [9]},
        "moved": {"bits": ["0"]},
    }
    inputs = (("clk_i", 2), ("data_i", 3), ("more_i", 8), ("waits_i", 9))
    ports: dict[str, Any] = {name: {"bits": [bit]} for name, bit in inputs}
    module = {"ports": {**ports, "moved": {"bits": ["0"]}}, "cells": cells, "netnames": names}
    assert between_turns(module, {"moved": ("word", "waits")}, ["buffered"], 3) == {"moved": 3}
    by = {cell["connections"].get("Y", cell["connections"].get("Q"))[0]: cell for cell in cells.values()}

    def compared(out: int) -> tuple[int, int]:
        """The bit that an output compares with what it was, and how many cycles before."""
        both = by[out]["connections"]
        assert by[out]["type"] == "$_AND_" and both["B"] == [9] and by[both["A"][0]]["type"] == "$_XOR_"
        (now,), (bit,) = (by[both["A"][0]]["connections"][pin] for pin in "AB")
        cycles = 0
        while bit != now:
            assert by[bit]["type"] == "$_FF_"
            (bit,), cycles = by[bit]["connections"]["D"], cycles + 1
        return now, cycles

    assert module["netnames"]["moved"] == module["ports"]["moved"]
    assert sorted(map(compared, module["ports"]["moved"]["bits"])) == [(3, 3), (4, 3), (6, 3)]


def test_a_kind_of_flip_flop_that_is_not_followed_is_refused() -> None:
    cell: dict[str, Any] = {"type": "$_DFF_N_", "connections": {"C": [2], "D": [3], "Q": [4]}}
    cell["port_directions"] = {"C": "input", "D": "input", "Q": "output"}
    with pytest.raises(HardwareError, match="stay: want flip-flops of one bit at a rising edge, got"):
        stay({"ports": {"clk_i": {"bits": [2]}}, "cells": {"q": cell}}, {})


@pytest.mark.long  # the buffer of test_rav, and the properties of the bare core above
def test_plaintext_of_a_wrong_tag_is_found(tmp_path: Path) -> None:
    need("pyosys")
    right = "assign good = core_rsp_ok_i & ~long_q;"
    for name in ("unverified", "early"):
        assert check_property(core("ascon128a-8-rav"), {}, name).cycles is None
    wrong = changed("ascon128a-8-rav", "aead_rav_buffer.sv", right, "assign good = ~long_q;", tmp_path)
    wrong = replace(wrong, name="wrong")
    with pytest.raises(HardwareError, match="^wrong: decrypt 0.1: plaintext of a message with a wrong tag"):
        prove_message(wrong, {}, MessageCase(0, 1, True))


@pytest.mark.long  # one core of each family of controllers; the short ones are Ascon's
@pytest.mark.parametrize("name", ["aegis128-base", "aegis256", "aes256-gcm"])
def test_families(name: str) -> None:
    need("pyosys")
    one = core(name)
    for driver, tests in (
        ("symbolic", ["encrypt 1+16", "decrypt 17+15"]),
        ("control", ["early", "request_twice"]),
    ):
        for test in tests:
            assert test in names(one, driver)
            assert prove_one(one, {}, driver, test).passed


def test_what_has_no_proof_says_so(run) -> None:  # type: ignore[no-untyped-def]
    for words, message in (
        (("aes-sbox", "--driver", "symbolic"), "aes-sbox: want an AEAD core; its bench is 'aes_cells'"),
        (("aegis256", "--driver", "control", "--test", "lost"), "aegis256: test 'lost': not known; "),
        (("aegis256", "--driver", "control", "--simulator", "icarus"), "--driver: leave --simulator, "),
    ):
        done = run("sim", *words)
        assert done.returncode == 2 and message in done.stderr and "Traceback" not in done.stderr
    assert len(PROPERTIES) == 14


def test_a_generated_s_box_is_not_taken_apart() -> None:
    """As forms it differs from its table, which would be a failure of a core that is right."""
    bare = replace(core("ascon128a-8"), description="aegis-128l")
    with pytest.raises(
        HardwareError, match="ascon128a-8: driver symbolic keeps the S-boxes of the cores written"
    ):
        names(bare, "symbolic")
    assert "early" in names(bare, "control")
