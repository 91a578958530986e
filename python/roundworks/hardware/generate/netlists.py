"""The netlists of ``spec/netlists`` as SystemVerilog: ``python -m roundworks.hardware.generate.netlists``
writes ``rtl/aes`` again, and a test says when that is due."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from pathlib import Path

from ... import spec
from ...reference.aes import MIX_COLUMNS
from ...spec import Gate, Netlist
from . import files

_OPERATIONS: Mapping[str, Callable[..., int]] = {
    "XOR": lambda a, b: a ^ b,
    "XNOR": lambda a, b: ~(a ^ b),
    "AND": lambda a, b: a & b,
    "NAND": lambda a, b: ~(a & b),
    "OR": lambda a, b: a | b,
    "NOR": lambda a, b: ~(a | b),
    "NOT": lambda a: ~a,
    "MUX": lambda s, a, b: s & a | ~s & b,
}
_VERILOG = {
    "XOR": "{} ^ {}",
    "XNOR": "~({} ^ {})",
    "AND": "{} & {}",
    "NAND": "~({} & {})",
    "OR": "{} | {}",
    "NOR": "~({} | {})",
    "NOT": "~{}",
    "MUX": "{} ? {} : {}",
}
_WIDTH = 100
# The input of the inversion in GF(2^4), least significant first.
_WAIST = ("X0", "X1", "X2", "X3")


def evaluate(netlist: Netlist, inputs: Sequence[int]) -> list[int]:
    """The outputs, least significant first; bit i of every integer belongs to point i.

    An inverting gate sets the bits above the last point too; mask the result.
    """
    wires = {"0": 0, "1": -1, **dict(zip(netlist.inputs, inputs, strict=True))}
    for gate in netlist.gates:
        wires[gate.out] = _OPERATIONS[gate.op](*(wires[name] for name in gate.inputs))
    return [wires[name] for name in netlist.outputs]


def table(netlist: Netlist) -> tuple[int, ...]:
    """All values of a netlist with few inputs."""
    bits = len(netlist.inputs)
    points = range(1 << bits)
    columns = [sum((x >> bit & 1) << x for x in points) for bit in range(bits)]
    outputs = evaluate(netlist, columns)
    return tuple(sum((out >> x & 1) << bit for bit, out in enumerate(outputs)) for x in points)


def gate_counts(netlist: Netlist) -> dict[str, int]:
    """Operation -> how many gates."""
    return dict(Counter(gate.op for gate in netlist.gates))


def depth(netlist: Netlist) -> int:
    """Gates on the longest path, each counted once whatever it is."""
    at = dict.fromkeys((*netlist.inputs, "0", "1"), 0)
    for gate in netlist.gates:
        at[gate.out] = 1 + max(at[name] for name in gate.inputs)
    return max(at[name] for name in netlist.outputs)


def module_name(netlist: Netlist) -> str:
    """The netlist's name as an identifier."""
    return netlist.name.replace("-", "_")


def system_verilog(netlist: Netlist) -> str:
    """One module, one assignment for each gate, under the names of the published text."""
    high, names = len(netlist.inputs) - 1, _names(netlist)
    counts = ", ".join(f"{n} {op}" for op, n in sorted(gate_counts(netlist).items()))
    return _module(
        module_name(netlist),
        f"{netlist.title}: {counts}; depth {depth(netlist)}.",
        netlist,
        [f"input  logic [{high}:0] data_i", f"output logic [{high}:0] data_o"],
        netlist.gates,
        names,
        [f"  assign data_o[{bit}] = {names[name]};" for bit, name in enumerate(netlist.outputs)],
    )


def _names(netlist: Netlist) -> dict[str, str]:
    ports = {name: f"data_i[{bit}]" for bit, name in enumerate(netlist.inputs)}
    return {**{g.out: g.out for g in netlist.gates}, **ports, "0": "1'b0", "1": "1'b1"}


def _module(
    module: str,
    title: str,
    netlist: Netlist,
    ports: Sequence[str],
    gates: Sequence[Gate],
    names: Mapping[str, str],
    assigned: Sequence[str],
) -> str:
    about = (
        f"{title} [{'] ['.join(netlist.citations)}]"
        f" Written by roundworks.hardware.generate.netlists from spec/netlists/{netlist.name}.toml; change that."
    )
    wires = ", ".join(gate.out for gate in gates)
    lines = [
        *(f"// {line}" for line in textwrap.wrap(about, _WIDTH - 3)),
        f"module {module} (",
        *(f"  {port}," for port in ports[:-1]),
        f"  {ports[-1]}",
        ");",
        *textwrap.wrap(wires + ";", _WIDTH, initial_indent="  logic ", subsequent_indent="      "),
        "",
        *(f"  assign {g.out} = {_VERILOG[g.op].format(*(names[name] for name in g.inputs))};" for g in gates),
        "",
        *assigned,
        "endmodule",
    ]
    return "\n".join(lines) + "\n"


