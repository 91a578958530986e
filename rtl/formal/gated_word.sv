// What `gated_word` is to a reader of cycles: a register that is written at a rising edge where it is to be. A
// proof of a core has this in place of the latch and the AND in front of its clock; that both are one,
// for whatever changes at rising edges alone, is proven by itself (test_formal.py).
module gated_word #(
  parameter int Width = 128
) (
  input  logic             clk_i,
  input  logic             write_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);
  logic [Width-1:0] data_q;

  always_ff @(posedge clk_i) if (write_i) data_q <= data_i;
  assign data_o = data_q;
endmodule
