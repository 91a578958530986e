"""The control of a core by model checking: ready and valid, over messages of up to three blocks.

``rtl/formal/aead_protocol.sv`` is the user, who waits whenever it likes, and says in SystemVerilog what the
core must keep to. What an S-box, or a round of Ascon, gives is free here, and what data and tags are, but that they
stay as long as all of which they are made: so what holds, holds whatever the data are.
"""

from __future__ import annotations

import functools
import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ... import spec
from ...errors import HardwareError
from ..cores import Core
from ..cycles.aead import AeadCycles, of
from ..flow import tools, yosys
from ..flow.equivalence import abc
from .netlist import KEPT, BitNetlist, commands, log, netlist
from .stays import between_turns, stay

PROPERTIES: Mapping[str, str] = {
    "request_twice": "no request is taken twice, or before the response to the last",
    "block_invented": "no block is taken that is not offered, or before its request",
    "output_invented": "no block comes out that no message has; of a decryption that is verified, before its end",
    "output_last": "the last block, and no other, is called the last",
    "output_bytes": "a block comes out with as many bytes as the one it is made of",
    "early": "no response before every block was taken and given out",
    "late": "a response within the cycles of the formula in which the user does not wait",
    "unverified": "no plaintext comes out of a message whose response is that the tag is wrong",
    "tag_leaked": "no tag comes out of a decryption",
    "output_moved": "a block of output that waits stays",
    "response_moved": "a response that waits stays",
    "ok_moved": "whether the tag is right, as a response that waits says, stays",
    "data_moved": "the data of a block that waits stay",
    "tag_moved": "the tag of a response that waits stays",
}
_TOP = "roundworks_control"
# A round without S-boxes of their own: the control depends on no value of it either.
_ROUNDS = ("ascon_rounds",)
# What is made of flip-flops and stays as they do, for the rest free: a word of data on its way out, a tag, and whether
# two words are equal, as a tag and that of the user.
_FUNCTION, _EQUAL = "kept_function", "kept_equality"
_WIDE = 64  # bits of a word
# Of interleaved messages what the last properties are about, and when it is to be what it was.
_BETWEEN_TURNS = {
    "ok_moved_o": ("rsp_ok_o", "u_user.rsp_waited"),
    "data_moved_o": ("out_data_o", "u_user.out_waited"),
    "tag_moved_o": ("rsp_tag_o", "u_user.rsp_waited"),
}
_BLOCKS = 3
_STATUS = re.compile(r"Status = (-?\d)\s+Frames = (-?\d+)")
_LIMIT_S = 60
# One after the other, while there is no result: property directed reachability, quick for most; the states that can be
# reached as a decision diagram, where many steps are to be counted, up to a million nodes, as a larger step may take
# minutes; the first with flip-flops left out as long as no counterexample needs them, where thousands are in the way;
# the first once more, for long, after what is equal was joined; bounded search.
_REACH = "scorr; dc2; reach -T {limit} -B 1000000 -F 10000"
_LONG = "scorr; dc2; scorr; pdr -T {long}"
_HOW = ("pdr -T 20", _REACH, "pdr -t -T {limit}", _LONG, "bmc3 -F 4000 -T {limit}")
# Outputs that are checked at once: what they need of the control is found out once. All 128 of a word have no end.
_TOGETHER = 8


@dataclass(frozen=True, slots=True)
class ControlProof:
    """``cycles``: None where the property is proven for every number of cycles; else it holds in that
    many from reset, and beyond it is not known."""

    property: str
    cycles: int | None


def check_property(
    core: Core, parameters: Mapping[str, str], name: str, *, limit: int = _LIMIT_S
) -> ControlProof:
    """Model checking by ABC: property directed reachability, whose invariant ABC checks again; all states that can be
    reached; the former by abstraction, each for `limit` seconds at most; for fifteen times as long after equal parts
    were joined; and then bounded search for `limit` seconds.

    Raises
    ------
    HardwareError
        ``aegis128-to2: early: broken in cycle 17: want no response before every block was taken``
    """
    tools.need_python("pyosys")
    return _model(core, tuple(sorted(core.chosen(parameters).items()))).checked(name, limit)