def halves() -> dict[str, str]:
    """File name -> text of the S-box of Maximov and Ekdahl, fast, cut where a register costs the minimum: at the
    four bits whose inverse in GF(2^4) it takes. The second half has the input, too."""
    netlist = spec.netlist("aes-sbox-maximov-ekdahl-fast")
    waist = {name: f"waist_i[{bit}]" for bit, name in enumerate(_WAIST)}
    data, high = "input  logic [7:0] data_i", len(_WAIST) - 1

    def half(
        module: str, title: str, ports: list[str], ends: Sequence[str], out: str, given: Mapping[str, str]
    ) -> str:
        names = {**_names(netlist), **given}
        joined = ", ".join(names[name] for name in reversed(ends))
        gates = _needed(netlist, ends, given)
        return _module(module, title, netlist, ports, gates, names, [f"  assign {out} = {{{joined}}};"])

    return {
        "aes_sbox_front.sv": half(
            "aes_sbox_front",
            f"The front of the S-box of {netlist.title}: from a byte to the four bits whose inverse in GF(2^4) the"
            " back needs.",
            [data, f"output logic [{high}:0] waist_o"],
            _WAIST,
            "waist_o",
            {},
        ),
        "aes_sbox_back.sv": half(
            "aes_sbox_back",
            f"The back of the S-box of {netlist.title}: from a byte and what aes_sbox_front made of it to the S-box's"
            " value.",
            [data, f"input  logic [{high}:0] waist_i", "output logic [7:0] data_o"],
            netlist.outputs,
            "data_o",
            waist,
        ),
    }


def _needed(netlist: Netlist, ends: Sequence[str], given: Container[str]) -> list[Gate]:
    """The gates that `ends` depend on, in their order, without what is `given`."""
    wanted, kept = set(ends), []
    for gate in reversed(netlist.gates):
        if gate.out in wanted and gate.out not in given:
            wanted.update(gate.inputs)
            kept.append(gate)
    return kept[::-1]


def table_verilog(module: str, title: str, values: Sequence[int], bits: int = 8) -> str:
    """A table of a byte's values as one `case`; ``bits`` is the width of an entry."""
    digits, each = bits // 4, 32 // bits
    entries = [f"8'h{x:02x}: data_o = {bits}'h{y:0{digits}x};" for x, y in enumerate(values)]
    lines = [
        f"// {title} [FIPS197, section 5]",
        "// Written by roundworks.hardware.generate.netlists; change that.",
        f"module {module} (",
        "  input  logic [7:0] data_i,",
        f"  output logic [{bits - 1}:0] data_o",
        ");",
        "  always_comb begin",
        "    case (data_i)",
        *("      " + " ".join(entries[i : i + each]) for i in range(0, 256, each)),
        f"      default: data_o = {bits}'h{0:0{digits}x};",
        "    endcase",
        "  end",
        "endmodule",
    ]
    return "\n".join(lines) + "\n"


def sources() -> dict[str, str]:
    """File name -> text of every generated file of ``rtl/aes``."""
    forward = spec.sboxes()["aes"].table
    inverse = [forward.index(x) for x in range(256)]
    texts = {f"{module_name(n)}.sv": system_verilog(n) for n in spec.netlists().values()}
    texts |= halves()
    texts["aes_sbox_lut.sv"] = table_verilog("aes_sbox_lut", "The S-box of AES as a table.", forward)
    texts["aes_inv_sbox_lut.sv"] = table_verilog(
        "aes_inv_sbox_lut", "The inverse S-box of AES as a table.", inverse
    )
    texts["aes_t_table.sv"] = table_verilog(
        "aes_t_table",
        "The S-box of AES in bits 7..0, 2 and 3 times that above it.",
        [sum(MIX_COLUMNS.times(n, y) << 8 * (n - 1) for n in (1, 2, 3)) for y in forward],
        24,
    )
    return texts


def write(folder: Path | None = None) -> list[Path]:
    """Write every generated file whose text has changed; those files."""
    return files.write(sources(), folder or "rtl/aes")


if __name__ == "__main__":
    files.main(write)
