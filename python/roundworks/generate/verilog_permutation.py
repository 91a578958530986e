"""A permutation as a core: some of its rounds in a cycle, ready and valid on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..reference import Permutation, Recording
from ..reference.graph import Graph, NodeWord
from . import names
from .verilog_graph import Body, CoreDesign, module_text
from .verilog_rounds import Indexed, of_permutation
from .verilog_text import header, literal, wrapped


def permutation(it: Permutation[Any]) -> tuple[CoreDesign, Indexed]:
    """Files of the core, and what its rounds are."""
    design, rounds = CoreDesign(names.identifier(it.name, "verilog"), it.name), of_permutation(it)
    _package(design, it, rounds)
    for v, variant in enumerate(rounds.variants):
        _round(design, it, rounds, variant, v)
    _step(design, it, rounds)
    _core(design, it, rounds)
    return design, rounds


def words_function(word_bytes: int, size: int, indent: str = "  ") -> list[str]:
    """Bytes of a port as words that are numbers, or back: byte 0 is the first in memory, and the
    highest of a word."""
    bits = 8 * size
    return [
        f"{indent}// Bytes of a port to words, or back: the first byte of a word in memory is its highest.",
        f"{indent}function automatic logic [{bits - 1}:0] words_{bits}(input logic [{bits - 1}:0] bytes);",
        f"{indent}  logic [{bits - 1}:0] w;",
        f"{indent}  for (int i = 0; i < {size}; i++) begin",
        f"{indent}    w[8*i+:8] = bytes[8*({word_bytes}*(i/{word_bytes})+{word_bytes - 1}-i%{word_bytes})+:8];",
        f"{indent}  end",
        f"{indent}  return w;",
        f"{indent}endfunction",
    ]


def constants_function(rounds: Indexed, bits: int, width: int) -> list[str]:
    """The constants of a round, C0 in the low bits; zeros past the last round."""
    whole = rounds.operands * bits
    lines = [
        "  // What round `number` adds, C0 in the low bits; zero past the last.",
        f"  function automatic logic [{whole - 1}:0] constants(input logic [{width - 1}:0] number);",
        "    case (number)",
    ]
    for i, values in enumerate(rounds.constants):
        words = ", ".join(literal(value, bits) for value in values[::-1])
        lines += wrapped(f"{width}'d{i}: return {{{words}}};", "      ", "    ")
    return [*lines, "      default: return '0;", "    endcase", "  endfunction"]


def round_module(
    design: CoreDesign, module: str, about: str, recording: Recording, letters: Sequence[tuple[str, str, int]]
) -> None:
    """A module of a recorded round: ports of words for each of `letters`, (letter, port, words)."""
    graph = recording.graph
    names = {n: f"{name[0].lower()}[{name[1:]}]" for name, n in recording.inputs.items()}
    outputs = [recording.outputs[f"S'{i}"] for i in range(sum(n.startswith("S'") for n in recording.outputs))]
    body = Body(design, graph, names, outputs)
    for i, node in enumerate(outputs):
        body.assign(f"state[{i}]", node)
    bits = graph.nodes[outputs[0]].bits
    ports, first = [], []
    for letter, port, count in letters:
        ports.append(f"input  logic [{bits * count - 1}:0] {port}")
        first += [f"  logic [{count - 1}:0][{bits - 1}:0] {letter};"]
    ports.append(f"output logic [{bits * len(outputs) - 1}:0] state_o")
    first += [f"  logic [{len(outputs) - 1}:0][{bits - 1}:0] state;", *body.declarations(), ""]
    first += [f"  assign {letter} = {port};" for letter, port, _ in letters]
    first += ["  assign state_o = state;"]
    design.add(module, about, module_text(module, body.forms, ports, body, first))
    design.forms[module] = body.forms


def _package(design: CoreDesign, it: Permutation[Any], rounds: Indexed) -> None:
    width = it.rounds.bit_length()
    lines = [f"package {design.prefix}_pkg;", ""]
    lines += words_function(it.word_bytes, it.words * it.word_bytes)
    if rounds.operands:
        lines += ["", *constants_function(rounds, it.word_bits, width)]
    if len(rounds.variants) > 1:
        lines += ["", "  // Which circuit round `number` is."]
        kind = max(1, (len(rounds.variants) - 1).bit_length())
        lines += [
            f"  function automatic logic [{kind - 1}:0] variant(input logic [{width - 1}:0] number);",
            "    case (number)",
            *(f"      {width}'d{i}: return {kind}'d{v};" for i, v in enumerate(rounds.which) if v),
            f"      default: return {kind}'d0;",
            "    endcase",
            "  endfunction",
        ]
    design.add(
        f"{design.prefix}_pkg",
        f"What the modules of {it.name} share. State word S_i is bits [{it.word_bits}*i+:{it.word_bits}].",
        [*lines, "", "endpackage"],
    )


def _round(design: CoreDesign, it: Permutation[Any], rounds: Indexed, variant: Recording, v: int) -> None:
    several = len(rounds.variants) > 1
    about = f"A round of {it.name}"
    if several:
        steps = [str(i) for i, w in enumerate(rounds.which) if w == v]
        about += f": round {', '.join(steps)}"
    about += ". Combinational."
    if rounds.order != tuple(range(it.words)):
        about += (
            f"\nIts words are rotated in place: before round i, S_m is word {list(rounds.order)}^-i (m) of the"
            " state, so that all rounds are one circuit."
        )
    letters = [("s", "state_i", it.words)]
    if any(name.startswith("C") for name in variant.inputs):
        letters.append(("c", "constants_i", rounds.operands))
    round_module(design, f"{design.prefix}_round{v if several else ''}", about, variant, letters)


def _step(design: CoreDesign, it: Permutation[Any], rounds: Indexed) -> None:
    """Round `number`, whichever circuit it is."""
    bits, width, name = it.words * it.word_bits, it.rounds.bit_length(), design.prefix
    several = len(rounds.variants) > 1
    modules = [f"{name}_round{v if several else ''}" for v in range(len(rounds.variants))]
    forms = tuple(f for f in ("Sbox", "Mix") if any(f in design.forms[m] for m in modules))
    lines = header(
        f"{name}_step",
        [f"int {form} = 0" for form in forms],
        [
            f"input  logic [{bits - 1}:0] state_i",
            f"input  logic [{width - 1}:0] number_i",
            f"output logic [{bits - 1}:0] state_o",
        ],
    )
    if rounds.operands:
        lines += [f"  logic [{rounds.operands * it.word_bits - 1}:0] constants;"]
    if several:
        lines += [f"  logic [{len(modules) - 1}:0][{bits - 1}:0] state;"]
    if rounds.operands:
        lines += ["", f"  assign constants = {name}_pkg::constants(number_i);"]
    else:
        lines += [""]
    for v, (module, variant) in enumerate(zip(modules, rounds.variants, strict=True)):
        own = ", ".join(f".{form}({form})" for form in design.forms[module])
        head = f"  {module}" + (f" #({own})" if own else "") + f" u_round{v if several else ''} ("
        pins = ".state_i" + (
            ", .constants_i(constants)" if any(n.startswith("C") for n in variant.inputs) else ""
        )
        lines += [head, f"    {pins}, .state_o({f'state[{v}]' if several else ''})".replace("()", ""), "  );"]
    if several:
        lines += [f"  assign state_o = state[{name}_pkg::variant(number_i)];"]
    if not rounds.operands and not several:
        lines += ["", "  logic unused;", "  assign unused = ^number_i;"]
    design.add(f"{name}_step", f"Round number_i of {it.name}. Combinational.", [*lines, "endmodule"])
    design.forms[f"{name}_step"] = forms


def _core(design: CoreDesign, it: Permutation[Any], rounds: Indexed) -> None:
    size, width, name = it.words * it.word_bytes, it.rounds.bit_length(), design.prefix
    bits, forms = 8 * size, design.forms[f"{name}_step"]
    given = ", ".join(f".{form}({form})" for form in forms)
    ports = [
        "input  logic clk_i",
        "input  logic rst_ni",
        "input  logic req_valid_i",
        "output logic req_ready_o",
        f"input  logic [{bits - 1}:0] req_data_i  // byte i is bits [8*i+7:8*i]",
        "output logic rsp_valid_o",
        "input  logic rsp_ready_i",
        f"output logic [{bits - 1}:0] rsp_data_o",
    ]
    parameters = [f"int {form} = 0" for form in forms] + [f"int Rounds = 1  // in a cycle, 1 to {it.rounds}"]
    first = _first(design, it)
    places = rounds.places(it.rounds)
    word = it.word_bits
    if places == list(range(it.words)):
        output = "state_q"
    else:
        output = "{" + ", ".join(f"state_q[{word * p}+:{word}]" for p in places[::-1]) + "}"
    design.add(
        name,
        f"{it.name}: {it.rounds} rounds of {it.words} words of {word} bits, Rounds of them in a cycle."
        " Written by `roundworks generate --to verilog`.\n"
        f"A block takes ceil({it.rounds} / Rounds) cycles, one before them to load it and one behind them"
        " in which it is taken; the next is loaded in that cycle. The state stays until then.",
        [
            *header(name, parameters, ports),
            f"  localparam int Total = {it.rounds};",
            "  localparam int Rest = (Total - 1) % Rounds + 1;  // rounds of the last cycle",
            f"  localparam int Width = {width};",
            "",
            f"  logic [{bits - 1}:0] start, state_q, state_d, last;",
            "  logic [Width-1:0] number_q;",
            "  logic load, run_q, done_q, at_end;",
            "",
            "  assign req_ready_o = ~run_q & (~done_q | rsp_ready_i);",
            "  assign load = req_valid_i & req_ready_o;",
            "  assign at_end = number_q == Width'(Total - Rest);",
            "  assign rsp_valid_o = done_q;",
            *first,
            "",
            "  for (genvar i = 0; i < Rounds; i++) begin : gen_round",
            f"    logic [{bits - 1}:0] from, to;",
            "    if (i == 0) begin : gen_first",
            "      assign from = state_q;",
            "    end else begin : gen_follow",
            "      assign from = gen_round[i-1].to;",
            "    end",
            f"    {name}_step" + (f" #({given})" if given else "") + " u_step (",
            "      .state_i(from), .number_i(number_q + Width'(i)), .state_o(to)",
            "    );",
            "  end",
            "  assign last = gen_round[Rest-1].to;",
            "  assign state_d = at_end ? last : gen_round[Rounds-1].to;",
            "",
            "  always_ff @(posedge clk_i or negedge rst_ni) begin",
            "    if (!rst_ni) begin",
            "      run_q <= 1'b0;",
            "      done_q <= 1'b0;",
            "    end else begin",
            "      run_q <= load | (run_q & ~at_end);",
            "      done_q <= (run_q & at_end) | (done_q & ~rsp_ready_i);",
            "    end",
            "  end",
            "",
            "  // Written before they are read: without a reset.",
            "  always_ff @(posedge clk_i) begin",
            "    if (load) begin",
            "      number_q <= '0;",
            "      state_q <= start;",
            "    end else if (run_q) begin",
            "      number_q <= number_q + Width'(Rounds);",
            "      state_q <= state_d;",
            "    end",
            "  end",
            "",
            *wrapped(f"assign rsp_data_o = {name}_pkg::words_{bits}({output});", "  ", "    "),
            "",
            "`ifndef SYNTHESIS",
            "  initial begin : p_parameters",
            "    if (Rounds < 1 || Rounds > Total) begin",
            f'      $fatal(1, "{name}: Rounds: want 1 to {it.rounds}, got %0d", Rounds);',
            "    end",
            "  end",
            "`endif",
            "endmodule",
        ],
    )


def _first(design: CoreDesign, it: Permutation[Any]) -> list[str]:
    """What is loaded: the block, or what ``first`` makes of it."""
    name, bits = design.prefix, it.words * it.word_bits
    graph = Graph()
    S = [graph.input(f"S{i}", it.word_bits) for i in range(it.words)]
    made: list[NodeWord] = it.first(list(S))
    if [w.id for w in made] == [w.id for w in S]:
        return [f"  assign start = {name}_pkg::words_{bits}(req_data_i);"]
    outputs = {f"S'{i}": w.id for i, w in enumerate(made)}
    recording = Recording(it.name, "first", graph, {f"S{i}": w.id for i, w in enumerate(S)}, outputs)
    module = f"{name}_first"
    says = f"What {it.name} does before its rounds. Combinational."
    round_module(design, module, says, recording, [("s", "state_i", it.words)])
    own = ", ".join(f".{form}({form})" for form in design.forms[module])
    return [
        f"  {module}" + (f" #({own})" if own else "") + " u_first (",
        f"    .state_i({name}_pkg::words_{bits}(req_data_i)), .state_o(start)",
        "  );",
    ]