@dataclass(frozen=True, slots=True)
class _Model:
    """``ready``: an and-inverter graph in AIGER, with an output, or several, for each property."""

    core: Core
    ready: bytes
    outputs: Mapping[str, range]

    def checked(self, name: str, limit: int) -> ControlProof:
        """One property, some outputs at a time: a bit of data needs few flip-flops each."""
        what, words = f"{self.core.name}: {name}", log(self.core, "control")
        cycles: list[int] = []
        outputs = self.outputs[name]
        groups = [outputs[at : at + _TOGETHER] for at in range(0, len(outputs), _TOGETHER)]
        quick, *others = (how.format(limit=limit, long=15 * limit) for how in _HOW)
        for group, status, frames in zip(groups, *self._solved(groups, quick), strict=True):
            for how in others:
                if status == -1:
                    (status,), (frames,) = self._solved([group], how)
            if status == -1:
                cycles.append(frames)
            if status == 0:
                raise HardwareError(f"{what}: broken in cycle {frames}: want {PROPERTIES[name]}")
        if cycles and min(cycles) < 1:
            raise HardwareError(f"{what}: not decided; {words} has ABC's words")
        return ControlProof(name, min(cycles) if cycles else None)

    def _solved(self, groups: Sequence[range], how: str) -> tuple[list[int], list[int]]:
        """Of each group of outputs the status, 0 for a counterexample, 1 for a proof, -1 for neither; and cycles."""
        first, last = groups[0].start, groups[-1].stop
        # Flip-flops of the same input are one.
        commands = [f"&read ready.aig; &cone -O {first} -R {last - first}; &scl; &put; write_aiger fewer.aig"]
        commands += [
            f"&read fewer.aig; &cone -O {group.start - first} -R {len(group)}; &put; orpos;"
            f" print_stats; sat; {how}; print_status"
            for group in groups
        ]
        what, words = f"{self.core.name}: control", log(self.core, "control")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "ready.aig").write_bytes(self.ready)
            (folder / "solve.abc").write_text("\n".join(commands) + "\n", encoding="utf-8")
            text = tools.run([abc(), "-f", "solve.abc"], folder, log=words, what=what, limit=7200)
        parts = [part for part in text.split("i/o =")[1:] if "Status = " in part]
        if len(parts) != len(groups):
            raise HardwareError(f"{what}: ABC ended early: {words} has its words")
        return [_status(part) for part in parts], [int(_STATUS.findall(part)[-1][1]) for part in parts]


def _status(text: str) -> int:
    # What does not depend on a flip-flop is not for model checking, but for one call of a solver.
    if "UNSATISFIABLE" in text:
        return 1
    return 0 if "SATISFIABLE" in text else int(_STATUS.findall(text)[-1][0])


@functools.lru_cache(2)
def _model(core: Core, chosen: tuple[tuple[str, str], ...]) -> _Model:
    """The core and its user, with what is in a flip-flop at power-up free."""
    parameters, formula, words = dict(chosen), of(core), log(core, "control")
    what = f"{core.name}: control"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "control.sv").write_text(_harness(core, parameters, formula), encoding="utf-8")
        models = spec.root() / "rtl/formal"
        files = (*core.files, models / "aead_protocol.sv", models / f"{_FUNCTION}.sv", folder / "control.sv")
        # Its parameters stand in the text.
        whole = replace(core, top=_TOP, files=files, parameters=())
        lines = commands(whole, {}, folder, (*KEPT, *_ROUNDS, _FUNCTION))
        lines += ["flatten", "opt_clean"]
        lines += [f"chtype -set {_EQUAL} t:$eq r:A_WIDTH>={_WIDE} %i"] if formula.interleaved == 1 else []
        lines += ["memory", "techmap", "async2sync", "opt -fast", "simplemap", "opt_expr", "clean"]
        yosys.run([*lines, "write_json control.json"], folder, words, what, 600)
        design = json.loads((folder / "control.json").read_text(encoding="utf-8"))
        module, bits = design["modules"][_TOP], _outputs(netlist(core, parameters))
        given = [name for name in netlist(core, parameters).inputs if name != "clk_i"]
        if formula.interleaved > 1:
            inputs = [f"u_core.{name}" for name in given]
            bits |= between_turns(module, _BETWEEN_TURNS, inputs, formula.interleaved)
        else:
            data = "u_core.out_data" if formula.rav else "out_data_o"
            stay(module, {_FUNCTION: ["data_o"], _EQUAL: ["Y"]}, [data], given)
        (folder / "stays.json").write_text(json.dumps(design), encoding="utf-8")
        lines = [
            "read_json stays.json",
            f"hierarchy -top {_TOP}",
            "cutpoint -blackbox",
            "dffunmap",
            "simplemap",
        ]
        lines += ["opt_expr", "setundef -anyseq", "clean -purge", "aigmap", "write_aiger control.aig"]
        yosys.run(lines, folder, words, what, 600)
        ready = "read_aiger control.aig; logic; undc; strash; write_aiger ready.aig"
        tools.run([abc(), "-c", ready], folder, log=words, what=what, limit=600)
        graph = (folder / "ready.aig").read_bytes()
    outputs, at = {}, 0
    for port, wide in bits.items():
        outputs[port.removesuffix("_o")] = range(at, at + wide)
        at += wide
    return _Model(core, graph, outputs)


