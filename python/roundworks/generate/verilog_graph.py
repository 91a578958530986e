"""A recorded graph as SystemVerilog: modules for its S-boxes, matrices and units, and statements for
the words between them.

A word is a number here, as in the description: cell 0 is its highest bits. The order of its bytes in
memory is a matter of the core's ports.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..errors import DescriptionError
from ..reference.components import CellPermutation, Matrix, Sbox
from ..reference.graph import Graph, GraphUnit, Node
from ..reference.recordings import OPERATIONS, refusal
from .names import VERILOG_KEYWORDS
from .verilog_layers import matrix_lines, moved, rotation, sbox_lines
from .verilog_sums import bit_rows, tree
from .verilog_text import WIDTH, comment, commented, fitting, header, identifier, literal, span, wrapped


@dataclass(frozen=True, slots=True)
class GraphPart:
    """A module that others use. ``depth``: gates on its longest path, about."""

    module: str
    depth: int
    forms: tuple[str, ...]

    def instance(self, name: str, pins: Mapping[str, str], indent: str = "  ") -> list[str]:
        """The lines that instantiate the module under `name`, its parameters handed on."""
        forms = ", ".join(f".{form}({form})" for form in self.forms)
        head = f"{indent}{self.module}" + (f" #({forms})" if forms else "") + f" {name} ("
        listed = ", ".join(f".{pin}({wire})" for pin, wire in pins.items())
        if len(head) + len(listed) + 2 <= WIDTH:
            return [f"{head}{listed});"]
        return [head, *wrapped(listed, indent + "  "), f"{indent});"]


@dataclass
class CoreDesign:
    """The modules of one core. ``prefix``: of the name of each; ``source``: what is described."""

    prefix: str
    source: str
    files: dict[str, str] = field(default_factory=dict)
    forms: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Module -> the forms of parts it hands on, Sbox and Mix."""
    layers: dict[str, Sbox | Matrix] = field(default_factory=dict)
    """Module -> the layer that it is, of the smallest parts."""
    _parts: dict[object, GraphPart] = field(default_factory=dict)

    def add(self, module: str, about: str, lines: Sequence[str]) -> None:
        """A file of one module."""
        words = [f"// {line}" if line else "//" for text in about.split("\n") for line in comment(text)]
        body = [part for line in lines for part in fitting(line)]
        self.files[f"{module}.sv"] = "\n".join([*words, *body]) + "\n"

    def sbox(self, box: Sbox) -> GraphPart:
        """The module of this S-box, made at its first use."""

        def make(module: str) -> GraphPart:
            self.add(module, f"S-box {box.name} of {self.source}, on one cell.", sbox_lines(module, box))
            self.layers[module], self.forms[module] = box, ("Sbox",)
            return GraphPart(module, box.bits + box.bits // 2, ("Sbox",))

        return self._part(box, f"sbox_{identifier(box.name)}", make)

    def matrix(self, matrix: Matrix) -> GraphPart:
        """The module of this matrix, made at its first use."""

        def make(module: str) -> GraphPart:
            rows = bit_rows(matrix)
            about = (
                f"Matrix {matrix.name} of {self.source}, on {matrix.size} cells of {matrix.cell_bits}"
                " bits; cell 0 is the highest."
            )
            self.add(module, about, matrix_lines(module, matrix, rows))
            self.layers[module], self.forms[module] = matrix, ("Mix",)
            return GraphPart(module, max(len(row) - 1 for row in rows).bit_length(), ("Mix",))

        return self._part(matrix, f"matrix_{identifier(matrix.name)}", make)

    def unit(self, graph: Graph, unit: GraphUnit) -> tuple[GraphPart, list[int]]:
        """The module of a unit, and the words from outside that it takes, its input first."""
        nodes = [node for node in graph.nodes if node.unit == unit.id]
        inside = {node.id for node in nodes}
        outer = dict.fromkeys(i for node in nodes for i in node.inputs if i not in inside)
        given = list(dict.fromkeys([unit.input, *outer]))
        number = {node: i for i, node in enumerate(given)} | {
            node.id: len(given) + i for i, node in enumerate(nodes)
        }
        key = (
            unit.name,
            number[unit.output],
            len(given),
            tuple((n.op, tuple(number[i] for i in n.inputs), n.bits, n.detail) for n in nodes),
        )

        def make(module: str) -> GraphPart:
            names = ["data_i", *(f"word{i}_i" for i in range(1, len(given)))]
            body = Body(self, graph, dict(zip(given, names, strict=True)), [unit.output], inside=unit.id)
            body.assign("data_o", unit.output)
            bits = graph.nodes[unit.output].bits
            about = f"Unit {unit.name} of {self.source}, on one word."
            ports = [f"input  logic {span(bits)}{name}" for name in names]
            self.add(
                module,
                about,
                module_text(module, body.forms, [*ports, f"output logic {span(bits)}data_o"], body),
            )
            return GraphPart(module, body.depth[unit.output], body.forms)

        return self._part(key, identifier(unit.name), make), given

    def _part(self, key: object, name: str, make: object) -> GraphPart:
        if key not in self._parts:
            module, count = f"{self.prefix}_{name}", 2
            while f"{module}.sv" in self.files or module == self.prefix:
                module, count = f"{self.prefix}_{name}_{count}", count + 1
            self._parts[key] = make(module)  # type: ignore[operator]
        return self._parts[key]


class Body:
    """Statements that compute words of a graph from named ones.

    ``inputs``: node -> its name; ``arrival``: how late an input is, in gates.
    """

    def __init__(
        self,
        design: CoreDesign,
        graph: Graph,
        inputs: Mapping[int, str],
        roots: Sequence[int],
        *,
        inside: int | None = None,
        arrival: Mapping[int, int] | None = None,
    ) -> None:
        self.design, self.graph, self.inside = design, graph, inside
        self.names = dict(inputs)
        self.depth: dict[int, int] = {node: (arrival or {}).get(node, 0) for node in inputs}
        self.wires: dict[int, list[str]] = {}
        self.statements: list[str] = []
        self._forms: set[str] = set()
        self._taken = set(inputs.values())
        self._units: dict[int, tuple[GraphPart, list[int]]] = {}
        self._origins: dict[int, str] = {}
        self._sums: set[int] = set()
        self._uses = Counter(roots)
        seen: set[int] = set()
        todo = list(roots)
        while todo:
            node = todo.pop()
            if node in seen or node in self.names:
                continue
            seen.add(node)
            for i in self._inputs(node):
                self._uses[i] += 1
                todo.append(i)

    @property
    def forms(self) -> tuple[str, ...]:
        """Parameters that choose among circuits, of those that some layer has."""
        return tuple(form for form in ("Sbox", "Mix") if form in self._forms)

    def assign(self, target: str, node: int) -> None:
        """A statement that gives `target` the word."""
        depth, text, lines = self._expression(node)
        self.depth.setdefault(node, depth)
        self._statement(target, text, lines)

    def declarations(self) -> list[str]:
        """Of all wires so far."""
        return [
            line
            for bits, names in self.wires.items()
            for line in wrapped(f"logic {span(bits)}{', '.join(names)};", "  ", "    ")
        ]

    # -- words ---------------------------------------------------------------------------------
    def name(self, node: int) -> str:
        """The wire of a word, made where there is none."""
        if node not in self.names:
            result = self._node(node)
            if result.op == "const":
                self.depth[node] = 0
                assert isinstance(result.detail, int)
                return self._wire(node, f"c{node}", literal(result.detail, result.bits), [result.line])
            if self._is_unit(node):
                self._call(node)
            elif result.op in ("sub", "mix"):
                self._layer(result)
            elif result.op == "permute":
                self._permute(result)
            elif result.op in OPERATIONS:
                raise refusal(result, "code generation", "want XOR, AND, S-boxes, matrices and permutations")
            else:
                depth, text, lines = self._expression(node)
                self.depth[node] = depth
                self._wire(node, "t", text, lines)
        return self.names[node]

    def _expression(self, node: int) -> tuple[int, str, list[str]]:
        """Depth, text and lines of a word that need not have a wire."""
        if node in self.names or self._is_unit(node) or self._node(node).op not in ("xor", "and", "const"):
            name = self.name(node)
            return self.depth[node], name, []
        result = self._node(node)
        if result.op == "const":
            assert isinstance(result.detail, int)
            return 0, literal(result.detail, result.bits), [result.line]
        lines: dict[str, None] = {}
        if result.op == "and":
            depth, text = self._and(result, lines)
            return depth, text[1:-1], list(lines)
        constant, terms = self._terms(node, lines)
        full = (1 << result.bits) - 1
        listed = [*terms]
        if constant not in (0, full) or not listed:
            listed.append((0, literal(constant, result.bits)))
        depth, text = tree(listed)
        if constant == full and terms:
            return depth, f"~{text}", list(lines)
        return depth, text[1:-1] if text.startswith("(") and len(listed) > 1 else text, list(lines)

    def _terms(self, node: int, lines: dict[str, None]) -> tuple[int, list[tuple[int, str]]]:
        """The constant and the other terms of a sum."""
        constant, result = 0, list[tuple[int, str]]()
        for i in self._node(node).inputs:
            inner = self._node(i)
            lines[self._node(node).line] = None
            if i not in self.names and inner.op == "const" and isinstance(inner.detail, int):
                constant ^= inner.detail
            elif i not in self.names and inner.op == "xor" and self._uses[i] == 1 and not self._is_unit(i):
                more, terms = self._terms(i, lines)
                constant, result = constant ^ more, [*result, *terms]
            elif i not in self.names and inner.op == "and" and self._uses[i] == 1 and not self._is_unit(i):
                result += self._products(inner, lines)
            else:
                name = self.name(i)
                result.append((self.depth[i], name))
        return constant, result

    def _products(self, node: Node, lines: dict[str, None]) -> list[tuple[int, str]]:
        """An AND as one term of a sum; as two where one operand is a sum with one late term, so that
        the others need not wait for it."""
        for operand, mask in (node.inputs, node.inputs[::-1]):
            if (operand in self.names and operand not in self._sums) or mask not in self.names:
                continue
            if self.depth[mask] or self._node(operand).op != "xor" or self._is_unit(operand):
                continue
            constant, terms = self._terms(operand, lines)
            if constant or len(terms) < 2:
                continue
            *early, late = sorted(terms, key=lambda t: t[0])
            if late[0] < early[-1][0] + 3:
                continue
            masked = self.names[mask]
            depth, text = tree(early)
            return [(depth + 1, f"({text} & {masked})"), (late[0] + 1, f"({late[1]} & {masked})")]
        return [self._and(node, lines)]

    def _and(self, node: Node, lines: dict[str, None]) -> tuple[int, str]:
        lines[node.line] = None
        texts, most = [], 0
        for i in node.inputs:
            depth, text, more = self._expression(i) if self._uses[i] == 1 else (0, self.name(i), [])
            most = max(most, depth, self.depth.get(i, 0))
            lines |= dict.fromkeys(more)
            texts.append(f"({text})" if re.search(r" [\^&] ", text) and not text.startswith("~") else text)
        return most + 1, f"({' & '.join(texts)})"

    # -- layers --------------------------------------------------------------------------------
    def _call(self, node: int) -> None:
        unit = self.graph.units[self._node(node).unit or 0]
        part, given = self._units[node]
        operands = [self.name(i) for i in given]
        name = self._new(f"{identifier(unit.name)}_{_short(operands[0])}", self._node(node).bits)
        pins = {
            "data_i": operands[0],
            **{f"word{i}_i": w for i, w in enumerate(operands) if i},
            "data_o": name,
        }
        self.statements += part.instance(f"u_{name}", pins)
        self._forms |= set(part.forms)
        self.names[node] = name
        self.depth[node] = part.depth + max(self.depth[i] for i in given)

    def _layer(self, node: Node) -> None:
        """A loop over cells, or over groups of cells."""
        (source,) = node.inputs
        assert isinstance(node.detail, Sbox | Matrix)
        if isinstance(node.detail, Sbox):
            part, wide, verb = self.design.sbox(node.detail), node.detail.bits, "sub"
        else:
            part, wide = self.design.matrix(node.detail), node.detail.size * node.detail.cell_bits
            verb = "mix"
        operand = self.name(source)
        name = self._new(self._after(verb, source, node.id), node.bits)
        pins = {"data_i": f"{operand}[{wide}*i+:{wide}]", "data_o": f"{name}[{wide}*i+:{wide}]"}
        if wide == node.bits:
            self.statements += part.instance(f"u_{name}", {"data_i": operand, "data_o": name})
        else:
            self.statements += [
                f"  for (genvar i = 0; i < {node.bits // wide}; i++) begin : gen_{name}  // {node.line}",
                *part.instance("u_cell" if verb == "sub" else "u_group", pins, "    "),
                "  end",
            ]
        self._forms |= set(part.forms)
        self.names[node.id] = name
        self.depth[node.id] = self.depth[source] + part.depth

    def _permute(self, node: Node) -> None:
        (source,) = node.inputs
        assert isinstance(node.detail, CellPermutation)
        operand = self.name(source)
        text = moved(node.detail, operand)
        self.depth[node.id] = self.depth[source]
        verb = rotation(node.detail) or identifier(node.detail.name)
        self._wire(node.id, self._after(verb, source, node.id), text, [node.line])

    def _after(self, verb: str, source: int, node: int) -> str:
        """The name of what a layer makes: of the layer, and of the word that the first of them took."""
        origin = self._origins.get(source, _short(self.names[source]))
        self._origins[node] = origin
        return verb if origin == "data_i" else f"{verb}_{origin}"

    # -- wires ---------------------------------------------------------------------------------
    def _wire(self, node: int, name: str, text: str, lines: Sequence[str]) -> str:
        result = self._new(name, self._node(node).bits)
        if self._node(node).op == "xor":
            self._sums.add(node)
        self.names[node] = result
        self._statement(result, text, lines)
        return result

    def _new(self, name: str, bits: int) -> str:
        """A wire with that name, or with a number behind it."""
        result, count = name if name != "t" else "t0", 1
        while result in self._taken or result in VERILOG_KEYWORDS:
            result = f"t{count}" if name == "t" else f"{name}_{count}"
            count += 1
        self._taken.add(result)
        self.wires.setdefault(bits, []).append(result)
        return result

    def _statement(self, target: str, text: str, lines: Sequence[str]) -> None:
        self.statements += commented(f"assign {target} = {text};", lines)

    # -- the graph -----------------------------------------------------------------------------
    def _node(self, node: int) -> Node:
        return self.graph.nodes[node]

    def _is_unit(self, node: int) -> bool:
        """Whether it is what a unit gives, seen from outside."""
        unit = self._node(node).unit
        return unit is not None and unit != self.inside

    def _inputs(self, node: int) -> Iterable[int]:
        if not self._is_unit(node):
            return self._node(node).inputs
        if node not in self._units:
            unit = self.graph.units[self._node(node).unit or 0]
            if unit.output != node:
                raise DescriptionError(f"unit {unit.name}: {self._node(node).line}: a word leaves it early")
            self._units[node] = self.design.unit(self.graph, unit)
        return self._units[node][1]


def module_text(
    module: str, forms: Iterable[str], ports: Sequence[str], body: Body, first: Sequence[str] | None = None
) -> list[str]:
    """A module of ports and a body; `first` stands for its declarations."""
    if first is None:
        first = [*body.declarations(), ""] if body.wires else []
    parameters = [f"int {form} = 0" for form in forms]
    return [*header(module, parameters, ports), *first, *body.statements, "endmodule"]


def _short(operand: str) -> str:
    """``s[3]`` -> ``s3``."""
    return re.sub(r"\W+", "", operand)
