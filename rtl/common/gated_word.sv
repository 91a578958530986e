// A register whose clock arrives only when it is written: no multiplexer that keeps what it holds.
module gated_word #(
  parameter int Width = 128    // clock_gate is made for no more
) (
  input  logic             clk_i,
  input  logic             write_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);
  logic             clk;
  logic [Width-1:0] data_q;

  clock_gate u_gate (.clk_i, .en_i(write_i), .clk_o(clk));
  always_ff @(posedge clk) data_q <= data_i;
  assign data_o = data_q;
endmodule