def _harness(core: Core, parameters: Mapping[str, str], formula: AeadCycles) -> str:
    net = netlist(core, parameters)
    wide = {name: len(bits) for name, bits in {**net.inputs, **net.outputs}.items()}
    rate, sizes = formula.rate_bytes, range(_BLOCKS + 1)
    pairs = [(a, m) for a in sizes for m in sizes if a + m <= _BLOCKS]
    cycles = max(formula.own_cycles(a * rate, m * rate, d) for a, m in pairs for d in (False, True))
    slots = formula.interleaved
    choices = {
        "req": 1,
        "blk": 1,
        "out": 1,
        "rsp": 1,
        "ad": 2,
        "msg": 2,
        "decrypt": 1,
        "data": wide["blk_data_i"],
        "bytes": wide["blk_bytes_i"],
        "tag": wide["tag_i"],
        "slot": 2,
    }
    free = {f"choice_{name}_i": bits for name, bits in choices.items()}
    free |= {name: wide[name] for name in ("req_key_i", "req_nonce_i")}
    between = [name for name in wide if name not in ("clk_i", "req_key_i", "req_nonce_i", "slot_o")]
    # In the cycles of other messages the core is given anything.
    shared = [name for name in between if slots > 1 and name in net.inputs and name != "rst_ni"]
    free |= {f"other_{name}": wide[name] for name in shared}
    ports = ["input logic clk_i", *(f"input logic [{bits - 1}:0] {name}" for name, bits in free.items())]
    ports += [f"output logic [{bits - 1}:0] {name}" for name, bits in _outputs(net).items()]
    tag = wide["rsp_tag_o"]
    wires = [f"  logic [{wide[name] - 1}:0] {name};" for name in between]
    wires += ["  logic [1:0] slot_o;", "  logic turn;"]
    # A sum of nine flip-flops has hundreds of values that are to be told apart, and one enable.
    wires += [f"  logic [{tag - 1}:0] kept_tag;"]
    kept = f"{_FUNCTION} #(.Width({tag})) u_tag (.data_i(rsp_tag_o), .data_o(kept_tag))"
    wires += [f"  {kept};", "  assign slot_o = '0;"] if slots == 1 else ["  assign kept_tag = rsp_tag_o;"]
    pins = [f".{name}({f'turn ? {name} : other_{name}' if name in shared else name})" for name in wide]
    # The user's output is the core's input of the same name.
    user = [f".{_opposite(name)}({name})" for name in between if not name.startswith("rsp_long")]
    user += [".kept_tag_i(kept_tag)", ".slot_i(slot_o)", ".turn_o(turn)"]
    user += [f".{name}({name})" for name in (*list(free)[: len(choices)], "clk_i")]
    user += [f".{name}_o({name}_o)" for name in PROPERTIES]
    numbers = [f".{name}({number})" for name, number in core.numbers(parameters).items()]
    facts = [f".Rate({wide['blk_data_i']})", f".Bytes({wide['blk_bytes_i']})", f".Tag({wide['tag_i']})"]
    facts += [f".Cycles({cycles})", f".Rav({int(formula.rav)})", f".Slots({slots})"]
    return "\n".join(
        [
            _list(f"module {_TOP} (", ports, ");"),
            *wires,
            _list(f"  {core.top} #({', '.join(numbers)}) u_core (", pins, "  );"),
            _list(f"  aead_protocol #({', '.join(facts)}) u_user (", user, "  );"),
            "endmodule",
            "",
        ]
    )


def _outputs(net: BitNetlist) -> dict[str, int]:
    """Outputs of the model, one for each property, and their bits."""
    wide = {"data_moved": len(net.outputs["out_data_o"]), "tag_moved": len(net.outputs["rsp_tag_o"])}
    return {f"{name}_o": wide.get(name, 1) for name in PROPERTIES}


def _opposite(name: str) -> str:
    if name == "rst_ni":
        return "rst_no"
    return name[:-2] + ("_o" if name.endswith("_i") else "_i")


def _list(head: str, parts: Sequence[str], tail: str) -> str:
    return head + "\n    " + ",\n    ".join(parts) + "\n" + tail
