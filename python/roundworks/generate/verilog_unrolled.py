"""A streaming core that absorbs several blocks in a cycle: `Rounds` of them, one in each slot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .verilog_text import wrapped

MOST_BYTES = 192
"""Of a cycle: aead_length adds no more at once."""
MOST_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Slots:
    """What the slots of a cycle are made of. ``rate`` and ``count`` are those of one block; ``padded``:
    padding always ends a part; ``blocks`` are (flag, text of what is absorbed) with a part's text,
    where ``{i}`` stands for the slot; ``pads`` likewise, of a block of padding alone."""

    package: str
    rate: int
    count: int
    padded: bool
    text: str
    blocks: Sequence[tuple[str, str]]
    pads: Sequence[tuple[str, str]]
    init_rounds: int
    final_rounds: int


def blocks(it: Slots, words: int, bits: int) -> list[str]:
    """Masks, blocks and which slot is the last of its cycle."""
    R, c, pkg = 8 * it.rate, it.count, it.package
    gated = [f"({pkg}::words_{R}(text) & {{{R}{{part}}}})"]
    gated += [f"({text.format(i='i')} & {{{R}{{{flag}}}}})" for flag, text in it.blocks]
    first = [f"({text} & {{{R}{{{flag} & (i == 0)}}}})" for flag, text in it.pads]
    pad = " | ".join(flag for flag, _ in it.pads) or "1'b0"
    return [
        "  // What each slot absorbs, but for the keystream's part of it. Of phases there is one or none.",
        "  logic [Rate-1:0] mask;",
        f"  logic [Rounds-1:0][{R - 1}:0] block, stream, z;",
        "  logic [Rounds:0] some;         // of a part: the slot has a block",
        "  logic [Rounds-1:0] last_slot;  // and no slot behind it has",
        "  assign some[Rounds] = 1'b0;",
        "  for (genvar i = 0; i < Rounds; i++) begin : gen_block",
        f"    localparam int From = {it.rate} * i;",
        f"    logic [{c - 1}:0] bytes;",
        f"    logic [{R - 1}:0] text;",
        "    if (Rounds == 1) begin : gen_only",
        "      assign bytes = blk_bytes_i;",
        "      assign some[i] = 1'b1;",
        "    end else begin : gen_several",
        "      logic full;",
        f"      assign full = blk_bytes_i >= Count'(From + {it.rate});",
        f"      assign some[i] = i == 0 || blk_bytes_i >= Count'(From + {int(not it.padded)});",
        f"      assign bytes = full ? {c}'d{it.rate} : some[i] ? {c}'(blk_bytes_i - Count'(From)) : '0;",
        "    end",
        f"    assign mask[{R}*i+:{R}] = {pkg}::mask(bytes);",
        f"    assign text = {it.text};",
        *wrapped(f"assign block[i] = {' | '.join([*gated, *first])};", "    ", "    "),
        f"    assign stream[i] = {pkg}::words_{R}(mask[{R}*i+:{R}] & {{{R}{{open}}}});",
        "  end",
        "",
        "  // The rounds of a phase may leave some for a last cycle of its own.",
        f"  localparam int InitRest = {it.init_rounds - 1} % Rounds;",
        f"  localparam int FinalRest = {it.final_rounds - 1} % Rounds;",
        "  logic final_end;",
        f"  assign final_end = count == $bits(count)'({it.final_rounds - 1} / Rounds);",
        "  if (Rounds == 1) begin : gen_one_slot",
        "    assign last_slot = 1'b1;",
        "    logic unused_slots;",
        "    assign unused_slots = final_end ^ ^some;",
        "  end else begin : gen_last_slot",
        "    for (genvar i = 0; i < Rounds; i++) begin : gen_slot",
        "      assign last_slot[i] = part ? some[i] & ~some[i+1]",
        f"          : {pad} ? i == 0",
        "          : leave_init ? i == InitRest",
        "          : finish & final_end ? i == FinalRest : i == Rounds - 1;",
        "    end",
        "  end",
    ]


def chain(
    it: Slots,
    words: int,
    bits: int,
    state: str,
    feeds: int,
    feed: Sequence[str],
    instance: Callable[[dict[str, str], str], list[str]],
) -> list[str]:
    """The rounds one behind another, the first on `state`; the state behind them is that of the last slot."""
    total = words * bits
    lines = ["  // The rounds of a cycle, and what stands behind them."]
    lines += [f"  logic [{words - 1}:0][{bits - 1}:0] a;"]
    pins = {"state_i": "from", "block_i": "block[i]", "stream_i": "stream[i]"}
    if feeds:
        lines += [f"  logic [{feeds - 1}:0][{bits - 1}:0] feed;", *feed]
        pins["feed_i"] = f"feed & {{{feeds * bits}{{last_slot[i]}}}}"
    pins |= {"keystream_o": "z[i]", "state_o": "to"}
    return [
        *lines,
        f"  logic [Rounds-1:0][{total - 1}:0] ended;",
        "  for (genvar i = 0; i < Rounds; i++) begin : gen_round",
        f"    logic [{total - 1}:0] from, to;",
        "    if (i == 0) begin : gen_first",
        f"      assign from = {state};",
        "    end else begin : gen_follow",
        "      assign from = gen_round[i-1].to;",
        "    end",
        *instance(pins, "    "),
        f"    assign ended[i] = to & {{{total}{{last_slot[i]}}}};",
        "  end",
        "  always_comb begin",
        "    a = '0;",
        "    for (int i = 0; i < Rounds; i++) a = a | ended[i];",
        "  end",
    ]


def output(it: Slots) -> list[str]:
    """The blocks of a message that leave."""
    R, pkg = 8 * it.rate, it.package
    return [
        "  for (genvar i = 0; i < Rounds; i++) begin : gen_out",
        f"    assign out_data_o[{R}*i+:{R}] = (blk_data_i[{R}*i+:{R}] ^ {pkg}::words_{R}(z[i]))",
        f"        & mask[{R}*i+:{R}] & {{{R}{{msg}}}};",
        "  end",
    ]
