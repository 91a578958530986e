"""Block drawings of cores: what is a block, what joins two, and what is left out."""

from typing import Any

import pytest

from places import TINY_CORES
from roundworks.hardware.cores import core
from roundworks.hardware.drawing import blocks
from roundworks.hardware.drawing.blocks import Blocks, read
from roundworks.hardware.drawing.graphviz import dot, drawing


def cell(kind: str, **pins: tuple[str, list[Any]]) -> dict[str, Any]:
    return {
        "type": kind,
        "parameters": {},
        "connections": {pin: bits for pin, (_, bits) in pins.items()},
        "port_directions": {pin: way for pin, (way, _) in pins.items()},
    }


def port(way: str, bits: list[int]) -> dict[str, Any]:
    return {"direction": way, "bits": bits}


def net(bits: list[int], hide: int = 0) -> dict[str, Any]:
    return {"bits": bits, "hide_name": hide}


def bits(first: int, count: int = 8) -> list[int]:
    return list(range(first, first + count))


def wires(cells: dict[str, Any], nets: dict[str, Any] | None = None) -> Blocks:
    """A module with eight bits in (2..9), eight out (20..27), and a bit that steers (90)."""
    top = {
        "ports": {
            "a_i": port("input", bits(2)),
            "go_i": port("input", [90]),
            "y_o": port("output", bits(20)),
        },
        "cells": cells,
        "netnames": nets or {},
    }
    return read({"top": top}, {"top": top}, "top")


def test_bits_keep_their_lane_through_bitwise_logic() -> None:
    diagram = wires(
        {
            "x": cell(
                "$xor", A=("input", bits(2)), B=("input", ["0"] * 4 + bits(30, 4)), Y=("output", bits(20))
            ),
            "r": cell("$dff", D=("input", bits(2)), Q=("output", bits(30))),
        },
        {"state_q": net(bits(30))},
    )
    # Four bits of the register meet the input; every bit of the output depends on the input.
    assert diagram.wires == {
        ("input a_i", "output y_o"): 8,
        ("register state_q", "output y_o"): 4,
        ("input a_i", "register state_q"): 8,
    }


def test_arithmetic_joins_every_bit_and_a_comparison_none() -> None:
    add = cell("$add", A=("input", bits(2, 1)), B=("input", bits(3, 7)), Y=("output", bits(20)))
    assert wires({"s": add}).wires == {("input a_i", "output y_o"): 8}
    equal = cell("$eq", A=("input", bits(2)), B=("input", ["1"] * 8), Y=("output", [60]))
    mask = cell("$and", A=("input", [60] * 8), B=("input", ["1"] * 8), Y=("output", bits(20)))
    assert wires({"e": equal, "m": mask}).wires == {}


def test_what_steers_a_multiplexer_is_no_wire_but_what_it_chooses_is() -> None:
    mux = cell(
        "$pmux",
        A=("input", ["0"] * 8),
        B=("input", bits(2) + bits(30)),
        S=("input", bits(40, 2)),
        Y=("output", bits(20)),
    )
    wide = cell("$dff", D=("input", bits(2)), Q=("output", bits(30)))
    steer = cell("$dff", D=("input", bits(2)), Q=("output", bits(40)))
    diagram = wires({"m": mux, "w": wide, "s": steer}, {"w_q": net(bits(30)), "s_q": net(bits(40))})
    assert ("register s_q", "output y_o") not in diagram.wires
    assert diagram.wires["register w_q", "output y_o"] == 8
    assert diagram.wires["input a_i", "output y_o"] == 8


def test_a_register_that_keeps_its_bits_has_no_wire_to_itself_and_one_that_shifts_has() -> None:
    hold = cell(
        "$mux", A=("input", bits(30)), B=("input", bits(2)), S=("input", [90]), Y=("output", bits(50))
    )
    register = cell("$adff", D=("input", bits(50)), Q=("output", bits(30)))
    diagram = wires({"m": hold, "r": register}, {"r_q": net(bits(30))})
    assert diagram.wires == {("input a_i", "register r_q"): 8}
    shift = cell("$adff", D=("input", [2, *bits(30, 7)]), Q=("output", bits(30)))
    diagram = wires({"r": shift}, {"r_q": net(bits(30))})
    assert diagram.wires == {("input a_i", "register r_q"): 1, ("register r_q", "register r_q"): 7}


