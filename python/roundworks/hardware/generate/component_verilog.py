"""S-boxes, matrices and functions made of them as SystemVerilog, written from their descriptions.

Cell i of a port is bits ``[c*i+c-1:c*i]`` for cells of c bits, as byte i is everywhere; a word of an
inner function goes by bytes, its first cell in the high bits of byte 0. Every part has two forms,
which a parameter chooses:

- an S-box: a table, or a decoder to one line for each entry and an encoder behind it;
- a matrix: every output a tree of its own, or trees that share what greedy search finds.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ...errors import DescriptionError
from ...reference.components import CellPermutation, Matrix, Sbox

SBOX_FORMS: Mapping[str, int] = {"table": 0, "dse": 1}
MATRIX_FORMS: Mapping[str, int] = {"plain": 0, "shared": 1}
Layer = Sbox | Matrix | CellPermutation
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Xors:
    """A linear map as sums of two: lines (new wire, wire, wire), numbered behind the inputs.

    ``outputs``: the wires that are it; ``width`` bits each.
    """

    width: int
    inputs: int
    lines: tuple[tuple[int, int, int], ...]
    outputs: tuple[int, ...]


def sums(matrix: Matrix) -> tuple[int, list[list[int]]]:
    """Width of a wire, and for every output the inputs it adds up: cells, or bits in a field."""
    if not matrix.polynomial:
        return matrix.cell_bits, [[j for j, x in enumerate(row) if x] for row in matrix.rows]
    c, n = matrix.cell_bits, matrix.size
    rows: list[list[int]] = [[] for _ in range(c * n)]
    for j in range(c * n):
        cells = [0] * n
        cells[j // c] = 1 << j % c
        for i, cell in enumerate(matrix.apply(cells)):
            for bit in range(c):
                if cell >> bit & 1:
                    rows[c * i + bit].append(j)
    return 1, rows


def shared(matrix: Matrix) -> Xors:
    """The pair that most sums have in common becomes a wire, again and again. [PAAR]"""
    width, rows = sums(matrix)
    count = matrix.size * matrix.cell_bits // width
    left = [set(row) for row in rows]
    lines: list[tuple[int, int, int]] = []
    while any(len(row) > 1 for row in left):
        pairs = Counter(pair for row in left for pair in combinations(sorted(row), 2))
        a, b = min(pairs, key=lambda pair: (-pairs[pair], pair))
        wire = count + len(lines)
        lines.append((wire, a, b))
        for row in left:
            if a in row and b in row:
                row -= {a, b}
                row.add(wire)
    if not all(left):
        raise DescriptionError(f"matrix {matrix.name}: row {left.index(set())}: want an entry, got none")
    return Xors(width, count, tuple(lines), tuple(row.pop() for row in left))


def tree(terms: Sequence[str]) -> str:
    """A sum no deeper than it must be: a tool keeps the shape of a chain of XORs."""
    if len(terms) == 1:
        return terms[0]
    half = len(terms) // 2
    return f"({tree(terms[:half])} ^ {tree(terms[half:])})"


def sbox_verilog(module: str, about: str, sbox: Sbox) -> str:
    """A module with the S-box as a table and as a decoder, a switch and an encoder."""
    bits, size = sbox.bits, len(sbox.table)
    entries = [f"{bits}'d{x}: data_o = {bits}'d{y};" for x, y in enumerate(sbox.table)]
    low, high = bits // 2, bits - bits // 2
    masks = [sum(1 << x for x, y in enumerate(sbox.table) if y >> bit & 1) for bit in range(bits)]
    table = ["    always_comb begin", "      case (data_i)"]
    table += [f"        {' '.join(entries[i : i + 3])}" for i in range(0, size, 3)]
    table += ["        default: data_o = '0;", "      endcase", "    end"]
    dse = [
        f"    logic [{(1 << low) - 1}:0] low;",
        f"    logic [{(1 << high) - 1}:0] high;",
        f"    logic [{size - 1}:0] hot;",
        *_loop("low", 1 << low, f"low[i] = data_i[{low - 1}:0] == {low}'(i)"),
        *_loop("high", 1 << high, f"high[i] = data_i[{bits - 1}:{low}] == {high}'(i)"),
        *_loop("hot", size, f"hot[i] = low[i%{1 << low}] & high[i/{1 << low}]"),
        *(
            line
            for b, mask in enumerate(masks)
            for line in _assign(f"data_o[{b}]", f"|(hot & {size}'h{mask:0{size // 4}x})")
        ),
    ]
    return _forms(module, about, bits, bits, SBOX_FORMS, (table, dse))


def matrix_verilog(module: str, about: str, matrix: Matrix) -> str:
    """A module with the matrix as shared sums of two."""
    width, rows = sums(matrix)
    bits = matrix.size * matrix.cell_bits
    program = shared(matrix)

    def cell(port: str, i: int) -> str:
        return f"{port}[{width * i}]" if width == 1 else f"{port}[{width * i + width - 1}:{width * i}]"

    def wire(i: int) -> str:
        return f"x{i}" if i < program.inputs else f"t{i - program.inputs}"

    plain = []
    for i, row in enumerate(rows):
        plain += _assign(cell("data_o", i), tree([wire(j) for j in row]))
    span = "" if width == 1 else f"[{width - 1}:0] "

    def declared(names: list[str], indent: str) -> list[str]:
        return textwrap.wrap(
            f"logic {span}{', '.join(names)};",
            _WIDTH,
            initial_indent=indent,
            subsequent_indent=indent + "    ",
        )

    # Named once: an event simulator looks at every slice of a port whenever one of its bits moves.
    inputs = declared([wire(i) for i in range(program.inputs)], "  ")
    inputs += [f"  assign {wire(i)} = {cell('data_i', i)};" for i in range(program.inputs)]
    sharing = declared([wire(line[0]) for line in program.lines], "    ") if program.lines else []
    sharing += [f"    assign {wire(n)} = {wire(a)} ^ {wire(b)};" for n, a, b in program.lines]
    sharing += [f"    assign {cell('data_o', i)} = {wire(n)};" for i, n in enumerate(program.outputs)]
    return _forms(module, about, bits, bits, MATRIX_FORMS, (plain, sharing), inputs)


def function_verilog(
    module: str, about: str, layers: Sequence[Layer], names: Mapping[Layer, str], bits: int
) -> str:
    """Layers one after another on a word; ``names`` are those of the modules of its parts."""
    c = cell_bits(layers)
    cells = bits // c
    # Cells of less than a byte: the first is its high bits.
    turn = f"i^{8 // c - 1}" if c < 8 else "i"
    lines = [
        f"  // Cell i of the word; x0 is the input, x{len(layers)} the output.",
        f"  logic [{bits - 1}:0] {', '.join(f'x{i}' for i in range(len(layers) + 1))};",
        f"  for (genvar i = 0; i < {cells}; i++) begin : gen_cell",
        f"    assign x0[{c}*i+:{c}] = data_i[{c}*({turn})+:{c}];",
        f"    assign data_o[{c}*({turn})+:{c}] = x{len(layers)}[{c}*i+:{c}];",
        "  end",
    ]
    for number, layer in enumerate(layers):
        now, after = f"x{number}", f"x{number + 1}"
        if isinstance(layer, CellPermutation):
            lines += [
                f"  assign {after}[{c * to + c - 1}:{c * to}] = {now}[{c * i + c - 1}:{c * i}];"
                for i, to in enumerate(layer.to)
            ]
            continue
        wide = c if isinstance(layer, Sbox) else c * layer.size
        form = "Sbox" if isinstance(layer, Sbox) else "Mix"
        lines += [
            f"  for (genvar i = 0; i < {bits // wide}; i++) begin : gen_layer_{number}",
            f"    {names[layer]} #(.Form({form})) u_part (",
            f"      .data_i({now}[{wide}*i+:{wide}]), .data_o({after}[{wide}*i+:{wide}])",
            "    );",
            "  end",
        ]
    return "\n".join([*_head(module, about, bits, bits, ("Sbox", "Mix")), *lines, "endmodule"]) + "\n"


def cell_bits(layers: Sequence[Layer]) -> int:
    """The width of a cell, which must be the same for all."""
    widths = {layer.bits if isinstance(layer, Sbox) else layer.cell_bits for layer in layers}
    if len(widths) != 1:
        raise DescriptionError(f"layers: want cells of one width, got {sorted(widths)}")
    return widths.pop()


def _loop(name: str, count: int, assignment: str) -> list[str]:
    return [
        f"    for (genvar i = 0; i < {count}; i++) begin : gen_{name}_line",
        f"      assign {assignment};",
        "    end",
    ]


def _assign(to: str, what: str) -> list[str]:
    bare = what[1:-1] if what.startswith("(") else what
    return textwrap.wrap(
        f"assign {to} = {bare};", _WIDTH, initial_indent="    ", subsequent_indent="        "
    )


def _head(module: str, about: str, wide_in: int, wide_out: int, names: Sequence[str]) -> list[str]:
    about += " Written by roundworks.hardware.component_verilog; change that."
    return [
        *(f"// {line}" for line in textwrap.wrap(about, _WIDTH - 3)),
        f"module {module} #(",
        ",\n".join(f"  parameter int {name} = 0" for name in names),
        ") (",
        f"  input  logic [{wide_in - 1}:0] data_i,",
        f"  output logic [{wide_out - 1}:0] data_o",
        ");",
    ]


def _forms(
    module: str,
    about: str,
    wide_in: int,
    wide_out: int,
    forms: Mapping[str, int],
    bodies: Sequence[Sequence[str]],
    first: Sequence[str] = (),
) -> str:
    """One module with a branch for each form."""
    lines = _head(module, about, wide_in, wide_out, ("Form",))
    lines += first
    for (name, number), body in zip(forms.items(), bodies, strict=True):
        start = "  if" if number == 0 else "  end else if"
        lines += [f"{start} (Form == {number}) begin : gen_{name}", *body]
    last = max(forms.values())
    lines += [
        "  end else begin : gen_unknown",
        "    assign data_o = '0;",
        "`ifndef SYNTHESIS",
        f'    initial $fatal(1, "{module}: Form: want 0 to {last}, got %0d", Form);',
        "`endif",
        "  end",
        "endmodule",
    ]
    return "\n".join(lines) + "\n"
