"""S-boxes, matrices and permutations of cells in SystemVerilog."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..errors import DescriptionError
from ..lower.circuits import LogicGate, circuit
from ..reference.components import CellPermutation, Matrix, Sbox
from .verilog_sums import shared
from .verilog_text import header, span, wrapped

SBOX_FORMS = {"table": 0, "circuit": 1}
MATRIX_FORMS = {"shallow": 0, "small": 1}


def rotation(permutation: CellPermutation) -> str:
    """``ror19`` for a rotation to the right by 19 bits."""
    by, size = permutation.to[0], len(permutation.to)
    rotated = all(to == (i + by) % size for i, to in enumerate(permutation.to))
    return f"ror{by * permutation.cell_bits}" if rotated and by else ""


def moved(permutation: CellPermutation, operand: str) -> str:
    """The cells of a word in another order, neighbours together."""
    c, n = permutation.cell_bits, len(permutation.to)
    source = [0] * n
    for i, to in enumerate(permutation.to):
        source[to] = i
    runs: list[list[int]] = []
    for cell in source:
        if runs and runs[-1][1] + 1 == cell:
            runs[-1][1] = cell
        else:
            runs.append([cell, cell])

    def part(first: int, last: int) -> str:
        high, low = c * (n - first) - 1, c * (n - 1 - last)
        return f"{operand}[{high}]" if high == low else f"{operand}[{high}:{low}]"

    return operand if len(runs) == 1 else "{" + ", ".join(part(*run) for run in runs) + "}"


def sbox_lines(module: str, box: Sbox) -> list[str]:
    """A table, or a small circuit of gates."""
    bits, size = box.bits, len(box.table)
    wide = -(-bits // 4)
    entries = [f"{bits}'h{x:0{wide}x}: data_o = {bits}'h{y:0{wide}x};" for x, y in enumerate(box.table)]
    table = ["    always_comb begin", "      case (data_i)"]
    table += [f"        {' '.join(entries[i : i + 4])}" for i in range(0, size, 4)]
    table += ["        default: data_o = '0;", "      endcase", "    end"]
    result = circuit(tuple(box.table))
    names = [f"data_i[{i}]" for i in range(bits)] + [f"t{i}" for i in range(len(result.gates))]
    sums = [(name, _gate(gate, names)) for name, gate in zip(names[bits:], result.gates, strict=True)]
    return _forms(module, "Sbox", bits, SBOX_FORMS, (table, _gates(sums, [names[i] for i in result.outputs])))


def _gates(gates: Sequence[tuple[str, str]], outputs: Sequence[str]) -> list[str]:
    """One process: a simulator that runs events computes every gate once when an input changes. As nets
    of their own they would pass on each other's glitches, more of them with every layer."""
    lines = wrapped(f"logic {', '.join(name for name, _ in gates)};", "    ", "    ") if gates else []
    lines += ["    always_comb begin", *(f"      {name} = {value};" for name, value in gates)]
    return [*lines, *wrapped(f"data_o = {{{', '.join(outputs[::-1])}}};", "      ", "    "), "    end"]


def _gate(gate: LogicGate, names: Sequence[str]) -> str:
    a = names[gate.a]
    if gate.op == "not":
        return f"~{a}"
    return {"xor": f"{a} ^ {{}}", "and": f"{a} & {{}}", "or": f"{a} | {{}}", "andnot": f"{a} & ~{{}}"}[
        gate.op
    ].format(names[gate.b])


def matrix_lines(module: str, matrix: Matrix, rows: Sequence[Sequence[int]]) -> list[str]:
    """Sums of two, of minimum depth or few of them."""
    bits = len(rows)
    bodies = []
    for shallow in (True, False):
        try:
            lines, outputs = shared(rows, bits, shallow=shallow)
        except DescriptionError as error:
            raise DescriptionError(f"matrix {matrix.name}: {error}") from None
        names = [f"data_i[{i}]" for i in range(bits)] + [f"t{i}" for i in range(len(lines))]
        sums = [(names[n], f"{names[a]} ^ {names[b]}") for n, a, b in lines]
        bodies.append(_gates(sums, [names[n] for n in outputs]))
    return _forms(module, "Mix", bits, MATRIX_FORMS, bodies)


def _forms(
    module: str, parameter: str, bits: int, forms: Mapping[str, int], bodies: Sequence[Sequence[str]]
) -> list[str]:
    """A module of one port in and one out, with a branch for each form."""
    ports = [f"input  logic {span(bits)}data_i", f"output logic {span(bits)}data_o"]
    lines = header(module, [f"int {parameter} = 0"], ports)
    for (name, number), body in zip(forms.items(), bodies, strict=True):
        start = "  if" if number == 0 else "  end else if"
        lines += [f"{start} ({parameter} == {number}) begin : gen_{name}", *body]
    return [
        *lines,
        "  end else begin : gen_unknown",
        "    assign data_o = '0;",
        "`ifndef SYNTHESIS",
        f'    initial $fatal(1, "{module}: {parameter}: want 0 to {len(forms) - 1}, got %0d", {parameter});',
        "`endif",
        "  end",
        "endmodule",
    ]