def test_narrow_registers_are_counted_and_not_drawn() -> None:
    narrow = cell("$dff", D=("input", bits(2, 3)), Q=("output", bits(20, 3)))
    diagram = wires({"r": narrow}, {"count_q": net(bits(20, 3))})
    assert (diagram.flops, diagram.drawn_flops, diagram.wires) == (3, 0, {})


def test_a_register_is_called_as_its_own_module_calls_it() -> None:
    register = cell("$dff", D=("input", bits(2)), Q=("output", bits(20)))
    nets = {"y_o": net(bits(20)), "u_data.state_q": net(bits(20)), "q": net(bits(20), hide=1)}
    diagram = wires({"r": register}, nets)
    (block,) = [b for b in diagram.blocks if b.kind == "register"]
    assert (block.name, block.place) == ("state_q", ("u_data",))


def test_what_is_shared_and_deep_is_found() -> None:
    """Each of many stages takes the one before it and the first."""
    cells = {
        f"s{k}": cell(
            "$xor", A=("input", bits(100 + 8 * k)), B=("input", bits(100)), Y=("output", bits(108 + 8 * k))
        )
        for k in range(3000)
    }
    first = cell("$not", A=("input", bits(2)), Y=("output", bits(100)))
    last = cell("$not", A=("input", bits(100 + 8 * 3000)), Y=("output", bits(20)))
    diagram = wires({"first": first, "last": last, **cells})
    assert diagram.wires == {("input a_i", "output y_o"): 8}


def test_a_loop_of_logic_ends() -> None:
    a = cell("$or", A=("input", bits(30)), B=("input", bits(2)), Y=("output", bits(20)))
    b = cell("$and", A=("input", bits(20)), B=("input", bits(2)), Y=("output", bits(30)))
    assert wires({"a": a, "b": b}).wires == {("input a_i", "output y_o"): 8}


@pytest.mark.parametrize(("depth", "flops"), [("1", 9), ("2", 18)])
def test_a_core_is_read_as_it_is_written(depth: str, flops: int) -> None:
    tested = core("tiny", TINY_CORES)
    chosen = tested.chosen({"Depth": depth})
    diagram = read(*blocks.elaborated(tested, chosen), tested.top, {tested.clock, tested.reset})
    assert diagram.flops == flops
    assert {b.name: b.bits for b in diagram.blocks} == {
        "req_data_i": 8,
        "req_key_i": 8,
        "rsp_data_o": 8,
        "data_q": 8 * int(depth),
    }
    # Of two registers in a row the second takes from the first, and is what comes out.
    own = {("register data_q", "register data_q"): 8} if depth == "2" else {}
    assert diagram.wires == own | {
        ("input req_data_i", "register data_q"): 8,
        ("input req_key_i", "register data_q"): 8,
        ("register data_q", "output rsp_data_o"): 8,
    }


def test_a_drawing_is_a_row_with_frames_and_classes() -> None:
    made = drawing(core("tiny", TINY_CORES), {})
    assert made["title"] == "tiny, Kind=xor Depth=1: blocks"
    assert "Registers of 8 bits and more: 1, with 8 of all 9 bits." in made["caption"]
    assert 'label="data_q\\n8 bits", class="register"' in made["dot"]
    framed = Blocks(
        [
            blocks.Block("register u.a_q", "register", "a_q", ("gen", "u"), 16, frozenset({16})),
            blocks.Block("part u.f", "part", "f", ("gen", "u"), 0, frozenset({16}), "f_box\\n4 g"),
        ],
        {("register u.a_q", "part u.f"): 16, ("part u.f", "register u.a_q"): 12},
        {("gen", "u"): "data"},
    )
    text = dot(framed)
    assert 'subgraph "cluster gen.u" { label="u: data"' in text
    assert 'b1 [label="f\\nf_box\\n4 g", class="part", style=rounded]' in text
    # A number only where not every bit is meant.
    assert "b0 -> b1;" in text
    assert 'b1 -> b0 [label="12"];' in text
