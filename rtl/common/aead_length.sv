// Bytes of associated data, or of message, so far: a counter of 61 bits that a block of at most 128
// bytes is added to in every cycle.
//
// A carry through 61 bits would be the longest path of a core whose rounds are short. So nine bits
// are added at once, and the others stand in groups: whether all below a group are ones is read
// from a register, one cycle late. That is early enough: they change with a carry out of the nine
// bits only, and blocks of 128 bytes at most leave three clocks between two of those.
module aead_length #(
  parameter int Width = 5            // bits of the count of a block's bytes
) (
  input  logic             clk_i,
  input  logic             clear_i,
  input  logic             add_i,
  input  logic [Width-1:0] bytes_i,
  output logic [60:0]      length_o
);
  localparam int Low = 9;
  localparam int Groups = 7;         // of eight bits; the last has four

  logic [60:0]       length_q, next;
  logic [Low:0]      sum;            // with the carry
  logic [Groups-1:0] ones_q, ones_d; // of group g: all above the nine bits and below the group are

  assign sum = {1'b0, length_q[Low-1:0]} + {{(Low+1-Width){1'b0}}, bytes_i};
  assign next[Low-1:0] = sum[Low-1:0];

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    localparam int From = Low + 8 * g;
    localparam int Size = g == Groups - 1 ? 61 - From : 8;
    logic reached;
    if (g == 0) begin : gen_first
      assign ones_d[g] = 1'b1;
    end else begin : gen_other
      assign ones_d[g] = &length_q[From-1:Low];
    end
    assign reached = sum[Low] & ones_q[g];
    assign next[From] = length_q[From] ^ reached;
    for (genvar i = 1; i < Size; i++) begin : gen_bit
      assign next[From+i] = length_q[From+i] ^ (reached & (&length_q[From+:i]));
    end
  end

  always_ff @(posedge clk_i) begin
    ones_q <= ones_d;
    if (clear_i) length_q <= '0;
    else if (add_i) length_q <= next;
  end

  assign length_o = length_q;

`ifdef ROUNDWORKS_ASSERT
  // What the groups give is the sum.
  Sum_A: assert property (@(posedge clk_i)
      (add_i && !clear_i) |-> (next == length_q + 61'(bytes_i)));
`endif

`ifndef SYNTHESIS
  initial begin : p_parameters
    if (Width < 1 || Width > 8) begin
      $fatal(1, "aead_length: Width: want 1 to 8, got %0d", Width);
    end
  end
`endif
endmodule
