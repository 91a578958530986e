// A clock signal that arrives while it is enabled: a latch, open while the clock is low, and an
// AND.
//
// The latch keeps what moves during the high half away from the AND, so that no clock is cut short.
// A synthesis for cells takes an integrated clock gate in its place where the library has one, and
// else a latch, an inverter and an AND. One gate is made to drive 64 flip-flops: half a word.
module clock_gate (
  input  logic clk_i,
  input  logic en_i,
  output logic clk_o
);
  logic en_q;

  always_latch if (!clk_i) en_q = en_i;
  assign clk_o = clk_i & en_q;
endmodule
